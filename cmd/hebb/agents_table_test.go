//go:build unix && agents

package main

import (
	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/memory"
)

// realAgent is an agent as npm installs it, and how it is brought to work for a model of ours. {url} stands for the model's
// address, {user} for the home folder, {repo} for the project, {prompt} for the task and {words} for its words, one by one.
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
	// handsOver is how the model hands over words of the person.
	handsOver func(words string) turn
	// again is another edit of the same file, fails runs a command that fails, and helps starts a subagent with helperTask. An agent
	// without one of them has no such call.
	again turn
	fails func(command string) turn
	helps turn
	// compacts are arguments and variables with which the agent compacts a conversation that has become too long; nil where its model is shown nothing
	// after that in the same turn.
	compacts []string
	// stays is set for agents that do not say that a session is over where no person leaves it.
	stays bool
	// serverless agents start no MCP server in this version.
	serverless bool
	// secretive agents do not tell hooks what they said last.
	secretive bool
	// scripted agents say of their prompts here that a script submitted them: nothing in them is the person's word.
	scripted bool
	// deaf agents have no hook for prompts and show their model nothing of what hooks say; hebb reaches them through MCP.
	deaf bool
}

var realAgents = []realAgent{
	{
		name: agent.ClaudeCode, program: "@anthropic-ai/claude-code-*/claude", called: "claude", handsOver: byTool("mcp__hebb__remember"), scripted: true,
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
		again: turn{tool: "Edit", with: object{"file_path": "{repo}/auth/session.go", "old_string": "60 *", "new_string": "90 *"}},
		fails: func(command string) turn { return turn{tool: "Bash", with: object{"command": command}} },
		helps: turn{tool: "Agent", with: object{
			"description": "Look at cookies", "prompt": helperTask, "subagent_type": "general-purpose", "run_in_background": false,
		}},
		compacts: []string{"CLAUDE_CODE_AUTO_COMPACT_WINDOW=100000"},
	},
	{
		name: agent.Codex, program: "@openai/codex-*/vendor/*/bin/codex", called: "codex", scripted: true,
		handsOver: func(words string) turn { // its tools of servers must be searched for first; the model uses the shell
			return turn{tool: "exec_command", with: object{"cmd": program + " remember --quote '" + words + "'"}}
		},
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
		again:    turn{tool: "apply_patch", patch: "*** Begin Patch\n*** Update File: auth/session.go\n@@\n-const lifetime = 60 * time.Minute\n+const lifetime = 90 * time.Minute\n*** End Patch\n"},
		fails:    func(command string) turn { return turn{tool: "exec_command", with: object{"cmd": command}} },
		helps:    turn{tool: "spawn_agent", space: "multi_agent_v1", with: object{"message": helperTask, "agent_type": "default"}},
		compacts: []string{"-c", "model_auto_compact_token_limit=50000"},
	},
	{
		name: agent.Gemini, program: "@google/gemini-cli/bundle/gemini.js", called: "gemini", handsOver: byTool("mcp_hebb_remember"),
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
		again: turn{tool: "replace", with: object{
			"file_path": "{repo}/auth/session.go", "old_string": "60 *", "new_string": "90 *", "instruction": "Let sessions last longer.",
		}},
		fails: func(command string) turn { return turn{tool: "run_shell_command", with: object{"command": command}} },
	},
	{
		name: agent.Copilot, program: "@github/copilot-*/copilot", called: "copilot", secretive: true, handsOver: byTool("hebb-remember"),
		env:  []string{"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL={url}/v1", "COPILOT_MODEL=scripted"},
		args: []string{"-p", "{prompt}", "--allow-all-tools", "--trust-folder", "--disable-builtin-mcps"},
		work: []turn{
			{tool: "view", with: object{"path": "{repo}/auth/session.go"}},
			{tool: "edit", with: object{"path": "{repo}/auth/session.go", "old_str": "10 *", "new_str": "60 *"}},
			{tool: "bash", with: object{"command": "cat auth/cookie.go", "description": "look at the cookie"}},
		},
		effects: []string{
			"session_start", "tool view, read auth/session.go", "tool edit, edit auth/session.go", "tool bash, read auth/cookie.go", "session_end",
		},
		again: turn{tool: "edit", with: object{"path": "{repo}/auth/session.go", "old_str": "60 *", "new_str": "90 *"}},
		fails: func(command string) turn {
			return turn{tool: "bash", with: object{"command": command, "description": "start the server"}}
		},
		helps: turn{tool: "task", with: object{
			"description": "Look at cookies", "name": "looker", "prompt": helperTask, "agent_type": "general-purpose", "mode": "sync",
		}},
	},
	openCode(agent.OpenCode, "opencode-*64/bin/opencode", ".config/opencode/opencode.json"),
	openCode(agent.Kilo, "@kilocode/cli-*64/bin/kilo", ".config/kilo/kilo.json"),
	{
		name: agent.Cline, program: "@cline/cli-*64/bin/cline", called: "cline", deaf: true,
		prepare: [][]string{{"auth", "-p", "openai-compatible", "-k", "none", "-m", "scripted", "-b", "{url}/v1"}},
		args:    []string{"--json", "{prompt}"},
		work: []turn{
			{tool: "read_files", with: object{"files": []object{{"path": "{repo}/auth/session.go"}}}},
			{tool: "editor", with: object{"path": "{repo}/auth/session.go", "old_text": "10 *", "new_text": "60 *"}},
			{tool: "run_commands", with: object{"commands": []string{"cat auth/cookie.go"}}},
		},
		effects: []string{
			"session_start", "tool read_files, read auth/session.go", "tool editor, edit auth/session.go", "tool run_commands, read auth/cookie.go",
		},
		again: turn{tool: "editor", with: object{"path": "{repo}/auth/session.go", "old_text": "60 *", "new_text": "90 *"}},
		fails: func(command string) turn {
			return turn{tool: "run_commands", with: object{"commands": []string{command}}}
		},
	},
	{
		name: agent.Qwen, program: "@qwen-code/qwen-code/cli-entry.js", called: "qwen", stays: true,
		handsOver: func(words string) turn { return qwenRuns(program + " remember --quote '" + words + "'") }, // its tools of servers must be searched for first
		home: map[string]string{
			".qwen/settings.json": "{\n  // mine\n  \"security\": {\"auth\": {\"selectedType\": \"openai\"}}\n}\n",
		},
		env:  []string{"OPENAI_BASE_URL={url}/v1", "OPENAI_API_KEY=none", "OPENAI_MODEL=scripted"},
		args: []string{"-p", "{prompt}", "--yolo", "-o", "json"},
		work: []turn{
			{tool: "read_file", with: object{"file_path": "{repo}/auth/session.go"}},
			{tool: "edit", with: object{"file_path": "{repo}/auth/session.go", "old_string": "10 *", "new_string": "60 *"}},
			qwenRuns("cat auth/cookie.go"),
		},
		effects: []string{
			"session_start", "tool read_file, read auth/session.go", "tool edit, edit auth/session.go", "tool run_shell_command, read auth/cookie.go", "session_end",
		},
		again: turn{tool: "edit", with: object{"file_path": "{repo}/auth/session.go", "old_string": "60 *", "new_string": "90 *"}},
		fails: qwenRuns,
		helps: turn{tool: "agent", with: object{
			"description": "Look at cookies", "prompt": helperTask, "subagent_type": "general-purpose", "run_in_background": false,
		}},
		compacts: []string{},
	},
	{
		name: agent.Kimi, program: "@moonshot-ai/kimi-code/dist/main.mjs", called: "kimi", secretive: true, stays: true, handsOver: byTool("mcp__hebb__remember"),
		home: map[string]string{
			".kimi-code/config.toml": "# mine\ndefault_model = \"scripted\"\ntelemetry = false\n\n" +
				"[providers.scripted]\ntype = \"openai\"\nbase_url = \"{url}/v1\"\napi_key = \"none\"\n\n" +
				"[models.scripted]\nprovider = \"scripted\"\nmodel = \"scripted\"\nmax_context_size = 200000\ncapabilities = [\"tool_use\"]\n",
		},
		env:  []string{"KIMI_CODE_NO_AUTO_UPDATE=1"},
		args: []string{"-p", "{prompt}"},
		work: []turn{
			{tool: "Read", with: object{"path": "{repo}/auth/session.go"}},
			{tool: "Edit", with: object{"path": "{repo}/auth/session.go", "old_string": "10 *", "new_string": "60 *"}},
			{tool: "Bash", with: object{"command": "cat auth/cookie.go"}},
		},
		effects: []string{
			"session_start", "tool Read, read auth/session.go", "tool Edit, edit auth/session.go", "tool Bash, read auth/cookie.go", "session_end",
		},
		again: turn{tool: "Edit", with: object{"path": "{repo}/auth/session.go", "old_string": "60 *", "new_string": "90 *"}},
		fails: func(command string) turn { return turn{tool: "Bash", with: object{"command": command}} },
		helps: turn{tool: "Agent", with: object{"description": "Look at cookies", "prompt": helperTask, "subagent_type": "coder"}},
	},
	{
		name: agent.Pi, program: "@earendil-works/pi-coding-agent/dist/bundle/cli.js", called: "pi", scripted: true, serverless: true,
		handsOver: func(words string) turn { return piRuns(program + " remember --quote '" + words + "'") },
		home: map[string]string{
			".pi/agent/models.json": `{"providers": {"scripted": {"baseUrl": "{url}/v1", "api": "openai-completions", "apiKey": "none", "models": [{"id": "scripted",
				"name": "scripted", "reasoning": false, "input": ["text"], "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
				"contextWindow": 200000, "maxTokens": 4096}]}}}`,
			".pi/agent/settings.json": `{"defaultProvider": "scripted", "defaultModel": "scripted", "compaction": {"enabled": true, "reserveTokens": 16384, "keepRecentTokens": 100}}`,
		},
		env:  []string{"PI_OFFLINE=1"},
		args: []string{"-p", "{prompt}"},
		work: []turn{
			{tool: "read", with: object{"path": "auth/session.go"}},
			{tool: "edit", with: object{"path": "{repo}/auth/session.go", "edits": []object{{"oldText": "10 *", "newText": "60 *"}}}},
			piRuns("cat auth/cookie.go"),
		},
		effects: []string{
			"session_start", "tool read, read auth/session.go", "tool edit, edit auth/session.go", "tool bash, read auth/cookie.go", "session_end",
		},
		again:    turn{tool: "edit", with: object{"path": "{repo}/auth/session.go", "edits": []object{{"oldText": "60 *", "newText": "90 *"}}}},
		fails:    piRuns,
		compacts: []string{},
	},
}

