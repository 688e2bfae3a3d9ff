//go:build unix

package steward_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
)

var updateTrial = flag.Bool("update", false, "write the starts anew")

// trialSession is what a reader answered as scribe of one session of a person, with the words of the session that the answers quote. The second
// answer came after the faults of the first.
type trialSession struct {
	Number  int               `json:"n"`
	Typed   []string          `json:"typed"`
	Agent   []string          `json:"agent"`
	Ran     [][]any           `json:"ran"` // a command, whether it worked, the end of what it printed
	Edited  []string          `json:"edited"`
	Answers []json.RawMessage `json:"answers"`
}

// Readers answered the question of this product session by session, without hindsight (docs/benchmarks.md). Their answers come again from a stand-in
// for the agent's command line, and the last start is the one that testdata shows.
func TestTheTrialOfTheScribe(t *testing.T) {
	files := must.Get(filepath.Glob(filepath.Join("testdata", "scribe", "*.jsonl")))(t)
	if len(files) == 0 {
		t.Fatal("no trial")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			l := braintest.NewLab(t)
			l.Config.LLM.Scribe = config.ScribeAgent
			for _, s := range readTrial(t, file) {
				l.Later(24 * time.Hour)
				stands(t, s)
				l.See(l.Clock.Sub(braintest.Start).Minutes(), held(l, s)...)
				out := must.Get(steward.Run(t.Context(), l.Brain, steward.Drain, steward.DrainInput{Wait: true, Sleep: true}))(t)
				for _, failed := range out.Failed {
					t.Errorf("session %d: %s: %s", s.Number, failed.Job, failed.Reason)
				}
			}
			l.Later(24 * time.Hour)
			start := must.Get(steward.Run(t.Context(), l.Brain, answer.StartContext, answer.ContextInput{Scope: l.Scope(), Window: 200_000}))(t)
			if n := strings.Count(start.Text, "\n- "); n < 10 || start.Tokens > 2700 {
				t.Errorf("%d lines of %d in %d tokens", n, lines.Most, start.Tokens)
			}
			golden := strings.TrimSuffix(file, ".jsonl") + ".start.txt"
			if *updateTrial {
				must.Do(t, os.WriteFile(golden, []byte(start.Text), 0o600))
			}
			if want := string(must.Get(os.ReadFile(golden))(t)); start.Text != want {
				t.Errorf("the start is\n%s\nwant (go test ./internal/steward -run Trial -update)\n%s", start.Text, want)
			}
		})
	}
}

func readTrial(t *testing.T, file string) (sessions []trialSession) {
	t.Helper()
	f := must.Get(os.Open(file))(t)
	defer func() { must.Do(t, f.Close()) }()
	in := bufio.NewScanner(f)
	for in.Buffer(nil, 1<<20); in.Scan(); {
		var s trialSession
		must.Do(t, json.Unmarshal(in.Bytes(), &s))
		sessions = append(sessions, s)
	}
	must.Do(t, in.Err())
	return sessions
}

// stands puts a program on PATH that answers as the reader did.
func stands(t *testing.T, s trialSession) {
	t.Helper()
	dir := t.TempDir()
	for i, a := range s.Answers {
		printed := must.Get(json.Marshal(map[string]any{
			"type": "result", "subtype": "success", "is_error": false, "result": string(a), "usage": map[string]int{"input_tokens": 1000, "output_tokens": 300},
		}))(t)
		must.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), printed, 0o600))
	}
	script := fmt.Sprintf("#!/bin/sh\ncd '%s'\nif grep -q '^Your answer was:' && [ -e 1 ]; then cat 1; else cat 0; fi\n", dir)
	must.Do(t, os.WriteFile(filepath.Join(dir, "claude"), []byte(script), 0o700))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// held are the events of a session.
func held(l *braintest.Lab, s trialSession) (events []memory.Event) {
	run := fmt.Sprintf("trial %d", s.Number)
	event := func(kind memory.EventKind, text string) memory.Event {
		e := l.Say(run, 0, kind, text)
		e.At, e.Origin = l.Clock.Add(time.Duration(len(events))*time.Second), memory.OriginAgent
		if kind == memory.Prompted {
			e.Origin = memory.OriginUser
		}
		events = append(events, e)
		return e
	}
	event(memory.Prompted, fmt.Sprintf("Let us begin number %d.", s.Number))
	for _, text := range s.Typed {
		event(memory.Prompted, text)
	}
	tool := func(worked bool, name, input, text string) *memory.Event {
		kind := memory.ToolUsed
		if !worked {
			kind = memory.ToolFailed
		}
		event(kind, text)
		e := &events[len(events)-1]
		e.Origin, e.Tool, e.Input = memory.OriginTool, name, input
		return e
	}
	for _, r := range s.Ran {
		printed := ""
		if len(r) > 2 {
			printed = r[2].(string)
		}
		tool(r[1].(bool), "Bash", r[0].(string), printed)
	}
	for _, name := range s.Edited {
		tool(true, "Edit", "", "").Touches = []memory.Touch{{Kind: memory.Edit, Path: name}}
	}
	for _, text := range s.Agent {
		event(memory.TurnEnded, text)
	}
	event(memory.SessionEnded, "")
	return events
}
