package inspect_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/steward"
)

func keysOf(neurons []brain.NeuronState) (keys []string) {
	for _, n := range neurons {
		keys = append(keys, n.Key)
	}
	return keys
}

const nilMap = "panic: assignment to entry in nil map"

func TestNeurons(t *testing.T) {
	l := braintest.NewLab(t)
	l.Work("one", 0).Read("login.go").Edit("session.go").Fail(nilMap).Edit("login.go").End()
	l.On(1)
	l.WorkedOn()

	all := braintest.Must(l, inspect.Neurons, inspect.NeuronsInput{Scope: braintest.Shop})
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
	if files := braintest.Must(l, inspect.Neurons, inspect.NeuronsInput{Scope: braintest.Shop, Kind: memory.FileNeuron, Limit: 1}); len(files) != 1 || files[0].Kind != memory.FileNeuron {
		t.Errorf("one file: %+v", files)
	}
	faults := braintest.Must(l, inspect.Neurons, inspect.NeuronsInput{Scope: braintest.Shop, Kind: memory.ErrorNeuron})
	if len(faults) != 1 || !strings.Contains(faults[0].Key, "nil map") {
		t.Errorf("errors %+v", faults)
	}
	if none := braintest.Must(l, inspect.Neurons, inspect.NeuronsInput{Scope: brain.Scope{Dir: t.TempDir()}}); none == nil || len(none) > 0 {
		t.Errorf("a folder nobody worked in: %#v", none)
	}
}

func TestHubsHaveTheMostLinks(t *testing.T) {
	l := braintest.NewLab(t)
	for i, other := range []string{"a.go", "b.go", "c.go"} {
		l.Work("run "+other, float64(100*i)).Edit("hub.go").Edit(other).End()
	}
	l.Work("alone", 400).Edit("alone.go").End()
	hubs := braintest.Must(l, inspect.Hubs, brain.ListInput{Scope: braintest.Shop})
	if got := keysOf(hubs); len(got) != 4 || got[0] != "hub.go" || slices.Contains(got, "alone.go") {
		t.Errorf("hubs %v", got)
	}
	if hubs[0].Links != 3 {
		t.Errorf("hub.go has %d links, want 3", hubs[0].Links)
	}
}

// The file to which every second session comes back is a highway in the second week. One session
// that touches another file 60 times makes none, nor do old sessions.
func TestAFileThatSessionsComeBackToIsAHighway(t *testing.T) {
	l := braintest.NewLab(t)
	const day = 24 * 60
	busy := l.Work("busy", 0)
	for range 60 {
		busy = busy.Edit("once.go")
	}
	busy.End()
	highways := func() (found []string) {
		for _, h := range braintest.Must(l, inspect.Highways, brain.ListInput{Scope: braintest.Shop}) {
			found = append(found, fmt.Sprintf("%s in %d", h.Key, h.Sessions))
		}
		return found
	}
	for i := range 10 {
		work := l.Work(fmt.Sprint("run", i), float64((i+1)*day)).Read(fmt.Sprint("other", i, ".go"))
		if i%2 == 0 {
			work = work.Edit("till.go")
		}
		work.End()
		l.Clock = braintest.Start.Add(time.Duration(i+1) * 25 * time.Hour)
		if got := highways(); i < 8 && len(got) > 0 {
			t.Fatalf("after %d sessions: %v", i+2, got)
		}
	}
	if got := highways(); !slices.Equal(got, []string{"till.go in 5"}) {
		t.Errorf("highways %v", got)
	}
	for i := range 45 { // half of the sessions were before
		l.Work(fmt.Sprint("later", i), float64((20+i)*day)).Read(fmt.Sprint("new", i, ".go")).End()
	}
	if got := highways(); len(got) > 0 {
		t.Errorf("nobody opens it any more, yet %v", got)
	}
}

