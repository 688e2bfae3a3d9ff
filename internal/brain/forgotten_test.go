package brain

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/bootstrap"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

const aDay = 24 * time.Hour

// on moves the lab's clock to so many days after start.
func (l *lab) on(day float64) { l.clock = start.Add(time.Duration(day * float64(aDay))) }

// sleeps lets it sleep so many days after start.
func (l *lab) sleeps(day float64) SleepReport {
	l.t.Helper()
	l.on(day)
	return must(l, Sleep, SleepInput{Yes: true})
}

// met lets a run meet files once, each with each: links of noise, if nothing follows.
func (l *lab) met(run string, files ...string) {
	l.t.Helper()
	l.work(run, l.clock.Sub(start).Minutes()).read(files...).end()
}

func view(l *lab, look func(*store.Tx) error) {
	l.t.Helper()
	if err := l.store.View(l.t.Context(), look); err != nil {
		l.t.Fatal(err)
	}
}

// names are those of what was forgotten or came back, in order.
func names(lost []Lost) (found []string) {
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

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func (l *lab) forgotten(in ForgottenInput) []Lost {
	l.t.Helper()
	in.Scope = shop
	return must(l, Forgotten, in)
}

func (l *lab) comeBack(in BringBackInput) BringBackResult {
	l.t.Helper()
	in.Scope = shop
	return must(l, BringBack, in)
}

func TestWhatSleepForgotIsTold(t *testing.T) {
	l := newLab(t)
	l.met("one", "a.go", "b.go")
	first := l.sleeps(4)
	l.on(5)
	l.met("two", "a.go", "c.go")
	second := l.sleeps(10)
	all := l.forgotten(ForgottenInput{})
	same(t, "all", names(all), "a.go+b.go", "a.go+c.go")
	latest, until := all[0], start.Add(40*aDay)
	if latest.Sleep != second.ID || latest.Reason != plasticity.Noise || !latest.At.Equal(l.clock) || !latest.CanReturn || !latest.Until.Equal(until) {
		t.Errorf("the latest: %+v, want noise of sleep %d that can return until %s", latest, second.ID, until)
	}
	for name, c := range map[string]struct {
		in   ForgottenInput
		want []string
	}{
		"one file":         {ForgottenInput{Files: []string{"b.go"}}, []string{"a.go+b.go"}},
		"a file of both":   {ForgottenInput{Files: []string{"a.go"}}, []string{"a.go+b.go", "a.go+c.go"}},
		"between two":      {ForgottenInput{Files: []string{"c.go", "a.go"}}, []string{"a.go+c.go"}},
		"between others":   {ForgottenInput{Files: []string{"c.go", "b.go"}}, nil},
		"between three":    {ForgottenInput{Files: []string{"c.go", "b.go", "a.go"}}, []string{"a.go+b.go", "a.go+c.go"}},
		"named twice":      {ForgottenInput{Files: []string{"b.go", "b.go"}}, []string{"a.go+b.go"}},
		"one sleep":        {ForgottenInput{Sleep: first.ID}, []string{"a.go+b.go"}},
		"since":            {ForgottenInput{Since: start.Add(6 * aDay)}, []string{"a.go+c.go"}},
		"the latest":       {ForgottenInput{Limit: 1}, []string{"a.go+c.go"}},
		"the latest of it": {ForgottenInput{Files: []string{"a.go"}, Limit: 1}, []string{"a.go+c.go"}},
	} {
		same(t, name, names(l.forgotten(c.in)), c.want...)
	}
	for _, name := range []string{"a.go", "b.go"} {
		for _, lost := range l.forgotten(ForgottenInput{Files: []string{name}}) {
			if lost.What.Key != name {
				t.Errorf("of %s: told as %s", name, lost.Name())
			}
		}
	}
	elsewhere, err := Run(t.Context(), l.Brain, Forgotten, ForgottenInput{Scope: Scope{Dir: t.TempDir()}})
	if err != nil || elsewhere == nil || len(elsewhere) > 0 {
		t.Errorf("another project has forgotten %v, %v", elsewhere, err)
	}
	idle := l.sleeps(10.5) // asked for, so it is remembered, though it found nothing to do
	same(t, "a sleep that forgot nothing", names(l.forgotten(ForgottenInput{Sleep: idle.ID})))
	_, err = Run(t.Context(), l.Brain, Forgotten, ForgottenInput{Scope: shop, Sleep: idle.ID + 1})
	if !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), fmt.Sprintf("sleep %d (hebb timeline lists sleeps)", idle.ID+1)) {
		t.Errorf("a sleep that never was: %v", err)
	}
	l.on(41)
	if old := l.forgotten(ForgottenInput{Limit: 1})[0]; old.CanReturn {
		t.Errorf("after its time: %+v", old)
	}
}

