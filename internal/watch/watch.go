// Package watch sees what a person does in the work trees of known projects: which files they edit, and, if their shell
// reports it, which commands they run. Both become events of a session of the person, on the path that hooks use. What git
// or an agent writes is nobody's edit. Sources that changed are read again, and new commits are learned.
package watch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
)

// Place is a project and a work tree of it on this machine.
type Place struct {
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
	Now  func() time.Time

	// Projects lists what to watch.
	Projects func(ctx context.Context) ([]Place, error)
	// Lately lists the events of agents in a project since a moment.
	Lately func(ctx context.Context, id memory.ProjectID, since time.Time) ([]memory.Event, error)
	// Append records an event.
	Append func(memory.Event) error
	// Learn reads changed files of a work tree again, and new commits.
	Learn func(ctx context.Context, l Lesson) error

	// place is where a folder lies; known is false if nothing is to be recorded there.
	place func(ctx context.Context, dir string) (p memory.Place, known bool, err error)

	notify  *fsnotify.Watcher  // nil: the system gave none
	add     func(string) error // notify.Add, except in tests
	trees   map[string]*tree   // by root
	watched map[string]*tree   // by folder
	gits    map[string]*tree   // by git's folder
	ready   chan struct{}      // closed when all projects of the start are watched
	later   chan struct{}      // there is something in queue

	mu     sync.Mutex // of what follows
	status Status
	queue  []Lesson
}

// Status says what is watched and what was seen since the start.
type Status struct {
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
func (w *Watcher) Status() Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.status
	s.Projects = slices.Clone(s.Projects)
	return s
}

func (w *Watcher) count(change func(*Status)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(&w.status)
}

// problem keeps an error for the status, and none where there is none.
func (w *Watcher) problem(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		w.count(func(s *Status) { s.Problem = scrub.Line(scrub.Clean(err.Error())) })
	}
}

// Run watches until the context ends. What has changed by then is recorded before it returns.
func (w *Watcher) Run(ctx context.Context) error {
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
			return nil
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
	places, err := w.Projects(ctx)
	if err != nil {
		w.problem(err)
		return
	}
	kept := map[string]bool{}
	var list []Watched
	for _, p := range places {
		t := w.trees[p.Root]
		if t == nil || t.Place.Place != p.Place {
			if t != nil {
				w.forget(t)
			}
			if t, err = openTree(ctx, p); err != nil {
				w.problem(err)
				continue
			}
			w.trees[p.Root] = t
			w.list(ctx, t)
		}
		t.rescan = t.rescan || t.scans
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
	w.count(func(s *Status) { s.Projects = list })
}

// forget stops watching a work tree.
func (w *Watcher) forget(t *tree) {
	delete(w.trees, t.Root)
	w.unwatch(t, t.Root)
	delete(w.gits, t.own)
}

// unwatch stops watching the folders of a work tree at and below one.
func (w *Watcher) unwatch(t *tree, folder string) {
	maps.DeleteFunc(w.watched, func(name string, of *tree) bool {
		if of != t || !below(folder, name) {
			return false
		}
		_ = w.notify.Remove(name) // it may be gone
		return true
	})
}

func below(folder, name string) bool {
	return name == folder || len(name) > len(folder) && name[:len(folder)] == folder && os.IsPathSeparator(name[len(folder)])
}

// list watches the folders of a work tree that are not watched yet, and returns the files in them.
func (w *Watcher) list(ctx context.Context, t *tree) (found []string) {
	t.stale = false
	clear(t.ignored)
	folders, files, err := t.folders(ctx)
	if err != nil {
		w.problem(err)
		return nil
	}
	if t.files = files; t.scans {
		return nil
	}
	if w.notify == nil || opensFiles && files > mostOpen {
		w.scan(t, "")
		return nil
	}
	if err := w.add(t.own); err == nil {
		w.gits[t.own] = t
	}
	for folder, names := range folders {
		full := filepath.Join(t.Root, filepath.FromSlash(folder))
		if w.watched[full] != nil {
			continue
		}
		switch err := w.add(full); {
		case err == nil:
			w.watched[full] = t
			found = append(found, names...)
		case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EMFILE):
			w.scan(t, fmt.Sprintf("%v: raise the limit: sudo sysctl fs.inotify.max_user_watches=1048576", err))
			return nil
		case !errors.Is(err, os.ErrNotExist):
			w.problem(fmt.Errorf("watch %s: %w", full, err))
		}
	}
	return found
}

