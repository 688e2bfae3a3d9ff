package tuning

import "time"

// Search says how a question leads to texts.
type Search struct {
	LeadTexts      int     // texts that the leading words may lead to together
	LeadTerms      int     // leading words
	Near           int     // texts that meaning alone leads to
	NearLeast      float64 // cosine that meaning alone needs
	Deep           int     // answers from which on the weak are wanted too
	StrongLeast    float64 // share of the best and of the question, together, that a text needs to be shown
	WideShare      float64 // of all texts in the projects asked, from which on words are looked for everywhere
	Weighed        int     // texts that are weighed against each other
	Files          int     // files foreseen for the question whose texts are looked at
	FileNotes      int     // texts about each of them
	WordSaturation float64
	AnswerFactor   float64 // times the score of what an agent said
	SessionBest    int     // best texts of a session that speak for it
	AroundWords    int     // of each neighbour of a turn that are kept with it
	ContextShare   float64 // of the direction of a turn that its neighbours give
	LengthShare    float64
	NearOnce       int     // texts up to which a process that asks once reads all directions
	SaidImportance float64 // of what was just said
	IndexNow       int     // texts that are made findable while somebody waits
	FragmentKnown  float64 // share of a question that a fragment of code must hold to be pointed at
	TaskTerms      int     // words from which on a question is a task
	FoundFactor    float64 // what a text counts that nobody chose to keep
	AskModel       time.Duration
	BackfillBatch  int
	BackfillMost   int
}

