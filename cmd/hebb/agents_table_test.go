//go:build unix

package main

import (
	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
)

// realAgent is an agent as npm installs it, and how it is brought to work for a model of ours. {url} stands for the model's
// address, {user} for the home folder, {repo} for the project and {prompt} for the task.
type realAgent struct {
	name    memory.Agent
	program string            // below node_modules, as a pattern
	called  string            // its name on PATH
	home    map[string]string // what a person has before hebb comes
	env     []string
	prepare [][]string // calls before the first session
	args    []string
	work    []turn   // what the model has it do in its first session: read, edit, run
	effects []string // what hebb must see of that, beside the prompt and the last word
}

var realAgents = []realAgent{
	{
		name: agent.ClaudeCode, program: "@anthropic-ai/claude-code-*/claude", called: "claude",
		home: map[string]string{
			".claude/settings.json": "{\n    \"cleanupPeriodDays\": 20\n}\n",
		},
		env: []string{
			"ANTHROPIC_BASE_URL={url}", "ANTHROPIC_API_KEY=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "IS_SANDBOX=1",
		},
		args: []string{"-p", "{prompt}", "--permission-mode", "bypassPermissions", "--output-format", "json"},
		work: []turn{
			{tool: "Read", with: object{"file_path": "{repo}/auth/session.go"}},
			{tool: "Edit", with: object{"file_path": "{repo}/auth/session.go", "old_string": "10 *", "new_string": "60 *"}},
			{tool: "Bash", with: object{"command": "cat auth/cookie.go"}},
		},
		effects: []string{
			"session_start", "tool Read, read auth/session.go", "tool Edit, edit auth/session.go", "tool Bash, read auth/cookie.go", "session_end",
		},
	},
	{
		name: agent.Codex, program: "@openai/codex-*/vendor/*/bin/codex", called: "codex",
		home: map[string]string{
			".codex/config.toml": "# mine\nmodel = \"gpt-5.5\"\nmodel_provider = \"scripted\"\n\n" +
				"[model_providers.scripted]\nname = \"scripted\"\nbase_url = \"{url}/v1\"\nwire_api = \"responses\"\nenv_key = \"SCRIPTED_KEY\"\n",
		},
		env:  []string{"SCRIPTED_KEY=none"},
		args: []string{"exec", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox", "--json", "{prompt}"},
		work: []turn{
			{tool: "exec_command", with: object{"cmd": "cat auth/session.go"}},
			{tool: "apply_patch", patch: "*** Begin Patch\n*** Update File: auth/session.go\n@@\n-const lifetime = 10 * time.Minute\n+const lifetime = 60 * time.Minute\n*** End Patch\n"},
			{tool: "exec_command", with: object{"cmd": "cat auth/cookie.go"}},
		},
		effects: []string{
			"session_start", "tool Bash, read auth/session.go", "tool apply_patch, edit auth/session.go", "tool Bash, read auth/cookie.go", "session_end",
		},
	},
	{
		name: agent.Gemini, program: "@google/gemini-cli/bundle/gemini.js", called: "gemini",
		home: map[string]string{
			".gemini/settings.json": "{\n  // mine\n  \"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}}\n}\n",
		},
		env:  []string{"GOOGLE_GEMINI_BASE_URL={url}", "GEMINI_API_KEY=none", "GEMINI_CLI_TRUST_WORKSPACE=true"},
		args: []string{"-p", "{prompt}", "--yolo", "-o", "json"},
		work: []turn{
			{tool: "read_file", with: object{"file_path": "{repo}/auth/session.go"}},
			{tool: "replace", with: object{
				"file_path": "{repo}/auth/session.go", "old_string": "10 *", "new_string": "60 *", "instruction": "Let sessions last an hour.",
			}},
			{tool: "run_shell_command", with: object{"command": "cat auth/cookie.go"}},
		},
		effects: []string{
			"session_start", "tool read_file, read auth/session.go", "tool replace, edit auth/session.go",
			"tool run_shell_command, read auth/cookie.go", "session_end",
		},
	},
}
