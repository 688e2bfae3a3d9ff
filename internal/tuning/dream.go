package tuning

import "time"

// Dream says when the state is rewritten and how much a language model is asked for it.
type Dream struct {
	Interval     time.Duration // between two dreams nobody asked for
	MinCrystals  int           // crystals there must be
	PromptTokens int           // of the prompt that asks a model for a new state
	InsightCalls int           // of a model that look for insights in one dream
}

func (d *Dream) entries() []Entry {
	return []Entry{
		{
			Name: "dream.interval", Unit: "min", Default: 120, Min: 1, Max: 100000, value: duration{&d.Interval, time.Minute},
			Meaning: "between two dreams nobody asked for; down to a quarter of it when much waits, up to twice when little does", Source: "rhythm of dreams in the design",
		},
		{
			Name: "dream.min_crystals", Unit: "crystals", Default: 5, Min: 0, Max: 1000, value: scaled[int]{&d.MinCrystals, 1},
			Meaning: "memories there must be for a dream", Source: "rhythm of dreams in the design",
		},
		{
			Name: "dream.prompt_tokens", Unit: "tokens", Default: 12000, Min: 1000, Max: 1000000, value: scaled[int]{&d.PromptTokens, 1},
			Meaning: "longest prompt that asks a language model for a new state", Source: "what a small model still reads with care",
		},
		{
			Name: "dream.insight_calls", Unit: "calls", Default: 2, Min: 0, Max: 20, value: scaled[int]{&d.InsightCalls, 1},
			Meaning: "requests to a language model for insights in one dream, besides the one for the state", Source: "five in all as designed, and nobody waits",
		},
	}
}
