package wiring

import (
	"strings"

	"github.com/hebb-memory/hebb/internal/agent"
)

// The tables of this file describe the settings of each agent. Their sources: the payloads and trials for the adapters
// (Claude Code 2.1.325, Codex 0.166, Gemini 0.61, Copilot 1.0.102, Cline 3.0.65, OpenCode 1.18.33, Kilo 7.7.9, Qwen Code
// 0.24.4, Kimi Code 2.1.0, Pi 0.87.1), for Cursor the hook executor in its SDK, for OpenClaw its documents.

// wirings lists the agents that can be wired, in the order in which they are shown.
func wirings() []*settings {
	return []*settings{
		&claudeSettings, &codexSettings, &geminiSettings, &cursorSettings, &copilotSettings, &clineSettings,
		&openCodeSettings, &kiloSettings, &openClawSettings, &qwenSettings, &kimiSettings, &piSettings,
	}
}

const (
	fileForAll   = 0o644 // files of a project are shared
	scriptForAll = 0o755
)

// hooksIn is a file with hooks, of a person and of a project.
func hooksIn(user, project string) part {
	return part{user: user, project: project, edit: jsonFile{[]jsonStep{hooksEdit{}}}}
}

// serverIn is a file with a list of MCP servers.
func serverIn(user, project, list string, value func(job) any) part {
	entry := memberStep{path: []string{list, "hebb"}, value: value, mcp: true}
	return part{user: user, project: project, edit: jsonFile{[]jsonStep{entry}}}
}

// instructionsIn is a file that the agent reads first.
func instructionsIn(user, project string) part {
	return part{user: user, project: project, snippet: true, mode: fileForAll, edit: snippetFile{}}
}

// inTurn is a hook of Claude's form: seconds, and async where nobody needs an answer.
func inTurn(command string, h hookRule) handler {
	return handler{Type: "command", Command: command, Timeout: h.seconds(), Async: h.async}
}

// inMilliseconds is a hook of Gemini's form.
func inMilliseconds(command string, h hookRule) handler {
	return handler{Name: "hebb", Type: "command", Command: command, Timeout: h.seconds() * 1000}
}

var claudeSettings = settings{
	agent: agent.ClaudeCode, program: "claude", places: []string{".local/bin/claude", ".claude/local/claude"},
	folderEnv: "CLAUDE_CONFIG_DIR", folder: ".claude",
	noted:  noted{file: ".claude.json", keys: []string{"lastReleaseNotesSeen", "lastOnboardingVersion"}},
	modern: version{2, 1, 101},
	layout: layout{write: inTurn},
	off:    toggle{path: []string{"disableAllHooks"}, value: true},
	plain:  true,
	hooks: []hookRule{
		{event: "SessionStart"},
		{event: "UserPromptSubmit"},
		{event: "PreToolUse", modern: true, matcher: "Edit|Write|MultiEdit|NotebookEdit|Bash"},
		{event: "PostToolUse", async: true},
		{event: "PostToolUseFailure", modern: true},
		{event: "SubagentStart", modern: true},
		{event: "Stop"}, // a run without a person kills what still runs at its end, and with it the agent's last word
		{event: "SubagentStop", async: true},
		{event: "PreCompact"},
		{event: "PostCompact", async: true, modern: true},
		{event: "SessionEnd"},
	},
	parts: []part{
		hooksIn("settings.json", ".claude/settings.json"),
		{user: "~/.claude.json", moves: true, project: ".mcp.json", edit: jsonFile{[]jsonStep{memberStep{[]string{"mcpServers", "hebb"}, stdioServer, true}}}},
		instructionsIn("CLAUDE.md", "CLAUDE.md"),
	},
	projectNotes: []string{"Claude Code asks each person once whether the project's MCP server may start.", needsPath},
}

const needsPath = "Files of the project call hebb by its name: everyone who works there needs it on PATH."

func stdioServer(j job) any {
	return mcpServer{Type: "stdio", Command: j.program, Args: []string{"mcp"}}
}

func plainServer(j job) any { return mcpServer{Command: j.program, Args: []string{"mcp"}} }

