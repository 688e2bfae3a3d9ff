package daemon

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
)

// WorkTree is a project and a work tree of it on this machine.
type WorkTree struct {
	Project memory.Project
	Place   memory.Place
	Root    string
}

// Watcher watches the work trees of projects. Its functions may be called from any goroutine.
type Watcher struct {
	// Quiet is how long a file must not have changed before it is looked at: editors and git write in several steps.
	Quiet time.Duration
	// Look is how often the list of projects is read, and how often work trees that cannot be watched are looked through.
	Look time.Duration
	// Teach reads what a lesson names. The models and tables that it needs would stay in a process that lives for long.
	Teach func(context.Context, Lesson) error

	now    func() time.Time
	append func(memory.Event) error                              // to the spool
	use    func(context.Context, func(*brain.Brain) error) error // opens the memory

	notify  *fsnotify.Watcher  // nil: the system gave none
	add     func(string) error // notify.Add, except in tests
	trees   map[string]*tree   // by root
	watched map[string]*tree   // by folder
	gits    map[string]*tree   // by git's folder
	ready   chan struct{}      // closed when all projects of the start are watched
	later   chan struct{}      // there is something in queue

	mu     sync.Mutex // of what follows
	status WatchStatus
	queue  map[string]Lesson // by root
}

// WatchStatus says what is watched and what was seen since the start.
type WatchStatus struct {
	Projects   []Watched `json:"projects"`
	Overflows  int       `json:"overflows"` // times that the system lost changes; the work trees were looked through
	LastChange time.Time `json:"last_change,omitzero"`
	Edits      int       `json:"edits"`    // of the person, recorded
	Commands   int       `json:"commands"` // of the person, recorded
	Bursts     int       `json:"bursts"`   // changes of many files, or by git: not recorded
	Problem    string    `json:"problem,omitempty"`
}

// Watched is one work tree.
type Watched struct {
	Project memory.ProjectID `json:"project"`
	Name    string           `json:"name"`
	Root    string           `json:"root"`
	Files   int              `json:"files"`
	Folders int              `json:"folders"` // 0: it cannot be watched and is looked through from time to time
	Limit   string           `json:"limit,omitempty"`
}

// Status returns a copy.
func (w *Watcher) Status() WatchStatus {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.status
	s.Projects = slices.Clone(s.Projects)
	return s
}

func (w *Watcher) count(change func(*WatchStatus)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(&w.status)
}

// problem keeps an error for the status, and none where there is none.
func (w *Watcher) problem(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		w.count(func(s *WatchStatus) { s.Problem = scrub.Line(scrub.Clean(err.Error())) })
	}
}

// Run watches until the context ends. What has changed by then is recorded before it returns.
func (w *Watcher) Run(ctx context.Context) {
	w.trees, w.watched, w.gits = map[string]*tree{}, map[string]*tree{}, map[string]*tree{}
	var events chan fsnotify.Event
	var lost chan error
	var err error
	if w.notify, err = fsnotify.NewWatcher(); err != nil {
		w.problem(fmt.Errorf("watch files: %w (raise the limit: sudo sysctl fs.inotify.max_user_instances=1024)", err))
	} else {
		defer func() { _ = w.notify.Close() }()
		events, lost = w.notify.Events, w.notify.Errors
		if w.add == nil {
			w.add = w.notify.Add
		}
	}
	var learns sync.WaitGroup
	learns.Go(func() { w.learnAll(ctx) })
	defer learns.Wait()
	w.follow(ctx)
	close(w.ready)
	look := time.NewTicker(w.Look)
	defer look.Stop()
	var settle <-chan time.Time // nil while nothing waits
	for {
		if settle == nil && w.waits() {
			settle = time.After(w.Quiet / 4)
		}
		select {
		case <-ctx.Done():
			w.settle(context.WithoutCancel(ctx), 0)
			return
		case e := <-events:
			w.see(e)
		case err := <-lost:
			w.missed(err)
		case <-look.C:
			w.follow(ctx)
		case <-settle:
			w.settle(ctx, w.Quiet)
			settle = nil
		}
	}
}

