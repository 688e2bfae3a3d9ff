//go:build unix

package steward_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/sources"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

// readLab has an agent on PATH that reads sessions, finds nothing in them, and appends what it is asked to a file.
func readLab(t *testing.T, who string) (l *braintest.Lab, asked func() string) {
	t.Helper()
	dir := t.TempDir()
	const script = `#!/bin/sh
cat >>"$(dirname "$0")/asked"
echo '{"type":"result","subtype":"success","is_error":false,"result":"{\"add\":[],\"replace\":[],\"retire\":[],\"again\":[],\"ended\":[]}","usage":{"input_tokens":900,"output_tokens":100}}'
`
	must.Do(t, errors.Join(os.WriteFile(filepath.Join(dir, "claude"), []byte(script), 0o700), os.WriteFile(filepath.Join(dir, "asked"), nil, 0o600)))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	l = braintest.NewLab(t)
	root := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	l.Place = memory.Place{Identity: root, Root: root}
	l.Config.LLM.Scribe, l.Config.Dream.Off = who, true
	return l, func() string { return string(must.Get(os.ReadFile(filepath.Join(dir, "asked")))(t)) }
}

// holds is a session with an agent, after which a drain in the background runs.
func holds(l *braintest.Lab, run string, with memory.Agent, says string) {
	l.T.Helper()
	minutes := l.Clock.Sub(braintest.Start).Minutes() + 1
	events := []memory.Event{l.Prompt(run, says), l.Prompt(run, "go on with "+run), l.Ends(run)}
	for i := range events {
		events[i].Agent, events[i].At = with, braintest.Start.Add(time.Duration(minutes*float64(time.Minute)))
	}
	l.Drains(minutes, steward.DrainInput{Sleep: true}, events...)
}

func sent(l *braintest.Lab) statements.ScribeReport {
	l.T.Helper()
	return braintest.Must(l, inspect.Status, inspect.StatusInput{Scope: l.Scope()}).Scribe
}

func TestASessionGoesOnlyToItsOwnAgent(t *testing.T) {
	for who, codex := range map[string]bool{config.ScribeAgent: false, "claude-code": true} {
		l, asked := readLab(t, who)
		holds(l, "one", "claude-code", "look at the login")
		holds(l, "two", "codex", "look at the invoices")
		if text := asked(); !strings.Contains(text, "look at the login") || strings.Contains(text, "look at the invoices") != codex {
			t.Errorf("%s: sent %q", who, text)
		}
		r := sent(l)
		if len(r.Sent) != 2 || r.Sent[0].To != "claude-code" || r.Sent[0].Input != 900 || r.Sent[0].Output != 100 || (r.Sent[1].Unsent == "codex cannot be asked") == codex {
			t.Errorf("%s: %+v", who, r)
		}
		for _, failed := range l.Drains(30, steward.DrainInput{Sleep: true}).Failed {
			t.Errorf("%s: %+v", who, failed)
		}
	}
}

func TestASessionWithASecretIsNotSent(t *testing.T) {
	l, asked := readLab(t, config.ScribeAgent)
	holds(l, "one", "claude-code", "use AKIAIOSFODNN7EXAMPLE for the upload")
	if r := sent(l); asked() != "" || len(r.Sent) != 1 || r.Sent[0].Unsent != "a secret was found in it" || r.MonthTokens != 0 {
		t.Errorf("sent %q, %+v", asked(), r)
	}
}

func TestNothingIsSentWhereItIsForbidden(t *testing.T) {
	for _, by := range []string{"", "project", "system", "person"} {
		l, asked := readLab(t, config.ScribeAgent)
		file := filepath.Join(l.Place.Root, config.ProjectFile)
		if by == "system" {
			l.Config.System = filepath.Join(t.TempDir(), "config.toml")
			file = l.Config.System
		}
		holds(l, "before", "claude-code", "look at the login")
		switch by {
		case "project", "system":
			must.Do(t, os.WriteFile(file, []byte("[llm]\nscribe = \"off\"\n"), 0o600))
		case "person":
			must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error { return statements.ScribeProjects.Set(t.Context(), tx, []memory.ProjectID{1}) }))
		}
		holds(l, "during", "claude-code", "look at the invoices")
		if r := sent(l); strings.Contains(asked(), "invoices") == (by != "") || r.Given() == (by != "") || (r.Forbidden == file) != (by == "project" || by == "system") {
			t.Errorf("%q: %+v, sent %q", by, r, asked())
		}
		switch by {
		case "project", "system":
			must.Do(t, os.Remove(file))
		case "person":
			must.Do(t, l.Store.Update(t.Context(), func(tx *store.Tx) error { return statements.ScribeProjects.Clear(t.Context(), tx) }))
		}
		holds(l, "after", "claude-code", "look at the sign-up")
		if text := asked(); !strings.Contains(text, "sign-up") || strings.Contains(text, "invoices") == (by != "") {
			t.Errorf("%q: once it is allowed again: %q", by, text)
		}
	}
}

