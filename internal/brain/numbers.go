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
}

// Vary changes the numbers of an open memory, before it is used, for comparisons.
func (b *Brain) Vary(change func(*Variation)) { change(&b.Numbers.Variation) }

// numbers are constants that tests change, to see in a small store what happens in a large one. The settings of people are
// in package tuning; all other constants stand beside the formulas that use them.
type Numbers struct {
	Variation

	Window       int     // the last files and errors of a session that a touched one is linked to
	Chunk        int     // rows changed in one write transaction, so that others can write in between
	LogRows      int     // latest accesses of a project that a sleep looks at
	BalanceLeast int     // fewer links, or files, are not scaled: they have no mean worth the name
	WeightTarget float64 // all weights are scaled down when their mean is above this
	MyelinTarget float64 // likewise all myelin

	Training     embedding.Training
	TableFrom    int // with fewer commits there is no table of word vectors
	TableAfter   int // after this many more it is rebuilt
	Lessons      recall.Lessons
	LessonsAfter int // after this many more commits and sessions habits are learned from them
	Refresh      int // commits and sessions after which sleep saves the vectors of files
}

func defaultNumbers() Numbers {
	return Numbers{
		Variation: Variation{Plasticity: plasticity.Default(), Recall: recall.DefaultParams()},
		Window:    25,                      // more than one task has open, and links grow with its square
		Chunk:     400,                     // measured on a graph of 73 000 links
		LogRows:   5000, BalanceLeast: 100, // design: consolidation, homeostasis
		WeightTarget: 0.35, MyelinTarget: 0.15, // design: homeostasis
		Training: embedding.DefaultTraining(), TableFrom: 200, TableAfter: 200, // design/embedding.md, section 3
		Lessons: recall.DefaultLessons(), LessonsAfter: 10, // learned at once 75.99, after 50 75.77, after 200 75.52 (T1 R@10)
		Refresh: 50, // this many take a hook a millisecond
	}
}
