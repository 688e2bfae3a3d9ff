package record_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transfer"
)

func TestWhatASessionTouchesTogetherIsWired(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(10, l.Touch("run", 1, memory.Read, "a.go"), l.Touch("run", 2, memory.Read, "b.go"))
	once := l.Weight("a.go", "b.go")
	if math.Abs(once-.0982) > 1e-3 || math.Abs(l.Weight("b.go", "a.go")-once) > 1e-9 {
		t.Errorf("met once: %.4f and %.4f, want .0982 both ways", once, l.Weight("b.go", "a.go"))
	}
	l.See(12, l.Touch("run", 3, memory.Read, "a.go"))
	if twice := l.Weight("a.go", "b.go"); math.Abs(twice-.3) > 1e-3 {
		t.Errorf("met twice: %.4f, want it captured at .3", twice)
	}
}

// Each turn is drained by a process of its own, which reads back what the session has in view.
func TestWhatASearchListedIsNotInView(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(10, l.Touch("run", 1, memory.Mention, "listed.go"), l.Touch("run", 1, memory.Mention, "other.go"))
	l.See(11, l.Touch("run", 2, memory.Read, "a.go"))
	l.See(12, l.Touch("run", 3, memory.Read, "b.go"))
	must.Do(t, l.Store.View(t.Context(), func(tx *store.Tx) error {
		counts, err := tx.CountSynapses(t.Context(), 0)
		if err == nil && counts[memory.OriginAgent] != 1 {
			t.Errorf("%v synapses, want the one between a.go and b.go", counts)
		}
		return err
	}))
}

func TestOneSessionCannotFlood(t *testing.T) {
	l := braintest.NewLab(t)
	var events []memory.Event
	for i := range 400 {
		events = append(events, l.Touch("run", 1+float64(i)/100, memory.Read, []string{"a.go", "b.go"}[i%2]))
	}
	l.See(6, events...)
	if w := l.Weight("a.go", "b.go"); w > .5+1e-9 || w < .49 {
		t.Errorf("after 400 touches in one session the weight is %.3f, want .3 + .2", w)
	}
}

func TestProjectsNeverWireToEachOther(t *testing.T) {
	l := braintest.NewLab(t)
	other := memory.Place{Identity: "/bank/.git", Root: "/bank"}
	there := l.Touch("run", 2, memory.Read, "b.go")
	there.Place = other
	l.See(10, l.Touch("run", 1, memory.Read, "a.go"), there, l.Touch("run", 3, memory.Read, "c.go"))
	must.Do(t, l.Store.View(t.Context(), func(tx *store.Tx) error {
		counts, err := tx.CountSynapses(t.Context(), 0)
		if err == nil && counts[memory.OriginAgent] != 1 {
			t.Errorf("%v synapses, want the one between a.go and c.go", counts)
		}
		return err
	}))
	if l.Weight("a.go", "c.go") == 0 {
		t.Error("a.go and c.go of one project are not wired")
	}
}

func TestTheSameEventsTwiceChangeNothing(t *testing.T) {
	l := braintest.NewLab(t)
	events := l.SomeWork()
	l.See(60, events...)
	before := l.Learned()
	if len(before.Synapses) == 0 || len(before.Answers) == 0 {
		t.Fatalf("nothing was learned: %+v", before)
	}
	l.See(60, events...)
	if after := l.Learned(); !reflect.DeepEqual(before, after) {
		t.Errorf("after the second time:\n%+v\nbefore:\n%+v", after, before)
	}
}

func TestForgettingLeavesWhatWouldBeWithoutIt(t *testing.T) {
	forgetful, innocent := braintest.NewLab(t), braintest.NewLab(t)
	events := forgetful.SomeWork()
	extra := []memory.Event{
		forgetful.Touch("three", 40, memory.Edit, "web/login.go"), forgetful.Touch("three", 41, memory.Edit, "secret/plan.go"),
		forgetful.Touch("three", 42, memory.Edit, "web/auth.go"), forgetful.Say("three", 43, memory.SessionEnded, ""),
	}
	forgetful.See(60, append(slices.Clone(events), extra...)...)
	innocent.See(60, events...)
	if reflect.DeepEqual(forgetful.Learned(), innocent.Learned()) {
		t.Fatal("the third session left no trace, so this proves nothing")
	}
	out, err := steward.Run(t.Context(), forgetful.Brain, steward.Forget, forget.ForgetInput{Session: "three", Apply: true})
	if err != nil || out.Events != 4 {
		t.Fatalf("%+v, %v", out, err)
	}
	forgetful.Drains(60, steward.DrainInput{Think: true})
	innocent.Relearn() // as forgetting does: what history suggests comes last
	got, want := forgetful.Learned(), innocent.Learned()
	if !slices.Equal(got.Answers, want.Answers) {
		t.Errorf("answers %v, want %v", got.Answers, want.Answers)
	}
	if len(got.Neurons) != len(want.Neurons) || len(got.Synapses) != len(want.Synapses) {
		t.Fatalf("%d neurons, %d synapses; want %d, %d", len(got.Neurons), len(got.Synapses), len(want.Neurons), len(want.Synapses))
	}
	for i, n := range got.Neurons {
		w := want.Neurons[i]
		if n.Key != w.Key || n.Accesses != w.Accesses || n.Links != w.Links || math.Abs(float64(n.Myelin-w.Myelin)) > 1e-9 {
			t.Errorf("neuron %+v, want %+v", n, w)
		}
	}
	for i, s := range got.Synapses {
		if w := want.Synapses[i]; s.A != w.A || s.B != w.B || math.Abs(float64(s.AB-w.AB)) > 1e-9 || s.CoAccesses != w.CoAccesses {
			t.Errorf("synapse %+v, want %+v", s, w)
		}
	}
}

