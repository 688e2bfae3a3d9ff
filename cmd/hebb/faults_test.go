//go:build unix

package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// agentPatience is the shortest time that an agent itself gives a hook whose answer it waits for (Claude Code a prompt's, Copilot
// and VS Code every hook's). It guards against a hook that hangs; how fast hooks are is for hebb-bench hook.
const agentPatience = 30 * time.Second

// payloadSet holds payloads of an agent, one for each kind of event, moved to a machine. A prompt asks for lexerTask.
type payloadSet struct {
	agent    memory.Agent
	payloads map[memory.EventKind]string
}

// payloadsOf collects payloads of every agent that hebb knows: the first of each kind that was recorded, else that was written
// after its documents.
func (m *machine) payloadsOf(kinds ...memory.EventKind) (all []payloadSet) {
	m.t.Helper()
	for _, name := range agent.Known() {
		one := payloadSet{name, map[memory.EventKind]string{}}
		files := must.Get(filepath.Glob(filepath.Join("..", "..", "internal", "agent", "testdata", string(name)+"-*", "*.json")))(m.t)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				m.t.Fatal(err)
			}
			moved := strings.ReplaceAll(string(text), recordedRepo, m.path("repo"))
			seen, ok, err := agent.Decode(name, strings.NewReader(moved), func(string) string { return "" }, tuning.Default().Capture, 1<<20)
			if !ok || err != nil || seen.Event.Subagent != "" || seen.Event.Agent != name || one.payloads[seen.Event.Kind] != "" {
				continue
			}
			if seen.Event.Kind == memory.Prompted {
				moved = strings.ReplaceAll(moved, inner(m.t, seen.Event.Text), lexerTask)
			}
			one.payloads[seen.Event.Kind] = moved
		}
		for _, kind := range kinds {
			if one.payloads[kind] == "" && (name != agent.Cline || kind != memory.SessionStarted) {
				m.t.Errorf("%s has no payload for %s", name, kind)
			}
		}
		all = append(all, one)
	}
	return all
}

// inner is a text as it stands inside a JSON string.
func inner(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil || text == "" {
		t.Fatalf("%q: %v", text, err)
	}
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), `"`), "\"\n")
}

// readBy returns the text that an agent's model is shown of what a hook printed, and whether the agent can read it at all:
// empty, or one JSON value in the agent's form with no key that it does not know.
func readBy(name memory.Agent, stdout string) (text string, ok bool) {
	if stdout == "" {
		return "", name != agent.Cursor // takes it for a hook that failed, which it passes over unless it is set to fail closed
	}
	var output struct {
		Nested *struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
		Camel   *string `json:"additionalContext"`
		Snake   *string `json:"additional_context"`
		Plain   *string `json:"context"`
		Modify  *string `json:"contextModification"`
		Message *string `json:"message"`
		Cancel  *bool   `json:"cancel"`
	}
	d := json.NewDecoder(strings.NewReader(stdout))
	d.DisallowUnknownFields()
	if d.Decode(&output) != nil || d.More() || !strings.HasSuffix(stdout, "\n") || output.Cancel != nil && *output.Cancel {
		return "", false
	}
	given := map[string]*string{
		"camel": output.Camel, "snake": output.Snake, "plain": output.Plain, "modify": output.Modify, "message": output.Message,
	}
	if output.Nested != nil {
		given["nested"] = &output.Nested.Context
	}
	form := map[memory.Agent]string{
		agent.ClaudeCode: "nested", agent.Codex: "nested", agent.Gemini: "nested", agent.VSCode: "nested", agent.Cursor: "snake",
		agent.Copilot: "camel", agent.Cline: "modify", agent.OpenCode: "plain", agent.Kilo: "plain", agent.OpenClaw: "plain",
		agent.Qwen: "nested", agent.Kimi: "message", agent.Pi: "plain",
	}[name]
	for key, value := range given {
		if value != nil && key != form {
			return "", false
		}
	}
	if value := given[form]; value != nil {
		return *value, *value != "" && len(utf16.Encode([]rune(*value))) <= 9500
	}
	return "", name == agent.Cursor // {}
}

