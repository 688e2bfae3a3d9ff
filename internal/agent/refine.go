package agent

import (
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// exitCode reads the number between the last mark in a text and the end of that line, 0 if there is
// none.
func exitCode(text, mark string) int {
	at := strings.LastIndex(text, mark)
	if at < 0 {
		return 0
	}
	number, _, _ := strings.Cut(text[at+len(mark):], "\n")
	code, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil {
		return 0
	}
	return max(code, -code)
}

// fail turns the use of a tool into its failure, where only the answer says so.
func fail(e *memory.Event, text string, size *int64) {
	e.Kind, e.Text, e.Touches, e.ResultBytes = memory.ToolFailed, text, nil, size
}

// workFor moves the events of a session that works for another to that one.
func workFor(e *memory.Event, parent string) {
	if parent == "" {
		return
	}
	e.AgentSession, e.Subagent = parent, e.AgentSession
	asHelper(e)
}

// asHelper changes the kinds of a subagent's events where its agent reports them like those of a
// session. The prompt of a subagent comes from the agent.
func asHelper(e *memory.Event) {
	switch {
	case e.Subagent == "":
	case e.Kind == memory.SessionStarted:
		e.Kind, e.Input = memory.SubagentBegan, ""
	case e.Kind == memory.TurnEnded:
		e.Kind = memory.SubagentEnded
	case e.Kind == memory.Prompted:
		e.Origin = memory.OriginAgent
	}
}
