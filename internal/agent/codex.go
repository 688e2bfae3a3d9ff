package agent

import (
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/typed"
)

// codex is Codex CLI, as recorded from 0.166.0 (testdata). It reads files through the shell and
// changes them by patches. The payload of a command has no exit code, but the transcript has it
// before the hook is called. For a patch that fails there is no payload.
var codex = adapter{
	name:       Codex,
	aliases:    []string{"codex-cli"},
	common:     claudeCommon,
	recognises: recogniseCodex,
	refine:     refineCodex,
	source:     func(p payload, _ func(string) string) string { return begun(p.get("/source")) },
	logged:     "Bash",
	begins:     true,
	room:       codexLimit,

	fields: []field{
		{"/transcript_path", asFile}, {"/model", asName}, {"/permission_mode", asName}, {"/timestamp", asScalar}, {"/conversation_id", asName},
		{"/tool_response", asText},
	},
	results: []string{"/tool_response", "/tool_response/content/~/text"},

	events: []eventRule{
		{name: "SessionStart", kind: memory.SessionStarted, input: "/source", answered: true},
		{name: "UserPromptSubmit", kind: memory.Prompted, text: "/prompt", call: "/turn_id", whole: true, answered: true},
		{name: "PreToolUse", kind: memory.ToolPlanned, call: "/tool_use_id", answered: true},
		{name: "PostToolUse", kind: memory.ToolUsed, call: "/tool_use_id", answeredAs: memory.ToolFailed},
		{name: "SubagentStart", kind: memory.SubagentBegan, input: "/agent_type", answered: true},
		{name: "SubagentStop", kind: memory.SubagentEnded, input: "/agent_type", text: "/last_assistant_message"},
		{name: "PreCompact", kind: memory.Compacting, input: "/trigger"},
		{name: "PostCompact", kind: memory.Compacted, input: "/trigger"},
		{name: "Stop", kind: memory.TurnEnded, text: "/last_assistant_message"},
		{name: "SessionEnd", kind: memory.SessionEnded, input: "/reason"},

		// Not read: PermissionRequest.
	},

	tools: []toolRule{
		{name: "Bash", command: "/tool_input/command"},
		{name: "apply_patch", patch: "/tool_input/command"},
		{name: "update_plan", plan: planRule{text: "/tool_input/plan/~/step", state: "/tool_input/plan/~/status"}}, // in transcripts alone
		{name: "spawn_agent", input: "/tool_input/message", results: []string{}},                                   // its answer is an ID,
	},
}

// recogniseCodex goes by the transcript, …/rollout-<time>-<session>.jsonl. There may be none; then
// by the model, which Claude names only beside a transcript of its own.
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

// helperSource is the source of a session that Codex began for itself.
const helperSource = "subagent"

// begun is the source of a session that nobody began at a keyboard, "" for any other.
func begun(source string) string {
	if source == helperSource || typed.IsHeadless(source) {
		return source
	}
	return ""
}
