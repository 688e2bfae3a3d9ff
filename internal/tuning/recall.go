package tuning

import "time"

// Recall holds the numbers of ranking. Ages count commits or sessions, the clocks the evidence fades on.
type Recall struct {
	MinConfidence  float64 // below which hebb recall leaves an answer out
	EpisodicWithin time.Duration
	EpisodicGate   float64
	FixGate        float64
}

func (r *Recall) entries() []Entry {
	ratio := func(f *float64) number { return fraction{f} }
	return []Entry{
		{
			Name: "recall.min_confidence", Unit: "confidence", Default: 0.01, Min: 0, Max: 1, value: ratio(&r.MinConfidence),
			Meaning: "hebb recall leaves out answers that are less sure; for what agents are shown see hook.show_least", Source: "0 % is no answer",
		},
		{
			Name: "recall.episodic_within", Unit: "days", Default: 7, Min: 1, Max: 365, value: duration{&r.EpisodicWithin, 24 * time.Hour},
			Meaning: "sessions this recent are remembered one by one", Source: clue,
		},
		{
			Name: "recall.episodic_gate", Unit: "confidence", Default: 0.4, Min: 0, Max: 1, value: ratio(&r.EpisodicGate),
			Meaning: "what recent sessions say is shown from here on", Source: clue,
		},
		{
			Name: "recall.fix_gate", Unit: "confidence", Default: 0.4, Min: 0, Max: 1, value: ratio(&r.FixGate),
			Meaning: "a fix is shown from here on", Source: clue,
		},
	}
}

// learned is the source of numbers that were chosen by what they do to the ranking of real histories.
const learned = "hebb bench replay"

// speed is the source of numbers that were chosen by what they do to the time an answer takes.
const speed = "hebb bench recall"

// clue is the source of the numbers of confidence without a history.
const clue = "test vectors of the design"
