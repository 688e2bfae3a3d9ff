package brain

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
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

// figures are all numbers of a project that anybody can see, as they are stored.
type figures struct {
	Known     bool
	Clock     int64
	Neurons   []store.Strength
	Links     []store.Synapse
	Heat      []store.Heat
	Registers []store.Register
	Gone      []store.Gone
	Recalled  []string // with scores
	Crystals  []string
	Goals     []memory.Goal
}

func (l *lab) figures(place memory.Place) (f figures) {
	l.t.Helper()
	id, ctx := place.Project(), l.t.Context()
	view(l, func(tx *store.Tx) (err error) {
		f = figures{}
		p, err := tx.Project(ctx, id)
		if isNotFound(err) {
			return nil
		}
		f.Known, f.Clock = true, p.Clock
		var one, two, three, four, five, six error
		f.Neurons, one = tx.Neurons(ctx, store.NeuronFilter{Project: id})
		f.Links, two = tx.StrongestSynapses(ctx, store.SynapseFilter{Project: id})
		f.Heat, three = tx.Hottest(ctx, id, plasticity.Nothing, 1000)
		f.Registers, four = tx.Registers(ctx, id)
		f.Gone, five = tx.WhatIsGone(ctx, store.GoneFilter{Project: id})
		for i := range f.Registers {
			f.Registers[i].After = 0 // events are numbered over all projects
		}
		kept, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id}})
		for _, c := range kept {
			f.Crystals = append(f.Crystals, fmt.Sprint(c.Text, c.Importance, c.Lifecycle, c.Accesses, c.GapHours, c.LastAt, c.ValidTo))
		}
		slices.Sort(f.Crystals) // those of one moment are ordered by IDs, which are drawn at random
		f.Goals, six = tx.Goals(ctx, false, id)
		for i := range f.Goals {
			f.Goals[i].ID = ""
			f.Goals[i].Links.Crystals = make([]memory.CrystalID, len(f.Goals[i].Links.Crystals))
		}
		slices.SortFunc(f.Goals, func(a, b memory.Goal) int { return strings.Compare(a.Title, b.Title) })
		return errors.Join(err, one, two, three, four, five, six)
	})
	if len(f.Neurons) == 0 {
		return f
	}
	for _, in := range []RecallInput{{Text: "fix the login redirect"}, {Open: []string{f.Neurons[0].Key}}} {
		in.Project = id.String()
		for _, r := range must(l, Recall, in).Files {
			f.Recalled = append(f.Recalled, fmt.Sprint(r.Path, r.Score, r.Confidence))
		}
	}
	return f
}

// differ names the first figure in which two projects differ.
func (f figures) differ(other figures) string {
	a, b := reflect.ValueOf(f), reflect.ValueOf(other)
	for i := range a.NumField() {
		if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			return fmt.Sprintf("%s:\n%+v\n%+v", a.Type().Field(i).Name, a.Field(i).Interface(), b.Field(i).Interface())
		}
	}
	return ""
}

// busy makes homeostasis, holding back, slices and replay work on a small store.
func busy(l *lab) {
	n, t := &l.numbers, &l.numbers.Plasticity
	n.balanceLeast, n.weightTarget, n.myelinTarget = 2, .05, .01
	n.whole, n.slice, t.MassLeast, t.MassShare = 12, 6, 3, .4
	t.ReplayAccesses, t.PairSessions, t.BusyTimes, t.RareMyelin, t.ReviewMyelin = 2, 2, 1.2, .001, .001
}

