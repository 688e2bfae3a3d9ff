package recall

import (
	"slices"
	"time"
)

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
		case OpenedTogether, OpenedNext:
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
