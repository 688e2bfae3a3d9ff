package agent

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// nothingSaid marks payloads that are read and not recorded.
const nothingSaid = memory.EventKind("-")

// saidBy says, for each event by the name under which agents send it, what is recorded of it. It is
// written by hand: goldens are made by the code that they hold, this table is not.
var saidBy = map[memory.EventKind]string{
	memory.SessionStarted: "SessionStart TaskStart TaskResume sessionStart session_start event.session.created",
	memory.Prompted:       "UserPromptSubmit BeforeAgent beforeSubmitPrompt before_agent_start chat.message userPromptSubmitted",
	memory.ToolPlanned:    "PreToolUse preToolUse tool.execute.before tool_call BeforeTool before_tool_call",
	memory.ToolUsed:       "PostToolUse AfterTool postToolUse afterFileEdit afterShellExecution after_tool_call tool.execute.after tool_result",
	memory.ToolFailed:     "PostToolUseFailure postToolUseFailure tool.execute.error",
	memory.TurnEnded:      "Stop AfterAgent TaskComplete TaskCancel agentStop agent_end agent_settled event.session.idle stop",
	memory.SubagentBegan:  "SubagentStart subagentStart agent_start",
	memory.SubagentEnded:  "SubagentStop subagentStop",
	memory.Compacting:     "PreCompact preCompact before_compaction experimental.session.compacting session_before_compact",
	memory.Compacted:      "PostCompact after_compaction event.session.compacted session_compact",
	memory.SessionEnded:   "SessionEnd sessionEnd session_end session_shutdown dispose",
	nothingSaid: `TurnStarted Interrupt PermissionRequest permissionRequest PostToolBatch StopFailure
		BeforeModel AfterModel BeforeToolSelection PreCompress ConfigChange CwdChanged FileChanged InstructionsLoaded MessageDisplay Notification
		Elicitation ElicitationResult PreModelSwitch PostModelSwitch Setup TaskCreated TaskCompleted UserPromptExpansion userPromptTransformed
		afterAgentResponse afterMCPExecution beforeReadFile
		chat.headers chat.params experimental.chat.messages.transform experimental.chat.system.transform experimental.text.complete plugin.init
		shell.env event.catalog.updated event.file.edited event.file.watcher.updated event.integration.updated event.message.part.delta
		event.message.part.updated event.message.updated event.plugin.added event.reference.updated event.session.diff event.session.drained
		event.session.status event.session.updated event.todo.updated`,
}

// saidElse are the payloads that say something else than their event does, and why.
var saidElse = map[string]memory.EventKind{
	// Some agents send a failure as a use, with the failure in the answer.
	"cline-cli-3.0.65/PostToolUse-run_commands.json":          memory.ToolFailed,
	"cline-written/PostToolUse-execute_command-failed.json":   memory.ToolFailed,
	"codex-written/PostToolUse-apply_patch-failed.json":       memory.ToolFailed,
	"copilot-cli-1.0.102/claude-format-PostToolUse-Bash.json": memory.ToolFailed,
	"copilot-cli-1.0.102/postToolUse-bash.json":               memory.ToolFailed,
	"gemini-cli-0.61.0/AfterTool-read_file-error.json":        memory.ToolFailed,
	"gemini-cli-0.61.0/AfterTool-run_shell_command.json":      memory.ToolFailed,
	"kilo-7.7.9/tool.execute.after-bash.json":                 memory.ToolFailed,
	"opencode-1.18.33/tool.execute.after-bash.json":           memory.ToolFailed,
	"openclaw-written/after_tool_call-exec-failed.json":       memory.ToolFailed,
	"openclaw-written/after_tool_call-read-error.json":        memory.ToolFailed,
	"pi-0.87.1/tool_result-bash-error.json":                   memory.ToolFailed,
	"pi-0.87.1/tool_result-read-error.json":                   memory.ToolFailed,
	"pi-1.5.2/tool_result-bash-error.json":                    memory.ToolFailed,
	"pi-1.5.2/tool_result-read-error.json":                    memory.ToolFailed,
	// A helper's session is a part of its master's.
	"kilo-written/event.session.created-child.json":     memory.SubagentBegan,
	"kilo-written/event.session.idle-child.json":        memory.SubagentEnded,
	"opencode-written/event.session.created-child.json": memory.SubagentBegan,
	"opencode-written/event.session.idle-child.json":    memory.SubagentEnded,
	// The end of a subagent is reported twice; this is the one without its answer.
	"copilot-cli-1.0.102/agentStop-in-subagent.json": nothingSaid,
	"copilot-cli-1.0.102/claude-format-Stop.json":    nothingSaid,
	// Helpers of the agent itself, such as compaction.
	"claude-code-2.1.325/SubagentStop-internal.json": nothingSaid,
	// It comes after every tool, too, without a text.
	"qwen-code-0.24.4/UserPromptSubmit-after-tool.json": nothingSaid,
	// It names no session.
	"opencode-1.18.33/dispose.json": nothingSaid,
}

// lookers are tools that neither change files nor run commands, or of which that is not known.
// Before they are called, hebb says nothing.
const lookers = ` Read Glob Grep Agent TaskCreate TaskUpdate ToolSearch mcp_ask mcp_recall spawn_agent view glob grep rg task tiny read_file read_files
	search_codebase read tiny_recall todowrite `

func TestEveryPayloadSaysWhatItsEventSays(t *testing.T) {
	wanted := map[string]memory.EventKind{}
	for kind, names := range saidBy {
		for _, name := range strings.Fields(names) {
			if wanted[name] != "" {
				t.Errorf("%s is in the table twice", name)
			}
			wanted[name] = kind
		}
	}
	used, seenElse := map[string]bool{}, 0
	for _, r := range recordings {
		for _, file := range payloadsOf(t, r.agent) {
			short := strings.TrimPrefix(filepath.ToSlash(file), "testdata/")
			event := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(path.Base(short), ".json"), "claude-format-"), "claude-")
			event, rest, _ := strings.Cut(event, "-")
			tool, _, _ := strings.Cut(rest, "-")
			want, known := saidElse[short]
			if known {
				seenElse++
			} else if want, known = wanted[event]; !known {
				t.Errorf("%s: the table does not say what becomes of %s", short, event)
				continue
			}
			if _, deaf := Answer(r.agent, memory.ToolPlanned, "x", ""); want == memory.ToolPlanned && (deaf != nil || slices.Contains(strings.Fields(lookers), tool)) {
				want = nothingSaid
			}
			used[event] = true
			for _, name := range []memory.Agent{r.agent, Auto} { // named by its installer, or recognised by its content
				seen, ok, err := Decode(name, strings.NewReader(readFile(t, file)), nothing, tuning.Default().Capture, megabyte)
				got := seen.Event.Kind
				if !ok {
					got = nothingSaid
				}
				if err != nil || got != want {
					t.Errorf("%s, as %s: %s, want %s (%v)", short, name, got, want, err)
				}
			}
		}
	}
	for name := range wanted {
		if !used[name] {
			t.Errorf("no payload of %s is recorded", name)
		}
	}
	if seenElse != len(saidElse) {
		t.Errorf("%d of %d exceptions have a payload", seenElse, len(saidElse))
	}
}
