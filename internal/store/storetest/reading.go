package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// mixed is a handful of events that differ in every field a filter knows. Two of them share an instant.
func mixed() []memory.Event {
	events := []memory.Event{
		edited(1, "one", "run", start, "a.go"),
		edited(1, "two", "run", start.Add(time.Hour), "b.go"),
		edited(1, "three", "other", start.Add(time.Hour), "c.go"),
		edited(2, "four", "run", start.Add(2*time.Hour), "d.go"),
		edited(1, "five", "", start.Add(3*time.Hour)),
	}
	events[1].Kind = memory.Prompted
	events[2].Origin = memory.OriginWeb
	events[4].Kind, events[4].Origin, events[4].Agent = memory.Committed, memory.OriginRepo, memory.AgentGit
	for i, name := range []string{"one", "two", "three", "four", "five"} {
		events[i].Text = name
	}
	return events
}

func texts(events []memory.StoredEvent) (out []string) {
	for _, e := range events {
		out = append(out, e.Text)
	}
	return out
}

var readingCases = []contractCase{
	{"each field of a filter chooses, together they narrow, newest first", func(t *testing.T, h *home) {
		s := h.open()
		events := mixed()
		fill(t, s, events...)
		p := place(1).Project()
		for _, c := range []struct {
			filter store.EventFilter
			want   string
		}{
			{store.EventFilter{}, "five four three two one"}, // of one instant, the one stored later is newer
			{store.EventFilter{ID: events[1].ID}, "two"},
			{store.EventFilter{Project: p}, "five three two one"},
			{store.EventFilter{Session: sessionOf(events[0])}, "two one"},
			{store.EventFilter{Kind: memory.Prompted}, "two"},
			{store.EventFilter{Origin: memory.OriginWeb}, "three"},
			{store.EventFilter{Since: start.Add(time.Hour)}, "five four three two"},
			{store.EventFilter{Since: start.Add(time.Hour + time.Millisecond)}, "five four"},
			{store.EventFilter{Limit: 2}, "five four"},
			{store.EventFilter{Limit: 3}, "five four three"},
			{store.EventFilter{Project: p, Kind: memory.ToolUsed, Origin: memory.OriginAgent, Session: sessionOf(events[0]), Since: start, Limit: 9}, "one"},
			{store.EventFilter{Project: p, Origin: memory.OriginUser}, ""},
			{store.EventFilter{ID: "unknown"}, ""},
		} {
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.Events(t.Context(), c.filter)
				if strings.Join(texts(got), " ") != c.want {
					t.Errorf("%+v: got %q, want %q", c.filter, texts(got), c.want)
				}
				count, err2 := tx.CountEvents(t.Context(), c.filter)
				if c.filter.Limit == 0 && count != int64(len(got)) {
					t.Errorf("%+v: counted %d, got %d", c.filter, count, len(got))
				}
				return errors.Join(err, err2)
			})
		}
	}},
	{"a walk visits every event in the order it was stored, also over one page exactly, until the visitor returns an error", func(t *testing.T, h *home) {
		const page = 500
		s := h.open()
		events := make([]memory.Event, page+7)
		for i := range events {
			events[i] = edited(1, fmt.Sprint(i), "", start.Add(-time.Duration(i)*time.Second), fmt.Sprintf("%d.go", i%10))
			events[i].Text = fmt.Sprint(i)
		}
		for _, some := range [][]memory.Event{events[:page], events[page:]} {
			fill(t, s, some...)
			next := 0
			view(t, s, func(tx *store.Tx) error {
				return tx.WalkEvents(t.Context(), func(e memory.StoredEvent) error {
					if e.Text != fmt.Sprint(next) || len(e.Touches) != 1 {
						return fmt.Errorf("at %d: got %q with %d touches", next, e.Text, len(e.Touches))
					}
					next++
					return nil
				})
			})
			if last := some[len(some)-1].Text; fmt.Sprint(next-1) != last {
				t.Errorf("visited %d events, the last one is %s", next, last)
			}
		}
		err := s.View(t.Context(), func(tx *store.Tx) error {
			return tx.WalkEvents(t.Context(), func(memory.StoredEvent) error { return errOnPurpose })
		})
		if !errors.Is(err, errOnPurpose) {
			t.Errorf("got %v", err)
		}
	}},
	{"a walk through a project visits its events alone, in the order of their numbers", func(t *testing.T, h *home) {
		const n = 503 // of each project: a page of 500 and a part
		s := h.open()
		type visit struct {
			seq int64
			id  memory.EventID
		}
		want := map[int][]visit{}
		update(t, s, func(tx *store.Tx) error {
			clear(want)
			for i := range 2 * n {
				e := edited(i%2, fmt.Sprint(i), "", start.Add(-time.Duration(i)*time.Second), "a.go")
				seq, err := record(t.Context(), tx, e)
				if err != nil {
					return err
				}
				want[i%2] = append(want[i%2], visit{seq, e.ID})
			}
			return nil
		})
		for project := range 3 { // nothing is known of the last
			var got []visit
			view(t, s, func(tx *store.Tx) error {
				for after := int64(0); ; {
					page, err := tx.ProjectEvents(t.Context(), place(project).Project(), after, 200)
					if err != nil || len(page) == 0 {
						return err
					}
					for _, e := range page {
						got, after = append(got, visit{e.Seq, e.ID}), e.Seq
						if len(e.Touches) != 1 {
							t.Errorf("event %s has %d touches", e.ID, len(e.Touches))
						}
					}
				}
			})
			if !slices.Equal(got, want[project]) {
				t.Errorf("project %d: %d events, want %d in their order", project, len(got), len(want[project]))
			}
		}
	}},
	{"an event is found by its number", func(t *testing.T, h *home) {
		s := h.open()
		failed := edited(1, "failed", "run", start, "b.go", "a.go")
		failed.Kind, failed.Text = memory.ToolFailed, "it failed"
		fill(t, s, edited(1, "before", "run", start, "a.go"), failed)
		want := memory.StoredEvent{Event: failed, Project: place(1).Project(), Session: sessionOf(failed), Ord: 2}
		want.Place = memory.Place{}
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.EventBySeq(t.Context(), h.seq(t, failed.ID))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
			if _, err := tx.EventBySeq(t.Context(), 77); !errors.Is(err, memory.ErrNotFound) {
				t.Errorf("an unknown number: got %v, want not found", err)
			}
			texts, errTexts := tx.EventTexts(t.Context(), []int64{h.seq(t, failed.ID), 77})
			if len(texts) != 1 || texts[h.seq(t, failed.ID)] != failed.Text {
				t.Errorf("its text: got %v", texts)
			}
			bare, errBare := tx.Events(t.Context(), store.EventFilter{Seqs: []int64{h.seq(t, failed.ID)}, Bare: true})
			if want.Touches = nil; len(bare) != 1 || !reflect.DeepEqual(bare[0], want) {
				t.Errorf("without touches: got %+v\nwant %+v", bare, want)
			}
			return errors.Join(err, errTexts, errBare)
		})
	}},
	{"neurons are ranked by accesses, then date, then the bytes of their key", func(t *testing.T, h *home) {
		s := h.open()
		later := edited(1, "later", "", start.Add(time.Hour), "later.go")
		fill(t, s, edited(1, "a", "", start, "twice.go", "b.go", "B.go", "a.go", "é.go", "A.go", "_.go"), edited(1, "b", "", start, "twice.go"), later)
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.Neurons(t.Context(), store.NeuronFilter{Project: place(1).Project(), Limit: 7})
			want := []string{"twice.go", "later.go", "A.go", "B.go", "_.go", "a.go", "b.go"}
			if !slices.Equal(keys(got), want) {
				t.Errorf("got %q, want %q", keys(got), want)
			}
			return err
		})
	}},
	{"facts name the engine, its version and its place", func(t *testing.T, h *home) {
		facts, err := h.open().Facts(t.Context())
		if err != nil || facts.Engine == "" || facts.Version == "" || facts.Location == "" || facts.Bytes == 0 || len(facts.Settings) == 0 {
			t.Errorf("got %+v, %v", facts, err)
		}
	}},
	{"a snapshot is made beside the store and changes nothing", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, mixed()...)
		before := contents(t, s)
		name, err := s.Snapshot(t.Context(), "manual")
		if err != nil || name == "" {
			t.Fatalf("snapshot %q: %v", name, err)
		}
		if found := h.Snapshots(t); !reflect.DeepEqual(found, []string{name}) {
			t.Errorf("found %q, want %q", found, name)
		}
		same(t, "after the snapshot", contents(t, s), before)
	}},
}
