package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/hebb-memory/hebb/internal/replay"
)

// SessionLearner is a Learner of sessions too.
type SessionLearner interface {
	Learner
	// Session receives every finished session.
	Session(ctx context.Context, s AgentSession) error
}

// NewLearner makes a learner that knows nothing, one for each repository. One that is an io.Closer
// is closed at the end.
type NewLearner func(ctx context.Context, repo string) (Learner, error)

// Options of the benchmarks that replay something.
type Options struct {
	Every int      // ask at each n-th commit or session only; 0 and 1: at all
	Tasks []string // ask these only; none: all
}

// HistoryWarmUp is the number of commits that could be asked about but only teach.
const HistoryWarmUp = 200

// Replay goes through histories, one goroutine per file. Before a commit is learned, each learner
// is asked which files it will touch.
func Replay(ctx context.Context, files []string, learners []NewLearner, o Options) (Results, error) {
	repos := make([]string, len(files))
	for i, file := range files {
		repos[i] = RepoOf(file)
	}
	if err := o.check(replay.CommitTasks, repos); err != nil {
		return nil, err
	}
	due := func(n int) bool { return n > HistoryWarmUp && n%max(o.Every, 1) == 0 }
	return inParallel(ctx, replay.CommitTasks, files, func(ctx context.Context, file string) (Results, error) {
		return examine(ctx, RepoOf(file), o.Tasks, learners, func(e *replay.Exam) error {
			return replay.Run(ctx, e.Commits(commitsOf(ctx, file)), due)
		})
	})
}

// examine runs an exam with fresh learners.
func examine(
	ctx context.Context, repo string, tasks []string, fresh []NewLearner, run func(*replay.Exam) error,
) (results Results, err error) {
	e := &replay.Exam{Repo: repo, Tasks: tasks, Files: replay.FileSet{}}
	defer func() {
		for _, learner := range e.Learners {
			if c, ok := learner.(io.Closer); ok {
				err = errors.Join(err, c.Close())
			}
		}
	}()
	for _, newLearner := range fresh {
		learner, err := newLearner(ctx, repo)
		if err != nil {
			return nil, err
		}
		e.Learners = append(e.Learners, learner)
	}
	if err := run(e); err != nil {
		return nil, fmt.Errorf("%s: %w", repo, err)
	}
	return Results(e.Results), nil
}

// happening is something that happens in a repository.
type happening struct {
	at    time.Time
	order int // of what happens at one time, questions come first
	replay.Moment
}

// inOrder sorts what happens by time.
func inOrder(all []happening) iter.Seq2[replay.Moment, error] {
	sortHappenings(all)
	return func(yield func(replay.Moment, error) bool) {
		for _, h := range all {
			if !yield(h.Moment, nil) {
				return
			}
		}
	}
}

func sortHappenings(all []happening) {
	slices.SortStableFunc(all, func(a, b happening) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.order, b.order))
	})
}

// Recording is what happened in a repository with sessions.
type Recording struct {
	Commits  []Commit
	Sessions []AgentSession // by their start
}

// ReadRecording reads both halves of a recording.
func ReadRecording(files SessionFiles) (r Recording, err error) {
	if r.Commits, err = collect(ReadCommits(files.Commits)); err != nil {
		return r, err
	}
	if r.Sessions, err = collect(ReadSessions(files.Sessions)); err != nil {
		return r, err
	}
	slices.SortStableFunc(r.Sessions, func(a, b AgentSession) int { return a.Start.Compare(b.Start) })
	for i := range r.Sessions {
		r.Sessions[i].number = i
	}
	return r, nil
}

// sessionCalls are what a benchmark does at the moments of a recording. Those that are nil are left
// out.
type sessionCalls struct {
	commit func(context.Context, Commit) error
	start  func(context.Context, AgentSession) error // asked before it is known
	end    func(context.Context, AgentSession) error
}

// happenings makes moments of a recording: commits, the starts of sessions, at which something may
// be asked, and their ends, at which they are learned.
func (r Recording) happenings(calls sessionCalls) (all []happening) {
	for _, c := range r.Commits {
		if calls.commit != nil {
			all = append(all, happening{c.At, 1, replay.Moment{
				Name: "commit " + c.Hash, Learn: func(ctx context.Context) error { return calls.commit(ctx, c) },
			}})
		}
	}
	for _, s := range r.Sessions {
		name := "session " + s.ID
		if calls.start != nil {
			all = append(all, happening{s.Start, 0, replay.Moment{
				Name: name, Ask: func(ctx context.Context) error { return calls.start(ctx, s) },
			}})
		}
		if calls.end != nil {
			all = append(all, happening{s.End(), 2, replay.Moment{
				Name: name, Learn: func(ctx context.Context) error { return calls.end(ctx, s) },
			}})
		}
	}
	return all
}

// atStarts moves what is learned between the starts of two sessions to the later one, commits
// before sessions: an agent that begins to work finds the history first. What comes after the last
// start is left out.
func (r Recording) atStarts(all []happening) (kept []happening) {
	sortHappenings(all)
	for _, h := range all {
		next, _ := slices.BinarySearchFunc(r.Sessions, h.at, func(s AgentSession, at time.Time) int {
			return cmp.Or(s.Start.Compare(at), -1)
		})
		switch {
		case h.Ask != nil:
			kept = append(kept, h)
		case next < len(r.Sessions):
			kept = append(kept, happening{r.Sessions[next].Start, h.order - 3, h.Moment})
		}
	}
	return kept
}

// afterWarmUp picks, after the first ones, each n-th.
func (o Options) afterWarmUp(first int) func(n int) bool {
	return func(n int) bool { return n > first && (n-first-1)%max(o.Every, 1) == 0 }
}

// check refuses wrong options. Results of repositories are distinguished by name.
func (o Options) check(known, repos []string) error {
	for _, task := range o.Tasks {
		if !slices.Contains(known, task) {
			return fmt.Errorf("no task %q; there are %v", task, known)
		}
	}
	for i, repo := range repos {
		if slices.Contains(repos[:i], repo) {
			return fmt.Errorf("two files are both called %s", repo)
		}
	}
	return nil
}

// inParallel runs each file, at most as many at a time as there are processors, and stops all when
// one fails. The results are sorted by task, then by file as given.
func inParallel[F any](
	ctx context.Context, tasks []string, files []F, run func(context.Context, F) (Results, error),
) (Results, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	parts := make([]Results, len(files))
	places := make(chan struct{}, runtime.NumCPU())
	var wg sync.WaitGroup
	for i, file := range files {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			var err error
			if parts[i], err = run(ctx, file); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	all := slices.Concat(parts...)
	slices.SortStableFunc(all, func(a, b Series) int {
		return cmp.Compare(slices.Index(tasks, a.Task), slices.Index(tasks, b.Task))
	})
	return all, nil
}
