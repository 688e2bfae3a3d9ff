package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
)

func TestPlaces(t *testing.T) {
	for n, want := range map[int]string{0: "–", 1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 111: "111th", 122: "122nd"} {
		if got := place(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

// memoryOf makes a memory in which agents worked on files with hostile names, and returns the world to look at it from.
func memoryOf(t *testing.T) (getenv func(string) string, shown string) {
	t.Helper()
	getenv = only(config.EnvHome, t.TempDir())
	c, err := config.Load(getenv)
	if err != nil {
		t.Fatal(err)
	}
	b := must.Get(steward.Open(t.Context(), c, func() time.Time { return now }))(t)
	defer func() { _ = b.Close() }()
	n := 0
	event := func(run string, kind memory.EventKind, change func(e *memory.Event)) memory.Event {
		n++
		e := memory.Event{
			ID: memory.DerivedEventID(t.Name(), fmt.Sprint(n)), At: now.Add(time.Duration(n-200) * time.Minute), Kind: kind, Origin: memory.OriginTool,
			Agent: "claude-code", AgentSession: run, Place: memory.Place{Identity: "/shop/.git", Root: "/shop"},
		}
		change(&e)
		return e
	}
	receipt := func(held bool) string {
		text := must.Get(json.Marshal([]memory.Suggestion{{Moment: memory.AtPrompt, Offer: memory.OfferFile, Path: hostile, Confidence: .8, Reason: "near " + hostile, Tokens: 12, Held: held}}))(t)
		return string(text)
	}
	touch := func(tool string, kind memory.TouchKind, path string) func(*memory.Event) {
		return func(e *memory.Event) { e.Tool, e.Touches = tool, []memory.Touch{{Kind: kind, Path: path}} }
	}
	sized := func(bytes int64, change func(*memory.Event)) func(*memory.Event) {
		return func(e *memory.Event) { change(e); e.ResultBytes = &bytes }
	}
	events := []memory.Event{event("", memory.Committed, func(e *memory.Event) {
		e.Agent, e.Input, e.Text = memory.AgentGit, "3f2a1c9d0b8e7f6a5b4c", "fix the login\x1b[2J"
		e.Touches = []memory.Touch{{Kind: memory.Edit, Path: hostile}, {Kind: memory.Edit, Path: "other.go"}}
	})}
	for run := range 12 {
		name := fmt.Sprint("run ", run)
		events = append(events, event(name, memory.Prompted, func(e *memory.Event) { e.Text = "fix the login\x1b[2J" }))
		suggestion := event(name, memory.Suggested, func(e *memory.Event) { e.Text = receipt(run%2 == 1) })
		shown = string(suggestion.ID) + "-1"
		events = append(events, suggestion)
		for range 3 * (run % 2) {
			events = append(events, event(name, memory.ToolUsed, sized(400, touch("Grep", memory.Mention, "other.go"))))
		}
		events = append(events, event(name, memory.ToolUsed, sized(9000, touch("Read", memory.Read, hostile))),
			event(name, memory.ToolUsed, touch("Edit\x1b[2J", memory.Edit, "other.go")),
			event(name, memory.ToolFailed, func(e *memory.Event) {
				e.Tool, e.Input, e.Text = "Bash", "go run .", "panic: assignment to entry in nil map"
			}))
		if run == 11 { // only now it passes
			events = append(events, event(name, memory.ToolUsed, touch("Edit\x1b[2J", memory.Edit, "other.go")),
				event(name, memory.ToolUsed, func(e *memory.Event) { e.Tool, e.Input = "Bash", "go run ." }))
		}
		events = append(events, event(name, memory.SessionEnded, func(*memory.Event) {}))
	}
	added, err := steward.Run(context.Background(), b, steward.Observe, events)
	if err != nil || added != len(events) {
		t.Fatalf("%d of %d events: %v", added, len(events), err)
	}
	return getenv, shown
}

const hostile = "src/login\u202e\x1b[2J.go"

// Every command that looks into a memory shows it, as text without anything a terminal obeys and as JSON.
func TestLookingIntoAMemory(t *testing.T) {
	getenv, shown := memoryOf(t)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"recall", "login"}, []string{"SURE", `"src/login\u202e\x1b[2J.go"`, "commits and sessions"}},
		{[]string{"recall", "login", "--explain"}, []string{"SHARE", "EVIDENCE", "commit 3f2a1c9d0", "session s", "like the question"}},
		{[]string{"recall", "--open", "other.go", "-e"}, []string{"link other.go", "learned from sessions"}},
		{[]string{"recall", "login", "--episodic"}, []string{"SESSIONS", "12", "src/login"}},
		{[]string{"recall", "panic: assignment to entry in nil map"}, []string{"Fixed this error before"}},
		{[]string{"error", "panic: assignment to entry in nil map"}, []string{"GO_PANIC", "fixed this error in one session"}},
		{[]string{"commits"}, []string{"3f2a1c9d0", `fix the login\u{1b}[2J`, "other.go"}},
		{[]string{"commits", "login"}, []string{"alike"}},
		{[]string{"predict"}, []string{"Next file", "Next tool after Bash"}},
		{[]string{"predict", "--tool", "read"}, []string{`100 %  12 of 12  Edit\u{1b}[2J`}},
		{[]string{"neurons"}, []string{"MYELIN", "error: GO_PANIC", "src/login"}},
		{[]string{"neurons", "--kind", "file", "-n", "1"}, []string{"other.go"}},
		{[]string{"hubs"}, []string{"LINKS", "other.go"}},
		{[]string{"highways"}, []string{"SESSIONS", "MYELIN", "other.go"}},
		{[]string{"stale"}, []string{"Nothing needs a check"}},
		{[]string{"streaks"}, []string{"No file is being ignored."}},
		{[]string{"synapses"}, []string{"THERE", "EVIDENCE", "together 1", " → "}},
		{[]string{"synapses", "other.go"}, []string{`other.go → "src/login\u202e\x1b[2J.go"`}},
		{[]string{"graph", "other.go"}, []string{`other.go → "src/login\u202e\x1b[2J.go"`}},
		{[]string{"stats"}, []string{"2 files, 1 error", "1 commit", "held 6", "used 0|opened 6", "packed"}},
		{[]string{"tokens"}, []string{"prompt        6      72       6      6", "withheld      6      72       6      6"}},
		{[]string{"why"}, []string{shown, "opened, withheld"}},
		{[]string{"why", shown[:12]}, []string{"withheld for comparison", `fix the login\u{1b}[2J`, "80 % confidence", "12 tokens", "opened: the session read the file"}},
	} {
		for _, asJSON := range []bool{false, true} {
			args := append([]string{}, c.args...)
			if asJSON {
				args = append(args, "--json")
			}
			if c.args[0] != "why" || len(c.args) == 1 {
				args = append(args, "--project", "shop")
			}
			a, out, stderr := world(args...)
			a.Getenv = getenv
			if code := Main(a.Env); code != 0 || stderr.Len() > 0 {
				t.Errorf("hebb %q exits %d: %s", args, code, stderr)
			}
			if strings.ContainsAny(out.String(), "\x1b\u202e") {
				t.Errorf("hebb %q prints what a terminal obeys: %q", args, out)
			}
			if asJSON {
				if !json.Valid(out.Bytes()) {
					t.Errorf("hebb %q is no JSON: %s", args, out)
				}
				continue
			}
			for _, want := range c.want {
				found := false
				for _, either := range strings.Split(want, "|") {
					found = found || strings.Contains(out.String(), either)
				}
				if !found {
					t.Errorf("hebb %q: no %q in\n%s", args, want, out)
				}
			}
		}
	}
}

