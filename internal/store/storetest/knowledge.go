package storetest

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// know writes entities with their observations, and relations.
func know(t *testing.T, s *store.Store, entities []memory.Entity, relations ...memory.Relation) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		for _, e := range entities {
			if added, err := tx.SaveEntity(t.Context(), e); err != nil || !added {
				return errors.Join(err, errors.New(e.Name+" was there"))
			}
			for _, o := range e.Observations {
				if added, err := tx.Observe(t.Context(), e.Project, e.Name, o); err != nil || !added {
					return errors.Join(err, errors.New(o.Text+" was said"))
				}
			}
		}
		for _, r := range relations {
			if added, err := tx.Relate(t.Context(), r); err != nil || !added {
				return errors.Join(err, errors.New(r.Type+" was there"))
			}
		}
		return nil
	})
}

func expectKnowledge(t *testing.T, s *store.Store, project memory.ProjectID, entities []memory.Entity, relations ...memory.Relation) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		return errors.Join(expect(t, "entities", entities)(tx.Entities(t.Context(), project)),
			expect(t, "relations", relations)(tx.Relations(t.Context(), project)))
	})
}

func entity(project memory.ProjectID, name string, observations ...string) memory.Entity {
	e := memory.Entity{Project: project, Name: name, Type: "type of " + name, Origin: memory.OriginAgent, CreatedAt: start, Observations: []memory.Observation{}}
	for i, text := range observations {
		e.Observations = append(e.Observations, memory.Observation{
			Text: text, Origin: memory.OriginAgent, Confidence: .5 + float64(i)/8, SaidAt: start.Add(time.Duration(i) * time.Minute),
		})
	}
	return e
}

func related(project memory.ProjectID, from, how, to string) memory.Relation {
	return memory.Relation{Project: project, From: from, Type: how, To: to, CreatedAt: start}
}

