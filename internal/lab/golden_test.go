// Package lab holds tests that drive a whole memory from outside.
package lab_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/cli"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/project"
)

var update = flag.Bool("update", false, "write the goldens anew")

func init() { time.Local = time.UTC } // pages show local time

// A memory that is always the same: a repository, four sessions, and what people said.
type shop struct {
	*braintest.Lab
	base, root string
}

func newShop(t *testing.T) *shop {
	t.Helper()
	l := braintest.NewLab(t)
	base := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	s := &shop{Lab: l, base: base, root: filepath.Join(base, "shop")}
	must.Do(t, os.Mkdir(s.root, 0o700))
	// Nothing of the machine's own agents: neither their settings nor their programs, of which only git is here.
	t.Setenv("HOME", base)
	programs := filepath.Join(base, "programs")
	must.Do(t, os.Mkdir(programs, 0o700))
	must.Do(t, os.Symlink(must.Get(exec.LookPath("git"))(t), filepath.Join(programs, "git")))
	t.Setenv("PATH", programs)
	s.git("init", "--quiet", "--initial-branch", "main")
	for name, text := range map[string]string{
		"login.go": "package shop\n\n// Login lets a user in.\nfunc Login() error { return nil }\n", "session.go": "package shop\n\ntype Session struct{}\n",
		"cart.go": "package shop\n\nfunc Total() int { return 0 }\n", "README.md": "# Shop\n\nRun `make serve`.\n",
	} {
		must.Do(t, os.WriteFile(filepath.Join(s.root, name), []byte(text), 0o600))
	}
	s.git("add", ".")
	s.git("commit", "--quiet", "-m", "Begin the shop")
	l.Place = must.Get(project.Resolve(s.root))(t)
	s.hebb("init", "--yes") // no agent is here to be wired
	for i, day := range []struct{ prompt, command, failure, says string }{
		{"why does the login fail?", "go test ./login", "./login.go:12:3: undefined: user", "The session had no user; Login sets it now."},
		{"round the total of the cart", "go test ./cart", "", "Total rounds half up."},
		{"the login fails again", "go test ./login", "./login.go:12:3: undefined: user", "Login lost the user once more; the session keeps it now."},
	} {
		run := fmt.Sprintf("run%d", i+1)
		l.Clock = l.Clock.Add(24 * time.Hour)
		at := l.Clock.Sub(braintest.Start).Minutes()
		tool := func(minute float64, kind memory.EventKind, command, printed string) memory.Event {
			e := s.here(l.Say(run, at+minute, kind, printed))
			e.Origin, e.Tool, e.Input = memory.OriginTool, "Bash", command
			return e
		}
		events := []memory.Event{s.here(l.Prompt(run, day.prompt)), s.here(l.Touch(run, at+1, memory.Read, "login.go", "session.go"))}
		events[0].At = l.Clock
		if day.failure != "" {
			events = append(events, tool(2, memory.ToolFailed, day.command, day.failure))
		}
		events = append(events, s.here(l.Touch(run, at+3, memory.Edit, "login.go", "session.go")), tool(4, memory.ToolUsed, day.command, "ok"),
			s.here(l.Say(run, at+5, memory.TurnEnded, day.says)), s.here(l.Say(run, at+6, memory.SessionEnded, "")))
		l.See(at+7, events...)
		l.Clock = l.Clock.Add(8 * time.Minute)
	}
	return s
}

func (s *shop) here(e memory.Event) memory.Event {
	e.Place = s.Place
	return e
}

