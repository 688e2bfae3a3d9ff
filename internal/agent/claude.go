package agent

import (
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/typed"
)

// claudeCommon are the common fields of Claude Code, and of those who copied its form.
var claudeCommon = common{
	event: "/hook_event_name", session: "/session_id", subagent: "/agent_id", workdir: "/cwd",
	tool: "/tool_name",
}

// claude is Claude Code, as recorded from 2.0.76 and 2.1.325 (testdata). Of a tool's output only
// the size is taken, unless a command ended well and only its output can say whether it failed (go
// test | tail).
var claude = adapter{
	name:       ClaudeCode,
	aliases:    []string{"claude"},
	common:     claudeCommon,
	projectEnv: "CLAUDE_PROJECT_DIR",
	sessionEnv: "CLAUDE_CODE_SESSION_ID",
	recognises: recogniseClaude,
	refine:     refineClaude,
	source:     sourceOfClaude,
	ask:        decision{"permissionDecision", "permissionDecisionReason"},

	fields: []field{
		{"/transcript_path", asFile}, {"/conversation_id", asName}, {"/tool_response/persistedOutputPath", asSize}, {"/tool_response/type", asName},
	},
	results: []string{"/tool_response", "/tool_response/~/text"}, // of MCP servers

	events: []eventRule{
		{name: "SessionStart", kind: memory.SessionStarted, input: "/source", answered: true},
		{name: "UserPromptSubmit", kind: memory.Prompted, text: "/prompt", call: "/prompt_id", answered: true},
		{name: "PreToolUse", kind: memory.ToolPlanned, call: "/tool_use_id", answered: true},
		{name: "PostToolUse", kind: memory.ToolUsed, call: "/tool_use_id"},
		{name: "PostToolUseFailure", kind: memory.ToolFailed, text: "/error", call: "/tool_use_id", answered: true},
		{name: "SubagentStart", kind: memory.SubagentBegan, input: "/agent_type", answered: true},
		{name: "SubagentStop", kind: memory.SubagentEnded, input: "/agent_type", text: "/last_assistant_message"},
		{name: "PreCompact", kind: memory.Compacting, input: "/trigger"},
		{name: "PostCompact", kind: memory.Compacted, input: "/trigger", text: "/compact_summary"},
		{name: "Stop", kind: memory.TurnEnded, text: "/last_assistant_message"},
		{name: "SessionEnd", kind: memory.SessionEnded, input: "/reason"},

		// Not read. Another event says it: PostToolBatch, UserPromptExpansion, TaskCreated,
		// TaskCompleted, MessageDisplay (streams every line), CwdChanged, Setup. Not done or not by the
		// agent: PermissionRequest, PermissionDenied, InstructionsLoaded, FileChanged, DirectoryAdded,
		// WorktreeCreate and WorktreeRemove (git knows them), TeammateIdle. Not about the work:
		// ConfigChange, PreModelSwitch, PostModelSwitch, Notification, StopFailure (an error of the
		// service). May hold secrets: Elicitation, ElicitationResult.
	},

	// Grep and Glob are gone from the default tools of 2.1.325 and MultiEdit for good; older versions
	// have them. The arguments of MCP tools are not known and stay out.
	tools: []toolRule{
		{name: "Read", reads: []string{"/tool_input/file_path"}, results: []string{
			"/tool_response/file/content", "/tool_response/file/cells/~/source",
		}},
		{name: "Edit|Write|MultiEdit", edits: []string{"/tool_input/file_path"}},
		{name: "NotebookEdit", edits: []string{"/tool_input/notebook_path"}},
		{name: "Bash", command: "/tool_input/command",
			edits: []string{
				"/tool_response/bashEditDiff/changedFiles/~", "/tool_response/bashEditDiff/files/~/filePath",
			},
			results: []string{"/tool_response/stdout", "/tool_response/stderr"}},
		{name: "Glob", input: "/tool_input/pattern", mentions: []string{"/tool_response/filenames/~"},
			results: []string{"/tool_response/filenames/~"}},
		{name: "Grep", input: "/tool_input/pattern", printed: "/tool_response/content",
			mentions: []string{"/tool_response/filenames/~", "/tool_input/path"},
			results:  []string{"/tool_response/filenames/~", "/tool_response/content"}},
		// Task is Agent's name in 2.0.
		{name: "Agent|Task", input: "/tool_input/description", results: []string{"/tool_response/content/~/text"}},
		{name: "TaskCreate", input: "/tool_input/subject", plan: planRule{number: "/tool_response/task/id", text: "/tool_input/subject"}},
		{name: "TaskUpdate", plan: planRule{number: "/tool_input/taskId", text: "/tool_input/subject", state: "/tool_input/status"}},
		{name: "TodoWrite", plan: planRule{text: "/tool_input/todos/~/content", state: "/tool_input/todos/~/status"}}, // TaskCreate's forerunner
		{name: "WebFetch", input: "/tool_input/url"},
		{name: "WebSearch", input: "/tool_input/query"},
	},
}

// recogniseClaude goes by the transcript, …/projects/<folder>/<session>.jsonl: Codex, Gemini and
// Copilot keep theirs elsewhere. Variables prove nothing: an agent started from Claude's shell
// inherits CLAUDECODE.
func recogniseClaude(p payload) bool {
	transcript := p.get("/transcript_path")
	return pathPart(transcript, 3) == "projects" && strings.HasSuffix(transcript, ".jsonl") &&
		pathPart(transcript, 2) != "chats" && // Gemini's, of a project of that name
		p.has("/session_id") && p.has("/hook_event_name") && !p.has("/conversation_id")
}

// sourceOfClaude says where a prompt comes from: a wake-up timer and a script speak through the
// same event as the person does.
func sourceOfClaude(p payload, getenv func(string) string) string {
	return typed.SourceOf(p.get("/source"), getenv("CLAUDE_CODE_ENTRYPOINT"))
}

func refineClaude(p payload, e *memory.Event) bool {
	switch e.Kind {
	case memory.SubagentBegan, memory.SubagentEnded:
		// Helpers of the agent itself (compaction has two) have an empty type; what they say is not work.
		// Versions that send no type at all are not distinguished.
		return !p.has("/agent_type") || p.get("/agent_type") != ""
	case memory.ToolUsed:
		switch {
		case p.has("/tool_response/persistedOutputPath"):
			e.ResultBytes = nil // too much: the agent was shown its beginning, and where the rest is
		case e.Tool == "Read" && p.get("/tool_response/type") == "file_unchanged":
			e.ResultBytes = new(int64) // the answer was that the agent has the file already
		}
	}
	return true
}