var knowledgeCases = []contractCase{
	{"what is known round-trips, by name, each project for itself", func(t *testing.T, h *home) {
		s, p := h.open(), place(1).Project()
		names := []string{"Ada", "ada", "caf\u00e9", "cafe\u0301", "größe", "日本", "👩‍👩‍👧‍👦", `'; DROP TABLE entity; --`, "a b", "\u202eשלום\u202c"}
		slices.Sort(names)
		var entities, elsewhere []memory.Entity
		for _, n := range names {
			entities = append(entities, entity(p, n, "first of "+n, "second", awkwardTexts["16 KB"]))
			elsewhere = append(elsewhere, entity(0, n))
		}
		entities[0].Observations[1].ValidTo = start.Add(time.Hour)
		links := []memory.Relation{related(p, names[0], "knows", names[1]), related(p, names[0], "knows", names[2]), related(p, names[1], "größer als", names[1])}
		know(t, s, entities, links...)
		know(t, s, elsewhere)
		expectKnowledge(t, s, p, entities, links...)
		expectKnowledge(t, s, 0, elsewhere)
		update(t, s, func(tx *store.Tx) error {
			other := entities[0]
			other.Type, other.CreatedAt = "another", start.Add(time.Hour)
			added, err := tx.SaveEntity(t.Context(), other)
			observed, err2 := tx.Observe(t.Context(), p, names[0], memory.Observation{Text: "second", Origin: memory.OriginWeb})
			linked, err3 := tx.Relate(t.Context(), links[0])
			if added || observed || linked {
				t.Errorf("added again: %v, %v, %v", added, observed, linked)
			}
			ids, err4 := tx.KnowledgeProjects(t.Context())
			if !slices.Equal(ids, []memory.ProjectID{0, p}) {
				t.Errorf("projects %v", ids)
			}
			return errors.Join(err, err2, err3, err4)
		})
		expectKnowledge(t, s, p, entities, links...)
	}},
	{"an entity that was only named gets its type from the first who says it", func(t *testing.T, h *home) {
		s, p := h.open(), place(1).Project()
		update(t, s, func(tx *store.Tx) error {
			for i, want := range []struct {
				kind  string
				added bool
			}{{"", true}, {"", false}, {"person", true}, {"robot", false}, {"", false}} {
				added, err := tx.SaveEntity(t.Context(), memory.Entity{Project: p, Name: "Ada", Type: want.kind, Origin: memory.OriginAgent, CreatedAt: start})
				if err != nil || added != want.added {
					t.Errorf("%d, %q: %v, %v", i, want.kind, added, err)
				}
			}
			e, err := tx.Entity(t.Context(), p, "Ada")
			if e.Type != "person" || e.Origin != memory.OriginAgent {
				t.Errorf("%+v", e)
			}
			return err
		})
	}},
	{"what goes takes what is said of it along", func(t *testing.T, h *home) {
		s, p := h.open(), place(1).Project()
		know(t, s, []memory.Entity{entity(p, "Ada", "one", "two"), entity(p, "Bob", "one"), entity(p, "Eve")},
			related(p, "Ada", "knows", "Bob"), related(p, "Bob", "knows", "Ada"), related(p, "Eve", "is", "Eve"), related(p, "Ada", "knows", "Eve"))
		update(t, s, func(tx *store.Tx) error {
			for _, want := range []bool{true, false} {
				bob, err := tx.DeleteEntity(t.Context(), p, "Bob")
				one, err2 := tx.Unobserve(t.Context(), p, "Ada", "one")
				eve, err3 := tx.Unrelate(t.Context(), related(p, "Eve", "is", "Eve"))
				if bob != want || one != want || eve != want {
					t.Errorf("gone: %v, %v, %v, want %v", bob, one, eve, want)
				}
				if err := errors.Join(err, err2, err3); err != nil {
					return err
				}
			}
			return nil
		})
		ada := entity(p, "Ada", "one", "two")
		ada.Observations = ada.Observations[1:]
		expectKnowledge(t, s, p, []memory.Entity{ada, entity(p, "Eve")}, related(p, "Ada", "knows", "Eve"))
		graves := []memory.EventID{
			store.EntityGrave(p, "Bob"), store.ObservationGrave(p, "Ada", "one"), store.RelationGrave(related(p, "Eve", "is", "Eve")),
		}
		expectForgotten(t, s, true, graves...)
		expectForgotten(t, s, false, store.EntityGrave(p, "Ada"), store.EntityGrave(0, "Bob"), store.ObservationGrave(p, "Ada", "two"))
		know(t, s, []memory.Entity{entity(p, "Bob")}, related(p, "Eve", "is", "Eve")) // who says it again means it
		update(t, s, func(tx *store.Tx) error {
			_, err := tx.Observe(t.Context(), p, "Ada", memory.Observation{Text: "one", Origin: memory.OriginUser, SaidAt: start})
			return err
		})
		expectForgotten(t, s, false, graves...)
	}},
	{"of what is not there nothing can be said, and the work goes on", func(t *testing.T, h *home) {
		s, p := h.open(), place(1).Project()
		know(t, s, []memory.Entity{entity(0, "Ada"), entity(p, "Bob")})
		update(t, s, func(tx *store.Tx) error {
			_, err := tx.Observe(t.Context(), p, "Ada", memory.Observation{Text: "x"})
			_, err2 := tx.Relate(t.Context(), related(p, "Bob", "knows", "Ada"))
			_, err3 := tx.Relate(t.Context(), related(p, "Ada", "knows", "Bob"))
			for _, err := range []error{err, err2, err3} {
				if !errors.Is(err, memory.ErrNotFound) {
					t.Errorf("got %v, want not found", err)
				}
			}
			known, err := tx.HasEntity(t.Context(), p, "Bob")
			unknown, err2 := tx.HasEntity(t.Context(), p, "Ada")
			if !known || unknown {
				t.Errorf("Bob %v, Ada %v", known, unknown)
			}
			return errors.Join(err, err2)
		})
		expectKnowledge(t, s, p, []memory.Entity{entity(p, "Bob")})
	}},
	{"observations may be long, names only so long as an index holds", func(t *testing.T, h *home) {
		s, r, p := h.open(), seed(t), place(1).Project()
		noise := func(bytes int) string {
			var b strings.Builder
			for b.Len() < bytes {
				b.WriteByte(byte('!' + r.IntN(90)))
			}
			return b.String()
		}
		a, b := "a"+noise(799), "b"+noise(799)
		long := noise(50_000)
		know(t, s, []memory.Entity{entity(p, a, long, long+"x"), entity(p, b)}, related(p, a, noise(800), b))
		update(t, s, func(tx *store.Tx) error {
			_, err := tx.SaveEntity(t.Context(), entity(p, noise(801)))
			_, err2 := tx.Relate(t.Context(), related(p, a, noise(801), b))
			for _, err := range []error{err, err2} {
				if !errors.Is(err, memory.ErrInvalid) {
					t.Errorf("801 bytes: %v", err)
				}
			}
			gone, err := tx.Unobserve(t.Context(), p, a, long)
			if !gone {
				t.Error("a long observation cannot be taken back")
			}
			return err
		})
	}},
}

func expectForgotten(t *testing.T, s *store.Store, want bool, ids ...memory.EventID) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		for i, id := range ids {
			if got, err := tx.Forgotten(t.Context(), id); err != nil || got != want {
				t.Errorf("tombstone %d: %v, %v, want %v", i, got, err, want)
			}
		}
		return nil
	})
}
