package agent

import (
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestCaller(t *testing.T) {
	t.Parallel()
	type env map[string]string
	for name, c := range map[string]struct {
		env  env
		want memory.Agent
	}{
		"claude":                       {env{"CLAUDECODE": "1", "AI_AGENT": "claude-code_2-1-325_harness"}, ClaudeCode},
		"codex on linux":               {env{"CODEX_THREAD_ID": "01a1dca0"}, Codex},
		"codex unified exec":           {env{"CODEX_CI": "1"}, Codex},
		"codex on macos":               {env{"CODEX_SANDBOX": "seatbelt"}, Codex},
		"codex without a network":      {env{"CODEX_SANDBOX_NETWORK_DISABLED": "1"}, Codex},
		"gemini":                       {env{"GEMINI_CLI": "1"}, Gemini},
		"cursor":                       {env{"CURSOR_AGENT": "1", "CURSOR_TRACE_ID": "a"}, Cursor},
		"copilot":                      {env{"COPILOT_CLI": "1"}, Copilot},
		"copilot in vs code":           {env{"COPILOT_AGENT": "1", "TERM_PROGRAM": "vscode"}, Copilot},
		"opencode":                     {env{"OPENCODE": "1", "AGENT": "1"}, OpenCode},
		"kilo":                         {env{"KILO": "1", "AGENT": "1"}, Kilo},
		"kilo that keeps both":         {env{"KILO": "1", "OPENCODE": "1"}, Kilo},
		"qwen":                         {env{"QWEN_CODE": "1", "QWEN_HOME": "/q"}, Qwen},
		"pi":                           {env{"PI_CODING_AGENT": "true", "AI_AGENT": "pi"}, Pi},
		"cline":                        {env{"CLINE_ACTIVE": "true"}, Cline},
		"one that is not listed":       {env{"AI_AGENT": "devin@1"}, "agent"},
		"a terminal":                   {env{"TERM": "xterm", "SHELL": "/bin/bash"}, ""},
		"a person's terminal, vs code": {env{"TERM_PROGRAM": "vscode", "VSCODE_PID": "7", "CLAUDE_CODE_SSE_PORT": "4"}, ""},
		"a person's terminal, cursor":  {env{"CURSOR_TRACE_ID": "a", "TERM_PROGRAM": "vscode"}, ""},
		"settings of agents":           {env{"CODEX_HOME": "/c", "COPILOT_HOME": "/c", "GEMINI_CLI_HOME": "/g", "CLINE_DIR": "/c", "QWEN_HOME": "/q", "KIMI_CODE_HOME": "/k", "PI_CODING_AGENT_DIR": "/p"}, ""},
		"switched off":                 {env{"CLAUDECODE": "0", "CLINE_ACTIVE": "false"}, ""},
	} {
		got, variable := Caller(func(key string) string { return c.env[key] })
		if got != c.want || (got == "") != (variable == "") {
			t.Errorf("%s: Caller = %q by %q, want %q", name, got, variable, c.want)
		}
	}
}

// Only what no hook has tells that a hook was called from an agent's shell: others are set in the agent's own process, and its
// hooks have them too.
func TestAHookInTheShellOfAnAgent(t *testing.T) {
	t.Parallel()
	for variable, want := range map[string]bool{
		"CLAUDECODE": true, "GEMINI_CLI": true, "CODEX_THREAD_ID": true, "CODEX_CI": true, "CODEX_SANDBOX": true, "QWEN_CODE": true,
		"COPILOT_AGENT": true, "CLINE_ACTIVE": true,
		"AI_AGENT": false, "CURSOR_AGENT": false, "COPILOT_CLI": false, "OPENCODE": false, "KILO": false, "PI_CODING_AGENT": false,
		"CLAUDE_CODE_ENTRYPOINT": false, "CLAUDE_PROJECT_DIR": false, "TERM": false,
	} {
		if got := InShell(func(key string) string { return map[string]string{variable: "1"}[key] }); got != want {
			t.Errorf("with %s set: %v, want %v", variable, got, want)
		}
	}
}
