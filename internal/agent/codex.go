package agent

import (
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// codex is Codex CLI, as recorded from 0.166.0 (testdata). It reads files through the shell and changes them by patches.
// The payload of a command has no exit code; for a patch that fails there is no payload.
var codex = adapter{
	name:    Codex,
	aliases: []string{"codex-cli"},
	common: common{
		event: "/hook_event_name", session: "/session_id", subagent: "/agent_id", workdir: "/cwd", tool: "/tool_name",
	},
	recognises: recogniseCodex,
	refine:     refineCodex,

	fields: []field{
		{"/transcript_path", asFile}, {"/model", asName}, {"/permission_mode", asName}, {"/timestamp", asScalar}, {"/conversation_id", asName},
		{"/tool_response", asText},
	},
	results: []string{"/tool_response", "/tool_response/content/~/text"},

	events: []eventRule{
		{name: "SessionStart", kind: memory.SessionStarted, origin: memory.OriginTool, input: "/source", answered: true},
		{name: "UserPromptSubmit", kind: memory.Prompted, origin: memory.OriginUser, text: "/prompt", call: "/turn_id", whole: true, answered: true},
		{name: "PostToolUse", kind: memory.ToolUsed, origin: memory.OriginTool, call: "/tool_use_id"},
		{name: "SubagentStart", kind: memory.SubagentBegan, origin: memory.OriginTool, input: "/agent_type"},
		{name: "SubagentStop", kind: memory.SubagentEnded, origin: memory.OriginAgent, input: "/agent_type", text: "/last_assistant_message"},
		{name: "PreCompact", kind: memory.Compacting, origin: memory.OriginTool, input: "/trigger"},
		{name: "PostCompact", kind: memory.Compacted, origin: memory.OriginAgent, input: "/trigger"},
		{name: "Stop", kind: memory.TurnEnded, origin: memory.OriginAgent, text: "/last_assistant_message"},
		{name: "SessionEnd", kind: memory.SessionEnded, origin: memory.OriginTool, input: "/reason"},

		// Not recorded: PreToolUse, because PostToolUse follows unless the call failed; PermissionRequest.
	},

	tools: []toolRule{
		{name: "Bash", input: "/tool_input/command", command: "/tool_input/command", results: []string{"/tool_response"}},
		{name: "apply_patch", patch: "/tool_input/command"},
		{name: "spawn_agent", input: "/tool_input/message"},
	},
}

// recogniseCodex goes by the transcript, …/rollout-<time>-<session>.jsonl. There may be none; then by the model, which
// Claude names only beside a transcript of its own.
func recogniseCodex(p payload) bool {
	transcript := p.get("/transcript_path")
	if transcript != "" {
		return strings.HasPrefix(pathPart(transcript, 1), "rollout-") && p.has("/session_id") && p.has("/hook_event_name")
	}
	return p.has("/session_id") && p.has("/hook_event_name") && p.has("/model") && (p.has("/turn_id") || p.has("/permission_mode")) &&
		!p.has("/timestamp") && !p.has("/conversation_id")
}

func refineCodex(p payload, e *memory.Event) bool {
	asHelper(e)
	if e.Kind == memory.ToolUsed && e.Tool == "apply_patch" && exitCode(p.get("/tool_response"), "Exit code: ") > 0 {
		fail(e, p.get("/tool_response"), p.sizes([]string{"/tool_response"}))
	}
	return true
}
