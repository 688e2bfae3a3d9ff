package wiring

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestFilesThatAreNotUnderstoodAreLeftAlone(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"broken JSON", "{\n  \"model\": \"opus\"\n  \"env\": {}\n}", "line 3, column 3"},
		{"a list", "\n []", "line 2, column 2"},
		{"hooks are no object", "{\"hooks\": []}", "line 1, column 11"},
		{"an event is no list", "{\"hooks\": {\n  \"Stop\": {}}}", "line 2, column 11"},
		{"hooks stand there twice", "{\"hooks\": {},\n\"hooks\": {}}", "line 2, column 1"},
		{"an event stands there twice", "{\"hooks\": {\"Stop\": [], \"Stop\": []}}", "line 1, column 24"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t, "2.1.325")
			file := settingsOf(t, m, c.content)
			_, err := PlanWire(context.Background(), m, agent.ClaudeCode, Order{Program: program})
			if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if w := stateOf(t, m); w.State != Unreadable || !strings.Contains(w.Problem, c.want) {
				t.Errorf("got %+v", w)
			}
			if readFile(t, file) != c.content {
				t.Error("the file has changed")
			}
		})
	}
}

func TestAnAgentThatIsNotThere(t *testing.T) {
	m := newMachine(t, "")
	if w := stateOf(t, m); w.Found || w.State != Unwired || len(w.Missing) != 0 {
		t.Errorf("got %+v", w)
	}
	if _, err := PlanWire(context.Background(), m, agent.ClaudeCode, Order{Program: program}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if c := unwire(t, m); !c.Empty() {
		t.Errorf("got %+v", c)
	}
	settingsOf(t, m, "{}")
	if w := stateOf(t, m); !w.Found || w.Problem == "" || len(w.Missing) != 7 {
		t.Errorf("with its folder: %+v", w)
	}
	for _, c := range []struct {
		name    memory.Agent
		program string
	}{{"emacs", program}, {agent.ClaudeCode, "hebb"}} {
		if _, err := Inspect(context.Background(), m, c.name, Order{Program: c.program}); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s, %s: %v", c.name, c.program, err)
		}
	}
}

func TestAProgramThatWouldNotBeKnownAgainIsNotWired(t *testing.T) {
	m := newMachine(t, "2.1.325")
	_, err := PlanWire(context.Background(), m, agent.ClaudeCode, Order{Program: "/opt/bin/memory"})
	if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "a name with hebb in it") {
		t.Errorf("got %v", err)
	}
}

func TestLinksAndModesSurvive(t *testing.T) {
	for _, target := range []string{"{}\n", "(not there yet)"} {
		m := newMachine(t, "2.1.325")
		dotfiles := filepath.Join(m.Home, "dotfiles")
		link := filepath.Join(m.Home, ".claude", "settings.json")
		for _, dir := range []string{dotfiles, filepath.Dir(link)} {
			must.Do(t, os.Mkdir(dir, 0o755))
		}
		behind := filepath.Join(dotfiles, "claude.json")
		if target == "{}\n" {
			must.Do(t, os.WriteFile(behind, []byte(target), 0o640))
		}
		must.Do(t, os.Symlink(filepath.Join("..", "dotfiles", "claude.json"), link))
		wire(t, m)
		if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("the link is gone: %v, %v", info, err)
		}
		if !strings.Contains(readFile(t, behind), program) {
			t.Errorf("got %s", readFile(t, behind))
		}
		if info, err := os.Stat(behind); err != nil || runtime.GOOS != "windows" && target == "{}\n" && info.Mode().Perm() != 0o640 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		if entries, _ := os.ReadDir(dotfiles); len(entries) != 1 {
			t.Errorf("beside the file: %v", entries)
		}
	}
}

func TestAFileThatChangedMeanwhileIsLeftAlone(t *testing.T) {
	m := newMachine(t, "2.1.325")
	file := settingsOf(t, m, "{}")
	c, err := PlanWire(context.Background(), m, agent.ClaudeCode, Order{Program: program})
	if err != nil {
		t.Fatal(err)
	}
	settingsOf(t, m, `{"model":"opus"}`)
	if err := c.Apply(); !errors.Is(err, memory.ErrConflict) || readFile(t, file) != `{"model":"opus"}` {
		t.Errorf("got %v", err)
	}
	must.Do(t, os.Chmod(file, 0o444))
	if c, err = PlanWire(context.Background(), m, agent.ClaudeCode, Order{Program: program}); err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(); !errors.Is(err, memory.ErrRefused) || readFile(t, file) != `{"model":"opus"}` {
		t.Errorf("read-only: %v", err)
	}
}

func TestTheDoctorSeesWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name, content string
		want          []string
	}{
		{"no hooks", `{}`, []string{"no hooks of hebb"}},
		{"some hooks", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/opt/hebb/bin/hebb hook claude"}]}]}}`, []string{"no hooks for SessionStart, "}},
		{"a program that is gone", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/gone/hebb hook claude"}]}]}}`, []string{"no hooks for", "/gone/hebb, which cannot be run; run hebb init --yes with"}},
		{"a hook that blocks", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/opt/hebb/bin/hebb hook claude","onFailure":"block"}]}]}}`, []string{"no hooks for", "stop the agent; run hebb init --yes, which takes it out"}},
		{"hooks switched off", `{"disableAllHooks":true}`, []string{"no hooks of hebb; run hebb init --yes", "no hook runs; set disableAllHooks to false there"}},
		{"comments, which Claude Code cannot read", "{\n  // mine\n}", []string{"no hooks of hebb", "claude-code ignores all that it says, hooks included; take them out"}},
		{"a broken file", `{`, []string{"line 1, column 2"}},
		{"a broken file says how to fix it", `{`, []string{"; correct the file by hand, then run hebb init --yes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t, "2.1.325")
			settingsOf(t, m, c.content)
			h := must.Get(CheckHealth(context.Background(), m, agent.ClaudeCode, program))(t)
			got := h.Problems()
			if len(got) != len(c.want) {
				t.Fatalf("got %q", got)
			}
			for i := range got {
				if !strings.Contains(got[i], c.want[i]) {
					t.Errorf("got %q, want %q", got[i], c.want[i])
				}
			}
		})
	}
	m := newMachine(t, "2.1.325")
	m.Version = func(context.Context, string) (string, error) { return "", errors.New("no answer") }
	wire(t, m)
	h, err := CheckHealth(context.Background(), m, agent.ClaudeCode, program)
	if got := strings.Join(h.Problems(), "\n"); err != nil || !strings.HasSuffix(got, "see that the agent can be started from here, then run hebb init --yes") {
		t.Errorf("version unknown: %q, %v", got, err)
	}
	m = newMachine(t, "2.1.325")
	wire(t, m)
	if h, err := CheckHealth(context.Background(), m, agent.ClaudeCode, program); err != nil || len(h.Problems()) != 0 || !slices.Equal(h.Programs, []string{program}) {
		t.Errorf("wired: %+v, %v", h, err)
	}
	if h, err := CheckHealth(context.Background(), newMachine(t, ""), agent.ClaudeCode, program); err != nil || len(h.Problems()) != 0 {
		t.Errorf("not installed: %+v, %v", h, err)
	}
}

func TestWhatIsWiredIsRead(t *testing.T) {
	for _, s := range wirings() {
		for _, h := range s.hooks {
			for tool := range strings.SplitSeq(cmp.Or(h.matcher, "Read"), "|") {
				command := "make"
				if tool == "apply_patch" {
					command = "*** Begin Patch\n*** Update File: a\n"
				}
				arguments := fmt.Sprintf(`{"file_path": "/src/a", "notebook_path": "/src/a", "path": "/src/a", "command": %[1]q, "input": %[1]q}`, command)
				payload := fmt.Sprintf(`{"hook_event_name": %[1]q, "hookName": %[1]q, "session_id": "s", "sessionId": "s", "cwd": "/src", "file_path": "/src/a", "prompt": "do it",
					"tool_name": %[2]q, "toolName": %[2]q, "command": "make", "tool_input": %[3]s, "toolArgs": %[3]s}`, h.event, tool, arguments)
				seen, read, err := agent.Decode(s.agent, strings.NewReader(payload), nothing, tuning.Default().Capture, 1<<20)
				if !read || err != nil || seen.Answered && h.async {
					t.Errorf("%s: %s of %s is wired; read %t, answered %t: %v", s.agent, h.event, tool, read, seen.Answered, err)
				}
				if seen.Event.Kind == memory.ToolPlanned && (!seen.Answered || h.matcher == "") {
					t.Errorf("%s: every tool waits for a hook that has nothing to say to it", s.agent)
				}
			}
		}
	}
}

var update = flag.Bool("update", false, "rewrite the golden files")

func nothing(string) string { return "" }

func readFile(t testing.TB, name string) string {
	content := must.Get(os.ReadFile(name))(t)
	return string(content)
}

func TestTheVersionThatAnAgentNotedCounts(t *testing.T) {
	t.Parallel()
	for noted, want := range map[string]int{
		`{"lastReleaseNotesSeen": "2.1.325"}`:  11,
		`{"lastOnboardingVersion": "2.1.200"}`: 11,
		`{"lastReleaseNotesSeen": "1.0.3"}`:    7,
		`{"numStartups": 3}`:                   7,
		`not JSON`:                             7,
	} {
		m := newMachine(t, "")
		file := settingsOf(t, m, "{}\n")
		must.Do(t, os.WriteFile(filepath.Join(m.Home, ".claude.json"), []byte(noted), 0o600))
		p, err := PlanWire(t.Context(), m, agent.ClaudeCode, Order{Program: program, Anyway: true})
		for i := 0; i < len(p.Changes) && err == nil; i++ {
			if p.Changes[i].File == file {
				err = p.Changes[i].Apply()
			}
		}
		if err != nil {
			if !strings.Contains(noted, "not JSON") {
				t.Errorf("%s: %v", noted, err)
			}
			continue
		}
		if got := strings.Count(readFile(t, file), "hebb hook "); got != want {
			t.Errorf("%s: %d hooks, want %d", noted, got, want)
		}
	}
}

func TestAgentsAreAskedOnceEach(t *testing.T) {
	t.Parallel()
	m := newMachine(t, "2.1.325")
	var asked atomic.Int64
	m.Version = func(context.Context, string) (string, error) { asked.Add(1); return "2.1.325", nil }
	m = m.Asked(t.Context(), Wirable())
	for range 3 {
		must.Get(Inspect(t.Context(), m, agent.ClaudeCode, Order{Program: program}))(t)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("Claude Code was asked %d times for its version", n)
	}
}
