package replay

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// Input says which history to replay.
type Input struct {
	Root     string // a folder in the repository
	Commits  int    // the latest of them to replay
	Tuning   tuning.Tuning
	Progress func(done, total int) // commits; nil: nobody watches
}

// Report says how well hebb would have done.
type Report struct {
	Commits int   `json:"commits"` // replayed
	Rows    []Row `json:"rows"`
}

// Row compares hebb with the best of the simple methods on one kind of question. Shares are of the changed files that were among
// the first ten answers, in percent.
type Row struct {
	Given     string  `json:"given"`     // what the question says
	Questions int     `json:"questions"` // commits asked about
	Hebb      float64 `json:"hebb"`
	Simple    float64 `json:"simple"`
	Method    string  `json:"method"` // the simple method that did best
}

const (
	warmUp    = 200 // commits that only teach, or half of a shorter history
	askedMost = 200 // commits asked about, spread evenly over the rest
)

// given says what each task of a report gives.
var given = []struct{ task, text string }{{"T1", "the subject"}, {"T2", "the subject and one file"}, {"T3", "one file"}}

// Repository replays the latest commits of a git repository before hebb and simple methods.
func Repository(ctx context.Context, in Input) (report Report, err error) {
	repo := git.Repo{Root: in.Root}
	all, err := repo.Count(ctx, "")
	if err != nil {
		return report, err
	}
	report.Commits = min(all, in.Commits)
	hebb, err := NewHebb(ctx, in.Tuning)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, hebb.Close()) }()
	e := &Exam{Learners: []Learner{hebb, NewSimple()}, Files: FileSet{}}
	for _, g := range given {
		e.Tasks = append(e.Tasks, g.task)
	}
	first := min(warmUp, report.Commits/2)
	every := max(1, (report.Commits-first+askedMost-1)/askedMost)
	history := latest(History(ctx, repo), all-report.Commits, func(done int) {
		if in.Progress != nil {
			in.Progress(done, report.Commits)
		}
	})
	if err := Run(ctx, e.Commits(history), func(n int) bool { return n > first && n%every == 0 }); err != nil {
		return report, err
	}
	report.Rows = e.Results.rows()
	if len(report.Rows) == 0 {
		return report, fmt.Errorf("the history of %s has no commit to ask about: %d commits, of which the first %d only teach: %w",
			in.Root, report.Commits, first, memory.ErrInvalid)
	}
	return report, nil
}

// rows compares, task by task.
func (r Results) rows() (rows []Row) {
	for _, g := range given {
		row := Row{Given: g.text, Simple: -1}
		for _, s := range r {
			share := s.Mean(func(m Mark) float64 { return m.R10 })
			switch {
			case s.Task != g.task:
			case s.Ranker == Ranker:
				row.Questions, row.Hebb = len(s.Marks), share
			case share > row.Simple:
				row.Simple, row.Method = share, s.Ranker
			}
		}
		if row.Questions > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// History yields the commits of a repository, oldest first.
func History(ctx context.Context, repo git.Repo) iter.Seq2[Commit, error] {
	return func(yield func(Commit, error) bool) {
		stop := errors.New("stopped")
		err := repo.History(ctx, "", func(c Commit) error {
			if !yield(c, nil) {
				return stop
			}
			return nil
		})
		if err != nil && !errors.Is(err, stop) {
			yield(Commit{}, err)
		}
	}
}

// latest leaves out the first skip commits and reports how many of the others have been gone through.
func latest(history iter.Seq2[Commit, error], skip int, done func(int)) iter.Seq2[Commit, error] {
	return func(yield func(Commit, error) bool) {
		n := -skip
		for c, err := range history {
			if n++; n <= 0 && err == nil {
				continue
			}
			if !yield(c, err) {
				return
			}
			done(n)
		}
	}
}
