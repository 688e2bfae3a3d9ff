package cli

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/wiring"
)

var update = flag.Bool("update", false, "rewrite the results in docs/agents")

// agentVersions are programs of agents and what they say to --version.
var agentVersions = map[string]string{
	"claude": "2.1.325 (Claude Code)", "codex": "codex-cli 0.166.0", "gemini": "0.61.0", "cursor": "2.6.11", "copilot": "1.0.102",
	"cline": "3.0.65", "opencode": "1.18.33", "kilo": "7.7.9", "openclaw": "2026.6.1",
	"qwen": "0.24.4", "kimi": "2.1.0", "pi": "1.5.2",
}

// emptyHome is a computer with some agents and nothing in its home folder.
func emptyHome(t *testing.T, programs ...string) wiring.Machine {
	t.Helper()
	return wiring.Machine{
		Home: t.TempDir(), Getenv: func(string) string { return "" },
		LookPath: func(name string) (string, error) {
			for _, p := range programs {
				if p == name {
					return name, nil
				}
			}
			return "", exec.ErrNotFound
		},
		Version: func(_ context.Context, name string) (string, error) { return agentVersions[name], nil },
	}
}

func allPrograms() []string {
	var list []string
	for name := range agentVersions {
		list = append(list, name)
	}
	return list
}

const installed = "/usr/local/bin/hebb"

// isEmpty reports whether nothing is in a folder.
func isEmpty(t *testing.T, dir string) bool {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	return len(entries) == 0
}

// The pages say exactly what hebb agents install AGENT --dry-run says on a computer that has the agent and nothing else.
func TestThePagesOfAgentsSayWhatInstallWouldDo(t *testing.T) {
	const begin, end = "<!-- dry-run:begin -->\n", "<!-- dry-run:end -->\n"
	for _, name := range wiring.Wirable() {
		t.Run(string(name), func(t *testing.T) {
			m := emptyHome(t, allPrograms()...)
			a, out, _ := world()
			must.Do(t, a.install(context.Background(), m, installed, installInput{Names: []string{string(name)}, DryRun: true}))
			if !isEmpty(t, m.Home) {
				t.Error("a dry run has written something")
			}
			want := "```\n$ hebb agents install " + string(name) + " --dry-run\n" + out.String() + "```\n"
			file := filepath.Join("..", "..", "docs", "agents", string(name)+".md")
			text := must.Get(os.ReadFile(file))(t)
			head, rest, found := strings.Cut(string(text), begin)
			got, tail, ended := strings.Cut(rest, end)
			if !found || !ended {
				t.Fatalf("%s has no place for the result", file)
			}
			if *update {
				must.Do(t, os.WriteFile(file, []byte(head+begin+want+end+tail), 0o644))
				return
			}
			if got != want {
				t.Errorf("%s is out of date: go test ./internal/cli -run Pages -update", file)
			}
		})
	}
}

// The pages of agents that install cannot wire say what it answers.
func TestThePagesOfOtherAgentsSayWhatInstallAnswers(t *testing.T) {
	for _, name := range []string{"amp", "antigravity", "goose", "windsurf", "zed"} {
		m := emptyHome(t, allPrograms()...)
		a, _, _ := world()
		err := a.install(context.Background(), m, installed, installInput{Names: []string{name}, DryRun: true})
		if !errors.Is(err, memory.ErrInvalid) || !isEmpty(t, m.Home) {
			t.Fatalf("%s: %v", name, err)
		}
		page, readErr := os.ReadFile(filepath.Join("..", "..", "docs", "agents", name+".md"))
		want := "$ hebb agents install " + name + " --dry-run\nhebb: " + strings.TrimSuffix(err.Error(), ": "+memory.ErrInvalid.Error()) + "\n"
		if readErr != nil || !strings.Contains(string(page), want) {
			t.Errorf("docs/agents/%s.md does not say (%v):\n%s", name, readErr, want)
		}
	}
}

