package agent

import (
	"cmp"
	"strconv"

	"github.com/hebb-memory/hebb/internal/memory"
)

// openclaw is OpenClaw, through hebb's plugin for it, which calls hebb hook with one object on its
// input for each event, in the words of OpenClaw's plugin interface. It could not be run for a
// record; the payloads in testdata are written after its documentation.
//
//	{"agent": "openclaw",
//	 "hook": "after_tool_call",       the hook of the plugin
//	 "event": {…}, "context": {…},    its two arguments
//	 "parent": "…",                   only in a session that works for another: the sessionId of that one
//	 "text": "…"}                     with agent_end: what the agent said last
//
// The plugin sends session_start, before_agent_start, after_tool_call, before_compaction,
// after_compaction, agent_end and session_end, and may leave out of event and context what the
// rules below do not name. session_start and before_agent_start are answered with
// {"context": "…"}, which the plugin returns from before_agent_start; the text for the start
// of a session it keeps until then. After a compaction it sends session_start once more, with
// compact as the event's source.
var openclaw = adapter{
	name: OpenClaw,
	common: common{
		event: "/hook", session: "/context/sessionId", workdir: "/context/workspaceDir", tool: "/event/toolName",
	},
	recognises: func(p payload) bool { return p.get("/agent") == string(OpenClaw) && p.has("/hook") },
	refine:     refineOpenClaw,
	answerKey:  "context",

	fields: []field{
		{"/agent", asName}, {"/parent", asName}, {"/context/sessionKey", asName}, {"/event/sessionId", asName}, {"/event/resumedFrom", asName},
		{"/event/error", asText}, {"/event/result", asText}, {"/event/result/content/~/text", asText}, {"/event/result/details/exitCode", asScalar},
	},
	results: []string{"/event/result", "/event/result/content/~/text"},

	events: []eventRule{
		{name: "session_start", kind: memory.SessionStarted, input: "/event/source", answered: true},
		{name: "before_agent_start", kind: memory.Prompted, text: "/event/prompt", call: "/context/runId", whole: true, answered: true},
		{name: "after_tool_call", kind: memory.ToolUsed, call: "/event/toolCallId"},
		{name: "before_compaction", kind: memory.Compacting},
		{name: "after_compaction", kind: memory.Compacted},
		{name: "agent_end", kind: memory.TurnEnded, text: "/text"},
		{name: "session_end", kind: memory.SessionEnded, input: "/event/reason"},

		// Not read: before_tool_call, which takes no text for the model; message_received and
		// message_sent, which other events repeat.
	},

	tools: []toolRule{
		{name: "read", reads: []string{"/event/params/path", "/event/params/file_path"}},
		{name: "write|edit", edits: []string{"/event/params/path", "/event/params/file_path"}},
		{name: "apply_patch", patch: "/event/params/input"},
		{name: "exec|bash", command: "/event/params/command"},
		{name: "grep|find", input: "/event/params/pattern"},
		{name: "web_search", input: "/event/params/query"},
		{name: "web_fetch", input: "/event/params/url"},
	},
}

func refineOpenClaw(p payload, e *memory.Event) bool {
	e.AgentSession = cmp.Or(e.AgentSession, p.get("/event/sessionId"), p.get("/context/sessionKey"))
	if e.Kind == memory.SessionStarted && p.get("/event/resumedFrom") != "" {
		e.Input = "resume"
	}
	workFor(e, p.get("/parent"))
	if e.Kind != memory.ToolUsed {
		return true
	}
	said := cmp.Or(p.get("/event/result/content/~/text"), p.get("/event/result"))
	exit, _ := strconv.Atoi(p.get("/event/result/details/exitCode"))
	switch problem := p.get("/event/error"); {
	case problem != "":
		fail(e, problem, p.sizes([]string{"/event/error"}))
	case exit != 0:
		fail(e, cmp.Or(said, "Exit code "+strconv.Itoa(exit)), p.sizes([]string{"/event/result", "/event/result/content/~/text"}))
	}
	return true
}