func (s *shop) git(args ...string) {
	s.T.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = s.root
	const at = "2026-11-15T07:00:00Z"
	cmd.Env = append(os.Environ(), "HOME="+s.base, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at,
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@shop.invalid", "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@shop.invalid")
	if out, err := cmd.CombinedOutput(); err != nil {
		s.T.Fatal(err, string(out))
	}
}

// hebb runs one command and returns what it printed.
func (s *shop) hebb(args ...string) string {
	s.T.Helper()
	return s.onTerminal(0, args...)
}

// onTerminal runs one command on a terminal of so many columns, which colours; 0 is none.
func (s *shop) onTerminal(columns int, args ...string) string {
	s.T.Helper()
	var out bytes.Buffer
	env := map[string]string{"HEBB_HOME": s.Config.Dir, "HOME": s.base, "HEBB_BACKGROUND": "0", "GIT_CONFIG_NOSYSTEM": "1"}
	code := cli.Main(cli.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: s.root, Program: filepath.Join(s.base, "hebb"),
		Getenv: func(name string) string { return env[name] }, Now: func() time.Time { return s.Clock }, Width: columns, ErrWidth: columns,
	})
	s.Clock = s.Clock.Add(time.Minute)
	if code != 0 {
		fmt.Fprintf(&out, "exit code %d\n", code)
	}
	return out.String()
}

var (
	ids    = regexp.MustCompile(`\b(?:data_|mcp-)?[a-z0-9]{13,}\b`)
	births = regexp.MustCompile(`/\.git#[a-z0-9]+`)                    // of a folder
	times  = regexp.MustCompile(`"20[0-9-]{8}T[0-9:]{8}\.[0-9]{4,}Z"`) // of this machine's clock
	sizes  = regexp.MustCompile(`"(bytes|past_bytes|used|version|file_system)": ?("[^"]*"|[0-9]+)`)
)

// steady replaces what differs from run to run: folders, IDs by the order in which they come, sizes.
func (s *shop) steady(text string, known map[string]string) string {
	text = strings.NewReplacer(s.Config.Dir, "DATA", s.base, "BASE", "\r", "").Replace(text)
	text = births.ReplaceAllString(text, "/.git#BIRTH")
	text = ids.ReplaceAllStringFunc(text, func(id string) string {
		if !strings.ContainsAny(id, "-_0123456789") || !strings.ContainsAny(id, "abcdefghijklmnopqrstuvwxyz") {
			return id // a word, a number
		}
		if known[id] == "" {
			known[id] = fmt.Sprintf("ID%d", len(known)+1)
		}
		return known[id]
	})
	return sizes.ReplaceAllString(times.ReplaceAllString(text, `"TIME"`), `"$1": "FIGURE"`)
}

func compare(t *testing.T, name, got string) {
	t.Helper()
	golden := filepath.Join("testdata", name)
	if *update {
		must.Do(t, errors.Join(os.MkdirAll("testdata", 0o700), os.WriteFile(golden, []byte(got), 0o600)))
	}
	want := string(must.Get(os.ReadFile(golden))(t))
	if got == want {
		return
	}
	was, is := strings.Split(want, "\n== "), strings.Split(got, "\n== ")
	for i := range max(len(was), len(is)) {
		if i >= len(was) || i >= len(is) || was[i] != is[i] {
			w, g := "", ""
			if i < len(was) {
				w = was[i]
			}
			if i < len(is) {
				g = is[i]
			}
			t.Fatalf("%s: is\n%s\nwant (go test ./internal/lab -update, if that is meant)\n%s", name, g, w)
		}
	}
}

// Every command answers with the JSON that it answered with before.
func TestCommandsAnswerAsBefore(t *testing.T) {
	s, known, last := newShop(t), map[string]string{}, ""
	var b strings.Builder
	for line := range strings.Lines(string(must.Get(os.ReadFile("testdata/commands.txt"))(t))) {
		args := words(strings.NewReplacer("$ID", last, "BASE", s.base).Replace(strings.TrimSpace(line)))
		answer := s.hebb(append(args, "--json")...)
		if id := theID.FindStringSubmatch(answer); id != nil {
			last = id[1]
		}
		fmt.Fprintf(&b, "== hebb %s%s\n", line, s.steady(answer, known))
	}
	compare(t, "commands.golden", b.String())
}

