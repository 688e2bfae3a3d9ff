package tuning

// Training says how the table of word vectors is made from a project's own past, and when.
type Training struct {
	Dims     int
	Epochs   int
	Batch    int
	Scale    float64
	Rate     float64
	Dropout  float64
	Least    int
	PerWork  int
	Files    int
	Before   int
	Subjects int
	Pieces   int // latest pieces of work that are learned from
	Sources  int // files worked on last whose comments and headings are learned from

	From   int     // commits before there is a table
	After  int     // commits after which it is made anew …
	Growth float64 // … but at least so many more than it was made from
	Opened int     // files opened by sessions that do as well

	Lessons       int     // latest pieces of work that habits of ranking are learned from …
	LessonsFrom   int     // … once there are so many …
	LessonsAfter  int     // … and again after so many more
	LessonAnswers int     // files of an answer that are learned from
	PairRate      float64 // how fast pairs of words are learned
	ShiftRate     float64 // how fast a project's own weights are …
	ShiftHold     float64 // … what holds them back …
	ShiftMost     float64 // … and how far they may go

	Refresh int // pieces of work after which the vectors of files are saved anew
}

func (t *Training) entries() []Entry {
	count := func(f *int) number { return scaled[int]{f, 1} }
	ratio := func(f *float64) number { return fraction{f} }
	const design = "design/embedding.md, section 3"
	return []Entry{
		{
			Name: "training.dims", Unit: "dimensions", Default: 128, Min: 8, Max: 512, value: count(&t.Dims),
			Meaning: "length of a word's vector", Source: design,
		},
		{
			Name: "training.epochs", Unit: "times", Default: 8, Min: 1, Max: 100, value: count(&t.Epochs),
			Meaning: "how often the past is gone through", Source: design,
		},
		{
			Name: "training.batch", Unit: "pairs", Default: 256, Min: 2, Max: 4096, value: count(&t.Batch),
			Meaning: "pairs that are told apart from each other at a time", Source: design,
		},
		{
			Name: "training.scale", Unit: "factor", Default: 20, Min: 1, Max: 100, value: ratio(&t.Scale),
			Meaning: "how sharply the right partner must stand out", Source: design,
		},
		{
			Name: "training.rate", Unit: "step", Default: 0.006, Min: 0.0001, Max: 1, value: ratio(&t.Rate),
			Meaning: "length of a step at the start; it falls to nothing", Source: design,
		},
		{
			Name: "training.dropout", Unit: "share", Default: 0.1, Min: 0, Max: 0.9, value: ratio(&t.Dropout),
			Meaning: "words left out of a text each time, so that none does it alone", Source: design,
		},
		{
			Name: "training.least", Unit: "texts", Default: 3, Min: 1, Max: 100, value: count(&t.Least),
			Meaning: "a word in fewer texts than this has no vector", Source: design,
		},
		{
			Name: "training.per_work", Unit: "pairs", Default: 2, Min: 1, Max: 100, value: count(&t.PerWork),
			Meaning: "pairs of one commit or session each time", Source: design,
		},
		{
			Name: "training.files", Unit: "files", Default: 8, Min: 1, Max: 1000, value: count(&t.Files),
			Meaning: "a commit of more files than this says too little of each", Source: design,
		},
		{
			Name: "training.before", Unit: "texts", Default: 3, Min: 0, Max: 100, value: count(&t.Before),
			Meaning: "commits and sessions before one, on the same file, whose words belong to its words", Source: learned,
		},
		{
			Name: "training.subjects", Unit: "texts", Default: 20, Min: 1, Max: 1000, value: count(&t.Subjects),
			Meaning: "latest commits and sessions whose words describe a file", Source: design,
		},
		{
			Name: "training.pieces", Unit: "commits", Default: 10000, Min: 100, Max: 1000000, value: count(&t.Pieces),
			Meaning: "latest commits and sessions that are learned from", Source: "half a minute on one core",
		},
		{
			Name: "training.sources", Unit: "files", Default: 2000, Min: 0, Max: 1000000, value: count(&t.Sources),
			Meaning: "files worked on last whose comments and headings are learned from", Source: "a second or two of reading",
		},
		{
			Name: "training.from", Unit: "commits", Default: 200, Min: 10, Max: 100000, value: count(&t.From),
			Meaning: "with fewer commits there is no table", Source: design,
		},
		{
			Name: "training.after", Unit: "commits", Default: 200, Min: 10, Max: 100000, value: count(&t.After),
			Meaning: "after so many more it is made anew", Source: design,
		},
		{
			Name: "training.growth", Unit: "share", Default: 0.5, Min: 0, Max: 10, value: ratio(&t.Growth),
			Meaning: "but not before the past has grown by this share: a long one changes slowly", Source: learned,
		},
		{
			Name: "training.opened", Unit: "files", Default: 500, Min: 10, Max: 1000000, value: count(&t.Opened),
			Meaning: "files opened by sessions after which it is made anew, likewise", Source: design,
		},
		{
			Name: "training.lessons", Unit: "commits", Default: 4000, Min: 0, Max: 1000000, value: count(&t.Lessons),
			Meaning: "latest commits that are asked about once more, to learn the habits of a project", Source: "seconds on one core",
		},
		{
			Name: "training.lessons_from", Unit: "commits", Default: 100, Min: 1, Max: 100000, value: count(&t.LessonsFrom),
			Meaning: "commits and sessions of which none is asked about, because too little was known before them", Source: learned,
		},
		{
			Name: "training.lessons_after", Unit: "commits", Default: 10, Min: 1, Max: 100000, value: count(&t.LessonsAfter),
			Meaning: "after so many more commits and sessions they are learned from", Source: "learned at once 75.99, after 50 75.77, after 200 75.52 (T1 R@10)",
		},
		{
			Name: "training.lesson_answers", Unit: "files", Default: 40, Min: 2, Max: 1000, value: count(&t.LessonAnswers),
			Meaning: "first files of an answer from which habits are learned", Source: learned,
		},
		{
			Name: "training.pair_rate", Unit: "step", Default: 1, Min: 0, Max: 10, value: ratio(&t.PairRate),
			Meaning: "how far one answer moves what words of a question say about words of a path", Source: learned,
		},
		{
			Name: "training.shift_rate", Unit: "step", Default: 0.03, Min: 0, Max: 1, value: ratio(&t.ShiftRate),
			Meaning: "how far one answer moves the weights of a project", Source: learned,
		},
		{
			Name: "training.shift_hold", Unit: "share", Default: 0.001, Min: 0, Max: 1, value: ratio(&t.ShiftHold),
			Meaning: "share of that way that each answer takes back", Source: learned,
		},
		{
			Name: "training.shift_most", Unit: "weight", Default: 3, Min: 0, Max: 100, value: ratio(&t.ShiftMost),
			Meaning: "a weight of a project differs from that of all by this at most", Source: "about the largest weight",
		},
		{
			Name: "training.refresh", Unit: "commits", Default: 50, Min: 1, Max: 100000, value: count(&t.Refresh),
			Meaning: "commits and sessions after which sleep saves anew where files point", Source: "so many take a hook a millisecond",
		},
	}
}
