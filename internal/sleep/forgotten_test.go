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
	for name, c := range map[string]struct {
		in   sleep.ForgottenInput
		want []string
	}{
		"one file":         {sleep.ForgottenInput{Files: []string{"b.go"}}, []string{"a.go+b.go"}},
		"a file of both":   {sleep.ForgottenInput{Files: []string{"a.go"}}, []string{"a.go+b.go", "a.go+c.go"}},
		"between two":      {sleep.ForgottenInput{Files: []string{"c.go", "a.go"}}, []string{"a.go+c.go"}},
		"between others":   {sleep.ForgottenInput{Files: []string{"c.go", "b.go"}}, nil},
		"between three":    {sleep.ForgottenInput{Files: []string{"c.go", "b.go", "a.go"}}, []string{"a.go+b.go", "a.go+c.go"}},
		"named twice":      {sleep.ForgottenInput{Files: []string{"b.go", "b.go"}}, []string{"a.go+b.go"}},
		"one sleep":        {sleep.ForgottenInput{Sleep: first.ID}, []string{"a.go+b.go"}},
		"since":            {sleep.ForgottenInput{Since: braintest.Start.Add(6 * braintest.ADay)}, []string{"a.go+c.go"}},
		"the latest":       {sleep.ForgottenInput{Limit: 1}, []string{"a.go+c.go"}},
		"the latest of it": {sleep.ForgottenInput{Files: []string{"a.go"}, Limit: 1}, []string{"a.go+c.go"}},
	} {
		braintest.Same(t, name, names(l.Forgotten(c.in)), c.want...)
	}
	for _, name := range []string{"a.go", "b.go"} {
		for _, lost := range l.Forgotten(sleep.ForgottenInput{Files: []string{name}}) {
			if lost.What.Key != name {
				t.Errorf("of %s: shown as %s", name, lost.Name())
			}
		}
	}
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
	dry := l.ComeBack(sleep.BringBackInput{ForgottenInput: sleep.ForgottenInput{Files: []string{"a.go", "b.go"}}, Dry: true})
	braintest.Same(t, "would come back", names(dry.Back), "a.go+b.go")
	if w := l.Weight("a.go", "b.go"); w != 0 || len(l.Forgotten(sleep.ForgottenInput{})) != 3 || !dry.Dry {
		t.Errorf("a dry run left a weight of %.2f and %v", w, l.Forgotten(sleep.ForgottenInput{}))
	}

	braintest.Same(t, "came back", names(l.ComeBack(sleep.BringBackInput{ForgottenInput: sleep.ForgottenInput{Files: []string{"a.go", "b.go"}}}).Back), "a.go+b.go")
	for _, way := range [][2]string{{"a.go", "b.go"}, {"b.go", "a.go"}} {
		if w := l.Weight(way[0], way[1]); math.Abs(w-.3) > 1e-9 {
			t.Errorf("%v came back with %.3f, want .3", way, w)
		}
	}
	braintest.Same(t, "still forgotten", names(l.Forgotten(sleep.ForgottenInput{})), "a.go+c.go", "b.go+c.go")
	if n := l.Neuron("a.go").Links; n != 1 {
		t.Errorf("a.go has %d links, want the one", n)
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
	braintest.Same(t, "came back", names(l.ComeBack(sleep.BringBackInput{ForgottenInput: sleep.ForgottenInput{Since: braintest.Start, Sleep: 1}}).Back), "a.go", "a.go+b.go", "b.go")
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
	braintest.Same(t, "came back", names(l.ComeBack(sleep.BringBackInput{ForgottenInput: sleep.ForgottenInput{Files: []string{"a.go"}}}).Back), "a.go")
	if n := l.Neuron("a.go"); n.Gone || n.Accesses != 1 {
		t.Errorf("came back as %+v", n)
	}
	if r := l.Sleeps(31); r.Decay.PrunedNeurons != 0 {
		t.Errorf("the next sleep forgot %+v", r.Decay)
	}
}