// Every command prints what it printed before, with its colours; so does a memory of nothing, and the help of each.
func TestCommandsPrintAsBefore(t *testing.T) {
	const columns = 1000 // nothing is cut or wrapped: folders of a test have names of any length
	s, known, last := newShop(t), map[string]string{}, ""
	var b strings.Builder
	for _, file := range []string{"commands.txt", "printed.txt"} {
		for line := range strings.Lines(string(must.Get(os.ReadFile(filepath.Join("testdata", file)))(t))) {
			answer := s.onTerminal(columns, words(strings.NewReplacer("$ID", last, "BASE", s.base).Replace(strings.TrimSpace(line)))...)
			for _, id := range ids.FindAllString(births.ReplaceAllString(answer, ""), -1) {
				if strings.ContainsAny(id, "0123456789") && strings.ContainsAny(id, "abcdefghijklmnopqrstuvwxyz") {
					last = id
					break
				}
			}
			fmt.Fprintf(&b, "== hebb %s%s\n", line, colours.Replace(s.steady(answer, known)))
		}
	}
	compare(t, "printed.golden", figures.ReplaceAllString(b.String(), "FIGURE"))
}

func TestNothingPrintsAsBefore(t *testing.T) {
	s, known := &shop{Lab: braintest.NewLab(t), base: must.Get(filepath.EvalSymlinks(t.TempDir()))(t)}, map[string]string{}
	s.root = filepath.Join(s.base, "shop")
	must.Do(t, os.Mkdir(s.root, 0o700))
	var b strings.Builder
	for line := range strings.Lines(string(must.Get(os.ReadFile("testdata/nothing.txt"))(t))) {
		fmt.Fprintf(&b, "== hebb %s%s\n", line, s.steady(s.hebb(words(strings.TrimSpace(line))...), known))
	}
	compare(t, "nothing.golden", figures.ReplaceAllString(b.String(), "FIGURE"))
}

func TestHelpIsAsBefore(t *testing.T) {
	var b strings.Builder
	for line := range strings.Lines(string(must.Get(os.ReadFile("../../docs/cli.md"))(t)) + "## hebb hook\n## hebb drain\n## hebb record\n## hebb bench\n") {
		command, heading := strings.CutPrefix(strings.TrimSpace(line), "## hebb")
		if !heading {
			continue
		}
		var out bytes.Buffer
		cli.Main(cli.Env{Args: append(strings.Fields(command), "--help"), Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }})
		fmt.Fprintf(&b, "== hebb%s --help\n%s\n", command, out.String())
	}
	compare(t, "help.golden", b.String())
}

// colours are those of a terminal as a reader sees them.
var colours = strings.NewReplacer("\x1b[1m", "‹bold ", "\x1b[2m", "‹dim ", "\x1b[31m", "‹red ", "\x1b[32m", "‹green ", "\x1b[33m", "‹yellow ", "\x1b[36m", "‹cyan ", "\x1b[0m", "›")

// figures are sizes of files, durations and versions.
var figures = regexp.MustCompile(`\b[0-9.]+ (B|KB|MB|GB|ms|s)\b|\bsqlite [0-9.]+|in [0-9.]+[mµn]?s\b|\b[0-9.]+(ms|µs)\b`)

// theID is the first ID in an answer, which the next line of commands.txt may name.
var theID = regexp.MustCompile(`"id": "([^"]+)"`)

// words splits a line at blanks; "several words" are one.
func words(line string) (list []string) {
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}

// These have no answer that a golden could hold: they wait, serve, look at this machine or change what is installed.
var unasked = []string{
	"hebb", "hebb init", "hebb doctor", "hebb ui", "hebb mcp", "hebb daemon", "hebb daemon shell", "hebb upgrade", "hebb completion", "hebb version", "hebb agents install", "hebb memories undo",
	"hebb agents uninstall", "hebb sessions import", "hebb memories read", "hebb backup restore",
}

