package typed

import "strings"

// Who submitted a prompt.
type Who uint8

const (
	Person  Who = iota
	Program     // a task that an agent or a script wrote: a plan, a message of another session, a headless run
	Notice      // what an agent says to its model in the place of the person
)

// By says who submitted a prompt: by what the agent says of its source, "" if it says nothing, then
// by how the text begins.
func By(source, prompt string) Who {
	switch {
	case source == "" || isPersons(source):
	case IsHeadless(source):
		return Program
	default:
		return Notice
	}
	return submitted(prompt)
}

// SourceOf is the source of a prompt of Claude Code: what it says of the prompt, else how the
// program was entered. Editors speak through the SDK as scripts do.
func SourceOf(source, entrypoint string) string {
	if source != "" && source != "sdk" || entrypoint == "" {
		return source
	}
	if IsHeadless(entrypoint) {
		return entrypoint
	}
	return ""
}

// isPersons reports whether a source is a person at a keyboard, as Claude Code names it.
func isPersons(source string) bool {
	switch source {
	case "user", "human", "typed", "queued":
		return true
	}
	return false
}

// IsHeadless reports whether a source is a program that hands over a task.
func IsHeadless(source string) bool {
	switch source {
	case "exec", "mcp", "peer", "teammate", "coordinator", "suggestion_accepted":
		return true
	}
	return strings.HasPrefix(source, "sdk") || strings.HasSuffix(source, "-action")
}

// beginning is how a prompt begins that no person typed, in lower case.
type beginning struct {
	text string
	who  Who
}

// Whatever follows these was not typed either.
var beginnings = [...]beginning{
	// Claude Code: commands and their output, skills, tasks in the background, hooks, compaction.
	{"<command-", Notice}, {"<local-command-", Notice}, {"<bash-", Notice}, {"<task-notification", Notice},
	{"<user-memory-input", Notice}, {"<monitor-", Notice}, {"[request interrupted", Notice},
	{"[system notification", Notice}, {"[subagent ", Notice}, {"caveat: the messages below", Notice},
	{"this session is being continued", Notice}, {"base directory for this skill", Notice},
	{"operation stopped by hook", Notice}, {"stop hook feedback", Notice}, {"subagentstop hook feedback", Notice},
	{"implement the following plan:", Program}, {"<teammate-message", Program}, {"<agent-message", Program},
	{"<cross-session-message", Program}, {"<channel ", Program}, {"another claude session sent a message", Program},
	// Codex: instructions, reviews of approvals, helpers.
	{"<subagent_notification", Notice}, {"<turn_aborted", Notice}, {"<goal_context", Notice}, {"<hook_prompt", Notice},
	{"<skill>", Notice}, {"# agents.md instructions", Notice}, {"the following is the codex agent history", Notice},
	{">>> transcript ", Notice}, {">>> approval request", Notice},
}

// wrappers are tags with which agents put something before what a person typed, if that follows.
var wrappers = [...]string{
	"<system-reminder", "<ide_", "<user-prompt-submit-hook", "<new-diagnostics", "<current_datetime", "<environment_context",
	"<user_instructions", "<instructions>", "<permissions ", "<session_context", "<state_snapshot",
}

const headBytes = 64 // more than the longest of these

func submitted(prompt string) Who {
	for {
		prompt = strings.TrimLeft(prompt, " \t\r\n")
		if prompt == "" {
			return Person
		}
		head := strings.ToLower(prompt[:min(len(prompt), headBytes)])
		for _, b := range beginnings {
			if strings.HasPrefix(head, b.text) {
				return b.who
			}
		}
		wrapped := false
		for _, w := range wrappers {
			wrapped = wrapped || strings.HasPrefix(head, w)
		}
		if !wrapped {
			return Person
		}
		if prompt = afterTag(prompt); strings.TrimSpace(prompt) == "" {
			return Notice
		}
	}
}

// afterTag is what follows the tag with which a text begins, and what it encloses: nothing if it is
// not closed.
func afterTag(text string) string {
	name := text[1:max(strings.IndexAny(text, " >\n"), 1)]
	_, after, _ := strings.Cut(text, "</"+name+">")
	return after
}
