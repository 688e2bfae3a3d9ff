package agent

import (
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// kimi is Kimi Code, as recorded from 2.1.0 (testdata). Only what hooks say to a prompt is shown to
// the model; any output but {"message": …} would be shown as it is. What a subagent does is reported
// like what the agent does, and so is the end of its turn. The IDs of calls are the model's, which may
// count from the beginning again.
var kimi = adapter{
	name:       Kimi,
	aliases:    []string{"kimi-code", "kimi-cli"},
	common:     claudeCommon,
	recognises: recogniseKimi,
	answerKey:  "message",
	room:       2 * answerLimit, // of one prompt and the start of its session; 30,000 were tried

	fields:  []field{{"/client_type", asName}},
	results: []string{"/tool_output"},

	events: []eventRule{
		{name: "SessionStart", kind: memory.SessionStarted, input: "/source"},
		{name: "UserPromptSubmit", kind: memory.Prompted, text: "/prompt/~/text", answered: true},
		{name: "PostToolUse", kind: memory.ToolUsed, call: "/tool_call_id", whole: true},
		{name: "PostToolUseFailure", kind: memory.ToolFailed, text: "/error/message", call: "/tool_call_id", whole: true},
		{name: "SubagentStart", kind: memory.SubagentBegan, input: "/agent_name"},
		{name: "SubagentStop", kind: memory.SubagentEnded, input: "/agent_name", text: "/response"},
		{name: "PreCompact", kind: memory.Compacting, input: "/trigger"},
		{name: "PostCompact", kind: memory.Compacted, input: "/trigger"},
		{name: "Stop", kind: memory.TurnEnded},
		{name: "SessionEnd", kind: memory.SessionEnded, input: "/reason"},

		// Not read: PreToolUse, which takes no text; TurnStarted, UserPromptQueued and TaskStarted, which
		// other events repeat; PermissionRequest, PermissionResult, StopFailure, Interrupt, Notification,
		// SessionHeartbeat.
	},

	tools: []toolRule{
		{name: "Read", reads: []string{"/tool_input/path"}},
		{name: "Edit|Write", edits: []string{"/tool_input/path"}},
		{name: "Bash", command: "/tool_input/command"},
		{name: "Glob|Grep", input: "/tool_input/pattern", listed: true},
		{name: "Agent", input: "/tool_input/description"},
	},
}

func recogniseKimi(p payload) bool {
	return strings.HasPrefix(p.get("/client_type"), "kimi") && p.has("/session_id") && p.has("/hook_event_name")
}