func TestWhatIsBroughtBackIsCapturedAndStays(t *testing.T) {
	l := newLab(t)
	l.met("one", "a.go", "b.go", "c.go")
	if r := l.sleeps(4); r.Decay.PrunedSynapses != 3 {
		t.Fatalf("forgot %+v, want the three links", r.Decay)
	}
	dry := l.comeBack(BringBackInput{ForgottenInput: ForgottenInput{Files: []string{"a.go", "b.go"}}, Dry: true})
	same(t, "would come back", names(dry.Back), "a.go+b.go")
	if w := l.weight("a.go", "b.go"); w != 0 || len(l.forgotten(ForgottenInput{})) != 3 || !dry.Dry {
		t.Errorf("a dry run left a weight of %.2f and %v", w, l.forgotten(ForgottenInput{}))
	}

	same(t, "came back", names(l.comeBack(BringBackInput{ForgottenInput: ForgottenInput{Files: []string{"a.go", "b.go"}}}).Back), "a.go+b.go")
	for _, way := range [][2]string{{"a.go", "b.go"}, {"b.go", "a.go"}} {
		if w := l.weight(way[0], way[1]); math.Abs(w-.3) > 1e-9 {
			t.Errorf("%v came back with %.3f, want .3", way, w)
		}
	}
	same(t, "still forgotten", names(l.forgotten(ForgottenInput{})), "a.go+c.go", "b.go+c.go")
	if n := l.neuron("a.go").Links; n != 1 {
		t.Errorf("a.go has %d links, want the one", n)
	}
	for _, day := range []float64{4.1, 6, 12} {
		if r := l.sleeps(day); r.Decay.PrunedSynapses+r.Decay.PrunedNeurons != 0 || l.weight("a.go", "b.go") == 0 {
			t.Errorf("the sleep of day %.1f forgot %+v", day, r.Decay)
		}
	}
}

func TestAFileComesBackWithItsLink(t *testing.T) {
	l := newLab(t)
	l.met("one", "a.go", "b.go")
	l.sleeps(4)
	if r := l.sleeps(30); r.Decay.PrunedNeurons != 2 || !l.neuron("a.go").Gone {
		t.Fatalf("forgot %+v, want the two files without links", r.Decay)
	}
	l.on(31)
	same(t, "came back", names(l.comeBack(BringBackInput{ForgottenInput: ForgottenInput{Since: start, Sleep: 1}}).Back), "a.go", "a.go+b.go", "b.go")
	if l.neuron("a.go").Gone || l.neuron("b.go").Gone || len(l.forgotten(ForgottenInput{})) > 0 {
		t.Errorf("still forgotten: %+v", l.forgotten(ForgottenInput{}))
	}
	if r := l.sleeps(32); r.Decay.PrunedSynapses+r.Decay.PrunedNeurons != 0 {
		t.Errorf("the next sleep forgot %+v", r.Decay)
	}
}

func TestAFileComesBackAlone(t *testing.T) {
	l := newLab(t)
	l.met("one", "a.go")
	l.sleeps(30)
	same(t, "came back", names(l.comeBack(BringBackInput{ForgottenInput: ForgottenInput{Files: []string{"a.go"}}}).Back), "a.go")
	if n := l.neuron("a.go"); n.Gone || n.Accesses != 1 {
		t.Errorf("came back as %+v", n)
	}
	if r := l.sleeps(31); r.Decay.PrunedNeurons != 0 {
		t.Errorf("the next sleep forgot %+v", r.Decay)
	}
}

func TestEverythingOfAProjectComesBack(t *testing.T) {
	l := newLab(t)
	l.met("one", "a.go", "b.go", "c.go")
	l.sleeps(4)
	l.sleeps(30)
	same(t, "came back", names(l.comeBack(BringBackInput{Everything: true}).Back),
		"a.go", "a.go+b.go", "a.go+c.go", "b.go", "b.go+c.go", "c.go")
	if n := l.neuron("a.go").Links; n != 2 {
		t.Errorf("a.go has %d links, want 2", n)
	}
}

