package recall

import (
	"math"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Source: hebb-bench replay.
const (
	heatWindow      = 1500.0 // commits and segments of sessions that heat is counted over
	heatHalfLife    = 100.0  // a change to a file counts half as heat after this many commits
	momentsWindow   = 40.0   // latest commits that may count as just now
	momentsHalfLife = 4.0    // a commit counts half as just now after this
	oldShare        = 0.33   // what the words of an old commit never lose
	textHalfLife    = 1000.0 // words of a commit or session lose half of the rest after this many
	saturation      = 1.2    // how slowly a word that comes again stops adding (k1 of BM25)
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
	// Contents are the files whose text fits the question, where the texts are known.
	Contents []Fit
	// Vector is that of the text, where there are FileVectors to compare it with.
	Vector memory.Vector
	words  []Word // instead of a text, of which only these are known
}

// Fit is a file with how well its text fits a question, 0 to 1.
type Fit struct {
	File FileNo
	Fit  float64
}

// Link is a learned connection out of an open file.
type Link struct {
	From, To FileNo
	Strength float64
}

// tally adds up figures for few of many files, or folders.
type tally[N FileNo | FolderNo] struct {
	value []float64
	some  []N // those with a figure
}

func (t *tally[N]) reset(n int) {
	for _, f := range t.some {
		t.value[f] = 0
	}
	t.some = t.some[:0]
	t.value = extended(t.value, n)
}

func (t *tally[N]) add(f N, v float64) {
	if v <= 0 {
		return
	}
	if t.value[f] == 0 {
		t.some = append(t.some, f)
	}
	t.value[f] += v
}

func (t *tally[N]) raise(f N, v float64) {
	if v > t.value[f] {
		if t.value[f] == 0 {
			t.some = append(t.some, f)
		}
		t.value[f] = v
	}
}

// measure takes the figures of every term for one question. It is reused: its buffers are as long as the image.
type measure struct {
	*Image
	terms   [numTerms]tally[FileNo]
	one     tally[FileNo] // figures of one word
	oneIn   tally[FolderNo]
	words   []Word // of the question
	pathsOf matches
	namesOf matches
	spoken  [episodeKinds]matches  // episodes by their words
	kin     matches                // files by the words of an open file's path
	through matches                // commits by the paths of their files
	near    []float64              // per episode, how like the question it is
	like    [episodeKinds][]uint32 // episodes that are like it at all
	closest float64                // likeness of the commit most like it
	folders tally[FolderNo]        // how well the commits of a folder fit it
	seen    []bool                 // per episode
	fresh   faded                  // what words keep with age
	params  Params
	old     faded        // what being changed together keeps
	meant   *FileVectors // what the files mean; nil where that is not known
}

func (m *measure) take(q Question) {
	for t := range m.terms {
		m.terms[t].reset(len(m.files))
	}
	m.one.reset(len(m.files))
	m.old.upTo(len(m.episodes), func(age float64) float64 { return fade(age, m.params.TogetherHalfLife) })
	m.fresh.upTo(len(m.episodes), func(age float64) float64 { return oldShare + (1-oldShare)*fade(age, textHalfLife) })
	m.past(q)
	for kind := range m.like {
		for _, n := range m.like[kind] {
			m.near[n] = 0
		}
		m.like[kind] = m.like[kind][:0]
	}
	m.near = extended(m.near, len(m.episodes))
	m.closest = 0
	m.folders.reset(len(m.dirs))
	if m.words = q.words; m.words == nil {
		m.words = Asked(q.Text)
	}
	if len(m.words) > 0 {
		m.lookUp()
		m.askNames(q.Text)
		m.askPaths()
		m.askEpisodes(CommitEpisode)
		m.askEpisodes(SessionEpisode)
	}
	for _, c := range q.Contents {
		m.terms[Contents].add(c.File, c.Fit)
	}
	for i, f := range q.Open {
		m.coOccurrence(f, openFactor(i))
	}
	m.askMeanings(q)
	for _, l := range q.Links {
		m.terms[Wired].add(l.To, l.Strength)
	}
}

// mostWords is what fits into a mask. A longer question is mostly pasted text.
const mostWords = 64

// Asked are the words of a question that count.
func Asked(text string) []Word {
	words := Terms(text)
	return words[:min(len(words), mostWords)]
}

// past takes what needs no question: what was done of late, and how often.
func (m *measure) past(q Question) {
	m.recent(CommitEpisode, heatWindow, func(e *Episode, age float64) {
		heat, moment := fade(age, heatHalfLife), 0.0
		if hours := q.At.Sub(e.At).Hours(); hours >= 0 && age <= momentsWindow {
			moment = fade(hours, momentsHalfLife) / math.Sqrt(float64(max(1, len(e.Files))))
		}
		for _, f := range e.Files {
			m.terms[Heat].add(f, heat)
			m.terms[Recency].raise(f, 1/age)
			m.terms[Moments].add(f, moment)
		}
	})
	m.recent(SessionEpisode, heatWindow, func(e *Episode, age float64) {
		heat := fade(age, m.params.OpenedHalfLife)
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

// rarity is the weight of a word that occurs in found of all texts.
func rarity(all, found float64) float64 {
	if found == 0 {
		return 0
	}
	return math.Log(1 + (all-found+.5)/(found+.5))
}

// saturated is a word's weight in a text: repetitions add less and less, and it counts less in a long text.
func saturated(times, length, usual, lengthShare float64) float64 {
	return times * (saturation + 1) / (times + saturation*(1-lengthShare+lengthShare*length/max(usual, 1)))
}
