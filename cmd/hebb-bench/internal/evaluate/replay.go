package evaluate

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Learner is what the benchmarks examine. It is told what happened in a repository in the order in which it happened,
// and is asked in between.
type Learner interface {
	// Commit is told of every commit. From a large one only the file set is to be learned (Commit.Large).
	Commit(ctx context.Context, c Commit) error
	// Session is told of every finished session. Histories have none.
	Session(ctx context.Context, s AgentSession) error
	// Rank answers a question, once for each ranker the learner holds. The benchmark reads the answer before it calls
	// again, so the learner may use its memory anew.
	Rank(ctx context.Context, q Question) ([]Ranking, error)
}

// Corrected is a Learner that wants to know the right answer. It is called after Rank with the same question, once the
// answer has been marked.
type Corrected interface {
	Correct(ctx context.Context, q Question, gold []string) error
}

// NewLearner makes a learner that knows nothing, one for each repository. One that is an io.Closer is closed at the
// end.
type NewLearner func(ctx context.Context, repo string) (Learner, error)

// Question asks which files come next.
type Question struct {
	ID      string // of the commit or the event it was made from
	Task    string
	Text    string   // a commit's subject or a prompt
	HasText bool     // the text is to be used; it may still hold no word
	Open    []string // files already known to belong to the work, the most recent first
	Banned  []string // files that are no answer
	At      time.Time
}

// Ranking is the answer of one ranker: current paths, the best first.
type Ranking struct {
	Ranker string
	Paths  []string
	// Spread are those of them that only spreading reached.
	Spread []string
}

// Options of both benchmarks.
type Options struct {
	Every    int                   // ask at each n-th commit or session only; 0 and 1: at all
	Tasks    []string              // ask these only; none: all
	Progress func(done, total int) // told of commits (sessions) gone through, of all files together
}

// HistoryTasks are the questions made from a commit: from its subject; from its subject and one of its files; from one
// file alone; from its subject and three files. The answer is the commit's other files.
var HistoryTasks = []string{"T1", "T2", "T3", "T4"}

// ReplayInput says which histories to replay before which learners.
type ReplayInput struct {
	Files    []string // JSON Lines, plain or gzip; or folders of git repositories
	Learners []NewLearner
	Options
}

// HistoryWarmUp is the number of commits that could be asked about but only teach.
const HistoryWarmUp = 200

// Replay goes through histories, one goroutine per file. Before a commit is told, each learner is asked which files it
// will touch.
func Replay(ctx context.Context, in ReplayInput) (Results, error) {
	repos := make([]string, len(in.Files))
	for i, file := range in.Files {
		repos[i] = RepoOf(file)
	}
	if err := in.check(HistoryTasks, repos); err != nil {
		return nil, err
	}
	step, err := in.steps(ctx, in.Files)
	if err != nil {
		return nil, err
	}
	return inParallel(ctx, HistoryTasks, in.Files, func(ctx context.Context, file string) (Results, error) {
		return examine(ctx, RepoOf(file), in.Options, in.Learners, func(e *exam) error {
			h := historyReplay{exam: e, files: fileSet{}}
			for c, err := range commitsOf(ctx, file) {
				if err != nil {
					return err
				}
				if err := h.commit(ctx, c); err != nil {
					return fmt.Errorf("%s, commit %s: %w", file, c.Hash, err)
				}
				step()
			}
			return nil
		})
	})
}

type historyReplay struct {
	*exam
	files    fileSet
	eligible int
}

// commit asks about a commit that a person made, of ordinary size and with at least one file that existed before; then
// it is told to all.
func (h *historyReplay) commit(ctx context.Context, c Commit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	gold := h.files.touchedBy(c)
	if len(gold) > 0 && !c.Large() && !c.Bot {
		h.eligible++
		if h.eligible > HistoryWarmUp && h.eligible%max(h.options.Every, 1) == 0 {
			if err := h.questions(ctx, c, gold); err != nil {
				return err
			}
		}
	}
	h.files.commit(c)
	return h.tellCommit(ctx, c)
}

