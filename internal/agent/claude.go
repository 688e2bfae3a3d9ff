package agent

import (
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// claude is Claude Code, as recorded from 2.0.76 and 2.1.325 (testdata). Of a tool's output only the size is taken: it
// is never kept.
var claude = adapter{
	name:    ClaudeCode,
	aliases: []string{"claude"},
	common: common{
		event: "/hook_event_name", session: "/session_id", subagent: "/agent_id", workdir: "/cwd", tool: "/tool_name",
	},
	projectEnv: "CLAUDE_PROJECT_DIR",
	sessionEnv: "CLAUDE_CODE_SESSION_ID",
	recognises: recogniseClaude,
	refine:     refineClaude,

	fields: []field{
		{"/hook_event_name", asName}, {"/session_id", asName}, {"/agent_id", asName}, {"/agent_type", asName},
		{"/prompt_id", asName}, {"/tool_use_id", asName}, {"/tool_name", asName},
		{"/source", asName}, {"/reason", asName}, {"/trigger", asName},
		{"/cwd", asFile}, {"/transcript_path", asFile},
		{"/prompt", asText}, {"/error", asText}, {"/last_assistant_message", asText}, {"/compact_summary", asText},
		{"/tool_input/command", asInput}, {"/tool_input/pattern", asInput}, {"/tool_input/description", asInput},
		{"/tool_input/url", asInput}, {"/tool_input/query", asInput}, {"/tool_input/subject", asInput},
		{"/tool_input/file_path", asFile}, {"/tool_input/notebook_path", asFile},
		{"/tool_response/filenames/~", asFile},
		{"/tool_response/bashEditDiff/changedFiles/~", asFile}, {"/tool_response/bashEditDiff/files/~/filePath", asFile},
		{"/tool_response/stdout", asSize}, {"/tool_response/stderr", asSize}, {"/tool_response/persistedOutputPath", asSize},
		{"/tool_response/file/content", asSize}, {"/tool_response/file/cells/~/source", asSize}, {"/tool_response/type", asName},
		{"/tool_response/content", asSize}, {"/tool_response/content/~/text", asSize},
		{"/tool_response", asSize}, {"/tool_response/~/text", asSize},

		// What Cursor and VS Code say in their own words when they run the hooks of Claude Code.
		{"/conversation_id", asName}, {"/generation_id", asName}, {"/cursor_version", asName}, {"/workspace_roots/~", asFile},
		{"/subagent_id", asName}, {"/subagent_type", asName}, {"/status", asName}, {"/error_message", asText}, {"/summary", asText},
		{"/tool_output", asSize}, {"/file_path", asFile}, {"/command", asInput}, {"/output", asSize},
		{"/hookEventName", asName}, {"/sessionId", asName}, {"/timestamp", asScalar}, {"/tool_input/input", asInput},
		{"/tool_input/filePath", asFile}, {"/tool_input/files/~", asFile}, {"/tool_input/replacements/~/filePath", asFile},
	},
	results: []string{"/tool_response", "/tool_response/~/text"}, // of MCP servers

	events: []eventRule{
		{name: "SessionStart", kind: memory.SessionStarted, origin: memory.OriginTool, input: "/source", answered: true},
		{name: "UserPromptSubmit", kind: memory.Prompted, origin: memory.OriginUser, text: "/prompt", call: "/prompt_id", answered: true},
		{name: "PostToolUse", kind: memory.ToolUsed, origin: memory.OriginTool, call: "/tool_use_id"},
		{name: "PostToolUseFailure", kind: memory.ToolFailed, origin: memory.OriginTool, text: "/error", call: "/tool_use_id"},
		{name: "SubagentStart", kind: memory.SubagentBegan, origin: memory.OriginTool, input: "/agent_type"},
		{name: "SubagentStop", kind: memory.SubagentEnded, origin: memory.OriginAgent, input: "/agent_type", text: "/last_assistant_message"},
		{name: "PreCompact", kind: memory.Compacting, origin: memory.OriginTool, input: "/trigger"},
		{name: "PostCompact", kind: memory.Compacted, origin: memory.OriginAgent, input: "/trigger", text: "/compact_summary"},
		{name: "Stop", kind: memory.TurnEnded, origin: memory.OriginAgent, text: "/last_assistant_message"},
		{name: "SessionEnd", kind: memory.SessionEnded, origin: memory.OriginTool, input: "/reason"},

		// Not recorded. Another event says it: PreToolUse, PostToolBatch, UserPromptExpansion, TaskCreated, TaskCompleted,
		// MessageDisplay (streams every line), CwdChanged, Setup. Not done or not by the agent: PermissionRequest, PermissionDenied,
		// InstructionsLoaded, FileChanged, DirectoryAdded, WorktreeCreate and WorktreeRemove (git knows them), TeammateIdle. Not about
		// the work: ConfigChange, PreModelSwitch, PostModelSwitch, Notification, StopFailure (an error of the service). May hold
		// secrets: Elicitation, ElicitationResult.
	},

	// Grep and Glob are gone from the default tools of 2.1.325 and MultiEdit for good; older versions have them. The
	// arguments of MCP tools are not known and stay out.
	tools: []toolRule{
		{name: "Read", files: []fileRule{{memory.Read, "/tool_input/file_path"}}, results: []string{
			"/tool_response/file/content", "/tool_response/file/cells/~/source",
		}},
		{name: "Edit|Write|MultiEdit", files: []fileRule{{memory.Edit, "/tool_input/file_path"}}},
		{name: "NotebookEdit", files: []fileRule{{memory.Edit, "/tool_input/notebook_path"}}},
		{name: "Bash", input: "/tool_input/command", command: "/tool_input/command", files: []fileRule{
			{memory.Edit, "/tool_response/bashEditDiff/changedFiles/~"},
			{memory.Edit, "/tool_response/bashEditDiff/files/~/filePath"},
		}, results: []string{"/tool_response/stdout", "/tool_response/stderr"}},
		{name: "Glob", input: "/tool_input/pattern", files: []fileRule{{memory.Mention, "/tool_response/filenames/~"}},
			results: []string{"/tool_response/filenames/~"}},
		{name: "Grep", input: "/tool_input/pattern", files: []fileRule{{memory.Mention, "/tool_response/filenames/~"}},
			results: []string{"/tool_response/filenames/~", "/tool_response/content"}},
		{name: "Agent", input: "/tool_input/description", results: []string{"/tool_response/content/~/text"}},
		{name: "Task", input: "/tool_input/description", results: []string{"/tool_response/content/~/text"}}, // Agent's name in 2.0
		{name: "TaskCreate", input: "/tool_input/subject"},
		{name: "WebFetch", input: "/tool_input/url"},
		{name: "WebSearch", input: "/tool_input/query"},
	},
}

// recogniseClaude goes by the transcript, …/projects/<folder>/<session>.jsonl: Codex, Gemini and Copilot keep theirs
// elsewhere. Variables prove nothing: an agent started from Claude's shell inherits CLAUDECODE.
func recogniseClaude(p payload) bool {
	transcript := p.get("/transcript_path")
	return pathPart(transcript, 3) == "projects" && strings.HasSuffix(transcript, ".jsonl") &&
		pathPart(transcript, 2) != "chats" && // Gemini's, of a project of that name
		p.has("/session_id") && p.has("/hook_event_name") && !p.has("/conversation_id")
}

func refineClaude(p payload, e *memory.Event) bool {
	switch e.Kind {
	case memory.Prompted:
		// A wake-up timer speaks through the same event as the person does.
		if source := p.get("/source"); p.has("/source") && source != "user" && source != "sdk" {
			e.Origin = memory.OriginTool
		}
	case memory.SubagentEnded:
		// Helpers of the agent itself (compaction has two) have an empty type; what they say is not work. Versions
		// that send no type at all are not distinguished.
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
