package brain

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// shop is the scope of the lab's project.
var shop = Scope{Project: "shop"}

// work is one session of an agent, told step by step, a minute each.
type work struct {
	l      *lab
	run    string
	minute float64
	events []memory.Event
}

// work begins a session some minutes after start.
func (l *lab) work(run string, minute float64) *work { return &work{l: l, run: run, minute: minute} }

func (w *work) add(kind memory.EventKind, change func(e *memory.Event)) *work {
	e := w.l.event(kind, w.minute)
	e.AgentSession, e.Text = w.run, ""
	change(&e)
	w.events = append(w.events, e)
	w.minute++
	return w
}

func (w *work) prompt(text string) *work {
	return w.add(memory.Prompted, func(e *memory.Event) { e.Text, e.Origin = text, memory.OriginUser })
}

func (w *work) tool(name, input string, kind memory.TouchKind, paths ...string) *work {
	return w.add(memory.ToolUsed, func(e *memory.Event) {
		e.Tool, e.Input = name, input
		for _, p := range paths {
			e.Touches = append(e.Touches, memory.Touch{Kind: kind, Path: p})
		}
	})
}

func (w *work) read(paths ...string) *work { return w.tool("Read", "", memory.Read, paths...) }
func (w *work) edit(paths ...string) *work { return w.tool("Edit", "", memory.Edit, paths...) }
func (w *work) grep(paths ...string) *work { return w.tool("Grep", "login", memory.Mention, paths...) }
func (w *work) bash(command string) *work  { return w.tool("Bash", command, "") }

// sized says how much the last call returned.
func (w *work) sized(bytes int64) *work {
	w.events[len(w.events)-1].ResultBytes = &bytes
	return w
}

func (w *work) fail(text string) *work {
	return w.add(memory.ToolFailed, func(e *memory.Event) { e.Tool, e.Text = "Bash", text })
}

// shown is what the prompt hook leaves: the receipts of lines, shown or withheld.
func (w *work) shown(held bool, paths ...string) *work {
	var lines []memory.Suggestion
	for _, p := range paths {
		lines = append(lines, memory.Suggestion{
			Offer: memory.OfferFile, Path: p, Score: 2.5, Confidence: .75, Reason: "path words", Tokens: 10, Held: held,
		})
	}
	return w.offer(lines...)
}

func (w *work) offer(lines ...memory.Suggestion) *work {
	text, err := json.Marshal(lines)
	if err != nil {
		w.l.t.Fatal(err)
	}
	return w.add(memory.Suggested, func(e *memory.Event) { e.Text = string(text) })
}

// pause lets it be seen so far and leaves the session open.
func (w *work) pause() {
	w.l.t.Helper()
	if now := start.Add(time.Duration(w.minute * float64(time.Minute))); now.After(w.l.clock) {
		w.l.clock = now
	}
	if added := must(w.l, Observe, w.events); added != len(w.events) {
		w.l.t.Fatalf("%s: %d of %d events were new", w.run, added, len(w.events))
	}
	w.events = nil
}

func (w *work) end() {
	w.l.t.Helper()
	w.add(memory.SessionEnded, func(*memory.Event) {}).pause()
}

// must runs an operation that has to succeed.
func must[In, Out any](l *lab, op Operation[In, Out], in In) Out {
	l.t.Helper()
	out, err := Run(l.t.Context(), l.Brain, op, in)
	if err != nil {
		l.t.Fatalf("%s %+v: %v", op.Name, in, err)
	}
	return out
}

func keysOf(neurons []NeuronState) (keys []string) {
	for _, n := range neurons {
		keys = append(keys, n.Key)
	}
	return keys
}

