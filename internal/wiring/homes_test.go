package wiring

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// newest is a version of each agent that knows all that hebb wants of it.
var newest = map[memory.Agent]string{
	agent.ClaudeCode: "2.1.325 (Claude Code)", agent.Codex: "codex-cli 0.166.0", agent.Gemini: "0.61.0", agent.Cursor: "2.6.11\n0ead4f9\nx64",
	agent.Copilot: "GitHub Copilot CLI 1.0.102.", agent.Cline: "3.0.65", agent.OpenCode: "1.18.33", agent.Kilo: "7.7.9", agent.OpenClaw: "2026.6.1",
	agent.Qwen: "0.24.4", agent.Kimi: "2.1.0", agent.Pi: "1.5.2",
}

// fullMachine is a computer with all agents in their newest version.
func fullMachine(t testing.TB) Machine {
	t.Helper()
	programs := make(map[string]memory.Agent)
	for _, s := range wirings() {
		programs[s.program] = s.agent
	}
	return Machine{
		Home: t.TempDir(), Getenv: nothing,
		LookPath: func(name string) (string, error) {
			if _, ok := programs[name]; ok || name == program {
				return name, nil
			}
			return "", exec.ErrNotFound
		},
		Version: func(_ context.Context, name string) (string, error) { return newest[programs[name]] + "\n", nil },
	}
}

// foreign is what people have in the files that hebb edits, with comments, odd spaces and entries of others.
var foreign = map[memory.Agent]map[string]string{
	agent.ClaudeCode: {
		".claude/settings.json": originals["comments"],
		".claude.json":          "{\n  \"numStartups\": 3,\n  \"mcpServers\": {\n    \"other\": {\"type\": \"stdio\", \"command\": \"other\", \"args\": []}\n  },\n  \"projects\": {}\n}\n",
		".claude/CLAUDE.md":     "# Mine\n\nSpeak plainly.\n",
	},
	agent.Codex: {
		".codex/hooks.json": "{\n    \"hooks\": {\n        \"Stop\": [ {\"hooks\": [ {\"type\": \"command\", \"command\": \"bell\"} ] } ]\n    }\n}\n",
		".codex/config.toml": `# my Codex
model = "gpt-5.5"   # the large one
notify = ["say",
  "done", # loud
]

[mcp_servers.other]
command = 'C:\other\server.exe'
args = []

  [mcp_servers.other.env]
  KEY = "[mcp_servers.hebb]"

[projects."/home/dev/proj"]
trust_level = "trusted"
# the end
`,
		".codex/AGENTS.md": "- be brief\n",
	},
	agent.Gemini: {
		".gemini/settings.json": "{\n   // mine\n   \"theme\": \"GitHub\",\n   \"hooks\": {\n      \"AfterTool\": [\n         {\"matcher\": \"write_file\", \"hooks\": [{\"type\": \"command\", \"command\": \"fmt\"}]}, // format\n      ],\n   },\n   \"mcpServers\": { \"other\": { \"httpUrl\": \"http://127.0.0.1:1\" } }\n}\n",
		".gemini/GEMINI.md":     "## Rules\nNone.\n",
	},
	agent.Cursor: {
		".cursor/hooks.json": "{\n\t\"version\": 1,\n\t\"hooks\": {\n\t\t\"stop\": [{ \"command\": \"./bell.sh\" }], // ring\n\t\t\"afterFileEdit\": [{ \"command\": \"./format.sh\" }]\n\t}\n}\n",
		".cursor/mcp.json":   `{"mcpServers":{"other":{"command":"npx","args":["-y","other"]}}}`,
	},
	agent.Copilot: {
		".copilot/hooks/hebb.json":            "{\"version\": 1, \"hooks\": {\"sessionStart\": [{\"type\": \"command\", \"bash\": \"date\"}]}}\n",
		".copilot/hooks/other.json":           "not even JSON",
		".copilot/mcp-config.json":            "{\n  \"mcpServers\": {}\n}\n",
		".copilot/copilot-instructions.md":    "Be kind.\n",
		".copilot/session-state/1/events.log": "x",
	},
	agent.Cline: {
		".cline/hooks/TaskResume":                      "#!/bin/sh\necho mine\n",
		".cline/data/settings/cline_mcp_settings.json": "{\n  \"mcpServers\": {\n    \"other\": {\n      \"command\": \"other\",\n      \"disabled\": true\n    }\n  }\n}\n",
		"Documents/Cline/Rules/mine.md":                "x\n",
	},
	agent.OpenCode: {
		".config/opencode/opencode.jsonc":   "{\n  \"$schema\": \"https://opencode.ai/config.json\", // keep\n  /* servers */ \"mcp\": {\n    \"other\": { \"type\": \"remote\", \"url\": \"http://127.0.0.1:1\" },\n  },\n}\n",
		".config/opencode/plugins/other.js": "export const Other = async () => ({})\n",
		".config/opencode/AGENTS.md":        "mine\n",
	},
	agent.Kilo: {
		".config/kilo/kilo.json": "{ \"theme\": \"dark\" }",
	},
	agent.OpenClaw: {
		".openclaw/openclaw.json":             "{\n  \"plugins\": {\n    \"allow\": [\"other\"],\n    \"entries\": {\n      \"other\": { \"enabled\": true }\n    }\n  },\n  \"agents\": { \"list\": [] }\n}\n",
		".openclaw/extensions/other/index.js": "export default {}\n",
	},
	agent.Qwen: {
		".qwen/settings.json": "{\n\t\"hooks\": {\n\t\t\"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"bell\", \"timeout\": 9 }] }], // ring\n\t},\n\t\"security\": {\"auth\": {\"selectedType\": \"openai\"}}\n}\n",
		".qwen/QWEN.md":       "Mine.\n",
	},
	agent.Kimi: {
		".kimi-code/config.toml": `default_model = "kimi"   # the large one

[[hooks]]
event = "Stop"
command = "bell"

[models.kimi]
provider = "moonshot"

[[hooks]] # format
event = 'PostToolUse'
matcher = "Edit|Write"
command = 'fmt "$1" # hebb hook kimi'
timeout = 30
# the end
`,
		".kimi-code/mcp.json":  "{\"mcpServers\": {\"other\": {\"url\": \"http://127.0.0.1:1\"}}}\n",
		".kimi-code/AGENTS.md": "- be brief\n",
	},
	agent.Pi: {
		".pi/agent/extensions/other.js": "export default function () {}\n",
		".pi/agent/mcp.json":            "{ \"mcpServers\": { } }",
		".pi/agent/AGENTS.md":           "Mine.\n",
	},
}