// fault is something wrong around a hook. home is a copy of the data folder for it alone.
type fault struct {
	name   string
	before func(m *machine, home string)
	shell  string // run before the hook in the same process
	// input changes what the agent sends; open leaves its end of the pipe open.
	input func(payload string) string
	open  bool
	// answers says that an agent that waits is answered all the same.
	answers bool
	// user runs the hook as somebody whom permissions bind.
	user bool
	// loses says that a prompt cannot be kept.
	loses bool
}

// faults are those of the first promise. hebb has no daemon that hooks talk to; what can be dead, stopped, slow or old in its
// place is the process that drains the spool.
var faults = []fault{
	{name: "nothing is wrong", answers: true},
	{name: "the drain is dead", answers: true, before: func(m *machine, home string) {
		m.write(filepath.Join(home, "spool", "drain.lock"), "99999")
		m.write(filepath.Join(home, "spool", "00000001.sealed"), "\x1etorn by a crash")
	}},
	{name: "the drain is stopped", answers: true, before: func(m *machine, home string) {
		release := must.Get(filesys.Acquire(m.t.Context(), m.path(home, "spool", "drain.lock")))(m.t)
		m.t.Cleanup(release)
	}},
	{name: "the drain is slow: it is in the middle of a transaction", answers: true, before: func(m *machine, home string) {
		m.holdIn(home, `BEGIN IMMEDIATE; DELETE FROM block`)
	}},
	{name: "an old hebb wrote the store", before: func(m *machine, home string) { m.changeIn(home, `PRAGMA user_version = 1`) }},
	{name: "a newer hebb wrote the store", before: func(m *machine, home string) { m.changeIn(home, `PRAGMA user_version = 999`) }},
	{name: "the database is locked", before: func(m *machine, home string) {
		m.holdIn(home, `PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM block`)
	}},
	{name: "the database is corrupt", before: func(m *machine, home string) {
		m.write(filepath.Join(home, "hebb.db"), strings.Repeat("nonsense", 4096))
	}},
	{name: "the database is missing", before: func(m *machine, home string) { m.remove(filepath.Join(home, "hebb.db")) }},
	{name: "a block of the database is damaged", before: func(m *machine, home string) { m.changeIn(home, `UPDATE block SET data = x'ffffffffffff'`) }},
	{name: "a table is missing", before: func(m *machine, home string) { m.changeIn(home, `DROP TABLE suggestion`) }},
	{name: "the log of a crash is left", answers: true, before: func(m *machine, home string) {
		m.write(filepath.Join(home, "hebb.db-wal"), strings.Repeat("x", 5000))
	}},
	{name: "the settings are nonsense", before: func(m *machine, home string) { m.write(filepath.Join(home, "config.toml"), "{{{") }},
	{name: "the settings are a folder", shell: `cd "$HEBB_HOME"; rm -rf config.toml; mkdir config.toml;`},
	{name: "the settings are a pipe", shell: `cd "$HEBB_HOME"; rm -f config.toml; mkfifo config.toml;`},
	{name: "the data folder is read-only", user: true, loses: true},
	{name: "the data folder cannot be made", shell: "export HEBB_HOME=/proc/hebb;", loses: true},
	{name: "the data folder is a file", shell: `export HEBB_HOME="$HEBB_HOME/hebb.db";`, loses: true},
	{name: "the spool is a file", shell: `rm -rf "$HEBB_HOME/spool"; : > "$HEBB_HOME/spool";`, loses: true},
	{name: "the inbox is a folder", shell: `mkdir -p "$HEBB_HOME/spool/inbox";`, loses: true},
	{name: "the disk is full", shell: "ulimit -f 0;", loses: true},
	{name: "HOME is not set", shell: "unset HOME;", answers: true},
	{name: "no environment but the data folder", shell: "unset PATH HOME TZ USER;", answers: true},
	{name: "stdin is closed", shell: "exec <&-;", loses: true},
	{name: "stdin is never closed", open: true, loses: true, input: func(payload string) string { return payload[:len(payload)/2] }},
	{name: "10 MB of stdin", answers: true, input: func(payload string) string {
		return `{"padding":"` + strings.Repeat("p", 10<<20) + `",` + strings.TrimPrefix(strings.TrimSpace(payload), "{")
	}},
	{name: "bytes that are no text", answers: true, input: func(payload string) string {
		return strings.Replace(payload, lexerTask, lexerTask+" \xff\xfe\xc3", 1)
	}},
	{name: "bad JSON", loses: true, input: func(payload string) string { return payload[:len(payload)/2] + `}]"` }},
	{name: "no JSON at all", loses: true, input: func(string) string { return "Segmentation fault\x00\xff" }},
	{name: "an empty stdin", loses: true, input: func(string) string { return "" }},
	{name: "the folder it is called in is gone", shell: "mkdir gone && cd gone && rmdir ../gone;", answers: true},
	{name: "no /tmp", shell: "export TMPDIR=/proc/nowhere;", answers: true},
	{name: "no files can be opened", shell: "ulimit -n 4;", loses: true},
	{name: "two files can be opened", shell: "ulimit -n 5;", loses: true},
	{name: "three files can be opened", shell: "ulimit -n 6;", loses: true},
	{name: "four files can be opened", shell: "ulimit -n 7;", loses: true},
	{name: "few files can be opened", shell: "ulimit -n 12;", loses: true},
	{name: "nobody reads stdout", shell: "exec >&-;"},
}