func TestALinkSaysWhatItWasLearnedFrom(t *testing.T) {
	commit, meeting := now.AddDate(0, 0, -12), now.Add(-2*time.Hour)
	for _, c := range []struct {
		link brain.SynapseState
		want string
		last time.Time
	}{
		{brain.SynapseState{Origin: memory.OriginRepo, CoCommits: 12, LastAt: meeting, LastCommit: commit}, "12 commits", commit},
		{brain.SynapseState{Origin: memory.OriginAgent, CoAccesses: 3, LastAt: meeting}, "together 3×", meeting},
		{brain.SynapseState{Origin: memory.OriginAgent, CoAccesses: 3, CoCommits: 1, LastAt: meeting, LastCommit: commit}, "1 commit, together 3×", meeting},
		{brain.SynapseState{Origin: memory.OriginImport, LastAt: meeting}, "source text", time.Time{}},
		{brain.SynapseState{Origin: memory.OriginImport, CoCommits: 2, LastCommit: commit}, "source text, 2 commits", commit},
		{brain.SynapseState{Origin: memory.OriginUser, CoAccesses: 2, LastAt: meeting}, "you said so", meeting},
		{brain.SynapseState{Origin: memory.OriginRepo}, "commits", time.Time{}},
	} {
		if got, last := linkEvidence(c.link), lastTogether(c.link); got != c.want || !last.Equal(c.last) {
			t.Errorf("%+v: %q at %v, want %q at %v", c.link, got, last, c.want, c.last)
		}
	}
}

func TestWrongUseOfRecall(t *testing.T) {
	getenv, _ := memoryOf(t)
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"recall x --episodic --open a.go", 2, "recall: --episodic uses words alone: remove --open"},
		{"recall --episodic", 2, "recall: --episodic needs words"},
		{"recall x --open=", 2, "recall: --open is empty"},
		{"recall x --limit -1", 2, "want 0 or more"},
		{"recall x --session nonsense", 3, `session "nonsense"`},
		{"recall x --project nowhere", 3, `project "nowhere"`},
		{"error", 2, "error: want TEXT|-"},
		{"synapses x.go --all", 2, "name one with --project"},
		{"graph a b", 2, "graph: want [FILE]"},
		{"why Z", 3, `has the ID "Z" or says so`},
		{"tokens --since soon", 2, "--since soon: want"},
		{"predict --session nonsense", 3, `session "nonsense"`},
		{"bench --commits 0", 2, "bench: --commits must be 1 or more"},
		{"bench a b", 2, "bench: want [FOLDER]"},
		{"bench nowhere", 3, "bench: "},
	} {
		a, out, stderr := world(strings.Fields(c.args)...)
		a.Getenv, a.Dir = getenv, t.TempDir()
		if code := Main(a.Env); code != c.code || !strings.Contains(stderr.String(), c.want) || out.Len() > 0 {
			t.Errorf("hebb %s exits %d, says %s%s; want %d, %q", c.args, code, stderr, out, c.code, c.want)
		}
	}
}