func TestWhatCannotComeBackIsSaid(t *testing.T) {
	for _, c := range []struct {
		name string
		day  float64
		in   BringBackInput
		want error
		says string
	}{
		{"too late", 35, BringBackInput{ForgottenInput: ForgottenInput{Files: []string{"a.go", "b.go"}}}, memory.ErrRefused,
			"forgotten on 2026-11-19, too late since 2026-12-19"},
		{"too late for all", 35, BringBackInput{Everything: true}, memory.ErrRefused, "too late since 2026-12-19"},
		{"never forgotten", 5, BringBackInput{ForgottenInput: ForgottenInput{Files: []string{"kept.go"}}}, memory.ErrNotFound,
			`sleep has forgotten nothing about "kept.go"`},
		{"no such link", 5, BringBackInput{ForgottenInput: ForgottenInput{Files: []string{"kept.go", "a.go"}}}, memory.ErrNotFound,
			`nothing between ["kept.go" "a.go"]`},
		{"unknown", 5, BringBackInput{ForgottenInput: ForgottenInput{Files: []string{"nowhere.go"}}}, memory.ErrNotFound,
			`nothing called "nowhere.go" was forgotten in this project`},
		{"no such sleep", 5, BringBackInput{ForgottenInput: ForgottenInput{Sleep: 99}}, memory.ErrNotFound, "sleep 99 (hebb timeline lists sleeps)"},
		{"nothing since", 5, BringBackInput{ForgottenInput: ForgottenInput{Since: start.Add(5 * aDay)}}, memory.ErrNotFound, "since 2026-11-20"},
		{"nothing said", 5, BringBackInput{}, memory.ErrInvalid, "say what"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t)
			l.met("one", "a.go", "b.go")
			l.clock = l.clock.Add(time.Hour)
			l.met("two", "kept.go")
			l.sleeps(4)
			l.on(c.day)
			c.in.Scope = shop
			_, err := Run(t.Context(), l.Brain, BringBack, c.in)
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("said %v, want %v that says %q", err, c.want, c.says)
			}
		})
	}
}

func TestMoreTimeLaterBringsNothingBack(t *testing.T) {
	l := newLab(t)
	l.met("one", "a.go")
	l.sleeps(40)
	l.sleeps(75)
	l.config.Tuning.Sleep.Restore = 90 * aDay
	_, err := Run(t.Context(), l.Brain, BringBack, BringBackInput{ForgottenInput: ForgottenInput{Scope: shop, Files: []string{"a.go"}, Sleep: 1}})
	if !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "forgotten on 2026-12-25, and what it was is no longer kept") {
		t.Errorf("said %v", err)
	}
}

func TestALinkOfADeletedFileStaysForgotten(t *testing.T) {
	l := newLab(t)
	l.met("one", "a.go", "b.go", "c.go")
	l.observe(l.commit(60, "drop c", memory.Touch{Kind: memory.Delete, Path: "c.go"}))
	l.sleeps(8)
	r := l.comeBack(BringBackInput{ForgottenInput: ForgottenInput{Files: []string{"a.go"}}})
	same(t, "came back", names(r.Back), "a.go+b.go")
	if len(r.Skipped) != 1 || r.Skipped[0].Why != "c.go is no longer in the project" {
		t.Errorf("skipped %+v", r.Skipped)
	}
	_, err := Run(t.Context(), l.Brain, BringBack, BringBackInput{ForgottenInput: ForgottenInput{Scope: shop, Files: []string{"b.go", "c.go"}}})
	if !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "c.go is no longer in the project") {
		t.Errorf("alone: %v", err)
	}
	l.clock = l.clock.Add(time.Hour)
	l.met("two", "c.go") // it is there again
	same(t, "came back later", names(l.comeBack(BringBackInput{ForgottenInput: ForgottenInput{Files: []string{"a.go"}}}).Back), "a.go+c.go")
}

func TestOfALinkThatFormedAnewTheStrongerIsKept(t *testing.T) {
	for name, c := range map[string]struct{ was, is, want float64 }{
		"it is stronger":        {.1, .7, .7},
		"it was stronger":       {.6, .4, .6},
		"both weak, it matters": {.1, .2, .3},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.met("one", "a.go", "b.go")
			a, b := l.neuron("a.go").ID, l.neuron("b.go").ID
			err := l.store.Update(t.Context(), func(tx *store.Tx) error {
				rules, err := l.rules(t.Context(), tx, l.place.Project())
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
				return errors.Join(tx.Linked(t.Context(), plasticity.Pair{a, b}), tx.LetGo(t.Context(), gone),
					tx.SaveSynapses(t.Context(), []store.Synapse{now}))
			})
			if err != nil {
				t.Fatal(err)
			}
			l.comeBack(BringBackInput{Everything: true})
			if w := l.weight("a.go", "b.go"); math.Abs(w-c.want) > 1e-9 {
				t.Errorf("weight %.3f, want %.3f", w, c.want)
			}
			view(l, func(tx *store.Tx) error {
				link, err := tx.Synapse(t.Context(), a, b)
				if !link.TaggedAt.IsZero() {
					t.Error("it still waits for a second meeting")
				}
				return err
			})
			if left := l.forgotten(ForgottenInput{}); len(left) > 0 {
				t.Errorf("still forgotten: %+v", left)
			}
		})
	}
}

func TestARobotsCommitTakesAFileOffTheList(t *testing.T) {
	l := newLab(t)
	l.met("one", "go.sum")
	l.sleeps(30)
	same(t, "forgotten", names(l.forgotten(ForgottenInput{})), "go.sum")
	e := l.commit(0, "bump", changed("go.sum")...)
	e.At, e.Subagent = l.clock, bootstrap.BotSubagent
	l.observe(e)
	same(t, "forgotten after it was met", names(l.forgotten(ForgottenInput{})))
}
