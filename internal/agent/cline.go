package agent

import (
	"cmp"

	"github.com/hebb-memory/hebb/internal/memory"
)

// cline is Cline, as recorded from its command line 3.0.65 (testdata); in VS Code the events are
// called after the hook files and the tools have other names, after its documentation. A failed
// call has an error in the answer. Prompts, and calls of tools before they run and after they
// failed, are answered; what belongs to the start of a task comes with its first prompt. The command
// line sends no prompts and does not wait at the start of a task.
var cline = adapter{
	name: Cline,
	common: common{
		event: "/hookName", session: "/taskId", subagent: "/agent_id", tool: "/tool_result/name", root: "/workspaceRoots/~",
	},
	recognises: recogniseCline,
	refine:     refineCline,
	answerKey:  "contextModification",

	fields: []field{
		{"/sessionContext/rootSessionId", asName}, {"/parent_agent_id", asName}, {"/postToolUse/success", asScalar}, {"/postToolUse/result", asText},
		{"/tool_result/output/result", asText}, {"/tool_result/output/error", asText}, {"/tool_result/output/~/error", asText},
		{"/tool_result/error", asText},
	},
	results: []string{"/tool_result/output/result", "/tool_result/output/~/result"},

	events: []eventRule{
		{name: "agent_start", also: "TaskStart", kind: memory.SessionStarted},
		{name: "agent_resume", also: "TaskResume", kind: memory.SessionStarted},
		{name: "prompt_submit", also: "UserPromptSubmit", kind: memory.Prompted,
			text: "/userPromptSubmit/prompt", call: "/timestamp", whole: true, answered: true},
		{name: "tool_call", kind: memory.ToolPlanned, tool: "/tool_call/name", call: "/tool_call/id", answered: true,
			moved: [2]string{"/tool_result", "/tool_call"}},
		{name: "PreToolUse", kind: memory.ToolPlanned, tool: "/preToolUse/toolName", call: "/timestamp", whole: true,
			answered: true, moved: [2]string{"/postToolUse", "/preToolUse"}},
		{name: "tool_result", kind: memory.ToolUsed, call: "/tool_result/id", answeredAs: memory.ToolFailed},
		{name: "PostToolUse", kind: memory.ToolUsed, tool: "/postToolUse/toolName", call: "/timestamp", whole: true,
			answeredAs: memory.ToolFailed},
		{name: "PreCompact", kind: memory.Compacting},
		{name: "agent_end", also: "TaskComplete", kind: memory.TurnEnded, input: "/turn/status", text: "/turn/outputText"},
		{name: "agent_abort", also: "TaskCancel", kind: memory.TurnEnded},
		{name: "session_shutdown", also: "SessionShutdown", kind: memory.SessionEnded},

		// Not read: agent_error (TaskError) and Notification.
	},

	tools: []toolRule{
		{name: "read_files", reads: []string{"/tool_result/input/files/~/path", "/tool_result/input/path"}},
		{name: "editor", edits: []string{"/tool_result/input/path"}},
		{name: "apply_patch", patch: "/tool_result/input/input"},
		{name: "run_commands", command: "/tool_result/input/commands/~"},
		{name: "search_codebase", input: "/tool_result/input/queries/~", listed: true},
		// Those of VS Code.
		{name: "read_file", reads: []string{"/postToolUse/parameters/path"}, results: clineResult},
		{name: "write_to_file|replace_in_file", edits: []string{"/postToolUse/parameters/path"}},
		{name: "execute_command", command: "/postToolUse/parameters/command", results: clineResult},
		{name: "search_files", input: "/postToolUse/parameters/regex", results: clineResult},
	},
}

// clineResult is where the answer of a tool stands in VS Code; the command line repeats its own
// there.
var clineResult = []string{"/postToolUse/result"}

func recogniseCline(p payload) bool { return p.has("/taskId") && p.has("/hookName") }

func refineCline(p payload, e *memory.Event) bool {
	// A task and each of its helpers have a conversation of their own; the session is what they share.
	e.AgentSession = cmp.Or(p.get("/sessionContext/rootSessionId"), e.AgentSession)
	if p.get("/parent_agent_id") == "" {
		e.Subagent = ""
	}
	if name := p.get("/hookName"); name == "agent_resume" || name == "TaskResume" {
		e.Input = "resume"
	}
	if e.Kind == memory.ToolUsed {
		const said = "/tool_result/output/~/result"
		problem := cmp.Or(p.get("/tool_result/error"), p.get("/tool_result/output/error"), p.get("/tool_result/output/~/error"))
		switch {
		case problem != "": // what was said begins with the problem and has more of it
			fail(e, cmp.Or(p.get(said), problem), p.sizes([]string{said}))
		case p.get("/postToolUse/success") == "false":
			fail(e, p.get("/postToolUse/result"), p.sizes([]string{"/postToolUse/result"}))
		}
	}
	asHelper(e)
	return true
}
