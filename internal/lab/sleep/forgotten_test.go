package sleep_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// names are those of what was forgotten or came back, in order.
func names(lost []sleep.Lost) (found []string) {
	for _, l := range lost {
		ends := []string{l.What.Key}
		if l.With != nil {
			ends = append(ends, l.With.Key)
			slices.Sort(ends)
		}
		found = append(found, strings.Join(ends, "+"))
	}
	slices.Sort(found)
	return found
}

func TestWhatSleepForgotIsTold(t *testing.T) {
	l := braintest.NewLab(t)
	l.Met("one", "a.go", "b.go")
	first := l.Sleeps(4)
	l.On(5)
	l.Met("two", "a.go", "c.go")
	second := l.Sleeps(10)
	all := l.Forgotten(sleep.ForgottenInput{})
	braintest.Same(t, "all", names(all), "a.go+b.go", "a.go+c.go")
	latest, until := all[0], braintest.Start.Add(40*braintest.ADay)
	if latest.Sleep != second.ID || latest.Reason != plasticity.Noise || !latest.At.Equal(l.Clock) || !latest.CanReturn || !latest.Until.Equal(until) {
		t.Errorf("the latest: %+v, want noise of sleep %d that can return until %s", latest, second.ID, until)
	}
	braintest.Same(t, "one sleep", names(l.Forgotten(sleep.ForgottenInput{Sleep: first.ID})), "a.go+b.go")
	braintest.Same(t, "the latest", names(l.Forgotten(sleep.ForgottenInput{Limit: 1})), "a.go+c.go")
	elsewhere, err := steward.Run(t.Context(), l.Brain, sleep.Forgotten, sleep.ForgottenInput{Scope: brain.Scope{Dir: t.TempDir()}})
	if err != nil || elsewhere == nil || len(elsewhere) > 0 {
		t.Errorf("another project has forgotten %v, %v", elsewhere, err)
	}
	idle := l.Sleeps(10.5) // asked for, so it is remembered, though it found nothing to do
	braintest.Same(t, "a sleep that forgot nothing", names(l.Forgotten(sleep.ForgottenInput{Sleep: idle.ID})))
	_, err = steward.Run(t.Context(), l.Brain, sleep.Forgotten, sleep.ForgottenInput{Scope: braintest.Shop, Sleep: idle.ID + 1})
	if !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), fmt.Sprintf("sleep %d (hebb sessions timeline lists sleeps)", idle.ID+1)) {
		t.Errorf("a sleep that never was: %v", err)
	}
	l.On(41)
	l.WorkedOn()
	if old := l.Forgotten(sleep.ForgottenInput{Limit: 1})[0]; old.CanReturn {
		t.Errorf("after its time: %+v", old)
	}
}

func TestWhatIsBroughtBackIsCapturedAndStays(t *testing.T) {
	l := braintest.NewLab(t)
	l.Met("one", "a.go", "b.go", "c.go")
	if r := l.Sleeps(4); r.Decay.PrunedSynapses != 3 {
		t.Fatalf("forgot %+v, want the three links", r.Decay)
	}
	braintest.Same(t, "came back", names(l.Undoes(0).Back), "a.go+b.go", "a.go+c.go", "b.go+c.go")
	for _, way := range [][2]string{{"a.go", "b.go"}, {"b.go", "a.go"}} {
		if w := l.Weight(way[0], way[1]); math.Abs(w-.3) > 1e-9 {
			t.Errorf("%v came back with %.3f, want .3", way, w)
		}
	}
	if n := l.Neuron("a.go").Links; n != 2 || len(l.Forgotten(sleep.ForgottenInput{})) > 0 {
		t.Errorf("a.go has %d links, want two", n)
	}
	for _, day := range []float64{4.1, 6, 12} {
		if r := l.Sleeps(day); r.Decay.PrunedSynapses+r.Decay.PrunedNeurons != 0 || l.Weight("a.go", "b.go") == 0 {
			t.Errorf("the sleep of day %.1f forgot %+v", day, r.Decay)
		}
	}
}

func TestAFileComesBackWithItsLink(t *testing.T) {
	l := braintest.NewLab(t)
	l.Met("one", "a.go", "b.go")
	l.Sleeps(4)
	if r := l.Sleeps(30); r.Decay.PrunedNeurons != 2 || !l.Neuron("a.go").Gone {
		t.Fatalf("forgot %+v, want the two files without links", r.Decay)
	}
	l.On(31)
	braintest.Same(t, "came back", names(l.Undoes(1).Back), "a.go", "a.go+b.go", "b.go")
	if l.Neuron("a.go").Gone || l.Neuron("b.go").Gone || len(l.Forgotten(sleep.ForgottenInput{})) > 0 {
		t.Errorf("still forgotten: %+v", l.Forgotten(sleep.ForgottenInput{}))
	}
	if r := l.Sleeps(32); r.Decay.PrunedSynapses+r.Decay.PrunedNeurons != 0 {
		t.Errorf("the next sleep forgot %+v", r.Decay)
	}
}