// grown sets how much myelin a file has at a moment.
func (l *lab) grown(path string, myelin float64, at time.Time) {
	l.t.Helper()
	rules := plasticity.NewRules(l.numbers.Plasticity, plasticity.Balance{})
	err := l.store.Update(l.t.Context(), func(tx *store.Tx) error {
		n, err := tx.Neuron(l.t.Context(), memory.NewNeuronID(l.place.Project(), memory.FileNeuron, path))
		n.Myelin = rules.Myelin.Store(myelin, plasticity.Days(at))
		return errors.Join(err, tx.SaveStrength(l.t.Context(), n))
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

const nilMap = "panic: assignment to entry in nil map"

func TestNeuronsSayHowTheyHaveGrown(t *testing.T) {
	l := newLab(t)
	l.work("one", 0).read("login.go").edit("session.go").fail(nilMap).edit("login.go").end()
	l.clock = start.Add(24 * time.Hour)

	all := must(l, Neurons, NeuronsInput{Scope: shop})
	if got := keysOf(all); len(got) != 3 || got[0] != "login.go" {
		t.Fatalf("neurons %v, want the most touched first", got)
	}
	login := all[0]
	if login.Accesses != 2 || login.Links != 2 || login.Ignored != 0 || login.Standing != 1 {
		t.Errorf("login.go: %+v", login)
	}
	if math.Abs(login.Myelin-.02*.995) > 1e-4 || math.Abs(login.Activation-.85) > 1e-3 {
		t.Errorf("a day after its second touch login.go has myelin %.5f and activation %.4f; want 0.0199 and 0.85", login.Myelin, login.Activation)
	}
	if files := must(l, Neurons, NeuronsInput{Scope: shop, Kind: memory.FileNeuron, Limit: 1}); len(files) != 1 || files[0].Kind != memory.FileNeuron {
		t.Errorf("one file: %+v", files)
	}
	faults := must(l, Neurons, NeuronsInput{Scope: shop, Kind: memory.ErrorNeuron})
	if len(faults) != 1 || !strings.Contains(faults[0].Key, "nil map") {
		t.Errorf("errors %+v", faults)
	}
	if none := must(l, Neurons, NeuronsInput{Scope: Scope{Dir: t.TempDir()}}); none == nil || len(none) > 0 {
		t.Errorf("a folder nobody worked in: %#v", none)
	}
}

func TestHubsHaveTheMostLinks(t *testing.T) {
	l := newLab(t)
	for i, other := range []string{"a.go", "b.go", "c.go"} {
		l.work("run "+other, float64(100*i)).edit("hub.go").edit(other).end()
	}
	l.work("alone", 400).edit("alone.go").end()
	hubs := must(l, Hubs, ListInput{Scope: shop})
	if got := keysOf(hubs); len(got) != 4 || got[0] != "hub.go" || slices.Contains(got, "alone.go") {
		t.Errorf("hubs %v", got)
	}
	if hubs[0].Links != 3 {
		t.Errorf("hub.go has %d links, want 3", hubs[0].Links)
	}
}

func TestHighways(t *testing.T) {
	l := newLab(t)
	l.work("one", 0).read("often.go").read("seldom.go").read("often.go").read("seldom.go").read("often.go").end()
	got := must(l, Highways, ListInput{Scope: shop})
	if len(got.Highways) > 0 || !slices.Equal(keysOf(got.Nearest), []string{"often.go", "seldom.go"}) || got.Least != .5 || got.Touches != 270 {
		t.Errorf("none has got that far, the nearest are to be shown: %+v", got)
	}
	l.grown("often.go", .82, l.clock)
	got = must(l, Highways, ListInput{Scope: shop})
	if !slices.Equal(keysOf(got.Highways), []string{"often.go"}) || len(got.Nearest) > 0 || got.Nearest == nil {
		t.Errorf("highways %+v", got)
	}
}

// Myelin of 0.82 is 76 % after 14 days.
func TestStaleTellsWhatIsLeft(t *testing.T) {
	l := newLab(t)
	l.work("one", 0).read("old.go", "weak.go").read("old.go", "weak.go").end()
	for path, myelin := range map[string]float64{"old.go": .82, "weak.go": .099} {
		l.grown(path, myelin, start.Add(time.Minute))
	}
	l.clock = start.Add(6 * 24 * time.Hour)
	l.work("two", 6*24*60).read("fresh.go").read("fresh.go").end()
	l.grown("fresh.go", .9, l.clock)
	if early := must(l, Stale, ListInput{Scope: shop}); early == nil || len(early) > 0 {
		t.Errorf("after six days: %+v", early)
	}
	l.clock = start.Add(14*24*time.Hour + time.Minute)
	l.work("three", 14*24*60).read("fresh.go").end()
	stale := must(l, Stale, ListInput{Scope: shop})
	if len(stale) != 1 || stale[0].Path != "old.go" {
		t.Fatalf("stale: %+v", stale)
	}
	if s := stale[0]; math.Abs(s.Then-.82) > 1e-9 || math.Abs(s.Now-.7644) > 1e-4 || int(s.Idle) != 14 {
		t.Errorf("old.go: %+v; want 0.82 then, 0.7644 now, 14 days idle", s)
	}
}

// Three times in a row take 0.9, 0.81 and 0.729 of its say; a use ends the streak and gives the last loss back.
func TestStreaks(t *testing.T) {
	l := newLab(t)
	l.work("zero", 0).read("login.go").end()
	for i, run := range []string{"one", "two", "three"} {
		l.work(run, float64(100*(i+1))).prompt("mend it").shown(false, "login.go").edit("other.go").end()
	}
	streaks := must(l, Streaks, ListInput{Scope: shop})
	if len(streaks) != 1 || streaks[0].Key != "login.go" || streaks[0].Ignored != 3 || math.Abs(streaks[0].Standing-.531441) > 1e-9 {
		t.Fatalf("streaks %+v", streaks)
	}
	l.work("four", 400).prompt("mend it").shown(false, "login.go").grep("login.go").end()
	if again := must(l, Streaks, ListInput{Scope: shop}); again[0].Ignored != 3 {
		t.Errorf("a search that lists it neither opens it nor passes it over: %+v", again)
	}
	l.work("five", 500).prompt("mend it").shown(false, "login.go").read("login.go").end()
	if none := must(l, Streaks, ListInput{Scope: shop}); none == nil || len(none) > 0 {
		t.Errorf("after it was opened: %+v", none)
	}
	n := must(l, Neurons, NeuronsInput{Scope: shop})
	if i := slices.IndexFunc(n, func(n NeuronState) bool { return n.Key == "login.go" }); math.Abs(n[i].Standing-.729) > 1e-9 {
		t.Errorf("standing %v, want the last loss given back", n[i].Standing)
	}
}

func TestSynapses(t *testing.T) {
	l := newLab(t)
	l.work("one", 0).edit("a.go").edit("b.go").edit("a.go").edit("b.go").edit("a.go").end()
	l.work("two", 100).edit("c.go").edit("d.go").end()
	links := must(l, Synapses, SynapsesInput{Scope: shop})
	if len(links) != 2 || links[0].Weight < links[1].Weight || links[0].Weight < links[0].Back {
		t.Fatalf("links %+v: want the strongest first, along the stronger direction", links)
	}
	if s := links[0]; s.CoAccesses != 4 || s.Origin != memory.OriginAgent || s.Weight < .3 || s.Weight > .6 {
		t.Errorf("a.go and b.go: %+v", s)
	}
	for _, name := range []string{"d.go", "c.go"} {
		of := must(l, Synapses, SynapsesInput{Scope: shop, File: name})
		if len(of) != 1 || of[0].From.Key != name || math.Abs(of[0].Weight-.0982) > 1e-4 {
			t.Errorf("links of %s: %+v; want one of 0.0982 seen from it", name, of)
		}
	}
	for _, c := range []struct {
		in   SynapsesInput
		kind error
		says string
	}{
		{SynapsesInput{Scope: shop, File: "x.go"}, memory.ErrNotFound, `"x.go" in this project (hebb neurons`},
		{SynapsesInput{Scope: Scope{All: true}, File: "a.go"}, memory.ErrInvalid, "--project"},
		{SynapsesInput{Scope: Scope{Project: "nowhere"}}, memory.ErrNotFound, "nowhere"},
	} {
		if _, err := Run(t.Context(), l.Brain, Synapses, c.in); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.in, err)
		}
	}
}

// A file can be named from the folder one stands in, and an error by its key.
func TestWhatIsNamedIsFound(t *testing.T) {
	l := newLab(t)
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "sub", "cache.go"), []byte("package sub"))
	must(l, Resolve, ResolveInput{Dir: dir, Error: nilMap, Files: []string{"sub/cache.go"}})
	key := must(l, Fixes, FixesInput{Scope: Scope{Dir: dir}, Error: nilMap}).Error
	for _, name := range []string{"sub/cache.go", "./sub/../sub/cache.go", dir + "/sub/cache.go", key} {
		links, err := Run(t.Context(), l.Brain, Synapses, SynapsesInput{Scope: Scope{Dir: dir}, File: name})
		if err != nil || len(links) != 1 || math.Abs(links[0].Weight-.85) > 1e-9 || links[0].Origin != memory.OriginUser {
			t.Errorf("links of %q: %+v, %v", name, links, err)
		}
	}
}