// someSession is one of a project: prompts, files read and changed, now and then an error and what fixed it.
func (l *lab) someSession(r *rand.Rand, place memory.Place, run string, minutes float64) (events []memory.Event) {
	file := func() string { return fmt.Sprintf("f%d.go", r.IntN(9)) }
	events = append(events, l.say(run, minutes, memory.Prompted, "fix the login redirect"))
	for i := range 3 + r.IntN(8) {
		at := minutes + float64(i+1)/10
		kind := memory.Read
		if r.IntN(3) == 0 {
			kind = memory.Edit
		}
		events = append(events, l.touch(run, at, kind, file()))
		if r.IntN(6) == 0 {
			failed := l.say(run, at, memory.ToolFailed, "panic: runtime error: index out of range [3] with length 3")
			failed.Input = "go test"
			passed := l.say(run, at, memory.ToolUsed, "ok")
			passed.Input = "go test"
			events = append(events, failed, l.touch(run, at, memory.Edit, file()), passed)
		}
	}
	if r.IntN(4) > 0 {
		events = append(events, l.say(run, minutes+2, memory.SessionEnded, ""))
	}
	for i := range events {
		events[i].Place = place
	}
	return events
}

// interleaving is one random history of two projects, lived by one memory with both of them and by one that only ever meets
// the second.
type interleaving struct {
	r           *rand.Rand
	both, alone *lab
	minutes     float64
	runs        int
	kept        map[string][]memory.Event // by project
}

// step does one thing to one of the projects, or sleeps, and says what it was.
func (i *interleaving) step() string {
	i.minutes += float64(5 + i.r.IntN(3*dayMinutes))
	i.both.at(i.minutes)
	i.alone.at(i.minutes)
	place := elsewhere
	if i.r.IntN(2) == 0 {
		place = i.both.place
	}
	labs := []*lab{i.both}
	if place == i.both.place {
		labs = append(labs, i.alone)
	}
	scope := Scope{Project: place.Project().String()}
	known := i.both.figures(place).Known
	switch what := i.r.IntN(12); {
	case what < 2:
		in := SleepInput{Slice: i.r.IntN(2) == 0, Yes: i.r.IntN(2) == 0}
		for _, l := range []*lab{i.both, i.alone} {
			l.sleepOn(i.minutes/dayMinutes, in)
		}
		return "sleep"
	case what < 4 && known:
		event := i.kept[place.Identity][i.r.IntN(len(i.kept[place.Identity]))]
		in := ForgetInput{IDs: []memory.EventID{event.ID}, Apply: true}
		if event.AgentSession != "" && i.r.IntN(2) == 0 {
			in = ForgetInput{Session: event.AgentSession, Apply: true}
		}
		forgetIn(labs, in)
		return "forget in " + place.Identity
	case what == 4 && known:
		for _, l := range labs {
			l.learnAnew(place)
		}
		return "relearn " + place.Identity
	case what == 5 && known:
		text := fmt.Sprintf("the login redirect of step %d goes through the gateway", i.r.IntN(4))
		for _, l := range labs {
			must(l, Remember, RememberInput{Scope: scope, Text: text, Origin: memory.OriginAgent})
			must(l, AddGoal, GoalInput{Scope: scope, Title: "make the redirect " + text})
		}
		return "remember in " + place.Identity
	}
	i.runs++
	events := i.both.someSession(i.r, place, fmt.Sprint("run ", i.runs), i.minutes)
	if i.r.IntN(3) == 0 {
		c := i.both.commit(i.minutes, "fix the login redirect", changed("f1.go", "f2.go", fmt.Sprintf("f%d.go", 3+i.r.IntN(4)))...)
		c.Place = place
		events = append(events, c)
	}
	i.kept[place.Identity] = append(i.kept[place.Identity], events...)
	i.minutes += 3
	i.both.see(i.minutes, events...)
	if place == elsewhere {
		events = nil // the drain itself closes sessions that fell silent, wherever they were
	}
	i.alone.see(i.minutes, events...)
	return "record in " + place.Identity
}

// forgetIn forgets what is there: it may be gone already.
func forgetIn(labs []*lab, in ForgetInput) {
	for _, l := range labs {
		if _, err := Run(l.t.Context(), l.Brain, Forget, in); err != nil && !isNotFound(err) {
			l.t.Fatalf("forget %+v: %v", in, err)
		}
	}
}

// at moves the lab's clock to so many minutes after start.
func (l *lab) at(minutes float64) {
	l.clock = start.Add(time.Duration(minutes * float64(time.Minute)))
}

