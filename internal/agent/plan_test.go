package agent

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestAPlanIsReadOffItsCalls(t *testing.T) {
	const claude = `{"hook_event_name":"PostToolUse","session_id":"s","tool_use_id":"c","tool_name":`
	long := strings.Repeat("x", tuning.Default().Capture.TextLimit)
	for name, c := range map[string]struct {
		agent         memory.Agent
		payload, want string
	}{
		"a task":          {ClaudeCode, claude + `"TaskCreate","tool_input":{"subject":"Write\nit"},"tool_response":{"task":{"id":"7"}}}`, "#7 : Write it"},
		"no number":       {ClaudeCode, claude + `"TaskCreate","tool_input":{"subject":"Write it"},"tool_response":"Task #7 created"}`, "# : Write it"},
		"another subject": {ClaudeCode, claude + `"TaskUpdate","tool_input":{"taskId":"7","subject":"Write all"}}`, "#7 : Write all"},
		"a list":          {ClaudeCode, claude + `"TodoWrite","tool_input":{"todos":[{"content":"a","status":"completed","activeForm":"A"},{"content":"b: c","status":"pending"}]}}`, "completed: a\npending: b: c"},
		"two lines":       {ClaudeCode, claude + `"TodoWrite","tool_input":{"todos":[{"content":"a\nb","status":"completed"},{"content":"c","status":"pending"}]}}`, ""},
		"too long":        {ClaudeCode, claude + `"TodoWrite","tool_input":{"todos":[{"content":"a","status":"completed"},{"content":"` + long + `","status":"pending"}]}}`, ""},
		"codex":           {Codex, claude + `"update_plan","tool_input":{"plan":[{"step":"a","status":"in_progress"}]}}`, "in_progress: a"},
		"gemini":          {Gemini, `{"hook_event_name":"AfterTool","session_id":"s","timestamp":"2026-11-15T00:00:00Z","tool_name":"write_todos","tool_input":{"todos":[{"description":"a","status":"blocked"}]}}`, "blocked: a"},
		"qwen":            {Qwen, claude + `"todo_write","tool_input":{"todos":[{"id":"1","content":"a","status":"pending"}]}}`, "pending: a"},
		"another tool":    {ClaudeCode, claude + `"Read","tool_input":{"file_path":"/a","subject":"x","todos":[{"content":"a","status":"pending"}]}}`, ""},
	} {
		seen, ok, err := Decode(c.agent, strings.NewReader(c.payload), nothing, tuning.Default().Capture, megabyte)
		if err != nil || !ok || seen.Event.Text != c.want || WritesPlan(seen.Event.Tool) != (name != "another tool") {
			t.Errorf("%s: %.60q, want %q (%v, %v)", name, seen.Event.Text, c.want, ok, err)
		}
	}
}
