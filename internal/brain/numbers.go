package brain

import (
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
)

// Variation is what a comparison may change about a memory that is not a setting.
type Variation struct {
	Plasticity plasticity.Params
	Recall     recall.Params
	Wired      bool    // learned links take part in ranking; hebb bench ablate: they add nothing to what sessions say
	MyelinCap  float64 // of a linked file, that counts there
}

// Vary changes the numbers of an open memory, before it is used, for comparisons.
func (b *Brain) Vary(change func(*Variation)) { change(&b.numbers.Variation) }

// numbers are constants that tests change, to see in a small store what happens in a large one. The settings of people are
// in package tuning; all other constants stand beside the formulas that use them.
type numbers struct {
	Variation

	window       int     // the last files and errors of a session that a touched one is linked to
	whole        int     // a graph of up to this many links, and neurons, is slept over whole
	slice        int     // links, and neurons, of a larger one that a scheduled sleep looks at; the next goes on from there
	chunk        int     // rows changed in one write transaction, so that others can write in between
	logRows      int     // latest accesses of a project that a sleep looks at
	balanceLeast int     // fewer links, or files, are not scaled: they have no mean worth the name
	weightTarget float64 // all weights are scaled down when their mean is above this
	myelinTarget float64 // likewise all myelin

	training     embedding.Training
	tableFrom    int // with fewer commits there is no table of word vectors
	tableAfter   int // after this many more it is made anew
	lessons      recall.Lessons
	lessonsAfter int // after this many more commits and sessions habits are learned from them
	refresh      int // commits and sessions after which sleep saves the vectors of files
}

func defaultNumbers() numbers {
	return numbers{
		Variation: Variation{Plasticity: plasticity.Default(), Recall: recall.DefaultParams(), MyelinCap: 0.5},
		window:    25,                               // more than one task has open, and links grow with its square
		whole:     100000, slice: 25000, chunk: 400, // hebb bench sleep
		logRows: 5000, balanceLeast: 100, // design: consolidation, homeostasis
		weightTarget: 0.35, myelinTarget: 0.15, // design: homeostasis
		training: embedding.DefaultTraining(), tableFrom: 200, tableAfter: 200, // design/embedding.md, section 3
		lessons: recall.DefaultLessons(), lessonsAfter: 10, // learned at once 75.99, after 50 75.77, after 200 75.52 (T1 R@10)
		refresh: 50, // this many take a hook a millisecond
	}
}
