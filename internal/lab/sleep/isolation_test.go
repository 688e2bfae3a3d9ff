package sleep_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

var elsewhere = memory.Place{Identity: "/bank/.git", Root: "/bank"}

func seed(t *testing.T) *rand.Rand {
	t.Helper()
	n := rand.Uint64()
	if text := os.Getenv("HEBB_SEED"); text != "" {
		var err error
		if n, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("HEBB_SEED=%s: %v", text, err)
		}
	}
	t.Logf("reproduce with HEBB_SEED=%d", n)
	return rand.New(rand.NewPCG(n, 0))
}

// busy makes homeostasis, slices and replay work on a small store.
func busy(l *braintest.Lab) {
	n, t := &l.Numbers, &l.Numbers.Plasticity
	n.BalanceLeast, n.WeightTarget, n.MyelinTarget = 2, .05, .01
	t.ReplayAccesses, t.PairSessions, t.BusyTimes, t.RareMyelin, t.ReviewMyelin = 2, 2, 1.2, .001, .001
}

// interleaving is one random history of two projects, lived by one memory with both of them and by one that only ever meets
// the second.
type interleaving struct {
	r           *rand.Rand
	both, alone *braintest.Lab
	minutes     float64
	runs        int
	kept        map[string][]memory.Event // by project
}

// step does one thing to one of the projects, or sleeps, and says what it was.
func (i *interleaving) step() string {
	i.minutes += float64(5 + i.r.IntN(3*braintest.DayMinutes))
	i.both.At(i.minutes)
	i.alone.At(i.minutes)
	place := elsewhere
	if i.r.IntN(2) == 0 {
		place = i.both.Place
	}
	labs := []*braintest.Lab{i.both}
	if place == i.both.Place {
		labs = append(labs, i.alone)
	}
	scope := brain.Scope{Project: place.Project().String()}
	known := i.both.Figures(place).Known
	switch what := i.r.IntN(12); {
	case what < 2:
		in := sleep.SleepInput{Gently: i.r.IntN(2) == 0}
		for _, l := range []*braintest.Lab{i.both, i.alone} {
			l.SleepOn(i.minutes/braintest.DayMinutes, in)
		}
		return "sleep"
	case what < 4 && known:
		event := i.kept[place.Identity][i.r.IntN(len(i.kept[place.Identity]))]
		in := forget.ForgetInput{IDs: []memory.EventID{event.ID}, Apply: true}
		if event.AgentSession != "" && i.r.IntN(2) == 0 {
			in = forget.ForgetInput{Session: event.AgentSession, Apply: true}
		}
		forgetIn(labs, in)
		return "forget in " + place.Identity
	case what == 4 && known:
		for _, l := range labs {
			l.LearnAnew(place)
		}
		return "relearn " + place.Identity
	case what == 5 && known:
		text := fmt.Sprintf("the login redirect of step %d goes through the gateway", i.r.IntN(4))
		for _, l := range labs {
			braintest.Must(l, statements.Remember, statements.RememberInput{Scope: scope, Text: text, Origin: memory.OriginAgent})
			braintest.Must(l, goals.AddGoal, goals.GoalInput{Scope: scope, Title: "make the redirect " + text})
		}
		return "remember in " + place.Identity
	}
	i.runs++
	events := i.both.SomeSession(i.r, place, fmt.Sprint("run ", i.runs), i.minutes)
	if i.r.IntN(3) == 0 {
		c := i.both.Commit(i.minutes, "fix the login redirect", braintest.Changed("f1.go", "f2.go", fmt.Sprintf("f%d.go", 3+i.r.IntN(4)))...)
		c.Place = place
		events = append(events, c)
	}
	i.kept[place.Identity] = append(i.kept[place.Identity], events...)
	i.minutes += 3
	i.both.See(i.minutes, events...)
	if place == elsewhere {
		events = nil // the drain itself closes sessions that fell silent, wherever they were
	}
	i.alone.See(i.minutes, events...)
	return "record in " + place.Identity
}

// forgetIn forgets what is there: it may be gone already.
func forgetIn(labs []*braintest.Lab, in forget.ForgetInput) {
	for _, l := range labs {
		if _, err := steward.Run(l.T.Context(), l.Brain, steward.Forget, in); err != nil && !brain.IsNotFound(err) {
			l.T.Fatalf("forget %+v: %v", in, err)
		}
		must.Do(l.T, forget.LearnAnew(l.T.Context(), l.Brain)) // as the next background drain does
	}
}

