package tuning

import "time"

// Crystal says how texts are kept, found, merged and let go.
type Crystal struct {
	StrengthStrong  float64 // of preferences and goals
	StrengthLearned float64 // of decisions, lessons, procedures, insights, patterns, relationships
	StrengthPlain   float64 // of facts and skills
	StrengthEpisode float64
	UseRate         float64 // how fast uses fill importance
	FadePerDay      float64 // exponent lost per day without use
	Resistance      float64 // share of fading that the strongest feeling prevents
	SpacingGain     float64 // what uses far apart add
	SpacingHours    float64 // mean gap at which they add it all
	ForgetBelow     float64 // importance
	OpenFloor       float64 // times ForgetBelow, while it is an open loop
	Labile          time.Duration
	ConfirmGain     float64
	ConsolidateUses int
	ConsolidateAge  time.Duration

	MergeCosine     float64
	MergeImportance float64
	HintCosine      float64
	SubjectWords    int // a longer statement has no subject

	QueryTerms int // terms of a question that are looked for
	QueryWords int // a longer text is a document

	WeightWords      float64
	WeightWordsNear  float64
	WeightMeaning    float64
	WeightContext    float64
	WeightGraph      float64
	WeightPhrase     float64
	WeightPath       float64
	WeightTitle      float64
	WeightTime       float64
	TimeHalf         time.Duration // outside the time asked for at which half the fit is left
	UnsureFactor     float64
	SupersededFactor float64
	RecencyGain      float64
	RecencyHalf      time.Duration

	ChunkSize      int
	ChunkOverlap   int
	ExcerptWidth   int
	WindowSize     int // characters of a conversation in one window
	WindowLeast    int // characters below which a topic does not end a window
	WindowOverlap  int // turns
	WindowGap      time.Duration
	WindowTopic    float64 // share of shared words below which the topic has changed
	WindowWords    int     // different words below which a turn has no topic
	Keywords       int
	DecisionTurns  int // turns after a decision in which its edit is looked for
	DecisionLength int // characters of the sentence at most
	DecisionText   int // characters: a longer turn is a document, in which only plain words decide
}

