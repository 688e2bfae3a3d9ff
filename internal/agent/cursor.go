package agent

import "github.com/hebb-memory/hebb/internal/memory"

// cursor is Cursor, after the hook executor in @cursor/sdk 1.0.18; it could not be run for a
// record, so the payloads in testdata are written after what that executor sends. It runs Claude's
// hooks beside its own, under either name of the event.
var cursor = adapter{
	name: Cursor,
	runs: []memory.Agent{ClaudeCode},
	common: common{
		event: "/hook_event_name", session: "/conversation_id", subagent: "/subagent_id", workdir: "/cwd", tool: "/tool_name",
		root: "/workspace_roots/~",
	},
	projectEnv: "CURSOR_PROJECT_DIR",
	recognises: recogniseCursor,
	refine:     refineCursor,
	answerKey:  "additional_context", // it reads Claude's form only where a person has switched that on
	ask:        decision{"permission", "user_message"},
	silence:    "{}\n", // an empty answer counts as a hook that failed

	fields:  []field{{"/cursor_version", asName}},
	results: []string{"/tool_output", "/output"},

	events: []eventRule{
		{name: "sessionStart", also: "SessionStart", kind: memory.SessionStarted, answered: true},
		{name: "beforeSubmitPrompt", also: "UserPromptSubmit", kind: memory.Prompted, text: "/prompt",
			call: "/generation_id", answered: true},
		{name: "preToolUse", also: "PreToolUse", kind: memory.ToolPlanned, call: "/tool_use_id", answered: true},
		{name: "postToolUse", also: "PostToolUse", kind: memory.ToolUsed, call: "/tool_use_id"},
		{name: "postToolUseFailure", also: "PostToolUseFailure", kind: memory.ToolFailed,
			text: "/error_message", call: "/tool_use_id", answered: true},
		{name: "subagentStart", also: "SubagentStart", kind: memory.SubagentBegan, input: "/subagent_type",
			text: "/task", answered: true},
		{name: "subagentStop", also: "SubagentStop", kind: memory.SubagentEnded, input: "/subagent_type",
			text: "/summary"},
		{name: "preCompact", also: "PreCompact", kind: memory.Compacting, input: "/trigger"},
		{name: "stop", also: "Stop", kind: memory.TurnEnded, input: "/status",
			call: "/generation_id"},
		{name: "sessionEnd", also: "SessionEnd", kind: memory.SessionEnded, input: "/reason"},

		// Versions before postToolUse have these instead; they are wired only there.
		{name: "afterFileEdit", kind: memory.ToolUsed, tool: "/hook_event_name"},
		{name: "afterShellExecution", kind: memory.ToolUsed, tool: "/hook_event_name"},

		// Not read. preToolUse and postToolUse say it: beforeShellExecution, beforeMCPExecution,
		// afterMCPExecution, beforeReadFile. Completion while a person types: beforeTabFileRead,
		// afterTabFileEdit. Others: afterAgentResponse (every piece), afterAgentThought, workspaceOpen.
	},

	tools: []toolRule{
		{name: "Read", reads: []string{"/tool_input/file_path"}},
		{name: "Write|Edit", edits: []string{"/tool_input/file_path"}},
		{name: "Delete", deletes: []string{"/tool_input/file_path"}},
		{name: "Shell", command: "/tool_input/command"},
		{name: "Grep", input: "/tool_input/pattern"},
		{name: "Fetch", input: "/tool_input/url"},
		{name: "afterFileEdit", edits: []string{"/file_path"}},
		{name: "afterShellExecution", command: "/command"},
	},
}

func recogniseCursor(p payload) bool {
	return p.has("/conversation_id") && p.has("/hook_event_name") && (p.has("/cursor_version") || p.has("/generation_id"))
}

// refineCursor names the tool of the events that stand for one.
func refineCursor(_ payload, e *memory.Event) bool {
	switch e.Tool {
	case "afterFileEdit":
		e.Tool = "Write"
	case "afterShellExecution":
		e.Tool = "Shell"
	}
	return true
}
