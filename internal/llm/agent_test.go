//go:build unix

package llm

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// program puts a shell script on PATH in the place of a coding agent.
func program(t *testing.T, name, script string) {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func TestAnAgentIsAskedAlone(t *testing.T) {
	t.Setenv("CLAUDECODE", "1")
	program(t, "codex", `echo codex`)
	program(t, "claude", `echo "claude $1 inside=$CLAUDECODE scribe=$HEBB_SCRIBE in=$(basename "$PWD" | cut -c1-12) files=$(ls | wc -l | tr -d ' ') asked=$(cat)"`)
	env := Env{Now: noon, Budget: &countedBudget{}}
	for preferred, want := range map[memory.Agent]string{
		"": "claude -p inside= scribe=1 in=hebb-scribe- files=0 asked=what holds?\n", "codex": "codex\n", "cursor": "claude -p inside= scribe=1 in=hebb-scribe- files=0 asked=what holds?\n",
	} {
		p := must.Get(OpenAgent(preferred, "", env, tuning.Default().LLM))(t)
		if got, err := p.Complete(t.Context(), Request{Prompt: "what holds?"}); got != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", preferred, got, err, want)
		}
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), memory.ScribeFolder+"*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := OpenAgent("codex", "", env, tuning.Default().LLM); !errors.Is(err, memory.ErrNotFound) || Installed() != "" {
		t.Errorf("no agent: %v", err)
	}
}

func TestAnAgentThatReportsALimitIsLeftAlone(t *testing.T) {
	program(t, "claude", `echo "usage limit reached, resets at 5pm" >&2; exit 1`)
	budget, now := &countedBudget{}, noon()
	p := must.Get(OpenAgent("", "", Env{Now: func() time.Time { return now }, Budget: budget}, tuning.Default().LLM))(t)
	ask := func() error { _, err := p.Complete(t.Context(), Request{Prompt: "what holds?"}); return err }
	if err := ask(); err == nil || !strings.Contains(err.Error(), "usage limit reached") {
		t.Errorf("first: %v", err)
	}
	for range 2 {
		if err := ask(); !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "from 12 Mar 18:00 on") {
			t.Errorf("while it rests: %v", err)
		}
	}
	if now = now.Add(agentRests); errors.Is(ask(), memory.ErrRefused) {
		t.Error("it rests for ever")
	}
}

func TestTheTokensOfADayAreBounded(t *testing.T) {
	program(t, "claude", `cat`)
	numbers := tuning.Default().LLM
	numbers.DayTokens = 2*agentsOwn + 3000
	now := noon()
	p := must.Get(OpenAgent("", "", Env{Now: func() time.Time { return now }, Budget: &countedBudget{}}, numbers))(t)
	for i, want := range []bool{true, true, false, false} {
		if _, err := p.Complete(t.Context(), Request{Prompt: strings.Repeat("word", 1000)}); errors.Is(err, memory.ErrRefused) == want {
			t.Errorf("question %d: %v", i, err)
		}
	}
	now = now.Add(12 * time.Hour)
	if _, err := p.Complete(t.Context(), Request{Prompt: "tomorrow"}); err != nil {
		t.Errorf("on the next day: %v", err)
	}
}