func TestLearningAnewChangesNothingTheSecondTime(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(60, l.SomeWork()...)
	l.Relearn()
	once := l.Learned()
	l.Relearn()
	if twice := l.Learned(); !reflect.DeepEqual(once, twice) {
		t.Errorf("%+v\nthen\n%+v", once, twice)
	}
}

func TestAnImportLearnsWhatItBrings(t *testing.T) {
	from, to := braintest.NewLab(t), braintest.NewLab(t)
	from.See(60, from.SomeWork()...)
	var file strings.Builder
	must.Get(transfer.Export(t.Context(), from.Store, &file))(t)
	to.Clock = from.Clock
	must.Get(transfer.Import(t.Context(), to.Brain, transfer.ImportInput{From: strings.NewReader(file.String()), Mine: true}))(t)
	if got, want := to.Learned().Answers, from.Learned().Answers; !slices.Equal(got, want) {
		t.Errorf("answers after the import %v, want %v", got, want)
	}
}

func TestARenameTakesLinksAlong(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(10, l.Touch("run", 1, memory.Edit, "a.go"), l.Touch("run", 2, memory.Edit, "b.go"), l.Touch("run", 3, memory.Edit, "a.go"))
	before := l.Weight("a.go", "b.go")
	l.See(20, l.Commit(15, "rename", memory.Touch{Kind: memory.Rename, Path: "lib/a.go", From: "a.go"}))
	if l.Weight("a.go", "b.go") != 0 {
		t.Error("the old name is still wired")
	}
	if got := l.Weight("lib/a.go", "b.go"); before < .29 || math.Abs(got-before) > 1e-3 {
		t.Errorf("the new name has weight %.3f, the old one had %.3f", got, before)
	}
}

func TestAnotherProcessSeesWhatThisOneLearned(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(10, l.Commit(1, "cache eviction", braintest.Changed("cache.go", "lru.go")...))
	other := must.Get(brain.Open(t.Context(), l.Config, func() time.Time { return l.Clock }))(t)
	defer func() {
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	}()
	ask := func() []string {
		out := must.Get(steward.Run(t.Context(), other, ranking.Recall, ranking.RecallInput{Scope: brain.Scope{Project: l.Place.Project().String()}, Text: "cache eviction policy"}))(t)
		var paths []string
		for _, f := range out.Files {
			paths = append(paths, f.Path)
		}
		return paths
	}
	if got := ask(); !slices.Contains(got, "cache.go") {
		t.Fatalf("answers %v", got)
	}
	l.See(20, l.Commit(12, "cache eviction policy", braintest.Changed("policy.go", "cache.go")...))
	if got := ask(); !slices.Contains(got, "policy.go") {
		t.Errorf("a commit learned elsewhere is not seen: %v", got)
	}
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{Scope: brain.Scope{Project: l.Place.Project().String()}, Since: braintest.Start.Add(11 * time.Minute), Apply: true}))(t)
	if got := ask(); slices.Contains(got, "policy.go") {
		t.Errorf("what was forgotten elsewhere is still recalled: %v", got)
	}
}

const panicText = "panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:12 +0x1d"

func TestResolvedErrorsBringTheirFix(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(5, l.Touch("run", 1, memory.Read, "store/map.go"))
	found, ok := fault.Find(panicText)
	if !ok {
		t.Fatal("no fault in a panic")
	}
	resolve := func() {
		e := l.Event(memory.Resolved, 6)
		e.Text, e.Agent, e.AgentSession, e.Origin = panicText, memory.AgentUser, "", memory.OriginUser
		e.Touches = braintest.Changed("store/map.go")
		l.See(10, e)
	}
	fixes := func() []ranking.Recalled {
		out := must.Get(steward.Run(t.Context(), l.Brain, ranking.Recall, ranking.RecallInput{
			Scope: brain.Scope{Project: l.Place.Project().String()}, Text: "tests fail:\npanic: assignment to entry in nil map\n\ngoroutine 7 [running]:",
		}))(t)
		if out.Error != found.Key() {
			t.Errorf("error %q, want %q", out.Error, found.Key())
		}
		return out.Fixes
	}
	if got := fixes(); len(got) != 0 {
		t.Errorf("a fix before any was named: %+v", got)
	}
	resolve()
	once := fixes()
	if len(once) != 1 || once[0].Path != "store/map.go" || math.Abs(once[0].Confidence-.85*(1+.02)) > .02 {
		t.Fatalf("fixes %+v, want store/map.go at .85 and a little", once)
	}
	resolve()
	if twice := fixes(); twice[0].Confidence <= once[0].Confidence {
		t.Errorf("named again it is no surer: %.3f, %.3f", once[0].Confidence, twice[0].Confidence)
	}
	prose, err := steward.Run(t.Context(), l.Brain, ranking.Recall, ranking.RecallInput{Scope: brain.Scope{Project: l.Place.Project().String()}, Text: "please tidy the map code"})
	if err != nil || len(prose.Fixes) != 0 || prose.Error != "" {
		t.Errorf("prose brings fixes: %+v, %v", prose.Fixes, err)
	}
}

