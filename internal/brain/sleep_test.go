package brain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/postgres"
)

const dayMinutes = 24 * 60

// visit is a session that reads files one after the other, and ends.
func (l *lab) visit(run string, minutes float64, paths ...string) {
	l.t.Helper()
	events := []memory.Event{l.say(run, minutes, memory.Prompted, "work on it")}
	for i, p := range paths {
		events = append(events, l.touch(run, minutes+float64(i+1)/10, memory.Read, p))
	}
	last := minutes + float64(len(paths)+1)/10
	l.see(last, append(events, l.say(run, last, memory.SessionEnded, ""))...)
}

// sleepOn sleeps some days after start.
func (l *lab) sleepOn(days float64, in SleepInput) SleepReport {
	l.t.Helper()
	l.clock = start.Add(time.Duration(days * dayMinutes * float64(time.Minute)))
	report, err := Run(l.t.Context(), l.Brain, Sleep, in)
	if err != nil {
		l.t.Fatal(err)
	}
	return report
}

func (l *lab) linkCount() int {
	l.t.Helper()
	links, err := viewed(l.t.Context(), l.Brain, func(tx *store.Tx) ([]store.Synapse, error) {
		return tx.StrongestSynapses(l.t.Context(), store.SynapseFilter{})
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return len(links)
}

// link is what two files have of each other.
func (l *lab) link(one, other string) (store.Synapse, bool) {
	l.t.Helper()
	p := l.place.Project()
	link, err := viewed(l.t.Context(), l.Brain, func(tx *store.Tx) (store.Synapse, error) {
		return tx.Synapse(l.t.Context(), memory.NewNeuronID(p, memory.FileNeuron, one), memory.NewNeuronID(p, memory.FileNeuron, other))
	})
	if err != nil && !isNotFound(err) {
		l.t.Fatal(err)
	}
	return link, err == nil
}

// strength is the weight of the stronger direction now, as balanced.
func (l *lab) strength(s store.Synapse) float64 {
	l.t.Helper()
	rules, err := viewed(l.t.Context(), l.Brain, func(tx *store.Tx) (plasticity.Rules, error) { return l.rules(l.t.Context(), tx, l.place.Project()) })
	if err != nil {
		l.t.Fatal(err)
	}
	return rules.Weight.Value(max(s.AB, s.BA), plasticity.Days(l.clock))
}

func TestSleepForgetsChanceAndKeepsHabits(t *testing.T) {
	l := newLab(t)
	for day := range 3 {
		l.visit(fmt.Sprint("habit ", day), float64(day*dayMinutes), "a.go", "b.go", "a.go", "b.go")
	}
	l.visit("chance", 2.5*dayMinutes, "a.go", "stray.go")
	report := l.sleepOn(7, SleepInput{})
	if _, kept := l.link("a.go", "b.go"); !kept {
		t.Error("what was met again and again is gone")
	}
	if _, kept := l.link("a.go", "stray.go"); kept {
		t.Error("a chance meeting is still there")
	}
	if report.Decay.PrunedSynapses != 1 || report.Decay.Reasons[plasticity.Noise] != 1 {
		t.Errorf("report %+v", report.Decay)
	}
	again := l.sleepOn(7, SleepInput{})
	if again.Changed() {
		t.Errorf("a second sleep at once changed something: %+v", again)
	}
}

func TestADrySleepCountsAndChangesNothing(t *testing.T) {
	l := newLab(t)
	l.visit("one", 0, "a.go", "b.go", "c.go")
	state := func() any {
		links, err := viewed(t.Context(), l.Brain, func(tx *store.Tx) (any, error) {
			links, one := tx.StrongestSynapses(t.Context(), store.SynapseFilter{})
			neurons, two := tx.Neurons(t.Context(), store.NeuronFilter{})
			balance, three := tx.Balance(t.Context(), l.place.Project())
			sleeps, four := tx.Sleeps(t.Context(), time.Time{}, 10)
			return []any{links, neurons, balance, sleeps}, errors.Join(one, two, three, four)
		})
		if err != nil {
			t.Fatal(err)
		}
		return links
	}
	before := state()
	dry := l.sleepOn(4, SleepInput{Dry: true})
	if after := state(); !reflect.DeepEqual(before, after) {
		t.Errorf("changed:\n%+v\n%+v", before, after)
	}
	real := l.sleepOn(4, SleepInput{})
	if dry.Decay.PrunedSynapses != 3 || !reflect.DeepEqual(dry.Decay, real.Decay) || dry.Consolidation != real.Consolidation {
		t.Errorf("dry %+v %+v, real %+v %+v", dry.Decay, dry.Consolidation, real.Decay, real.Consolidation)
	}
}

// many is a session of so many files that all its links are noise, and too many to go at once.
func (l *lab) many(minutes float64) {
	var paths []string
	for i := range 9 {
		paths = append(paths, fmt.Sprintf("file%d.go", i))
	}
	l.visit("many", minutes, paths...)
}

func TestForgettingMuchWaitsForThreeDaysOrAYes(t *testing.T) {
	l := newLab(t)
	l.many(0)
	for i, c := range []struct {
		day  float64
		left int // days
	}{{4, 2}, {4.2, 2}, {5, 1}} {
		report := l.sleepOn(c.day, SleepInput{})
		if report.Decay.Held == nil || report.Decay.Held.Days != c.left || report.Decay.PrunedSynapses != 0 || l.linkCount() != 36 {
			t.Fatalf("sleep %d: %+v, held %+v", i, report.Decay, report.Decay.Held)
		}
	}
	if report := l.sleepOn(6, SleepInput{}); report.Decay.PrunedSynapses != 36 {
		t.Errorf("third day: %+v", report.Decay)
	}
	l = newLab(t)
	l.many(0)
	if report := l.sleepOn(4, SleepInput{Yes: true}); report.Decay.PrunedSynapses != 36 {
		t.Errorf("with a yes: %+v", report.Decay)
	}
}

// named are so many files whose IDs lie in one half of all there are, so that a test knows which slice they are in.
func (l *lab) named(upper bool, many int) (paths []string) {
	const middle = memory.NeuronID(1) << 62
	for i := 0; len(paths) < many; i++ {
		path := fmt.Sprintf("file%d.go", i)
		if id := memory.NewNeuronID(l.place.Project(), memory.FileNeuron, path); id >= middle == upper {
			paths = append(paths, path)
		}
	}
	return paths
}

func TestSlicesOfALargeGraphVoteTogetherAboutForgettingMuch(t *testing.T) {
	type night struct {
		day  float64
		left int // days to wait; 0 is not held
		gone int64
	}
	for _, c := range []struct {
		name   string
		slice  int // links, and all others of the last one's first end
		nights []night
	}{
		{"a calm slice takes no vote back", 35, []night{{6.5, 2, 0}, {6.6, 0, 0}, {7.5, 1, 0}, {7.6, 0, 0}, {8.5, 0, 36}, {8.6, 0, 0}}},
		{"a slice that goes leaves the votes to the next", 15, []night{
			{6.5, 2, 0}, {6.6, 2, 0}, {6.7, 0, 0}, {7.5, 1, 0}, {7.6, 1, 0}, {7.7, 0, 0}, {8.5, 0, 21}, {9.5, 0, 15},
		}},
		{"a vote counts for a week", 35, []night{{6.5, 2, 0}, {6.6, 0, 0}, {7.5, 1, 0}, {7.6, 0, 0}, {13.5, 0, 36}}},
		{"and no longer", 35, []night{{6.5, 2, 0}, {6.6, 0, 0}, {7.5, 1, 0}, {7.6, 0, 0}, {14.5, 1, 0}}},
	} {
		l := newLab(t)
		l.numbers.whole, l.numbers.slice, l.numbers.Plasticity.MassLeast = 1, c.slice, 5
		for day := range 3 {
			l.visit(fmt.Sprint("habit ", day), float64(day*dayMinutes), slices.Repeat(l.named(true, 3), 3)...)
		}
		l.visit("many", 2.5*dayMinutes, l.named(false, 9)...) // 36 links, all noise
		for _, n := range c.nights {
			report := l.sleepOn(n.day, SleepInput{Slice: true})
			left := 0
			if report.Decay.Held != nil {
				left = report.Decay.Held.Days
			}
			if left != n.left || report.Decay.PrunedSynapses != n.gone {
				t.Errorf("%s: day %v: %d days left, %d links of %d went; want %d and %d",
					c.name, n.day, left, report.Decay.PrunedSynapses, report.Links, n.left, n.gone)
			}
		}
	}
}

func TestAClockThatJumpsDoesNoHarm(t *testing.T) {
	l := newLab(t)
	for day := range 3 {
		l.visit(fmt.Sprint("habit ", day), float64(day*dayMinutes), "a.go", "b.go", "c.go", "d.go", "e.go", "f.go", "g.go", "h.go", "a.go", "b.go")
	}
	before := l.linkCount()
	const years = 3652
	for _, day := range []float64{3, 3 + years, 3.1 + years, 4 - years, 4, 5 + years, 5 - years, 6} {
		l.sleepOn(day, SleepInput{})
		if got := l.linkCount(); got != before {
			t.Fatalf("day %v: %d links of %d are left", day, got, before)
		}
		for _, n := range l.neurons() {
			if !(n.Myelin >= 0 && n.Myelin <= .95) {
				t.Errorf("day %v: %s has myelin %v", day, n.Key, n.Myelin)
			}
		}
	}
}

func (l *lab) neurons() []NeuronState {
	l.t.Helper()
	found, err := Run(l.t.Context(), l.Brain, Neurons, NeuronsInput{Scope: Scope{All: true}})
	if err != nil {
		l.t.Fatal(err)
	}
	return found
}

func TestOnlyOneSleepsAtATime(t *testing.T) {
	l := newLab(t)
	l.visit("one", 0, "a.go", "b.go")
	other := func(span time.Duration) {
		err := l.store.Update(t.Context(), func(tx *store.Tx) error {
			_, err := tx.TakeLease(t.Context(), sleepLease, "another process", "", span)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	l.clock = start.Add(4 * 24 * time.Hour)
	other(time.Minute)
	if report := l.sleepOn(4, SleepInput{}); !report.Busy || l.linkCount() != 1 {
		t.Errorf("slept beside another: %+v", report)
	}
	if report := l.sleepOn(4.01, SleepInput{}); report.Busy || l.linkCount() != 0 {
		t.Errorf("did not sleep after the other's time was up: %+v", report)
	}

	l.many(6 * dayMinutes)
	l.numbers.chunk = 1
	l.clock = start.Add(11 * 24 * time.Hour)
	forgotten := 0
	_, err := Run(t.Context(), l.Brain, Sleep, SleepInput{Yes: true, Progress: func(doing string, _ float64) {
		if forgotten++; doing == "forgetting links" && forgotten > 6 {
			l.clock = l.clock.Add(time.Hour) // it was asleep too long, and another came
			other(time.Minute)
		}
	}})
	if !errors.Is(err, memory.ErrConflict) || l.linkCount() == 0 || l.linkCount() == 36 {
		t.Errorf("went on beside another: %v, %d links left", err, l.linkCount())
	}
}

// One that was killed, or whose disk had no room to give its turn back, keeps nobody waiting; one that is at work does.
func TestTheTurnOfAProcessThatIsGoneIsFreeAtOnce(t *testing.T) {
	l := newLab(t)
	l.visit("one", 0, "a.go", "b.go")
	l.clock = start.Add(time.Hour)
	takes := func() *lease {
		t.Helper()
		turn, err := l.newLease(dreamLease, dreamPatient)
		if err == nil {
			err = l.store.Update(t.Context(), func(tx *store.Tx) error {
				held, err := turn.take(t.Context(), tx)
				if err == nil && !held {
					turn.leave()
					turn = nil
				}
				return err
			})
		}
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	first := takes()
	first.sign()
	if busy, err := l.alone(t.Context(), dreamLease, dreamPatient, func() error { t.Error("two at once"); return nil }); err != nil || !busy {
		t.Errorf("beside one at work: busy %v, %v", busy, err)
	}
	first.leave() // as the system does when a process is killed; in the store it still has its turn
	second := takes()
	if second == nil {
		t.Fatal("one that is gone keeps others waiting")
	}
	second.leave() // killed before it could sign: only time tells
	if third := takes(); third != nil {
		t.Error("took the turn of one of whom nothing is known")
	}
	l.clock = l.clock.Add(dreamPatient + time.Millisecond)
	if busy, err := l.alone(t.Context(), dreamLease, dreamPatient, func() error { return errors.New("it went wrong") }); err == nil || busy {
		t.Errorf("after its time: busy %v, %v", busy, err)
	}
	if busy, err := l.alone(t.Context(), dreamLease, dreamPatient, func() error { return nil }); err != nil || busy {
		t.Errorf("a turn that went wrong is over: busy %v, %v", busy, err)
	}
	// Where no file can be had, the store alone decides.
	l.config.Dir = filepath.Join(l.config.Dir, "hebb.db")
	if busy, err := l.alone(t.Context(), dreamLease, dreamPatient, func() error {
		busy, err := l.alone(t.Context(), dreamLease, dreamPatient, func() error { t.Error("two at once"); return nil })
		if err == nil && !busy {
			t.Error("two at once")
		}
		return err
	}); err != nil || busy {
		t.Errorf("without files: busy %v, %v", busy, err)
	}
}

func TestASleepThatIsKilledIsFinishedByTheNext(t *testing.T) {
	l := newLab(t)
	l.many(0)
	l.numbers.chunk = 20 // the first pieces are a quarter of it
	l.clock = start.Add(4 * 24 * time.Hour)
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	chunks := 0
	_, err := Run(ctx, l.Brain, Sleep, SleepInput{Yes: true, Progress: func(doing string, _ float64) {
		if doing == "forgetting links" {
			if chunks++; chunks == 3 {
				kill()
			}
		}
	}})
	if !errors.Is(err, context.Canceled) || l.linkCount() != 26 {
		t.Fatalf("%v, %d links left", err, l.linkCount())
	}
	if report := l.sleepOn(4, SleepInput{Yes: true}); report.Busy || report.Decay.PrunedSynapses != 26 {
		t.Errorf("%+v", report)
	}
}

func TestSleepFindsWhatDaysAloneDoNot(t *testing.T) {
	l := newLab(t)
	l.numbers.window = 2 // far apart in a session means not wired by it
	for day := range 3 {
		l.visit(fmt.Sprint("run ", day), float64(day*dayMinutes), "model.go", "one.go", "two.go", "three.go", "view.go")
	}
	if _, wired := l.link("model.go", "view.go"); wired {
		t.Fatal("wired without sleep")
	}
	near, _ := l.link("one.go", "two.go")
	l.clock = start.Add(3 * 24 * time.Hour)
	before := l.strength(near)
	report := l.sleepOn(3, SleepInput{})
	found, wired := l.link("model.go", "view.go")
	if !wired || found.TaggedAt.IsZero() || found.CoAccesses != 0 || l.strength(found) < .15 {
		t.Errorf("pair of three sessions: %+v, %v", found, wired)
	}
	again, _ := l.link("one.go", "two.go")
	if l.strength(again) <= before || again.CoAccesses != near.CoAccesses || !again.LastAt.Equal(near.LastAt) {
		t.Errorf("replay: weight %.3f, was %.3f; %+v", l.strength(again), before, again)
	}
	c := report.Consolidation
	if c.SessionsReplayed != 3 || c.PatternsDiscovered == 0 || c.TemporalPairsFound == 0 || c.TripletsFound == 0 {
		t.Errorf("report %+v", c)
	}
	second := l.sleepOn(3, SleepInput{})
	if second.Consolidation != (ConsolidationReport{}) {
		t.Errorf("learned twice from the same work: %+v", second.Consolidation)
	}
}

func TestWhatSleepForgotComesBackByUseOnly(t *testing.T) {
	l := newLab(t)
	l.visit("chance", 0, "a.go", "stray.go")
	l.visit("other", 10, "x.go", "y.go")
	l.sleepOn(4, SleepInput{})
	if _, kept := l.link("a.go", "stray.go"); kept {
		t.Fatal("not forgotten")
	}
	if _, err := Run(t.Context(), l.Brain, Forget, ForgetInput{Session: l.sessions()[0].ID.String(), Apply: true}); err != nil {
		t.Fatal(err)
	}
	if _, back := l.link("a.go", "stray.go"); back {
		t.Error("going through old events again brought it back")
	}
	l.visit("again", 5*dayMinutes, "a.go", "stray.go")
	if _, back := l.link("a.go", "stray.go"); !back {
		t.Error("using it again did not bring it back")
	}
}

func TestARetunedRateMovesNothingToday(t *testing.T) {
	l := newLab(t)
	for day := range 4 {
		l.visit(fmt.Sprint("run ", day), float64(day*dayMinutes), "a.go", "b.go", "a.go", "b.go")
	}
	link, _ := l.link("a.go", "b.go")
	before := l.strength(link)
	l.numbers.Plasticity.Rates.Weight = .9
	if got := l.strength(link); got != before {
		t.Errorf("read at the new rate before anything was moved: %v, was %v", got, before)
	}
	l.sleepOn(3.001, SleepInput{Only: BalancePart})
	moved, _ := l.link("a.go", "b.go")
	if got := l.strength(moved); got < before*.999 || got > before {
		t.Errorf("weight %v, was %v", got, before)
	}
	l.clock = l.clock.Add(24 * time.Hour)
	if got := l.strength(moved); got < before*.89 || got > before*.91 {
		t.Errorf("a day later %v of %v is left, want nine tenths", got, before)
	}
}

func TestAnUnusedFileNeverRises(t *testing.T) {
	l := newLab(t)
	for run := range 15 {
		l.visit(fmt.Sprint("run ", run), float64(run)*30, "hub.go", "a.go", "hub.go", "b.go", "hub.go", "rare.go")
	}
	myelin := func() map[string]float64 {
		all := map[string]float64{}
		for _, n := range l.neurons() {
			all[n.Key] = n.Myelin
		}
		return all
	}
	used := myelin()
	if used["hub.go"] == 0 || used["rare.go"] == 0 {
		t.Fatalf("nothing has grown: %v", used)
	}
	for day := 1; day <= 40; day++ {
		l.sleepOn(float64(day), SleepInput{})
		for file, now := range myelin() {
			if now > used[file]*(1+1e-5) { // it was read a minute after its last use
				t.Fatalf("day %d: %s rose to %v, at its last use it had %v", day, file, now, used[file])
			}
		}
	}
}

func TestHebbSleepsAfterWorkButNotAllTheTime(t *testing.T) {
	l := newLab(t)
	drain := func(minutes float64) *SleepReport {
		l.clock = start.Add(time.Duration(minutes * float64(time.Minute)))
		r, err := Run(t.Context(), l.Brain, Drain, DrainInput{Sleep: true})
		if err != nil {
			t.Fatal(err)
		}
		return r.Slept
	}
	l.visit("one", 0, "a.go", "b.go")
	for _, c := range []struct {
		at    float64
		slept bool
	}{{5, true}, {6, false}, {19, false}, {20, true}, {21, false}, {-60 * 24 * 365, true}, {22, true}} {
		if got := drain(c.at) != nil; got != c.slept {
			t.Errorf("at minute %v: slept %v, want %v", c.at, got, c.slept)
		}
	}
}

func TestALargeGraphIsSleptOverSliceBySlice(t *testing.T) {
	l := newLab(t)
	l.many(0)
	l.numbers.whole, l.numbers.slice = 0, 5
	l.numbers.Plasticity.MassShare = 1
	sleeps := 0
	for ; l.linkCount() > 0 && sleeps < 40; sleeps++ {
		l.sleepOn(4+float64(sleeps), SleepInput{Slice: true})
	}
	if l.linkCount() != 0 || sleeps < 3 {
		t.Errorf("%d links left after %d sleeps", l.linkCount(), sleeps)
	}
}

func TestOldToolCallsLoseTheirWords(t *testing.T) {
	l := newLab(t)
	call := func(minutes float64, kind memory.EventKind, command string) memory.Event {
		e := l.say("run", minutes, kind, "")
		e.Input = command
		return e
	}
	l.see(5, call(1, memory.ToolUsed, "ls"), call(2, memory.ToolFailed, "go test"), call(3, memory.ToolUsed, "go test"), l.say("run", 4, memory.Prompted, "do it"))
	l.numbers.logRows = 1
	l.see(40*dayMinutes, l.say("late", 40*dayMinutes, memory.Prompted, "later"), call(40*dayMinutes, memory.ToolUsed, "pwd"))
	report := l.sleepOn(40, SleepInput{})
	if report.Consolidation.EpisodicRowsPruned != 1 {
		t.Errorf("%d calls shortened, want 1", report.Consolidation.EpisodicRowsPruned)
	}
	var kept []string
	for _, e := range l.events() {
		kept = append(kept, e.Input+"|"+e.Text)
	}
	want := []string{"pwd|", "|later", "|do it", "go test|", "go test|", "|"}
	if !reflect.DeepEqual(kept, want) {
		t.Errorf("kept %q, want %q", kept, want)
	}
}

func TestAStoreThatIsTooLargeForgetsItsOldestWork(t *testing.T) { forgetsItsOldestWork(t, newLab(t)) }

func TestAServerThatHoldsTooMuchForgetsItsOldestWork(t *testing.T) {
	forgetsItsOldestWork(t, newServerLab(t, "budget"))
}

// newServerLab is a lab whose store is a PostgreSQL server.
func newServerLab(t *testing.T, name string) *lab {
	t.Helper()
	url, schema := os.Getenv("HEBB_TEST_POSTGRES"), fmt.Sprintf("%s_%d", name, os.Getpid())
	if url == "" {
		t.Skipf("=== NOT RUN: %s of a PostgreSQL store, for want of a server. Run: make test, or scripts/with-postgres go test ./... ===", name)
	}
	t.Cleanup(func() {
		if err := postgres.Drop(context.Background(), postgres.Options{URL: url, Schema: schema}); err != nil {
			t.Error(err)
		}
	})
	l := newLab(t)
	c := l.config
	c.Store, c.Schema = url, schema
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	var err error
	if l.Brain, err = Open(t.Context(), c, func() time.Time { return l.clock }); err != nil {
		t.Fatal(err)
	}
	return l
}

func forgetsItsOldestWork(t *testing.T, l *lab) {
	for i := range 12 {
		l.visit(fmt.Sprint("run ", i), float64(i*60), "a.go", "b.go", "c.go", "d.go")
	}
	if err := l.store.Tidy(t.Context()); err != nil { // PostgreSQL counts what is used when it tidies
		t.Fatal(err)
	}
	before, err := l.store.Facts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l.config.Tuning.Sleep.Budget = before.Used * 9 / 10
	report := l.sleepOn(1, SleepInput{})
	if report.Budget == nil || report.Budget.Sessions == 0 {
		t.Fatalf("budget %+v", report.Budget)
	}
	l.config.Tuning.Sleep.Budget = before.Used // deleted rows leave room in the file, which counts no more
	if again := l.sleepOn(1.1, SleepInput{}); again.Budget != nil {
		t.Errorf("forgot more, though there was room: %+v", again.Budget)
	}
	left := l.sessions()
	if len(left) != 12-int(report.Budget.Sessions) || left[0].AgentSession != "run 11" {
		t.Errorf("%d sessions left, the newest is %q; report %+v", len(left), left[0].AgentSession, report.Budget)
	}
	for _, s := range left {
		if s.AgentSession == "run 0" {
			t.Error("the oldest is still there")
		}
	}
}

// A clock that was set back reads everything as strong as can be. That must turn no register.
func TestAClockSetBackScalesNothing(t *testing.T) {
	l := newLab(t)
	for day := range 3 {
		var paths []string
		for i := range 20 {
			paths = append(paths, fmt.Sprintf("file%d.go", i))
		}
		l.visit(fmt.Sprint("run ", day), float64(day*dayMinutes), append(paths, paths...)...)
	}
	if l.linkCount() < 100 {
		t.Fatalf("%d links are too few", l.linkCount())
	}
	link, _ := l.link("file3.go", "file4.go")
	l.clock = start.Add(3 * 24 * time.Hour)
	before := l.strength(link)
	for range 4 {
		l.sleepOn(-3000, SleepInput{Only: BalancePart})
	}
	l.clock = start.Add(3 * 24 * time.Hour)
	again, _ := l.link("file3.go", "file4.go")
	if got := l.strength(again); got != before {
		t.Errorf("weight %v, was %v", got, before)
	}
}

func TestASessionThatGoesOnIsGoneThroughOnce(t *testing.T) {
	l := newLab(t)
	l.see(1, l.touch("run", 0, memory.Read, "a.go"), l.touch("run", .5, memory.Read, "chance.go"))
	for i := range 20 {
		minutes := 20 * float64(i+1)
		l.see(minutes, l.touch("run", minutes, memory.Read, fmt.Sprintf("other%d.go", i%5)))
		l.sleepOn(minutes/dayMinutes, SleepInput{Only: ConsolidatePart})
	}
	link, _ := l.link("a.go", "chance.go")
	if got := l.strength(link); got > .15 {
		t.Errorf("one chance meeting has grown to %.3f by being slept over", got)
	}
}

func TestASecondSleepAtOnceFindsNothingToDo(t *testing.T) {
	l := newLab(t)
	l.visit("chance", 0, "a.go", "b.go")
	first := l.sleepOn(60, SleepInput{})
	if first.Decay.PrunedSynapses != 1 || first.Decay.PrunedNeurons != 2 {
		t.Errorf("forgot %+v", first.Decay)
	}
	if second := l.sleepOn(60, SleepInput{}); second.Changed() {
		t.Errorf("and then %+v", second)
	}
}

func TestAReportKeepsNoNames(t *testing.T) {
	l := newLab(t)
	l.visit("chance", 0, "secret-plan.go", "b.go")
	if report := l.sleepOn(4, SleepInput{}); len(report.Decay.Examples) == 0 {
		t.Error("the sleeper is told no names")
	}
	sleeps, err := viewed(t.Context(), l.Brain, func(tx *store.Tx) ([]store.SleepRecord, error) { return tx.Sleeps(t.Context(), time.Time{}, 10) })
	if err != nil || len(sleeps) != 1 || strings.Contains(sleeps[0].Report, "secret-plan") {
		t.Errorf("kept %+v, %v", sleeps, err)
	}
}

func TestWhatAWrongClockForgotComesBackByUse(t *testing.T) {
	l := newLab(t)
	l.visit("chance", 0, "a.go", "b.go")
	l.sleepOn(365, SleepInput{})
	l.visit("again", 2*dayMinutes, "a.go", "b.go")
	if _, back := l.link("a.go", "b.go"); !back {
		t.Error("used again, it is still forgotten")
	}
}

// A tag that sleep took off must not leave a pair worse off than one nobody slept over.
func TestSleepBetweenMeetingsCostsNothing(t *testing.T) {
	weight := func(night bool) float64 {
		l := newLab(t)
		for i, minutes := range []float64{0, 1, 300, 310} {
			l.see(minutes, l.touch("run", minutes, memory.Read, []string{"a.go", "b.go"}[i%2]))
			if night && i == 1 {
				l.sleepOn(200./dayMinutes, SleepInput{Only: BalancePart})
			}
		}
		link, _ := l.link("a.go", "b.go")
		return l.strength(link)
	}
	if with, without := weight(true), weight(false); with != without {
		t.Errorf("%.4f with a sleep in between, %.4f without", with, without)
	}
}