// Every fault with every agent, at the start of a session, at a prompt, after a tool or at the end of a turn: the hook exits 0 in time and prints an
// answer that the agent can read, or nothing. Each agent takes one of the four in turn, with HEBB_TESTS=full all.
func TestNoFaultReachesAnAgent(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "hebb-faults-") // t.TempDir is closed to other users
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	must.Do(t, os.Chmod(dir, 0o755))
	m := newRepositoryIn(t, dir, talkative)
	must.Do(t, os.Chmod(m.path("repo"), 0o755))
	m.ok("pin", "Money", "Prices are in cents.")
	kinds := []memory.EventKind{memory.SessionStarted, memory.Prompted, memory.ToolUsed, memory.TurnEnded}
	agents := m.payloadsOf(kinds...)
	if len(agents) < 9 || len(faults) < 14 {
		t.Fatalf("%d agents and %d faults", len(agents), len(faults))
	}
	turn := must.Part(t, len(kinds), len(kinds))
	t.Run("each", func(t *testing.T) {
		for i, f := range faults {
			t.Run(f.name, func(t *testing.T) {
				t.Parallel()
				m := &machine{t: t, dir: m.dir, env: m.env}
				home := fmt.Sprint("home-", i)
				m.copyHome(home, f)
				var waiting sync.WaitGroup
				for n, a := range agents {
					for _, k := range turn {
						kind := kinds[(i+n+k)%len(kinds)]
						payload := a.payloads[kind]
						switch {
						case payload == "":
						case f.open: // each takes as long as a hook waits for more input
							waiting.Go(func() { m.meets(f, home, a.agent, kind, payload) })
						default:
							m.meets(f, home, a.agent, kind, payload)
						}
					}
				}
				waiting.Wait()
				if inbox, _ := os.ReadFile(m.path(home, "spool", "inbox")); strings.Contains(string(inbox), lexerTask) == f.loses {
					t.Errorf("the prompt is lost: %v, want %v", !f.loses, f.loses)
				}
			})
		}
	})
}