// Three times in a row take 0.9, 0.81 and 0.729 of its say; a use ends the streak and gives back
// most of the loss, shown or not.
func TestStreaks(t *testing.T) {
	l := braintest.NewLab(t)
	l.Work("zero", 0).Read("login.go").End()
	for i, run := range []string{"one", "two", "three"} {
		l.Work(run, float64(100*(i+1))).Prompt("fix it").Shown(false, "login.go").Edit("other.go").End()
	}
	streaks := braintest.Must(l, inspect.Streaks, brain.ListInput{Scope: braintest.Shop})
	if len(streaks) != 1 || streaks[0].Key != "login.go" || streaks[0].Ignored != 3 || math.Abs(streaks[0].Standing-.531441) > 1e-9 {
		t.Fatalf("streaks %+v", streaks)
	}
	l.Work("four", 400).Prompt("fix it").Shown(false, "login.go").Grep("login.go").End()
	if again := braintest.Must(l, inspect.Streaks, brain.ListInput{Scope: braintest.Shop}); again[0].Ignored != 3 {
		t.Errorf("a search that lists it neither opens it nor passes it over: %+v", again)
	}
	l.Work("five", 500).Prompt("write the report").Edit("login.go").End()
	if none := braintest.Must(l, inspect.Streaks, brain.ListInput{Scope: braintest.Shop}); none == nil || len(none) > 0 {
		t.Errorf("after it was opened: %+v", none)
	}
	n := braintest.Must(l, inspect.Neurons, inspect.NeuronsInput{Scope: braintest.Shop})
	if i := slices.IndexFunc(n, func(n brain.NeuronState) bool { return n.Key == "login.go" }); math.Abs(n[i].Standing-.92971615) > 1e-9 {
		t.Errorf("standing %v, want .531441 + .85 * (1 - .531441)", n[i].Standing)
	}
}

func TestSynapses(t *testing.T) {
	l := braintest.NewLab(t)
	l.Work("one", 0).Edit("a.go").Edit("b.go").Edit("a.go").Edit("b.go").Edit("a.go").End()
	l.Work("two", 100).Edit("c.go").Edit("d.go").End()
	links := braintest.Must(l, inspect.Synapses, inspect.SynapsesInput{Scope: braintest.Shop})
	if len(links) != 2 || links[0].Weight < links[1].Weight || links[0].Weight < links[0].Back {
		t.Fatalf("links %+v: want the strongest first, along the stronger direction", links)
	}
	if s := links[0]; s.CoAccesses != 4 || s.Origin != memory.OriginAgent || s.Weight < .3 || s.Weight > .6 {
		t.Errorf("a.go and b.go: %+v", s)
	}
	for _, name := range []string{"d.go", "c.go"} {
		of := braintest.Must(l, inspect.Synapses, inspect.SynapsesInput{Scope: braintest.Shop, File: name})
		if len(of) != 1 || of[0].From.Key != name || math.Abs(of[0].Weight-.0982) > 1e-4 {
			t.Errorf("links of %s: %+v; want one of 0.0982 seen from it", name, of)
		}
	}
	for _, c := range []struct {
		in   inspect.SynapsesInput
		kind error
		says string
	}{
		{inspect.SynapsesInput{Scope: braintest.Shop, File: "x.go"}, memory.ErrNotFound, `"x.go" in this project (hebb graph neurons`},
		{inspect.SynapsesInput{Scope: brain.Scope{All: true}, File: "a.go"}, memory.ErrInvalid, "--project"},
		{inspect.SynapsesInput{Scope: brain.Scope{Project: "nowhere"}}, memory.ErrNotFound, "nowhere"},
	} {
		if _, err := steward.Run(t.Context(), l.Brain, inspect.Synapses, c.in); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.in, err)
		}
	}
}

// A file can be named from the folder one stands in, and an error by its key.
func TestSynapsesOfANamedFile(t *testing.T) {
	l := braintest.NewLab(t)
	dir := t.TempDir()
	must.Do(t, os.MkdirAll(filepath.Join(dir, "sub"), 0o700))
	braintest.WriteFile(t, filepath.Join(dir, "sub", "cache.go"), []byte("package sub"))
	braintest.Must(l, ranking.Resolve, ranking.ResolveInput{Dir: dir, Error: nilMap, Files: []string{"sub/cache.go"}})
	key := braintest.Must(l, ranking.Fixes, ranking.FixesInput{Scope: brain.Scope{Dir: dir}, Error: nilMap}).Error
	for _, name := range []string{"sub/cache.go", "./sub/../sub/cache.go", dir + "/sub/cache.go", key} {
		links, err := steward.Run(t.Context(), l.Brain, inspect.Synapses, inspect.SynapsesInput{Scope: brain.Scope{Dir: dir}, File: name})
		if err != nil || len(links) != 1 || math.Abs(links[0].Weight-.85) > 1e-9 || links[0].Origin != memory.OriginUser {
			t.Errorf("links of %q: %+v, %v", name, links, err)
		}
	}
}