func TestAForgottenSessionLeavesOnlyItsCost(t *testing.T) {
	l, _ := readLab(t, config.ScribeAgent)
	holds(l, "one", "claude-code", "look at the login")
	holds(l, "two", "claude-code", "use AKIAIOSFODNN7EXAMPLE for the upload")
	l.See(l.Clock.Sub(braintest.Start).Minutes()+1, l.Prompt("three", "go on")) // the project stays
	for _, run := range []string{"one", "two"} {
		l.Later(time.Minute) // a backup each
		braintest.Must(l, steward.Forget, forget.ForgetInput{Session: memory.NewSessionID("claude-code", run, l.Place.Project()).String(), Apply: true})
	}
	r := sent(l)
	want := statements.Sent{At: braintest.Start.Add(time.Minute), To: "claude-code", Input: 900, Output: 100}
	if len(r.Sent) != 1 || !r.Sent[0].At.Equal(want.At) || r.MonthTokens != 1000 {
		t.Fatalf("after forgetting: %+v", r)
	}
	if r.Sent[0].At = want.At; r.Sent[0] != want {
		t.Errorf("left of it: %+v, want %+v", r.Sent[0], want)
	}
}

func TestAnAgentIsHandedNoStateOfOthers(t *testing.T) {
	for with, by := range map[memory.Agent]string{"claude-code": "model", "codex": "rules"} {
		l, asked := readLab(t, config.ScribeAgent)
		holds(l, "one", "claude-code", "remember that the port is 4000")
		holds(l, "two", with, "remember that the host is local")
		l.Config.Dream.Off = false
		before := len(asked())
		if _, err := steward.Run(t.Context(), l.Brain, state.Dream, state.DreamInput{Scope: l.Scope(), Force: true}); err != nil {
			t.Fatal(err)
		}
		if handed := len(asked()) > before; handed != (by == "model") {
			t.Errorf("with a session of %s it is handed the state: %t", with, handed)
		}
	}
}

// What the agent said in a turn that was forgotten does not go to the scribe from the agent's own transcript, and neither what it said in a pause.
func TestForgottenTurnsAreNotReadFromTheTranscript(t *testing.T) {
	l, asked := readLab(t, config.ScribeAgent)
	home := t.TempDir()
	dir := filepath.Join(home, ".claude", "projects", "-shop")
	must.Do(t, os.MkdirAll(dir, 0o700))
	var log strings.Builder
	turn := func(minute int, prompt string, words ...string) {
		for i, text := range append([]string{prompt}, words...) {
			role, content := "user", fmt.Sprintf("%q", text)
			if i > 0 {
				role, content = "assistant", fmt.Sprintf(`[{"type":"text","text":%q}]`, text)
			}
			fmt.Fprintf(&log, `{"type":%q,"uuid":"u%d-%d","sessionId":"one","cwd":"/shop","timestamp":"2026-11-15T08:%02d:%02dZ","message":{"role":%q,"content":%s}}`+"\n", role, minute, i, minute, i, role, content)
		}
	}
	turn(1, "repair the login", "The login reads the cookie first.", "It is repaired.")
	turn(2, "look at the merger papers", "The merger is with Brass and Sons.", "I have read them.")
	must.Do(t, os.WriteFile(filepath.Join(dir, "one.jsonl"), []byte(log.String()), 0o600))
	kept, secret := l.Asked("one", "repair the login", 1), l.Asked("one", "look at the merger papers", 2)
	l.See(3, kept, secret, l.Asked("one", "go on", 2.5))
	must.Get(steward.Run(t.Context(), l.Brain, steward.Forget, forget.ForgetInput{IDs: []memory.EventID{secret.ID}, Apply: true}))(t)
	in := steward.DrainInput{Sleep: true, Sources: sources.Machine{Home: home, Getenv: func(string) string { return "" }}}
	end := l.Ends("one")
	end.At = braintest.Start.Add(4 * time.Minute)
	l.Drains(5, in, end)
	if text := asked(); !strings.Contains(text, "The login reads the cookie") || strings.Contains(text, "Brass") {
		t.Errorf("asked %q", text)
	}
}