// learnAnew makes all figures of a project again.
func (l *lab) learnAnew(place memory.Place) {
	l.t.Helper()
	err := l.store.Update(l.t.Context(), func(tx *store.Tx) error { return l.markAnew(l.t.Context(), tx, place.Project(), nil) })
	if err = errors.Join(err, l.Brain.learnAnew(l.t.Context())); err != nil {
		l.t.Fatal(err)
	}
}

// TestNoJobInOneProjectChangesANumberOfAnother compares a project beside another one, after every step, with the same project
// alone: weights, myelin, heat, registers, what sleep let go, recall, crystals and goals are the same to the bit.
func TestNoJobInOneProjectChangesANumberOfAnother(t *testing.T) {
	r := seed(t)
	var scaled, gone, links int
	for range 3 {
		i := interleaving{r: r, both: newLab(t), alone: newLab(t), kept: map[string][]memory.Event{}}
		busy(i.both)
		busy(i.alone)
		var steps []string
		for range 30 {
			steps = append(steps, i.step())
			if what := i.both.figures(i.both.place).differ(i.alone.figures(i.alone.place)); what != "" {
				t.Fatalf("after %q, beside another project and alone, differ in %s", steps, what)
			}
		}
		for _, place := range []memory.Place{elsewhere, i.both.place} {
			f := i.both.figures(place)
			scaled, gone, links = scaled+len(f.Registers), gone+len(f.Gone), links+len(f.Links)
		}
	}
	if scaled == 0 || gone == 0 || links == 0 {
		t.Errorf("%d registers, %d let go, %d links: too little happened to prove anything", scaled, gone, links)
	}
}

// without leaves out what has to do with some files.
func (f figures) without(place memory.Place, paths ...string) figures {
	of := map[memory.NeuronID]bool{}
	for _, p := range paths {
		of[memory.NewNeuronID(place.Project(), memory.FileNeuron, p)] = true
	}
	f.Neurons = slices.DeleteFunc(f.Neurons, func(n store.Strength) bool { return of[n.ID] })
	f.Links = slices.DeleteFunc(f.Links, func(s store.Synapse) bool { return of[s.A] || of[s.B] })
	f.Heat = slices.DeleteFunc(f.Heat, func(h store.Heat) bool { return of[h.Neuron] })
	f.Gone = slices.DeleteFunc(f.Gone, func(g store.Gone) bool { return of[g.A] || of[g.B] })
	f.Recalled = nil
	return f
}

// TestForgettingKeepsWhatSleepTaughtElsewhere forgets an event after work, sleep and more work: all figures that it had no part
// in are the same to the bit, those that sleep scaled, reviewed, damped, found and let go included.
func TestForgettingKeepsWhatSleepTaughtElsewhere(t *testing.T) { keepsWhatSleepTaught(t, newLab(t)) }

func TestForgettingOnAServerKeepsWhatSleepTaughtElsewhere(t *testing.T) {
	keepsWhatSleepTaught(t, newServerLab(t, "taught"))
}

func keepsWhatSleepTaught(t *testing.T, l *lab) {
	r := rand.New(rand.NewPCG(1, 1))
	busy(l)
	var unrelated memory.EventID
	var taught ConsolidationReport
	var balanced HomeostasisReport
	for day := range 12 {
		minutes := float64(day * dayMinutes)
		events := l.someSession(r, l.place, fmt.Sprint("run ", day), minutes)
		if day%3 == 0 {
			events = append(events, l.commit(minutes, "fix the login redirect", changed("f1.go", "f2.go", "f3.go")...))
		}
		if day == 5 {
			other := []memory.Event{
				l.touch("other", minutes, memory.Read, "u1.go"), l.touch("other", minutes+1, memory.Edit, "u2.go"),
				l.touch("other", minutes+2, memory.Edit, "u1.go"), l.say("other", minutes+2.1, memory.SessionEnded, ""),
			}
			unrelated = other[1].ID
			events = append(events, other...)
		}
		l.see(minutes+3, events...)
		if day%2 == 1 {
			report := l.sleepOn(float64(day)+.5, SleepInput{Yes: true})
			taught.SynapsesStrengthened += report.Consolidation.SynapsesStrengthened
			taught.NeuronsReviewed += report.Consolidation.NeuronsReviewed
			balanced.NeuronsDampened += report.Homeostasis.NeuronsDampened
		}
	}
	before := l.figures(l.place).without(l.place, "u1.go", "u2.go")
	if len(before.Registers) < 2 || len(before.Gone) == 0 || taught.SynapsesStrengthened == 0 || taught.NeuronsReviewed == 0 || balanced.NeuronsDampened == 0 {
		t.Fatalf("sleep taught too little: %d registers, %d let go, %+v, %+v", len(before.Registers), len(before.Gone), taught, balanced)
	}
	must(l, Forget, ForgetInput{IDs: []memory.EventID{unrelated}, Apply: true})
	if what := before.differ(l.figures(l.place).without(l.place, "u1.go", "u2.go")); what != "" {
		t.Errorf("forgetting changed what it had no part in: %s", what)
	}
}

