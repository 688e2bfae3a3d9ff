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

	RippleGain   float64 // importance that the first ripple of a replay adds
	RippleFade   float64 // share of it that each further one adds
	RippleMean   float64 // ripples of an episode
	RippleMost   int
	RippleSpread float64 // share of it that reaches what speaks of the same files
	Episodes     int     // that one dream replays

	CompressCosine float64 // of two texts that say much the same
	CompressShare  float64 // share of words they must have in common
	CompressLeast  int     // texts that make a compressed one
	CompressMost   int     // compressed ones of one dream
	CompressLength int     // characters of one

	OrphanAge        time.Duration // what nobody used for so long, and never
	OrphanImportance float64
	OrphanCosine     float64
	OrphansMost      int // linked by one dream

	InsightCalls    int     // questions to a model that one dream may ask, besides the one for the state
	InsightCrystals int     // that one question shows
	InsightsMost    int     // kept of one answer
	InsightShare    float64 // share of an insight's words that what it cites must have
	InsightLength   int     // characters
	InsightWorth    float64 // importance
}

func (p *Phase) entries() []Entry {
	count := func(f *int) number { return scaled[int]{f, 1} }
	ratio := func(f *float64) number { return fraction{f} }
	days := func(f *time.Duration) number { return duration{f, 24 * time.Hour} }
	const (
		replay = "replay as it was designed: 1 to 7 ripples, each 0.6 of the one before"
		rescue = "orphan rescue as it was designed"
	)
	return []Entry{
		{
			Name: "dream.gaps_kept", Unit: "searches", Default: 40, Min: 0, Max: 1000, value: count(&p.GapsKept),
			Meaning: "without an answer that are remembered of a project; 0 remembers none", Source: "eight times as many as are told",
		},
		{
			Name: "dream.gap_known", Unit: "share", Default: 0.5, Min: 0, Max: 1, value: ratio(&p.GapKnown),
			Meaning: "of what a question's words tell; if the best text found has less, nothing answered", Source: "a single word of a question is no answer",
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
		{
			Name: "dream.ripple_gain", Unit: "importance", Default: 0.1, Min: 0, Max: 1, value: ratio(&p.RippleGain),
			Meaning: "that the first ripple of a replay adds to what a lively session left", Source: replay,
		},
		{
			Name: "dream.ripple_fade", Unit: "share", Default: 0.6, Min: 0, Max: 1, value: ratio(&p.RippleFade),
			Meaning: "of it that each further ripple adds; three add 0.196, seven 0.243", Source: replay,
		},
		{
			Name: "dream.ripple_mean", Unit: "ripples", Default: 3, Min: 0, Max: 100, value: ratio(&p.RippleMean),
			Meaning: "of an episode on the average, one at least", Source: replay,
		},
		{
			Name: "dream.ripple_most", Unit: "ripples", Default: 7, Min: 1, Max: 100, value: count(&p.RippleMost),
			Meaning: "of an episode at most", Source: replay,
		},
		{
			Name: "dream.ripple_spread", Unit: "share", Default: 0.5, Min: 0, Max: 1, value: ratio(&p.RippleSpread),
			Meaning: "of a ripple that reaches texts about the same files, said at another time", Source: "a neighbour hears half of it",
		},
		{
			Name: "dream.replay_episodes", Unit: "sessions", Default: 12, Min: 0, Max: 1000, value: count(&p.Episodes),
			Meaning: "that one dream replays, each once", Source: "as many as a dream reads",
		},
		{
			Name: "dream.compress_cosine", Unit: "cosine", Default: 0.82, Min: 0, Max: 1, value: ratio(&p.CompressCosine),
			Meaning: "of two texts that say much the same in other words", Source: "near-merge hints as they were designed",
		},
		{
			Name: "dream.compress_share", Unit: "share", Default: 0.4, Min: 0, Max: 1, value: ratio(&p.CompressShare),
			Meaning: "of the words of the shorter one that the other has too", Source: "four of ten neighbours in common",
		},
		{
			Name: "dream.compress_least", Unit: "texts", Default: 3, Min: 2, Max: 100, value: count(&p.CompressLeast),
			Meaning: "that say much the same, to be told as one; they stay as they are", Source: "two are read as fast as one",
		},
		{
			Name: "dream.compress_most", Unit: "texts", Default: 5, Min: 0, Max: 1000, value: count(&p.CompressMost),
			Meaning: "that one dream makes of such groups", Source: "nobody reads more",
		},
		{
			Name: "dream.compress_length", Unit: "characters", Default: 400, Min: 40, Max: 10000, value: count(&p.CompressLength),
			Meaning: "of such a text", Source: "a short paragraph",
		},
		{
			Name: "dream.orphan_age", Unit: "days", Default: 7, Min: 0, Max: 3650, value: days(&p.OrphanAge),
			Meaning: "that a text nobody ever used waits before it is linked to its nearest", Source: rescue,
		},
		{
			Name: "dream.orphan_importance", Unit: "importance", Default: 0.4, Min: 0, Max: 1, value: ratio(&p.OrphanImportance),
			Meaning: "that it needs for that", Source: rescue,
		},
		{
			Name: "dream.orphan_cosine", Unit: "cosine", Default: 0.5, Min: 0, Max: 1, value: ratio(&p.OrphanCosine),
			Meaning: "of its nearest at least", Source: "0.75 as designed links next to nothing in the general table's space",
		},
		{
			Name: "dream.orphans_most", Unit: "texts", Default: 10, Min: 0, Max: 1000, value: count(&p.OrphansMost),
			Meaning: "that one dream links", Source: "bounded work",
		},
		{
			Name: "dream.insight_calls", Unit: "calls", Default: 2, Min: 0, Max: 20, value: count(&p.InsightCalls),
			Meaning: "of a configured language model that look for insights in one dream, besides the one for the state", Source: "five in all as designed, and nobody waits",
		},
		{
			Name: "dream.insight_crystals", Unit: "texts", Default: 12, Min: 2, Max: 200, value: count(&p.InsightCrystals),
			Meaning: "that one such call is shown", Source: "what a small model still holds apart",
		},
		{
			Name: "dream.insights_most", Unit: "insights", Default: 3, Min: 0, Max: 100, value: count(&p.InsightsMost),
			Meaning: "kept of one answer", Source: "as many as the state tells",
		},
		{
			Name: "dream.insight_share", Unit: "share", Default: 0.4, Min: 0, Max: 1, value: ratio(&p.InsightShare),
			Meaning: "of the words of an insight that the texts it cites must have; others are refused", Source: "the grounding filter as designed, on words",
		},
		{
			Name: "dream.insight_length", Unit: "characters", Default: 400, Min: 40, Max: 10000, value: count(&p.InsightLength),
			Meaning: "of an insight; longer ones are refused", Source: "a short paragraph",
		},
		{
			Name: "dream.insight_worth", Unit: "importance", Default: 0.4, Min: 0, Max: 1, value: ratio(&p.InsightWorth),
			Meaning: "of an insight when it is new: below what anybody said", Source: "what was thought must not crowd out what was said",
		},
	}
}
