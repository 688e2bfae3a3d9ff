//go:build unix

package steward_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
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

// stands puts a program on PATH, this one, that answers as the reader did.
func stands(t *testing.T, s trialSession) {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "answers"), must.Get(json.Marshal(s.Answers))(t), 0o600))
	script := fmt.Sprintf("#!/bin/sh\n%s='%s' exec '%s'\n", trialAnswers, dir, must.Get(os.Executable())(t))
	must.Do(t, os.WriteFile(filepath.Join(dir, "claude"), []byte(script), 0o700))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

const trialAnswers = "HEBB_TRIAL_ANSWERS"

func TestMain(m *testing.M) {
	if dir := os.Getenv(trialAnswers); dir != "" {
		if err := answerAgain(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// answerAgain is the agent's command line. A reader named lines by their texts, of which the question says the names.
func answerAgain(dir string) error {
	text, err1 := io.ReadAll(os.Stdin)
	kept, err2 := os.ReadFile(filepath.Join(dir, "answers"))
	question, session, _ := strings.Cut(string(text), "The session, one turn a line:\n")
	var asked struct {
		Standing []lines.Standing `json:"lines_that_stand"`
	}
	var answers []lines.Answer
	err3 := json.Unmarshal([]byte(question[max(0, strings.LastIndex(question, "\n{\"session_held_on\"")):]), &asked)
	if err := errors.Join(err1, err2, err3, json.Unmarshal(kept, &answers)); err != nil {
		return err
	}
	a := answers[0]
	if strings.Contains(session, "\nYour answer was:\n") {
		a = answers[len(answers)-1]
	}
	name := func(id *string) {
		if i := slices.IndexFunc(asked.Standing, func(l lines.Standing) bool { return l.Text == *id }); i >= 0 {
			*id = asked.Standing[i].ID
		}
	}
	for i := range a.Replace {
		name(&a.Replace[i].ID)
	}
	for i := range a.Retire {
		name(&a.Retire[i].ID)
	}
	for i := range a.Again {
		name(&a.Again[i])
	}
	result, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"type": "result", "subtype": "success", "is_error": false, "result": string(result), "usage": map[string]int{"input_tokens": 1000, "output_tokens": 300},
	})
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
	event(memory.Prompted, "Go on with it.") // one prompt alone is not read
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
