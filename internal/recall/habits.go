package recall

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	lessonAnswers = 40    // first files of an answer from which habits are learned (hebb-bench replay)
	shiftHold     = 0.001 // share of that way that each answer takes back (hebb-bench replay)
)

// Habits are what a project's own past has taught about ranking: which words of a question speak for or against which words of a path
// there, and how far the weights should differ from those that many projects have in common. They are learned from questions whose
// answer is known: each commit is asked about as if it were still to come, and what was ranked too high or too low moves them.
type Habits struct {
	episodes int       // of the past that were gone through
	pairs    []float32 // how much two words speak for each other, by the hash of both
	shift    Features  // added to the weights of what a change by words touches
}

// The pairs share 1<<habitBits places, by hash. A quarter of that costs 0.2 points of R@10, four times that gains nothing.
const (
	habitBits  = 16
	habitStep  = 1.0 / 4096 // what is kept of a figure
	habitForm  = 1
	habitHead  = 3 * wordBytes
	habitBytes = 2 // of a figure
	mostHabit  = 7 // a figure says no more than that
)

// NewHabits knows nothing.
func NewHabits() *Habits { return &Habits{pairs: make([]float32, 1<<habitBits)} }

// Episodes says how much past was gone through.
func (h *Habits) Episodes() int { return h.episodes }

// alone stands for no word in particular: some words of paths are always or never meant.
const alone Word = 77

// placeOf is where two words, of a question and of a path, have their figure.
func placeOf(a, b Word) uint32 {
	h := (uint32(a)*0x9E3779B1 ^ uint32(b)) * 0x85EBCA6B
	return (h ^ h>>15) & (1<<habitBits - 1)
}

// evened makes texts of different lengths alike.
func evened(asked, of []Word) float64 { return 1 / math.Sqrt(float64(max(1, (len(asked)+1)*len(of)))) }

// lean is how much the words of a question speak for a file, or against it.
func (h *Habits) lean(asked, of []Word) float64 {
	pairs, sum := (*[1 << habitBits]float32)(h.pairs), float32(0) // some hundred files are asked about at a time
	for _, b := range of {
		for _, a := range asked {
			sum += pairs[placeOf(a, b)]
		}
		sum += pairs[placeOf(alone, b)]
	}
	return float64(sum) * evened(asked, of)
}

// Adopt lets habits weigh in the next answers to words alone; nil brings the weights back as they are for all projects. They are learned
// from commits: what a session opens they tell as far as commits do, the less the more sessions are known.
func (r *Ranker) Adopt(h *Habits) {
	if r.habits != h {
		r.habits, r.ownOf = h, nil
	}
}

// own are weights as the habits want them.
func (h *Habits) own(w *Weights) Weights {
	own := *w
	for t := range own[ChangeByWords] {
		for k := range own[ChangeByWords][t] {
			own[ChangeByWords][t][k] += h.shift[t][k]
		}
	}
	own[ChangeByWords][Habit] = [3]float64{byFigure: 1}
	return own
}

// Blame says by how much each score should change: the right ones should stand above all wrong ones together. Nothing if all are right,
// or none.
func Blame(scores []float64, right []bool) []float64 {
	blame := make([]float64, len(scores))
	rights := 0
	for _, is := range right {
		if is {
			rights++
		}
	}
	if rights == 0 || rights == len(scores) {
		return blame
	}
	top, wrong, share := slices.Max(scores), 0.0, 0.0
	for i, z := range scores {
		if blame[i] = math.Exp(z - top); !right[i] {
			wrong += blame[i]
		}
	}
	for i, z := range blame {
		if right[i] {
			share += 1 / (z + wrong)
		}
	}
	for i, z := range blame {
		d := -z * share
		if right[i] {
			d = wrong / (z + wrong)
		}
		if d /= float64(rights); math.Abs(d) < slight {
			d = 0
		}
		blame[i] = d
	}
	return blame
}

// slight is a change not worth its time.
const slight = 1e-4

// Rehearsal is a past to go through once more. The image may go on meanwhile.
type Rehearsal struct {
	files    []File
	episodes []Episode // never change
}

// Rehearse takes what going through the past needs.
func (m *Image) Rehearse() *Rehearsal {
	return &Rehearsal{files: m.filesFrom(0, m.Files()), episodes: m.episodesFrom(0, m.Episodes())}
}

// Lessons are the numbers of learning habits that tests change.
type Lessons struct {
	Most      int     // latest commits that are asked about once more
	From      int     // commits and sessions of which none is asked about: too little was known before them
	PairRate  float64 // how far one answer moves what words of a question say about words of a path
	ShiftRate float64 // how far one answer moves the weights of a project
	ShiftMost float64 // a weight of a project differs from that of all by this at most
}

// DefaultLessons returns the numbers that hebb uses. Source: hebb-bench replay; 4000 commits take seconds on one core.
func DefaultLessons() Lessons {
	return Lessons{Most: 4000, From: 100, PairRate: 1, ShiftRate: 0.03, ShiftMost: 3}
}

