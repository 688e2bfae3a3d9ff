package tuning

import "time"

// Inspect holds the numbers of the commands that look into the memory and measure what it is worth.
type Inspect struct {
	Highway     float64       // myelin from which a file is a highway
	StaleMyelin float64       // myelin a file must still have to be worth a word when it fades
	StaleIdle   time.Duration // time without an access after which it counts as fading

	RecallLeast   float64 // confidence below which hebb recall leaves an answer out
	GraphBranches int     // companions of a file in its picture
	GraphTwigs    int     // companions of each of these
	PartsShown    int     // terms --explain names for an answer

	ToolCalls int // latest tool calls of a project that foretell the next
	NextTools int // tools named as likely next

	GroupSessions int     // sessions a group needs before it is compared
	Resamples     int     // drawings of a bootstrap
	Level         float64 // share of cases an interval is meant to hold
}

func (i *Inspect) entries() []Entry {
	count := func(f *int) number { return scaled[int]{f, 1} }
	ratio := func(f *float64) number { return fraction{f} }
	return []Entry{
		{
			Name: "inspect.highway", Unit: "myelin", Default: 0.5, Min: 0.01, Max: 0.95, value: ratio(&i.Highway),
			Meaning: "a file with this much myelin is a highway", Source: "270 accesses: a file that always matters",
		},
		{
			Name: "inspect.stale_myelin", Unit: "myelin", Default: 0.1, Min: 0.01, Max: 0.95, value: ratio(&i.StaleMyelin),
			Meaning: "a file with less myelin is not worth a word when it fades", Source: "test vectors of the design",
		},
		{
			Name: "inspect.stale_idle", Unit: "days", Default: 7, Min: 1, Max: 365, value: duration{&i.StaleIdle, 24 * time.Hour},
			Meaning: "a file nobody has touched for this long is fading", Source: "test vectors of the design",
		},
		{
			Name: "inspect.recall_least", Unit: "confidence", Default: 0.01, Min: 0, Max: 1, value: ratio(&i.RecallLeast),
			Meaning: "hebb recall leaves out answers that are less sure; what agents are shown is hook.show_least", Source: "0 % is no answer",
		},
		{
			Name: "inspect.graph_branches", Unit: "links", Default: 6, Min: 1, Max: 50, value: count(&i.GraphBranches),
			Meaning: "companions of a file that hebb graph draws", Source: "what fits on a screen",
		},
		{
			Name: "inspect.graph_twigs", Unit: "links", Default: 2, Min: 0, Max: 50, value: count(&i.GraphTwigs),
			Meaning: "companions of each of these that hebb graph draws", Source: "what fits on a screen",
		},
		{
			Name: "inspect.parts_shown", Unit: "terms", Default: 6, Min: 1, Max: 50, value: count(&i.PartsShown),
			Meaning: "terms that recall --explain names for an answer; JSON has all", Source: "what fits on a screen",
		},
		{
			Name: "inspect.tool_calls", Unit: "calls", Default: 5000, Min: 10, Max: 1000000, value: count(&i.ToolCalls),
			Meaning: "latest tool calls of a project that the next tool is foretold from", Source: "some fifty sessions",
		},
		{
			Name: "inspect.next_tools", Unit: "tools", Default: 3, Min: 1, Max: 50, value: count(&i.NextTools),
			Meaning: "tools that hebb predict names as likely next", Source: "what later ones add is noise",
		},
		{
			Name: "inspect.group_sessions", Unit: "sessions", Default: 5, Min: 2, Max: 1000, value: count(&i.GroupSessions),
			Meaning: "sessions a group needs before hebb roi compares it", Source: "of fewer an interval says nothing",
		},
		{
			Name: "inspect.resamples", Unit: "drawings", Default: 2000, Min: 100, Max: 100000, value: count(&i.Resamples),
			Meaning: "how often hebb roi draws sessions anew to find an interval", Source: "the second digit is stable",
		},
		{
			Name: "inspect.level", Unit: "share", Default: 0.95, Min: 0.5, Max: 0.999, value: ratio(&i.Level),
			Meaning: "share of cases in which an interval is meant to hold the truth", Source: "the usual one",
		},
	}
}
