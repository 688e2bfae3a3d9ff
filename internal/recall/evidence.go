package recall

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Evidence is a past piece of work that speaks for an answer.
type Evidence struct {
	Kind     EpisodeKind
	Ref      int64 // as in Episode
	At       time.Time
	Like     bool // it resembles the question
	With     bool // it had an open file too
	strength float64
}

// Evidence returns the past work that speaks most for an answer of the last question.
func (r *Ranker) Evidence(q Question, a Answer, most int) []Evidence {
	var found []Evidence
	for _, n := range r.Of(a.File) {
		e := r.episode(n)
		ev := Evidence{Kind: e.Kind, Ref: e.Ref, At: e.At}
		if r.near(n) > 0 {
			ev.Like = true
			ev.strength += r.near(n)
		}
		for _, f := range q.Open {
			if slices.Contains(e.Files, f) {
				ev.With = true
				ev.strength += r.bond(n) / float64(len(e.Files))
			}
		}
		if ev.strength > 0 {
			found = append(found, ev)
		}
	}
	slices.SortStableFunc(found, func(a, b Evidence) int {
		return cmp.Or(cmp.Compare(b.strength, a.strength), b.At.Compare(a.At))
	})
	return found[:min(most, len(found))]
}

// Through returns the better answer that led to one which only spreading reached: the one it was changed with most.
func (r *Ranker) Through(answers []Answer, a Answer) (FileNo, bool) {
	best, through := 0.0, FileNo(0)
	for _, source := range answers[:min(len(answers), spreadFrom+1)] {
		if source.File == a.File {
			continue
		}
		sum := 0.0
		for _, n := range r.Of(a.File) {
			if files := r.filesOf(n); slices.Contains(files, source.File) {
				sum += r.bond(n) / float64(len(files)-1)
			}
		}
		sum *= math.Exp(source.Score - answers[0].Score)
		if sum > best {
			best, through = sum, source.File
		}
	}
	return through, best > 0
}

// Near returns the episodes of a kind most like a text, best first, with how like they are: 0 to 1.
func (r *Ranker) Near(text string, kind EpisodeKind, most int) (episodes []uint32, likeness []float64) {
	r.take(Question{Text: text})
	episodes = r.nearest(kind, most)
	for _, n := range episodes {
		likeness = append(likeness, r.near(n))
	}
	return episodes, likeness
}

// Episodic is a file that sessions of the last days opened for questions with the same words.
type Episodic struct {
	File       FileNo
	Sessions   int
	Last       time.Time
	Confidence float64
}

// Remember returns what recent sessions with words of the question opened, most confident first.
func (r *Ranker) Remember(q Question, within time.Duration, full int, gate float64) []Episodic {
	words := newLexicon(Asked(q.Text))
	sessions := map[FileNo]map[int64]bool{}
	last := map[FileNo]time.Time{}
	for _, n := range slices.Backward(r.byKind[SessionEpisode]) {
		e := r.episode(n)
		if q.At.Sub(e.At) > within {
			break
		}
		if words.mask(e.Words) == 0 {
			continue
		}
		for _, f := range e.Files {
			if r.gone[f] {
				continue
			}
			if sessions[f] == nil {
				sessions[f] = map[int64]bool{}
			}
			sessions[f][e.Ref] = true
			if e.At.After(last[f]) {
				last[f] = e.At
			}
		}
	}
	var found []Episodic
	for f, of := range sessions {
		c := EpisodicConfidence(len(of), q.At.Sub(last[f]), within, full)
		if c >= gate {
			found = append(found, Episodic{File: f, Sessions: len(of), Last: last[f], Confidence: c})
		}
	}
	slices.SortFunc(found, func(a, b Episodic) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), b.Last.Compare(a.Last), cmp.Compare(r.path(a.File), r.path(b.File)))
	})
	return found
}

// EpisodicConfidence is how sure count sessions of this age make: full of them make certain, and half of that fades with age.
func EpisodicConfidence(count int, age, within time.Duration, full int) float64 {
	share := min(float64(count)/float64(full), 1)
	return share * (.5 + .5*max(0, 1-age.Hours()/within.Hours()))
}

// Precedent is the strongest single piece of evidence for an answer: the piece of work most like the question, or how often
// the file went with an open one.
type Precedent struct {
	Kind  EpisodeKind
	Ref   int64 // as in Episode; 0 where it is about co-occurrence
	At    time.Time
	With  FileNo // the open file it goes with …
	Times int    // … in this many commits or sessions
}

// onceIsChance is how often two files must have met before their co-occurrence means anything.
const onceIsChance = 2

// Precedent looks for it where the largest shares of a score come from. A piece of work less like the question than least
// is no precedent.
func (r *Ranker) Precedent(q Question, a Answer, parts []Part, least float64) (t Precedent, ok bool) {
	for _, p := range parts {
		switch p.Term {
		case SubjectWords, NearCommits, Phrase, Intent:
			t, ok = r.mostLike(a.File, CommitEpisode, least)
		case PromptWords, NearSessions:
			t, ok = r.mostLike(a.File, SessionEpisode, least)
		case Together, Likeness, LastTogether:
			t, ok = r.met(q, a.File, CommitEpisode)
		case OpenedTogether, OpenedNext, NextLately:
			t, ok = r.met(q, a.File, SessionEpisode)
		}
		if ok {
			return t, true
		}
	}
	return Precedent{}, false
}

// mostLike is the piece of work on a file that is most like the question, the latest of equals.
func (r *Ranker) mostLike(f FileNo, kind EpisodeKind, least float64) (t Precedent, ok bool) {
	for _, n := range r.Of(f) {
		e := r.episode(n)
		if e.Kind != kind || r.near(n) < least || r.near(n) == 0 {
			continue
		}
		least, ok = r.near(n), true
		t = Precedent{Kind: kind, Ref: e.Ref, At: e.At}
	}
	return t, ok
}

// met counts the commits that changed a file with an open one, or the sessions that opened it after one, and returns
// the open file it met most.
func (r *Ranker) met(q Question, f FileNo, kind EpisodeKind) (most Precedent, ok bool) {
	for _, open := range q.Open {
		var refs []int64 // a long session is several episodes
		for _, n := range r.Of(f) {
			e := r.episode(n)
			if e.Kind != kind || slices.Contains(refs, e.Ref) {
				continue
			}
			if at := slices.Index(e.Files, open); at >= 0 && (kind == CommitEpisode || slices.Contains(e.Files[at:], f)) {
				refs = append(refs, e.Ref)
			}
		}
		if len(refs) > most.Times {
			most = Precedent{Kind: kind, With: open, Times: len(refs)}
		}
	}
	return most, most.Times >= onceIsChance
}