// TestNoJobInOneProjectChangesANumberOfAnother compares a project beside another one, after every step, with the same project
// alone: weights, myelin, heat, registers, what sleep forgot, recall, crystals and goals are the same to the bit.
func TestNoJobInOneProjectChangesANumberOfAnother(t *testing.T) {
	r := seed(t)
	var scaled, gone, links int
	for range must.Size(1, 3) {
		i := interleaving{r: r, both: braintest.NewLab(t), alone: braintest.NewLab(t), kept: map[string][]memory.Event{}}
		busy(i.both)
		busy(i.alone)
		var steps []string
		for range 30 {
			steps = append(steps, i.step())
			must.Do(t, errors.Join(forget.LearnAnew(t.Context(), i.both.Brain), forget.LearnAnew(t.Context(), i.alone.Brain)))
			f := i.both.Figures(i.both.Place)
			if what := f.Differ(i.alone.Figures(i.alone.Place)); what != "" {
				t.Fatalf("after %q, beside another project and alone, differ in %s", steps, what)
			}
			scaled, gone, links = scaled+len(f.Registers), gone+len(f.Gone), links+len(f.Links)
		}
	}
	if scaled == 0 || gone == 0 || links == 0 {
		t.Errorf("%d registers, %d forgotten, %d links: too little happened to prove anything", scaled, gone, links)
	}
}

// work lets labs see the same days of work and sleep, each without the sessions of some runs.
func work(r *rand.Rand, labs map[*braintest.Lab]string) {
	var one *braintest.Lab
	for l := range labs {
		one = l
	}
	for day := range 12 {
		minutes := float64(day * braintest.DayMinutes)
		var events []memory.Event
		for n := range 3 {
			events = append(events, one.SomeSession(r, one.Place, fmt.Sprintf("run %d.%d", day, n), minutes+float64(10*n))...)
		}
		once, other := fmt.Sprintf("once%d.go", day), fmt.Sprintf("other%d.go", day)
		events = append(events, one.Touch(once, minutes+35, memory.Read, once), one.Touch(once, minutes+36, memory.Edit, other), one.Touch(once, minutes+37, memory.Read, once))
		if day%3 == 0 {
			events = append(events, one.Commit(minutes+40, "fix the login redirect", braintest.Changed(fmt.Sprintf("f%d.go", day%7), fmt.Sprintf("f%d.go", day%5))...))
		}
		for l, without := range labs {
			l.See(minutes+41, slices.DeleteFunc(slices.Clone(events), func(e memory.Event) bool { return without != "" && e.AgentSession == without })...)
			l.See(minutes + 600) // what fell silent is closed
			if day%2 == 1 {
				l.SleepOn(float64(day)+.5, sleep.SleepInput{})
			}
		}
	}
}

// TestRebuildingChangesNothing rebuilds projects after days of work and sleep: every figure that can be shown is the same to the bit.
func TestRebuildingChangesNothing(t *testing.T) {
	r := seed(t)
	var gone, links, back int
	for range must.Size(2, 15) {
		l := braintest.NewLab(t)
		busy(l)
		work(r, map[*braintest.Lab]string{l: ""})
		judged := l.Say("run 11.2", 11*braintest.DayMinutes+800, memory.Suggested, `[{"offer":"file","path":"f1.go"},{"offer":"file","path":"f2.go"}]`)
		judged.Place = l.Place
		l.See(11*braintest.DayMinutes+801, judged)
		braintest.Must(l, statements.GiveVerdict, statements.VerdictInput{Line: string(judged.ID) + "-1", Verdict: statements.VerdictWrong})
		if undone, err := steward.Run(t.Context(), l.Brain, sleep.Undo, sleep.UndoInput{}); err == nil {
			back += len(undone.Back)
		}
		l.See(12*braintest.DayMinutes+10, l.SomeSession(r, l.Place, "after", 12*braintest.DayMinutes)...)
		l.SleepOn(12.5, sleep.SleepInput{})
		before := l.Figures(l.Place)
		l.LearnAnew(l.Place)
		if what := before.Differ(l.Figures(l.Place)); what != "" {
			t.Fatalf("rebuilding changed %s", what)
		}
		gone, links = gone+len(before.Gone), links+len(before.Links)
	}
	if gone == 0 || links == 0 || back == 0 {
		t.Errorf("%d forgotten, %d links, %d brought back: too little happened to prove anything", gone, links, back)
	}
}

// TestForgettingIsAsIfItHadNeverBeen forgets a session after days of work and sleep: every figure is that of a store which did the same without it.
func TestForgettingIsAsIfItHadNeverBeen(t *testing.T) {
	r := seed(t)
	for range must.Size(2, 15) {
		l, never := braintest.NewLab(t), braintest.NewLab(t)
		run := fmt.Sprintf("run %d.%d", r.IntN(12), r.IntN(3))
		busy(l)
		busy(never)
		work(r, map[*braintest.Lab]string{l: "", never: run})
		forgetIn([]*braintest.Lab{l}, forget.ForgetInput{Session: run, Apply: true})
		must.Do(t, sleep.LearnWords(t.Context(), l.Brain, l.Place.Project())) // as the next background drain does
		never.LearnAnew(l.Place)                                              // words and habits are those of one lesson, too
		if what := never.Figures(l.Place).Differ(l.Figures(l.Place)); what != "" {
			t.Fatalf("without %s and never seen differ in %s", run, what)
		}
	}
}