// Events that Codex had from the beginning are for all versions; what came later is wanted from the version on in which it
// was tried.
var codexSettings = settings{
	agent: agent.Codex, program: "codex", folderEnv: "CODEX_HOME", folder: ".codex",
	modern: version{0, 166, 0},
	layout: layout{write: inTurn},
	hooks: []hookRule{
		{event: "SessionStart"},
		{event: "UserPromptSubmit"},
		{event: "PreToolUse", modern: true, matcher: "Bash|apply_patch"},
		{event: "PostToolUse"}, // a failed command is answered
		{event: "SubagentStart", modern: true},
		{event: "PreCompact", modern: true},
		{event: "Stop"},                                 // as with Claude Code
		{event: "SessionEnd", modern: true, timeout: 3}, // more is not allowed at the end of a session
	},
	parts: []part{
		hooksIn("hooks.json", ".codex/hooks.json"),
		{user: "config.toml", project: ".codex/config.toml", edit: tomlFile{[]string{"mcp_servers", "hebb"}}},
		instructionsIn("AGENTS.md", "AGENTS.md"),
	},
	notes: []string{codexTrust},
	projectNotes: []string{
		"Codex reads a project's .codex folder only where the person has said that the project is trusted.", codexTrust, needsPath,
	},
}

const codexTrust = "Codex runs a hook only after you have approved it: start codex, type /hooks, look at hebb's hooks and trust them. " +
	"Until then it skips them silently. After an update that changes them it asks again. " +
	"For one run without a person: codex exec --dangerously-bypass-hook-trust."

// geminiTools are those that touch files or run commands.
const geminiTools = "read_file|replace|write_file|run_shell_command|glob|grep_search"

var geminiSettings = settings{
	agent: agent.Gemini, program: "gemini", folderEnv: "GEMINI_CLI_HOME", folderBelow: ".gemini", folder: ".gemini",
	layout: layout{write: func(command string, h hookRule) handler {
		if strings.HasPrefix(command, `"`) { // a path of Windows, where it runs hooks in PowerShell (getShellConfiguration in its source)
			command = inPowerShell(command)
		}
		return inMilliseconds(command, h)
	}},
	off: toggle{path: []string{"hooksConfig", "enabled"}, value: false},
	hooks: []hookRule{
		{event: "SessionStart"},
		{event: "BeforeAgent"},
		{event: "AfterTool", matcher: geminiTools},
		{event: "AfterAgent"},
		{event: "SessionEnd"},
	},
	parts: []part{
		{user: "settings.json", project: ".gemini/settings.json", edit: jsonFile{[]jsonStep{hooksEdit{}, memberStep{[]string{"mcpServers", "hebb"}, plainServer, true}}}},
		instructionsIn("GEMINI.md", "GEMINI.md"),
	},
	projectNotes: []string{"Gemini reads a project's settings only in a folder that the person trusts.", needsPath},
}

// Cursor had the four old events in its first version with hooks. Its newer ones say the same and more.
var cursorSettings = settings{
	agent: agent.Cursor, program: "cursor", places: []string{".local/bin/cursor-agent"}, folder: ".cursor",
	modern: version{2, 4, 0},
	layout: layout{flat: true, rootKey: "version", rootValue: 1, write: func(command string, h hookRule) handler {
		return handler{Command: command, Matcher: h.matcher, Timeout: h.seconds()}
	}},
	hooks: []hookRule{
		{event: "sessionStart", modern: true},
		{event: "beforeSubmitPrompt"},
		{event: "preToolUse", modern: true, matcher: "Write|Edit|Delete|Shell"},
		{event: "postToolUse", modern: true},
		{event: "postToolUseFailure", modern: true},
		{event: "subagentStart", modern: true},
		{event: "afterFileEdit", old: true},
		{event: "afterShellExecution", old: true},
		{event: "preCompact", modern: true},
		{event: "stop"},
		{event: "sessionEnd", modern: true},
	},
	parts: []part{
		hooksIn("hooks.json", ".cursor/hooks.json"),
		serverIn("mcp.json", ".cursor/mcp.json", "mcpServers", plainServer),
		instructionsIn("", "AGENTS.md"),
	},
	notes: []string{
		"Cursor also runs the hooks of Claude Code's settings. Where both are wired, hebb counts each event once.",
		"Switch the server hebb on in Cursor's settings under MCP, if it is not.",
	},
	projectNotes: []string{"Cursor runs a project's hooks only in a workspace that the person trusts.", needsPath},
}

