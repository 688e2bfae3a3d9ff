package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/tuning"
)

func readOptions(t *testing.T) Options {
	t.Helper()
	return Options{Path: filepath.Join(t.TempDir(), "hebb.db"), Tuning: tuning.Default().Store, Now: func() time.Time { return time.UnixMilli(1) }}
}

func TestReadingAStoreThatIsNotThereMakesNone(t *testing.T) {
	o := readOptions(t)
	if _, err := OpenReadOnly(t.Context(), o); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(o.Path)); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestReadingDoesNotMigrate(t *testing.T) {
	o := readOptions(t)
	all := store.Migrations()
	all = append(all, db.Migration{Version: len(all) + 1, Name: "next", SQL: `CREATE TABLE next (id INTEGER)`})
	o.Migrations = all[:len(all)-1]
	old := must.Get(Open(t.Context(), o))(t)
	must.Do(t, old.Close())
	o.Migrations = all
	if _, err := OpenReadOnly(t.Context(), o); !errors.Is(err, memory.ErrRefused) {
		t.Errorf("an older schema: %v", err)
	}
	o.Migrations = all[:0]
	if _, err := OpenReadOnly(t.Context(), o); !errors.Is(err, memory.ErrRefused) {
		t.Errorf("a newer schema: %v", err)
	}
	o.Migrations = all[:len(all)-1]
	s := must.Get(OpenReadOnly(t.Context(), o))(t)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A reader sees what is committed while somebody else writes, does not wait for him, and cannot write.
func TestReadingBesideAWriter(t *testing.T) {
	o := readOptions(t)
	writer := must.Get(Open(t.Context(), o))(t)
	defer func() { _ = writer.Close() }()
	set := func(s *store.Store, value string, then func() error) error {
		return s.Update(t.Context(), func(tx *store.Tx) error {
			return errors.Join(store.NewFact[string]("mark").Set(t.Context(), tx, value), then())
		})
	}
	must.Do(t, set(writer, "before", func() error { return nil }))
	must.Do(t, set(writer, "after", func() error {
		reader, err := OpenReadOnly(t.Context(), o)
		if err != nil {
			return err
		}
		err = reader.View(t.Context(), func(tx *store.Tx) error {
			got, err := store.NewFact[string]("mark").Get(t.Context(), tx)
			if got != "before" {
				t.Errorf("reads %q", got)
			}
			return err
		})
		if werr := set(reader, "mine", func() error { return nil }); !errors.Is(werr, memory.ErrRefused) {
			t.Errorf("a reader writes: %v", werr)
		}
		return errors.Join(err, reader.Close())
	}))
}

func TestReadingEndsWithItsContext(t *testing.T) {
	o := readOptions(t)
	s := must.Get(Open(t.Context(), o))(t)
	defer func() { _ = s.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := OpenReadOnly(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A file that nobody has filled yet is a store that is not there yet.
func TestReadingAnUnfinishedStoreFindsNone(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"no bytes": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"only a journal mode": func(path string) error {
			db := openURI(path, nil)
			_, err := db.ExecContext(t.Context(), `PRAGMA journal_mode = WAL`)
			return errors.Join(err, db.Close())
		},
	} {
		o := readOptions(t)
		must.Do(t, make(o.Path))
		if _, err := OpenReadOnly(t.Context(), o); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s: reading: %v, want not found", name, err)
		}
		s, err := Open(t.Context(), o)
		if err != nil {
			t.Fatalf("%s: opening: %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Many processes meet the first time in an empty folder: those that write all get the store, those that read find it or find none.
func TestFirstOpenersAllSucceed(t *testing.T) {
	for range 5 {
		o := readOptions(t)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				s, err := Open(t.Context(), o)
				if err != nil {
					t.Errorf("opening: %v", err)
					return
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
			all.Go(func() {
				for range 20 {
					s, err := OpenReadOnly(t.Context(), o)
					if errors.Is(err, memory.ErrNotFound) {
						continue
					}
					if err != nil {
						t.Errorf("reading: %v", err)
						return
					}
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
	}
}
