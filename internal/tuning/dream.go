package tuning

import "time"

// Dream says how the state is rewritten, when, and what a new one must keep of the old.
type Dream struct {
	PhenotypeTokens int // of each section of the state
	BondTokens      int
	NicheTokens     int
	ActiveTokens    int
	PointersTokens  int
	GapsTokens      int
	SkillsTokens    int

	MassFrom       int     // characters from which on a state may not shrink at once
	MassLeft       float64 // share that must be left of it
	PointersMost   int
	SubstanceLeast int // characters that are no heading, emphasis or rule
	BondFrom       int // characters of the Bond above which its words are compared
	BondReject     float64
	BondWarn       float64
	KeptFrom       int     // characters of a state from which on its words are compared
	KeptLeast      float64 // share of them that must be left
	TaintShare     float64 // share of the words of a line that make a text its source

	SessionsShown   int // latest sessions told in Active Context
	NextShown       int // steps of the latest session
	InsightsShown   int
	GapsShown       int           // of each kind
	CrystalsShown   int           // new crystals, besides notes
	CrystalLeast    float64       // importance from which on they are shown
	LineLength      int           // characters of one line
	FadeAfter       time.Duration // what nobody touched for so long fades from Active Context
	PointerCrystals int           // memories behind one pointer
	PointerWords    int           // words of one pointer
	ToldShare       float64       // share of a note's words that tell it

	MomentFelt  float64       // how good or bad something felt that moved somebody
	DenseWithin time.Duration // prompts that make a conversation dense

	Interval      time.Duration // between two dreams nobody asked for
	IntervalLeast time.Duration
	IntervalMost  time.Duration
	IntervalScore float64 // urgency at which the interval is as it stands
	NewLeast      int     // new items that make a dream worth while
	MinCrystals   int     // crystals there must be
	FirstNotes    int     // notes that make the first dream
	FirstChars    int     // or characters of them

	SeedTokens     int     // of a piece of an adopted text that becomes a crystal
	SeedOverlap    int     // of it that the next piece repeats
	SeedImportance float64 // of those
	SeedLines      int     // of an adopted text that one dream takes into the state
	SeedFill       float64 // share of a section that may be full for that
	SeedMost       int     // bytes of an adopted text

	PromptTokens  int
	PromptCrystal int // characters of a crystal in a prompt

	Phase Phase
}

