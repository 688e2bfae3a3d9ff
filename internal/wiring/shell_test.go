package wiring

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/must"
)

func TestCommandLinesSurviveTheShell(t *testing.T) {
	for path, want := range map[string]string{
		"/opt/hebb/bin/hebb":          "/opt/hebb/bin/hebb hook claude-code",
		"/my apps/hebb":               "'/my apps/hebb' hook claude-code",
		"/it's/$HOME/hebb":            `'/it'\''s/$HOME/hebb' hook claude-code`,
		`C:\Users\me\hebb.exe`:        "C:/Users/me/hebb.exe hook claude-code",
		`C:\Program Files\hebb\h.exe`: `"C:/Program Files/hebb/h.exe" hook claude-code`,
	} {
		line := commandLine(path, agent.ClaudeCode)
		got := words(line)
		if line != want || len(got) != 3 || got[0].text != strings.ReplaceAll(path, `\`, "/") || got[2].text != "claude-code" {
			t.Errorf("%s: %s, words %v", path, line, got)
		}
	}
	for line, want := range map[string]bool{
		"hebb hook claude": true, `/x/hebb hook claude-code 2>/dev/null || true`: true, `\/x/hebb hook claude`: true, "A=1 B='x y' ~/bin/hebb hook auto": true,
		"hebb hook codex": false, "hebb recall claude": false, "hebb": false, "": false, "A=1": false, "echo hebb hook claude": false, "hook claude": false,
	} {
		if _, _, ok := ownCommand(line, nil, agent.ClaudeCode); ok != want {
			t.Errorf("%s: %v", line, ok)
		}
	}
}

// PowerShell, which Gemini CLI runs hooks in on Windows, takes a word in quotes for a text.
func TestGeminisHooksAreCalledInPowerShell(t *testing.T) {
	for path, want := range map[string]string{
		`C:\Users\me\hebb.exe`:     "C:/Users/me/hebb.exe hook gemini",
		`C:\Users\A Name\hebb.exe`: `& "C:/Users/A Name/hebb.exe" hook gemini`,
		"/my apps/hebb":            "'/my apps/hebb' hook gemini", // bash
	} {
		command := geminiSettings.layout.write(commandLine(path, agent.Gemini), hookRule{}).Command
		if before, program, ok := ownCommand(command, nil, agent.Gemini); command != want || !ok || before != "" || program != strings.ReplaceAll(path, `\`, "/") {
			t.Errorf("%s: %s, read as %q %q %t", path, command, before, program, ok)
		}
	}
	s := fullMachine(t)
	for range 2 { // the second time nothing is added
		plan, err := PlanWire(context.Background(), s, agent.Gemini, Order{Program: `C:\Users\A Name\hebb.exe`})
		if err == nil {
			err = plan.Apply()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if text := readFile(t, filepath.Join(s.Home, ".gemini", "settings.json")); strings.Count(text, "hook gemini") != len(geminiSettings.hooks) {
		t.Errorf("wired twice:\n%s", text)
	}
}

func TestVersions(t *testing.T) {
	for text, want := range map[string]version{
		"2.1.325 (Claude Code)\n": {2, 1, 325}, "v2.0.76": {2, 0, 76}, "claude 3.0.0-beta.1": {3, 0, 0}, "": {}, "dev": {}, "1.2": {}, "a.b.c": {},
	} {
		if got, _, err := parseVersion(text); got != want || (err != nil) != (want == version{}) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check for updates.": "1.0.102", "claude 3.0.0-beta.1": "3.0.0-beta.1",
	} {
		if _, got, err := parseVersion(text); got != want || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func TestThisMachineAsksPrograms(t *testing.T) {
	m, err := ThisMachine()
	if err != nil || m.Home == "" {
		t.Fatal(m, err)
	}
	if _, err := m.Version(context.Background(), filepath.Join(t.TempDir(), "nobody")); err == nil {
		t.Error("a program that is not there has printed its version")
	}
	if runtime.GOOS != "windows" {
		script := filepath.Join(t.TempDir(), "claude")
		must.Do(t, os.WriteFile(script, []byte("#!/bin/sh\necho 2.1.325 \"$1\"\n"), 0o755))
		if got, err := m.Version(context.Background(), script); got != "2.1.325 --version\n" || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
	}
}