// meets sends one payload to the hook of an agent while something is wrong.
func (m *machine) meets(f fault, home string, name memory.Agent, kind memory.EventKind, payload string) {
	m.t.Helper()
	if f.input != nil {
		payload = f.input(payload)
	}
	ctx, cancel := context.WithTimeout(context.Background(), agentPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", f.shell+` exec "$0" hook "$1"`, program, string(name))
	cmd.Dir, cmd.Env = m.path("repo"), append(m.env[:len(m.env):len(m.env)], "HEBB_HOME="+m.path(home))
	if f.user && os.Getuid() == 0 { // permissions do not bind root
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	var stdin io.Reader = strings.NewReader(payload)
	if f.open {
		r, w, err := os.Pipe()
		if err != nil {
			m.t.Error(err)
			return
		}
		defer func() { _, _ = r.Close(), w.Close() }() // only after the hook is gone
		if _, err := io.WriteString(w, payload); err != nil {
			m.t.Error(err)
			return
		}
		stdin = r
	}
	r := m.finish(cmd, stdin)
	if r.code != 0 || strings.Contains(r.stderr, "panic") {
		m.t.Errorf("%s, %s: exit %d, stderr %q", name, kind, r.code, r.stderr)
	}
	text, readable := readBy(name, r.stdout)
	if r.stdout != "" && !readable {
		m.t.Errorf("%s, %s: the agent cannot read %q", name, kind, r.stdout)
	}
	if _, err := agent.Answer(name, kind, "x", ""); f.answers && err == nil && text == "" {
		m.t.Errorf("%s, %s: no answer, stdout %q, stderr %q", name, kind, r.stdout, r.stderr)
	}
	toldWhy := f.user && strings.Contains(text, "hebb keeps nothing of what happens here")
	if kind == memory.SessionStarted && text != "" && !strings.Contains(text, "Prices are in cents.") && !toldWhy {
		m.t.Errorf("%s, %s: answered %q", name, kind, text)
	}
}

const nobody = 65534

// copyHome makes a data folder for one fault. Answers get more time only where one is required; everywhere else the limits are
// the defaults.
func (m *machine) copyHome(home string, f fault) {
	m.t.Helper()
	must.Do(m.t, os.CopyFS(m.path(home), os.DirFS(m.path("home"))))
	must.Do(m.t, os.MkdirAll(m.path(home, "spool"), 0o700))
	if !f.answers {
		m.write(filepath.Join(home, "config.toml"), strings.Replace(talkative, "prompt_wait = \"4s\"\nstart_wait = \"4s\"\ntool_wait = \"4s\"\n", "", 1))
	}
	if f.before != nil {
		f.before(m, home)
	}
	if !f.user {
		return
	}
	m.t.Cleanup(func() { m.permit(home, 0o700, 0o600) })
	m.permit(home, 0o555, 0o444)
}

func (m *machine) permit(home string, folders, files fs.FileMode) {
	m.t.Helper()
	var found []string
	err := filepath.WalkDir(m.path(home), func(path string, _ fs.DirEntry, err error) error {
		found = append(found, path)
		return err
	})
	for _, path := range found {
		mode := files
		if info, statErr := os.Stat(path); statErr == nil && info.IsDir() {
			mode = folders
		}
		if err == nil {
			err = os.Chmod(path, mode)
		}
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) remove(name string) {
	m.t.Helper()
	must.Do(m.t, os.Remove(m.path(name)))
}

func (m *machine) changeIn(home, statement string) {
	m.t.Helper()
	must.Do(m.t, change(m.path(home, "hebb.db"), statement))
}

// holdIn keeps a connection in the middle of something until the test ends.
func (m *machine) holdIn(home, statement string) {
	m.t.Helper()
	db := must.Get(sql.Open("sqlite", m.path(home, "hebb.db")))(m.t)
	db.SetMaxOpenConns(1)
	m.t.Cleanup(func() { _ = db.Close() })
	must.Get(db.Exec(statement))(m.t)
}
