package agent

import (
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// gemini is Gemini CLI, as recorded from 0.61.0 (testdata). Its calls have no IDs, only a time. A
// failed call has an error in the answer or an exit code in its text.
var gemini = adapter{
	name:       Gemini,
	aliases:    []string{"gemini-cli"},
	common:     claudeCommon,
	projectEnv: "GEMINI_PROJECT_DIR",
	sessionEnv: "GEMINI_SESSION_ID",
	recognises: recogniseGemini,
	refine:     refineGemini,

	// No hook names a helper; what Gemini CLI keeps of one does (package foreign).
	fields:  []field{{"/transcript_path", asFile}, {"/conversation_id", asName}, {"/tool_response/error/message", asText}},
	results: geminiResults,

	events: []eventRule{
		{name: "SessionStart", kind: memory.SessionStarted, input: "/source", answered: true},
		{name: "BeforeAgent", kind: memory.Prompted, text: "/prompt", call: "/timestamp", whole: true, answered: true},
		{name: "AfterTool", kind: memory.ToolUsed, call: "/timestamp", whole: true, answeredAs: memory.ToolFailed},
		{name: "AfterAgent", kind: memory.TurnEnded, text: "/prompt_response"},
		{name: "SessionEnd", kind: memory.SessionEnded, input: "/reason"},

		// Not read: BeforeTool, whose answer is not shown to the model; BeforeModel and AfterModel (every
		// piece; AfterAgent has the message); BeforeToolSelection; PreCompress, which comes whether or
		// not anything is compressed; Notification.
	},

	tools: geminiTools,
}

// geminiTools are the tools of Gemini CLI and of Qwen Code, which is made of it.
var geminiTools = []toolRule{
	{name: "read_file", reads: []string{"/tool_input/file_path", "/tool_input/absolute_path"}},
	{name: "read_many_files", reads: []string{"/tool_input/paths/~"}},
	{name: "write_file|replace|edit", edits: []string{"/tool_input/file_path"}},
	{name: "notebook_edit", edits: []string{"/tool_input/notebook_path"}},
	{name: "run_shell_command", command: "/tool_input/command"},
	{name: "glob", input: "/tool_input/pattern", listed: true},
	{name: "grep_search", input: "/tool_input/pattern", listed: true, mentions: []string{"/tool_response/returnDisplay/matches/~/absolutePath"}},
	{name: "write_todos", plan: planRule{text: "/tool_input/todos/~/description", state: "/tool_input/todos/~/status"}},
	{name: "todo_write", plan: planRule{text: "/tool_input/todos/~/content", state: "/tool_input/todos/~/status"}}, // Qwen Code's
	{name: "google_web_search", input: "/tool_input/query"},
	{name: "agent", input: "/tool_input/description"},
}

var geminiResults = []string{"/tool_response/llmContent", "/tool_response/llmContent/~/text"}

// recogniseGemini goes by the transcript, …/chats/session-….jsonl, and by names of events that no
// other agent has.
func recogniseGemini(p payload) bool {
	if !p.has("/session_id") || !p.has("/timestamp") || p.has("/conversation_id") {
		return false
	}
	switch p.get("/hook_event_name") {
	case "BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress":
		return true
	case "":
		return false
	}
	transcript := p.get("/transcript_path")
	return pathPart(transcript, 2) == "chats" && !isQwens(transcript)
}

func refineGemini(p payload, e *memory.Event) bool {
	asHelper(e)
	if e.Kind == memory.Prompted {
		e.Text = withoutGreeting(e.Text)
	}
	if e.Kind != memory.ToolUsed {
		return true
	}
	const answer = "/tool_response/llmContent"
	switch {
	case p.get("/tool_response/error/message") != "":
		fail(e, p.get("/tool_response/error/message"), p.sizes([]string{answer}))
	case e.Tool == "run_shell_command" && exitCode(p.get(answer), "Exit Code: ") > 0:
		fail(e, p.get(answer), p.sizes([]string{answer}))
	}
	return true
}

// withoutGreeting is a prompt as the person wrote it: a run without a person puts in front of it
// what hooks said when the session began, hebb's own words among them. Gemini quotes angle brackets
// in there, so the first end is the end.
func withoutGreeting(prompt string) string {
	if greeting, ok := strings.CutPrefix(prompt, "<hook_context>"); ok {
		if _, rest, ok := strings.Cut(greeting, "</hook_context>"); ok {
			return strings.TrimLeft(rest, "\n")
		}
	}
	return prompt
}
