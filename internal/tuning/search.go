package tuning

import "time"

// Search says how sure an answer must be and how long a search waits. Candidates are no settings; benchmarks and tests
// vary them.
type Search struct {
	StrongLeast float64       // share of the best and of the question, together, that a text needs to be shown
	AskModel    time.Duration // a search waits for the configured embedding model
	IndexNow    int           // texts that are indexed while somebody waits
	Candidates
}

// Candidates bound candidate generation.
type Candidates struct {
	LeadTexts int     // found by words together: LoCoMo R@10 79.2 with 300; 1000 find as much and cost half a millisecond
	Near      int     // found by meaning alone: without, BEAM R@5 51 to 45; LoCoMo R@10 0.2 to 0.4 more than with 60
	NearLeast float64 // cosine that meaning alone needs: 0.4 to 0.75 cost no answer
	Files     int     // predicted for the question whose notes are looked at: lessons
}

func defaultCandidates() Candidates {
	return Candidates{LeadTexts: 600, Near: 100, NearLeast: 0.6, Files: 40}
}

func (s *Search) entries() []Entry {
	return []Entry{
		{
			Name: "search.weak_below", Unit: "share", Default: 0.45, Min: 0, Max: 1, value: fraction{&s.StrongLeast},
			Meaning: "a text is hidden as weak if its score, as a share of the best, and the share of the question in its words are together less, and its meaning is not near; 0 hides nothing",
			Source:  "hebb bench conversations: R@5 and R@10 as without, at 0.55 LoCoMo loses 0.4; with 10, 30 and 100 notes 232 answers to 30 questions become 132, no right one lost",
		},
		{
			Name: "search.model_wait", Unit: "ms", Default: 1500, Min: 10, Max: 60000, value: duration{&s.AskModel, time.Millisecond},
			Meaning: "how long a search waits for the configured embedding model before it uses the built-in table", Source: "people wait so long",
		},
		{
			Name: "search.index_now", Unit: "texts", Default: 1000, Min: 0, Max: 1000000, value: scaled[int]{&s.IndexNow, 1},
			Meaning: "texts indexed before a command answers; the rest follows in the background", Source: "half a second",
		},
	}
}
