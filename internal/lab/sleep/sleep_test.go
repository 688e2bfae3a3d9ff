package sleep_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

func TestSleepForgetsChanceAndKeepsHabits(t *testing.T) {
	l := braintest.NewLab(t)
	for day := range 3 {
		l.Visit(fmt.Sprint("habit ", day), float64(day*braintest.DayMinutes), "a.go", "b.go", "a.go", "b.go")
	}
	l.Visit("chance", 2.5*braintest.DayMinutes, "a.go", "stray.go")
	report := l.SleepOn(7, sleep.SleepInput{})
	if _, kept := l.Link("a.go", "b.go"); !kept {
		t.Error("what was met again and again is gone")
	}
	if _, kept := l.Link("a.go", "stray.go"); kept {
		t.Error("a chance meeting is still there")
	}
	if report.Decay.PrunedSynapses != 1 || report.Decay.Reasons[plasticity.Noise] != 1 {
		t.Errorf("report %+v", report.Decay)
	}
	again := l.SleepOn(7, sleep.SleepInput{})
	if again.Changed() {
		t.Errorf("a second sleep at once changed something: %+v", again)
	}
}

func TestADrySleepCountsAndChangesNothing(t *testing.T) {
	l := braintest.NewLab(t)
	l.Visit("one", 0, "a.go", "b.go", "c.go")
	state := func() any {
		links := must.Get(brain.View(t.Context(), l.Store, func(tx *store.Tx) (any, error) {
			links, one := tx.StrongestSynapses(t.Context(), store.SynapseFilter{})
			neurons, two := tx.Neurons(t.Context(), store.NeuronFilter{})
			balance, three := tx.Balance(t.Context(), l.Place.Project())
			sleeps, four := tx.Sleeps(t.Context(), time.Time{}, 10)
			return []any{links, neurons, balance, sleeps}, errors.Join(one, two, three, four)
		}))(t)
		return links
	}
	l.On(4)
	l.WorkedOn()
	before := state()
	dry := l.SleepOn(4, sleep.SleepInput{Dry: true})
	if after := state(); !reflect.DeepEqual(before, after) {
		t.Errorf("changed:\n%+v\n%+v", before, after)
	}
	real := l.SleepOn(4, sleep.SleepInput{})
	if dry.Decay.PrunedSynapses != 3 || !reflect.DeepEqual(dry.Decay, real.Decay) || dry.Consolidation != real.Consolidation {
		t.Errorf("dry %+v %+v, real %+v %+v", dry.Decay, dry.Consolidation, real.Decay, real.Consolidation)
	}
}

func TestAClockThatJumpsDoesNoHarm(t *testing.T) {
	l := braintest.NewLab(t)
	paths := slices.Repeat(l.Named(true, 20), 2)
	for day := range 3 {
		l.Visit(fmt.Sprint("habit ", day), float64(day*braintest.DayMinutes), paths...)
	}
	before := l.LinkCount()
	strength := func() float64 { // on one day
		l.Clock = braintest.Start.Add(6 * braintest.ADay)
		link, _ := l.Link(paths[3], paths[4])
		return l.Strength(link)
	}
	l.SleepOn(3, sleep.SleepInput{})
	was := strength()
	const years = 3652
	for _, day := range []float64{3 + years, 3.1 + years, 4 - years, 4, 5 + years, 5 - years, 6} {
		l.On(day)
		braintest.Must(l, steward.Sleep, sleep.SleepInput{})
		if got := l.LinkCount(); got != before {
			t.Fatalf("day %v: %d links of %d are left", day, got, before)
		}
		for _, n := range l.Neurons() {
			if !(n.Myelin >= 0 && n.Myelin <= .95) {
				t.Errorf("day %v: %s has myelin %v", day, n.Key, n.Myelin)
			}
		}
		if is := strength(); is != was || before < 100 {
			t.Errorf("day %v: a link of %v weighs %v, of %d", day, was, is, before)
		}
	}
}

