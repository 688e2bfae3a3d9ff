package storetest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// called is an event in which a session uses a tool.
func called(session, id, tool, input string, at time.Time, touches ...memory.Touch) memory.Event {
	e := edited(1, id, session, at)
	e.Tool, e.Input, e.Touches = tool, input, touches
	return e
}

var callCases = []contractCase{
	{"the latest tools come newest first, of a project or of one session", func(t *testing.T, h *home) {
		s := h.open()
		failed := called("b", "two", "Bash", "make", start.Add(time.Minute))
		failed.Kind = memory.ToolFailed
		byHand := called("a", "by hand", "", "", start.Add(3*time.Minute))
		byHand.Kind = memory.Recorded
		fill(t, s, called("a", "one", "Read", "", start), failed, called("a", "three", "Edit", "", start.Add(2*time.Minute)), byHand,
			called("", "alone", "Edit", "", start.Add(4*time.Minute)), edited(2, "elsewhere", "a", start.Add(5*time.Minute)))
		session := sessionOf(byHand)
		for _, c := range []struct {
			session memory.SessionID
			limit   int
			want    []string
		}{
			{0, 9, []string{"Edit", "Bash", "Read"}}, {0, 2, []string{"Edit", "Bash"}}, {session, 9, []string{"Edit", "Read"}},
			{session, 1, []string{"Edit"}}, {7, 9, nil},
		} {
			view(t, s, func(tx *store.Tx) error {
				calls, err := tx.LatestTools(t.Context(), place(1).Project(), c.session, c.limit)
				var got []string
				for _, call := range calls {
					got = append(got, call.Tool)
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("session %v, at most %d: %v, want %v", c.session, c.limit, got, c.want)
				}
				return err
			})
		}
	}},
	{"the prompt at a moment is the last one before it", func(t *testing.T, h *home) {
		s := h.open()
		var events []memory.Event
		for i, text := range []string{"first", "second"} {
			e := called("run", text, "", "", start.Add(time.Duration(i)*time.Hour))
			e.Kind, e.Text = memory.Prompted, text
			events = append(events, e)
		}
		fill(t, s, events...)
		for _, c := range []struct {
			at   time.Time
			want string
		}{
			{start.Add(-time.Millisecond), ""}, {start, "first"}, {start.Add(59 * time.Minute), "first"}, {start.Add(time.Hour), "second"},
		} {
			view(t, s, func(tx *store.Tx) error {
				return expect(t, c.at, c.want)(tx.PromptBefore(t.Context(), sessionOf(events[0]), c.at))
			})
		}
	}},
	{"suggestions are counted by outcome, those withheld and those without a file apart", func(t *testing.T, h *home) {
		s := h.open()
		e := suggested(1, "a", "run", start)
		fill(t, s, e, suggested(2, "b", "run", start))
		update(t, s, func(tx *store.Tx) error {
			var errs []error
			for _, outcome := range []memory.Outcome{memory.Used, memory.Used, memory.Ignored} {
				for _, held := range []bool{false, true} {
					line := lineOf(e)
					line.ID, line.Held = line.ID+string(rune('0'+len(errs))), held
					errs = append(errs, tx.InsertSuggestion(t.Context(), h.seq(t, e.ID), line),
						tx.SettleSuggestion(t.Context(), line.ID, outcome, start))
				}
			}
			line := lineOf(e)
			line.ID, line.Neuron, line.Path = "fileless", 0, ""
			return errors.Join(append(errs, tx.InsertSuggestion(t.Context(), h.seq(t, e.ID), line))...)
		})
		view(t, s, func(tx *store.Tx) error {
			got, err := tx.CountSuggestions(t.Context(), place(1).Project())
			want := []store.SuggestionCount{
				{Outcome: memory.Pending, Lines: 1, Tokens: 12}, {Outcome: memory.Pending, Fileless: true, Lines: 1, Tokens: 12},
				{Outcome: memory.Ignored, Lines: 1, Tokens: 12}, {Outcome: memory.Used, Lines: 2, Tokens: 24},
				{Outcome: memory.Ignored, Held: true, Lines: 1, Tokens: 12}, {Outcome: memory.Used, Held: true, Lines: 2, Tokens: 24},
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
			return err
		})
	}},
	{"the past of a project has the size of its blocks", func(t *testing.T, h *home) {
		s := h.open()
		see(t, s, projectAt(place(1), start), projectAt(place(2), start))
		update(t, s, func(tx *store.Tx) error {
			_, one := tx.SaveBlock(t.Context(), place(1).Project(), 0, 0, []byte{0, 1, 2})
			_, two := tx.SaveBlock(t.Context(), place(1).Project(), 1, 0, []byte("zwölf"))
			_, other := tx.SaveBlock(t.Context(), place(2).Project(), 0, 0, []byte{1})
			return errors.Join(one, two, other)
		})
		for project, want := range map[int]int64{1: 9, 2: 1, 3: 0} {
			view(t, s, func(tx *store.Tx) error {
				return expect(t, project, want)(tx.PastBytes(t.Context(), place(project).Project()))
			})
		}
	}},
	{"links to what is gone can be left out", func(t *testing.T, h *home) {
		s := h.open()
		fill(t, s, edited(1, "a", "run", start, "a.go", "b.go", "gone.go"))
		living, dead := linked(1, "a.go", "b.go", 1), linked(1, "a.go", "gone.go", 2)
		wireAll(t, s, living, dead)
		grow(t, s, "gone.go", func(n *store.Strength) { n.Gone = true })
		expectSynapses(t, s, store.SynapseFilter{}, dead, living)
		expectSynapses(t, s, store.SynapseFilter{Project: place(1).Project(), Living: true}, living)
	}},
}