// follow brings what is watched in line with the projects there are.
func (w *Watcher) follow(ctx context.Context) {
	var places []WorkTree
	err := w.use(ctx, func(b *brain.Brain) (err error) {
		places, err = projects(ctx, b)
		return err
	})
	if err != nil {
		w.problem(err)
		return
	}
	kept := map[string]bool{}
	var list []Watched
	for _, p := range places {
		t := w.trees[p.Root]
		if t == nil || t.Place != p.Place {
			if t != nil {
				w.forget(t)
			}
			if t, err = openTree(ctx, p, w.now()); err != nil {
				w.problem(err)
				continue
			}
			w.trees[p.Root] = t
			_, err := w.list(ctx, t)
			w.problem(err)
		}
		t.rescan, t.failed = t.rescan || t.scans || t.failed, false
		kept[p.Root] = true
		one := Watched{Project: p.Project.ID, Name: p.Project.Name, Root: p.Root, Files: t.files, Limit: t.limit}
		for _, of := range w.watched {
			if of == t {
				one.Folders++
			}
		}
		list = append(list, one)
	}
	for root, t := range w.trees {
		if !kept[root] {
			w.forget(t)
		}
	}
	w.count(func(s *WatchStatus) { s.Projects, s.Problem = list, "" })
}

// forget stops watching a work tree.
func (w *Watcher) forget(t *tree) {
	delete(w.trees, t.Root)
	w.unwatch(t, t.Root)
	delete(w.gits, t.git.Own)
	if w.notify != nil {
		_ = w.notify.Remove(t.git.Own) // it may be gone
	}
}

// unwatch stops watching the folders of a work tree at and below one.
func (w *Watcher) unwatch(t *tree, folder string) {
	maps.DeleteFunc(w.watched, func(name string, of *tree) bool {
		is := of == t && strings.HasPrefix(name+separator, folder+separator)
		if is {
			_ = w.notify.Remove(name) // it may be gone
		}
		return is
	})
}

const separator = string(filepath.Separator)

// list watches the folders of a work tree that are not watched yet, and returns the files in them.
func (w *Watcher) list(ctx context.Context, t *tree) (found []string, err error) {
	t.stale = false
	names, err := t.repo.Files(ctx)
	if err != nil {
		return nil, err
	}
	t.files, t.scans = len(names), t.scans || w.notify == nil || opensFiles && len(names) > mostOpen
	if t.scans {
		return nil, nil
	}
	w.gits[t.git.Own] = t
	err = w.add(t.git.Own)
	fresh := map[string]bool{}
	for _, name := range append(names, ".") {
		for folder := path.Dir(name); ; folder = path.Dir(folder) {
			full := filepath.Join(t.Root, filepath.FromSlash(folder))
			if w.watched[full] != nil {
				break
			}
			if err := w.add(full); errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) {
				t.scans, t.limit = true, err.Error()+": raise the limit: sudo sysctl fs.inotify.max_user_watches=1048576"
				w.unwatch(t, t.Root)
				return nil, nil
			} else if err == nil { // else it is gone, or not to be read
				w.watched[full], fresh[folder] = t, true
			}
			if folder == "." {
				break
			}
		}
		if fresh[path.Dir(name)] {
			found = append(found, name)
		}
	}
	return found, err
}

// opensFiles says that the system opens each file of a watched folder. mostOpen is how many files that may be; larger work trees are looked through
// from time to time.
var opensFiles = runtime.GOOS != "linux" && runtime.GOOS != "windows"

const mostOpen = 2000

// see notes what the system reports.
func (w *Watcher) see(e fsnotify.Event) {
	if e.Op == fsnotify.Chmod || e.Name == "" {
		return
	}
	now, folder := w.now(), filepath.Dir(e.Name)
	if t := w.gits[folder]; t != nil {
		t.gitMoved = true
		return
	}
	if t := w.watched[e.Name]; t != nil && e.Op.Has(fsnotify.Remove|fsnotify.Rename) {
		w.unwatch(t, e.Name)
	}
	t := w.watched[folder]
	if t == nil {
		return
	}
	name, err := filepath.Rel(t.Root, e.Name)
	if err != nil || name == ".git" {
		return
	}
	if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
		t.stale = t.stale || e.Op.Has(fsnotify.Create)
		return
	}
	t.pending[filepath.ToSlash(name)] = now
	w.count(func(s *WatchStatus) { s.LastChange = now })
}

