package recall

import (
	"math"
	"math/bits"
	"slices"
	"time"
)

// Question is what the work looks like now.
type Question struct {
	Text   string
	Open   []FileNo // files the work has touched, latest first
	Banned []FileNo // never an answer
	Links  []Link   // what the open files are wired to
	At     time.Time
	// InSession asks for the next file a session opens; otherwise for all that a change will touch.
	InSession bool
}

// Link is a learned connection out of an open file.
type Link struct {
	From, To FileNo
	Strength float64
}

// tally adds up figures for few of many files.
type tally struct {
	value []float64
	files []FileNo // those with a figure
}

func (t *tally) reset(n int) {
	for _, f := range t.files {
		t.value[f] = 0
	}
	t.files = t.files[:0]
	t.value = extended(t.value, n)
}

func (t *tally) add(f FileNo, v float64) {
	if v <= 0 {
		return
	}
	if t.value[f] == 0 {
		t.files = append(t.files, f)
	}
	t.value[f] += v
}

func (t *tally) raise(f FileNo, v float64) {
	if v > t.value[f] {
		if t.value[f] == 0 {
			t.files = append(t.files, f)
		}
		t.value[f] = v
	}
}

// measure takes the figures of every term for one question. It is reused: its buffers are as long as the image.
type measure struct {
	*Image
	rules   Rules
	terms   [numTerms]tally
	one     tally    // figures of one word
	words   []Word   // of the question
	inPath  []uint64 // per file, which words of the question its path has
	inNames []uint64
	asked   []uint64  // per episode, which words of the question it has
	near    []float64 // per episode, how like the question it is
	seen    []bool    // per episode
	fresh   faded     // what words keep with age
	old     faded     // what being changed together keeps
}

func (m *measure) take(q Question) {
	for t := range m.terms {
		m.terms[t].reset(len(m.files))
	}
	m.one.reset(len(m.files))
	t := m.rules
	m.old.upTo(len(m.episodes), func(age float64) float64 { return fade(age, t.TogetherHalfLife) })
	m.fresh.upTo(len(m.episodes), func(age float64) float64 { return t.OldShare + (1-t.OldShare)*fade(age, t.TextHalfLife) })
	m.past(q)
	if m.words = askedWords(q.Text); len(m.words) > 0 {
		m.askNames(q.Text)
		m.askPaths()
		m.askEpisodes(CommitEpisode)
		m.askEpisodes(SessionEpisode)
	}
	for i, f := range q.Open {
		m.company(f, m.rules.openFactor(i))
	}
	for _, l := range q.Links {
		m.terms[Wired].add(l.To, l.Strength)
	}
}

// mostWords is what fits into a mask. A longer question is mostly pasted text.
const mostWords = 64

func askedWords(text string) []Word {
	words := Terms(text)
	return words[:min(len(words), mostWords)]
}

// past takes what needs no question: what was done of late, and how often.
func (m *measure) past(q Question) {
	t := m.rules
	m.recent(CommitEpisode, t.HeatWindow, func(e *Episode, age float64) {
		heat, moment := fade(age, t.HeatHalfLife), 0.0
		if hours := q.At.Sub(e.At).Hours(); hours >= 0 && age <= t.MomentsWindow {
			moment = fade(hours, t.MomentsHalfLife) / math.Sqrt(float64(max(1, len(e.Files))))
		}
		for _, f := range e.Files {
			m.terms[Heat].add(f, heat)
			m.terms[Recency].raise(f, 1/age)
			m.terms[Moments].add(f, moment)
		}
	})
	m.recent(SessionEpisode, t.HeatWindow, func(e *Episode, age float64) {
		heat := fade(age, t.OpenedHalfLife)
		for i, f := range e.Files {
			if !slices.Contains(e.Files[:i], f) {
				m.terms[OpenedHeat].add(f, heat)
				m.terms[OpenedRecency].raise(f, 1/age)
			}
		}
	})
}

// recent hands over the latest episodes of a kind, oldest first.
func (m *measure) recent(kind EpisodeKind, most float64, each func(e *Episode, age float64)) {
	order := m.byKind[kind]
	for i := max(0, len(order)-int(most)); i < len(order); i++ {
		e := &m.episodes[order[i]]
		each(e, float64(len(order)-i))
	}
}

// fade halves with every half-life.
func fade(age, halfLife float64) float64 { return math.Exp2(-age / halfLife) }

// faded holds what is left at each age, for ages that are asked for thousands of times.
type faded []float64

// upTo makes sure that ages up to the oldest are there.
func (f *faded) upTo(oldest int, left func(age float64) float64) {
	for age := len(*f); age <= oldest; age++ {
		*f = append(*f, left(float64(age)))
	}
}

// lexicon finds the words of a question, mostly by saying at once that a word is none of them.
type lexicon struct {
	seen [64]uint64
	bit  map[Word]int
}

func newLexicon(words []Word) *lexicon {
	l := &lexicon{bit: make(map[Word]int, len(words))}
	for i, w := range words {
		l.bit[w] = i
		l.seen[w>>6&63] |= 1 << (w & 63)
	}
	return l
}

// may is true for every word of the question, and for few others.
func (l *lexicon) may(w Word) bool { return l.seen[w>>6&63]>>(w&63)&1 != 0 }

func (l *lexicon) mask(words []Word) (mask uint64) {
	for _, w := range words {
		if !l.may(w) {
			continue
		}
		if i, ok := l.bit[w]; ok {
			mask |= 1 << i
		}
	}
	return mask
}

// eachBit yields the positions of the bits set.
func eachBit(mask uint64, do func(i int)) {
	for ; mask != 0; mask &= mask - 1 {
		do(bits.TrailingZeros64(mask))
	}
}

// rarity is how much a word tells that stands in found of all texts.
func rarity(all, found float64) float64 {
	if found == 0 {
		return 0
	}
	return math.Log(1 + (all-found+.5)/(found+.5))
}

// saturated is a word's weight in a text: more of it tells ever less, and it tells less in a long text.
func saturated(times, length, usual, lengthShare float64, t Rules) float64 {
	return times * (t.Saturation + 1) / (times + t.Saturation*(1-lengthShare+lengthShare*length/max(usual, 1)))
}