func (s *Search) entries() []Entry {
	count := func(f *int) number { return scaled[int]{f, 1} }
	ratio := func(f *float64) number { return fraction{f} }
	return []Entry{
		{
			Name: "search.lead_texts", Unit: "texts", Default: 600, Min: 10, Max: 1000000, value: count(&s.LeadTexts),
			Meaning: "the rarest words of a question lead to this many texts at most; all words score them", Source: "hebb bench conversations: LoCoMo R@10 79.2 with 300; 1 000 find as much and cost half a millisecond",
		},
		{
			Name: "search.lead_terms", Unit: "words", Default: 32, Min: 1, Max: 1000, value: count(&s.LeadTerms),
			Meaning: "words that may lead", Source: "more find nothing that these do not",
		},
		{
			Name: "search.near", Unit: "texts", Default: 100, Min: 0, Max: 10000, value: count(&s.Near),
			Meaning: "texts looked at because they mean something alike, whatever their words", Source: "hebb bench conversations: without, BEAM R@5 51 to 45; LoCoMo R@10 0.2 to 0.4 more than with 60",
		},
		{
			Name: "search.weighed", Unit: "texts", Default: 100, Min: 10, Max: 1000000, value: count(&s.Weighed),
			Meaning: "of the texts that words lead to, those that are weighed by everything else", Source: "hebb bench conversations: 80 to 200 are alike",
		},
		{
			Name: "search.near_least", Unit: "cosine", Default: 0.6, Min: -1, Max: 1, value: ratio(&s.NearLeast),
			Meaning: "a text without a word of the question answers only if its meaning is this near", Source: "hebb bench conversations: 0.4 to 0.75 cost no answer",
		},
		{
			Name: "search.deep", Unit: "answers", Default: 50, Min: 0, Max: 1000000, value: count(&s.Deep),
			Meaning: "who asks for more answers than this is shown the weak ones too", Source: "nobody reads so many by chance",
		},
		{
			Name: "search.strong_least", Unit: "share", Default: 0.45, Min: 0, Max: 1, value: ratio(&s.StrongLeast),
			Meaning: "a text is left out as weak if what speaks for it, as a share of the best, and the share of the question in its own words are together less, and its meaning is not near; 0 leaves nothing out",
			Source:  "hebb bench conversations: R@5 and R@10 of all sets as without, at 0.55 LoCoMo loses 0.4; in projects with 10, 30 and 100 notes 232 answers to 30 questions become 132, no right one lost",
		},
		{
			Name: "search.wide_share", Unit: "share", Default: 0.25, Min: 0, Max: 1, value: ratio(&s.WideShare),
			Meaning: "words that must all occur are looked for in all texts, and those of other projects left out afterwards, where the projects asked hold this share of them; below, the index of the project helps",
			Source:  "measured on a million texts of one project: its index costs 7 of 9 ms",
		},
		{
			Name: "search.files", Unit: "files", Default: 40, Min: 0, Max: 1000, value: count(&s.Files),
			Meaning: "files foreseen for a question whose notes are looked at", Source: "hebb bench conversations: lessons",
		},
		{
			Name: "search.file_notes", Unit: "texts", Default: 100, Min: 0, Max: 10000, value: count(&s.FileNotes),
			Meaning: "latest notes about each of those files that are looked at", Source: "hebb bench conversations: lessons",
		},
		{
			Name: "search.answer_factor", Unit: "factor", Default: 0.45, Min: 0, Max: 1, value: ratio(&s.AnswerFactor),
			Meaning: "times the score of what an agent said: a person's own words are what is asked for", Source: "hebb bench conversations: BEAM",
		},
		{
			Name: "search.session_best", Unit: "texts", Default: 5, Min: 1, Max: 1000, value: count(&s.SessionBest),
			Meaning: "best texts of a session that speak for its other texts", Source: "hebb bench conversations: LoCoMo, where 5 to 8 are alike",
		},
		{
			Name: "search.around_words", Unit: "words", Default: 20, Min: 0, Max: 100000, value: count(&s.AroundWords),
			Meaning: "words of each neighbour that are kept with a turn", Source: "hebb bench conversations: long answers drown what was asked; BEAM R@5 58.1 with 60, 59.0 so, in a prototype that scored every text",
		},
		{
			Name: "search.context_share", Unit: "share", Default: 0.33, Min: 0, Max: 1, value: ratio(&s.ContextShare),
			Meaning: "share of the direction of a turn that is that of the turn with its neighbours", Source: "a third was measured best",
		},
		{
			Name: "search.word_saturation", Unit: "factor", Default: 0.8, Min: 0, Max: 10, value: ratio(&s.WordSaturation),
			Meaning: "BM25's k1: how soon more of the same word counts no more", Source: "hebb bench conversations: LoCoMo MRR 51.1 at 1.2, 52.8 so; BEAM the same",
		},
		{
			Name: "search.length_share", Unit: "share", Default: 0.75, Min: 0, Max: 1, value: ratio(&s.LengthShare),
			Meaning: "BM25's b: how much long texts are held back", Source: "usual",
		},
		{
			Name: "search.near_once", Unit: "texts", Default: 50000, Min: 0, Max: 10000000, value: count(&s.NearOnce),
			Meaning: "a process that asks once reads the directions of up to this many texts; above, it weighs only those that words led to", Source: "30 ms",
		},
		{
			Name: "search.said_importance", Unit: "importance", Default: 0.7, Min: 0, Max: 1, value: ratio(&s.SaidImportance),
			Meaning: "of what was just said, until it is reckoned", Source: "default of notes in the design",
		},
		{
			Name: "search.index_now", Unit: "texts", Default: 1000, Min: 0, Max: 1000000, value: count(&s.IndexNow),
			Meaning: "texts made findable before a command answers; the rest follows in the background", Source: "half a second",
		},
		{
			Name: "search.fragment_known", Unit: "share", Default: 0.5, Min: 0, Max: 1, value: ratio(&s.FragmentKnown),
			Meaning: "share of what the words of a task tell that a function must hold for recall to point at its lines", Source: "half of it",
		},
		{
			Name: "search.task_terms", Unit: "words", Default: 8, Min: 1, Max: 1000, value: count(&s.TaskTerms),
			Meaning: "a question with fewer words describes no task: what is said of the files foreseen for it counts less", Source: "three words led to notes on README.md",
		},
		{
			Name: "search.found_factor", Unit: "factor", Default: 0.5, Min: 0, Max: 1, value: ratio(&s.FoundFactor),
			Meaning: "what commits, turns and code count beside what somebody chose to remember", Source: "a decision stood 38th below commits with the same words",
		},
		{
			Name: "search.ask_model", Unit: "ms", Default: 1500, Min: 10, Max: 60000, value: duration{&s.AskModel, time.Millisecond},
			Meaning: "how long a search waits for the configured model before it asks the table that comes with hebb", Source: "people wait so long",
		},
		{
			Name: "search.backfill_batch", Unit: "texts", Default: 64, Min: 1, Max: 2048, value: count(&s.BackfillBatch),
			Meaning: "texts sent to the configured model at once", Source: "what servers take",
		},
		{
			Name: "search.backfill_most", Unit: "texts", Default: 2000, Min: 0, Max: 10000000, value: count(&s.BackfillMost),
			Meaning: "texts sent to the configured model after one piece of work", Source: "a minute or two",
		},
	}
}