// missed has all work trees looked through where the system lost changes.
func (w *Watcher) missed(err error) {
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		w.problem(err)
		return
	}
	w.count(func(s *WatchStatus) { s.Overflows++ })
	for _, t := range w.trees {
		t.rescan, t.stale = true, true
	}
}

func (w *Watcher) waits() bool {
	for _, t := range w.trees {
		if t.waits() {
			return true
		}
	}
	return false
}

// settle looks at the work trees in which something changed and has been quiet since.
func (w *Watcher) settle(ctx context.Context, quiet time.Duration) {
	for _, t := range w.trees {
		if !t.waits() || t.git.Works(quiet, w.now()) {
			continue
		}
		err := w.lookAt(ctx, t, quiet)
		t.failed = t.failed || err != nil
		w.problem(err)
	}
}

// lookAt finds out what the changes of a work tree are, and records those of the person. What was written while git moved HEAD, merged, rebased or
// stashed is nobody's, and so is what more files at a time are than a person saves.
func (w *Watcher) lookAt(ctx context.Context, t *tree, quiet time.Duration) error {
	now := w.now()
	byGit := false
	if operations := t.git.Operations(); operations != t.operations {
		t.operations, byGit = operations, true
	}
	if t.scans || t.gitMoved {
		t.gitMoved = false
		tip, err := t.repo.Tip(ctx)
		if err != nil {
			return err
		}
		if tip != t.tip {
			t.tip, byGit = tip, true
			w.learn(Lesson{WorkTree: t.WorkTree, Commits: true})
		}
	}
	if byGit {
		t.moved, quiet = now, 0 // what waits was written with it
	}
	names := t.pending.take(quiet, now)
	if t.stale {
		found, err := w.list(ctx, t)
		for _, name := range found {
			t.pending[name] = now
		}
		if err != nil {
			return err
		}
	}
	if t.rescan {
		t.rescan = false
		missed, err := t.missed(ctx, now)
		if err != nil {
			return err
		}
		names = append(names, missed...)
	}
	many := len(names) > mostLooked
	if !many {
		var err error
		if names, err = t.notIgnored(ctx, slices.Compact(slices.Sorted(slices.Values(names)))); err != nil || len(names) == 0 {
			return err
		}
	}
	lesson := Lesson{WorkTree: t.WorkTree, Changed: names}
	if many {
		lesson.Changed, lesson.All = nil, true
	}
	w.learn(lesson)
	written := t.written(names, now)
	if byGit || len(written) > mostByHand {
		w.count(func(s *WatchStatus) { s.Bursts++ })
		return nil
	}
	return w.record(ctx, t, written)
}

// learn hands work to the goroutine that reads sources and commits.
func (w *Watcher) learn(l Lesson) {
	w.mu.Lock()
	w.queue[l.Root] = l.and(w.queue[l.Root])
	w.mu.Unlock()
	select {
	case w.later <- struct{}{}:
	default:
	}
}

// learnAll reads sources and commits as they change. The words of files, which are all written at once, follow after a while.
func (w *Watcher) learnAll(ctx context.Context) {
	wordless := map[string]Lesson{}
	var words <-chan time.Time // nil while no words wait
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.later:
			w.mu.Lock()
			queue := w.queue
			w.queue = map[string]Lesson{}
			w.mu.Unlock()
			for root, l := range queue {
				w.problem(w.Teach(ctx, l))
				if len(l.Changed) > 0 && !l.All {
					wordless[root] = Lesson{WorkTree: l.WorkTree, Changed: l.Changed, Words: true}.and(wordless[root])
				}
			}
			if words == nil && len(wordless) > 0 {
				words = time.After(w.Look)
			}
		case <-words:
			for _, l := range wordless {
				w.problem(w.Teach(ctx, l))
			}
			clear(wordless)
			words = nil
		}
	}
}
