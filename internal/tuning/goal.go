package tuning

import "time"

// Goal says when thoughts about goals are shown.
type Goal struct {
	RepeatAfter time.Duration // a thought that was shown is not shown again before
	ShowFor     time.Duration // session starts show a thought that nobody has judged for so long
}

func (g *Goal) entries() []Entry {
	return []Entry{
		{
			Name: "goal.repeat_after", Unit: "h", Default: 6, Min: 0, Max: 8760, value: duration{&g.RepeatAfter, time.Hour},
			Meaning: "a thought that was shown is not shown again before", Source: "algorithms of the default mode network in the design",
		},
		{
			Name: "goal.show_for", Unit: "h", Default: 72, Min: 0, Max: 8760, value: duration{&g.ShowFor, time.Hour},
			Meaning: "session starts show a thought that nobody has judged for so long", Source: "outlasts a weekend",
		},
	}
}
