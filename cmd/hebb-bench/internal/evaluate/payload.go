package evaluate

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"
)

// HookCall is one call of a hook of Claude Code. Its payload still lacks the session and the
// folder.
type HookCall struct {
	At      time.Time
	Payload map[string]any
	Event   int // of the session that it reports; -1: none
}

// HookCalls are the calls of hooks with which Claude Code would have reported a session in a
// folder, in the order of time.
func HookCalls(s AgentSession, root string) []HookCall {
	calls := []HookCall{{s.Start, map[string]any{"hook_event_name": "SessionStart", "source": "startup"}, -1}}
	for _, p := range s.Prompts {
		calls = append(calls, HookCall{p.At, map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": p.Text}, -1})
	}
	for i, e := range s.Events {
		payload := map[string]any{"hook_event_name": "PostToolUse", "tool_use_id": fmt.Sprintf("%s-%d", s.ID, i), "tool_response": map[string]any{}}
		file := filepath.Join(root, filepath.FromSlash(e.Target))
		switch {
		case e.Changes():
			payload["tool_name"], payload["tool_input"] = "Edit", map[string]any{"file_path": file, "old_string": "a", "new_string": "b"}
		case e.Op == "read":
			payload["tool_name"], payload["tool_input"] = "Read", map[string]any{"file_path": file}
		case e.Op == "grep":
			payload["tool_name"], payload["tool_input"] = "Grep", map[string]any{"pattern": "x", "path": file}
		default:
			payload["tool_name"], payload["tool_input"] = "Bash", map[string]any{"command": e.Target}
		}
		calls = append(calls, HookCall{e.At, payload, i})
	}
	slices.SortStableFunc(calls, func(a, b HookCall) int { return a.At.Compare(b.At) })
	return append(calls, HookCall{s.End(), map[string]any{"hook_event_name": "SessionEnd", "reason": "other"}, -1})
}

// Busiest are the sessions of the person who has most of them, in the order of time. Of two with as
// many it is the one who came first.
func Busiest(sessions []AgentSession) []AgentSession {
	by := map[string][]AgentSession{}
	for _, s := range sessions {
		by[s.Actor] = append(by[s.Actor], s)
	}
	var most []AgentSession
	for _, s := range sessions {
		if mine := by[s.Actor]; len(mine) > len(most) {
			most = mine
		}
	}
	slices.SortStableFunc(most, func(a, b AgentSession) int { return a.Start.Compare(b.Start) })
	return most
}
