package hook

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// Cursor and VS Code run their own hook and Claude Code's for one event, at the same time. It is
// kept once, one of the two answers, and the other says what the agent reads as nothing.
func TestOfTwoHooksThatAnEditorRunsOneAnswers(t *testing.T) {
	for _, c := range []struct {
		name      string
		own       memory.Agent
		file      string // recorded payload, as its own hook and Claude's get it
		kept      string
		spoken    int
		silence   string
		receipted bool
	}{
		{"Cursor's session", agent.Cursor, "cursor-written/sessionStart.json", "session_start", 1, "{}\n", false},
		{"Cursor's prompt", agent.Cursor, "cursor-written/beforeSubmitPrompt.json", "prompt", 1, "{}\n", true},
		{"a call that Cursor plans", agent.Cursor, "cursor-written/preToolUse-Write.json", "", 1, "{}\n", true},
		{"a call that Cursor plans, without a name", agent.Cursor, "cursor-written/preToolUse-Write.json without tool_use_id", "", 1, "{}\n", true},
		{"Cursor's failure", agent.Cursor, "cursor-written/postToolUseFailure-Shell.json", "tool_fail", 1, "{}\n", true},
		{"Cursor's subagent", agent.Cursor, "cursor-written/subagentStart.json", "sub_start", 1, "{}\n", true},
		{"a call that VS Code plans", agent.Copilot, "vscode-written/PreToolUse-editFiles.json", "", 1, "", true},
		{"Cursor's tool call", agent.Cursor, "cursor-written/postToolUse-Read.json", "tool", 0, "", false},
		{"the end of Cursor's turn", agent.Cursor, "cursor-written/stop.json", "turn_end", 0, "", false},
		{"the end of Cursor's session", agent.Cursor, "cursor-written/sessionEnd.json", "session_end", 0, "", false},
		{"VS Code's session", agent.Copilot, "vscode-written/SessionStart.json", "session_start", 1, "", false},
		{"VS Code's tool call", agent.Copilot, "vscode-written/PostToolUse-read_file.json", "tool", 0, "", false},
		{"the end of VS Code's turn", agent.Copilot, "vscode-written/Stop.json", "turn_end", 0, "", false},
	} {
		file, without, _ := strings.Cut(c.file, " without ")
		text := must.Get(os.ReadFile("../agent/testdata/" + file))(t)
		h, project := newHook(t)
		said := strings.ReplaceAll(string(text), "/home/dev/proj", project)
		if without != "" {
			said = strings.Replace(said, `"`+without+`"`, `"renamed"`, 1)
		}
		h.Answer = func(_ context.Context, e memory.Event) (string, *memory.Event, error) {
			if e.Kind == memory.SessionStarted {
				return shown, nil, nil
			}
			return shown, receiptOf(e), nil
		}
		var outs [2]bytes.Buffer
		run := func(i int, name memory.Agent, at time.Time) {
			one := h
			one.Agent, one.Out, one.Entropy = name, &outs[i], bytes.NewReader(bytes.Repeat([]byte{byte(i + 1)}, 100))
			one.Now = func() time.Time { return at }
			if err := one.Run(strings.NewReader(said)); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		var both sync.WaitGroup
		for i, name := range []memory.Agent{c.own, agent.ClaudeCode} {
			both.Go(func() { run(i, name, now.Add(time.Duration(i)*30*time.Millisecond)) })
		}
		both.Wait()
		spoken, silent := 0, 0
		for i := range outs {
			switch {
			case strings.Contains(outs[i].String(), shown):
				spoken++
			case outs[i].String() == c.silence:
				silent++
			}
		}
		if spoken != c.spoken || silent != 2-c.spoken {
			t.Errorf("%s: %d answers, %d silent: %q and %q", c.name, spoken, silent, &outs[0], &outs[1])
		}
		ids := map[memory.EventID]bool{}
		var list []string
		for _, e := range kept(t, h) {
			if !ids[e.ID] {
				ids[e.ID] = true
				list = append(list, string(e.Kind))
			}
		}
		want := c.kept
		if c.receipted {
			want = strings.TrimSpace(want + " suggest")
		}
		if got := strings.Join(list, " "); got != want {
			t.Errorf("%s: kept %q, want %q", c.name, got, want)
		}
		// The same words later are another event: a session that is resumed is recorded again.
		outs[0].Reset()
		run(0, c.own, now.Add(time.Minute))
		if c.kept == "session_start" && !strings.Contains(outs[0].String(), shown) {
			t.Errorf("%s: not answered again: %q", c.name, &outs[0])
		}
	}
}

// Two turns of VS Code that end within a second say the same, but for their times. Both are kept;
// each arrives twice, and is kept once.
func TestTwoShortTurnsOfAnEditorAreTwo(t *testing.T) {
	text := must.Get(os.ReadFile("../agent/testdata/vscode-written/Stop.json"))(t)
	h, project := newHook(t)
	first := strings.ReplaceAll(string(text), "/home/dev/proj", project)
	second := strings.Replace(first, "10:30:00.000Z", "10:30:00.700Z", 1)
	if first == second {
		t.Fatal("the payload has no time")
	}
	for i, said := range []string{first, first, second, second} {
		one := h
		one.Agent, one.Entropy = []memory.Agent{agent.Copilot, agent.ClaudeCode}[i%2], bytes.NewReader(bytes.Repeat([]byte{byte(i + 1)}, 100))
		one.Now = func() time.Time { return now.Add(time.Duration(i/2) * 700 * time.Millisecond) }
		if err := one.Run(strings.NewReader(said)); err != nil {
			t.Error(err)
		}
	}
	ids := map[memory.EventID]bool{}
	for _, e := range kept(t, h) {
		ids[e.ID] = true
	}
	if len(ids) != 2 {
		t.Errorf("%d ends of turns are kept, want 2", len(ids))
	}
}

// Who came first is kept in a folder of the spool. Where that cannot be written, each hook is on
// its own, and nothing is lost.
func TestTwinsAreBothKeptIfTheClaimFails(t *testing.T) {
	for _, c := range []struct{ file, kept, answered string }{
		{"cursor-written/sessionStart.json", "session_start", shown},
		{"cursor-written/beforeSubmitPrompt.json", "prompt suggest", shown},
		{"cursor-written/sessionEnd.json", "session_end", ""},
	} {
		text := must.Get(os.ReadFile("../agent/testdata/" + c.file))(t)
		h, project := newHook(t)
		must.Do(t, os.MkdirAll(h.Spool.Dir, 0o700))
		if err := os.WriteFile(filepath.Join(h.Spool.Dir, "first"), nil, 0o600); err != nil { // a file in the way of the folder
			t.Fatal(err)
		}
		var out bytes.Buffer
		h.Agent, h.Out = agent.Cursor, &out
		h.Answer = func(_ context.Context, e memory.Event) (string, *memory.Event, error) {
			if e.Kind == memory.SessionStarted {
				return shown, nil, nil
			}
			return shown, receiptOf(e), nil
		}
		if err := h.Run(strings.NewReader(strings.ReplaceAll(string(text), "/home/dev/proj", project))); err != nil {
			t.Errorf("%s: %v", c.file, err)
		}
		var list []string
		for _, e := range kept(t, h) {
			list = append(list, string(e.Kind))
		}
		if got := strings.Join(list, " "); got != c.kept || !strings.Contains(out.String(), c.answered) {
			t.Errorf("%s: kept %q, answered %q", c.file, got, &out)
		}
		if complaint := h.Spool.State().Complaint; !strings.Contains(complaint, "first") {
			t.Errorf("%s: the doctor receives %q", c.file, complaint)
		}
	}
}

// A quick second turn of Cursor ends within the time in which two that say the same are one.
func TestASecondShortTurnIsKept(t *testing.T) {
	text := must.Get(os.ReadFile("../agent/testdata/cursor-written/stop.json"))(t)
	h, project := newHook(t)
	h.Agent = agent.Cursor
	said := strings.ReplaceAll(string(text), "/home/dev/proj", project)
	for _, turn := range []string{said, strings.Replace(said, "2b9d5f6e", "3c9d5f6e", 1)} {
		must.Do(t, h.Run(strings.NewReader(turn)))
	}
	if events := kept(t, h); len(events) != 2 || events[0].ID == events[1].ID {
		t.Errorf("kept %+v", events)
	}
}
