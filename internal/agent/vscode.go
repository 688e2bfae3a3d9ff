package agent

import "github.com/hebb-memory/hebb/internal/memory"

// vscode is the agent of VS Code, after its reference of hooks (June 2026); it could not be run for
// a record, so the payloads in testdata are written after that page. It runs the hooks of Copilot
// and of Claude Code for all tools, whatever their matchers say.
var vscode = adapter{
	name:    VSCode,
	aliases: []string{"vs-code"},
	runs:    []memory.Agent{ClaudeCode, Copilot},
	common: common{
		event: "/hookEventName", session: "/sessionId", subagent: "/agent_id", workdir: "/cwd", tool: "/tool_name",
	},
	recognises: recogniseVSCode,

	results: []string{"/tool_response"},

	events: []eventRule{
		{name: "SessionStart", kind: memory.SessionStarted, input: "/source", answered: true},
		{name: "UserPromptSubmit", kind: memory.Prompted, text: "/prompt", call: "/timestamp", whole: true},
		{name: "PreToolUse", kind: memory.ToolPlanned, call: "/tool_use_id", answered: true},
		{name: "PostToolUse", kind: memory.ToolUsed, call: "/tool_use_id"},
		{name: "SubagentStart", kind: memory.SubagentBegan, input: "/agent_type", call: "/timestamp", whole: true},
		{name: "SubagentStop", kind: memory.SubagentEnded, input: "/agent_type", call: "/timestamp", whole: true},
		{name: "PreCompact", kind: memory.Compacting, input: "/trigger", call: "/timestamp", whole: true},
		// Two short turns end alike: only their times differ.
		{name: "Stop", kind: memory.TurnEnded, call: "/timestamp", whole: true},
	},

	// The names in the documentation and those that the model sees.
	tools: []toolRule{
		{name: "readFile|read_file", reads: []string{"/tool_input/filePath", "/tool_input/files/~"}},
		{name: "editFiles", edits: []string{"/tool_input/files/~", "/tool_input/filePath"}},
		{name: "createFile|create_file|insert_edit_into_file|replace_string_in_file", edits: []string{"/tool_input/filePath"}},
		{name: "multi_replace_string_in_file", edits: []string{"/tool_input/replacements/~/filePath"}},
		{name: "apply_patch", patch: "/tool_input/input"},
		{name: "runTerminalCommand|run_in_terminal", command: "/tool_input/command"},
		{name: "grep_search|file_search|semantic_search", input: "/tool_input/query"},
	},
}

func recogniseVSCode(p payload) bool { return p.has("/hookEventName") && p.has("/sessionId") }
