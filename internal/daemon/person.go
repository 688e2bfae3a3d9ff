package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	usualQuiet = 2 * time.Second
	usualLook  = time.Minute
	// projectAge is how long ago something happened at most in a project that is watched.
	projectAge = 30 * 24 * time.Hour
	// codeTime is how long the files of a project are read after a change of many; the next sleep goes on.
	codeTime = 10 * time.Second
)

// NewWatcher returns a watcher of the projects in the memory of a data folder. It opens the memory only while it asks something: a daemon that
// has nothing to do holds nothing.
func NewWatcher(c config.Config, now func() time.Time) *Watcher {
	w := &Watcher{
		Quiet: usualQuiet, Look: usualLook, now: now, append: spool.Spool{Dir: c.Spool(), Limits: c.Tuning.Spool}.Append,
		ready: make(chan struct{}), later: make(chan struct{}, 1), queue: map[string]Lesson{},
		use: func(ctx context.Context, work func(*brain.Brain) error) error {
			b, err := steward.Open(ctx, c, now)
			if err != nil {
				return err
			}
			return errors.Join(work(b), b.Close())
		},
	}
	w.Teach = func(ctx context.Context, l Lesson) error {
		return w.use(ctx, func(b *brain.Brain) error { return Learn(ctx, b, l) })
	}
	return w
}

// Learn reads what a lesson names.
func Learn(ctx context.Context, b *brain.Brain, l Lesson) (err error) {
	if l.Commits {
		_, _, err = learn.LearnHistories(ctx, b, []memory.ProjectID{l.Project.ID})
	}
	in := learn.SnippetsInput{Dir: l.Root, Only: l.Changed, Wordless: !l.Words, Longest: codeTime}
	if l.All {
		in.Only, in.Wordless = nil, false
	}
	if l.All || len(l.Changed) > 0 {
		_, read := learn.RefreshSnippets(ctx, b, in)
		err = errors.Join(err, read)
	}
	return err
}

// projects are the repositories on this machine in which something happened lately, except those in which hebb is paused.
func projects(ctx context.Context, b *brain.Brain) (list []WorkTree, err error) {
	known, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.Project, error) { return tx.Projects(ctx) })
	for _, p := range known {
		root, here := brain.FolderOf(b.Config, p)
		if !here || b.Now().Sub(p.LastAt) > projectAge || b.Config.Paused(p.ID) || git.IsWide(root) {
			continue
		}
		place, err := project.Resolve(root)
		if err != nil || place.Mark == "" { // gone, or no repository
			continue
		}
		if place = b.Config.Home(place); place.Mark != "" || place.Project() != p.ID {
			continue
		}
		if root, err = memory.UnescapePath(place.Root); err == nil {
			list = append(list, WorkTree{Project: p, Place: place, Root: filepath.FromSlash(root)})
		}
	}
	return list, err
}

const peekMost = 1 << 20 // bytes of the spool that are looked through

// lately are the events of a project since a moment: those that wait in the spool, then those in the store, so that none is missed
// that is drained meanwhile.
func lately(ctx context.Context, b *brain.Brain, id memory.ProjectID, since time.Time) ([]memory.Event, error) {
	events := slices.DeleteFunc(b.Spool.Peek(peekMost, ""), func(e memory.Event) bool { return b.Config.Home(e.Place).Project() != id })
	stored, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.StoredEvent, error) {
		return tx.Events(ctx, store.EventFilter{Project: id, Since: since})
	})
	for _, e := range stored {
		events = append(events, e.Event)
	}
	return events, err
}

// record appends edits, except those about whose time an agent used a tool.
func (w *Watcher) record(ctx context.Context, t *tree, written map[string]time.Time) error {
	if len(written) == 0 {
		return nil
	}
	var events []memory.Event
	err := w.use(ctx, func(b *brain.Brain) (err error) {
		events, err = lately(ctx, b, t.Project.ID, w.now().Add(-time.Minute-agentWindow))
		return err
	})
	if err != nil { // whose the edits are is not known
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(written)) {
		at := written[name]
		if byAgent(events, at) {
			continue
		}
		key := project.Relative(t.Place, filepath.Join(t.Root, filepath.FromSlash(name)))
		e := seen(at, t.Place, "edit", key, strconv.FormatInt(at.UnixNano(), 10))
		path, _ := scrub.Secrets(key)
		e.Touches = []memory.Touch{{Kind: memory.Edit, Path: path}}
		if failed := w.append(e); failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		w.count(func(s *WatchStatus) { s.Edits++ })
	}
	return err
}

// Ran records a command that the person ran, if it says something about the work in a known project.
func (w *Watcher) Ran(ctx context.Context, r Ran) error {
	if !filepath.IsAbs(r.Dir) {
		return fmt.Errorf("record a command: folder %q: want an absolute path: %w", r.Dir, memory.ErrInvalid)
	}
	if !r.tells() {
		return nil
	}
	var place memory.Place
	var known bool
	err := w.use(ctx, func(b *brain.Brain) (err error) {
		if place, err = brain.PlaceAt(b.Config, r.Dir); err == nil && !b.Config.Paused(place.Project()) {
			known, err = b.KnowsProject(ctx, place.Project())
		}
		return err
	})
	if err != nil || !known {
		return err
	}
	e := r.event(w.now(), place, project.Relative(place, r.Dir))
	e.Input, e.Text = scrub.Clean(e.Input), scrub.Clean(e.Text)
	if err = w.append(e); err == nil {
		w.count(func(s *WatchStatus) { s.Commands++ })
	}
	return err
}

// ServeHTTP takes a Ran as JSON.
func (w *Watcher) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	var ran Ran
	err := json.NewDecoder(r.Body).Decode(&ran)
	if err == nil {
		err = w.Ran(r.Context(), ran)
	}
	if err != nil {
		http.Error(rw, scrub.Line(scrub.Clean(err.Error())), http.StatusBadRequest)
		return
	}
	_, _ = rw.Write([]byte("{}\n"))
}
