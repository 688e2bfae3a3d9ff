package tuning

// Weights multiply the scores of the sources that a search adds, each normalised by its largest score. They are no
// settings; benchmarks and tests vary them. A weighted sum was measured to beat rank fusion; the figures come from
// hebb-bench conversations.
type Weights struct {
	WeightWords     float64 // words shared with the question
	WeightWordsNear float64 // words shared together with its answer and its neighbours in the session; coding sessions and LoCoMo want more, BEAM less
	WeightMeaning   float64 // cosine: two thirds of 0.5 on LoCoMo and BEAM alike
	WeightContext   float64 // the best text of its session or about the same file: LoCoMo 74.8 to 76.1
	WeightGraph     float64 // about a file predicted for the question: lessons, MAP 26 at 0.1, 49.6 at 4, 50.4 at 6
	WeightPhrase    float64 // words side by side as in the question: BEAM
	WeightPath      float64 // words of the path of its file: lessons
	WeightTitle     float64 // words in a subject or title: a guess
	WeightTime      float64 // from the date that the question names: LoCoMo, R@10 of 133 such questions 0.63 to 0.79
}

func defaultWeights() Weights {
	return Weights{
		WeightWords: 0.35, WeightWordsNear: 1, WeightMeaning: 0.33, WeightContext: 0.35, WeightGraph: 6,
		WeightPhrase: 0.1, WeightPath: 0.3, WeightTitle: 0.1, WeightTime: 0.6,
	}
}

// Candidates bound candidate generation. They are no settings either.
type Candidates struct {
	LeadTexts int     // found by words: LoCoMo R@10 79.2 with 300; 1000 find as much and cost half a millisecond
	Near      int     // found by vector alone: without, BEAM R@5 51 to 45; LoCoMo R@10 0.2 to 0.4 more than with 60
	NearLeast float64 // cosine that a candidate without shared words needs: 0.4 to 0.75 cost no answer
	Files     int     // predicted for the question whose notes are candidates: lessons
}

func defaultCandidates() Candidates {
	return Candidates{LeadTexts: 600, Near: 100, NearLeast: 0.6, Files: 40}
}
