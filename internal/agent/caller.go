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
}{
	{"CLAUDECODE", ClaudeCode},
	{"CURSOR_AGENT", Cursor},
	{"GEMINI_CLI", Gemini},
	{"CODEX_THREAD_ID", Codex}, {"CODEX_CI", Codex}, {"CODEX_SANDBOX", Codex}, {"CODEX_SANDBOX_NETWORK_DISABLED", Codex},
	{"COPILOT_CLI", Copilot}, {"COPILOT_AGENT", Copilot},
	{"KILO", Kilo},
	{"OPENCODE", OpenCode},
	{"QWEN_CODE", Qwen},
	{"PI_CODING_AGENT", Pi},
	{"CLINE_ACTIVE", Cline},
	{"AI_AGENT", "agent"},
	{memory.ScribeEnv, "agent"},
}

// Caller says which agent runs this process, and by which variable of the environment it is known;
// both are empty for a person or a person's script. An agent that clears its environment passes for
// a person, as any program with the rights of that person does.
func Caller(getenv func(string) string) (name memory.Agent, variable string) {
	for _, m := range callerMarks {
		switch getenv(m.variable) {
		case "", "0", "false":
			continue
		}
		return m.agent, m.variable
	}
	return "", ""
}
