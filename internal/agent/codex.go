package agent

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/typed"
)

// codex is Codex CLI, as recorded from 0.166.0 (testdata). It reads files through the shell and changes them by patches.
// The payload of a command has no exit code, but the transcript has it before the hook is called. For a patch that fails there is
// no payload.
var codex = adapter{
	name:    Codex,
	aliases: []string{"codex-cli"},
	common: common{
		event: "/hook_event_name", session: "/session_id", subagent: "/agent_id", workdir: "/cwd", tool: "/tool_name",
	},
	recognises: recogniseCodex,
	refine:     refineCodex,
	source:     func(p payload, _ func(string) string) string { return begun(p.get("/source")) },
	logged:     "Bash",
	begins:     true,

	fields: []field{
		{"/transcript_path", asFile}, {"/model", asName}, {"/permission_mode", asName}, {"/timestamp", asScalar}, {"/conversation_id", asName},
		{"/tool_response", asText},
	},
	results: []string{"/tool_response", "/tool_response/content/~/text"},

	events: []eventRule{
		{name: "SessionStart", kind: memory.SessionStarted, origin: memory.OriginTool, input: "/source", answered: true},
		{name: "UserPromptSubmit", kind: memory.Prompted, origin: memory.OriginUser, text: "/prompt", call: "/turn_id", whole: true, answered: true},
		{name: "PreToolUse", kind: memory.ToolPlanned, origin: memory.OriginTool, call: "/tool_use_id", answered: true},
		{name: "PostToolUse", kind: memory.ToolUsed, origin: memory.OriginTool, call: "/tool_use_id", answeredAs: memory.ToolFailed},
		{name: "SubagentStart", kind: memory.SubagentBegan, origin: memory.OriginTool, input: "/agent_type", answered: true},
		{name: "SubagentStop", kind: memory.SubagentEnded, origin: memory.OriginAgent, input: "/agent_type", text: "/last_assistant_message"},
		{name: "PreCompact", kind: memory.Compacting, origin: memory.OriginTool, input: "/trigger"},
		{name: "PostCompact", kind: memory.Compacted, origin: memory.OriginAgent, input: "/trigger"},
		{name: "Stop", kind: memory.TurnEnded, origin: memory.OriginAgent, text: "/last_assistant_message"},
		{name: "SessionEnd", kind: memory.SessionEnded, origin: memory.OriginTool, input: "/reason"},

		// Not read: PermissionRequest.
	},

	tools: []toolRule{
		{name: "Bash", input: "/tool_input/command", command: "/tool_input/command", results: []string{"/tool_response"}},
		{name: "apply_patch", patch: "/tool_input/command"},
		{name: "spawn_agent", input: "/tool_input/message"},
	},
}

// recogniseCodex goes by the transcript, …/rollout-<time>-<session>.jsonl. There may be none; then by the model, which
// Claude names only beside a transcript of its own.
func recogniseCodex(p payload) bool {
	transcript := p.get("/transcript_path")
	if transcript != "" {
		return strings.HasPrefix(pathPart(transcript, 1), "rollout-") && p.has("/session_id") && p.has("/hook_event_name")
	}
	return p.has("/session_id") && p.has("/hook_event_name") && p.has("/model") && (p.has("/turn_id") || p.has("/permission_mode")) &&
		!p.has("/timestamp") && !p.has("/conversation_id")
}

func refineCodex(p payload, e *memory.Event) bool {
	asHelper(e)
	if e.Kind == memory.ToolUsed && e.Tool == "apply_patch" && exitCode(p.get("/tool_response"), "Exit code: ") > 0 {
		fail(e, p.get("/tool_response"), p.sizes([]string{"/tool_response"}))
	}
	return true
}

// Began says who submitted a prompt by the beginning of Head, where Codex has noted how the session was begun.
func (s *Seen) Began(head []byte) {
	_, rest, found := bytes.Cut(head, []byte(`"source":`))
	if rest = bytes.TrimLeft(rest, " "); !found || len(rest) == 0 {
		return
	}
	source := helperSource // an object
	if rest[0] == '"' {
		source = string(rest[1:max(bytes.IndexByte(rest[1:], '"')+1, 1)])
	}
	s.Event.Origin = originOf(typed.By(begun(source), s.Event.Text))
}

// helperSource is the source of a session that Codex began for itself.
const helperSource = "subagent"

// begun is the source of a session that nobody began at a keyboard, "" for any other.
func begun(source string) string {
	if source == helperSource || typed.IsHeadless(source) {
		return source
	}
	return ""
}

// Ended makes a failure of the event if the end of its Log says that the call exited with another code than 0. A log that does not
// have the call, or does not have it yet, changes nothing.
func (s *Seen) Ended(log []byte) {
	if s.failed == nil || s.call == "" {
		return
	}
	// Quotes inside a text are escaped, so these stand only where Codex itself has written them.
	id := []byte(`"id":` + strconv.Quote(s.call))
	for len(log) > 0 {
		start := bytes.LastIndexByte(log, '\n') + 1
		line := log[start:]
		log = log[:max(start-1, 0)]
		if !bytes.Contains(line, id) || !bytes.Contains(line, []byte(`"type":"CommandExecution"`)) {
			continue
		}
		_, rest, found := bytes.Cut(line, []byte(`,"exit_code":`))
		digits := rest[:max(bytes.IndexAny(rest, ",}"), 0)]
		if code, err := strconv.Atoi(string(digits)); found && err == nil && code != 0 {
			s.Event, s.Answered = *s.failed, true
			if s.Event.Text == "" {
				s.Event.Text = "Exit code " + strconv.Itoa(code)
			}
		} else if found && err == nil && !shell.Try(s.Event.Input, false, "").Mutes() {
			s.Event.Text = "" // it ended well
		}
		return
	}
}
