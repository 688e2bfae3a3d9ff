package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

var recordingCases = []contractCase{
	{"an event comes back as it was stored", func(t *testing.T, h *home) {
		s := h.open()
		e := memory.Event{
			ID: memory.DerivedEventID("full"), At: start.Add(7 * time.Millisecond), Kind: memory.ToolFailed, Origin: memory.OriginTool,
			Agent: "claude", AgentSession: "run-1", Subagent: "explorer", Place: place(1), Tool: "Bash", Input: "go test ./...",
			Text: "FAIL", Touches: []memory.Touch{{Kind: memory.Mention, Path: "z.go"}, {Kind: memory.Read, Path: "a.go"}, {Kind: memory.Edit, Path: "m.go"}},
		}
		fill(t, s, e)
		want := memory.StoredEvent{Event: e, Project: e.Place.Project(), Session: sessionOf(e), Ord: 1}
		want.Place = memory.Place{} // a stored event names its project instead
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.Events(t.Context(), store.EventFilter{ID: e.ID})
			if len(got) != 1 || !reflect.DeepEqual(got[0], want) {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
			return err
		})
	}},
	{"the size of an answer comes back, and one that is not known is not nothing", func(t *testing.T, h *home) {
		s := h.open()
		for name, size := range map[string]*int64{"unknown": nil, "nothing": new(int64(0)), "much": new(int64(1 << 40))} {
			e := edited(1, name, "run", start)
			e.ResultBytes = size
			fill(t, s, e)
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.Events(t.Context(), store.EventFilter{ID: e.ID})
				if len(got) != 1 || !reflect.DeepEqual(got[0].ResultBytes, size) {
					t.Errorf("%s: got %+v", name, got)
				}
				return err
			})
		}
	}},
	{"a rename keeps the old name, and no other touch has one", func(t *testing.T, h *home) {
		s := h.open()
		e := edited(1, "rename", "run", start, "edited.go")
		e.Touches = append(e.Touches, memory.Touch{Kind: memory.Rename, Path: "new.go", From: "old.go"},
			memory.Touch{Kind: memory.Delete, Path: "deleted.go"})
		fill(t, s, e)
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.Events(t.Context(), store.EventFilter{ID: e.ID})
			if len(got) != 1 || !slices.Equal(got[0].Touches, e.Touches) {
				t.Errorf("got %+v, want %+v", got, e.Touches)
			}
			_, err2 := tx.Neuron(t.Context(), file(1, "old.go"))
			if !errors.Is(err2, memory.ErrNotFound) {
				t.Errorf("the old name was met: %v", err2)
			}
			return err
		})
	}},
	{"the same event twice is stored once and changes nothing", func(t *testing.T, h *home) {
		s := h.open()
		e := edited(1, "a", "run", start, "a.go", "b.go")
		fill(t, s, e)
		before := contents(t, s)
		update(t, s, func(tx *store.Tx) error {
			again := memory.StoredEvent{Event: e, Project: e.Place.Project(), Session: sessionOf(e), Ord: 2}
			again.Text, again.ResultBytes = "another text and size under the same ID", new(int64(5))
			seq, err := tx.InsertEvent(t.Context(), again, tx.CountAccess)
			if seq != 0 {
				t.Errorf("the second insert says it added the event as number %d", seq)
			}
			return err
		})
		same(t, "after the second insert", contents(t, s), before)
	}},
	{"several writers with the same events store each once, numbered without gaps", func(t *testing.T, h *home) {
		const sessions, each, writers = 2, 20, 4
		var events []memory.Event
		for n := range sessions * each {
			session := fmt.Sprintf("run-%d", n%sessions)
			events = append(events, edited(1, fmt.Sprint("event ", n), session, start.Add(time.Duration(n)*time.Second), "shared.go", fmt.Sprintf("f%d.go", n%7)))
		}
		stores := []*store.Store{h.open(), h.open()}
		inParallel(t, writers, func(w int) error {
			for n := range events {
				i := (n + 11*w) % len(events) // every writer in an order of its own
				if w%2 == 1 {
					i = len(events) - 1 - i
				}
				e := events[i]
				err := stores[w%len(stores)].Update(t.Context(), func(tx *store.Tx) error {
					_, err := record(t.Context(), tx, e)
					return err
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		expectEvents(t, stores[0], sessions*each)
		expectGapless(t, stores[0], sessions, each)
	}},
	{"an event of an unknown project or session is refused by the database", func(t *testing.T, h *home) {
		s := h.open()
		e := edited(1, "a", "", start, "a.go")
		orphan := memory.StoredEvent{Event: e, Project: e.Place.Project()}
		if err := s.Update(t.Context(), func(tx *store.Tx) error {
			_, err := tx.InsertEvent(t.Context(), orphan, tx.CountAccess)
			return err
		}); err == nil {
			t.Error("an event without its project was stored")
		}
		if err := s.Update(t.Context(), func(tx *store.Tx) error {
			if err := tx.SeeProject(t.Context(), projectAt(e.Place, start)); err != nil {
				return err
			}
			lost := orphan
			lost.Session = 77
			_, err := tx.InsertEvent(t.Context(), lost, tx.CountAccess)
			return err
		}); err == nil {
			t.Error("an event without its session was stored")
		}
		expectEmpty(t, s)
	}},
	{"an ordinal brought along is kept and numbering goes on after it", func(t *testing.T, h *home) {
		s := h.open()
		e := edited(1, "first", "run", start, "a.go")
		fill(t, s, e)
		imported := memory.StoredEvent{Event: edited(1, "imported", "run", start, "b.go"), Project: e.Place.Project(), Session: sessionOf(e), Ord: 9}
		update(t, s, func(tx *store.Tx) error {
			if err := tx.KeepOrdinal(t.Context(), imported.Session, imported.Ord); err != nil {
				return err
			}
			_, err := tx.InsertEvent(t.Context(), imported, tx.CountAccess)
			return err
		})
		fill(t, s, edited(1, "next", "run", start, "c.go"))
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.Events(t.Context(), store.EventFilter{Session: sessionOf(e)})
			var ords []int64
			for _, e := range got {
				ords = append(ords, e.Ord)
			}
			if want := []int64{10, 9, 1}; !reflect.DeepEqual(ords, want) {
				t.Errorf("ordinals are %v, want %v", ords, want)
			}
			return err
		})
	}},
}

// expectGapless wants every session to have its events at positions 1 to each.
func expectGapless(t *testing.T, s *store.Store, sessions int, each int64) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		all, err := tx.Sessions(t.Context(), store.SessionFilter{})
		if err != nil {
			return err
		}
		if len(all) != sessions {
			t.Errorf("%d sessions, want %d", len(all), sessions)
		}
		for _, session := range all {
			events, err := tx.Events(t.Context(), store.EventFilter{Session: session.ID})
			if err != nil {
				return err
			}
			seen := map[int64]bool{}
			for _, e := range events {
				seen[e.Ord] = true
			}
			for ord := int64(1); ord <= each; ord++ {
				if !seen[ord] {
					t.Errorf("session %s: no event at position %d of %d", session.AgentSession, ord, each)
				}
			}
			if session.Events != each || int64(len(events)) != each {
				t.Errorf("session %s counts %d events and has %d, want %d", session.AgentSession, session.Events, len(events), each)
			}
		}
		return nil
	})
}