// homes are ways in which the same files come.
var homes = []struct {
	name string
	make func(t testing.TB, home string, files map[string]string)
}{
	{"nothing is there", func(testing.TB, string, map[string]string) {}},
	{"entries of others", writeAll},
	{"line breaks of Windows", changed(func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") })},
	{"no line break at the end", changed(func(s string) string { return strings.TrimRight(s, "\n") })},
	{"a byte order mark", changed(func(s string) string { return string(byteOrderMark) + s })},
	{"empty files", changed(func(string) string { return "" })},
	{"blank files", changed(func(string) string { return "\n  \n" })},
	{"links to a folder of dotfiles", func(t testing.TB, home string, files map[string]string) {
		n := 0
		for _, name := range sorted(files) {
			n++
			target := filepath.Join(home, "dotfiles", fmt.Sprint(n))
			writeOne(t, target, files[name])
			link := filepath.Join(home, filepath.FromSlash(name))
			must.Do(t, os.MkdirAll(filepath.Dir(link), 0o755))
			must.Do(t, os.Symlink(target, link))
		}
	}},
}

func sorted(files map[string]string) []string {
	var list []string
	for name := range files {
		list = append(list, name)
	}
	sort.Strings(list)
	return list
}

func writeOne(t testing.TB, name, content string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must.Do(t, os.WriteFile(name, []byte(content), 0o644))
}

func writeAll(t testing.TB, home string, files map[string]string) {
	t.Helper()
	for _, name := range sorted(files) {
		writeOne(t, filepath.Join(home, filepath.FromSlash(name)), files[name])
	}
}

// changed writes the files that hebb edits after a change of them; others stay.
func changed(change func(string) string) func(testing.TB, string, map[string]string) {
	return func(t testing.TB, home string, files map[string]string) {
		edited := make(map[string]string)
		for name, content := range files {
			switch filepath.Ext(name) {
			case ".json", ".jsonc", ".toml", ".md":
				content = change(content)
			}
			edited[name] = content
		}
		writeAll(t, home, edited)
	}
}

// snapshot is a folder with all that is in it, as text.
func snapshot(t testing.TB, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		switch {
		case entry.IsDir():
			fmt.Fprintf(&b, "== %s/\n", name)
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			fmt.Fprintf(&b, "== %s -> %s\n", name, filepath.ToSlash(strings.TrimPrefix(target, root+string(filepath.Separator))))
			return err
		default:
			content, err := os.ReadFile(path)
			if strings.HasSuffix(name, backupSuffix) {
				content = []byte("(as it was)\n") // what unwiring shows
			}
			fmt.Fprintf(&b, "== %s %o\n%s", name, info.Mode().Perm(), content)
			if len(content) > 0 && content[len(content)-1] != '\n' {
				b.WriteString("\n== without a line break at the end\n")
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEveryAgentIsWiredInEveryHomeAndTheHomeComesBack(t *testing.T) {
	for _, s := range wirings() {
		t.Run(string(s.agent), func(t *testing.T) {
			t.Parallel()
			var golden strings.Builder
			for _, home := range homes {
				for _, o := range []Order{{Program: program}, {Program: program, Snippet: true}} {
					m := fullMachine(t)
					home.make(t, m.Home, foreign[s.agent])
					after := wireAndBack(t, m, s.agent, o, home.name)
					if !o.Snippet {
						fmt.Fprintf(&golden, "==== %s\n%s", home.name, strings.ReplaceAll(after, "\r", "␍"))
					}
				}
			}
			compareGolden(t, filepath.Join("testdata", "wired", string(s.agent)+".golden"), golden.String())
		})
	}
}

// wireAndBack wires an agent, again, and unwires it. It returns the home in between.
func wireAndBack(t *testing.T, m Machine, name memory.Agent, o Order, home string) string {
	t.Helper()
	ctx := context.Background()
	before := snapshot(t, m.Home)
	plan, err := PlanWire(ctx, m, name, o)
	if err != nil {
		t.Fatalf("%s: %v", home, err)
	}
	if snapshot(t, m.Home) != before {
		t.Fatalf("%s: planning has written something", home)
	}
	if plan.Empty() || plan.Diff() == "" {
		t.Fatalf("%s: nothing to do", home)
	}
	if err := plan.Apply(); err != nil {
		t.Fatalf("%s: %v", home, err)
	}
	after := snapshot(t, m.Home)
	if again, err := PlanWire(ctx, m, name, o); err != nil || !again.Empty() {
		t.Errorf("%s: a second time: %v\n%s", home, err, again.Diff())
	}
	w, err := Inspect(ctx, m, name, o)
	if err != nil || w.State != Wired || len(w.Missing) > 0 || w.Problem != "" && !strings.Contains(w.Problem, "comments or trailing commas") {
		t.Errorf("%s: %+v, %v", home, w, err)
	}
	moved := o
	moved.Program = "/elsewhere/my hebb"
	plan, err = PlanWire(ctx, m, name, moved)
	if err == nil {
		err = plan.Apply()
	}
	if now := snapshot(t, m.Home); err != nil || o.Project == "" && (strings.Contains(now, program) || !strings.Contains(now, "my hebb")) {
		t.Errorf("%s: hebb has moved: %v\n%s", home, err, now)
	}
	unplan, err := PlanUnwire(m, name, o)
	if err == nil {
		err = unplan.Apply()
	}
	if now := snapshot(t, m.Home); err != nil || now != before {
		t.Errorf("%s: unwired: %v\n%s", home, err, Change{Old: []byte(before), New: []byte(now)}.Diff())
	}
	if again, err := PlanUnwire(m, name, o); err != nil || !again.Empty() {
		t.Errorf("%s: unwired twice: %v\n%s", home, err, again.Diff())
	}
	return after
}

func TestEveryAgentIsWiredInAProject(t *testing.T) {
	for _, s := range wirings() {
		t.Run(string(s.agent), func(t *testing.T) {
			t.Parallel()
			m := fullMachine(t)
			project := filepath.Join(m.Home, "proj")
			writeOne(t, filepath.Join(project, "AGENTS.md"), "# Rules")
			o := Order{Program: program, Project: project, Snippet: true}
			if s.agent == agent.OpenClaw || s.agent == agent.Kimi {
				if _, err := PlanWire(context.Background(), m, s.agent, o); !errors.Is(err, memory.ErrInvalid) {
					t.Errorf("got %v", err)
				}
				return
			}
			after := wireAndBack(t, m, s.agent, o, "a project")
			if strings.Contains(after, program) || strings.Contains(after, m.Home) {
				t.Errorf("a path of this machine is in the project:\n%s", after)
			}
			compareGolden(t, filepath.Join("testdata", "wired", string(s.agent)+"-project.golden"), after)
			// The same with what others have in the files of a project.
			files := foreignInProject(s)
			if len(files) < 2 {
				t.Errorf("%s has no file of others in a project", s.agent)
			}
			for _, home := range homes {
				for _, snippet := range []bool{false, true} {
					m := fullMachine(t)
					project := filepath.Join(m.Home, "proj")
					must.Do(t, os.MkdirAll(project, 0o700))
					home.make(t, project, files)
					wireAndBack(t, m, s.agent, Order{Program: program, Project: project, Snippet: snippet}, "a project, "+home.name)
				}
			}
		})
	}
}

// foreignInProject is what people have in the files of a project that hebb edits: the same as in those of their home.
func foreignInProject(s *settings) map[string]string {
	files := map[string]string{"AGENTS.md": "# Rules\n\nBe brief.\n"}
	if s.agent == agent.Cline { // its hooks are files of their own
		files[".clinerules/hooks/TaskResume"] = foreign[agent.Cline][".cline/hooks/TaskResume"]
		files[".clinerules/mine.md"] = "Be brief."
	}
	for _, p := range s.parts {
		name, inHome := strings.CutPrefix(p.user, "~/")
		if !inHome {
			name = path.Join(s.folder, p.user)
		}
		text, ok := foreign[s.agent][name]
		if !ok && p.other != "" {
			text, ok = foreign[s.agent][path.Join(s.folder, p.other)]
		}
		if ok && p.project != "" {
			files[p.project] = text
		}
	}
	return files
}

// compareGolden compares with a file, or writes it with -update.
func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		writeOne(t, name, got)
		return
	}
	if want := readFile(t, name); got != want {
		t.Errorf("%s is not as it was (-update writes it):\n%s", name, Change{File: name, Old: []byte(want), New: []byte(got)}.Diff())
	}
}

func TestBrokenFilesAreNamedWithTheirLineAndNothingIsTouched(t *testing.T) {
	for _, s := range wirings() {
		for _, l := range s.partsFor(Machine{Home: "/home", Getenv: nothing}, Order{Snippet: true}, true) {
			broken, line := "", "line 2"
			switch l.edit.(type) {
			case jsonFile:
				broken = "{\n  \"a\" 1\n}\n"
			case tomlFile, tomlHooks:
				broken = "a = 1\nb = = 2\n"
			case snippetFile:
				broken = "text\n" + snippetBegin + "\n"
			case ownFile:
				broken, line = "somebody else's", "move it away"
			}
			if l.within != "" {
				continue // the same scripts elsewhere
			}
			t.Run(string(s.agent)+" "+filepath.Base(l.file), func(t *testing.T) {
				t.Parallel()
				m := fullMachine(t)
				file := filepath.Join(m.Home, strings.TrimPrefix(l.file, "/home"))
				writeOne(t, file, broken)
				before := snapshot(t, m.Home)
				_, err := PlanWire(context.Background(), m, s.agent, Order{Program: program, Snippet: true})
				if err == nil || !strings.Contains(err.Error(), file+": ") || !strings.Contains(err.Error(), line) ||
					!errors.Is(err, memory.ErrInvalid) && !errors.Is(err, memory.ErrConflict) {
					t.Errorf("got %v, want the file and %s", err, line)
				}
				_, ownName := l.edit.(ownFile)
				if plan, err := PlanUnwire(m, s.agent, Order{}); ownName != (err == nil) || !plan.Empty() {
					t.Errorf("unwire: %v", err)
				}
				if now := snapshot(t, m.Home); now != before {
					t.Errorf("something was written:\n%s", now)
				}
			})
		}
	}
}

func TestSomebodyElsesServerOfTheSameNameStays(t *testing.T) {
	for _, c := range []struct {
		name          memory.Agent
		file, content string
	}{
		{agent.ClaudeCode, ".claude.json", "{\n\"mcpServers\": {\"hebb\": {\"command\": \"node\", \"args\": [\"mcp\"]}}}"},
		{agent.Codex, ".codex/config.toml", "[mcp_servers]\nhebb = { url = \"http://127.0.0.1:1\" }\n"},
		{agent.Codex, ".codex/config.toml", "\n[mcp_servers.hebb]\ncommand = \"node\"\nargs = [\"mcp\"]\n"},
		{agent.OpenCode, ".config/opencode/opencode.json", "{\n\"mcp\": {\"hebb\": {\"type\": \"remote\", \"url\": \"http://127.0.0.1:1\"}}}"},
		{agent.OpenClaw, ".openclaw/openclaw.json", "{\n\"mcp\": {\"servers\": {\"hebb\": {\"command\": \"node\"}}}}"},
	} {
		m := fullMachine(t)
		writeAll(t, m.Home, map[string]string{c.file: c.content})
		_, err := PlanWire(context.Background(), m, c.name, Order{Program: program})
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "line 2") || !strings.Contains(err.Error(), "rename it") {
			t.Errorf("%s: %v", c.name, err)
		}
		if plan, err := PlanUnwire(m, c.name, Order{}); err != nil || !plan.Empty() {
			t.Errorf("%s: %v\n%s", c.name, err, plan.Diff())
		}
	}
}

func TestWhatAPersonAddsToTheServerStays(t *testing.T) {
	m := fullMachine(t)
	writeAll(t, m.Home, map[string]string{
		".claude.json":       `{"mcpServers": {"hebb": {"command": "/old/hebb", "args": ["mcp", "--tools", "all"], "env": {"A": "1"}}}}`,
		".codex/config.toml": "[mcp_servers.hebb]\ncommand = \"/old/hebb\" # mine\nargs = [\"mcp\", \"--tools\", \"all\"]\nstartup_timeout_sec = 9\n",
	})
	for _, name := range []memory.Agent{agent.ClaudeCode, agent.Codex} {
		plan, err := PlanWire(context.Background(), m, name, Order{Program: program})
		if err == nil {
			err = plan.Apply()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, want := readFile(t, filepath.Join(m.Home, ".claude.json")),
		`{"mcpServers": {"hebb": {"command": "/opt/hebb/bin/hebb", "args": ["mcp", "--tools", "all"], "env": {"A": "1"}}}}`; got != want {
		t.Errorf("got %s", got)
	}
	if got, want := readFile(t, filepath.Join(m.Home, ".codex", "config.toml")),
		"[mcp_servers.hebb]\ncommand = \"/opt/hebb/bin/hebb\" # mine\nargs = [\"mcp\", \"--tools\", \"all\"]\nstartup_timeout_sec = 9\n"; got != want {
		t.Errorf("got %s", got)
	}
}

// If one file cannot be changed none is, and the folders that were made for others go again.
func TestIfWiringFailsNothingIsLeft(t *testing.T) {
	t.Parallel()
	for name, file := range map[memory.Agent]string{agent.Copilot: ".copilot/mcp-config.json", agent.Codex: ".codex/config.toml"} {
		m := fullMachine(t)
		if name == agent.Codex {
			writeAll(t, m.Home, foreign[name])
		} else {
			writeOne(t, filepath.Join(m.Home, file), "{}\n")
		}
		must.Do(t, os.Chmod(filepath.Join(m.Home, file), 0o444))
		before := snapshot(t, m.Home)
		plan := must.Get(PlanWire(context.Background(), m, name, Order{Program: program}))(t)
		if err := plan.Apply(); !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), filepath.Base(file)) {
			t.Errorf("%s: %v", name, err)
		}
		if now := snapshot(t, m.Home); now != before {
			t.Errorf("%s: something is left:\n%s", name, now)
		}
	}
}

func TestAFolderThatHebbMadeForTwoAgentsGoesWithTheSecond(t *testing.T) {
	t.Parallel()
	m := fullMachine(t)
	before := snapshot(t, m.Home)
	for _, name := range []memory.Agent{agent.OpenCode, agent.Kilo} { // both in .config
		plan, err := PlanWire(context.Background(), m, name, Order{Program: program})
		if err == nil {
			err = plan.Apply()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []memory.Agent{agent.OpenCode, agent.Kilo} {
		plan, err := PlanUnwire(m, name, Order{})
		if err == nil {
			err = plan.Apply()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if now := snapshot(t, m.Home); now != before {
		t.Errorf("something is left:\n%s", now)
	}
}

func TestOldAndUnknownVersionsOfEveryAgentGetOnlyWhatTheyKnow(t *testing.T) {
	for _, c := range []struct {
		name    memory.Agent
		version string
		want    string
	}{
		{agent.ClaudeCode, "2.1.100 (Claude Code)", "SessionStart UserPromptSubmit PostToolUse Stop SubagentStop PreCompact SessionEnd"},
		{agent.ClaudeCode, "", "SessionStart UserPromptSubmit PostToolUse Stop SubagentStop PreCompact SessionEnd"},
		{agent.Codex, "codex-cli 0.120.0", "SessionStart UserPromptSubmit PostToolUse Stop"},
		{agent.Codex, "", "SessionStart UserPromptSubmit PostToolUse Stop"},
		{agent.Codex, "codex-cli 0.166.0", "SessionStart UserPromptSubmit PreToolUse PostToolUse SubagentStart PreCompact Stop SessionEnd"},
		{agent.Cursor, "1.7.3", "beforeSubmitPrompt afterFileEdit afterShellExecution stop"},
		{agent.Cursor, "", "beforeSubmitPrompt afterFileEdit afterShellExecution stop"},
		{agent.Cursor, "2026.05.28-a1b2c3", "sessionStart beforeSubmitPrompt preToolUse postToolUse postToolUseFailure subagentStart preCompact stop sessionEnd"},
		{agent.Copilot, "0.0.390", "sessionStart userPromptSubmitted postToolUse sessionEnd"},
		{agent.Gemini, "", "SessionStart BeforeAgent AfterTool AfterAgent SessionEnd"},
		{agent.Qwen, "", "SessionStart UserPromptSubmit PostToolUse PostToolUseFailure Stop SubagentStop PreCompact SessionEnd"},
		{agent.Kimi, "", "SessionStart UserPromptSubmit PostToolUse PostToolUseFailure Stop SubagentStop PreCompact SessionEnd"},
	} {
		v, _, _ := parseVersion(c.version)
		var got []string
		for _, h := range settingsFor(string(c.name)).wanted(v) {
			got = append(got, h.event)
			if h.async && v.before(settingsFor(string(c.name)).modern) {
				t.Errorf("%s %s: %s is asynchronous", c.name, c.version, h.event)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s %q: got %s", c.name, c.version, strings.Join(got, " "))
		}
	}
}

func TestAgentsAreFoundByTheirFolderToo(t *testing.T) {
	for _, s := range wirings() {
		m := newMachine(t, "")
		if w, err := Inspect(context.Background(), m, s.agent, Order{Program: program}); err != nil || w.Found {
			t.Errorf("%s: %+v, %v", s.agent, w, err)
		}
		folder, _ := s.folderIn(m)
		must.Do(t, os.MkdirAll(folder, 0o700))
		if w, err := Inspect(context.Background(), m, s.agent, Order{Program: program}); err != nil || !w.Found {
			t.Errorf("%s: %+v, %v", s.agent, w, err)
		}
	}
}

func TestVariablesMoveTheFolderOfEveryAgent(t *testing.T) {
	for _, c := range []struct {
		name           memory.Agent
		variable, want string
	}{
		{agent.ClaudeCode, "CLAUDE_CONFIG_DIR", "conf/settings.json conf/.claude.json"},
		{agent.Codex, "CODEX_HOME", "conf/hooks.json conf/config.toml"},
		{agent.Gemini, "GEMINI_CLI_HOME", "conf/.gemini/settings.json"},
		{agent.Copilot, "COPILOT_HOME", "conf/hooks/hebb.json conf/mcp-config.json"},
		{agent.OpenCode, "XDG_CONFIG_HOME", "conf/opencode/plugins/hebb.js conf/opencode/opencode.json"},
		{agent.Kilo, "XDG_CONFIG_HOME", "conf/kilo/plugin/hebb.js conf/kilo/kilo.json"},
		{agent.Qwen, "QWEN_HOME", "conf/settings.json"},
		{agent.Kimi, "KIMI_CODE_HOME", "conf/config.toml conf/mcp.json"},
		{agent.Pi, "PI_CODING_AGENT_DIR", "conf/extensions/hebb.js conf/mcp.json"},
	} {
		m := fullMachine(t)
		m.Getenv = func(name string) string { return map[string]string{c.variable: filepath.Join(m.Home, "conf")}[name] }
		w, err := Inspect(context.Background(), m, c.name, Order{Program: program})
		var got []string
		for _, file := range w.Files {
			got = append(got, filepath.ToSlash(strings.TrimPrefix(file, m.Home+string(filepath.Separator))))
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}
