package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// warmed saves the heat of some files of the first project, which are met first.
func warmed(t *testing.T, s *store.Store, list ...store.Heat) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		if err := tx.SeeProject(t.Context(), projectAt(place(1), start)); err != nil {
			return err
		}
		for _, h := range list {
			if err := tx.SaveHeat(t.Context(), h); err != nil {
				return err
			}
		}
		return nil
	})
}

func paths(list []store.Heat) (names []string) {
	for _, h := range list {
		names = append(names, h.Path)
	}
	return names
}

// touched is an event that reads files.
func touched(n int, names ...string) memory.Event {
	e := mixed()[0]
	e.ID, e.Place, e.Touches = memory.DerivedEventID("touched", fmt.Sprint(n)), place(1), nil
	for _, name := range names {
		e.Touches = append(e.Touches, memory.Touch{Kind: memory.Read, Path: name})
	}
	return e
}

var workmemCases = []contractCase{
	{"files are found by the sessions that read or changed them", func(t *testing.T, h *home) {
		s := h.open()
		one, two, grep := touched(1, "a.go", "b.go"), touched(2, "a.go"), touched(3, "c.go")
		two.AgentSession, two.Touches[0].Kind = "another", memory.Edit
		grep.Touches[0].Kind = memory.Mention
		fill(t, s, one, two, grep, touched(4, "a.go"))
		update(t, s, func(tx *store.Tx) error {
			n, err := tx.Neuron(t.Context(), file(1, "b.go"))
			n.Gone = true
			return errors.Join(err, tx.SaveStrength(t.Context(), n))
		})
		view(t, s, func(tx *store.Tx) error {
			want := []store.Opening{{Path: "a.go", Session: sessionOf(one)}, {Path: "a.go", Session: sessionOf(two), Changed: true}}
			slices.SortFunc(want, func(a, b store.Opening) int { return cmp.Compare(a.Session, b.Session) })
			// What is gone and what a search found is not opened.
			return expect(t, "opened", want)(tx.OpenedIn(t.Context(), []memory.SessionID{sessionOf(one), sessionOf(two)}))
		})
	}},
	{"heat round-trips, is ordered, and goes with its file", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, touched(1, "a.go", "b.go", "c.go", "ünï.go"))
		p := place(1).Project()
		one := store.Heat{
			Neuron: file(1, "a.go"), Project: p, Path: "a.go", Heat: 1.25, Touches: 3, LastAt: start.Add(time.Minute), Session: 7,
			Summary: "Exports: größe", SummaryBy: memory.OriginTool, Note: "moving 'auth'", NoteBy: memory.OriginAgent, NoteAt: start.Add(time.Hour),
		}
		bare := func(path string, heat float64) store.Heat {
			return store.Heat{Neuron: file(1, path), Project: p, Path: path, Heat: plasticity.Stored(heat), LastAt: start}
		}
		warmed(t, s, one, bare("b.go", 2), bare("c.go", 1.25), bare("ünï.go", -1e300))
		view(t, s, func(tx *store.Tx) error {
			found, first := tx.HeatOf(t.Context(), []memory.NeuronID{file(1, "a.go"), file(1, "none.go")})
			if !reflect.DeepEqual(found, map[memory.NeuronID]store.Heat{one.Neuron: one}) {
				t.Errorf("got %+v", found)
			}
			hot, two := tx.Hottest(t.Context(), p, 1, 10)
			if got := paths(hot); !slices.Equal(got, []string{"b.go", "a.go", "c.go"}) {
				t.Errorf("hottest: %q", got)
			}
			hot, three := tx.Hottest(t.Context(), p, 1, 1)
			if got := paths(hot); !slices.Equal(got, []string{"b.go"}) {
				t.Errorf("the hottest: %q", got)
			}
			other, four := tx.Hottest(t.Context(), place(2).Project(), -1e300, 10)
			noted, five := tx.Noted(t.Context(), p)
			if len(other) != 0 || !slices.Equal(paths(noted), []string{"a.go"}) {
				t.Errorf("elsewhere %q, noted %q", paths(other), paths(noted))
			}
			return errors.Join(first, two, three, four, five)
		})
		changed := one
		changed.Heat, changed.Note, changed.Touches = 3, "", 4
		warmed(t, s, changed)
		update(t, s, func(tx *store.Tx) error { // what is gone is not in mind; what is forgotten is no more
			n, err := tx.Neuron(t.Context(), file(1, "b.go"))
			n.Gone = true
			return errors.Join(err, tx.SaveStrength(t.Context(), n), tx.DeleteHeat(t.Context(), file(1, "c.go")))
		})
		view(t, s, func(tx *store.Tx) error {
			hot, err := tx.Hottest(t.Context(), p, 1, 10)
			if len(hot) != 1 || !reflect.DeepEqual(hot[0], changed) {
				t.Errorf("hottest: %+v", hot)
			}
			return err
		})
		h.unlearn(t, s, p)
		view(t, s, func(tx *store.Tx) error {
			hot, first := tx.Hottest(t.Context(), p, 0, 10)
			noted, two := tx.Noted(t.Context(), p)
			if len(hot) != 0 || len(noted) != 1 || noted[0].Summary != one.Summary {
				t.Errorf("unlearned: hot %q, noted %q", paths(hot), paths(noted))
			}
			return errors.Join(first, two)
		})
		update(t, s, func(tx *store.Tx) error {
			_, _, err := tx.Forget(t.Context(), store.EventFilter{Project: p})
			return err
		})
		view(t, s, func(tx *store.Tx) error {
			noted, err := tx.Noted(t.Context(), p)
			if len(noted) != 0 {
				t.Errorf("of forgotten files is said %q", paths(noted))
			}
			return err
		})
	}},
	{"closed sessions wait for their summary, and are shelved with it", func(t *testing.T, h *home) {
		s := h.open()
		open, waits, summarised := session("open", start), session("waits", start.Add(time.Minute)), session("told", start.Add(2*time.Minute))
		empty := session("empty", start.Add(3*time.Minute))
		for _, one := range []*memory.Session{&waits, &summarised, &empty} {
			one.ClosedAt, one.CloseReason, one.Ticked = one.LastEventAt.Add(time.Hour), memory.ClosedByAgent, true
		}
		summarised.Happened, summarised.Learned, summarised.Next, summarised.SummaryBy, summarised.SummaryAt = "mended 'it'", "größe", "more", memory.OriginAgent, start.Add(time.Hour)
		empty.SummaryBy, empty.SummaryAt = memory.OriginTool, start.Add(time.Hour)
		saveSessions(t, s, open, waits, summarised, empty)
		update(t, s, func(tx *store.Tx) error {
			for range 3 {
				if err := tx.TickProject(t.Context(), summarised.Project); err != nil {
					return err
				}
			}
			return nil
		})
		view(t, s, func(tx *store.Tx) error {
			waiting, one := tx.SessionsWithoutSummary(t.Context(), 10)
			shelved, two := tx.ShelvedSessions(t.Context(), summarised.Project, 10)
			if !slices.Equal(runs(waiting), []string{"waits"}) || len(shelved) != 1 || !reflect.DeepEqual(shelved[0], summarised) {
				t.Errorf("waiting %q, shelved %+v", runs(waiting), shelved)
			}
			return errors.Join(one, two)
		})
	}},
	{"a pin is one of its title in a project, and goes with its text", func(t *testing.T, h *home) {
		s := h.open()
		r := seed(t)
		first, second := someCrystal(r, 1), someCrystal(r, 2)
		addCrystals(t, s, first, second)
		pin := func(c memory.Crystal, project memory.ProjectID, at time.Duration) memory.Pin {
			return memory.Pin{Crystal: c.ID, Project: project, Title: "Auth ü", Text: c.Text, Reason: "it's so", Origin: c.Origin, At: start.Add(at)}
		}
		here, everywhere := pin(first, place(1).Project(), 0), pin(second, 0, time.Minute)
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.SetPin(t.Context(), here, "auth ü"), tx.SetPin(t.Context(), everywhere, "auth ü"))
		})
		again := pin(second, place(1).Project(), 0)
		if err := s.Update(t.Context(), func(tx *store.Tx) error {
			return errors.Join(tx.DeletePin(t.Context(), second.ID), tx.SetPin(t.Context(), again, "auth ü"))
		}); err == nil {
			t.Error("two pins of one title in one project")
		}
		// A proposal is kept under its title with a blank before it, beside the pin of that title.
		proposed := someCrystal(r, 3)
		addCrystals(t, s, proposed)
		update(t, s, func(tx *store.Tx) error {
			return tx.SetPin(t.Context(), pin(proposed, place(1).Project(), time.Hour), " auth ü")
		})
		update(t, s, func(tx *store.Tx) error { return tx.DeletePin(t.Context(), proposed.ID) })
		here.Reason = "still so"
		update(t, s, func(tx *store.Tx) error { return tx.SetPin(t.Context(), here, "auth ü") })
		view(t, s, func(tx *store.Tx) error {
			return expect(t, "pins", []memory.Pin{everywhere, here})(tx.Pins(t.Context(), 0, place(1).Project()))
		})
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.DeletePin(t.Context(), second.ID), tx.Drop(t.Context(), first.ID))
		})
		if err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.DeletePin(t.Context(), second.ID) }); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("a pin that is not there: %v", err)
		}
		view(t, s, func(tx *store.Tx) error {
			pins, one := tx.Pins(t.Context(), 0, place(1).Project())
			if len(pins) > 0 {
				t.Errorf("left: %+v", pins)
			}
			_, two := tx.Crystal(t.Context(), second.ID) // unpinned, not deleted
			return errors.Join(one, two)
		})
	}},
	{"pages and what was written into files are kept", func(t *testing.T, h *home) {
		s := h.open()
		page := store.Page{Name: "soul", Text: "I prefer 'tabs'.\n", By: memory.OriginUser, At: start}
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(store.Pages.Keep(t.Context(), tx, store.Page{Name: "soul", Text: "x", By: memory.OriginAgent, At: start.Add(-time.Hour)}), store.Pages.Keep(t.Context(), tx, page),
				tx.SetWritten(t.Context(), "v", "a/RECENT.md", "first"), tx.SetWritten(t.Context(), "v", "a/RECENT.md", "second\n"),
				tx.SetWritten(t.Context(), "w", "a/RECENT.md", "another's"), tx.SetWritten(t.Context(), "v", "live.md", "x"), tx.SetWritten(t.Context(), "v", "live.md", ""))
		})
		view(t, s, func(tx *store.Tx) error {
			got, one := tx.Page(t.Context(), "soul")
			_, missing := tx.Page(t.Context(), "projects")
			if got != page || !errors.Is(missing, memory.ErrNotFound) {
				t.Errorf("got %+v, %v", got, missing)
			}
			recent, two := tx.Written(t.Context(), "v", "a/RECENT.md")
			live, three := tx.Written(t.Context(), "v", "live.md")
			names, four := tx.WrittenNames(t.Context(), "v")
			if recent != "second\n" || live != "" || !slices.Equal(names, []string{"a/RECENT.md"}) {
				t.Errorf("written %q and %q in %q", recent, live, names)
			}
			return errors.Join(one, two, three, four)
		})
	}},
}
