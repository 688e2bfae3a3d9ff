package brain

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/bootstrap"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// touch is a file read or edited by run.
func (l *lab) touch(run string, minutes float64, kind memory.TouchKind, paths ...string) memory.Event {
	e := l.event(memory.ToolUsed, minutes)
	e.AgentSession, e.Text = run, ""
	for _, p := range paths {
		e.Touches = append(e.Touches, memory.Touch{Kind: kind, Path: p})
	}
	return e
}

func (l *lab) say(run string, minutes float64, kind memory.EventKind, text string) memory.Event {
	e := l.event(kind, minutes)
	e.AgentSession, e.Text = run, text
	return e
}

func (l *lab) commit(minutes float64, subject string, touches ...memory.Touch) memory.Event {
	e := l.event(memory.Committed, minutes)
	e.AgentSession, e.Agent, e.Origin = "", memory.AgentGit, memory.OriginRepo
	e.Text, e.Input, e.Touches = subject, fmt.Sprintf("%040d", l.count), touches
	return e
}

func changed(paths ...string) (touches []memory.Touch) {
	for _, p := range paths {
		touches = append(touches, memory.Touch{Kind: memory.Edit, Path: p})
	}
	return touches
}

// weight is what one file has learned of another, now.
func (l *lab) weight(from, to string) float64 {
	l.t.Helper()
	project := l.place.Project()
	a, b := memory.NewNeuronID(project, memory.FileNeuron, from), memory.NewNeuronID(project, memory.FileNeuron, to)
	var w float64
	err := l.store.View(l.t.Context(), func(tx *store.Tx) error {
		links, err := tx.Synapses(l.t.Context(), a, []memory.NeuronID{b})
		if err != nil || len(links) == 0 {
			return err
		}
		stored := links[0].AB
		if links[0].A != a {
			stored = links[0].BA
		}
		w = plasticity.NewRules(l.numbers.Plasticity, plasticity.Balance{}).Weight.Value(stored, plasticity.Days(tx.Now))
		return nil
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return w
}

func (l *lab) recalled(in RecallInput) (paths []string) {
	l.t.Helper()
	in.Project = l.place.Project().String()
	out, err := Run(l.t.Context(), l.Brain, Recall, in)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, f := range out.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

func TestWhatASessionTouchesTogetherIsWired(t *testing.T) {
	l := newLab(t)
	l.see(10, l.touch("run", 1, memory.Read, "a.go"), l.touch("run", 2, memory.Read, "b.go"))
	once := l.weight("a.go", "b.go")
	if math.Abs(once-.0982) > 1e-3 || math.Abs(l.weight("b.go", "a.go")-once) > 1e-9 {
		t.Errorf("met once: %.4f and %.4f, want .0982 both ways", once, l.weight("b.go", "a.go"))
	}
	l.see(12, l.touch("run", 3, memory.Read, "a.go"))
	if twice := l.weight("a.go", "b.go"); math.Abs(twice-.3) > 1e-3 {
		t.Errorf("met twice: %.4f, want it captured at .3", twice)
	}
}

func TestOneSessionCannotFlood(t *testing.T) {
	l := newLab(t)
	var events []memory.Event
	for i := range 400 {
		events = append(events, l.touch("run", 1+float64(i)/100, memory.Read, []string{"a.go", "b.go"}[i%2]))
	}
	l.see(6, events...)
	if w := l.weight("a.go", "b.go"); w > .5+1e-9 || w < .49 {
		t.Errorf("after 400 touches in one session the weight is %.3f, want .3 + .2", w)
	}
}

func TestProjectsNeverWireToEachOther(t *testing.T) {
	l := newLab(t)
	other := memory.Place{Identity: "/bank/.git", Root: "/bank"}
	there := l.touch("run", 2, memory.Read, "b.go")
	there.Place = other
	l.see(10, l.touch("run", 1, memory.Read, "a.go"), there, l.touch("run", 3, memory.Read, "c.go"))
	err := l.store.View(t.Context(), func(tx *store.Tx) error {
		counts, err := tx.CountSynapses(t.Context(), 0)
		if err == nil && counts[memory.OriginAgent] != 1 {
			t.Errorf("%v synapses, want the one between a.go and c.go", counts)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if l.weight("a.go", "c.go") == 0 {
		t.Error("a.go and c.go of one project are not wired")
	}
}

// learned is everything derived from the events of the lab's project, as it can be compared.
type learned struct {
	neurons  []store.Strength
	synapses []store.Synapse
	answers  []string
}

func (l *lab) learned() (out learned) {
	l.t.Helper()
	err := l.store.View(l.t.Context(), func(tx *store.Tx) (err error) {
		if out.neurons, err = tx.Neurons(l.t.Context(), store.NeuronFilter{}); err != nil {
			return err
		}
		out.synapses, err = tx.StrongestSynapses(l.t.Context(), store.SynapseFilter{})
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	out.answers = append(l.recalled(RecallInput{Text: "login redirect"}), l.recalled(RecallInput{Open: []string{"web/login.go"}})...)
	return out
}

// someWork is a history and two sessions on it.
func (l *lab) someWork() []memory.Event {
	var events []memory.Event
	for i := range 6 {
		events = append(events, l.commit(float64(i), "fix login redirect", changed("web/login.go", "web/session.go")...))
	}
	events = append(events, l.commit(7, "move", memory.Touch{Kind: memory.Rename, Path: "web/auth.go", From: "web/session.go"}))
	for i, run := range []string{"one", "two"} {
		at := 10 + 10*float64(i)
		events = append(events,
			l.say(run, at, memory.Prompted, "the login redirect loops"),
			l.touch(run, at+1, memory.Read, "web/login.go"), l.touch(run, at+2, memory.Edit, "web/auth.go"),
			l.say(run, at+3, memory.ToolFailed, "panic: runtime error: invalid memory address or nil pointer dereference"),
			l.touch(run, at+4, memory.Edit, "web/login.go"), l.say(run, at+5, memory.SessionEnded, ""))
	}
	return events
}

func TestTheSameEventsTwiceChangeNothing(t *testing.T) {
	l := newLab(t)
	events := l.someWork()
	l.see(60, events...)
	before := l.learned()
	if len(before.synapses) == 0 || len(before.answers) == 0 {
		t.Fatalf("nothing was learned: %+v", before)
	}
	l.see(60, events...)
	if after := l.learned(); !reflect.DeepEqual(before, after) {
		t.Errorf("after the second time:\n%+v\nbefore:\n%+v", after, before)
	}
}

func TestForgettingLeavesWhatWouldBeWithoutIt(t *testing.T) {
	forgetful, innocent := newLab(t), newLab(t)
	events := forgetful.someWork()
	extra := []memory.Event{
		forgetful.touch("three", 40, memory.Edit, "web/login.go"), forgetful.touch("three", 41, memory.Edit, "secret/plan.go"),
		forgetful.touch("three", 42, memory.Edit, "web/auth.go"), forgetful.say("three", 43, memory.SessionEnded, ""),
	}
	forgetful.see(60, append(slices.Clone(events), extra...)...)
	innocent.see(60, events...)
	if reflect.DeepEqual(forgetful.learned(), innocent.learned()) {
		t.Fatal("the third session left no trace, so this proves nothing")
	}
	out, err := Run(t.Context(), forgetful.Brain, Forget, ForgetInput{Session: "three", Apply: true})
	if err != nil || out.Events != 4 {
		t.Fatalf("%+v, %v", out, err)
	}
	innocent.relearn() // as forgetting does: what history suggests comes last
	got, want := forgetful.learned(), innocent.learned()
	if !slices.Equal(got.answers, want.answers) {
		t.Errorf("answers %v, want %v", got.answers, want.answers)
	}
	if len(got.neurons) != len(want.neurons) || len(got.synapses) != len(want.synapses) {
		t.Fatalf("%d neurons, %d synapses; want %d, %d", len(got.neurons), len(got.synapses), len(want.neurons), len(want.synapses))
	}
	for i, n := range got.neurons {
		w := want.neurons[i]
		if n.Key != w.Key || n.Accesses != w.Accesses || n.Links != w.Links || math.Abs(float64(n.Myelin-w.Myelin)) > 1e-9 {
			t.Errorf("neuron %+v, want %+v", n, w)
		}
	}
	for i, s := range got.synapses {
		if w := want.synapses[i]; s.A != w.A || s.B != w.B || math.Abs(float64(s.AB-w.AB)) > 1e-9 || s.CoAccesses != w.CoAccesses {
			t.Errorf("synapse %+v, want %+v", s, w)
		}
	}
}

func (l *lab) relearn() {
	l.t.Helper()
	l.learnAnew(l.place)
}

func TestLearningAnewChangesNothingTheSecondTime(t *testing.T) {
	l := newLab(t)
	l.see(60, l.someWork()...)
	l.relearn()
	once := l.learned()
	l.relearn()
	if twice := l.learned(); !reflect.DeepEqual(once, twice) {
		t.Errorf("%+v\nthen\n%+v", once, twice)
	}
}

func TestAnImportLearnsWhatItBrings(t *testing.T) {
	from, to := newLab(t), newLab(t)
	from.see(60, from.someWork()...)
	var file strings.Builder
	if _, err := from.Export(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	to.clock = from.clock
	if _, err := to.Import(t.Context(), ImportInput{From: strings.NewReader(file.String()), Mine: true}); err != nil {
		t.Fatal(err)
	}
	if got, want := to.learned().answers, from.learned().answers; !slices.Equal(got, want) {
		t.Errorf("answers after the import %v, want %v", got, want)
	}
}

func TestARenameTakesLinksAlong(t *testing.T) {
	l := newLab(t)
	l.see(10, l.touch("run", 1, memory.Edit, "a.go"), l.touch("run", 2, memory.Edit, "b.go"), l.touch("run", 3, memory.Edit, "a.go"))
	before := l.weight("a.go", "b.go")
	l.see(20, l.commit(15, "rename", memory.Touch{Kind: memory.Rename, Path: "lib/a.go", From: "a.go"}))
	if l.weight("a.go", "b.go") != 0 {
		t.Error("the old name is still wired")
	}
	if got := l.weight("lib/a.go", "b.go"); before < .29 || math.Abs(got-before) > 1e-3 {
		t.Errorf("the new name has weight %.3f, the old one had %.3f", got, before)
	}
}

func TestAnotherProcessSeesWhatThisOneLearned(t *testing.T) {
	l := newLab(t)
	l.see(10, l.commit(1, "cache eviction", changed("cache.go", "lru.go")...))
	other, err := Open(t.Context(), l.config, func() time.Time { return l.clock })
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	}()
	ask := func() []string {
		out, err := Run(t.Context(), other, Recall, RecallInput{Scope: Scope{Project: l.place.Project().String()}, Text: "cache eviction policy"})
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, f := range out.Files {
			paths = append(paths, f.Path)
		}
		return paths
	}
	if got := ask(); !slices.Contains(got, "cache.go") {
		t.Fatalf("answers %v", got)
	}
	l.see(20, l.commit(12, "cache eviction policy", changed("policy.go", "cache.go")...))
	if got := ask(); !slices.Contains(got, "policy.go") {
		t.Errorf("a commit learned elsewhere is not seen: %v", got)
	}
	if _, err := Run(t.Context(), l.Brain, Forget, ForgetInput{Scope: Scope{Project: l.place.Project().String()}, Since: start.Add(11 * time.Minute), Apply: true}); err != nil {
		t.Fatal(err)
	}
	if got := ask(); slices.Contains(got, "policy.go") {
		t.Errorf("what was forgotten elsewhere is still recalled: %v", got)
	}
}

const panicText = "panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:12 +0x1d"

func TestResolvedErrorsBringTheirFix(t *testing.T) {
	l := newLab(t)
	l.see(5, l.touch("run", 1, memory.Read, "store/map.go"))
	fault, ok := recall.FindFault(panicText)
	if !ok {
		t.Fatal("no fault in a panic")
	}
	resolve := func() {
		e := l.event(memory.Resolved, 6)
		e.Text, e.Agent, e.AgentSession, e.Origin = panicText, memory.AgentUser, "", memory.OriginUser
		e.Touches = changed("store/map.go")
		l.see(10, e)
	}
	fixes := func() []Recalled {
		out, err := Run(t.Context(), l.Brain, Recall, RecallInput{
			Scope: Scope{Project: l.place.Project().String()}, Text: "tests fail:\npanic: assignment to entry in nil map\n\ngoroutine 7 [running]:",
		})
		if err != nil {
			t.Fatal(err)
		}
		if out.Error != fault.Key() {
			t.Errorf("error %q, want %q", out.Error, fault.Key())
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
	prose, err := Run(t.Context(), l.Brain, Recall, RecallInput{Scope: Scope{Project: l.place.Project().String()}, Text: "please tidy the map code"})
	if err != nil || len(prose.Fixes) != 0 || prose.Error != "" {
		t.Errorf("prose brings fixes: %+v, %v", prose.Fixes, err)
	}
}

func TestRecallRefusesAnEmptyQuestion(t *testing.T) {
	l := newLab(t)
	if _, err := Run(t.Context(), l.Brain, Recall, RecallInput{Scope: Scope{All: true}, Text: "  "}); err == nil {
		t.Error("an empty question has an answer")
	}
}

func TestRecallKeepsToItsBudget(t *testing.T) {
	l := newLab(t)
	var events []memory.Event
	for i := range 30 {
		events = append(events, l.commit(float64(i), "tune the parser", changed(fmt.Sprintf("parser/part%02d.go", i), "parser/core.go")...))
	}
	l.see(60, events...)
	in := RecallInput{Scope: Scope{Project: l.place.Project().String()}, Text: "parser", Limit: 20, Budget: 40}
	out, err := Run(t.Context(), l.Brain, Recall, in)
	if err != nil || len(out.Files) == 0 || out.Tokens > 40 {
		t.Errorf("%d files for %d tokens, %v", len(out.Files), out.Tokens, err)
	}
	in.Explain = true
	out, err = Run(t.Context(), l.Brain, Recall, in)
	if err != nil || len(out.Files[0].Parts) == 0 || len(out.Files[0].Proof) == 0 || out.Files[0].Proof[0].Text != "tune the parser" {
		t.Errorf("explained: %+v, %v", out.Files, err)
	}
}

func TestClosedSessionsCountOnceForWhatTheyMetTogether(t *testing.T) {
	l := newLab(t)
	together := func() int64 {
		var n int64 = -1
		err := l.store.View(t.Context(), func(tx *store.Tx) error {
			links, err := tx.StrongestSynapses(t.Context(), store.SynapseFilter{})
			if err == nil && len(links) == 1 {
				n = links[0].CoSessions
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for i, run := range []string{"one", "two"} {
		at := float64(10 * i)
		l.see(at+5, l.touch(run, at+1, memory.Read, "a.go"), l.touch(run, at+2, memory.Read, "b.go"))
		if got := together(); got != int64(i) {
			t.Errorf("session %s is still open and counts: %d", run, got)
		}
		l.see(at+6, l.say(run, at+5, memory.SessionEnded, ""))
	}
	if got := together(); got != 2 {
		t.Errorf("two closed sessions count %d", got)
	}
	l.see(40, l.say("one", 30, memory.Prompted, "again"), l.touch("one", 31, memory.Read, "a.go"), l.say("one", 32, memory.SessionEnded, ""))
	if got := together(); got != 2 {
		t.Errorf("a session that was resumed counts again: %d", got)
	}
	l.relearn()
	if got := together(); got != 2 {
		t.Errorf("learned anew it is %d", got)
	}
}

func TestACommandThatPassesAfterAChangeTeachesTheFix(t *testing.T) {
	l := newLab(t)
	command := func(minutes float64, kind memory.EventKind, text string) memory.Event {
		e := l.say("run", minutes, kind, text)
		e.Tool, e.Input = "Bash", "go test ./..."
		return e
	}
	l.see(20, l.touch("run", 1, memory.Read, "unrelated.go"), command(2, memory.ToolFailed, panicText),
		l.touch("run", 3, memory.Read, "look.go"), l.touch("run", 4, memory.Edit, "store/map.go"), command(5, memory.ToolUsed, ""),
		l.touch("run", 6, memory.Edit, "later.go"), command(7, memory.ToolUsed, ""))
	out, err := Run(t.Context(), l.Brain, Recall, RecallInput{Scope: Scope{Project: l.place.Project().String()}, Text: panicText})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Fixes) != 1 || out.Fixes[0].Path != "store/map.go" || out.Fixes[0].Confidence < .8 {
		t.Errorf("fixes %+v, want store/map.go alone", out.Fixes)
	}
}

func TestABareErrorNeedsItsPlace(t *testing.T) {
	l := newLab(t)
	bare := "panic: runtime error: invalid memory address or nil pointer dereference\n\t/src/%s:12 +0x1d"
	e := l.event(memory.Resolved, 1)
	e.Text, e.Agent, e.AgentSession, e.Origin = fmt.Sprintf(bare, "store.go"), memory.AgentUser, "", memory.OriginUser
	e.Touches = changed("db/store.go")
	l.see(5, e)
	fixes := func(file string) int {
		out, err := Run(t.Context(), l.Brain, Recall, RecallInput{Scope: Scope{Project: l.place.Project().String()}, Text: fmt.Sprintf(bare, file)})
		if err != nil {
			t.Fatal(err)
		}
		return len(out.Fixes)
	}
	if here, elsewhere := fixes("store.go"), fixes("client.go"); here != 1 || elsewhere != 0 {
		t.Errorf("%d fixes where it happened before, %d elsewhere", here, elsewhere)
	}
}

func TestResolveRefusesFilesThatAreNone(t *testing.T) {
	l := newLab(t)
	dir := t.TempDir()
	for _, file := range []string{"/etc/passwd", "../outside.go", "missing.go"} {
		if _, err := Run(t.Context(), l.Brain, Resolve, ResolveInput{Dir: dir, Error: panicText, Files: []string{file}}); err == nil {
			t.Errorf("%s is a fix", file)
		}
	}
}

func TestRobotsAndLockFilesDoNotMakeFilesGrow(t *testing.T) {
	l := newLab(t)
	var events []memory.Event
	for i := range 6 {
		person := l.commit(float64(2*i), "bump", append(changed("app.go"), memory.Touch{Kind: memory.Mention, Path: "go.sum"})...)
		robot := l.commit(float64(2*i+1), "bump", changed("deps.go")...)
		robot.Subagent = bootstrap.BotSubagent
		events = append(events, person, robot)
	}
	l.see(60, events...)
	grown := map[string]bool{}
	for _, n := range l.learned().neurons {
		grown[n.Key] = n.Myelin > plasticity.Nothing
		if n.Accesses != 6 {
			t.Errorf("%s was met %d times, want 6", n.Key, n.Accesses)
		}
	}
	if !grown["app.go"] || grown["go.sum"] || grown["deps.go"] {
		t.Errorf("grown: %v, want app.go alone", grown)
	}
}
