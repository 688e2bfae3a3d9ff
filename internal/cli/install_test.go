package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/wiring"
)

var update = flag.Bool("update", false, "rewrite the results in docs/agents")

// agentVersions are programs of agents and what they say to --version.
var agentVersions = map[string]string{
	"claude": "2.1.325 (Claude Code)", "codex": "codex-cli 0.166.0", "gemini": "0.61.0", "cursor": "2.6.11", "copilot": "1.0.102",
	"cline": "3.0.65", "opencode": "1.18.33", "kilo": "7.7.9", "openclaw": "2026.6.1",
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
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries) == 0
}

// The pages say exactly what hebb agents install AGENT --dry-run says on a computer that has the agent and nothing else.
func TestThePagesOfAgentsSayWhatInstallWouldDo(t *testing.T) {
	const begin, end = "<!-- dry-run:begin -->\n", "<!-- dry-run:end -->\n"
	for _, name := range wiring.Wirable() {
		t.Run(string(name), func(t *testing.T) {
			m := emptyHome(t, allPrograms()...)
			a, out, _ := world()
			if err := a.install(context.Background(), m, installed, installInput{names: []string{string(name)}, dryRun: true}); err != nil {
				t.Fatal(err)
			}
			if !isEmpty(t, m.Home) {
				t.Error("a dry run has written something")
			}
			want := "```\n$ hebb agents install " + string(name) + " --dry-run\n" + out.String() + "```\n"
			file := filepath.Join("..", "..", "docs", "agents", string(name)+".md")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			head, rest, found := strings.Cut(string(text), begin)
			got, tail, ended := strings.Cut(rest, end)
			if !found || !ended {
				t.Fatalf("%s has no place for the result", file)
			}
			if *update {
				if err := os.WriteFile(file, []byte(head+begin+want+end+tail), 0o644); err != nil {
					t.Fatal(err)
				}
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
	for _, name := range []string{"amp", "goose", "windsurf", "zed"} {
		m := emptyHome(t, allPrograms()...)
		a, _, _ := world()
		err := a.install(context.Background(), m, installed, installInput{names: []string{name}, dryRun: true})
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
	if err != nil || len(pages) < len(wiring.Wirable())+4 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		if link := "(agents/" + filepath.Base(page) + ")"; !strings.Contains(string(index), link) {
			t.Errorf("docs/install.md has no link %s", link)
		}
	}
}

func TestInstallWiresFoundAgentsAndUninstallRemovesIt(t *testing.T) {
	m := emptyHome(t, "codex", "gemini")
	a, out, _ := world()
	if err := a.install(context.Background(), m, installed, installInput{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"codex  codex-cli", "codex  0.166.0, wired\n", "gemini  0.61.0, wired\n", "~/.codex/config.toml is new", "type /hooks", "hebb agents uninstall"} {
		if strings.Contains(out.String(), want) == (want == "codex  codex-cli") {
			t.Errorf("%q in\n%s", want, out)
		}
	}
	if strings.Contains(out.String(), "cursor") {
		t.Errorf("an agent that is not there is named:\n%s", out)
	}
	out.Reset()
	if err := a.install(context.Background(), m, installed, installInput{}); err != nil || strings.Count(out.String(), "wired already") != 2 {
		t.Errorf("a second time: %v\n%s", err, out)
	}
	out.Reset()
	if err := a.uninstall(m, installInput{dryRun: true}); err != nil || !strings.Contains(out.String(), "-[mcp_servers.hebb]") {
		t.Errorf("uninstall --dry-run: %v\n%s", err, out)
	}
	out.Reset()
	if err := a.uninstall(m, installInput{}); err != nil || !strings.Contains(out.String(), "~/.codex/hooks.json removed") || !isEmpty(t, m.Home) {
		t.Errorf("uninstall: %v\n%s", err, out)
	}
	out.Reset()
	if err := a.uninstall(m, installInput{}); err != nil || out.String() != "No agent calls hebb here.\n" {
		t.Errorf("uninstall twice: %v\n%s", err, out)
	}
}

func TestInstallSkipsUnreadableSettings(t *testing.T) {
	m := emptyHome(t, "codex", "gemini")
	broken := filepath.Join(m.Home, ".codex", "config.toml")
	if err := os.MkdirAll(filepath.Dir(broken), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(broken, []byte("a = 1\nb =\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a, out, _ := world()
	err := a.install(context.Background(), m, installed, installInput{})
	if code := exitCode(context.Background(), err); code != exitUsage || !strings.Contains(err.Error(), broken+": line 2") {
		t.Errorf("exit %d: %v", code, err)
	}
	if !strings.Contains(out.String(), "codex  0.166.0, not changed: ") || !strings.Contains(out.String(), "gemini  0.61.0, wired\n") {
		t.Errorf("got\n%s", out)
	}
	if entries, _ := os.ReadDir(filepath.Dir(broken)); len(entries) != 1 {
		t.Errorf("beside the broken file: %v", entries)
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
		{installInput{names: []string{"emacs"}}, exitUsage, `agent "emacs": want one of claude-code, codex`},
		{installInput{names: []string{"openclaw"}, project: true}, exitUsage, "no settings in a project"},
	} {
		a, _, _ := world()
		a.Dir = t.TempDir()
		err := a.install(context.Background(), m, installed, c.in)
		if code := exitCode(context.Background(), err); err == nil || code != c.code || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: exit %d, %v", c.in, code, err)
		}
	}
}

func TestInstallInAProjectWritesBelowTheWorkTree(t *testing.T) {
	m := emptyHome(t, "claude")
	tree := t.TempDir()
	for _, dir := range []string{".git", "sub"} {
		if err := os.Mkdir(filepath.Join(tree, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	a, out, _ := world()
	a.Dir, a.json = filepath.Join(tree, "sub"), true
	if err := a.install(context.Background(), m, installed, installInput{project: true, snippet: true}); err != nil {
		t.Fatal(err)
	}
	var got []agentResult
	if err := json.NewDecoder(bytes.NewReader(out.Bytes())).Decode(&got); err != nil || len(got) != 1 || got[0].State != wiring.Wired {
		t.Fatalf("%v: %s", err, out)
	}
	var files []string
	for _, e := range got[0].Edits {
		files = append(files, strings.TrimPrefix(filepath.ToSlash(e.File), filepath.ToSlash(tree)+"/"))
	}
	if strings.Join(files, " ") != ".claude/settings.json .mcp.json CLAUDE.md" || !isEmpty(t, m.Home) {
		t.Errorf("got %q", files)
	}
	if got[0].Agent != memory.Agent("claude-code") || len(got[0].Notes) == 0 {
		t.Errorf("got %+v", got[0])
	}
}
