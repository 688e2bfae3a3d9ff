package llm

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// headless is how a coding agent is asked once. It is used only if it was shown to have no tool, and no files and network of its own, with
// its real program and a transcript that asks for them (cmd/hebb/agents_test.go). The question comes on stdin, the answer on stdout.
type headless struct {
	name    memory.Agent
	program string
	unfit   string // why it is not used; empty if it is
	args    []string
	model   string   // the flag that names a model
	sees    []string // variables that it may see beside those of every program: its key and its settings
	set     []string // variables that hebb sets
	read    func(out []byte) (Answer, error)
}

// asScribe takes the place of an agent's own instructions, which are longer than most sessions.
const asScribe = "You read what you are given and answer in the form that it asks for. You use no tools."

// agents was tried with the versions of scripts/agents-e2e.
var agents = []headless{
	{
		name: "claude-code", program: "claude", model: "--model", read: readClaude,
		// An earlier version that does not know one of these flags ends with an error.
		args: []string{
			"-p", "--output-format=json", "--system-prompt=" + asScribe, "--no-session-persistence",
			"--tools=",                 // none that is built in; a call is answered "No such tool available"
			"--strict-mcp-config",      // none of a server: those of the person are not started
			"--restricted",             // "@path" in the question reads nothing outside the empty folder
			"--setting-sources=",       // no hooks, permissions and plugins of the person or the project
			"--disable-slash-commands", // no skills
			"--settings=" + `{"disableAllHooks":true}`,
		},
		set: []string{
			"CLAUDE_CODE_DISABLE_FILE_MENTIONS=1", "CLAUDE_CODE_DISABLE_ATTACHMENTS=1", // "@path" and "@server:resource" are words
			"CLAUDE_CODE_DISABLE_CLAUDE_MDS=1", "CLAUDE_CODE_DISABLE_AUTO_MEMORY=1", // no CLAUDE.md
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", // no connection but the model's
		},
		sees: []string{
			"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS", "ANTHROPIC_MODEL", "ANTHROPIC_SMALL_FAST_MODEL",
			"ANTHROPIC_DEFAULT_OPUS_MODEL", "ANTHROPIC_DEFAULT_SONNET_MODEL", "ANTHROPIC_DEFAULT_HAIKU_MODEL", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN",
			"CLAUDE_CODE_USE_BEDROCK", "ANTHROPIC_BEDROCK_BASE_URL", "AWS_BEARER_TOKEN_BEDROCK", "AWS_PROFILE", "AWS_REGION", "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
			"CLAUDE_CODE_USE_VERTEX", "ANTHROPIC_VERTEX_BASE_URL", "ANTHROPIC_VERTEX_PROJECT_ID", "CLOUD_ML_REGION", "GOOGLE_APPLICATION_CREDENTIALS", "CLAUDE_CODE_SKIP_VERTEX_AUTH",
			"CLAUDE_CODE_USE_FOUNDRY", "ANTHROPIC_FOUNDRY_API_KEY", "ANTHROPIC_FOUNDRY_BASE_URL", "ANTHROPIC_FOUNDRY_RESOURCE", "CLAUDE_CODE_SKIP_FOUNDRY_AUTH",
		},
	},
	{name: "codex", program: "codex", unfit: "its read-only sandbox lets commands run and read every file"},
	{name: "gemini", program: "gemini", unfit: "its plan mode still reads files and fetches pages"},
	{name: "opencode", program: "opencode", unfit: "its plan agent still reads files and fetches pages"},
}

// everyProgram are variables that a program needs to start, to speak the person's language and to reach the network.
var everyProgram = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "USERNAME", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES",
}

// environment is what the agent sees of hebb's: nothing that is not listed.
func (h headless) environment(of []string) (env []string) {
	for _, v := range of {
		name, _, _ := strings.Cut(v, "=")
		name = strings.ToUpper(name) // proxies are often named in lower case, and Windows does not care
		if strings.HasPrefix(name, "LC_") || slices.Contains(everyProgram, name) || slices.Contains(h.sees, name) {
			env = append(env, v)
		}
	}
	return append(append(env, h.set...), memory.ScribeEnv+"=1")
}

// readClaude reads the object that Claude Code prints with --output-format=json. A page of errors, a notice or nothing is no such object.
func readClaude(out []byte) (Answer, error) {
	var printed struct {
		Type    string `json:"type"`
		Subtype string `json:"subtype"`
		IsError *bool  `json:"is_error"`
		Result  string `json:"result"`
		Usage   struct {
			Input   int `json:"input_tokens"`
			Written int `json:"cache_creation_input_tokens"`
			Cached  int `json:"cache_read_input_tokens"`
			Output  int `json:"output_tokens"`
		} `json:"usage"`
	}
	const shown = 200
	if err := json.Unmarshal(out, &printed); err != nil || printed.Type != "result" || printed.IsError == nil {
		return Answer{}, fail(NotTheForm, "want its JSON result, got %q: %w", prose.Shorten(prose.OneLine(string(out[:min(len(out), 4*shown)])), shown), memory.ErrDamaged)
	}
	if *printed.IsError || printed.Subtype != "success" {
		return Answer{}, fail(Failed, "%s", prose.Shorten(prose.OneLine(cmp.Or(printed.Result, printed.Subtype)), shown))
	}
	u := printed.Usage
	return Answer{printed.Result, Usage{u.Input + u.Written + u.Cached, u.Output}}, nil
}
