package agent

import "github.com/hebb-memory/hebb/internal/memory"

// pi is Pi, through hebb's extension for it (recorded from 0.87.1 and 1.5.2, testdata), which calls
// hebb hook with one object on its input for each event, in the words of Pi's extensions:
//
//	{"agent": "pi",
//	 "event": {"type": "tool_result", …},                   what the rules below name of it
//	 "ctx": {"cwd": "…", "mode": "tui", "sessionId": "…"}}  of its context
//
// Of the event agent_settled text is what the agent said last. After session_compact the extension
// sends session_start once more, with compact as its reason. It keeps what hebb answers until it can
// hand it to the model: with the prompt, or with the result of a tool. The IDs of calls are the model's.
var pi = adapter{
	name:       Pi,
	aliases:    []string{"pi-coding-agent"},
	common:     common{event: "/event/type", session: "/ctx/sessionId", workdir: "/ctx/cwd", tool: "/event/toolName"},
	recognises: func(p payload) bool { return p.get("/agent") == string(Pi) && p.has("/event/type") },
	refine:     refinePi,
	source:     sourceOfPi,
	answerKey:  "context",

	fields: []field{
		{"/agent", asName}, {"/ctx/mode", asName}, {"/event/isError", asScalar}, {piResult, asText},
	},
	results: []string{piResult},

	events: []eventRule{
		{name: "session_start", kind: memory.SessionStarted, input: "/event/reason", answered: true},
		{name: "before_agent_start", kind: memory.Prompted, text: "/event/prompt", answered: true},
		{name: "tool_call", kind: memory.ToolPlanned, call: "/event/toolCallId", whole: true, answered: true},
		{name: "tool_result", kind: memory.ToolUsed, call: "/event/toolCallId", whole: true, answeredAs: memory.ToolFailed},
		{name: "session_before_compact", kind: memory.Compacting},
		{name: "session_compact", kind: memory.Compacted, text: "/event/compactionEntry/summary"},
		{name: "agent_settled", kind: memory.TurnEnded, text: "/event/text"},
		{name: "session_shutdown", kind: memory.SessionEnded, input: "/event/reason"},
	},

	tools: []toolRule{
		{name: "read", reads: []string{"/event/input/path"}},
		{name: "edit|write", edits: []string{"/event/input/path"}},
		{name: "bash", command: "/event/input/command"},
		{name: "grep|find", input: "/event/input/pattern", listed: true},
	},
}

const piResult = "/event/content/~/text"

// sourceOfPi says whether a script submitted a prompt. Pi itself calls all of them interactive.
func sourceOfPi(p payload, _ func(string) string) string {
	switch p.get("/ctx/mode") {
	case "print", "json":
		return "exec"
	}
	return ""
}

func refinePi(p payload, e *memory.Event) bool {
	if e.Kind == memory.ToolUsed && p.get("/event/isError") == "true" {
		fail(e, p.get(piResult), p.sizes([]string{piResult}))
	}
	return e.AgentSession != ""
}
