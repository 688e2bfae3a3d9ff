package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// further returns all migrations and one more for each text.
func further(texts ...string) []store.Migration {
	steps := store.Migrations()
	for _, text := range texts {
		steps = append(steps, store.Migration{Version: len(steps) + 1, Name: "further", SQL: text})
	}
	return slices.Clip(steps)
}

const (
	addTable  = `CREATE TABLE further (id {int} NOT NULL PRIMARY KEY) {strict}; INSERT INTO further (id) SELECT COUNT(*) FROM event;`
	addColumn = `ALTER TABLE project ADD COLUMN further {int} NOT NULL DEFAULT 3;`
	broken    = `CREATE TABLE half (id {int} NOT NULL PRIMARY KEY) {strict}; INSERT INTO nowhere (id) VALUES (1);`
)

// filled leaves a closed store of the present schema with some events in it.
func (h *home) filled(t *testing.T) (before []string) {
	t.Helper()
	s, err := h.Open(t.Context(), Options{Now: h.Now})
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s, mixed()...)
	before = contents(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return before
}

var migrationCases = []contractCase{
	{"a fresh store takes all steps and no snapshot", func(t *testing.T, h *home) {
		h.migrations = further(addTable, addColumn)
		fill(t, h.open(), mixed()...)
		h.sql(t, `DELETE FROM further`) // the step was taken
		if found := h.Snapshots(t); len(found) != 0 {
			t.Errorf("an empty store was copied to %q", found)
		}
	}},
	{"an older store is copied, brought up to date and keeps its rows", func(t *testing.T, h *home) {
		before := h.filled(t)
		h.migrations = further(addTable, addColumn)
		s := h.open()
		same(t, "after the migration", contents(t, s), before)
		if found := h.Snapshots(t); len(found) != 1 {
			t.Errorf("copies: %q, want one", found)
		}
		fill(t, s, edited(1, "new", "run", start, "new.go"))
		h.open()
		if found := h.Snapshots(t); len(found) != 1 {
			t.Errorf("opening again copied again: %q", found)
		}
	}},
	{"events and links of the first schema are all there in the present one", func(t *testing.T, h *home) {
		s, err := h.Open(t.Context(), Options{Migrations: store.Migrations()[:1], Now: h.Now})
		if err != nil {
			t.Fatal(err)
		}
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go", "c.go"))
		strong, weak := linked(1, "a.go", "b.go", 0.7), linked(1, "c.go", "a.go", 0.2)
		weak.Origin, weak.CoAccesses = memory.OriginRepo, 4
		wireAll(t, s, strong, weak)
		before := h.rows(t)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = h.open() // which is searched for damage in the end
		same(t, "after the migration", h.rows(t), before)
		expectSynapses(t, s, store.SynapseFilter{}, strong, weak)
	}},
	{"a newer store is refused and not written", func(t *testing.T, h *home) {
		h.migrations = further(addTable)
		fill(t, h.open(), mixed()...)
		newer := newClosed(t, h)
		before := h.State(t)
		s, err := h.Open(t.Context(), Options{Now: h.Now})
		if !errors.Is(err, memory.ErrRefused) {
			t.Errorf("got %v, %v, want a refusal", s, err)
		}
		if h.State(t) != before {
			t.Error("the refused store was written")
		}
		same(t, "for the newer program", contents(t, h.open()), newer)
	}},
	{"a failing step leaves the old version whole and usable", func(t *testing.T, h *home) {
		before := h.filled(t)
		for _, steps := range [][]store.Migration{further(broken), further(addTable, broken)} {
			if s, err := h.Open(t.Context(), Options{Migrations: steps, Now: h.Now}); err == nil {
				t.Fatalf("the broken step went through: %v", s)
			}
			h.mu.Lock()
			h.now = h.now.Add(1e9) // the next copy gets another name
			h.mu.Unlock()
		}
		s := h.open() // with the steps of the program before
		same(t, "after the failed migration", contents(t, s), before)
		fill(t, s, edited(1, "new", "run", start, "new.go"))
	}},
	{"many that open an empty place at once all get the same store", func(t *testing.T, h *home) {
		const n = 8
		inParallel(t, n, func(i int) error {
			s, err := h.Open(t.Context(), h.options())
			if err != nil {
				return err
			}
			err = s.Update(t.Context(), func(tx *store.Tx) error {
				_, err := record(t.Context(), tx, edited(1, fmt.Sprint(i), "run", start, "a.go"))
				return err
			})
			return errors.Join(err, s.Close())
		})
		s := h.open()
		expectEvents(t, s, n)
		expectGapless(t, s, 1, n)
	}},
	{"many that open an older store at once migrate it once", func(t *testing.T, h *home) {
		before := h.filled(t)
		h.migrations = further(addTable)
		inParallel(t, 6, func(int) error {
			s, err := h.Open(context.WithoutCancel(t.Context()), h.options())
			if err != nil {
				return err
			}
			return s.Close()
		})
		same(t, "after the migration", contents(t, h.open()), before)
		if found := h.Snapshots(t); len(found) != 1 {
			t.Errorf("copies: %q, want one", found)
		}
	}},
}

// newClosed opens the store with the test's migrations, closes it, and returns what is in it.
func newClosed(t *testing.T, h *home) []string {
	t.Helper()
	s, err := h.Open(t.Context(), h.options())
	if err != nil {
		t.Fatal(err)
	}
	lines := contents(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return lines
}
