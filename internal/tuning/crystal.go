package tuning

// Crystal says how long texts are kept. Weights are no settings; benchmarks and tests vary them.
type Crystal struct {
	FadePerDay  float64 // exponent lost per day without use
	ForgetBelow float64 // importance
	Weights
}

// Weights are those of the sources whose scores a search adds, each normalised by its largest score. Weighted sums were
// measured to beat rank fusion; the sources of the single weights are in hebb bench conversations.
type Weights struct {
	WeightWords     float64 // words shared with the question
	WeightWordsNear float64 // together with its neighbours in the session; LoCoMo wants more, BEAM less
	WeightMeaning   float64 // cosine: two thirds of 0.5 on LoCoMo and BEAM alike
	WeightContext   float64 // the best of its session, or what is said of the same file: LoCoMo 74.8 to 76.1
	WeightGraph     float64 // said of a file predicted for the question: lessons, MAP 26 at 0.1, 49.6 at 4, 50.4 at 6
	WeightPhrase    float64 // words side by side as in the question: BEAM
	WeightPath      float64 // words of the path of its file: lessons
	WeightTitle     float64 // words in a subject or title: a guess
	WeightTime      float64 // said at the time the question names: LoCoMo, R@10 of 133 such questions 0.63 to 0.79
}

func defaultWeights() Weights {
	return Weights{
		WeightWords: 0.35, WeightWordsNear: 0.55, WeightMeaning: 0.33, WeightContext: 0.35, WeightGraph: 6,
		WeightPhrase: 0.1, WeightPath: 0.3, WeightTitle: 0.1, WeightTime: 0.6,
	}
}

func (c *Crystal) entries() []Entry {
	const design = "importance of crystals in the design"
	return []Entry{
		{
			Name: "memory.fade_per_day", Unit: "per day", Default: 0.0432, Min: 0, Max: 10, value: fraction{&c.FadePerDay},
			Meaning: "how fast importance fades without use: half in 16 days", Source: design + ": 5e-10 per ms",
		},
		{
			Name: "memory.forget_below", Unit: "importance", Default: 0.02, Min: 0, Max: 1, value: fraction{&c.ForgetBelow},
			Meaning: "less important memories expire: they are found only when asked for", Source: design + ": 51 days without a use",
		},
	}
}
