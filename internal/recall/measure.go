package recall

import (
	"math"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// Source: hebb-bench replay.
const (
	heatWindow      = 700.0  // commits and segments of sessions that heat is counted over
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
	Listed []Fit    // what searches of the session printed (ListedFit)
	At     time.Time
	// InSession asks for the next file a session opens; otherwise for all that a change will touch.
	InSession bool
	// Contents are the files whose text fits the question, Akin those whose text fits that of the latest open file, where the texts are known.
	Contents, Akin []Fit
	// Vector is that of the text, where there are FileVectors to compare it with.
	Vector memory.Vector
	words  []vocab.Word // instead of a text, of which only these are known
}

// Fit is a file with how well it fits a question, in the figure of a term.
type Fit struct {
	File FileNo
	Fit  float64
}

// tally adds up figures for few of many files, or folders.
type tally[N FileNo | FolderNo] struct {
	*seats
	value seated[float64]
	some  []N // those with a figure
}

func (t *tally[N]) reset(s *seats) {
	t.seats, t.some = s, t.some[:0]
	t.value.reset()
}

// restart forgets the figures; the seats are those of the same question.
func (t *tally[N]) restart(s *seats) {
	t.seats = s
	for _, f := range t.some {
		*t.value.place(s.seat(uint32(f))) = 0
	}
	t.some = t.some[:0]
}

// of is the figure of a file.
func (t *tally[N]) of(f N) float64 { return t.value.at(t.seat(uint32(f))) }

func (t *tally[N]) add(f N, v float64) {
	if v <= 0 {
		return
	}
	seat, _ := t.take(uint32(f))
	figure := t.value.place(seat)
	if *figure == 0 {
		t.some = append(t.some, f)
	}
	*figure += v
}

func (t *tally[N]) raise(f N, v float64) {
	if v <= 0 {
		return
	}
	seat, _ := t.take(uint32(f))
	figure := t.value.place(seat)
	if v > *figure {
		if *figure == 0 {
			t.some = append(t.some, f)
		}
		*figure = v
	}
}

// measure takes the figures of every term for one question. It is reused. What it costs follows the files and episodes that the question
// comes across, not how many there are.
type measure struct {
	*Image
	files      seats
	episodes   seats
	dirs       seats
	terms      [numTerms]tally[FileNo]
	one        tally[FileNo] // figures of one word
	oneIn      tally[FolderNo]
	words      []vocab.Word // of the question
	pathsOf    matches
	namesOf    matches
	spoken     [episodeKinds]matches  // episodes by their words
	kin        matches                // files by the words of an open file's path
	through    matches                // commits by the paths of their files
	nearBy     seated[float64]        // how like the question an episode is
	like       [episodeKinds][]uint32 // episodes that are like it at all
	closest    float64                // likeness of the commit most like it
	folderFits tally[FolderNo]        // how well the commits of a folder fit it
	seen       seats                  // episodes, while they are gathered
	params     Params
	meant      *FileVectors // what the files mean; nil where that is not known
	toward     [numTerms][]pull
}

func (m *measure) take(q Question) {
	m.files.reset(m.Files())
	m.episodes.reset(m.Episodes())
	m.dirs.reset(m.folders())
	for t := range m.terms {
		m.terms[t].reset(&m.files)
	}
	m.one.reset(&m.files)
	m.oneIn.reset(&m.dirs)
	m.past(q)
	for kind := range m.like {
		m.like[kind] = m.like[kind][:0]
	}
	m.nearBy.reset()
	m.closest = 0
	m.folderFits.reset(&m.dirs)
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
	for t, fits := range map[Term][]Fit{Contents: q.Contents, Akin: q.Akin, Listed: q.Listed} {
		for _, f := range fits {
			m.terms[t].add(f.File, f.Fit)
		}
	}
	for i, f := range q.Open {
		m.coOccurrence(f, openFactor(i))
	}
	m.askMeanings(q)
}

// near is how like the question an episode is.
func (m *measure) near(n uint32) float64 { return m.nearBy.at(m.episodes.seat(n)) }

// mostWords is what fits into a mask. A longer question is mostly pasted text.
const mostWords = 64

// Asked are the words of a question that count.
func Asked(text string) []vocab.Word {
	words := vocab.Spoken(text)
	return words[:min(len(words), mostWords)]
}

// past takes what needs no question: what was done of late, and how often.
func (m *measure) past(q Question) {
	m.recent(CommitEpisode, heatWindow, func(n uint32, age float64) {
		files := m.filesOf(n)
		heat, moment := fade(age, heatHalfLife), 0.0
		if hours := q.At.Sub(m.at(n)).Hours(); hours >= 0 && age <= momentsWindow {
			moment = fade(hours, momentsHalfLife) / math.Sqrt(float64(max(1, len(files))))
		}
		for _, f := range files {
			m.terms[Heat].add(f, heat)
			m.terms[Recency].raise(f, 1/age)
			m.terms[Moments].add(f, moment)
		}
	})
	m.recent(SessionEpisode, heatWindow, func(n uint32, age float64) {
		heat, files := fade(age, m.params.OpenedHalfLife), m.filesOf(n)
		for i, f := range files {
			if !slices.Contains(files[:i], f) {
				m.terms[OpenedHeat].add(f, heat)
				m.terms[OpenedRecency].raise(f, 1/age)
			}
		}
	})
}

// recent hands over the latest episodes of a kind, oldest first.
func (m *measure) recent(kind EpisodeKind, most float64, each func(n uint32, age float64)) {
	order := m.byKind[kind]
	for i := max(0, len(order)-int(most)); i < len(order); i++ {
		each(order[i], float64(len(order)-i))
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
