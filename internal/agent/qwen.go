package agent

import (
	"cmp"

	"github.com/hebb-memory/hebb/internal/memory"
)

// qwen is Qwen Code, as recorded from 0.24.4 (testdata): Claude's hooks around Gemini's tools. What
// hooks say before a call and to a subagent is not shown to the model.
var qwen = adapter{
	name:       Qwen,
	aliases:    []string{"qwen-code"},
	common:     claudeCommon,
	projectEnv: "QWEN_PROJECT_DIR",
	sessionEnv: "QWEN_CODE_SESSION_ID",
	recognises: recogniseQwen,
	refine:     refineQwen,

	fields:  []field{{"/transcript_path", asFile}, {"/timestamp", asScalar}, {"/submitted_prompt", asText}},
	results: geminiResults,

	events: []eventRule{
		{name: "SessionStart", kind: memory.SessionStarted, input: "/source", answered: true},
		{name: "UserPromptSubmit", kind: memory.Prompted, text: "/prompt", call: "/prompt_id", answered: true},
		{name: "PostToolUse", kind: memory.ToolUsed, call: "/tool_use_id"},
		{name: "PostToolUseFailure", kind: memory.ToolFailed, text: "/error", call: "/tool_use_id", answered: true},
		{name: "SubagentStart", kind: memory.SubagentBegan, input: "/agent_type"},
		{name: "SubagentStop", kind: memory.SubagentEnded, input: "/agent_type", text: "/last_assistant_message"},
		{name: "PreCompact", kind: memory.Compacting, input: "/trigger"},
		{name: "PostCompact", kind: memory.Compacted, input: "/trigger", text: "/compact_summary"},
		{name: "Stop", kind: memory.TurnEnded, text: "/last_assistant_message"},
		{name: "SessionEnd", kind: memory.SessionEnded, input: "/reason"},

		// Not read: PreToolUse, PostToolBatch, and what Claude Code's events of the same names are not read
		// for.
	},
	tools: geminiTools,
}

// recogniseQwen goes by the transcript, …/projects/<folder>/chats/<session>.jsonl.
func recogniseQwen(p payload) bool {
	return isQwens(p.get("/transcript_path")) && p.has("/session_id") && p.has("/hook_event_name") && p.has("/timestamp")
}

func isQwens(transcript string) bool {
	return pathPart(transcript, 2) == "chats" && pathPart(transcript, 4) == "projects"
}

// refineQwen drops the prompts that nobody submitted: the event comes again, without a text, after
// each tool. What was submitted is the text without what Qwen Code adds; some of its ways in leave
// it out.
func refineQwen(p payload, e *memory.Event) bool {
	asHelper(e)
	if e.Kind != memory.Prompted {
		return true
	}
	e.Text = cmp.Or(p.get("/submitted_prompt"), e.Text)
	return e.Text != ""
}