func qwenRuns(command string) turn {
	return turn{tool: "run_shell_command", with: object{"command": command, "description": "run it", "is_background": false}}
}

func piRuns(command string) turn { return turn{tool: "bash", with: object{"command": command}} }

// byTool hands words over to hebb's tool remember, by the name that an agent gives it.
func byTool(name string) func(string) turn {
	return func(words string) turn { return turn{tool: name, with: object{"quote": words, "kind": "rule"}} }
}

// openCode is OpenCode, or Kilo, which is made of it.
func openCode(name memory.Agent, program, settings string) realAgent {
	return realAgent{
		name: name, program: program, called: string(name),
		home: map[string]string{settings: "{\n  // mine\n  \"model\": \"scripted/scripted\",\n  \"provider\": {\"scripted\": {\n" +
			"    \"npm\": \"@ai-sdk/openai-compatible\", \"options\": {\"baseURL\": \"{url}/v1\", \"apiKey\": \"none\"},\n" +
			"    \"models\": {\"scripted\": {\"name\": \"scripted\", \"tool_call\": true, \"limit\": {\"context\": 100000, \"output\": 4000}}}\n  }}\n}\n"},
		env: []string{
			"npm_config_offline=true", "npm_config_fetch_retries=0", "OPENCODE_DISABLE_MODELS_FETCH=1", "KILO_DISABLE_MODELS_FETCH=1",
			"OPENCODE_DISABLE_AUTOUPDATE=1", "KILO_DISABLE_AUTOUPDATE=1",
		},
		args: []string{"run", "--auto", "{words}"}, handsOver: byTool("hebb_remember"),
		work: []turn{
			{tool: "read", with: object{"filePath": "{repo}/auth/session.go"}},
			{tool: "edit", with: object{"filePath": "{repo}/auth/session.go", "oldString": "10 *", "newString": "60 *"}},
			{tool: "bash", with: object{"command": "cat auth/cookie.go", "description": "Look at the cookie"}},
		},
		effects: []string{
			"session_start", "tool read, read auth/session.go", "tool edit, edit auth/session.go", "tool bash, read auth/cookie.go", "session_end",
		},
		again: turn{tool: "edit", with: object{"filePath": "{repo}/auth/session.go", "oldString": "60 *", "newString": "90 *"}},
		fails: func(command string) turn {
			return turn{tool: "bash", with: object{"command": command, "description": "Start the server"}}
		},
		helps:    turn{tool: "task", with: object{"description": "Look at cookies", "prompt": helperTask, "subagent_type": "general"}},
		compacts: []string{},
	}
}