func TestEveryCommandIsAsked(t *testing.T) {
	asked := string(must.Get(os.ReadFile("testdata/commands.txt"))(t))
	for line := range strings.Lines(string(must.Get(os.ReadFile("../../docs/cli.md"))(t))) {
		command, heading := strings.CutPrefix(strings.TrimSpace(line), "## ")
		if !heading || slices.Contains(unasked, command) {
			continue
		}
		if name := strings.TrimPrefix(command, "hebb "); !strings.Contains("\n"+asked, "\n"+name+" ") && !strings.Contains("\n"+asked, "\n"+name+"\n") {
			t.Errorf("testdata/commands.txt asks nothing of %s", command)
		}
	}
}

// Every tool answers an agent as it answered before, also those that are not listed.
func TestToolsAnswerAsBefore(t *testing.T) {
	s, known := newShop(t), map[string]string{}
	var b strings.Builder
	for line := range strings.Lines(string(must.Get(os.ReadFile("testdata/tools.txt"))(t))) {
		name, arguments, _ := strings.Cut(strings.TrimSpace(line), " ")
		fmt.Fprintf(&b, "== %s%s\n", line, s.steady(s.calls(name, arguments), known))
	}
	compare(t, "tools.golden", b.String())
}

// calls is the text with which a tool answers.
func (s *shop) calls(name, arguments string) string {
	s.T.Helper()
	here, there := io.Pipe()
	answers, out := io.Pipe()
	env := map[string]string{"HEBB_HOME": s.Config.Dir, "HOME": s.base, "HEBB_BACKGROUND": "0"}
	go func() {
		cli.Main(cli.Env{
			Args: []string{"mcp"}, Stdin: here, Stdout: out, Stderr: os.Stderr, Dir: s.root, Program: filepath.Join(s.base, "hebb"),
			Getenv: func(name string) string { return env[name] }, Now: func() time.Time { return s.Clock },
		})
		_ = out.Close()
	}()
	in := bufio.NewScanner(answers)
	in.Buffer(nil, 1<<20)
	ask := func(id int, method, params string) (text string) {
		fmt.Fprintf(there, `{"jsonrpc": "2.0", "id": %d, "method": %q, "params": %s}`+"\n", id, method, params)
		var answer struct {
			ID     int
			Error  json.RawMessage
			Result struct {
				IsError bool
				Content []struct{ Text string }
			}
		}
		for answer.ID != id && in.Scan() {
			must.Do(s.T, json.Unmarshal(in.Bytes(), &answer))
		}
		for _, c := range answer.Result.Content {
			text += c.Text + "\n"
		}
		if answer.Result.IsError {
			text = "refused: " + text
		}
		return text + string(answer.Error)
	}
	ask(1, "initialize", `{"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "claude-code", "version": "1"}}`)
	fmt.Fprintln(there, `{"jsonrpc": "2.0", "method": "notifications/initialized"}`)
	text := ask(2, "tools/call", fmt.Sprintf(`{"name": %q, "arguments": %s}`, name, arguments))
	must.Do(s.T, there.Close())
	for in.Scan() {
	}
	s.Clock = s.Clock.Add(time.Minute)
	return text
}

func TestEveryToolIsAsked(t *testing.T) {
	asked := string(must.Get(os.ReadFile("testdata/tools.txt"))(t))
	page, _, _ := strings.Cut(string(must.Get(os.ReadFile("../../docs/mcp.md"))(t)), "## Resources")
	_, page, _ = strings.Cut(page, "## Tools")
	tools, others, _ := strings.Cut(page, "## Calls that are not listed")
	names := regexp.MustCompile("(?m)^### ([a-z_]+)$").FindAllStringSubmatch(tools, -1)
	names = append(names, regexp.MustCompile("(?m)^\\| `([a-z_]+)`").FindAllStringSubmatch(others, -1)...)
	if len(names) < 40 {
		t.Errorf("docs/mcp.md names %d tools", len(names))
	}
	for _, name := range names {
		if !strings.Contains("\n"+asked, "\n"+name[1]+" ") {
			t.Errorf("testdata/tools.txt asks nothing of %s", name[1])
		}
	}
}