func TestStats(t *testing.T) {
	l := braintest.NewLab(t)
	commit := l.Event(memory.Committed, 0)
	commit.AgentSession, commit.Agent, commit.Origin = "", memory.AgentGit, memory.OriginRepo
	commit.Text, commit.Touches = "login: fix it", []memory.Touch{{Kind: memory.Edit, Path: "login.go"}, {Kind: memory.Edit, Path: "old.go"}}
	gone := l.Event(memory.Committed, 1)
	gone.AgentSession, gone.Agent, gone.Origin = "", memory.AgentGit, memory.OriginRepo
	gone.Touches = []memory.Touch{{Kind: memory.Delete, Path: "old.go"}}
	l.Clock = braintest.Start.Add(time.Hour)
	braintest.Must(l, steward.Observe, []memory.Event{commit, gone})
	l.Work("one", 10).Prompt("fix it").Shown(false, "login.go", "x.go").Edit("login.go").Fail(nilMap).Edit("session.go").End()
	l.Work("two", 100).Prompt("fix it").Shown(true, "login.go").Edit("login.go").End()
	l.Work("three", 200).Prompt("fix it").Shown(false, "login.go").Pause()

	s := braintest.Must(l, inspect.Stats, braintest.Shop)
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
	if p.Episodes != (inspect.Episodes{Commits: 2, Sessions: 2}) || p.PastBytes == 0 {
		t.Errorf("episodes %+v in %d bytes", p.Episodes, p.PastBytes)
	}
	if none := braintest.Must(l, inspect.Stats, brain.Scope{Dir: t.TempDir()}); none.Projects == nil || len(none.Projects) > 0 {
		t.Errorf("of a folder nobody worked in: %+v", none)
	}
	if all := braintest.Must(l, inspect.Stats, brain.Scope{All: true}); len(all.Projects) != 1 {
		t.Errorf("all: %+v", all)
	}
}

func TestPredict(t *testing.T) {
	l := braintest.NewLab(t)
	if none := braintest.Must(l, ranking.Predict, ranking.PredictInput{SessionInput: record.SessionInput{Scope: brain.Scope{Dir: t.TempDir()}}}); none.Session != nil || none.Files == nil || none.Tools == nil {
		t.Errorf("without a session: %+v", none)
	}
	l.Work("one", 0).Prompt("fix the login").Read("login.go").Edit("login.go").Bash("make").Read("session.go").Edit("session.go").End()
	l.Work("two", 100).Prompt("fix the login").Read("login.go").Read("session.go").Edit("session.go").End()
	now := l.Work("now", 200).Prompt("the login again").Read("login.go")
	now.Add(memory.ToolUsed, func(e *memory.Event) { e.Tool, e.Subagent = "Read", "helper" })
	now.Add(memory.ToolUsed, func(e *memory.Event) { e.Tool, e.Subagent = "Grep", "helper" })
	now.Add(memory.ToolUsed, func(e *memory.Event) { e.Tool = "Read" })
	now.Pause()

	next := braintest.Must(l, ranking.Predict, ranking.PredictInput{SessionInput: record.SessionInput{Scope: braintest.Shop}, Limit: 3})
	if next.Session == nil || next.Session.AgentSession != "now" || next.Tool != "Read" {
		t.Fatalf("predicted for %+v after %q", next.Session, next.Tool)
	}
	// After Read came Edit three times, Read twice (once with a helper's calls in between) and Grep in
	// the helper's hand.
	want := []ranking.NextTool{{Tool: "Edit", Count: 3, Share: 3. / 6}, {Tool: "Read", Count: 2, Share: 2. / 6}, {Tool: "Grep", Count: 1, Share: 1. / 6}}
	if !slices.Equal(next.Tools, want) || next.Followed != 6 {
		t.Errorf("next tools %+v of %d, want %+v", next.Tools, next.Followed, want)
	}
	if !slices.ContainsFunc(next.Files, func(r ranking.Recalled) bool { return r.Path == "session.go" }) {
		t.Errorf("next files %+v, want session.go among them", next.Files)
	}
	if slices.ContainsFunc(next.Files, func(r ranking.Recalled) bool { return r.Path == "login.go" }) {
		t.Errorf("next files %+v: login.go is open already", next.Files)
	}
	other := braintest.Must(l, ranking.Predict, ranking.PredictInput{SessionInput: record.SessionInput{Scope: braintest.Shop, Session: "one"}, Tool: "bash"})
	if other.Session.AgentSession != "one" || len(other.Tools) != 1 || other.Tools[0] != (ranking.NextTool{Tool: "Read", Count: 1, Share: 1}) {
		t.Errorf("after bash in session one: %+v", other)
	}
	for _, in := range []record.SessionInput{{Scope: braintest.Shop, Session: "nonsense"}, {Scope: brain.Scope{Project: "nowhere"}}} {
		if _, err := steward.Run(t.Context(), l.Brain, ranking.Predict, ranking.PredictInput{SessionInput: in}); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%+v: %v", in, err)
		}
	}
}

