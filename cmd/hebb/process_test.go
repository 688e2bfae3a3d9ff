package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/cli"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/hook"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/spool"
	"github.com/hebb-memory/hebb/internal/steward"
)

// machine is a data folder, a home and a project for one test.
type machine struct {
	t     *testing.T
	dir   string
	env   []string
	count int // calls that need a name of their own

	windows string // hebb.exe, which Wine runs
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	return newMachineIn(t, t.TempDir())
}

func newMachineIn(t *testing.T, dir string) *machine {
	t.Helper()
	m := &machine{t: t, dir: dir, env: append(environment(dir), "PATH="+pathWithoutAgents(os.Getenv("PATH")))}
	for _, name := range []string{"user", "repo"} {
		must.Do(t, os.Mkdir(filepath.Join(dir, name), 0o700))
	}
	return m
}

func (m *machine) path(elements ...string) string {
	return filepath.Join(append([]string{m.dir}, elements...)...)
}

// write puts a file below the machine's folder, private, with the folders it needs.
func (m *machine) write(name, text string) {
	m.t.Helper()
	must.Do(m.t, os.MkdirAll(filepath.Dir(m.path(name)), 0o700))
	must.Do(m.t, os.WriteFile(m.path(name), []byte(text), 0o600))
}

// generous bounds a wait that should be over long before: no test asserts a time.
const generous = 2 * time.Minute

// command prepares the real binary.
func (m *machine) command(args ...string) *exec.Cmd {
	if m.windows != "" {
		return m.start("wine", append([]string{m.windows}, args...)...)
	}
	return m.start(program, args...)
}

func (m *machine) start(name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), generous)
	m.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = m.path("repo"), m.env
	return cmd
}

// result is how a process ended.
type result struct {
	stdout, stderr string
	code           int
}

func (m *machine) run(stdin string, args ...string) result {
	m.t.Helper()
	r := m.finish(m.command(args...), strings.NewReader(stdin))
	if m.windows != "" && r.code != 0 && r.stdout+r.stderr == "" {
		// Every error of hebb says a word. Under load Wine sometimes (1 of 2000 processes) ends a process before the program begins.
		m.t.Logf("hebb %s exits %d and says nothing: once more", strings.Join(args, " "), r.code)
		r = m.finish(m.command(args...), strings.NewReader(stdin))
	}
	return r
}

func (m *machine) finish(cmd *exec.Cmd, stdin io.Reader) result {
	m.t.Helper()
	var out, err bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &err
	runErr := cmd.Run()
	var exit *exec.ExitError
	if runErr != nil && !errors.As(runErr, &exit) && !errors.Is(runErr, exec.ErrWaitDelay) {
		m.t.Errorf("%v: %v", cmd.Args, runErr)
		return result{code: -1}
	}
	return result{out.String(), err.String(), cmd.ProcessState.ExitCode()}
}

// ok runs a command that must succeed and returns what it printed. It may be called from any goroutine.
func (m *machine) ok(args ...string) string {
	m.t.Helper()
	r := m.run("", args...)
	if r.code != 0 {
		m.t.Errorf("hebb %s exits %d: %s%s", strings.Join(args, " "), r.code, r.stdout, r.stderr)
	}
	return r.stdout
}

// hook sends one payload to the real hook, which must exit 0 and keep stdout empty, and returns what it left on stderr.
func (m *machine) hook(payload string) string {
	m.t.Helper()
	r := m.run(payload, "hook", "claude-code")
	if r.code != 0 || r.stdout != "" {
		m.t.Errorf("hook exits %d with stdout %q, stderr %q", r.code, r.stdout, r.stderr)
	}
	return r.stderr
}

// events is everything in the store, after draining.
func (m *machine) events() []memory.StoredEvent {
	m.t.Helper()
	var events []memory.StoredEvent
	text := m.ok("events", "--all", "--limit", "0", "--json")
	if err := json.Unmarshal([]byte(text), &events); err != nil {
		m.t.Fatalf("events: %v: %s", err, text)
	}
	return events
}

func (m *machine) config() config.Config {
	m.t.Helper()
	return must.Get(config.Load(m.getenv))(m.t)
}

