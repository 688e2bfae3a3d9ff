package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this test binary answer to the names of the programs that the tests start: hebb itself, and helpers
// that do one thing many times or stop in the middle of it.
func TestMain(m *testing.M) {
	testscript.Main(suite{m}, map[string]func(){
		"hebb": main, "hebb-schema": setSchema, "hebb-later": later, "hebb-worked": workedOn, "hebb-at": at, "hebb-tamper": tamper,
	})
}

// program is the real binary, as a release builds it. Tests that count processes or take resources away use it; it
// starts faster than a test binary and needs fewer files.
var program string

const programEnv = "HEBB_TEST_PROGRAM"

// exitAs is how a test that was started once more ends, for the one that started it.
var exitAs int

// suite builds the real binary before the tests and removes it after them.
type suite struct{ *testing.M }

func (s suite) Run() int {
	if program = os.Getenv(programEnv); program != "" { // a test that was started once more has it already
		return max(s.M.Run(), exitAs)
	}
	dir, err := os.MkdirTemp("", "hebb-test-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Chmod(dir, 0o755); err != nil { // one test runs it as another user
		panic(err)
	}
	program = filepath.Join(dir, "hebb")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("go build: %v: %s", err, out))
	}
	return s.M.Run()
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		Setup:               setUpScript,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(name string) (bool, error) {
			if name != "root" {
				return false, fmt.Errorf("condition %q is not known", name)
			}
			return os.Getuid() == 0, nil // who alone may give files away
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "json": checkJSON, "replay": replay, "settings": settings,
		},
	})
}

// setUpScript gives a script a machine of its own: data folder, home, git identity, recorded payloads, and no agent.
func setUpScript(e *testscript.Env) error {
	e.Vars = append(e.Vars, environment(e.WorkDir)...)
	e.Setenv("PATH", pathWithoutAgents(os.Getenv("PATH")))
	if err := os.MkdirAll(filepath.Join(e.WorkDir, "user"), 0o700); err != nil {
		return err
	}
	return copyPayloads(filepath.Join(e.WorkDir, "payloads"), filepath.Join(e.WorkDir, "repo"))
}

// environment is what a hebb under test may see of the world.
func environment(dir string) []string {
	return []string{
		"HEBB_HOME=" + filepath.Join(dir, "home"), "HOME=" + filepath.Join(dir, "user"), "HEBB_BACKGROUND=0", "TZ=UTC",
		"GORACE=atexit_sleep_ms=0", // under -race every process would wait a second before it ends
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org",
		"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	}
}

func pathWithoutAgents(path string) string {
	var kept []string
	for _, dir := range filepath.SplitList(path) {
		if _, err := exec.LookPath(filepath.Join(dir, "claude")); err != nil {
			kept = append(kept, dir)
		}
	}
	return strings.Join(kept, string(filepath.ListSeparator))
}

const (
	recorded     = "../../internal/agent/testdata/claude-code-2.1.325"
	recordedRepo = "/home/dev/proj"
	oneSession   = "6c10c636-2913-40ac-bf32-451788ba9146"
)

var anySession = regexp.MustCompile(`"session_id": "[^"]*"`)

// copyPayloads writes what Claude Code really sent, as if all of it had come from one session in repo.
func copyPayloads(to, repo string) error {
	names, err := filepath.Glob(filepath.Join(recorded, "*.json"))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("no recorded payloads in %s: %w", recorded, err)
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text = bytes.ReplaceAll(text, []byte(recordedRepo), []byte(repo))
		text = anySession.ReplaceAll(text, []byte(`"session_id": "`+oneSession+`"`))
		if err := os.WriteFile(filepath.Join(to, filepath.Base(name)), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// exits CODE PROGRAM ARGS… runs a program and wants exactly that exit code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("%s exits %d, want %d", strings.Join(args[1:], " "), code, want)
	}
}

// replay FILE… sends payloads to hebb hook, each in a process of its own, and wants silence.
func replay(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		cmd := exec.Command("hebb", "hook", "claude-code")
		cmd.Env = []string{}
		for _, v := range []string{"HEBB_HOME", "HOME", "HEBB_BACKGROUND", "GORACE"} {
			cmd.Env = append(cmd.Env, v+"="+ts.Getenv(v))
		}
		cmd.Stdin = strings.NewReader(ts.ReadFile(filepath.Join("payloads", name+".json")))
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			ts.Fatalf("hook %s: %v, said %q", name, err, out)
		}
	}
}

var snakeCase = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// json FILE [COUNT] wants one JSON value with names in snake_case and no list that is null; COUNT is the length of a list.
func checkJSON(ts *testscript.TestScript, _ bool, args []string) {
	var v any
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	if err := d.Decode(&v); err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	if d.More() {
		ts.Fatalf("%s: more than one value", args[0])
	}
	if err := checkShape("", v); err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	if len(args) > 1 {
		if list, ok := v.([]any); !ok || strconv.Itoa(len(list)) != args[1] {
			ts.Fatalf("%s: %d elements, want %s", args[0], len(list), args[1])
		}
	}
}

func checkShape(name string, v any) error {
	switch v := v.(type) {
	case nil:
		if name != "project" { // of a folder that is none yet
			return fmt.Errorf("%q is null", name)
		}
	case map[string]any:
		for key, value := range v {
			if !snakeCase.MatchString(key) {
				return fmt.Errorf("name %q is not in snake_case", key)
			}
			if err := checkShape(key, value); err != nil {
				return err
			}
		}
	case []any:
		for _, value := range v {
			if err := checkShape(name+"[]", value); err != nil {
				return err
			}
		}
	}
	return nil
}

// settings FILE wants settings of Claude Code whose hooks all call the copy in the data folder.
func settings(ts *testscript.TestScript, _ bool, args []string) {
	var s struct {
		Model string
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &s))
	called := filepath.Join(ts.Getenv("HEBB_HOME"), "bin", "hebb")
	if s.Model != "opus" || len(s.Hooks) < 7 {
		ts.Fatalf("model %q and %d events in %s", s.Model, len(s.Hooks), args[0])
	}
	for event, groups := range s.Hooks {
		if got := groups[len(groups)-1].Hooks[0].Command; got != called+" hook claude-code" {
			ts.Fatalf("%s calls %q", event, got)
		}
	}
}
