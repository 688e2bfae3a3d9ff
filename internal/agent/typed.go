package agent

import "strings"

// submitted are the beginnings of prompts that no person typed: the agent itself submits notices of background tasks, its own commands
// and their output, reminders, what is open in an editor, summaries of a conversation that was compacted, and instructions.
var submitted = []string{
	"<command-", "<local-command-", "<bash-", "<task-notification", "<system-reminder", "<user-memory-input", "<ide_", // Claude Code
	"caveat: the messages below", "this session is being continued", "base directory for this skill", "operation stopped by hook", "[request interrupted",
	"<environment_context", "<user_instructions", "<subagent_notification", "<turn_aborted", "# agents.md instructions for", // Codex
}

// typed reports whether a person typed a prompt.
func typed(prompt string) bool {
	prompt = strings.ToLower(strings.TrimSpace(prompt[:min(len(prompt), promptHead)]))
	for _, beginning := range submitted {
		if strings.HasPrefix(prompt, beginning) {
			return false
		}
	}
	return true
}

const promptHead = 200 // bytes: longer than any beginning, with blanks before it
