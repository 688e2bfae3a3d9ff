package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

func see(t *testing.T, s *store.Store, projects ...memory.Project) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		for _, p := range projects {
			if err := tx.SeeProject(t.Context(), p); err != nil {
				return err
			}
		}
		return nil
	})
}

func expectProject(t *testing.T, s *store.Store, want memory.Project) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		return expect(t, "project", want)(tx.Project(t.Context(), want.ID))
	})
}

var projectCases = []contractCase{
	{"seeing a project again widens its dates and follows the newest root and name", func(t *testing.T, h *home) {
		s := h.open()
		p := projectAt(place(1), start)
		see(t, s, p)
		expectProject(t, s, p)

		older := p
		older.Root, older.Name, older.FirstAt, older.LastAt = "/old/worktree", "old", start.Add(-time.Hour), start.Add(-time.Hour)
		see(t, s, older)
		p.FirstAt = older.FirstAt
		expectProject(t, s, p)

		newer := p
		newer.Root, newer.Name, newer.FirstAt, newer.LastAt = "/new/worktree", "new", start.Add(time.Hour), start.Add(time.Hour)
		see(t, s, newer)
		p.Root, p.Name, p.LastAt = newer.Root, newer.Name, newer.LastAt
		expectProject(t, s, p)
	}},
	{"a name given by a person stays, whatever is seen later", func(t *testing.T, h *home) {
		s := h.open()
		p := projectAt(place(1), start)
		see(t, s, p)
		update(t, s, func(tx *store.Tx) error { return tx.NameProject(t.Context(), p.ID, "compiler") })
		p.LastAt = start.Add(time.Hour)
		see(t, s, p)
		p.Name, p.Tagged = "compiler", true
		expectProject(t, s, p)
	}},
	{"a name can be given to one project only", func(t *testing.T, h *home) {
		s := h.open()
		one, two := projectAt(place(1), start), projectAt(place(2), start)
		see(t, s, one, two)
		name := func(id memory.ProjectID, name string) error {
			return s.Update(t.Context(), func(tx *store.Tx) error { return tx.NameProject(t.Context(), id, name) })
		}
		must.Do(t, name(one.ID, "compiler"))
		if err := name(two.ID, "compiler"); !errors.Is(err, memory.ErrConflict) {
			t.Errorf("a taken name: got %v, want a conflict", err)
		}
		if err := name(one.ID, "compiler"); err != nil {
			t.Errorf("the same name again: %v", err)
		}
		if err := name(99, "free"); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("an unknown project: got %v, want not found", err)
		}
		expectProject(t, s, two)
	}},
	{"of several that want the same name at once one gets it", func(t *testing.T, h *home) {
		const n = 4
		stores := []*store.Store{h.open(), h.open()}
		for i := range n {
			see(t, stores[0], projectAt(place(i), start))
		}
		inParallel(t, n, func(i int) error {
			err := stores[i%2].Update(t.Context(), func(tx *store.Tx) error {
				return tx.NameProject(t.Context(), place(i).Project(), "the one")
			})
			if errors.Is(err, memory.ErrConflict) {
				return nil
			}
			return err
		})
		view(t, stores[0], func(tx *store.Tx) error {
			got, err := tx.ProjectsNamed(t.Context(), "the one")
			if len(got) != 1 || !got[0].Tagged {
				t.Errorf("%d projects have the name, want 1", len(got))
			}
			return err
		})
	}},
	{"projects are listed by last use, those never named may share a name", func(t *testing.T, h *home) {
		s := h.open()
		old, recent := projectAt(place(1), start), projectAt(place(2), start.Add(time.Hour))
		old.Name, recent.Name = "app", "app"
		see(t, s, old, recent, projectAt(place(3), start.Add(-time.Hour)))
		view(t, s, func(tx *store.Tx) error {
			all, err := tx.Projects(t.Context())
			if len(all) != 3 || all[0].ID != recent.ID || all[1].ID != old.ID {
				t.Errorf("got %+v", all)
			}
			named, err2 := tx.ProjectsNamed(t.Context(), "app")
			if len(named) != 2 || named[0].ID != recent.ID {
				t.Errorf("named: got %+v", named)
			}
			return errors.Join(err, err2)
		})
	}},
	{"the clock of a project ticks, and counts are its own", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go"), edited(1, "b", "run 2", start, "b.go"), edited(2, "c", "run", start, "c.go"))
		update(t, s, func(tx *store.Tx) error {
			sessions, err := tx.Sessions(t.Context(), store.SessionFilter{Project: place(1).Project()})
			for _, one := range sessions {
				one.Ticked = true
				err = errors.Join(err, tx.SaveSession(t.Context(), one), tx.TickProject(t.Context(), one.Project))
			}
			return err
		})
		p := projectAt(place(1), start)
		p.Clock = 2
		expectProject(t, s, p)
		expectProject(t, s, projectAt(place(2), start))
		view(t, s, func(tx *store.Tx) error {
			return expect(t, "count project", store.ProjectCounts{Sessions: 2, Events: 2, Files: 2})(tx.CountProject(t.Context(), p.ID))
		})
	}},
	{"an unknown project is not found", func(t *testing.T, h *home) {
		err := h.open().View(t.Context(), func(tx *store.Tx) error { _, err := tx.Project(t.Context(), 5); return err })
		if !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("got %v, want not found", err)
		}
	}},
}