func (c *Crystal) entries() []Entry {
	minutes := func(f *time.Duration) number { return duration{f, time.Minute} }
	hours := func(f *time.Duration) number { return duration{f, time.Hour} }
	days := func(f *time.Duration) number { return duration{f, 24 * time.Hour} }
	count := func(f *int) number { return scaled[int]{f, 1} }
	ratio := func(f *float64) number { return fraction{f} }
	const (
		design = "importance of crystals in the design"
		fusion = "weighted sums of max-normalised scores: measured to beat rank fusion"
		later  = "a guess, to be measured"
		texts  = "hebb bench conversations"
		locomo = "LoCoMo, 133 questions that name a time, R@10: 0.63 without, 0.68 as a filter, 0.79 so"
	)
	return []Entry{
		{
			Name: "crystal.strength_strong", Unit: "factor", Default: 1.2, Min: 0, Max: 3, value: ratio(&c.StrengthStrong),
			Meaning: "strength of preferences and goals", Source: design,
		},
		{
			Name: "crystal.strength_learned", Unit: "factor", Default: 1.1, Min: 0, Max: 3, value: ratio(&c.StrengthLearned),
			Meaning: "strength of insights, patterns and relationships, and of decisions, lessons and procedures",
			Source:  design + "; decisions, lessons and procedures were paid for like insights",
		},
		{
			Name: "crystal.strength_plain", Unit: "factor", Default: 1, Min: 0, Max: 3, value: ratio(&c.StrengthPlain),
			Meaning: "strength of facts and skills", Source: design,
		},
		{
			Name: "crystal.strength_episode", Unit: "factor", Default: 0.8, Min: 0, Max: 3, value: ratio(&c.StrengthEpisode),
			Meaning: "strength of what merely happened", Source: design,
		},
		{
			Name: "crystal.use_rate", Unit: "per use", Default: 0.2, Min: 0.001, Max: 10, value: ratio(&c.UseRate),
			Meaning: "how fast uses fill importance: 0.18 without any, 0.7 after five", Source: design,
		},
		{
			Name: "crystal.fade_per_day", Unit: "per day", Default: 0.0432, Min: 0, Max: 10, value: ratio(&c.FadePerDay),
			Meaning: "how fast importance fades without use: half in 16 days", Source: design + ": 5e-10 per ms",
		},
		{
			Name: "crystal.resistance", Unit: "share", Default: 0.5, Min: 0, Max: 1, value: ratio(&c.Resistance),
			Meaning: "share of fading that the strongest valence prevents", Source: design,
		},
		{
			Name: "crystal.spacing_gain", Unit: "share", Default: 0.3, Min: 0, Max: 10, value: ratio(&c.SpacingGain),
			Meaning: "what uses far apart add to importance", Source: design,
		},
		{
			Name: "crystal.spacing_hours", Unit: "h", Default: 720, Min: 1, Max: 100000, value: ratio(&c.SpacingHours),
			Meaning: "mean time between uses at which they add it all", Source: design + ": a month",
		},
		{
			Name: "crystal.forget_below", Unit: "importance", Default: 0.02, Min: 0, Max: 1, value: ratio(&c.ForgetBelow),
			Meaning: "what is less important expires: it is found only when asked for", Source: design + ": 51 days without a use",
		},
		{
			Name: "crystal.open_floor", Unit: "factor", Default: 2, Min: 1, Max: 50, value: ratio(&c.OpenFloor),
			Meaning: "times forget_below is the least importance of what is not finished", Source: design,
		},
		{
			Name: "crystal.labile", Unit: "min", Default: 30, Min: 0, Max: 10080, value: minutes(&c.Labile),
			Meaning: "how long after a use a text can be confirmed by what follows", Source: "reconsolidation of the design",
		},
		{
			Name: "crystal.confirm_gain", Unit: "importance", Default: 0.05, Min: 0, Max: 1, value: ratio(&c.ConfirmGain),
			Meaning: "what being confirmed adds until importance is next reckoned", Source: "reconsolidation of the design",
		},
		{
			Name: "crystal.consolidate_uses", Unit: "uses", Default: 3, Min: 1, Max: 1000, value: count(&c.ConsolidateUses),
			Meaning: "uses a text needs to be consolidated", Source: "once or twice is chance",
		},
		{
			Name: "crystal.consolidate_age", Unit: "days", Default: 14, Min: 0, Max: 3650, value: days(&c.ConsolidateAge),
			Meaning: "age a text needs to be consolidated", Source: "it has outlived its first weeks",
		},
		{
			Name: "crystal.merge_cosine", Unit: "cosine", Default: 0.92, Min: 0, Max: 1, value: ratio(&c.MergeCosine),
			Meaning: "texts that say the same words and are this near may be merged", Source: "merging of the design",
		},
		{
			Name: "crystal.merge_importance", Unit: "importance", Default: 0.7, Min: 0, Max: 1, value: ratio(&c.MergeImportance),
			Meaning: "importance both need to be merged", Source: "merging of the design: what nobody uses fades by itself",
		},
		{
			Name: "crystal.hint_cosine", Unit: "cosine", Default: 0.82, Min: 0, Max: 1, value: ratio(&c.HintCosine),
			Meaning: "texts this near are shown to each other as alike and both kept", Source: "merging of the design",
		},
		{
			Name: "crystal.subject_words", Unit: "words", Default: 24, Min: 3, Max: 1000, value: count(&c.SubjectWords),
			Meaning: "a longer statement is not searched for its subject", Source: "a wrong subject hides knowledge",
		},
		{
			Name: "crystal.query_terms", Unit: "terms", Default: 64, Min: 1, Max: 10000, value: count(&c.QueryTerms),
			Meaning: "terms of a question that are looked for, the rarest first", Source: "more change no order and cost time",
		},
		{
			Name: "crystal.query_words", Unit: "words", Default: 48, Min: 1, Max: 10000, value: count(&c.QueryWords),
			Meaning: "a longer text is a document: its words are looked for, its times and quotes mean nothing",
			Source:  "pasted plans are hundreds of words",
		},
		{
			Name: "crystal.weight_words", Unit: "weight", Default: 0.35, Min: 0, Max: 10, value: ratio(&c.WeightWords),
			Meaning: "of the words a text shares with the question", Source: fusion,
		},
		{
			Name: "crystal.weight_words_near", Unit: "weight", Default: 0.55, Min: 0, Max: 10, value: ratio(&c.WeightWordsNear),
			Meaning: "of the words it shares together with its neighbours in the session", Source: texts + ": LoCoMo wants more, BEAM less",
		},
		{
			Name: "crystal.weight_meaning", Unit: "weight", Default: 0.33, Min: 0, Max: 10, value: ratio(&c.WeightMeaning),
			Meaning: "of the cosine of the text", Source: fusion + "; two thirds of 0.5 on LoCoMo and BEAM alike",
		},
		{
			Name: "crystal.weight_context", Unit: "weight", Default: 0.35, Min: 0, Max: 10, value: ratio(&c.WeightContext),
			Meaning: "of how well the best of its session answer, or of what is said of the same file", Source: texts + ": LoCoMo 74.8 to 76.1, BEAM the same",
		},
		{
			Name: "crystal.weight_graph", Unit: "weight", Default: 6, Min: 0, Max: 10, value: ratio(&c.WeightGraph),
			Meaning: "of being said of a file that is foreseen for the question, times how sure the surest file is", Source: texts + ": lessons, MAP 26 at 0.1, 49.6 at 4, 50.4 so",
		},
		{
			Name: "crystal.weight_phrase", Unit: "weight", Default: 0.1, Min: 0, Max: 10, value: ratio(&c.WeightPhrase),
			Meaning: "of words that stand side by side as they do in the question", Source: texts + ": BEAM",
		},
		{
			Name: "crystal.weight_path", Unit: "weight", Default: 0.3, Min: 0, Max: 10, value: ratio(&c.WeightPath),
			Meaning: "of the words that the path of its file shares with the question", Source: texts + ": lessons",
		},
		{
			Name: "crystal.weight_title", Unit: "weight", Default: 0.1, Min: 0, Max: 10, value: ratio(&c.WeightTitle),
			Meaning: "of words found in a subject or title", Source: later,
		},
		{
			Name: "crystal.weight_time", Unit: "weight", Default: 0.6, Min: 0, Max: 10, value: ratio(&c.WeightTime),
			Meaning: "of having been said at the time the question names", Source: locomo + "; 0.5 is a little better than 0.3",
		},
		{
			Name: "crystal.time_half", Unit: "days", Default: 7, Min: 0.01, Max: 3650, value: days(&c.TimeHalf),
			Meaning: "so far outside that time half of the fit is left", Source: locomo,
		},
		{
			Name: "crystal.unsure_factor", Unit: "factor", Default: 0.7, Min: 0, Max: 1, value: ratio(&c.UnsureFactor),
			Meaning: "times the score of a text whose code has changed since", Source: later,
		},
		{
			Name: "crystal.superseded_factor", Unit: "factor", Default: 0.4, Min: 0, Max: 1, value: ratio(&c.SupersededFactor),
			Meaning: "times the score of what was superseded or archived, unless the past is asked for", Source: later,
		},
		{
			Name: "crystal.recency_gain", Unit: "share", Default: 0.05, Min: 0, Max: 10, value: ratio(&c.RecencyGain),
			Meaning: "what having just been said adds to a score", Source: "the design has 0.5, which buried old facts",
		},
		{
			Name: "crystal.recency_half", Unit: "h", Default: 48, Min: 0.1, Max: 100000, value: hours(&c.RecencyHalf),
			Meaning: "time after which half of that is left", Source: "retrieval of the design",
		},
		{
			Name: "crystal.chunk_size", Unit: "characters", Default: 1600, Min: 100, Max: 100000, value: count(&c.ChunkSize),
			Meaning: "a longer text is cut into pieces of this length", Source: "about 400 tokens",
		},
		{
			Name: "crystal.chunk_overlap", Unit: "characters", Default: 320, Min: 0, Max: 50000, value: count(&c.ChunkOverlap),
			Meaning: "what two pieces share", Source: "a fifth: no sentence is lost at a border",
		},
		{
			Name: "crystal.excerpt_width", Unit: "characters", Default: 160, Min: 20, Max: 10000, value: count(&c.ExcerptWidth),
			Meaning: "length of the excerpt a result shows", Source: "two lines on a terminal",
		},
		{
			Name: "crystal.window_size", Unit: "characters", Default: 1600, Min: 100, Max: 100000, value: count(&c.WindowSize),
			Meaning: "a stretch of conversation longer than this is cut", Source: "one piece of text",
		},
		{
			Name: "crystal.window_least", Unit: "characters", Default: 400, Min: 0, Max: 100000, value: count(&c.WindowLeast),
			Meaning: "a shorter stretch is not ended by a new topic", Source: "a few words have no topic",
		},
		{
			Name: "crystal.window_overlap", Unit: "turns", Default: 1, Min: 0, Max: 20, value: count(&c.WindowOverlap),
			Meaning: "turns that two stretches cut for length share", Source: "an answer needs its question",
		},
		{
			Name: "crystal.window_gap", Unit: "min", Default: 30, Min: 1, Max: 10080, value: minutes(&c.WindowGap),
			Meaning: "a pause this long ends a stretch of conversation", Source: "twice the idle time of a session",
		},
		{
			Name: "crystal.window_topic", Unit: "share", Default: 0.05, Min: 0, Max: 1, value: ratio(&c.WindowTopic),
			Meaning: "a turn that shares fewer of its words with the stretch begins a new topic", Source: later,
		},
		{
			Name: "crystal.window_words", Unit: "words", Default: 4, Min: 1, Max: 1000, value: count(&c.WindowWords),
			Meaning: "a turn with fewer different words has no topic of its own", Source: "yes, do that",
		},
		{
			Name: "crystal.keywords", Unit: "words", Default: 8, Min: 0, Max: 100, value: count(&c.Keywords),
			Meaning: "words that stand for a stretch of conversation", Source: "one line",
		},
		{
			Name: "crystal.decision_turns", Unit: "turns", Default: 6, Min: 1, Max: 1000, value: count(&c.DecisionTurns),
			Meaning: "turns in which a decision is followed by the edit that carries it out", Source: later,
		},
		{
			Name: "crystal.decision_length", Unit: "characters", Default: 300, Min: 20, Max: 10000, value: count(&c.DecisionLength),
			Meaning: "a longer sentence is not taken for a decision", Source: "a decision is said briefly",
		},
		{
			Name: "crystal.decision_text", Unit: "characters", Default: 1200, Min: 50, Max: 100000, value: count(&c.DecisionText),
			Meaning: "a longer turn is a document: in it only who says so decides", Source: "pasted plans are longer",
		},
	}
}