func (h *historyReplay) questions(ctx context.Context, c Commit, gold []string) error {
	sortAsDrawn(c.Hash, gold)
	for _, task := range []struct {
		name  string
		text  bool
		seeds int
	}{{"T1", true, 0}, {"T2", true, 1}, {"T3", false, 1}, {"T4", true, 3}} {
		if len(gold) <= task.seeds {
			continue
		}
		q := Question{
			ID: c.Hash, Task: task.name, HasText: task.text, At: c.At,
			Open: gold[:task.seeds:task.seeds], Banned: gold[:task.seeds:task.seeds],
		}
		if task.text {
			q.Text = c.Subject
		}
		if err := h.ask(ctx, q, gold[task.seeds:]); err != nil {
			return err
		}
	}
	return nil
}

// sortAsDrawn puts the files of a commit into an order that is arbitrary but the same in every run: the first are the
// ones that are given away.
func sortAsDrawn(hash string, paths []string) {
	drawn := make(map[string][sha1.Size]byte, len(paths))
	for _, path := range paths {
		drawn[path] = sha1.Sum([]byte(hash + "\x00" + path))
	}
	slices.SortFunc(paths, func(a, b string) int {
		x, y := drawn[a], drawn[b]
		return bytes.Compare(x[:], y[:])
	})
}

// fileSet holds the paths that exist: touched before and not deleted.
type fileSet map[string]bool

// touchedBy returns the existing files a commit modifies, deletes or renames, under their paths before it.
func (f fileSet) touchedBy(c Commit) []string {
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

// commit makes new paths before it drops old ones.
func (f fileSet) commit(c Commit) {
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

// exam asks all learners the same questions about one repository and keeps their marks.
type exam struct {
	repo     string
	options  Options
	learners []Learner
	series   map[seriesKey]int // place in results
	results  Results
}

type seriesKey struct{ task, ranker string }

// examine runs an exam with fresh learners.
func examine(
	ctx context.Context, repo string, options Options, fresh []NewLearner, run func(*exam) error,
) (results Results, err error) {
	e := &exam{repo: repo, options: options, series: map[seriesKey]int{}}
	defer func() {
		for _, learner := range e.learners {
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
		e.learners = append(e.learners, learner)
	}
	if err := run(e); err != nil {
		return nil, err
	}
	return e.results, nil
}

func (e *exam) ask(ctx context.Context, q Question, gold []string) error {
	if len(e.options.Tasks) > 0 && !slices.Contains(e.options.Tasks, q.Task) {
		return nil
	}
	roles := make(map[string]role, len(gold)+len(q.Banned))
	for _, path := range q.Banned {
		roles[path] = banned
	}
	for _, path := range gold {
		roles[path] = wanted
	}
	for _, learner := range e.learners {
		rankings, err := learner.Rank(ctx, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.Task, err)
		}
		for _, r := range rankings {
			e.keep(q.Task, r.Ranker, grade(q.ID, r, roles))
		}
		if c, ok := learner.(Corrected); ok {
			if err := c.Correct(ctx, q, gold); err != nil {
				return fmt.Errorf("%s: %w", q.Task, err)
			}
		}
	}
	return nil
}

func (e *exam) keep(task, ranker string, m Mark) {
	key := seriesKey{task, ranker}
	at, ok := e.series[key]
	if !ok {
		at = len(e.results)
		e.series[key] = at
		e.results = append(e.results, Series{Task: task, Repo: e.repo, Ranker: ranker})
	}
	e.results[at].Marks = append(e.results[at].Marks, m)
}

func (e *exam) tellCommit(ctx context.Context, c Commit) error {
	for _, learner := range e.learners {
		if err := learner.Commit(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

func (e *exam) tellSession(ctx context.Context, s AgentSession) error {
	for _, learner := range e.learners {
		if err := learner.Session(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// check looks at what a person may have got wrong. Marks are told apart by the name of their repository.
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
	if o.Every < 0 {
		return fmt.Errorf("every %d: must be 1 or more", o.Every)
	}
	return nil
}

// steps returns what to call after each line of the files. Calls come from several goroutines; Progress sees them one
// by one.
func (o Options) steps(ctx context.Context, files []string) (func(), error) {
	if o.Progress == nil {
		return func() {}, nil
	}
	total := 0
	for _, file := range files {
		n, err := countCommits(ctx, file)
		if err != nil {
			return nil, err
		}
		total += n
	}
	var mu sync.Mutex
	done := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		if done++; done%progressStep == 0 || done == total {
			o.Progress(done, total)
		}
	}, nil
}

// progressStep is how often progress is told: a terminal that is drawn on for every commit does little else.
const progressStep = 25

// inParallel runs each file, at most as many at a time as there are processors, and stops all when one fails. The
// results are sorted by task, then by file as given.
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