func TestEveryAgentHasAPageAndTheIndexNamesIt(t *testing.T) {
	index, err := os.ReadFile(filepath.Join("..", "..", "docs", "install.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "agents", "*.md"))
	if err != nil || len(pages) < len(wiring.Wirable())+5 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		if link := "(agents/" + filepath.Base(page) + ")"; !strings.Contains(string(index), link) {
			t.Errorf("docs/install.md has no link %s", link)
		}
	}
}

func TestInstallErrors(t *testing.T) {
	m := emptyHome(t)
	for _, c := range []struct {
		in   installInput
		code int
		want string
	}{
		{installInput{}, exitNotFound, "none of claude-code, codex"},
		{installInput{Names: []string{"emacs"}}, exitUsage, `agent "emacs": want one of claude-code, codex`},
		{installInput{Names: []string{"openclaw"}, Scope: "project"}, exitUsage, "no settings in a project"},
	} {
		a, _, _ := world()
		a.Dir = t.TempDir()
		err := a.install(context.Background(), m, installed, c.in)
		if code := exitCode(context.Background(), err); err == nil || code != c.code || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: exit %d, %v", c.in, code, err)
		}
	}
}

// On a file system that allows no programs the copy in the data folder cannot run: agents call the program itself, and that is what a dry run
// and the doctor compare with.
func TestWhereNoCopyRunsAgentsAreComparedWithTheProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program of this test is a shell script")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	own := must.Get(filepath.Abs(must.Get(os.MkdirTemp(".", "own-"))(t)))(t) // agents call no program in a temporary folder
	t.Cleanup(func() { must.Do(t, os.RemoveAll(own)) })
	data, script := filepath.Join(home, "data"), filepath.Join(own, "hebb")
	text := "#!/bin/sh\ncase $0 in " + data + "/*) exit 126;; esac\necho '{\"version\": \"1.0.0\"}'\n"
	must.Do(t, errors.Join(os.WriteFile(script, []byte(text), 0o700), os.Mkdir(filepath.Join(home, ".claude"), 0o700)))
	m := emptyHome(t)
	m.Home = home
	do := func(step func(*app) error) (stdout, stderr string) {
		a, out, problems := world()
		a.Program, a.Dir, a.Getenv = script, home, func(name string) string { return map[string]string{"HEBB_HOME": data}[name] }
		if err := step(a); err != nil && !errors.Is(err, memory.ErrDamaged) {
			t.Fatal(err)
		}
		return out.String(), problems.String()
	}
	install := func(dry bool) (string, string) {
		return do(func(a *app) error {
			return a.installHere(context.Background(), m, installInput{Names: []string{"claude"}, DryRun: dry})
		})
	}
	if out, _ := install(true); !strings.Contains(out, "would be wired") || !strings.Contains(out, filepath.Join(data, "bin", "hebb")+" hook") {
		t.Errorf("before anything was tried:\n%s", out)
	}
	if _, problems := install(false); !strings.Contains(problems, "agents call "+script+" instead") {
		t.Errorf("nothing is said of the copy:\n%s", problems)
	}
	if out, _ := install(true); !strings.Contains(out, "wired") || strings.Contains(out, "+++") {
		t.Errorf("a second time would change:\n%s", out)
	}
	out, _ := do(func(a *app) error { return a.doctor(context.Background(), inspect.DoctorInput{}) })
	if !strings.Contains(out, "hooks call "+script) || strings.Contains(out, "out of date") || strings.Contains(out, "not renewed") {
		t.Errorf("the doctor says\n%s", out)
	}
	// Where others may change the program, agents do not call it.
	must.Do(t, os.Chmod(own, 0o777))
	a, _, _ := world()
	a.Program, a.Getenv = script, func(name string) string { return map[string]string{"HEBB_HOME": data}[name] }
	if err := a.installHere(context.Background(), m, installInput{Names: []string{"claude"}}); !errors.Is(err, memory.ErrRefused) {
		t.Errorf("a program that all may change: %v", err)
	}
}
