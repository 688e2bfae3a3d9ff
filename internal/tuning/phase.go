package tuning

import "time"

// Phase says what dreams do besides rewriting the state: gaps they notice, and how crystals are gone through.
type Phase struct {
	GapsKept    int           // searches without an answer that are remembered of a project
	GapKnown    float64       // share of a question's words below which what was found is no answer
	GapAnswered float64       // share of its words that a text said since must have to be one
	GapAge      time.Duration // what nobody asks for so long is no gap any more
	GapErrors   int           // times an error was met
	GapTouches  int           // times a file was touched
	GapLength   int           // characters
}

func (p *Phase) entries() []Entry {
	count := func(f *int) number { return scaled[int]{f, 1} }
	ratio := func(f *float64) number { return fraction{f} }
	days := func(f *time.Duration) number { return duration{f, 24 * time.Hour} }
	return []Entry{
		{
			Name: "dream.gaps_kept", Unit: "searches", Default: 40, Min: 0, Max: 1000, value: count(&p.GapsKept),
			Meaning: "without an answer that are remembered of a project; 0 remembers none", Source: "eight times as many as are told",
		},
		{
			Name: "dream.gap_known", Unit: "share", Default: 0.34, Min: 0, Max: 1, value: ratio(&p.GapKnown),
			Meaning: "of what a question's words tell; if the best text found has less, nothing answered", Source: "one word of three",
		},
		{
			Name: "dream.gap_answered", Unit: "share", Default: 0.6, Min: 0.1, Max: 1, value: ratio(&p.GapAnswered),
			Meaning: "of a question's words; a text said since that has so many answers it", Source: "as dream.told_share",
		},
		{
			Name: "dream.gap_age", Unit: "days", Default: 30, Min: 1, Max: 3650, value: days(&p.GapAge),
			Meaning: "after which a gap that nobody met again is none", Source: "two half-lives of a crystal",
		},
		{
			Name: "dream.gap_errors", Unit: "times", Default: 2, Min: 1, Max: 1000, value: count(&p.GapErrors),
			Meaning: "that an error without a known fix was met, to be a gap", Source: "what happens once may be a slip",
		},
		{
			Name: "dream.gap_touches", Unit: "times", Default: 8, Min: 1, Max: 10000, value: count(&p.GapTouches),
			Meaning: "that sessions touched a file of which nothing is said, to be a gap", Source: "more than one session's work on a file",
		},
		{
			Name: "dream.gap_length", Unit: "characters", Default: 120, Min: 20, Max: 2000, value: count(&p.GapLength),
			Meaning: "of a question that are remembered", Source: "one line on a terminal",
		},
	}
}