func TestOpenFilesThatNoPastKnowsAreNamed(t *testing.T) {
	l := braintest.NewLab(t)
	l.Work("one", 0).Prompt("fix the login").Edit("login.go").Edit("session.go").End()
	got := braintest.Must(l, ranking.Recall, ranking.RecallInput{Scope: braintest.Shop, Open: []string{"login.go", "nowhere.go"}})
	if !slices.Equal(got.Unknown, []string{"nowhere.go"}) {
		t.Errorf("unknown %v", got.Unknown)
	}
	other := l.Work("there", 100)
	other.Add(memory.ToolUsed, func(e *memory.Event) {
		e.Place, e.Touches = memory.Place{Identity: "/lib/.git", Root: "/lib"}, []memory.Touch{{Kind: memory.Edit, Path: "nowhere.go"}}
	}).End()
	end := l.Event(memory.SessionEnded, 101)
	end.AgentSession = "there"
	braintest.Must(l, steward.Observe, []memory.Event{end})
	if all := braintest.Must(l, ranking.Recall, ranking.RecallInput{Scope: brain.Scope{All: true}, Open: []string{"login.go", "nowhere.go"}}); len(all.Unknown) > 0 {
		t.Errorf("over all projects: unknown %v", all.Unknown)
	}
}

func TestEpisodesOfSeveralProjectsAreOrderedTogether(t *testing.T) {
	l := braintest.NewLab(t)
	for i, place := range []memory.Place{{Identity: "/lib/.git", Root: "/lib"}, l.Place} {
		l.Place = place
		for n := range 3 + i {
			l.Work(place.Root+string(rune('a'+n)), float64(100*(10*i+n))).Prompt("fix the login").Edit(place.Root[1:] + ".go").End()
		}
	}
	got := braintest.Must(l, ranking.RecallEpisodic, ranking.EpisodicInput{Scope: brain.Scope{All: true}, Text: "login"})
	if len(got) != 2 || got[0].Path != "shop.go" || got[0].Project != l.Place.Project() || got[0].Sessions != 4 || got[1].Path != "lib.go" {
		t.Errorf("remembered %+v", got)
	}
	if one := braintest.Must(l, ranking.RecallEpisodic, ranking.EpisodicInput{Scope: brain.Scope{All: true}, Text: "login", Limit: 1}); len(one) != 1 || one[0].Path != "shop.go" {
		t.Errorf("the surest: %+v", one)
	}
	l.Work("once", 5000).Prompt("paint the door").Edit("door.go").End()
	if sure := braintest.Must(l, ranking.RecallEpisodic, ranking.EpisodicInput{Scope: braintest.Shop, Text: "door"}); len(sure) > 0 {
		t.Errorf("one session is not enough: %+v", sure)
	}
}
