package brain

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// Events that arrive while their project is marked to be learned anew are stored at once and teach the same when their turn comes.
func TestWhatArrivesWhileAProjectIsLearnedAnewIsLearnedAfterwards(t *testing.T) {
	for _, partial := range []bool{false, true} {
		t.Run(fmt.Sprint("partial ", partial), func(t *testing.T) {
			marked, plain := newLab(t), newLab(t)
			events := marked.someWork()
			late := []memory.Event{
				marked.touch("late", 70, memory.Edit, "web/login.go"), marked.touch("late", 71, memory.Edit, "web/late.go"),
				marked.say("late", 72, memory.SessionEnded, ""),
			}
			for _, l := range []*lab{marked, plain} {
				l.see(60, events...)
				l.learnAnew(l.place) // what history suggests comes last in both
			}
			var reach *store.Reach
			if partial {
				found, err := viewed(t.Context(), marked.Brain, func(tx *store.Tx) (map[memory.ProjectID]*store.Reach, error) {
					return tx.ReachOf(t.Context(), store.EventFilter{ID: events[1].ID})
				})
				if err != nil {
					t.Fatal(err)
				}
				reach = found[marked.place.Project()]
			}
			err := marked.store.Update(t.Context(), func(tx *store.Tx) error { return marked.markAnew(t.Context(), tx, marked.place.Project(), reach) })
			if err != nil {
				t.Fatal(err)
			}
			before := marked.learned()
			marked.clock = plain.clock
			if added, err := Run(t.Context(), marked.Brain, Observe, late); err != nil || added != len(late) {
				t.Fatalf("stored %d, %v", added, err)
			}
			if got := marked.learned(); !reflect.DeepEqual(got.synapses, before.synapses) {
				t.Error("it was learned before its turn")
			}
			must(plain, Observe, late)
			if err := marked.Brain.learnAnew(t.Context()); err != nil {
				t.Fatal(err)
			}
			got, want := marked.learned(), plain.learned()
			if !slices.Equal(got.answers, want.answers) || !reflect.DeepEqual(got.synapses, want.synapses) {
				t.Errorf("answers %v, synapses %+v\nwant %v, %+v", got.answers, got.synapses, want.answers, want.synapses)
			}
			if got, want := marked.projectClock(), plain.projectClock(); got != want {
				t.Errorf("clock %d, want %d", got, want)
			}
		})
	}
}

// A process that forgets may end after any of its transactions. The next drain finishes it, and the result is the same.
func TestForgettingThatWasInterruptedIsFinishedByTheNextDrain(t *testing.T) {
	prepare := func() *lab {
		l := newLab(t)
		l.see(60, append(l.someWork(), l.touch("three", 40, memory.Edit, "secret/plan.go"), l.say("three", 41, memory.Prompted, "the secret plan"),
			l.touch("three", 42, memory.Edit, "web/auth.go"), l.say("three", 43, memory.SessionEnded, ""))...)
		return l
	}
	whole := prepare()
	must(whole, Forget, ForgetInput{Session: "three", Apply: true})
	want := whole.learned()
	for step := 1; ; step++ {
		l := prepare()
		ctx, cancel := context.WithCancel(t.Context())
		left := step
		l.store.Watch(func() func(store.RowCount) {
			return func(store.RowCount) {
				if left--; left == 0 {
					cancel()
				}
			}
		})
		_, err := Run(ctx, l.Brain, Forget, ForgetInput{Session: "three", Apply: true})
		cancel()
		l.store.Watch(nil)
		if left > 0 && err == nil {
			if step < 20 {
				t.Errorf("only %d transactions", step)
			}
			return
		}
		if !errors.Is(err, context.Canceled) && err != nil {
			t.Fatalf("after %d transactions: %v", step, err)
		}
		l.see(60)
		if marked, err := viewed(t.Context(), l.Brain, func(tx *store.Tx) ([]memory.ProjectID, error) { return markedAnew(t.Context(), tx) }); err != nil || len(marked) > 0 {
			t.Fatalf("after %d transactions: still marked %v, %v", step, marked, err)
		}
		if found := must(l, Events, EventsInput{Scope: Scope{All: true}}); slices.ContainsFunc(found, func(e memory.StoredEvent) bool { return e.AgentSession == "three" }) {
			t.Fatalf("after %d transactions: it is still there", step)
		}
		got := l.learned()
		if !slices.Equal(got.answers, want.answers) || !reflect.DeepEqual(got.synapses, want.synapses) {
			t.Fatalf("after %d transactions: answers %v, synapses %+v\nwant %v, %+v", step, got.answers, got.synapses, want.answers, want.synapses)
		}
	}
}