func TestGraphShowsEachThingOnce(t *testing.T) {
	l := newLab(t)
	if g := must(l, Graph, GraphInput{Scope: Scope{Dir: t.TempDir()}}); g.Root != nil {
		t.Errorf("of nothing: %+v", g)
	}
	l.work("one", 0).edit("hub.go").edit("a.go").edit("hub.go").edit("a.go").end()
	l.work("two", 100).edit("hub.go").edit("b.go").end()
	l.work("three", 200).edit("a.go").edit("leaf.go").end()
	g := must(l, Graph, GraphInput{Scope: shop})
	if g.Root == nil || g.Root.Key != "a.go" && g.Root.Key != "hub.go" {
		t.Fatalf("the middle is %+v, want one of the two with the most links", g.Root)
	}
	g = must(l, Graph, GraphInput{Scope: shop, File: "hub.go"})
	if got := g.Root.Companions; len(got) != 2 || got[0].Key != "a.go" || got[1].Key != "b.go" || got[0].Weight <= got[1].Weight {
		t.Fatalf("companions %+v", got)
	}
	if twigs := g.Root.Companions[0].Companions; len(twigs) != 1 || twigs[0].Key != "leaf.go" || twigs[0].Companions == nil {
		t.Errorf("companions of a.go: %+v", twigs)
	}
	if twigs := g.Root.Companions[1].Companions; twigs == nil || len(twigs) > 0 {
		t.Errorf("companions of b.go: %+v", twigs)
	}
}

