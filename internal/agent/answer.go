package agent

import (
	"encoding/json"
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
)

// answerLimit is how many bytes of text an agent takes from a hook whole. Claude Code moves what is beyond 10,000 UTF-16
// units into a file, Codex what is beyond 2,500 tokens of four bytes, Cursor drops it; the margin is for what they add.
const answerLimit = 9500

// Answer writes a text the way the agent reads it from the hook of an event. It refuses where the agent would not show
// it to its model, and a text so long that only a part would be shown.
func Answer(name memory.Agent, kind memory.EventKind, text string) ([]byte, error) {
	a := find(string(name))
	if a == nil {
		return nil, unknown(string(name))
	}
	if len(text) > answerLimit {
		return nil, fmt.Errorf("answer of %d bytes to %s: %d at most: %w", len(text), name, answerLimit, memory.ErrInvalid)
	}
	for _, rule := range a.events {
		if rule.kind == kind && rule.answered {
			line, err := json.Marshal(a.answer(rule.name, text))
			return append(line, '\n'), err
		}
	}
	return nil, fmt.Errorf("%s takes no answer to %s: %w", name, kind, memory.ErrInvalid)
}