// A search for the text of a command is no run of it.
func TestOnlyACommandThatRanProvesAFix(t *testing.T) {
	for tool, want := range map[string]int{"Grep": 0, "Bash": 1} {
		l := braintest.NewLab(t)
		failed, passed := l.Say("run", 1, memory.ToolFailed, panicText), l.Say("run", 3, memory.ToolUsed, "")
		failed.Tool, failed.Input, passed.Tool, passed.Input = "Bash", "go test ./...", tool, "go test ./..."
		l.See(10, failed, l.Touch("run", 2, memory.Edit, "store/map.go"), passed, l.Say("run", 4, memory.SessionEnded, ""))
		if got := braintest.Must(l, ranking.Recall, ranking.RecallInput{Scope: l.Scope(), Text: panicText}).Fixes; len(got) != want {
			t.Errorf("%s: fixes %+v, want %d", tool, got, want)
		}
	}
}

func TestRecallKeepsToItsBudget(t *testing.T) {
	l := braintest.NewLab(t)
	var events []memory.Event
	for i := range 30 {
		events = append(events, l.Commit(float64(i), "tune the parser", braintest.Changed(fmt.Sprintf("parser/part%02d.go", i), "parser/core.go")...))
	}
	l.See(60, events...)
	in := ranking.RecallInput{Scope: brain.Scope{Project: l.Place.Project().String()}, Text: "parser", Limit: 20, Budget: 40}
	out, err := steward.Run(t.Context(), l.Brain, ranking.Recall, in)
	if err != nil || len(out.Files) == 0 || out.Tokens > 40 {
		t.Errorf("%d files for %d tokens, %v", len(out.Files), out.Tokens, err)
	}
	in.Explain = true
	out, err = steward.Run(t.Context(), l.Brain, ranking.Recall, in)
	if err != nil || len(out.Files[0].Parts) == 0 || len(out.Files[0].Proof) == 0 || out.Files[0].Proof[0].Text != "tune the parser" {
		t.Errorf("explained: %+v, %v", out.Files, err)
	}
}

func TestClosedSessionsCountOnceForWhatTheyMetTogether(t *testing.T) {
	l := braintest.NewLab(t)
	together := func() int64 {
		var n int64 = -1
		must.Do(t, l.Store.View(t.Context(), func(tx *store.Tx) error {
			links, err := tx.StrongestSynapses(t.Context(), store.SynapseFilter{})
			if err == nil && len(links) == 1 {
				n = links[0].CoSessions
			}
			return err
		}))
		return n
	}
	for i, run := range []string{"one", "two"} {
		at := float64(10 * i)
		l.See(at+5, l.Touch(run, at+1, memory.Read, "a.go"), l.Touch(run, at+2, memory.Read, "b.go"))
		if got := together(); got != int64(i) {
			t.Errorf("session %s is still open and counts: %d", run, got)
		}
		l.See(at+6, l.Say(run, at+5, memory.SessionEnded, ""))
	}
	if got := together(); got != 2 {
		t.Errorf("two closed sessions count %d", got)
	}
	l.See(40, l.Say("one", 30, memory.Prompted, "again"), l.Touch("one", 31, memory.Read, "a.go"), l.Say("one", 32, memory.SessionEnded, ""))
	if got := together(); got != 2 {
		t.Errorf("a session that was resumed counts again: %d", got)
	}
	l.Relearn()
	if got := together(); got != 2 {
		t.Errorf("learned anew it is %d", got)
	}
}

func TestRobotsAndLockFilesDoNotMakeFilesGrow(t *testing.T) {
	l := braintest.NewLab(t)
	var events []memory.Event
	for i := range 6 {
		person := l.Commit(float64(2*i), "bump", append(braintest.Changed("app.go"), memory.Touch{Kind: memory.Mention, Path: "go.sum"})...)
		robot := l.Commit(float64(2*i+1), "bump", braintest.Changed("deps.go")...)
		robot.Subagent = git.BotSubagent
		events = append(events, person, robot)
	}
	l.See(60, events...)
	grown := map[string]bool{}
	for _, n := range l.Learned().Neurons {
		grown[n.Key] = n.Myelin > plasticity.Nothing
		if n.Accesses != 6 {
			t.Errorf("%s was met %d times, want 6", n.Key, n.Accesses)
		}
	}
	if !grown["app.go"] || grown["go.sum"] || grown["deps.go"] {
		t.Errorf("grown: %v, want app.go alone", grown)
	}
}