func TestStats(t *testing.T) {
	l := newLab(t)
	commit := l.event(memory.Committed, 0)
	commit.AgentSession, commit.Agent, commit.Origin = "", memory.AgentGit, memory.OriginRepo
	commit.Text, commit.Touches = "login: mend it", []memory.Touch{{Kind: memory.Edit, Path: "login.go"}, {Kind: memory.Edit, Path: "old.go"}}
	gone := l.event(memory.Committed, 1)
	gone.AgentSession, gone.Agent, gone.Origin = "", memory.AgentGit, memory.OriginRepo
	gone.Touches = []memory.Touch{{Kind: memory.Delete, Path: "old.go"}}
	l.clock = start.Add(time.Hour)
	must(l, Observe, []memory.Event{commit, gone})
	l.work("one", 10).prompt("mend it").shown(false, "login.go", "x.go").edit("login.go").fail(nilMap).edit("session.go").end()
	l.work("two", 100).prompt("mend it").shown(true, "login.go").edit("login.go").end()
	l.work("three", 200).prompt("mend it").shown(false, "login.go").pause()

	s := must(l, Stats, shop)
	if len(s.Projects) != 1 || s.Store.Bytes == 0 {
		t.Fatalf("stats %+v", s)
	}
	p := s.Projects[0]
	if p.Files != 2 || p.Errors != 1 || p.Commits != 2 || p.Sessions != 3 || p.Name != "shop" {
		t.Errorf("counts %+v", p)
	}
	if p.Synapses[memory.OriginAgent] != 3 {
		t.Errorf("synapses %v, want those of two files and an error", p.Synapses)
	}
	for outcome, want := range map[string]int64{"used": 1, "ignored": 1, "held": 1, "pending": 1} {
		if p.Suggestions[outcome] != want {
			t.Errorf("suggestions %v, want %d %s", p.Suggestions, want, outcome)
		}
	}
	if p.Episodes != (Episodes{Commits: 2, Sessions: 2}) || p.PastBytes == 0 {
		t.Errorf("episodes %+v in %d bytes", p.Episodes, p.PastBytes)
	}
	if none := must(l, Stats, Scope{Dir: t.TempDir()}); none.Projects == nil || len(none.Projects) > 0 {
		t.Errorf("of a folder nobody worked in: %+v", none)
	}
	if all := must(l, Stats, Scope{All: true}); len(all.Projects) != 1 {
		t.Errorf("all: %+v", all)
	}
}

