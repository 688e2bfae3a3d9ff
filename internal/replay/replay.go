// Package replay examines a memory on what really happened in a repository. It goes through the commits in order, asks before
// each one which files it will change, marks the answers, and only then lets the memory learn the commit. It writes to no memory
// but the temporary one that it examines.
package replay

import (
	"bytes"
	"context"
	"crypto/sha1"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/ranking"
)

// Commit is one commit of a history.
type Commit = git.Commit

// largestCommit is the number of files up to which a commit says something about how files belong together. Larger ones
// (imports, reformatting, moved folders) only change which files exist.
const largestCommit = 30

// Large reports whether only the file set is to be learned from a commit.
func Large(c Commit) bool { return c.FileCount > largestCommit }

// Moment is one step of a replay. Ask is called before Learn; either may be nil.
type Moment struct {
	Name  string // for errors
	Ask   func(context.Context) error
	Learn func(context.Context) error
}

// Run goes through moments in order. Those that can be asked about are counted from 1, and due says which of them are; all are
// learned. A moment is made after the one before it was learned, so it may depend on what is known by then.
func Run(ctx context.Context, moments iter.Seq2[Moment, error], due func(n int) bool) error {
	n := 0
	for m, err := range moments {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if m.Ask != nil {
			if n++; due(n) {
				err = m.Ask(ctx)
			}
		}
		if err == nil && m.Learn != nil {
			err = m.Learn(ctx)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return nil
}

// Learner is what is examined. It receives what happened in the order in which it happened, and is asked in between.
type Learner interface {
	// Commit receives every commit. From a large one only the file set is to be learned.
	Commit(ctx context.Context, c Commit) error
	// Rank answers a question, once for each ranker the learner holds. The answer is read before the next call, so the learner
	// may reuse its memory.
	Rank(ctx context.Context, q Question) ([]Ranking, error)
}

// Corrected is a Learner that wants to know the right answer. It is called after Rank with the same question, once the
// answer has been marked.
type Corrected interface {
	Correct(ctx context.Context, q Question, gold []string) error
}

// Question asks which files come next.
type Question struct {
	ID      string // of the commit or the event it was made from
	Task    string
	Text    string            // a commit's subject or a prompt
	HasText bool              // the text is to be used; it may still hold no word
	Open    []string          // files already known to belong to the work, the most recent first
	Banned  []string          // files that are no answer
	Listed  []ranking.Listing // what searches of the session printed, the latest first
	At      time.Time
}

// Ranking is the answer of one ranker: current paths, the best first.
type Ranking struct {
	Ranker string
	Paths  []string
}

// Exam asks all learners the same questions about one repository and keeps their marks.
type Exam struct {
	Repo     string
	Tasks    []string // ask these only; none: all
	Learners []Learner
	Files    FileSet
	Results  Results
}

// Ask puts a question to each learner and marks the answers.
func (e *Exam) Ask(ctx context.Context, q Question, gold []string) error {
	if len(e.Tasks) > 0 && !slices.Contains(e.Tasks, q.Task) {
		return nil
	}
	for _, learner := range e.Learners {
		rankings, err := learner.Rank(ctx, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.Task, err)
		}
		for _, r := range rankings {
			e.Results.add(Series{Task: q.Task, Repo: e.Repo, Ranker: r.Ranker}, Grade(q.ID, r, gold, q.Banned))
		}
		if c, ok := learner.(Corrected); ok {
			if err := c.Correct(ctx, q, gold); err != nil {
				return fmt.Errorf("%s: %w", q.Task, err)
			}
		}
	}
	return nil
}

// Learn hands a commit to all learners.
func (e *Exam) Learn(ctx context.Context, c Commit) error {
	e.Files.Commit(c)
	for _, learner := range e.Learners {
		if err := learner.Commit(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// Commits are the moments of a history. Questions are asked about a commit that a person made, of ordinary size and with at
// least one file that existed before.
func (e *Exam) Commits(history iter.Seq2[Commit, error]) iter.Seq2[Moment, error] {
	return func(yield func(Moment, error) bool) {
		for c, err := range history {
			m := Moment{Name: "commit " + c.Hash, Learn: func(ctx context.Context) error { return e.Learn(ctx, c) }}
			if gold := e.Files.touchedBy(c); len(gold) > 0 && !Large(c) && !c.Bot {
				m.Ask = func(ctx context.Context) error { return e.askCommit(ctx, c, gold) }
			}
			if !yield(m, err) || err != nil {
				return
			}
		}
	}
}

// CommitTasks are the questions made from a commit: from its subject; from its subject and one of its files; from one file
// alone; from its subject and three files. The answer is the commit's other files.
var CommitTasks = []string{"T1", "T2", "T3", "T4"}

func (e *Exam) askCommit(ctx context.Context, c Commit, gold []string) error {
	sortByHash(c.Hash, gold)
	for i, task := range []struct {
		text  bool
		seeds int
	}{{true, 0}, {true, 1}, {false, 1}, {true, 3}} {
		if len(gold) <= task.seeds {
			continue
		}
		given := gold[:task.seeds:task.seeds]
		q := Question{ID: c.Hash, Task: CommitTasks[i], HasText: task.text, At: c.At, Open: given, Banned: given}
		if task.text {
			q.Text = c.Subject
		}
		if err := e.Ask(ctx, q, gold[task.seeds:]); err != nil {
			return err
		}
	}
	return nil
}

// sortByHash puts the files of a commit into an order that is arbitrary but the same in every run: the first ones are given
// away in the question.
func sortByHash(hash string, paths []string) {
	slices.SortFunc(paths, func(a, b string) int {
		x, y := sha1.Sum([]byte(hash+"\x00"+a)), sha1.Sum([]byte(hash+"\x00"+b))
		return bytes.Compare(x[:], y[:])
	})
}

// FileSet holds the paths that exist: touched before and not deleted.
type FileSet map[string]bool

// The changes that are distinguished; other letters of git count as a modification.
const (
	Added    = 'A'
	Deleted  = 'D'
	Modified = 'M'
	Renamed  = 'R'
)

// touchedBy returns the existing files a commit modifies, deletes or renames, under their paths before it.
func (f FileSet) touchedBy(c Commit) []string {
	var paths []string
	for _, change := range c.Files {
		path := change.Path
		if change.Status == Renamed {
			path = change.Old
		}
		if change.Status != Added && f[path] && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// Commit adds new paths before it drops old ones.
func (f FileSet) Commit(c Commit) {
	for _, change := range c.Files {
		if change.Status == Renamed {
			delete(f, change.Old)
		}
		if change.Status != Deleted {
			f[change.Path] = true
		}
	}
	for _, change := range c.Files {
		if change.Status == Deleted {
			delete(f, change.Path)
		}
	}
}