func TestWhatCannotComeBackIsSaid(t *testing.T) {
	for _, c := range []struct {
		name string
		day  float64
		in   sleep.BringBackInput
		want error
		says string
	}{
		{"too late", 35, sleep.BringBackInput{ForgottenInput: sleep.ForgottenInput{Files: []string{"a.go", "b.go"}}}, memory.ErrRefused,
			"forgotten on 2026-11-19, too late since 2026-12-19"},
		{"too late for all", 35, sleep.BringBackInput{Everything: true}, memory.ErrRefused, "too late since 2026-12-19"},
		{"never forgotten", 5, sleep.BringBackInput{ForgottenInput: sleep.ForgottenInput{Files: []string{"kept.go"}}}, memory.ErrNotFound,
			`sleep has forgotten nothing about "kept.go"`},
		{"no such link", 5, sleep.BringBackInput{ForgottenInput: sleep.ForgottenInput{Files: []string{"kept.go", "a.go"}}}, memory.ErrNotFound,
			`nothing between ["kept.go" "a.go"]`},
		{"unknown", 5, sleep.BringBackInput{ForgottenInput: sleep.ForgottenInput{Files: []string{"nowhere.go"}}}, memory.ErrNotFound,
			`nothing called "nowhere.go" was forgotten in this project`},
		{"no such sleep", 5, sleep.BringBackInput{ForgottenInput: sleep.ForgottenInput{Sleep: 99}}, memory.ErrNotFound, "sleep 99 (hebb sessions timeline lists sleeps)"},
		{"nothing since", 5, sleep.BringBackInput{ForgottenInput: sleep.ForgottenInput{Since: braintest.Start.Add(5 * braintest.ADay)}}, memory.ErrNotFound, "since 2026-11-20"},
		{"nothing said", 5, sleep.BringBackInput{}, memory.ErrInvalid, "say what"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := braintest.NewLab(t)
			l.Met("one", "a.go", "b.go")
			l.Clock = l.Clock.Add(time.Hour)
			l.Met("two", "kept.go")
			l.Sleeps(4)
			l.On(c.day)
			l.WorkedOn()
			c.in.Scope = braintest.Shop
			_, err := steward.Run(t.Context(), l.Brain, sleep.BringBack, c.in)
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("said %v, want %v that says %q", err, c.want, c.says)
			}
		})
	}
}

func TestALinkOfADeletedFileStaysForgotten(t *testing.T) {
	l := braintest.NewLab(t)
	l.Met("one", "a.go", "b.go", "c.go")
	l.Observe(l.Commit(60, "drop c", memory.Touch{Kind: memory.Delete, Path: "c.go"}))
	l.Sleeps(8)
	r := l.ComeBack(sleep.BringBackInput{ForgottenInput: sleep.ForgottenInput{Files: []string{"a.go"}}})
	braintest.Same(t, "came back", names(r.Back), "a.go+b.go")
	if len(r.Skipped) != 1 || r.Skipped[0].Why != "c.go is no longer in the project" {
		t.Errorf("skipped %+v", r.Skipped)
	}
	_, err := steward.Run(t.Context(), l.Brain, sleep.BringBack, sleep.BringBackInput{ForgottenInput: sleep.ForgottenInput{Scope: braintest.Shop, Files: []string{"b.go", "c.go"}}})
	if !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "c.go is no longer in the project") {
		t.Errorf("alone: %v", err)
	}
	l.Clock = l.Clock.Add(time.Hour)
	l.Met("two", "c.go") // it is there again
	braintest.Same(t, "came back later", names(l.ComeBack(sleep.BringBackInput{ForgottenInput: sleep.ForgottenInput{Files: []string{"a.go"}}}).Back), "a.go+c.go")
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
			l.ComeBack(sleep.BringBackInput{Everything: true})
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