// TestAProjectLearnedAnewIsNotScaledAgain is what was measured: a project slept over and learned anew four times took the myelin
// of an untouched one from 53 % to 3 %.
func TestAProjectLearnedAnewIsNotScaledAgain(t *testing.T) {
	l := newLab(t)
	l.numbers.balanceLeast, l.numbers.myelinTarget = 2, .01
	for i, place := range []memory.Place{elsewhere, l.place} {
		var events []memory.Event
		for n := range 60 {
			events = append(events, l.touch(fmt.Sprint("run ", i), float64(n)/10, memory.Read, fmt.Sprintf("f%d.go", n%3)))
			events[n].Place = place
		}
		l.see(10, events...)
	}
	first := l.sleepOn(.1, SleepInput{Only: BalancePart})
	if !first.Homeostasis.MyelinScaled || first.Homeostasis.MeanMyelin < .02 {
		t.Fatalf("not scaled: %+v", first.Homeostasis)
	}
	here, there := l.figures(l.place), l.figures(elsewhere)
	for range 4 {
		l.learnAnew(l.place)
		again := l.sleepOn(.1, SleepInput{Only: BalancePart})
		if h := again.Homeostasis; h.MyelinScaleFactor < 1-1e-9 || h.MeanMyelin < .01-1e-9 {
			t.Fatalf("scaled again: %+v", h)
		}
	}
	for i, n := range l.figures(l.place).Neurons {
		if math.Abs(float64(n.Myelin-here.Neurons[i].Myelin)) > 1e-9 {
			t.Errorf("learned anew, %s has %v, had %v", n.Key, n.Myelin, here.Neurons[i].Myelin)
		}
	}
	if what := there.differ(l.figures(elsewhere)); what != "" {
		t.Errorf("the other project changed in %s", what)
	}
}

// TestWhatComesBackHasTheWeightOfItsProject brings a link back under the register of its project.
func TestWhatComesBackHasTheWeightOfItsProject(t *testing.T) {
	l := newLab(t)
	l.met("one", "a.go", "b.go")
	l.sleeps(4)
	if _, kept := l.link("a.go", "b.go"); kept {
		t.Fatal("the link is still there")
	}
	away := l.touch("far", 5*dayMinutes, memory.Read, "a.go")
	away.Place = elsewhere
	l.see(5*dayMinutes, away)
	err := l.store.Update(t.Context(), func(tx *store.Tx) error {
		return errors.Join(tx.SetRegister(t.Context(), l.place.Project(), -2, -1), tx.SetRegister(t.Context(), elsewhere.Project(), -7, -7))
	})
	if err != nil {
		t.Fatal(err)
	}
	l.comeBack(BringBackInput{ForgottenInput: ForgottenInput{Scope: l.scope(), Files: []string{"a.go"}}})
	link, back := l.link("a.go", "b.go")
	if got, want := l.strength(link), l.numbers.Plasticity.CaptureWeight; !back || math.Abs(got-want) > 1e-9 {
		t.Errorf("it came back with %v, want %v", got, want)
	}
}
