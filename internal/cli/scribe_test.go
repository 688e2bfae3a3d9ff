//go:build unix

package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/llm"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// Settings and the table of agents name the same ones.
func TestTheSettingsKnowWhoCanRead(t *testing.T) {
	var names []string
	for _, name := range llm.Askable() {
		names = append(names, string(name))
	}
	if !slices.Equal(names, config.ScribeAgents) {
		t.Errorf("config knows %q, llm asks %q", config.ScribeAgents, names)
	}
}

func TestTheScribeIsAskedForOnceWithItsCost(t *testing.T) {
	const silent = `{"type":"result","subtype":"success","is_error":false,"result":"{\"add\":[],\"replace\":[],\"retire\":[],\"again\":[],\"ended\":[]}"`
	for _, c := range []struct {
		name, answers, prints string
		session               bool
		says                  []string
		who                   string
		here, everywhere      bool // allowed in this project, in others
		again                 bool // asked once more
	}{
		{name: "this project", answers: "y\ny\n", session: true, prints: silent + `,"usage":{"input_tokens":20000,"cache_read_input_tokens":500,"output_tokens":500}}`,
			says: []string{"this one [y], all [a], none [N]\n", "Agent: the one that a session was held with (here claude-code)", "for the latest session, which is read now to measure; at most 200 000 a day, 3 000 000 a month",
				"It took 21 000 tokens; with 1.0 sessions on a day of work here, about 21 000 tokens a day."}, who: "agent", here: true},
		{name: "all projects", answers: "a\ny\n", session: true, prints: silent + "}", says: []string{"It took 1"}, who: "agent", here: true, everywhere: true},
		{name: "too dear", answers: "y\nn\n", session: true, prints: silent + "}", says: []string{"Go on? [y/N]"}},
		{name: "it fails", answers: "y\nn\n", session: true, prints: `{"type":"result","subtype":"success","is_error":true,"result":"Please run /login"}`, says: []string{"what it costs is not known", "Please run /login"}},
		{name: "no session", answers: "y\n", says: []string{"Cost: about 15 000 tokens a session and what it holds (there is none here yet to measure)"}, who: "agent", here: true},
		{name: "none", answers: "\n", session: true, prints: "{}", says: []string{"Cost: about 1", "No agent reads the sessions of this project. To let it read those of all projects later: hebb init --scribe agent\n"}},
		{name: "asked once more", answers: "maybe\nn\n", says: []string{"Please answer y, a or n [y/a/N] ", "hebb init --scribe agent\n"}},
		{name: "asked in vain", answers: "maybe\nlater\n", says: []string{"Please answer y, a or n [y/a/N] "}, again: true},
		{name: "chosen after all", answers: "maybe\ny\n", says: []string{"Please answer"}, who: "agent", here: true},
		{name: "no answer", answers: "", says: []string{"[y/a/N] "}, again: true},
	} {
		dir := t.TempDir()
		must.Do(t, errors.Join(os.WriteFile(filepath.Join(dir, "claude"), []byte("#!/bin/sh\ncat >/dev/null\necho '"+c.prints+"'\n"), 0o700)))
		t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
		l := braintest.NewLab(t)
		l.Place = memory.Place{Identity: dir, Root: dir}
		if c.session {
			l.See(1, l.Prompt("one", "look at the login"), l.Prompt("one", "go on"), l.Ends("one"))
		}
		var out bytes.Buffer
		a := &app{Env: Env{Stdin: strings.NewReader(c.answers), Stdout: &out, Dir: dir, Getenv: func(string) string { return "" }, Now: func() time.Time { return l.Clock }}}
		must.Do(t, a.offerScribe(t.Context(), l.Brain))
		for _, says := range c.says {
			if !strings.Contains(out.String(), says) {
				t.Errorf("%s: does not say %q: %s", c.name, says, &out)
			}
		}
		l.Config = must.Get(config.Load(func(name string) string { return map[string]string{config.EnvHome: l.Config.Dir}[name] }))(t)
		allowed := func(id memory.ProjectID) (given bool) {
			must.Do(t, l.Store.View(t.Context(), func(tx *store.Tx) error {
				consent, err := statements.Consent(t.Context(), tx, l.Config, id)
				given = consent.Given()
				return err
			}))
			return given
		}
		if l.Config.LLM.Scribe != c.who || allowed(l.Place.Project()) != c.here || allowed(1) != c.everywhere {
			t.Errorf("%s: %q reads here %t, elsewhere %t", c.name, l.Config.LLM.Scribe, allowed(l.Place.Project()), allowed(1))
		}
		out.Reset()
		a.Stdin = strings.NewReader("")
		if must.Do(t, a.offerScribe(t.Context(), l.Brain)); (out.Len() > 0) != c.again {
			t.Errorf("%s: the next time it asks %q", c.name, &out)
		}
		if c.name == "this project" {
			line := scribeLine(braintest.Must(l, inspect.Status, inspect.StatusInput{Scope: l.Scope()}).Scribe)
			const want = "scribe: claude-code was sent 1 session of this project since 15 Nov 2026 (21 000 tokens; 21 000 of 3 000 000 this month, all projects). What was sent cannot be called back by forgetting."
			if line != want {
				t.Errorf("status says %q, want %q", line, want)
			}
			must.Do(t, l.Config.SetScribe(""))
			l.Config.LLM.Scribe = ""
			line = scribeLine(braintest.Must(l, inspect.Status, inspect.StatusInput{Scope: l.Scope()}).Scribe)
			if want := "scribe: off, nobody reads sessions now. claude-code was sent 1 session"; !strings.HasPrefix(line, want) {
				t.Errorf("status says %q after it was switched off, want %q", line, want)
			}
		}
	}
}

func TestTheQuestionNamesWhoReads(t *testing.T) {
	for who, want := range map[string]string{
		config.ScribeAgent: "the one that a session was held with (here claude-code), without tools",
		"claude-code":      "claude-code, also for sessions of other agents, without tools",
		config.ScribeModel: "none, but the model of openai, which is sent sessions of all agents",
	} {
		if got := readerLine(who, config.LLM{Provider: "openai"}, "claude-code"); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", who, got, want)
		}
	}
}
