// Package brain holds the use cases: load, decide, save, one transaction each. Every door (command line, hook drain,
// later MCP and HTTP) goes through it, so that everything is recorded and forgotten in one way.
package brain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
)

// Operation is one use case as every door offers it: a name, by which it waits in the spool, and what to run.
type Operation[In, Out any] struct {
	Name  string
	Files FileUse
	Run   func(ctx context.Context, b *Brain, in In) (Out, error)
}

// FileUse says what has to be done with the files for people when an operation runs.
type FileUse int

const (
	ReadFiles     FileUse = 1 << iota // before: what people wrote into them is imported
	WriteFiles                        // after: those of the project and of the person are written
	WriteAllFiles                     // after: those of all projects are written
)

// Follower is what rooms do in the transaction that records an event of the present; not one that a rebuild goes through.
type Follower func(ctx context.Context, b *Brain, tx *store.Tx, e memory.StoredEvent) error

// Brain is an open memory.
type Brain struct {
	Config   config.Config
	Numbers  Numbers
	Store    *store.Store
	Spool    spool.Spool
	Now      func() time.Time
	Follow   Follower // nil: nothing follows
	caches   sync.Map // what rooms keep between questions, by a key type of their own
	unopened bool
	file     fs.FileInfo  // of the embedded store, as it was opened
	ReadOnly bool         // by OpenReadOnly: nothing is learned in this process
	BusyAt   atomic.Int64 // unix milliseconds: when a drain last gave up because another process was writing
	Carrying *carrying    // not nil while a record of the spool is carried out
}

// Open opens the memory that c describes. now is the one clock everything runs on. A store that is too busy to be opened is
// no error yet: what somebody says is taken all the same, and everything else fails with memory.ErrBusy.
func Open(ctx context.Context, c config.Config, now func() time.Time) (*Brain, error) {
	st, err := sqlite.Open(ctx, SqliteOptions(c, now))
	if errors.Is(err, memory.ErrBusy) {
		b := NewBrain(c, store.Unavailable(err, now), now)
		b.unopened = true
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	c.HideFromGit()
	b := NewBrain(c, st, now)
	if b.file, err = os.Stat(c.Database()); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// Opened reports whether the store could be opened; else it is worth trying again.
func (b *Brain) Opened() bool { return !b.unopened }

// Stale reports that the memory is to be opened again: the store was busy, or its file is another one than the one that is open, because
// a copy was put in its place or the data folder was removed.
func (b *Brain) Stale() bool {
	if b.file == nil {
		return b.unopened
	}
	now, err := os.Stat(b.Config.Database())
	return errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(b.file, now)
}

// OpenReadOnly never creates, migrates or waits for a lock; hooks use it. A file that is not there is memory.ErrNotFound, a store of another schema
// memory.ErrRefused.
func OpenReadOnly(ctx context.Context, c config.Config, now func() time.Time) (*Brain, error) {
	st, err := sqlite.OpenReadOnly(ctx, SqliteOptions(c, now))
	if err != nil {
		return nil, err
	}
	b := NewBrain(c, st, now)
	b.ReadOnly = true
	return b, nil
}

// OpenToExamine opens the memory for doctor: nothing is created, migrated or written, not even a lock of SQLite beside its
// file. The function it returns reports whether the store was written meanwhile: what was read may then be neither its old
// content nor its new, and OpenReadOnly reads it again.
func OpenToExamine(ctx context.Context, c config.Config, now func() time.Time) (b *Brain, written func() bool, err error) {
	o := SqliteOptions(c, now)
	o.Untouched = true
	before := sqlite.StampOf(o.Path)
	written = func() bool { return sqlite.StampOf(o.Path) != before }
	st, err := sqlite.OpenReadOnly(ctx, o)
	if err != nil {
		return nil, written, err
	}
	b = NewBrain(c, st, now)
	b.ReadOnly = true
	return b, written, nil
}

func NewBrain(c config.Config, st *store.Store, now func() time.Time) *Brain {
	return &Brain{
		Config: c, Numbers: defaultNumbers(), Store: st, Now: now,
		Spool: spool.Spool{Dir: c.Spool(), Limits: c.Tuning.Spool},
	}
}

func SqliteOptions(c config.Config, now func() time.Time) sqlite.Options {
	return sqlite.Options{Path: c.Database(), Backups: c.Backups(), Tuning: c.Tuning.Store, Now: now}
}

// Cache returns the value that a room keeps with an open memory between questions. The key's type belongs to the room.
func Cache[V any](b *Brain, key any) *V {
	kept, ok := b.caches.Load(key)
	if !ok {
		kept, _ = b.caches.LoadOrStore(key, new(V))
	}
	return kept.(*V)
}

// Close releases the memory.
func (b *Brain) Close() error { return b.Store.Close() }

// Scope chooses a project for a question: by name or ID, else the one around Dir; All means every project.
type Scope struct {
	Project string `json:"project,omitempty"`
	Dir     string `json:"dir,omitempty"`
	All     bool   `json:"all,omitempty"`
}

// Chosen is the scope itself; inputs that embed a Scope have it too.
func (s Scope) Chosen() Scope { return s }

// Resolve returns the project's ID, 0 for all of them. A folder nobody has worked in yet is a project without memories.
func Resolve(ctx context.Context, tx *store.Tx, c config.Config, s Scope) (memory.ProjectID, error) {
	switch {
	case s.Project != "":
		return Named(ctx, tx, s.Project)
	case s.All:
		return 0, nil
	}
	place, err := PlaceAt(c, s.Dir)
	if err != nil {
		return 0, err
	}
	return place.Project(), nil
}

// Named is the project of a name or an ID.
func Named(ctx context.Context, tx *store.Tx, name string) (memory.ProjectID, error) {
	if id, err := memory.ParseProjectID(name); err == nil {
		if _, err := tx.Project(ctx, id); err != nil {
			return 0, err
		}
		return id, nil
	}
	found, err := tx.ProjectsNamed(ctx, name)
	if i := slices.IndexFunc(found, func(p memory.Project) bool { return p.Tagged }); i >= 0 {
		found = found[i : i+1] // the name a person gave goes before the name of a folder
	}
	switch {
	case err != nil:
		return 0, err
	case len(found) == 0:
		return 0, fmt.Errorf("project %q (hebb projects lists them): %w", name, ErrNoSuch)
	case len(found) > 1:
		return 0, fmt.Errorf("project %q could be %s or %s: use the ID, or hebb projects tag to name them: %w",
			name, found[0].ID, found[1].ID, memory.ErrConflict)
	}
	return found[0].ID, nil
}

// View runs a question on one consistent state.
func View[Out any](ctx context.Context, st *store.Store, ask func(*store.Tx) (Out, error)) (out Out, err error) {
	err = st.View(ctx, func(tx *store.Tx) error {
		out, err = ask(tx)
		return err
	})
	return out, err
}

// Update runs a change that must survive a power cut.
func Update[Out any](ctx context.Context, b *Brain, change func(*store.Tx) (Out, error)) (out Out, err error) {
	err = b.Say(ctx, func(tx *store.Tx) error {
		out, err = change(tx)
		return err
	})
	return out, err
}

// IsNotFound saves callers the import.
func IsNotFound(err error) bool { return errors.Is(err, memory.ErrNotFound) }

// IgnoreNotFound is for a change to something that may be gone.
func IgnoreNotFound(err error) error {
	if IsNotFound(err) {
		return nil
	}
	return err
}
