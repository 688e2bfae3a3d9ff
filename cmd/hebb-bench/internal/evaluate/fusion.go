package evaluate

import (
	"math"
	"slices"
)

// fusionDepth is how far down a list is looked at when lists are fused.
const fusionDepth = 100

// reciprocalRanks fuses lists by their ranks alone: 1/(60+rank), summed.
func reciprocalRanks(s *scores, lists []list) {
	for _, l := range lists {
		for i, p := range l.files[:min(len(l.files), fusionDepth)] {
			s.add(p.file, 1/float64(60+i+1))
		}
	}
}

// features describes each file that is near the top of some list by two numbers per list, 10/(9+rank) and the score as
// a share of the list's best, and a last one that is always 1. Where a list does not have the file both are 0.
type features struct {
	width int
	files []int32
	rows  []float64 // width numbers per file
	row   []int32   // by file: its place in files, counted from 1
}

func (f *features) fill(lists []list, files int) {
	for _, n := range f.files {
		f.row[n] = 0
	}
	f.files, f.rows, f.width = f.files[:0], f.rows[:0], 2*len(lists)+1
	if files > 0 {
		f.row = grown(f.row, int32(files-1))
	}
	for i, l := range lists {
		for rank, p := range l.files[:min(len(l.files), fusionDepth)] {
			row := f.of(p.file)
			row[2*i] = 10 / float64(10+rank)
			row[2*i+1] = p.score / l.files[0].score
		}
	}
}

// of returns the row of a file, making it when needed.
func (f *features) of(file int32) []float64 {
	if f.row[file] == 0 {
		f.files = append(f.files, file)
		f.row[file] = int32(len(f.files))
		start := len(f.rows)
		f.rows = grown(f.rows, int32(start+f.width-1))
		clear(f.rows[start:])
		f.rows[start+f.width-1] = 1
	}
	return f.at(int(f.row[file]) - 1)
}

func (f *features) at(i int) []float64 { return f.rows[i*f.width : (i+1)*f.width] }

// blend is a weight for each feature; their sum says how likely a file is wanted.
type blend struct {
	weights []float64
	rounds  int // questions learned from
}

// newBlend begins by trusting all ranks alike and no scores.
func newBlend(lists int) *blend {
	b := &blend{weights: make([]float64, 2*lists+1)}
	for i := range lists {
		b.weights[2*i] = 1
	}
	return b
}

// fixedBlend holds weights for lists from text, from open files, or both, two per list in the order of
// HistoryBaselines: rounded means of what the learned fusion had come to at the end of two histories, restic and
// vue-core.
func fixedBlend(text, open bool) *blend {
	switch {
	case text && open:
		return &blend{weights: []float64{
			1.2, 0.6, 1.2, 0.6, 0.75, 0.4, 1.1, 0.7, // text
			0.3, 0, 0.5, 0.25, 0.7, 0.4, 1.1, 0.5, 1, 0.95, // open files
			0.75, 0.1, -4,
		}}
	case text:
		return &blend{weights: []float64{1.5, 1, 1.3, 1.3, 0.7, 0.8, 1.4, 1.2, 1.3, 0.5, -4}}
	case open:
		return &blend{weights: []float64{0.75, 0.1, 0.7, 0.15, 0.8, 0.45, 1.7, 0.4, 1.65, 1.35, 1.05, 0.2, -3.5}}
	}
	return newBlend(1) // nothing was asked: frecency is the only list
}

func (b *blend) score(s *scores, f *features) {
	for i, file := range f.files {
		s.add(file, b.probability(f.at(i)))
	}
}

func (b *blend) probability(row []float64) float64 {
	z := 0.0
	for i, value := range row {
		z += b.weights[i] * value
	}
	return 1 / (1 + math.Exp(-z))
}

// learn moves the weights a step towards the right answer: logistic regression, the unwanted files together three
// times as heavy as the wanted ones, steps that get smaller, and a little pull back to 0. An answer that no list held
// teaches nothing.
func (b *blend) learn(f *features, wanted func(file int32) bool) {
	hits := 0.0
	for _, file := range f.files {
		if wanted(file) {
			hits++
		}
	}
	if hits == 0 {
		return
	}
	b.rounds++
	rate := 0.5 / math.Sqrt(1+float64(b.rounds)/50)
	missWeight := 3 * hits / (float64(len(f.files)) - hits + 1)
	gradient := make([]float64, len(b.weights))
	for i, file := range f.files {
		row := f.at(i)
		push := -missWeight * b.probability(row)
		if wanted(file) {
			push = 1 - b.probability(row)
		}
		for j, value := range row {
			gradient[j] += push * value
		}
	}
	for j := range b.weights {
		b.weights[j] += rate * (gradient[j]/hits - 0.001*b.weights[j])
	}
}

// mixer holds a learned fusion for each task and number of lists.
type mixer struct {
	features features
	learned  map[mixerKey]*blend
	current  *blend
}

type mixerKey struct {
	task  string
	lists int
}

func (m *mixer) begin(task string, lists []list, files int) {
	m.features.fill(lists, files)
	key := mixerKey{task, len(lists)}
	if m.learned == nil {
		m.learned = map[mixerKey]*blend{}
	}
	if m.learned[key] == nil {
		m.learned[key] = newBlend(len(lists))
	}
	m.current = m.learned[key]
}

func (m *mixer) score(s *scores) { m.current.score(s, &m.features) }

func (m *mixer) learn(t *tree, gold []string) {
	m.current.learn(&m.features, func(file int32) bool { return slices.Contains(gold, t.files[file].path) })
}
