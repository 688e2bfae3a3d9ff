package agent

import "github.com/hebb-memory/hebb/internal/memory"

// callerMarks are the variables that agents set in the shells they run for their tools. A variable
// that a person's own terminal inside an editor also has is none: TERM_PROGRAM=vscode, VSCODE_*,
// CURSOR_TRACE_ID (set in every terminal of Cursor; vercel-labs/skills#1549 and
// web-infra-dev/rstest#994 dropped it for that reason), CLAUDE_CODE_SSE_PORT, CODEX_HOME and
// COPILOT_HOME (settings that people export). The first that is set decides.
//
//	variable                        evidence
//	CLAUDECODE                      captured from Claude Code 2.1.325; in its documentation
//	CURSOR_AGENT                    set by Cursor's agent and its command line only; vercel/vercel detect-agent
//	GEMINI_CLI                      gemini-cli, shellExecutionService: env {GEMINI_CLI: '1'}; documented
//	CODEX_THREAD_ID, CODEX_CI,      openai/codex exec environment (issue 36883); CODEX_SANDBOX is set on macOS alone
//	CODEX_SANDBOX*
//	COPILOT_CLI                     captured from Copilot CLI 1.0.102
//	COPILOT_AGENT                   terminals of the agent in VS Code (microsoft/vscode#316267)
//	KILO                            Kilo CLI sets it in its own process at the start, before OPENCODE
//	OPENCODE                        OpenCode sets it in its own process at the start; Kilo before 7 kept it
//	QWEN_CODE                       Qwen Code sets it for the commands it runs; read in 0.24.4
//	PI_CODING_AGENT                 Pi sets it in its own process at the start; read in 0.87.1
//	CLINE_ACTIVE                    terminals that Cline opens; in its documentation
//	AI_AGENT                        convention across vendors (Claude Code, VS Code); names agents that are not listed here
//	HEBB_SCRIBE                     hebb sets it for the agent that it has read a session
var callerMarks = [...]struct {
	variable string
	agent    memory.Agent
	shell    bool // set in those shells alone: neither in the agent's own process nor in the hooks that it calls
}{
	{"CLAUDECODE", ClaudeCode, true}, // "Not set in hooks", says the documentation
	{"CURSOR_AGENT", Cursor, false},
	{"GEMINI_CLI", Gemini, true},
	{"CODEX_THREAD_ID", Codex, true}, {"CODEX_CI", Codex, true}, {"CODEX_SANDBOX", Codex, true}, {"CODEX_SANDBOX_NETWORK_DISABLED", Codex, true},
	{"COPILOT_CLI", Copilot, false}, {"COPILOT_AGENT", Copilot, true},
	{"KILO", Kilo, false},
	{"OPENCODE", OpenCode, false},
	{"QWEN_CODE", Qwen, true},
	{"PI_CODING_AGENT", Pi, false},
	{"CLINE_ACTIVE", Cline, true},
	{"AI_AGENT", "agent", false}, // hooks may have it
	{memory.ScribeEnv, "agent", false},
}

// Caller says which agent runs this process, and by which variable of the environment it is known;
// both are empty for a person or a person's script. An agent that clears its environment passes for
// a person, as any program with the rights of that person does.
func Caller(getenv func(string) string) (name memory.Agent, variable string) {
	for _, m := range callerMarks {
		if marked(getenv(m.variable)) {
			return m.agent, m.variable
		}
	}
	return "", ""
}

// InShell reports whether this process was started from the shell of an agent's tools. A hook that is
// called there is called by what the agent runs, or by an agent that it started: no person typed its prompt.
func InShell(getenv func(string) string) bool {
	for _, m := range callerMarks {
		if m.shell && marked(getenv(m.variable)) {
			return true
		}
	}
	return false
}

func marked(value string) bool { return value != "" && value != "0" && value != "false" }