// VS Code reads the same hook files as Copilot's command line, and its own list of servers in a project.
var copilotSettings = settings{
	agent: agent.Copilot, aliases: []string{"vscode"}, program: "copilot", folderEnv: "COPILOT_HOME", folder: ".copilot",
	modern: version{1, 0, 0},
	layout: layout{flat: true, rootKey: "version", rootValue: 1, write: func(command string, h hookRule) handler {
		return handler{Type: "command", Matcher: h.matcher, Bash: command, PowerShell: inPowerShell(command), TimeoutSec: h.seconds()}
	}},
	hooks: []hookRule{
		{event: "sessionStart"},
		{event: "userPromptSubmitted"},
		{event: "preToolUse", modern: true, matcher: "edit|create|apply_patch|bash|powershell"},
		{event: "postToolUse"},
		{event: "postToolUseFailure", modern: true},
		{event: "subagentStart", modern: true},
		{event: "agentStop", modern: true},
		{event: "sessionEnd"},
	},
	parts: []part{
		hooksIn("hooks/hebb.json", ".github/hooks/hebb.json"),
		serverIn("mcp-config.json", "", "mcpServers", copilotServer),
		serverIn("", ".vscode/mcp.json", "servers", stdioServer),
		instructionsIn("copilot-instructions.md", "AGENTS.md"),
	},
	notes: []string{
		"VS Code reads the same hooks. It also runs those of Claude Code's settings; where both are wired, hebb counts each event once.",
		`For the MCP server in VS Code: code --add-mcp '{"name":"hebb","command":"hebb","args":["mcp"]}'`,
	},
	projectNotes: []string{"Copilot runs a project's hooks only in a folder that the person trusts.", needsPath},
}

func copilotServer(j job) any {
	return mcpServer{Type: "local", Command: j.program, Args: []string{"mcp"}, Tools: []string{"*"}}
}

const clineMark = "# hebb's hook for Cline."

// clineScript is a hook of Cline: an executable with the event's name.
func clineScript(j job) string {
	return "#!/bin/sh\n" + clineMark + " Written by hebb agents install cline, removed by hebb agents uninstall cline; edits are lost.\nexec " +
		commandLine(j.program, agent.Cline) + "\n"
}

// clineHooks are the scripts of the command line and of projects, and those of VS Code where that is used.
func clineHooks() []part {
	var cli, code []part
	for _, event := range []string{"TaskStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "TaskComplete", "TaskCancel"} {
		p := part{user: "hooks/" + event, project: ".clinerules/hooks/" + event, mode: scriptForAll, edit: ownFile{clineScript, clineMark, event}}
		cli = append(cli, p)
		p.user, p.project, p.within = "~/Documents/Cline/Hooks/"+event, "", "Documents/Cline"
		code = append(code, p)
	}
	return append(cli, code...)
}

var clineSettings = settings{
	agent: agent.Cline, program: "cline", folder: ".cline",
	parts: append(clineHooks(),
		serverIn("data/settings/cline_mcp_settings.json", "", "mcpServers", plainServer),
		instructionsIn("", "AGENTS.md"),
	),
	notes: []string{
		"Cline runs scripts, which need a shell: on Windows only inside WSL.",
		"In VS Code, switch hooks on in Cline's settings and add the server hebb (command hebb, argument mcp) under MCP.",
	},
	projectNotes: []string{needsPath},
}

var openCodeSettings = settings{
	agent: agent.OpenCode, program: "opencode", places: []string{".opencode/bin/opencode"},
	folderEnv: "XDG_CONFIG_HOME", folderBelow: "opencode", folder: ".config/opencode",
	parts: []part{
		{user: "plugins/hebb.js", project: ".opencode/plugins/hebb.js", mode: fileForAll, edit: plugin("opencode")},
		{user: "opencode.json", other: "opencode.jsonc", project: "opencode.json", edit: jsonFile{[]jsonStep{memberStep{[]string{"mcp", "hebb"}, localServer, true}}}},
		instructionsIn("AGENTS.md", "AGENTS.md"),
	},
	projectNotes: []string{needsPath},
}

var kiloSettings = settings{
	agent: agent.Kilo, program: "kilo", folderEnv: "XDG_CONFIG_HOME", folderBelow: "kilo", folder: ".config/kilo",
	parts: []part{
		{user: "plugin/hebb.js", project: ".kilo/plugin/hebb.js", mode: fileForAll, edit: plugin("opencode")},
		{user: "kilo.json", other: "kilo.jsonc", project: "kilo.json", edit: jsonFile{[]jsonStep{memberStep{[]string{"mcp", "hebb"}, localServer, true}}}},
		instructionsIn("", "AGENTS.md"),
	},
	projectNotes: []string{needsPath},
}

