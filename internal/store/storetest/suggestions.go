package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// suggested is an event that showed one line.
func suggested(project int, id, session string, at time.Time) memory.Event {
	e := edited(project, id, session, at)
	e.Kind = memory.Suggested
	return e
}

func expectSuggestions(t *testing.T, s *store.Store, f store.SuggestionFilter, want ...memory.Suggestion) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error { return expect(t, f, want)(tx.Suggestions(t.Context(), f)) })
}

func expectLearnedOrd(t *testing.T, s *store.Store, id memory.SessionID, want int64) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error { return expect(t, id, want)(tx.LearnedOrd(t.Context(), id)) })
}

var suggestionCases = []contractCase{
	{"the marker moves, and agents are known", func(t *testing.T, h *home) {
		s := h.open()
		marker := func() (m string) {
			view(t, s, func(tx *store.Tx) (err error) { m, err = tx.Marker(t.Context()); return err })
			return m
		}
		empty := marker()
		events := []memory.Event{suggested(1, "one", "run", start), suggested(1, "two", "run", start.Add(15*time.Hour)), suggested(2, "three", "run", start.Add(20*time.Hour))}
		fill(t, s, events...)
		filled := marker()
		if filled == empty || marker() != filled {
			t.Errorf("markers %s, %s, %s", empty, filled, marker())
		}
		view(t, s, func(tx *store.Tx) error {
			return expect(t, "agents", []memory.Agent{"claude"})(tx.Agents(t.Context()))
		})
	}},
	{"a miss is a text said again in a later session, or after it was shown", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		prompt := func(session, id string, at time.Duration) memory.Event {
			e := edited(1, id, session, start.Add(at))
			e.Kind, e.Origin = memory.Prompted, memory.OriginUser
			return e
		}
		known, other := someCrystal(r, 1), someCrystal(r, 2)
		known.Project, known.SaidAt, other.SaidAt = place(1).Project(), start.Add(time.Minute), start
		first, same := prompt("first", "first", time.Minute), prompt("first", "same session", 2*time.Minute)
		shown := prompt("first", "shown before", 5*time.Minute)
		later, twice := prompt("later", "later session", time.Hour), prompt("later", "twice", 2*time.Hour)
		last, forgotten := prompt("last", "last", 3*time.Hour), prompt("last", "forgotten", 3*time.Hour-time.Minute)
		ended := prompt("last", "said by an agent", 4*time.Hour)
		ended.Kind = memory.TurnEnded
		receipt, held := suggested(1, "receipt", "first", start.Add(4*time.Minute)), suggested(1, "held", "last", start.Add(3*time.Hour-2*time.Minute))
		fill(t, s, prompt("first", "opens", 0), first, same, receipt, shown, later, twice, held, last, ended)
		addCrystals(t, s, known, other)
		line, withheld := lineOf(receipt), lineOf(held)
		line.ID, line.Crystal = "line", known.ID
		withheld.ID, withheld.Crystal, withheld.Held = "withheld", known.ID, true
		update(t, s, func(tx *store.Tx) (err error) {
			for _, e := range []memory.Event{same, shown, later, twice, last, forgotten, ended} {
				err = errors.Join(err, tx.Leave(t.Context(), store.Trace{Crystal: known.ID, What: store.SaidAgain, Detail: string(e.Kind) + " " + string(e.ID)}))
			}
			return errors.Join(err, tx.InsertSuggestion(t.Context(), h.seq(t, receipt.ID), line), tx.InsertSuggestion(t.Context(), h.seq(t, held.ID), withheld),
				tx.Leave(t.Context(), store.Trace{Crystal: other.ID, What: store.SaidAgain, Detail: "note"}))
		})
		view(t, s, func(tx *store.Tx) error {
			want := []store.Miss{
				{Crystal: known.ID, Session: sessionOf(first), At: shown.At, Shown: true}, {Crystal: known.ID, Session: sessionOf(later), At: later.At},
				{Crystal: known.ID, Session: sessionOf(last), At: last.At},
			}
			return expect(t, "misses", want)(tx.Misses(t.Context(), []memory.CrystalID{known.ID, other.ID}))
		})
	}},
	{"contradictions count once for each session, and not if their prompt is forgotten", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		known, other := someCrystal(r, 1), someCrystal(r, 2)
		one, again, two := edited(1, "one", "first", start), edited(1, "again", "first", start.Add(time.Minute)), edited(1, "two", "second", start.Add(time.Hour))
		forgotten := edited(1, "forgotten", "third", start.Add(2*time.Hour))
		fill(t, s, one, again, two)
		addCrystals(t, s, known, other)
		update(t, s, func(tx *store.Tx) (err error) {
			for _, e := range []memory.Event{one, again, two, forgotten} {
				err = errors.Join(err, tx.Leave(t.Context(), store.Trace{Crystal: known.ID, What: store.Contradicted, Detail: "prompt " + string(e.ID)}))
			}
			return errors.Join(err, tx.Leave(t.Context(), store.Trace{Crystal: other.ID, What: store.SaidAgain, Detail: "prompt " + string(two.ID)}, store.Trace{Crystal: other.ID, What: store.SaidAgain, Detail: "note"}))
		})
		view(t, s, func(tx *store.Tx) error {
			want := map[memory.CrystalID]store.Answers{known.ID: {Contradicted: 2}, other.ID: {Again: 2}}
			return expect(t, "answers", want)(tx.Answers(t.Context(), []memory.CrystalID{known.ID, other.ID}))
		})
	}},
	{"every field of a suggestion round-trips, shown or held, pending and settled", func(t *testing.T, h *home) {
		s := h.open()
		e := edited(1, "a", "run", start)
		fill(t, s, e)
		shown := memory.Suggestion{
			ID: "shown", Project: place(1).Project(), Session: sessionOf(e), Neuron: file(1, "never met.go"),
			Moment: memory.AtError, Offer: memory.OfferFix, Position: 2, Path: "never met.go", Crystal: "c1", Score: 1.0 / 3, Confidence: .1,
			Reason: "fixed it before", Tokens: 17, ShownAt: start.Add(time.Millisecond),
		}
		held := shown
		held.ID, held.Held, held.Position, held.Offer, held.Session = "held", true, 1, memory.OfferFix, 0
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.InsertSuggestion(t.Context(), h.seq(t, e.ID), shown),
				tx.InsertSuggestion(t.Context(), h.seq(t, e.ID), held))
		})
		expectSuggestions(t, s, store.SuggestionFilter{}, held, shown)

		held.Outcome, held.SettledAt = memory.Opened, start.Add(time.Hour)
		update(t, s, func(tx *store.Tx) error {
			return tx.SettleSuggestion(t.Context(), held.ID, held.Outcome, held.SettledAt)
		})
		expectSuggestions(t, s, store.SuggestionFilter{}, held, shown)
	}},
	{"a memory that is forgotten stands in no receipt and leaves no trace of a session", func(t *testing.T, h *home) {
		s, r := h.open(), seed(t)
		e := suggested(1, "receipt", "run", start)
		known := someCrystal(r, 1)
		known.Project = place(1).Project()
		e.Text = `[{"offer":"memory","memory":"` + string(known.ID) + `","score":0,"confidence":0,"reason":"its words","tokens":9},{"offer":"context","score":0,"confidence":0,"reason":"","tokens":3}]`
		fill(t, s, e)
		addCrystals(t, s, known)
		line := lineOf(e)
		line.ID, line.Crystal = string(e.ID)+"-5", known.ID
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.InsertSuggestion(t.Context(), h.seq(t, e.ID), line), tx.Leave(t.Context(), store.Trace{Crystal: known.ID, What: "seen", Detail: "run"}))
		})
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.ForgetReceipts(t.Context(), known.ID), tx.DropTraces(t.Context(), known.ID, "run"))
		})
		view(t, s, func(tx *store.Tx) error {
			traces, err1 := tx.Traces(t.Context(), known.ID)
			events, err2 := tx.Events(t.Context(), store.EventFilter{ID: e.ID})
			named, err3 := tx.Suggestions(t.Context(), store.SuggestionFilter{Crystal: known.ID})
			if len(traces)+len(named) > 0 || len(events) != 1 || strings.Contains(events[0].Text, "its words") || strings.Contains(events[0].Text, string(known.ID)) || !strings.Contains(events[0].Text, `"tokens":9`) {
				t.Errorf("left: %+v, %+v, %+v", traces, named, events)
			}
			return errors.Join(err1, err2, err3)
		})
	}},
	{"the same suggestion twice is stored once and changes nothing", func(t *testing.T, h *home) {
		s := h.open()
		e := suggested(1, "a", "run", start)
		fill(t, s, e)
		want := lineOf(e)
		want.Outcome, want.SettledAt = memory.Used, start.Add(time.Hour)
		update(t, s, func(tx *store.Tx) error {
			return tx.SettleSuggestion(t.Context(), want.ID, want.Outcome, want.SettledAt)
		})
		again := lineOf(e)
		again.Path, again.Score = "other.go", 9
		update(t, s, func(tx *store.Tx) error { return tx.InsertSuggestion(t.Context(), h.seq(t, e.ID), again) })
		expectSuggestions(t, s, store.SuggestionFilter{}, want)
	}},
	{"each field of a filter chooses suggestions, newest first, then by position", func(t *testing.T, h *home) {
		s := h.open()
		events := []memory.Event{
			suggested(1, "one", "run", start), suggested(1, "two", "run", start.Add(time.Hour)),
			suggested(1, "three", "other", start.Add(2*time.Hour)), suggested(2, "four", "run", start.Add(3*time.Hour)),
		}
		fill(t, s, events...)
		one, two, three, four := lineOf(events[0]), lineOf(events[1]), lineOf(events[2]), lineOf(events[3])
		tenth, second := two, two
		tenth.ID, tenth.Position = string(events[1].ID)+"-10", 10
		second.ID, second.Position = string(events[1].ID)+"-2", 2
		three.Outcome, three.SettledAt = memory.Ignored, start.Add(4*time.Hour)
		update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.InsertSuggestion(t.Context(), h.seq(t, events[1].ID), tenth),
				tx.InsertSuggestion(t.Context(), h.seq(t, events[1].ID), second),
				tx.SettleSuggestion(t.Context(), three.ID, three.Outcome, three.SettledAt))
		})
		p := place(1).Project()
		for _, c := range []struct {
			filter store.SuggestionFilter
			want   []memory.Suggestion
		}{
			{store.SuggestionFilter{}, []memory.Suggestion{four, three, two, second, tenth, one}},
			{store.SuggestionFilter{Limit: 3}, []memory.Suggestion{four, three, two}},
			{store.SuggestionFilter{Project: p}, []memory.Suggestion{three, two, second, tenth, one}},
			{store.SuggestionFilter{Session: sessionOf(events[0])}, []memory.Suggestion{two, second, tenth, one}},
			{store.SuggestionFilter{Since: start.Add(2 * time.Hour)}, []memory.Suggestion{four, three}},
			{store.SuggestionFilter{Before: start.Add(time.Hour)}, []memory.Suggestion{one}},
			{store.SuggestionFilter{Crystal: "none"}, nil},
			{store.SuggestionFilter{Project: p, Since: start.Add(2*time.Hour + time.Millisecond)}, nil},
			{store.SuggestionFilter{Pending: true}, []memory.Suggestion{four, two, second, tenth, one}},
			{store.SuggestionFilter{ID: one.ID}, []memory.Suggestion{one}},
			{store.SuggestionFilter{ID: string(events[1].ID)}, []memory.Suggestion{two, second, tenth}},
			{store.SuggestionFilter{ID: two.ID}, []memory.Suggestion{two, tenth}}, // the beginning of both
			{store.SuggestionFilter{ID: one.ID + "0"}, nil},
			{store.SuggestionFilter{ID: "unknown"}, nil},
			{store.SuggestionFilter{
				ID: string(events[1].ID), Project: p, Session: sessionOf(events[1]), Since: start, Pending: true, Limit: 1,
			}, []memory.Suggestion{two}},
		} {
			expectSuggestions(t, s, c.filter, c.want...)
		}
		for length := 10; length <= len(events[1].ID); length++ { // people type the beginning
			expectSuggestions(t, s, store.SuggestionFilter{ID: string(events[1].ID)[:length]}, two, second, tenth)
		}
	}},
	{"a suggestion of an unknown event is refused by the database", func(t *testing.T, h *home) {
		s := h.open()
		e := suggested(1, "a", "run", start)
		see(t, s, projectAt(place(1), start))
		err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.InsertSuggestion(t.Context(), 77, lineOf(e)) })
		if err == nil {
			t.Error("a suggestion without its event was stored")
		}
	}},
	{"a session's touches come in order, and with a limit the latest first", func(t *testing.T, h *home) {
		s := h.open()
		failed := edited(1, "second", "run", start.Add(time.Hour), "b.go", "a.go")
		failed.Kind = memory.ToolFailed
		events := []memory.Event{
			edited(1, "first", "run", start.Add(2*time.Hour), "a.go", "c.go"), edited(1, "untouched", "run", start), failed,
			edited(1, "of another session", "other", start, "x.go"), edited(2, "of another project", "run", start, "y.go"),
			edited(1, "last", "run", start, "d.go"), edited(1, "of none", "", start, "z.go"),
		}
		events[0].Touches[1].Kind = memory.Read
		fill(t, s, events...)
		oops := memory.NewNeuronID(place(1).Project(), memory.ErrorNeuron, errorOf(failed))
		all := []store.FileTouch{
			{Neuron: file(1, "a.go"), Path: "a.go", Kind: memory.Edit, At: start.Add(2 * time.Hour), Ord: 1},
			{Neuron: file(1, "c.go"), Path: "c.go", Kind: memory.Read, At: start.Add(2 * time.Hour), Ord: 1},
			{Neuron: file(1, "b.go"), Path: "b.go", Kind: memory.Edit, At: start.Add(time.Hour), Ord: 3},
			{Neuron: file(1, "a.go"), Path: "a.go", Kind: memory.Edit, At: start.Add(time.Hour), Ord: 3},
			{Neuron: oops, Path: errorOf(failed), Kind: "error", At: start.Add(time.Hour), Ord: 3},
			{Neuron: file(1, "d.go"), Path: "d.go", Kind: memory.Edit, At: start, Ord: 4},
		}
		backwards := slices.Clone(all)
		slices.Reverse(backwards)
		for _, c := range []struct {
			after int64
			limit int
			want  []store.FileTouch
		}{
			{0, 0, all}, {1, 0, all[2:]}, {2, 0, all[2:]}, {3, 0, all[5:]}, {4, 0, nil},
			{0, 2, backwards[:2]}, {0, 99, backwards}, {1, 99, backwards[:4]},
		} {
			view(t, s, func(tx *store.Tx) error {
				return expect(t, fmt.Sprint(c.after, ", ", c.limit), c.want)(tx.SessionTouches(t.Context(), sessionOf(events[0]), c.after, c.limit))
			})
		}
	}},
	{"a session remembers up to where it has been learned", func(t *testing.T, h *home) {
		s := h.open()
		e, other := edited(1, "a", "run", start), edited(1, "b", "other", start)
		fill(t, s, e, other)
		expectLearnedOrd(t, s, sessionOf(e), 0)
		for _, ord := range []int64{3, 9} {
			update(t, s, func(tx *store.Tx) error { return tx.SetLearnedOrd(t.Context(), sessionOf(e), ord) })
			fill(t, s, edited(1, fmt.Sprint("after ", ord), "run", start)) // which saves the session too
			expectLearnedOrd(t, s, sessionOf(e), ord)
		}
		expectLearnedOrd(t, s, sessionOf(other), 0)
		err := s.View(t.Context(), func(tx *store.Tx) error { _, err := tx.LearnedOrd(t.Context(), 5); return err })
		if !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("an unknown session: got %v, want not found", err)
		}
	}},
}
