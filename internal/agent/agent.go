// Package agent knows what coding agents send to their hooks, as memory.Event, and how each one
// takes an answer. Package wiring writes the hooks into their settings.
//
// An agent is one adapter: tables of its events, tools and fields. The code that reads the tables
// is the same for all, so a new agent is a new table and its recorded payloads.
//
// Decode runs inside the hook, which has a few milliseconds: the tables are plain data laid out by
// the compiler, nothing is built at start, and a payload is scanned as it streams by. It neither
// reads the clock nor draws random numbers.
package agent

import (
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	// ClaudeCode is Anthropic's command-line agent.
	ClaudeCode memory.Agent = "claude-code"
	// Codex is OpenAI's command-line agent.
	Codex memory.Agent = "codex"
	// Gemini is Google's command-line agent.
	Gemini memory.Agent = "gemini"
	// Cursor is the editor of that name and its command-line agent.
	Cursor memory.Agent = "cursor"
	// Copilot is GitHub's command-line agent.
	Copilot memory.Agent = "copilot"
	// Cline is the agent of that name, in VS Code and on the command line.
	Cline memory.Agent = "cline"
	// OpenCode is the open-source agent of that name; hebb reaches it through a plugin.
	OpenCode memory.Agent = "opencode"
	// Kilo is Kilo Code, which takes OpenCode's plugins.
	Kilo memory.Agent = "kilo"
	// OpenClaw is the personal assistant of that name; hebb reaches it through a plugin.
	OpenClaw memory.Agent = "openclaw"
	// Qwen is Qwen Code, Alibaba's command-line agent.
	Qwen memory.Agent = "qwen"
	// Kimi is Kimi Code, Moonshot's command-line agent.
	Kimi memory.Agent = "kimi"
	// Pi is the open-source agent of that name; hebb reaches it through an extension.
	Pi memory.Agent = "pi"
	// VSCode is Microsoft's editor where its own agent runs hooks. It has no settings of its own: it
	// reads the hooks of Copilot and of Claude Code.
	VSCode memory.Agent = "vscode"
	// Auto asks Decode to recognise the agent by its payload.
	Auto memory.Agent = "auto"
)

// adapter describes one agent. An agent with several forms of payload has one adapter for each; the
// first one answers.
type adapter struct {
	name    memory.Agent
	aliases []string

	fields  []field     // what recognises, eventName and refine read beyond the fields of the rules
	common  common      // the fields that most payloads have
	events  []eventRule // those that are recorded
	tools   []toolRule  // tools that say more than their name
	results []string    // fields in which the agent reads the answer of a tool

	projectEnv string // variable that names the project's folder
	sessionEnv string // variable that holds the session's name, for payloads that do not name their agent
	// runs lists the agents whose hooks this one runs too, beside its own or instead of them.
	runs []memory.Agent
	// recognises reports whether a payload is this agent's.
	recognises func(payload) bool
	// eventName derives the event where the payload does not name it.
	eventName func(payload) string
	// refine handles what the tables cannot express. It reports whether the event is to be recorded.
	refine func(payload, *memory.Event) bool

	// source says where a prompt comes from; "" where the agent does not say it.
	source func(p payload, getenv func(string) string) string

	// logged is the tool whose outcome stands in the transcript and not in the payload.
	logged string
	// begins says that the beginning of the transcript names the source of prompts.
	begins bool

	// answerKey is the key of the text in an answer; empty: the answer has Claude's form.
	answerKey string
	// ask are the keys of an answer that has the agent ask the person first; empty: it cannot.
	ask decision
	// room is how much the agent takes from a hook whole, where that is not answerLimit.
	room int
	// silence is what an agent wants to read where there is nothing to say; most want nothing.
	silence string
}

// common names the fields that are the same in all payloads of an agent.
type common struct {
	event, session, subagent, workdir, tool string
	root                                    string // folders of the project, the first of which counts
}

// eventRule says what becomes of one event of an agent.
type eventRule struct {
	name  string
	also  string // another name of the same event
	kind  memory.EventKind
	text  string // field that becomes Event.Text
	input string // field that becomes Event.Input
	tool  string // field with the name of the tool, where it is not the common one
	call  string // field that, with the session, identifies the event
	// whole says that call names only a time or a turn: the content of the event is part of its ID.
	whole bool

	answered bool // the agent waits for this one and shows its model what it says
	// answeredAs is a kind that refine may make of the event, and that is answered then.
	answeredAs memory.EventKind
	// moved says that what the tools have below the first path is below the second one in this event.
	moved [2]string
}

// toolRule says what is read of a call of one tool.
type toolRule struct {
	name    string // several tools of one rule are separated by |
	input   string // field that becomes Event.Input, where command does not
	command string // field with a line for a shell, which names files
	runs    bool   // input is a line for a shell whose files are not read
	patch   string // field with a patch, whose headers name files
	// Fields with paths, by how the files were touched.
	edits, reads, deletes, mentions []string
	plan                            planRule
	listed                          bool   // the answer has the name of a file on each line
	printed                         string // field of the answer with names of files before line numbers
	// results are the fields in which the agent reads the tool's answer, where they are not the common
	// ones.
	results []string
}

// planRule are the fields of a tool that writes the agent's plan: all of its steps, or the one with a
// number.
type planRule struct{ number, text, state string }

func (a *adapter) event(name string) *eventRule {
	for i := range a.events {
		if a.events[i].name == name || a.events[i].also == name && name != "" {
			return &a.events[i]
		}
	}
	return nil
}

// at is where this event has a field of a tool.
func (r *eventRule) at(path string) string {
	if rest, ok := strings.CutPrefix(path, r.moved[0]); ok && r.moved[1] != "" {
		return r.moved[1] + rest
	}
	return path
}

// decision are the keys of an answer under which an agent reads whether a call may be made, and
// why.
type decision struct{ verdict, reason string }

// answers reports whether the agent shows its model an answer to this event where it is of some
// kind.
func (r *eventRule) answers(kind memory.EventKind) bool {
	return r.answered && r.kind == kind || r.answeredAs != "" && r.answeredAs == kind
}

// changesFiles reports whether the fields of a tool name files that it changes.
func (t *toolRule) changesFiles() bool {
	return t.patch != "" || len(t.edits) > 0 || len(t.deletes) > 0
}

// acts reports whether a tool changes files or runs commands.
func (t *toolRule) acts() bool { return t.runs || t.command != "" || t.changesFiles() }

// resultsOf lists the fields with the answer of a tool, which may have no rule. A change only
// repeats what was asked: it has none.
func (a *adapter) resultsOf(t *toolRule) []string {
	switch {
	case t == nil:
		return a.results
	case t.results != nil:
		return t.results
	case t.changesFiles():
		return nil
	}
	return a.results
}

func (a *adapter) tool(name string) *toolRule {
	for i := range a.tools {
		for one := range strings.SplitSeq(a.tools[i].name, "|") {
			if one == name {
				return &a.tools[i]
			}
		}
	}
	return nil
}
