package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
)

// answerLimit is how much an agent takes from a hook whole, in UTF-16 units as JavaScript counts.
// Claude Code moves what is beyond 10,000 into a file, Cursor drops it; the margin is for what they
// add.
const answerLimit = 9500

// codexLimit is the same for Codex, which moves what is beyond 2,500 tokens into a file and counts
// four bytes as a token.
const codexLimit = 9600

// Answer writes a text the way the agent reads it from the hook of an event. Of a text that is too
// long for the agent the lines that fit are left, from its beginning. It refuses where the agent
// would not show it to its model, and a text of which no whole line fits. Without a text it gives
// what the agent wants to read where there is nothing to say, for any event: nothing, with most.
//
// With a reason why, the agent asks the person before it makes the call; one that cannot ask is given
// the answer alone.
func Answer(name memory.Agent, kind memory.EventKind, text, why string) ([]byte, error) {
	a := find(string(name))
	if a == nil {
		return nil, unknown(string(name))
	}
	if text == "" && (why == "" || a.ask.verdict == "") {
		return []byte(a.silence), nil
	}
	fitting := a.fitting(text)
	if fitting == "" && text != "" {
		return nil, fmt.Errorf("answer of %d bytes to %s: %d at most, in whole lines: %w", len(text), name, cmp.Or(a.room, answerLimit), memory.ErrInvalid)
	}
	if rule := a.answers(kind); rule != nil {
		line, err := json.Marshal(a.form(rule.name, fitting, why))
		return append(line, '\n'), err
	}
	return nil, fmt.Errorf("%s takes no answer to %s: %w", name, kind, memory.ErrInvalid)
}

// Asks reports whether an agent can ask the person before it makes a call.
func Asks(name memory.Agent) bool {
	a := find(string(name))
	return a != nil && a.ask.verdict != ""
}

// StartsAtPrompt reports whether an agent shows its model nothing when a session begins, but answers to
// prompts: what belongs to the start is said with the first prompt then.
func StartsAtPrompt(name memory.Agent) bool {
	a := find(string(name))
	return a != nil && a.answers(memory.Prompted) != nil && a.answers(memory.SessionStarted) == nil
}

// answers returns the first event of a kind whose answer the agent shows its model, or nil.
func (a *adapter) answers(kind memory.EventKind) *eventRule {
	for i := range a.events {
		if a.events[i].answers(kind) {
			return &a.events[i]
		}
	}
	return nil
}

// form is an answer as one JSON value. Claude's form has no other key: with one, Codex drops the
// whole answer. Plain text would be shown to the person too, and other agents that run Claude's
// hooks read this form or none.
func (a *adapter) form(event, text, why string) any {
	verdict := ""
	if why != "" && a.ask.verdict != "" {
		verdict = "ask"
	}
	if a.answerKey == "" {
		answer := struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
			Verdict string `json:"permissionDecision,omitempty"`
			Why     string `json:"permissionDecisionReason,omitempty"`
		}{Event: event, Context: text}
		if verdict != "" {
			answer.Verdict, answer.Why = verdict, why
		}
		return map[string]any{"hookSpecificOutput": answer}
	}
	answer := map[string]any{a.answerKey: text}
	if a.name == Cline {
		answer["cancel"] = false
	}
	if verdict != "" {
		answer[a.ask.verdict], answer[a.ask.reason] = verdict, why
	}
	return answer
}

// fitting returns the lines at the beginning of a text that the agent takes whole.
func (a *adapter) fitting(text string) string {
	room, size := cmp.Or(a.room, answerLimit), units
	if a.name == Codex {
		size = func(s string) int { return len(s) }
	}
	if size(text) <= room {
		return text
	}
	end := 0
	for line := range strings.Lines(text) {
		if room -= size(line); room < 0 {
			break
		}
		end += len(line)
	}
	return text[:end]
}

// units counts the UTF-16 units of a text.
func units(text string) int {
	n := utf8.RuneCountInString(text)
	for _, r := range text {
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