func (m *machine) getenv(name string) string {
	for _, v := range m.env {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

func (m *machine) spool() spool.Spool {
	c := m.config()
	return spool.Spool{Dir: c.Spool(), Limits: c.Tuning.Spool}
}

// toolCall is a payload whose event has an ID derived from session and call.
func (m *machine) toolCall(session, call, file string) string {
	return toolCall(m.path("repo"), session, call, file)
}

func toolCall(repo, session, call, file string) string {
	return fmt.Sprintf(`{"session_id":%q,"transcript_path":"/x/projects/y/z.jsonl","cwd":%q,"hook_event_name":"PostToolUse",`+
		`"tool_name":"Read","tool_input":{"file_path":%q},"tool_response":{},"tool_use_id":%q}`,
		session, repo, filepath.Join(repo, file), call)
}

func (m *machine) prompt(session, id, text string) string {
	m.t.Helper()
	payload := must.Get(json.Marshal(map[string]string{
		"session_id": session, "transcript_path": "/x/projects/y/z.jsonl", "cwd": m.path("repo"),
		"hook_event_name": "UserPromptSubmit", "prompt": text, "prompt_id": id,
	}))(m.t)
	return string(payload)
}

// event makes a plain event for the spool.
func (m *machine) event(id string) memory.Event {
	return memory.Event{
		ID: memory.DerivedEventID(id), At: time.Now().UTC(), Kind: memory.ToolUsed, Origin: memory.OriginTool, Agent: agent.ClaudeCode,
		AgentSession: "run", Tool: "Read", Place: memory.Place{Identity: m.path("repo"), Root: m.path("repo")},
		Touches: []memory.Touch{{Kind: memory.Read, Path: "file-" + id[len(id)-1:] + ".go"}},
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// setSchema is the program hebb-schema: FILE VERSION makes a store look as if a newer hebb had written it.
func setSchema() {
	check(change(os.Args[1], "PRAGMA user_version = "+os.Args[2]))
}

// later is the program hebb-later: DAYS ARGS... runs hebb with a clock that is so many days ahead.
func later() {
	days, err := strconv.Atoi(os.Args[1])
	check(err)
	env := cli.System()
	env.Args, env.Now = os.Args[2:], func() time.Time { return time.Now().AddDate(0, 0, days) }
	os.Exit(cli.Main(env))
}

// workedOn is the program hebb-worked: DAYS records a session without a word on each of so many days from tomorrow on.
func workedOn() {
	days, err := strconv.Atoi(os.Args[1])
	check(err)
	c, err := config.Load(os.Getenv)
	check(err)
	place, err := project.Resolve(".")
	check(err)
	for day := range days {
		at := time.Now().AddDate(0, 0, day+1)
		b, err := steward.Open(context.Background(), c, func() time.Time { return at })
		check(err)
		run := fmt.Sprint("day ", day)
		_, err = steward.Run(context.Background(), b, steward.Observe, []memory.Event{{
			ID: memory.DerivedEventID("worked", run), At: at, Kind: memory.SessionEnded, Origin: memory.OriginTool,
			Agent: "claude-code", AgentSession: run, Place: c.Home(place),
		}})
		check(errors.Join(err, b.Close()))
	}
}

// at is the program hebb-at: TIME ARGS... runs hebb at that time, its hook too.
func at() {
	now, err := time.Parse(time.RFC3339, os.Args[1])
	check(err)
	clock := func() time.Time { return now }
	if os.Args[2] != "hook" {
		env := cli.System()
		env.Args, env.Now = os.Args[2:], clock
		os.Exit(cli.Main(env))
	}
	c, err := config.Load(os.Getenv)
	check(err)
	h := hook.Hook{
		Agent: memory.Agent(os.Args[3]), Tuning: c.Tuning, Getenv: os.Getenv, Now: clock, Entropy: rand.Reader, Out: os.Stdout, Home: c.Home,
		Spool: spool.Spool{Dir: c.Spool(), Limits: c.Tuning.Spool},
	}
	if c.Inject {
		h.Answer = func(ctx context.Context, to memory.Event) (string, *memory.Event, error) {
			b, err := brain.OpenReadOnly(ctx, c, clock)
			if err != nil {
				return "", nil, err
			}
			out, err := steward.Run(ctx, b, answer.Moment, to)
			return out.Text, out.Receipt, errors.Join(err, b.Close())
		}
	}
	check(h.Run(os.Stdin))
}

// tamper is the program hebb-tamper: FILE changes a text as somebody with an editor might.
func tamper() {
	check(change(os.Args[1], "UPDATE event SET text = replace(text, 'Ada', 'Eve')"))
}

func change(file, statement string) error {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return err
	}
	_, err = db.Exec(statement)
	return errors.Join(err, db.Close())
}

// A hook that only spools its event must not pay for the packages that an answer needs.
func TestASpooledEventInitialisesNoDatabase(t *testing.T) {
	m := newMachine(t)
	m.ok("init")
	m.env = append(m.env, "GODEBUG=inittrace=1")
	for _, c := range []struct {
		payload  string
		database bool
	}{
		{m.toolCall("s", "1", "a.go"), false},
		{m.prompt("s", "2", "fix the lexer"), true},
	} {
		r := m.run(c.payload, "hook", "claude-code")
		if r.code != 0 || !strings.Contains(r.stderr, "init internal/godebug ") {
			t.Fatalf("exit %d, no trace of the initialisation: %s", r.code, r.stderr)
		}
		for _, pkg := range []string{"modernc.org/sqlite/lib", "github.com/modelcontextprotocol/go-sdk/mcp", "net"} {
			if strings.Contains(r.stderr, "init "+pkg+" ") != c.database {
				t.Errorf("%s initialised: %v, want %v", pkg, !c.database, c.database)
			}
		}
	}
	if got := len(m.events()); got != 2 {
		t.Errorf("%d events, want 2", got)
	}
}