func localServer(j job) any {
	return mcpServer{Type: "local", Command: []string{j.program, "mcp"}, Enabled: true}
}

var openClawSettings = settings{
	agent: agent.OpenClaw, program: "openclaw", folderEnv: "OPENCLAW_STATE_DIR", folder: ".openclaw",
	parts: []part{
		{user: "extensions/hebb/index.js", edit: plugin("messages", "openclaw")},
		{user: "extensions/hebb/package.json", edit: ownFile{openClawPackage, `"name": "hebb-openclaw"`, ""}},
		{user: "extensions/hebb/openclaw.plugin.json", edit: ownFile{openClawManifest, `"id": "hebb"`, ""}},
		{user: "openclaw.json", edit: jsonFile{[]jsonStep{
			memberStep{[]string{"plugins", "entries", "hebb"}, func(job) any { return pluginSwitch{true} }, false},
			itemStep{path: []string{"plugins", "allow"}, item: "hebb"},
			memberStep{[]string{"mcp", "servers", "hebb"}, plainServer, true},
		}}},
	},
	notes: []string{"Restart the gateway: openclaw gateway restart."},
}

// Qwen Code reads times from 1000 on as milliseconds; versions before 0.24 read all so. The events are those of its first version with hooks: what says
// something to its model, and what only tells hebb.
var qwenSettings = settings{
	agent: agent.Qwen, program: "qwen", folderEnv: "QWEN_HOME", folder: ".qwen",
	layout: layout{write: inMilliseconds},
	off:    toggle{path: []string{"disableAllHooks"}, value: true},
	hooks: []hookRule{
		{event: "SessionStart"},
		{event: "UserPromptSubmit"},
		{event: "PostToolUse", matcher: qwenTools},
		{event: "PostToolUseFailure"},
		{event: "Stop"},
		{event: "SubagentStop"},
		{event: "PreCompact"},
		{event: "SessionEnd"},
	},
	parts: []part{
		{user: "settings.json", project: ".qwen/settings.json", edit: jsonFile{[]jsonStep{hooksEdit{}, memberStep{[]string{"mcpServers", "hebb"}, plainServer, true}}}},
		instructionsIn("QWEN.md", "AGENTS.md"),
	},
	projectNotes: []string{"Where folder trust is on, Qwen Code reads a project's settings only in a folder that the person trusts.", needsPath},
}

// qwenTools are those that touch files or run commands.
const qwenTools = "read_file|edit|write_file|notebook_edit|run_shell_command|glob|grep_search"

// Kimi Code drops all hooks of its file for one event or key that it does not know. These are in the list that it had first.
var kimiSettings = settings{
	agent: agent.Kimi, program: "kimi", places: []string{".kimi-code/bin/kimi"}, folderEnv: "KIMI_CODE_HOME", folder: ".kimi-code",
	hooks: []hookRule{
		{event: "SessionStart"},
		{event: "UserPromptSubmit"},
		{event: "PostToolUse"},
		{event: "PostToolUseFailure"},
		{event: "Stop"},
		{event: "SubagentStop"},
		{event: "PreCompact"},
		{event: "SessionEnd"},
	},
	parts: []part{
		{user: "config.toml", edit: tomlHooks{}},
		serverIn("mcp.json", "", "mcpServers", plainServer),
		instructionsIn("AGENTS.md", ""),
	},
}

var piSettings = settings{
	agent: agent.Pi, program: "pi", folderEnv: "PI_CODING_AGENT_DIR", folder: ".pi/agent",
	parts: []part{
		{user: "extensions/hebb.js", project: ".pi/extensions/hebb.js", mode: fileForAll, edit: plugin("messages", "pi")},
		serverIn("mcp.json", ".pi/mcp.json", "mcpServers", directServer),
		instructionsIn("AGENTS.md", "AGENTS.md"),
	},
	projectNotes: []string{"Pi loads a project's extensions only where the person trusts the project.", needsPath},
}

// directServer is a server whose tools the model is offered; otherwise Pi names only the server to it.
func directServer(j job) any {
	return mcpServer{Command: j.program, Args: []string{"mcp"}, Exposure: "direct"}
}