func TestPredict(t *testing.T) {
	l := newLab(t)
	if none := must(l, Predict, PredictInput{SessionInput: SessionInput{Scope: Scope{Dir: t.TempDir()}}}); none.Session != nil || none.Files == nil || none.Tools == nil {
		t.Errorf("without a session: %+v", none)
	}
	l.work("one", 0).prompt("mend the login").read("login.go").edit("login.go").bash("make").read("session.go").edit("session.go").end()
	l.work("two", 100).prompt("mend the login").read("login.go").read("session.go").edit("session.go").end()
	now := l.work("now", 200).prompt("the login again").read("login.go")
	now.add(memory.ToolUsed, func(e *memory.Event) { e.Tool, e.Subagent = "Read", "helper" })
	now.add(memory.ToolUsed, func(e *memory.Event) { e.Tool, e.Subagent = "Grep", "helper" })
	now.add(memory.ToolUsed, func(e *memory.Event) { e.Tool = "Read" })
	now.pause()

	next := must(l, Predict, PredictInput{SessionInput: SessionInput{Scope: shop}, Limit: 3})
	if next.Session == nil || next.Session.AgentSession != "now" || next.Tool != "Read" {
		t.Fatalf("predicted for %+v after %q", next.Session, next.Tool)
	}
	// After Read came Edit three times, Read twice (once with a helper's calls in between) and Grep in the helper's hand.
	want := []NextTool{{Tool: "Edit", Count: 3, Share: 3. / 6}, {Tool: "Read", Count: 2, Share: 2. / 6}, {Tool: "Grep", Count: 1, Share: 1. / 6}}
	if !slices.Equal(next.Tools, want) || next.Followed != 6 {
		t.Errorf("next tools %+v of %d, want %+v", next.Tools, next.Followed, want)
	}
	if !slices.ContainsFunc(next.Files, func(r Recalled) bool { return r.Path == "session.go" }) {
		t.Errorf("next files %+v, want session.go among them", next.Files)
	}
	if slices.ContainsFunc(next.Files, func(r Recalled) bool { return r.Path == "login.go" }) {
		t.Errorf("next files %+v: login.go is open already", next.Files)
	}
	other := must(l, Predict, PredictInput{SessionInput: SessionInput{Scope: shop, Session: "one"}, Tool: "bash"})
	if other.Session.AgentSession != "one" || len(other.Tools) != 1 || other.Tools[0] != (NextTool{Tool: "Read", Count: 1, Share: 1}) {
		t.Errorf("after bash in session one: %+v", other)
	}
	for _, in := range []SessionInput{{Scope: shop, Session: "nonsense"}, {Scope: Scope{Project: "nowhere"}}} {
		if _, err := Run(t.Context(), l.Brain, Predict, PredictInput{SessionInput: in}); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%+v: %v", in, err)
		}
	}
}

func TestOpenFilesThatNoPastKnowsAreNamed(t *testing.T) {
	l := newLab(t)
	l.work("one", 0).prompt("mend the login").edit("login.go").edit("session.go").end()
	got := must(l, Recall, RecallInput{Scope: shop, Open: []string{"login.go", "nowhere.go"}})
	if !slices.Equal(got.Unknown, []string{"nowhere.go"}) {
		t.Errorf("unknown %v", got.Unknown)
	}
	other := l.work("there", 100)
	other.add(memory.ToolUsed, func(e *memory.Event) {
		e.Place, e.Touches = memory.Place{Identity: "/lib/.git", Root: "/lib"}, []memory.Touch{{Kind: memory.Edit, Path: "nowhere.go"}}
	}).end()
	end := l.event(memory.SessionEnded, 101)
	end.AgentSession = "there"
	must(l, Observe, []memory.Event{end})
	if all := must(l, Recall, RecallInput{Scope: Scope{All: true}, Open: []string{"login.go", "nowhere.go"}}); len(all.Unknown) > 0 {
		t.Errorf("over all projects: unknown %v", all.Unknown)
	}
}

func TestEpisodesOfSeveralProjectsAreOrderedTogether(t *testing.T) {
	l := newLab(t)
	for i, place := range []memory.Place{{Identity: "/lib/.git", Root: "/lib"}, l.place} {
		l.place = place
		for n := range 3 + i {
			l.work(place.Root+string(rune('a'+n)), float64(100*(10*i+n))).prompt("mend the login").edit(place.Root[1:] + ".go").end()
		}
	}
	got := must(l, RecallEpisodic, EpisodicInput{Scope: Scope{All: true}, Text: "login"})
	if len(got) != 2 || got[0].Path != "shop.go" || got[0].Project != l.place.Project() || got[0].Sessions != 4 || got[1].Path != "lib.go" {
		t.Errorf("remembered %+v", got)
	}
	if one := must(l, RecallEpisodic, EpisodicInput{Scope: Scope{All: true}, Text: "login", Limit: 1}); len(one) != 1 || one[0].Path != "shop.go" {
		t.Errorf("the surest: %+v", one)
	}
	l.work("once", 5000).prompt("paint the door").edit("door.go").end()
	if sure := must(l, RecallEpisodic, EpisodicInput{Scope: shop, Text: "door"}); len(sure) > 0 {
		t.Errorf("one session is not enough: %+v", sure)
	}
	if all := must(l, RecallEpisodic, EpisodicInput{Scope: shop, Text: "door", Any: true}); len(all) != 1 || all[0].Path != "door.go" || all[0].Confidence > .2 {
		t.Errorf("asked for any: %+v", all)
	}
}