func TestAFileComesBackAlone(t *testing.T) {
	l := braintest.NewLab(t)
	l.Met("one", "a.go")
	l.Sleeps(30)
	braintest.Same(t, "came back", names(l.Undoes(0).Back), "a.go")
	if n := l.Neuron("a.go"); n.Gone || n.Accesses != 1 {
		t.Errorf("came back as %+v", n)
	}
	if r := l.Sleeps(31); r.Decay.PrunedNeurons != 0 {
		t.Errorf("the next sleep forgot %+v", r.Decay)
	}
}

func TestWhatCannotComeBackIsSaid(t *testing.T) {
	for _, c := range []struct {
		name  string
		day   float64
		sleep int64
		want  error
		says  string
	}{
		{"too late", 35, 1, memory.ErrRefused, "forgotten on 2026-11-19, too late since 2026-12-19"},
		{"no such sleep", 5, 99, memory.ErrNotFound, "sleep 99 (hebb sessions timeline lists sleeps)"},
		{"a sleep that forgot nothing", 5, 2, memory.ErrNotFound, "sleep 2 has forgotten nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := braintest.NewLab(t)
			l.Met("one", "a.go", "b.go")
			l.Clock = l.Clock.Add(time.Hour)
			l.Met("two", "kept.go")
			l.Sleeps(4)
			l.Sleeps(4.1)
			l.On(c.day)
			l.WorkedOn()
			_, err := steward.Run(t.Context(), l.Brain, sleep.Undo, sleep.UndoInput{Sleep: c.sleep})
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("said %v, want %v that says %q", err, c.want, c.says)
			}
		})
	}
	if _, err := steward.Run(t.Context(), braintest.NewLab(t).Brain, sleep.Undo, sleep.UndoInput{}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("before the first sleep: %v", err)
	}
}

func TestALinkOfADeletedFileStaysForgotten(t *testing.T) {
	l := braintest.NewLab(t)
	l.Met("one", "a.go", "b.go", "c.go")
	l.Observe(l.Commit(60, "drop c", memory.Touch{Kind: memory.Delete, Path: "c.go"}))
	slept := l.Sleeps(8).ID
	r := l.Undoes(slept)
	braintest.Same(t, "came back", names(r.Back), "a.go+b.go")
	if len(r.Skipped) != 2 || r.Skipped[0].Why != "c.go is no longer in the project" {
		t.Errorf("skipped %+v", r.Skipped)
	}
	l.Clock = l.Clock.Add(time.Hour)
	l.Met("two", "c.go") // it is there again
	braintest.Same(t, "came back later", names(l.Undoes(slept).Back), "a.go+c.go", "b.go+c.go")
}

func TestOfALinkThatFormedAnewTheStrongerIsKept(t *testing.T) {
	for name, c := range map[string]struct{ was, is, want float64 }{
		"it is stronger":        {.1, .7, .7},
		"it was stronger":       {.6, .4, .6},
		"both weak, it matters": {.1, .2, .3},
	} {
		t.Run(name, func(t *testing.T) {
			l := braintest.NewLab(t)
			l.Met("one", "a.go", "b.go")
			a, b := l.Neuron("a.go").ID, l.Neuron("b.go").ID
			err := l.Store.Update(t.Context(), func(tx *store.Tx) error {
				rules, err := l.Rules(t.Context(), tx, l.Place.Project())
				if err != nil {
					return err
				}
				now, err := tx.Synapse(t.Context(), a, b)
				if err != nil {
					return err
				}
				was, day := now, plasticity.Days(tx.Now)
				was.AB, was.BA = rules.Weight.Store(c.was, day), rules.Weight.Store(c.was, day)
				now.AB, now.BA = rules.Weight.Store(c.is, day), rules.Weight.Store(c.is, day)
				gone := store.Gone{A: was.A, B: was.B, Project: was.Project, Reason: plasticity.Noise, Sleep: 1, Synapse: &was}
				// The count goes first: saying that it is there again would take it off the list.
				return errors.Join(tx.Linked(t.Context(), plasticity.Pair{a, b}), tx.Prune(t.Context(), gone),
					tx.SaveSynapses(t.Context(), []store.Synapse{now}))
			})
			if err != nil {
				t.Fatal(err)
			}
			l.Undoes(0)
			if w := l.Weight("a.go", "b.go"); math.Abs(w-c.want) > 1e-9 {
				t.Errorf("weight %.3f, want %.3f", w, c.want)
			}
			braintest.View(l, func(tx *store.Tx) error {
				link, err := tx.Synapse(t.Context(), a, b)
				if !link.TaggedAt.IsZero() {
					t.Error("it still waits for a second meeting")
				}
				return err
			})
			if left := l.Forgotten(sleep.ForgottenInput{}); len(left) > 0 {
				t.Errorf("still forgotten: %+v", left)
			}
		})
	}
}

func TestARobotsCommitTakesAFileOffTheList(t *testing.T) {
	l := braintest.NewLab(t)
	l.Met("one", "go.sum")
	l.Sleeps(30)
	braintest.Same(t, "forgotten", names(l.Forgotten(sleep.ForgottenInput{})), "go.sum")
	e := l.Commit(0, "bump", braintest.Changed("go.sum")...)
	e.At, e.Subagent = l.Clock, git.BotSubagent
	l.Observe(e)
	braintest.Same(t, "forgotten after it was met", names(l.Forgotten(sleep.ForgottenInput{})))
}
