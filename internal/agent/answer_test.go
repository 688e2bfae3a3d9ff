package agent

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestClaudeIsAnsweredInItsDocumentedForm(t *testing.T) {
	const text = "hebb recalls:\n- a\"b.go (82 %→76 %)\n"
	line, err := Answer(ClaudeCode, memory.Prompted, text)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":` +
		`"hebb recalls:\n- a\"b.go (82 %→76 %)\n"}}` + "\n"
	if string(line) != want {
		t.Errorf("answer %s\nwant %s", line, want)
	}
	// Codex drops the whole answer for one key it does not know, Claude for an event that is not this one.
	var keys map[string]map[string]string
	if err := json.Unmarshal(line, &keys); err != nil || len(keys) != 1 || len(keys["hookSpecificOutput"]) != 2 {
		t.Errorf("answer %s, %v", line, err)
	}
}

func TestNoAnswerIsBetterThanAPartOfOne(t *testing.T) {
	if _, err := Answer(ClaudeCode, memory.Prompted, strings.Repeat("x", answerLimit)); err != nil {
		t.Error(err)
	}
	for name, give := range map[string]func() ([]byte, error){
		"too long":            func() ([]byte, error) { return Answer(ClaudeCode, memory.Prompted, strings.Repeat("x", answerLimit+1)) },
		"the turn would loop": func() ([]byte, error) { return Answer(ClaudeCode, memory.TurnEnded, "x") },
		"nobody reads it":     func() ([]byte, error) { return Answer(ClaudeCode, memory.ToolUsed, "x") },
		"an agent not known":  func() ([]byte, error) { return Answer("emacs", memory.Prompted, "x") },
	} {
		if line, err := give(); !errors.Is(err, memory.ErrInvalid) || line != nil {
			t.Errorf("%s: %s, %v", name, line, err)
		}
	}
}