func TestOnlyOneSleepsAtATime(t *testing.T) {
	l := braintest.NewLab(t)
	l.Visit("one", 0, "a.go", "b.go")
	other := func(span time.Duration) {
		must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error {
			_, err := tx.TakeLease(t.Context(), "sleep", "another process", "", span)
			return err
		}))
	}
	l.Clock = braintest.Start.Add(4 * 24 * time.Hour)
	other(time.Minute)
	if report := l.SleepOn(4, sleep.SleepInput{}); !report.Busy || l.LinkCount() != 1 {
		t.Errorf("slept beside another: %+v", report)
	}
	if report := l.SleepOn(4.01, sleep.SleepInput{}); report.Busy || l.LinkCount() != 0 {
		t.Errorf("did not sleep after the other's time was up: %+v", report)
	}

	l.Many(6 * braintest.DayMinutes)
	l.Numbers.Chunk = 1
	l.On(11)
	l.WorkedOn()
	forgotten := 0
	_, err := steward.Run(t.Context(), l.Brain, steward.Sleep, sleep.SleepInput{Progress: func(doing string, _ float64) {
		if forgotten++; doing == "forgetting links" && forgotten > 6 {
			l.Clock = l.Clock.Add(time.Hour) // it was asleep too long, and another came
			other(time.Minute)
		}
	}})
	if !errors.Is(err, memory.ErrConflict) || l.LinkCount() == 0 || l.LinkCount() == 36 {
		t.Errorf("went on beside another: %v, %d links left", err, l.LinkCount())
	}
}