// opensFiles says that the system opens each file of a watched folder. mostOpen is how many files that may be.
var opensFiles = runtime.GOOS != "linux" && runtime.GOOS != "windows"

const mostOpen = 2000

// scan has a work tree looked through from time to time instead of being watched.
func (w *Watcher) scan(t *tree, why string) {
	t.scans, t.limit = true, why
	w.unwatch(t, t.Root)
}

// see notes what the system reports.
func (w *Watcher) see(e fsnotify.Event) {
	if e.Op == fsnotify.Chmod || e.Name == "" {
		return
	}
	now, folder := w.Now(), filepath.Dir(e.Name)
	if t := w.gits[folder]; t != nil {
		t.gitMoved = now
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
	t.stale = t.stale || filepath.Base(name) == ".gitignore"
	t.pending.note(filepath.ToSlash(name), now)
	w.count(func(s *Status) { s.LastChange = now })
}

// missed has all work trees looked through where the system lost changes.
func (w *Watcher) missed(err error) {
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		w.problem(err)
		return
	}
	w.count(func(s *Status) { s.Overflows++ })
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
		if !t.waits() || t.gitWorks(quiet, w.Now()) {
			continue
		}
		w.problem(w.lookAt(ctx, t, quiet))
	}
}

// lookAt finds out what the changes of a work tree are, and records those of the person.
func (w *Watcher) lookAt(ctx context.Context, t *tree, quiet time.Duration) error {
	now := w.Now()
	before := t.operations
	if t.operations = t.operationsNow(); t.operations != before {
		quiet = 0 // what waits was written with it
	}
	names, flood := t.pending.take(quiet, now)
	if t.scans || !t.gitMoved.IsZero() && now.Sub(t.gitMoved) >= quiet {
		t.gitMoved = time.Time{}
		tip, err := t.repo.Tip(ctx)
		if err != nil {
			return err
		}
		if tip != t.tip {
			t.tip = tip
			w.learn(Lesson{Place: t.Place, Commits: true})
		}
	}
	if t.stale {
		for _, name := range w.list(ctx, t) {
			t.pending.note(name, now)
		}
	}
	if t.rescan {
		t.rescan = false
		missed, err := t.missed(ctx)
		if err != nil {
			return err
		}
		names = append(names, missed...)
	}
	if len(names) == 0 && !flood {
		return nil
	}
	if flood || len(names) > mostPending {
		return w.burst(ctx, t, nil)
	}
	names, err := t.notIgnored(ctx, slices.Compact(slices.Sorted(slices.Values(names))))
	if err != nil || len(names) == 0 {
		return err
	}
	if t.operations != before {
		return w.burst(ctx, t, names)
	}
	changes, err := t.changes(ctx, names)
	if err != nil {
		return err
	}
	w.learn(Lesson{Place: t.Place, Changed: names})
	if len(changes) > mostByHand {
		w.count(func(s *Status) { s.Bursts++ })
		return nil
	}
	return w.record(ctx, t, changes)
}

// burst takes a work tree as it is: git has changed these files, or something has changed very many, if none are named.
func (w *Watcher) burst(ctx context.Context, t *tree, names []string) error {
	err := t.remember(ctx)
	w.learn(Lesson{Place: t.Place, Changed: names, All: names == nil})
	w.count(func(s *Status) { s.Bursts++ })
	return err
}

// learn hands work to the goroutine that reads sources and commits.
func (w *Watcher) learn(l Lesson) {
	w.mu.Lock()
	w.queue = append(w.queue, l)
	w.mu.Unlock()
	select {
	case w.later <- struct{}{}:
	default:
	}
}

// learnAll reads sources and commits as they change. The words of files, which are all written at once, follow after a while.
func (w *Watcher) learnAll(ctx context.Context) {
	var wordless []Lesson
	var words <-chan time.Time // nil while no words wait
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return
		case <-w.later:
			w.mu.Lock()
			queue := w.queue
			w.queue = nil
			w.mu.Unlock()
			for _, l := range together(queue) {
				w.problem(w.Learn(ctx, l))
				if len(l.Changed) > 0 && !l.All && words == nil {
					words = time.After(w.Look)
				}
				l.Commits = false
				wordless = append(wordless, l)
			}
		case <-words:
			for _, l := range together(wordless) {
				if l.Words = true; len(l.Changed) > 0 && !l.All { // else all was read, with the words
					w.problem(w.Learn(ctx, l))
				}
			}
			wordless, words = nil, nil
		}
	}
}
