package agent

import (
	"cmp"
	"strconv"

	"github.com/hebb-memory/hebb/internal/memory"
)

// OpenCode and Kilo have no hooks that are programs. hebb's plugin for them, one file for both,
// calls hebb hook with one object on its input for each event, in the words of OpenCode's plugin
// interface (recorded from 1.18.33 and Kilo 7.7.9):
//
//	{"agent": "opencode",           or "kilo": whose plugin it is
//	 "hook": "tool.execute.after",  the hook of the plugin, or the type of an event of the bus
//	 "directory": "/home/dev/proj", as the plugin was given it
//	 "parent": "ses_…",             only in a session that works for another: that one, the outermost
//	 "input": {…}, "output": {…},   the two arguments of the hook; of an event its properties are the input
//	 "source": "compact",           with session.created: how the session begins, if not anew
//	 "text": "…",                   with session.idle: what the agent said last
//	 "error": "…"}                  with tool.execute.error: what went wrong
//
// The plugin sends these, and may leave out of input and output what the rules below do not name:
//
//	session.created     before the first message of a session; source is resume where the plugin has not seen it begin, and
//	                    once more compact after session.compacted. Answered: the plugin adds the text to the next message, or to
//	                    the result of the next tool if that comes first.
//	chat.message        with the parts of output that a person wrote (not those marked synthetic). Answered: the plugin adds
//	                    the text to the message, as a part marked synthetic.
//	tool.execute.before of tools that change files or run commands. Answered: the plugin adds the text to the tool's result.
//	tool.execute.after  as it is. Answered where a command failed: the plugin adds the text to the result.
//	tool.execute.error  no hook of OpenCode: the plugin makes it of a message.part.updated whose part is a tool with the
//	                    state error, with tool, sessionID, callID and args (the state's input) as input. Answered: the plugin adds
//	                    the text to the result of the next tool in the same turn, else nowhere.
//	session.idle, session.compacted, experimental.session.compacting
//	dispose             once for each session that is open, with its sessionID as input
//
// The answer, where there is one, is {"context": "…"}.
var opencodeFields = []field{{"/agent", asName}, {"/parent", asName}, {"/input/info/parentID", asName}, {"/output/metadata/exit", asScalar}}

var opencodeEvents = []eventRule{
	{name: "session.created", kind: memory.SessionStarted, input: "/source", answered: true, answeredAs: memory.SubagentBegan},
	{name: "chat.message", kind: memory.Prompted, text: "/output/parts/~/text", call: "/output/message/id", answered: true},
	{name: "tool.execute.before", kind: memory.ToolPlanned, call: "/input/callID", answered: true,
		moved: [2]string{"/input/args", "/output/args"}},
	{name: "tool.execute.after", kind: memory.ToolUsed, call: "/input/callID", answeredAs: memory.ToolFailed},
	{name: "tool.execute.error", kind: memory.ToolFailed, text: "/error", call: "/input/callID", answered: true},
	{name: "experimental.session.compacting", kind: memory.Compacting},
	{name: "session.compacted", kind: memory.Compacted, text: "/text"},
	{name: "session.idle", kind: memory.TurnEnded, text: "/text"},
	{name: "dispose", kind: memory.SessionEnded},

	// Not read. Another event says it: session.status, session.drained, session.diff, message.updated,
	// message.part.updated, message.part.delta, file.edited, todo.updated. Not about the work:
	// session.updated, session.deleted, file.watcher.updated (anybody may have changed the file).
}

var opencodeTools = []toolRule{
	{name: "read", reads: []string{"/input/args/filePath"}},
	{name: "edit|multiedit|write", edits: []string{"/input/args/filePath"}},
	{name: "patch|apply_patch", patch: "/input/args/patchText"},
	{name: "bash", command: "/input/args/command"},
	{name: "glob|grep", input: "/input/args/pattern", listed: true},
	{name: "todowrite", plan: planRule{text: "/input/args/todos/~/content", state: "/input/args/todos/~/status"}},
	{name: "task", input: "/input/args/description"},
	{name: "webfetch", input: "/input/args/url"},
}

var opencodeCommon = common{event: "/hook", session: "/input/sessionID", workdir: "/directory", tool: "/input/tool"}

var opencode = adapter{
	name: OpenCode, common: opencodeCommon, fields: opencodeFields, events: opencodeEvents, tools: opencodeTools,
	results:    []string{"/output/output", "/output/content/~/text"},
	recognises: func(p payload) bool { return p.get("/agent") == string(OpenCode) && p.has("/hook") },
	refine:     refineOpenCode,
	answerKey:  "context",
}

var kilo = adapter{
	name: Kilo, aliases: []string{"kilocode"},
	common: opencodeCommon, fields: opencodeFields, events: opencodeEvents, tools: opencodeTools,
	results:    []string{"/output/output", "/output/content/~/text"},
	recognises: func(p payload) bool { return p.get("/agent") == string(Kilo) && p.has("/hook") },
	refine:     refineOpenCode,
	answerKey:  "context",
}

func refineOpenCode(p payload, e *memory.Event) bool {
	workFor(e, cmp.Or(p.get("/parent"), p.get("/input/info/parentID")))
	if exit, _ := strconv.Atoi(p.get("/output/metadata/exit")); e.Kind == memory.ToolUsed && exit != 0 {
		said := p.get("/output/output")
		if said == "" {
			said = "Exit code " + strconv.Itoa(exit)
		}
		fail(e, said, p.sizes([]string{"/output/output"}))
	}
	return e.AgentSession != "" // the end of the program is not that of a session
}