// One that was killed, or whose disk had no room to give its turn back, keeps nobody waiting; one that is at work does.
func TestTheTurnOfAProcessThatIsGoneIsFreeAtOnce(t *testing.T) {
	l := braintest.NewLab(t)
	l.Visit("one", 0, "a.go", "b.go")
	l.Clock = braintest.Start.Add(time.Hour)
	takes := func() *brain.Lease {
		t.Helper()
		turn, err := l.NewLease(state.DreamLease, state.DreamPatient)
		if err == nil {
			err = l.Store.Update(t.Context(), func(tx *store.Tx) error {
				held, err := turn.Take(t.Context(), tx)
				if err == nil && !held {
					turn.Leave()
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
	first.Sign()
	if busy, err := l.Alone(t.Context(), state.DreamLease, state.DreamPatient, func() error { t.Error("two at once"); return nil }); err != nil || !busy {
		t.Errorf("beside one at work: busy %v, %v", busy, err)
	}
	first.Leave() // as the system does when a process is killed; in the store it still has its turn
	second := takes()
	if second == nil {
		t.Fatal("one that is gone keeps others waiting")
	}
	second.Leave() // killed before it could sign: only time tells
	if third := takes(); third != nil {
		t.Error("took the turn of one of whom nothing is known")
	}
	l.Clock = l.Clock.Add(state.DreamPatient + time.Millisecond)
	if busy, err := l.Alone(t.Context(), state.DreamLease, state.DreamPatient, func() error { return errors.New("it went wrong") }); err == nil || busy {
		t.Errorf("after its time: busy %v, %v", busy, err)
	}
	if busy, err := l.Alone(t.Context(), state.DreamLease, state.DreamPatient, func() error { return nil }); err != nil || busy {
		t.Errorf("a turn that went wrong is over: busy %v, %v", busy, err)
	}
	// Where no file can be had, the store alone decides.
	l.Config.Dir = filepath.Join(l.Config.Dir, "hebb.db")
	if busy, err := l.Alone(t.Context(), state.DreamLease, state.DreamPatient, func() error {
		busy, err := l.Alone(t.Context(), state.DreamLease, state.DreamPatient, func() error { t.Error("two at once"); return nil })
		if err == nil && !busy {
			t.Error("two at once")
		}
		return err
	}); err != nil || busy {
		t.Errorf("without files: busy %v, %v", busy, err)
	}
}

func TestASleepThatIsKilledIsFinishedByTheNext(t *testing.T) {
	l := braintest.NewLab(t)
	l.Many(0)
	l.Numbers.Chunk = 20 // the first pieces are a quarter of it
	l.On(4)
	l.WorkedOn()
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	chunks := 0
	_, err := steward.Run(ctx, l.Brain, steward.Sleep, sleep.SleepInput{Progress: func(doing string, _ float64) {
		if doing == "forgetting links" {
			if chunks++; chunks == 3 {
				kill()
			}
		}
	}})
	if !errors.Is(err, context.Canceled) || l.LinkCount() != 26 {
		t.Fatalf("%v, %d links left", err, l.LinkCount())
	}
	if report := l.SleepOn(4, sleep.SleepInput{}); report.Busy || report.Decay.PrunedSynapses != 26 {
		t.Errorf("%+v", report)
	}
}

func TestSleepFindsWhatDaysAloneDoNot(t *testing.T) {
	l := braintest.NewLab(t)
	l.Numbers.Window = 2 // far apart in a session means not wired by it
	for day := range 3 {
		l.Visit(fmt.Sprint("run ", day), float64(day*braintest.DayMinutes), "model.go", "one.go", "two.go", "three.go", "view.go")
	}
	if _, wired := l.Link("model.go", "view.go"); wired {
		t.Fatal("wired without sleep")
	}
	near, _ := l.Link("one.go", "two.go")
	l.Clock = braintest.Start.Add(3 * 24 * time.Hour)
	before := l.Strength(near)
	report := l.SleepOn(3, sleep.SleepInput{})
	found, wired := l.Link("model.go", "view.go")
	if !wired || found.TaggedAt.IsZero() || found.CoAccesses != 0 || l.Strength(found) < .15 {
		t.Errorf("pair of three sessions: %+v, %v", found, wired)
	}
	again, _ := l.Link("one.go", "two.go")
	if l.Strength(again) <= before || again.CoAccesses != near.CoAccesses || !again.LastAt.Equal(near.LastAt) {
		t.Errorf("replay: weight %.3f, was %.3f; %+v", l.Strength(again), before, again)
	}
	c := report.Consolidation
	if c.SessionsReplayed != 3 || c.PatternsDiscovered == 0 || c.TemporalPairsFound == 0 || c.TripletsFound == 0 {
		t.Errorf("report %+v", c)
	}
	second := l.SleepOn(3, sleep.SleepInput{})
	if second.Consolidation != (sleep.ConsolidationReport{}) {
		t.Errorf("learned twice from the same work: %+v", second.Consolidation)
	}
}

func TestWhatSleepForgotComesBackByUseOnly(t *testing.T) {
	l := braintest.NewLab(t)
	l.Visit("chance", 0, "a.go", "stray.go")
	l.Visit("other", 10, "x.go", "y.go")
	chance := l.Sessions()[1].ID.String()
	l.SleepOn(4, sleep.SleepInput{})
	if _, kept := l.Link("a.go", "stray.go"); kept {
		t.Fatal("not forgotten")
	}
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{Session: chance, Apply: true}))(t)
	if _, back := l.Link("a.go", "stray.go"); back {
		t.Error("going through old events again brought it back")
	}
	l.Visit("again", 5*braintest.DayMinutes, "a.go", "stray.go")
	if _, back := l.Link("a.go", "stray.go"); !back {
		t.Error("using it again did not bring it back")
	}
}

func TestARetunedRateMovesNothingToday(t *testing.T) {
	l := braintest.NewLab(t)
	for day := range 4 {
		l.Visit(fmt.Sprint("run ", day), float64(day*braintest.DayMinutes), "a.go", "b.go", "a.go", "b.go")
	}
	link, _ := l.Link("a.go", "b.go")
	before := l.Strength(link)
	l.Numbers.Plasticity.Rates.Weight = .9
	if got := l.Strength(link); got != before {
		t.Errorf("read at the new rate before anything was moved: %v, was %v", got, before)
	}
	l.SleepOn(3.001, sleep.SleepInput{Only: sleep.BalancePart})
	moved, _ := l.Link("a.go", "b.go")
	if got := l.Strength(moved); got < before*.999 || got > before {
		t.Errorf("weight %v, was %v", got, before)
	}
	l.Clock = l.Clock.Add(24 * time.Hour)
	l.WorkedOn()
	if got := l.Strength(moved); got < before*.89 || got > before*.91 {
		t.Errorf("a day later %v of %v is left, want nine tenths", got, before)
	}
}

func TestHebbSleepsAfterWorkButNotAllTheTime(t *testing.T) {
	l := braintest.NewLab(t)
	drain := func(minutes float64) *sleep.SleepReport {
		l.Clock = braintest.Start.Add(time.Duration(minutes * float64(time.Minute)))
		r := must.Get(steward.Run(t.Context(), l.Brain, steward.Drain, steward.DrainInput{Sleep: true}))(t)
		return r.Slept
	}
	l.Visit("one", 0, "a.go", "b.go")
	for _, c := range []struct {
		at    float64
		slept bool
	}{{5, true}, {6, false}, {900, false}, {1000, true}, {1001, false}, {-60 * 24 * 365, true}, {1002, true}} {
		if got := drain(c.at) != nil; got != c.slept {
			t.Errorf("at minute %v: slept %v, want %v", c.at, got, c.slept)
		}
	}
}

// Packing must change nothing that can be seen: a memory whose old tool calls are packed is compared with one that keeps their rows.
func TestOldToolCallsArePacked(t *testing.T) {
	packed, plain := braintest.NewLab(t), braintest.NewLab(t)
	packed.Numbers.LogRows = 1
	command := func(minutes float64, kind memory.EventKind, text string) memory.Event {
		e := packed.Say("fix", minutes, kind, text)
		e.Tool, e.Input = "Bash", "go test ./..."
		return e
	}
	const failure = "panic: assignment to entry in nil map\n\t/src/store/map.go:12 +0x1d"
	fix := []memory.Event{
		packed.Touch("fix", 50, memory.Read, "unrelated.go"), command(51, memory.ToolFailed, failure), packed.Touch("fix", 52, memory.Read, "look.go"),
		packed.Touch("fix", 53, memory.Edit, "store/map.go"), command(54, memory.ToolUsed, ""), packed.Touch("fix", 55, memory.Edit, "later.go"),
		packed.Say("fix", 56, memory.SessionEnded, ""),
	}
	work := packed.SomeWork()
	const (
		later = 40 * braintest.DayMinutes
		most  = 9 // all but failures, what fixed one, and today's
	)
	now := []memory.Event{packed.Say("now", later, memory.Prompted, "go on"), packed.Touch("now", later+1, memory.Read, "web/login.go")}
	same := func(what string) {
		t.Helper()
		if got, want := packed.Learned(), plain.Learned(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: learned %+v\nwant %+v", what, got, want)
		}
		if got, want := packed.Exported(), plain.Exported(); got != want {
			t.Errorf("%s: exported\n%s\nwant\n%s", what, got, want)
		}
		fixes := func(l *braintest.Lab) any {
			return braintest.Must(l, ranking.Recall, ranking.RecallInput{Scope: l.Scope(), Text: failure}).Fixes
		}
		if got, want := fixes(packed), fixes(plain); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: fixes %+v, want %+v", what, got, want)
		}
	}
	for _, l := range []*braintest.Lab{packed, plain} {
		l.See(120, slices.Concat(work, fix)...)
		l.See(later+2, now...)
		dry := l.SleepOn(40, sleep.SleepInput{Dry: true})
		report := l.SleepOn(40, sleep.SleepInput{})
		want := int64(0)
		if l == packed {
			want = most
		}
		if report.Consolidation.CallsPacked != want || dry.Consolidation.CallsPacked != want {
			t.Errorf("%d calls packed, a dry run %d, want %d", report.Consolidation.CallsPacked, dry.Consolidation.CallsPacked, want)
		}
	}
	same("packed")
	for _, l := range []*braintest.Lab{packed, plain} {
		l.See(later+10, slices.Concat(work, fix)...) // read again from elsewhere
	}
	same("seen again")
	for _, l := range []*braintest.Lab{packed, plain} {
		l.Relearn()
	}
	same("relearned")
	for _, l := range []*braintest.Lab{packed, plain} {
		if report := l.SleepOn(42, sleep.SleepInput{Again: true}); report.Consolidation.CallsPacked != 0 {
			t.Errorf("%d calls packed again: nothing was unpacked", report.Consolidation.CallsPacked)
		}
		braintest.Must(l, steward.Forget, forget.ForgetInput{Scope: l.Scope(), Session: "one", Apply: true})
	}
	same("forgotten")
}

func TestAStoreThatIsTooLargeForgetsItsOldestWork(t *testing.T) {
	l := braintest.NewLab(t)
	for i := range 12 {
		l.Visit(fmt.Sprint("run ", i), float64(i*60), "a.go", "b.go", "c.go", "d.go")
	}
	before := must.Get(l.Store.Facts(t.Context()))(t)
	l.Config.Tuning.Sleep.Budget = before.Used * 9 / 10
	l.On(1)
	report := braintest.Must(l, steward.Sleep, sleep.SleepInput{})
	if report.Budget == nil || report.Budget.Sessions == 0 {
		t.Fatalf("budget %+v", report.Budget)
	}
	l.Config.Tuning.Sleep.Budget = before.Used * 21 / 20 // deleted rows leave room in the file, which counts no more; tombstones take a little
	l.On(1.1)
	if again := braintest.Must(l, steward.Sleep, sleep.SleepInput{}); again.Budget != nil {
		t.Errorf("forgot more, though there was room: %+v", again.Budget)
	}
	left := l.Sessions()
	if len(left) != 12-int(report.Budget.Sessions) || left[0].AgentSession != "run 11" {
		t.Errorf("%d sessions left, the newest is %q; report %+v", len(left), left[0].AgentSession, report.Budget)
	}
	for _, s := range left {
		if s.AgentSession == "run 0" {
			t.Error("the oldest is still there")
		}
	}
}

func TestASessionThatGoesOnIsGoneThroughOnce(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(1, l.Touch("run", 0, memory.Read, "a.go"), l.Touch("run", .5, memory.Read, "chance.go"))
	for i := range 20 {
		minutes := 20 * float64(i+1)
		l.See(minutes, l.Touch("run", minutes, memory.Read, fmt.Sprintf("other%d.go", i%5)))
		l.SleepOn(minutes/braintest.DayMinutes, sleep.SleepInput{Only: sleep.ConsolidatePart})
	}
	link, _ := l.Link("a.go", "chance.go")
	if got := l.Strength(link); got > .15 {
		t.Errorf("one chance meeting has grown to %.3f by being slept over", got)
	}
}

func TestAReportKeepsNoNames(t *testing.T) {
	l := braintest.NewLab(t)
	l.Visit("chance", 0, "secret-plan.go", "b.go")
	if report := l.SleepOn(4, sleep.SleepInput{}); len(report.Decay.Examples) == 0 {
		t.Error("the sleeper is given no names")
	}
	sleeps, err := brain.View(t.Context(), l.Store, func(tx *store.Tx) ([]store.SleepRecord, error) { return tx.Sleeps(t.Context(), time.Time{}, 10) })
	if err != nil || len(sleeps) != 1 || strings.Contains(sleeps[0].Report, "secret-plan") {
		t.Errorf("kept %+v, %v", sleeps, err)
	}
}

// A tag that sleep took off must not leave a pair worse off than one nobody slept over.
func TestSleepBetweenMeetingsCostsNothing(t *testing.T) {
	weight := func(night bool) float64 {
		l := braintest.NewLab(t)
		for i, minutes := range []float64{0, 1, 300, 310} {
			l.See(minutes, l.Touch("run", minutes, memory.Read, []string{"a.go", "b.go"}[i%2]))
			if night && i == 1 {
				l.SleepOn(200./braintest.DayMinutes, sleep.SleepInput{Only: sleep.BalancePart})
			}
		}
		link, _ := l.Link("a.go", "b.go")
		return l.Strength(link)
	}
	if with, without := weight(true), weight(false); with != without {
		t.Errorf("%.4f with a sleep in between, %.4f without", with, without)
	}
}

// Cutting long texts into words for each of their neighbours took a sleep from a second to a minute: they are known word for word only.
func TestLongTextsAreNotCompared(t *testing.T) {
	l := braintest.NewLibrary(t)
	for day, c := range []struct {
		words  int
		merged int64
	}{{100, 1}, {2000, 0}} {
		var b strings.Builder
		for i := range c.words {
			fmt.Fprintf(&b, "street%dx%d ", i, c.words)
		}
		l.Remember("the " + b.String())
		l.Remember("an " + b.String())
		if got := l.Sleeps(float64(day)).Crystals.Merged; got != c.merged {
			t.Errorf("two texts of %d words: %d merged, want %d", c.words, got, c.merged)
		}
	}
}