func (d *Dream) entries() []Entry {
	count := func(f *int) number { return scaled[int]{f, 1} }
	ratio := func(f *float64) number { return fraction{f} }
	minutes := func(f *time.Duration) number { return duration{f, time.Minute} }
	const (
		state    = "the state vector as it was designed"
		guards   = "guards against a collapse of the state"
		promised = "what no provider may do to the state"
		rhythm   = "rhythm of dreams as it was designed"
		adopted  = "migration of a hand-written memory as it was designed"
	)
	return append(d.Phase.entries(), []Entry{
		{
			Name: "dream.phenotype_tokens", Unit: "tokens", Default: 400, Min: 50, Max: 100000, value: count(&d.PhenotypeTokens),
			Meaning: "of The Phenotype at most", Source: state,
		},
		{
			Name: "dream.bond_tokens", Unit: "tokens", Default: 500, Min: 50, Max: 100000, value: count(&d.BondTokens),
			Meaning: "of The Bond at most", Source: state,
		},
		{
			Name: "dream.niche_tokens", Unit: "tokens", Default: 300, Min: 50, Max: 100000, value: count(&d.NicheTokens),
			Meaning: "of The Niche at most", Source: state,
		},
		{
			Name: "dream.active_tokens", Unit: "tokens", Default: 1200, Min: 100, Max: 100000, value: count(&d.ActiveTokens),
			Meaning: "of Active Context at most", Source: state,
		},
		{
			Name: "dream.pointers_tokens", Unit: "tokens", Default: 800, Min: 100, Max: 100000, value: count(&d.PointersTokens),
			Meaning: "of Crystal Pointers at most", Source: state,
		},
		{
			Name: "dream.gaps_tokens", Unit: "tokens", Default: 400, Min: 50, Max: 100000, value: count(&d.GapsTokens),
			Meaning: "of Curiosity Gaps at most", Source: state,
		},
		{
			Name: "dream.skills_tokens", Unit: "tokens", Default: 400, Min: 50, Max: 100000, value: count(&d.SkillsTokens),
			Meaning: "of Emerging Skills at most", Source: state,
		},
		{
			Name: "dream.mass_from", Unit: "characters", Default: 2000, Min: 0, Max: 1000000, value: count(&d.MassFrom),
			Meaning: "a state of at least so many may not shrink at once", Source: guards,
		},
		{
			Name: "dream.mass_left", Unit: "share", Default: 0.5, Min: 0, Max: 0.5, value: ratio(&d.MassLeft),
			Meaning: "of it that must be left in the next one", Source: guards,
		},
		{
			Name: "dream.pointers_most", Unit: "pointers", Default: 20, Min: 1, Max: 200, value: count(&d.PointersMost),
			Meaning: "in a state; more means that what is going on was let go", Source: guards,
		},
		{
			Name: "dream.substance_least", Unit: "characters", Default: 50, Min: 0, Max: 1000, value: count(&d.SubstanceLeast),
			Meaning: "that are no heading, emphasis or rule; fewer say nothing", Source: guards,
		},
		{
			Name: "dream.bond_from", Unit: "characters", Default: 100, Min: 0, Max: 100000, value: count(&d.BondFrom),
			Meaning: "of The Bond above which its words are compared with the next one's", Source: guards,
		},
		{
			Name: "dream.bond_reject", Unit: "share", Default: 0.3, Min: 0, Max: 1, value: ratio(&d.BondReject),
			Meaning: "of its words; if fewer are kept the next state is refused", Source: guards,
		},
		{
			Name: "dream.bond_warn", Unit: "share", Default: 0.5, Min: 0, Max: 1, value: ratio(&d.BondWarn),
			Meaning: "of its words; if fewer are kept there is a warning", Source: guards,
		},
		{
			Name: "dream.kept_from", Unit: "characters", Default: 200, Min: 0, Max: 100000, value: count(&d.KeptFrom),
			Meaning: "a state of at least so many must be known again in the next one", Source: promised,
		},
		{
			Name: "dream.kept_least", Unit: "share", Default: 0.1, Min: 0, Max: 0.5, value: ratio(&d.KeptLeast),
			Meaning: "of its words that must be kept; a text in another language keeps fewer", Source: promised,
		},
		{
			Name: "dream.taint_share", Unit: "share", Default: 0.5, Min: 0.1, Max: 1, value: ratio(&d.TaintShare),
			Meaning: "of the words of a line; a text that has so many is its source", Source: "half a sentence taken over is taken over",
		},
		{
			Name: "dream.sessions_shown", Unit: "sessions", Default: 3, Min: 0, Max: 100, value: count(&d.SessionsShown),
			Meaning: "latest ones told in Active Context", Source: state,
		},
		{
			Name: "dream.next_shown", Unit: "steps", Default: 5, Min: 0, Max: 100, value: count(&d.NextShown),
			Meaning: "that the latest session left to do", Source: "what fits in a glance",
		},
		{
			Name: "dream.insights_shown", Unit: "insights", Default: 3, Min: 0, Max: 100, value: count(&d.InsightsShown),
			Meaning: "of a dream that Active Context tells", Source: "what was thought must not crowd out what was said",
		},
		{
			Name: "dream.gaps_shown", Unit: "gaps", Default: 5, Min: 0, Max: 100, value: count(&d.GapsShown),
			Meaning: "of each kind: searches, errors, questions, steps", Source: state,
		},
		{
			Name: "dream.crystals_shown", Unit: "crystals", Default: 5, Min: 0, Max: 100, value: count(&d.CrystalsShown),
			Meaning: "new ones, besides notes, that the rules take into Active Context", Source: "notes come first",
		},
		{
			Name: "dream.crystal_least", Unit: "importance", Default: 0.5, Min: 0, Max: 1, value: ratio(&d.CrystalLeast),
			Meaning: "of a new crystal from which on they do", Source: "an episode met once is below it",
		},
		{
			Name: "dream.line_length", Unit: "characters", Default: 240, Min: 40, Max: 5000, value: count(&d.LineLength),
			Meaning: "of one line of the state; the rest of a note is in its crystal", Source: "two sentences",
		},
		{
			Name: "dream.fade_after", Unit: "days", Default: 14, Min: 0, Max: 3650, value: duration{&d.FadeAfter, 24 * time.Hour},
			Meaning: "what nobody touched for so long leaves Active Context for a pointer", Source: "near the half-life of a crystal",
		},
		{
			Name: "dream.pointer_crystals", Unit: "crystals", Default: 6, Min: 1, Max: 100, value: count(&d.PointerCrystals),
			Meaning: "behind one pointer, all of which its words must find", Source: "fewer than a search shows",
		},
		{
			Name: "dream.pointer_words", Unit: "words", Default: 6, Min: 1, Max: 50, value: count(&d.PointerWords),
			Meaning: "of one pointer at most", Source: "three in the design's examples; two topics that share one need more",
		},
		{
			Name: "dream.told_share", Unit: "share", Default: 0.6, Min: 0.1, Max: 1, value: ratio(&d.ToldShare),
			Meaning: "of the words of a note; a line that has so many tells it", Source: "a sentence reworded keeps its names and nouns",
		},
		{
			Name: "dream.moment_felt", Unit: "valence", Default: 0.2, Min: 0, Max: 1, value: ratio(&d.MomentFelt),
			Meaning: "how good or bad something must have felt to be told as a breakthrough or a friction", Source: "a reward is 0.3",
		},
		{
			Name: "dream.dense_within", Unit: "min", Default: 1440, Min: 1, Max: 100000, value: minutes(&d.DenseWithin),
			Meaning: "prompts of this time make a conversation dense, which presses for a dream", Source: "a conversation of yesterday is over",
		},
		{
			Name: "dream.interval", Unit: "min", Default: 120, Min: 1, Max: 100000, value: minutes(&d.Interval),
			Meaning: "between two dreams nobody asked for", Source: rhythm,
		},
		{
			Name: "dream.interval_least", Unit: "min", Default: 30, Min: 1, Max: 100000, value: minutes(&d.IntervalLeast),
			Meaning: "between them when much waits", Source: rhythm,
		},
		{
			Name: "dream.interval_most", Unit: "min", Default: 240, Min: 1, Max: 100000, value: minutes(&d.IntervalMost),
			Meaning: "between them when little does", Source: rhythm,
		},
		{
			Name: "dream.interval_score", Unit: "points", Default: 5, Min: 0.1, Max: 1000, value: ratio(&d.IntervalScore),
			Meaning: "of urgency at which the interval is neither shorter nor longer", Source: "the score at which a dream is due",
		},
		{
			Name: "dream.new_least", Unit: "items", Default: 3, Min: 0, Max: 1000, value: count(&d.NewLeast),
			Meaning: "new since the last dream; for fewer there is none", Source: rhythm,
		},
		{
			Name: "dream.min_crystals", Unit: "crystals", Default: 5, Min: 0, Max: 1000, value: count(&d.MinCrystals),
			Meaning: "that there must be to dream of", Source: rhythm,
		},
		{
			Name: "dream.first_notes", Unit: "notes", Default: 5, Min: 1, Max: 1000, value: count(&d.FirstNotes),
			Meaning: "that make the first state at once", Source: rhythm,
		},
		{
			Name: "dream.first_chars", Unit: "characters", Default: 500, Min: 1, Max: 100000, value: count(&d.FirstChars),
			Meaning: "of notes that make the first state at once", Source: rhythm,
		},
		{
			Name: "dream.seed_tokens", Unit: "tokens", Default: 400, Min: 50, Max: 10000, value: count(&d.SeedTokens),
			Meaning: "of one piece of an adopted text that is kept as a crystal", Source: adopted,
		},
		{
			Name: "dream.seed_overlap", Unit: "tokens", Default: 80, Min: 0, Max: 5000, value: count(&d.SeedOverlap),
			Meaning: "of such a piece that the next one repeats", Source: adopted,
		},
		{
			Name: "dream.seed_importance", Unit: "importance", Default: 0.75, Min: 0, Max: 1, value: ratio(&d.SeedImportance),
			Meaning: "of what was adopted", Source: adopted,
		},
		{
			Name: "dream.seed_lines", Unit: "lines", Default: 8, Min: 0, Max: 1000, value: count(&d.SeedLines),
			Meaning: "of an adopted text that one dream takes into the state; the first dream takes none", Source: "a page is taken in within a dozen dreams",
		},
		{
			Name: "dream.seed_fill", Unit: "share", Default: 0.75, Min: 0, Max: 1, value: ratio(&d.SeedFill),
			Meaning: "of a section that may be full with such a line in it", Source: "what is new needs the rest",
		},
		{
			Name: "dream.seed_most", Unit: "KB", Default: 1024, Min: 1, Max: 65536, value: scaled[int]{&d.SeedMost, kilobyte},
			Meaning: "of a text that is adopted; a longer one is refused, never cut", Source: "five times the longest that people write",
		},
		{
			Name: "dream.prompt_tokens", Unit: "tokens", Default: 12000, Min: 1000, Max: 1000000, value: count(&d.PromptTokens),
			Meaning: "of the prompt that asks for a new state", Source: "what a small model still reads with care",
		},
		{
			Name: "dream.prompt_crystal", Unit: "characters", Default: 200, Min: 40, Max: 100000, value: count(&d.PromptCrystal),
			Meaning: "of one crystal in it", Source: state,
		},
	}...)
}