// Teach goes through what the habits have not seen of a past, piece by piece: first a commit is asked about, then the habits learn from the
// answer, then the commit is known. It returns new habits and leaves the old ones as they are. An error of progress ends it and is
// returned as it is.
func (re *Rehearsal) Teach(old *Habits, t Lessons, progress func(share float64) error) (*Habits, error) {
	if old == nil || old.episodes > len(re.episodes) {
		old = NewHabits()
	}
	h := &Habits{episodes: old.episodes, pairs: slices.Clone(old.pairs), shift: old.shift}
	from := max(h.episodes, t.From, len(re.episodes)-t.Most)
	if from >= len(re.episodes) { // nothing is to be learned, and the past need not be played for it
		h.episodes = len(re.episodes)
		return h, nil
	}
	past := newStage(re)
	ranker := NewRanker(past.Image)
	ranker.Adopt(h)
	for n := range re.episodes {
		if n >= from {
			if err := progress(float64(n-from) / float64(len(re.episodes)-from)); err != nil {
				return nil, err
			}
			h.learn(ranker, past, &re.episodes[n], t)
			ranker.ownOf = nil // they have changed
		}
		past.play(n)
	}
	h.episodes = len(re.episodes)
	for i, x := range h.pairs { // as it is kept, so that who reads it goes on alike
		h.pairs[i] = float32(math.Round(float64(x)/habitStep) * habitStep)
	}
	for i := range h.shift {
		for k, x := range h.shift[i] {
			h.shift[i][k] = float64(float32(x))
		}
	}
	return h, nil
}

// learn asks about a commit and moves the habits towards the right answer.
func (h *Habits) learn(r *Ranker, past *stage, e *Episode, t Lessons) {
	if e.Kind != CommitEpisode || len(e.Words) == 0 {
		return
	}
	answers := r.Rank(Question{words: e.Words[:min(len(e.Words), mostWords)], At: e.At}, lessonAnswers)
	scores, right := make([]float64, len(answers)), make([]bool, len(answers))
	for i, a := range answers {
		scores[i], right[i] = a.Score, past.touches(e, a.File)
	}
	for i, d := range Blame(scores, right) {
		if d == 0 {
			continue
		}
		of := r.file(answers[i].File).Words
		step := float32(t.PairRate * d * evened(r.words, of))
		move := func(place uint32) { h.pairs[place] = min(max(h.pairs[place]+step, -mostHabit), mostHabit) }
		for _, b := range of {
			for _, a := range r.words {
				move(placeOf(a, b))
			}
			move(placeOf(alone, b))
		}
		for term := range Habit { // the habits themselves weigh 1
			for k, x := range answers[i].features[term] {
				h.shift[term][k] += t.ShiftRate * d * x
			}
		}
	}
	for term := range h.shift {
		for k, x := range h.shift[term] {
			h.shift[term][k] = min(max(x*(1-shiftHold), -t.ShiftMost), t.ShiftMost)
		}
	}
}

// stage is an image on which a past is played again. Files have their paths of today.
type stage struct {
	*Image
	*Rehearsal
	number map[FileNo]FileNo // here, of a file of the past
	last   map[FileNo]int    // the last episode of files that are gone
}

func newStage(re *Rehearsal) *stage {
	s := &stage{Image: NewImage(), Rehearsal: re, number: make(map[FileNo]FileNo, len(re.files)), last: map[FileNo]int{}}
	for n, e := range re.episodes {
		for _, f := range e.Files {
			if re.files[f].Gone {
				s.last[f] = n
			}
		}
	}
	return s
}

// play adds an episode of the past.
func (s *stage) play(n int) {
	e := s.Rehearsal.episodes[n]
	files := make([]FileNo, len(e.Files))
	for i, f := range e.Files {
		here, known := s.number[f]
		if !known {
			here = s.room()
			s.number[f] = here
			file := s.Rehearsal.files[f]
			file.Gone, file.dir = false, nowhere
			s.place(here, file)
		}
		files[i] = here
	}
	e.Files = files
	s.link(e)
	for i, f := range s.Rehearsal.episodes[n].Files {
		if at, gone := s.last[f]; gone && at == n {
			file := s.file(files[i])
			file.Gone = true
			s.place(files[i], file)
		}
	}
}

// touches reports whether an episode of the past has a file of the stage.
func (s *stage) touches(e *Episode, here FileNo) bool {
	return slices.ContainsFunc(e.Files, func(f FileNo) bool {
		n, known := s.number[f]
		return known && n == here
	})
}

// Encode packs habits.
func (h *Habits) Encode() []byte {
	b := make([]byte, 0, habitHead+int(numTerms)*3*wordBytes+len(h.pairs)*habitBytes)
	for _, n := range []int{habitForm, h.episodes, int(numTerms)} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	for _, x := range h.shift {
		for _, v := range x {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
		}
	}
	for _, v := range h.pairs {
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.Round(float64(v)/habitStep))))
	}
	return b
}

// DecodeHabits unpacks habits. Those of another version of hebb, which weighs other evidence, are refused: they are learned again.
func DecodeHabits(b []byte) (*Habits, error) {
	const size = habitHead + int(numTerms)*3*wordBytes + habitBytes<<habitBits
	if len(b) != size || binary.LittleEndian.Uint32(b) != habitForm || binary.LittleEndian.Uint32(b[2*wordBytes:]) != uint32(numTerms) {
		return nil, fmt.Errorf("habits of %d bytes: %w", len(b), memory.ErrDamaged)
	}
	h := NewHabits()
	h.episodes = int(binary.LittleEndian.Uint32(b[wordBytes:]))
	b = b[habitHead:]
	for t := range h.shift {
		for k := range h.shift[t] {
			h.shift[t][k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
			b = b[wordBytes:]
		}
	}
	for i := range h.pairs {
		h.pairs[i] = float32(float64(int16(binary.LittleEndian.Uint16(b[i*habitBytes:]))) * habitStep)
	}
	return h, nil
}
