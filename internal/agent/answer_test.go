package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestClaudeIsAnsweredInItsDocumentedForm(t *testing.T) {
	const text = "hebb recalls:\n- a\"b.go (82 %→76 %)\n"
	line := must.Get(Answer(ClaudeCode, memory.Prompted, text, ""))(t)
	const want = `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":` +
		`"hebb recalls:\n- a\"b.go (82 %→76 %)\n"}}` + "\n"
	if string(line) != want {
		t.Errorf("answer %s\nwant %s", line, want)
	}
	// Codex drops the whole answer for one key it does not know, Claude for an event that is not this
	// one.
	var keys map[string]map[string]string
	if err := json.Unmarshal(line, &keys); err != nil || len(keys) != 1 || len(keys["hookSpecificOutput"]) != 2 {
		t.Errorf("answer %s, %v", line, err)
	}
}

// One line for each agent and event: what it reads from its hook, or why it reads nothing.
func TestEachAgentIsAnsweredInItsOwnForm(t *testing.T) {
	const text = "hebb recalls:\n- a\"b.go <82 %→76 %>\n"
	var b strings.Builder
	for _, name := range Known() {
		moments := []memory.EventKind{memory.SessionStarted, memory.Prompted, memory.ToolPlanned, memory.ToolFailed, memory.SubagentBegan}
		for _, kind := range append(slices.Clone(memory.EventKinds), memory.ToolPlanned) {
			line, err := Answer(name, kind, text, "")
			switch {
			case err == nil:
				fmt.Fprintf(&b, "%s %s: %s", name, kind, line)
				var value map[string]any
				if json.Unmarshal(line, &value) != nil || bytes.Count(line, []byte("\n")) != 1 {
					t.Errorf("%s %s: %s", name, kind, line)
				}
			case !errors.Is(err, memory.ErrInvalid) || line != nil:
				t.Errorf("%s %s: %s, %v", name, kind, line, err)
			case slices.Contains(moments, kind):
				fmt.Fprintf(&b, "%s %s: %v\n", name, kind, err)
			}
		}
		silence, err := Answer(name, memory.TurnEnded, "", "")
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(&b, "%s, nothing to say: %q\n", name, silence)
	}
	const golden = "testdata/answers.golden"
	if *update {
		must.Do(t, os.WriteFile(golden, []byte(b.String()), 0o644))
	}
	if want := strings.ReplaceAll(readFile(t, golden), "\r\n", "\n"); b.String() != want {
		t.Errorf("run with -update and look at the difference:\n%s", diff.Diff(golden, []byte(want), golden, []byte(b.String())))
	}
}

// What Decode calls answered is what Answer answers.
func TestWhatIsAnsweredIsSaidTwiceTheSame(t *testing.T) {
	for _, r := range recordings {
		for _, file := range payloadsOf(t, r.agent) {
			seen, ok, _ := Decode(r.agent, strings.NewReader(readFile(t, file)), nothing, tuning.Default().Capture, megabyte)
			if _, err := Answer(r.agent, seen.Event.Kind, "x", ""); ok && seen.Event.Subagent == "" && seen.Answered != (err == nil) {
				t.Errorf("%s: answered %v, %v", file, seen.Answered, err)
			}
		}
	}
}

func TestLongAnswersLoseWholeLinesAtTheirEnd(t *testing.T) {
	for _, c := range []struct {
		name  string
		agent memory.Agent
		line  string
		want  int // lines
	}{
		{"nine thousand five hundred characters", ClaudeCode, strings.Repeat("x", 99) + "\n", 95},
		{"characters of three bytes count once", Cursor, strings.Repeat("世", 99) + "\n", 95},
		{"characters beyond the first plane count twice", Gemini, strings.Repeat("🧠", 99) + "\n", 47},
		{"the start of a session and a prompt", Kimi, strings.Repeat("x", 99) + "\n", 190},
		{"Codex counts bytes", Codex, strings.Repeat("x", 99) + "\n", 96},
		{"Codex counts three bytes as three", Codex, strings.Repeat("世", 33) + "\n", 96},
	} {
		text := strings.Repeat(c.line, 200)
		got := find(string(c.agent)).fitting(text)
		if want := strings.Repeat(c.line, c.want); got != want {
			t.Errorf("%s: %d lines, want %d", c.name, strings.Count(got, "\n"), c.want)
		}
		line, err := Answer(c.agent, memory.Prompted, text, "")
		if err != nil || len(line) < len(got) {
			t.Errorf("%s: %d bytes, %v", c.name, len(line), err)
		}
		if fits := strings.Repeat(c.line, c.want); find(string(c.agent)).fitting(fits) != fits {
			t.Errorf("%s: a text that fits was cut", c.name)
		}
	}
}

func TestNoAnswerIsBetterThanAPartOfOne(t *testing.T) {
	if _, err := Answer(ClaudeCode, memory.Prompted, strings.Repeat("x", answerLimit), ""); err != nil {
		t.Error(err)
	}
	for name, give := range map[string]func() ([]byte, error){
		"too long": func() ([]byte, error) {
			return Answer(ClaudeCode, memory.Prompted, strings.Repeat("x", answerLimit+1), "")
		},
		"the turn would loop": func() ([]byte, error) { return Answer(ClaudeCode, memory.TurnEnded, "x", "") },
		"nobody reads it":     func() ([]byte, error) { return Answer(ClaudeCode, memory.ToolUsed, "x", "") },
		"an agent not known":  func() ([]byte, error) { return Answer("emacs", memory.Prompted, "x", "") },
	} {
		if line, err := give(); !errors.Is(err, memory.ErrInvalid) || line != nil {
			t.Errorf("%s: %s, %v", name, line, err)
		}
	}
}

func TestAnAgentThatCanIsToldToAsk(t *testing.T) {
	const why = "you said: never push"
	for name, want := range map[memory.Agent]string{
		ClaudeCode: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"x","permissionDecision":"ask",` +
			`"permissionDecisionReason":"you said: never push"}}`,
		Copilot: `{"additionalContext":"x","permissionDecision":"ask","permissionDecisionReason":"you said: never push"}`,
		Cursor:  `{"additional_context":"x","permission":"ask","user_message":"you said: never push"}`,
		Codex:   `{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"x"}}`, // it would drop the answer and make the call
	} {
		line, err := Answer(name, memory.ToolPlanned, "x", why)
		if err != nil || string(line) != want+"\n" || Asks(name) != (name != Codex) {
			t.Errorf("%s: %s, %v, want %s", name, line, err, want)
		}
	}
}
