package forget_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// Events that arrive while their project waits to be rebuilt are learned at once, and are in what is rebuilt.
func TestWhatArrivesBeforeAProjectIsRebuiltIsLearnedAtOnce(t *testing.T) {
	marked, plain := braintest.NewLab(t), braintest.NewLab(t)
	for _, l := range []*braintest.Lab{marked, plain} {
		l.See(60, l.SomeWork()...)
	}
	must.Do(t, marked.Store.Update(t.Context(), func(tx *store.Tx) error { return record.MarkAnew(t.Context(), tx, marked.Place.Project()) }))
	late := []memory.Event{
		marked.Touch("late", 70, memory.Edit, "web/login.go"), marked.Touch("late", 71, memory.Edit, "web/late.go"),
		marked.Say("late", 72, memory.SessionEnded, ""),
	}
	for _, l := range []*braintest.Lab{marked, plain} {
		l.Clock = plain.Clock
		braintest.Must(l, steward.Observe, late)
	}
	for _, rebuilt := range []bool{false, true} {
		if rebuilt {
			must.Do(t, forget.LearnAnew(t.Context(), marked.Brain))
			plain.LearnAnew(plain.Place)
		}
		got, want := marked.Learned(), plain.Learned()
		if !slices.Equal(got.Answers, want.Answers) || !reflect.DeepEqual(got.Synapses, want.Synapses) {
			t.Errorf("rebuilt %v: answers %v, synapses %+v\nwant %v, %+v", rebuilt, got.Answers, got.Synapses, want.Answers, want.Synapses)
		}
		if got, want := marked.ProjectClock(), plain.ProjectClock(); got != want {
			t.Errorf("rebuilt %v: clock %d, want %d", rebuilt, got, want)
		}
	}
}

// A process that forgets may end after any of its transactions. The next drain finishes it, and the result is the same.
func TestForgettingThatWasInterruptedIsFinishedByTheNextDrain(t *testing.T) {
	prepare := func() *braintest.Lab {
		l := braintest.NewLab(t)
		l.See(60, append(l.SomeWork(), l.Touch("three", 40, memory.Edit, "secret/plan.go"), l.Say("three", 41, memory.Prompted, "the secret plan"),
			l.Touch("three", 42, memory.Edit, "web/auth.go"), l.Say("three", 43, memory.SessionEnded, ""))...)
		return l
	}
	whole := prepare()
	braintest.Must(whole, steward.Forget, forget.ForgetInput{Session: "three", Apply: true})
	whole.Drains(60, steward.DrainInput{Think: true})
	want := whole.Learned()
	for step := 1; ; step++ {
		l := prepare()
		ctx, cancel := context.WithCancel(t.Context())
		left := step
		l.Store.Watch(func() func(store.RowCount) {
			return func(store.RowCount) {
				if left--; left == 0 {
					cancel()
				}
			}
		})
		_, err := steward.Run(ctx, l.Brain, steward.Forget, forget.ForgetInput{Session: "three", Apply: true})
		cancel()
		l.Store.Watch(nil)
		if left > 0 && err == nil {
			if step < 15 {
				t.Errorf("only %d transactions", step)
			}
			return
		}
		if !errors.Is(err, context.Canceled) && err != nil {
			t.Fatalf("after %d transactions: %v", step, err)
		}
		l.Drains(60, steward.DrainInput{Think: true})
		if marked, err := brain.View(t.Context(), l.Store, func(tx *store.Tx) (map[memory.ProjectID]record.Mark, error) {
			return record.Anew.ByProject(t.Context(), tx)
		}); err != nil || len(marked) > 0 {
			t.Fatalf("after %d transactions: still marked %v, %v", step, marked, err)
		}
		if found := braintest.Must(l, inspect.Events, inspect.EventsInput{Scope: brain.Scope{All: true}}); slices.ContainsFunc(found, func(e memory.StoredEvent) bool { return e.AgentSession == "three" }) {
			t.Fatalf("after %d transactions: it is still there", step)
		}
		if step%10 == 0 { // it reads all files
			must.Do(t, filepath.WalkDir(l.Config.Dir, func(path string, d os.DirEntry, err error) error {
				if err == nil && d.Type().IsRegular() && bytes.Contains(must.Get(os.ReadFile(path))(t), []byte("secret plan")) {
					t.Errorf("after %d transactions: %s still holds it", step, path)
				}
				return err
			}))
		}
		got := l.Learned()
		if !slices.Equal(got.Answers, want.Answers) || !reflect.DeepEqual(got.Synapses, want.Synapses) {
			t.Fatalf("after %d transactions: answers %v, synapses %+v\nwant %v, %+v", step, got.Answers, got.Synapses, want.Answers, want.Synapses)
		}
	}
}