// TestAProjectLearnedAnewIsNotScaledAgain is what was measured: a project slept over and learned anew four times took the myelin
// of an untouched one from 53 % to 3 %.
func TestAProjectLearnedAnewIsNotScaledAgain(t *testing.T) {
	l := braintest.NewLab(t)
	l.Numbers.BalanceLeast, l.Numbers.MyelinTarget = 2, .01
	for i, place := range []memory.Place{elsewhere, l.Place} {
		var events []memory.Event
		for n := range 60 {
			events = append(events, l.Touch(fmt.Sprint("run ", i), float64(n)/10, memory.Read, fmt.Sprintf("f%d.go", n%3)))
			events[n].Place = place
		}
		l.See(10, events...)
	}
	first := l.SleepOn(.1, sleep.SleepInput{Only: sleep.BalancePart})
	if !first.Homeostasis.MyelinScaled || first.Homeostasis.MeanMyelin < .02 {
		t.Fatalf("not scaled: %+v", first.Homeostasis)
	}
	here, there := l.Figures(l.Place), l.Figures(elsewhere)
	for range 4 {
		l.LearnAnew(l.Place)
		again := l.SleepOn(.1, sleep.SleepInput{Only: sleep.BalancePart})
		if h := again.Homeostasis; h.MyelinScaleFactor < 1-1e-9 || h.MeanMyelin < .01-1e-9 {
			t.Fatalf("scaled again: %+v", h)
		}
	}
	for i, n := range l.Figures(l.Place).Neurons {
		if math.Abs(float64(n.Myelin-here.Neurons[i].Myelin)) > 1e-9 {
			t.Errorf("learned anew, %s has %v, had %v", n.Key, n.Myelin, here.Neurons[i].Myelin)
		}
	}
	if what := there.Differ(l.Figures(elsewhere)); what != "" {
		t.Errorf("the other project changed in %s", what)
	}
}

// TestWhatComesBackHasTheWeightOfItsProject brings a link back under the register of its project.
func TestWhatComesBackHasTheWeightOfItsProject(t *testing.T) {
	l := braintest.NewLab(t)
	l.Met("one", "a.go", "b.go")
	l.Sleeps(4)
	if _, kept := l.Link("a.go", "b.go"); kept {
		t.Fatal("the link is still there")
	}
	away := l.Touch("far", 5*braintest.DayMinutes, memory.Read, "a.go")
	away.Place = elsewhere
	l.See(5*braintest.DayMinutes, away)
	must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error {
		return errors.Join(tx.SetRegister(t.Context(), l.Place.Project(), -2, -1), tx.SetRegister(t.Context(), elsewhere.Project(), -7, -7))
	}))
	l.Undoes(0)
	link, back := l.Link("a.go", "b.go")
	if got, want := l.Strength(link), l.Numbers.Plasticity.CaptureWeight; !back || math.Abs(got-want) > 1e-9 {
		t.Errorf("it came back with %v, want %v", got, want)
	}
}

// A sleep that comes with an import has the number of one of here, and is another.
func TestAnImportedSleepIsNotTakenForOneOfHere(t *testing.T) {
	r := seed(t)
	here, there := braintest.NewLab(t), braintest.NewLab(t)
	there.Place, there.Count = elsewhere, 1e6
	here.SleepOn(0, sleep.SleepInput{}) // its next ones have other numbers than those of there
	for _, l := range []*braintest.Lab{here, there} {
		busy(l)
		work(r, map[*braintest.Lab]string{l: ""})
	}
	here.Imports(there.Exported(), true)
	imported := 0
	gone := here.Figures(elsewhere).Gone
	for _, g := range gone {
		if g.Sleep < 0 {
			imported++
		}
	}
	if imported != len(gone) || imported == 0 {
		t.Errorf("%d of %d things that the other's sleeps forgot have numbers of their own", imported, len(gone))
	}
	for _, g := range here.Figures(here.Place).Gone {
		if undone, err := steward.Run(t.Context(), here.Brain, sleep.Undo, sleep.UndoInput{Sleep: g.Sleep}); err == nil {
			for _, back := range undone.Back {
				if back.Project != here.Place.Project() {
					t.Errorf("undoing sleep %d brings back %s of the other", g.Sleep, back.Name())
				}
			}
		}
	}
	here.LearnAnew(elsewhere)
	if again := here.Figures(elsewhere).Gone; len(again) != len(gone) {
		t.Errorf("rebuilt, the other has forgotten %d things, not %d", len(again), len(gone))
	}
}
