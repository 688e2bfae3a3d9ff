package replay

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/vocab"
)

// Simple is a learner that answers with the two simple methods that do best and need no memory but a list of the commits.
type Simple struct {
	files   map[string]*simpleFile // by current path
	commits []simpleCommit
	having  map[string][]int // commits by the words of their subjects
}

type simpleFile struct {
	path    string
	commits []int // that changed it
}

func (f *simpleFile) last() int { return f.commits[len(f.commits)-1] }

type simpleCommit struct{ files []*simpleFile }

// NewSimple returns one that knows nothing.
func NewSimple() *Simple {
	return &Simple{files: map[string]*simpleFile{}, having: map[string][]int{}}
}

// Commit follows renames and deletions and keeps what a commit of ordinary size changed.
func (s *Simple) Commit(_ context.Context, c Commit) error {
	n := len(s.commits)
	s.commits = append(s.commits, simpleCommit{})
	for _, change := range c.Files {
		f := s.files[change.Path]
		switch {
		case change.Status == Deleted:
			delete(s.files, change.Path)
			continue
		case change.Status == Renamed && s.files[change.Old] != nil:
			f = s.files[change.Old]
			delete(s.files, change.Old)
		case f == nil:
			f = &simpleFile{}
		}
		f.path = change.Path
		s.files[f.path] = f
		if f.commits = append(f.commits, n); !Large(c) {
			s.commits[n].files = append(s.commits[n].files, f)
		}
	}
	if Large(c) {
		return nil
	}
	for _, word := range distinct(vocab.Words(c.Subject)) {
		s.having[word] = append(s.having[word], n)
	}
	return nil
}

func distinct(words []string) []string {
	words = slices.Clone(words)
	slices.Sort(words)
	return slices.Compact(words)
}

// Rank answers with the methods that can use what the question gives.
func (s *Simple) Rank(_ context.Context, q Question) ([]Ranking, error) {
	var rankings []Ranking
	if q.HasText {
		rankings = append(rankings, s.ranking("similar commits", s.similar(distinct(vocab.Words(q.Text)))))
	}
	if len(q.Open) > 0 {
		rankings = append(rankings, s.ranking("changed together", s.together(q.Open)))
	}
	return rankings, nil
}

// ranking sorts files by score; of equals the later changed comes first.
func (s *Simple) ranking(name string, scores map[*simpleFile]float64) Ranking {
	files := make([]*simpleFile, 0, len(scores))
	for f := range scores {
		if s.files[f.path] == f { // not deleted
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b *simpleFile) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(b.last(), a.last()), strings.Compare(a.path, b.path))
	})
	r := Ranking{Ranker: name}
	for _, f := range files[:min(len(files), rankedAnswers)] {
		r.Paths = append(r.Paths, f.path)
	}
	return r
}

// rarity is the weight of a word that n of all have.
func rarity(n, all int) float64 { return math.Log(1 + float64(all)/float64(n+1)) }

// nearest is how many similar commits vote.
const nearest = 50

// similar lets the commits whose subjects share the rarest words vote for their files.
func (s *Simple) similar(words []string) map[*simpleFile]float64 {
	likeness := map[int]float64{}
	for _, word := range words {
		for _, n := range s.having[word] {
			likeness[n] += rarity(len(s.having[word]), len(s.commits))
		}
	}
	commits := make([]int, 0, len(likeness))
	for n := range likeness {
		commits = append(commits, n)
	}
	slices.SortFunc(commits, func(a, b int) int { return cmp.Or(cmp.Compare(likeness[b], likeness[a]), cmp.Compare(b, a)) })
	scores := map[*simpleFile]float64{}
	for _, n := range commits[:min(len(commits), nearest)] {
		for _, f := range s.commits[n].files {
			scores[f] += likeness[n] / math.Sqrt(float64(len(s.commits[n].files)))
		}
	}
	return scores
}

// together counts the commits that changed a file with an open one; a commit of many files counts less.
func (s *Simple) together(open []string) map[*simpleFile]float64 {
	scores := map[*simpleFile]float64{}
	for _, path := range open {
		f := s.files[path]
		if f == nil {
			continue
		}
		for _, n := range f.commits {
			for _, other := range s.commits[n].files {
				scores[other] += 1 / float64(len(s.commits[n].files))
			}
		}
	}
	return scores
}
