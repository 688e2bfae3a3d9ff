package store

import (
	"context"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// A command that works instead of one that failed follows it as one of so many events, and within so long.
const (
	InsteadMost   = 12
	InsteadWithin = 15 * time.Minute
)

// commandHash is equal for tool calls that run the same command; 0: it runs none. What other tools are given is no command.
func commandHash(e memory.Event) int64 {
	if !IsCommand(e) {
		return 0
	}
	return memory.ContentHash("command", shell.Form(e.Input, e.Place.Root))
}

// IsCommand reports whether an event is a call that ran a command.
func IsCommand(e memory.Event) bool {
	return isCall(e.Kind) && e.Input != "" && shell.IsTool(e.Tool)
}

// RunsOf returns the latest runs in a project of the command that a tool call runs or would run, newest first, without their touches.
func (tx *Tx) RunsOf(ctx context.Context, project memory.ProjectID, call memory.Event, limit int) ([]memory.StoredEvent, error) {
	call.Kind = memory.ToolUsed
	// The second condition lets the index of commands serve.
	return tx.commands(ctx, ` WHERE project_id = ? AND command = ? AND command <> 0 ORDER BY at DESC, seq DESC LIMIT ?`, int64(project), commandHash(call), limit)
}

// CommandsBefore returns the latest commands that the session of an event ran before it, newest first, without their touches. Subagents work by
// themselves.
func (tx *Tx) CommandsBefore(ctx context.Context, e memory.StoredEvent, limit int) ([]memory.StoredEvent, error) {
	return tx.commands(ctx, ` WHERE session_id = ? AND ord < ? AND ord >= ? AND command <> 0 AND subagent = ? ORDER BY ord DESC LIMIT ?`,
		int64(e.Session), e.Ord, e.Ord-CommandReach, e.Subagent, limit)
}

// EventsAfter returns what a session did next after an event, in order, with the touches.
func (tx *Tx) EventsAfter(ctx context.Context, e memory.StoredEvent, limit int) ([]memory.StoredEvent, error) {
	found, err := tx.eventsWithTouches(ctx, ` WHERE session_id = ? AND ord > ? ORDER BY ord LIMIT ?`, int64(e.Session), e.Ord, limit)
	return plain(found), db.Wrap(err, "what followed event %s", e.ID)
}

// CommandReach is how many events before a success a failure of the same command is looked for: an hour of work.
const CommandReach = 400

func (tx *Tx) commands(ctx context.Context, tail string, args ...any) ([]memory.StoredEvent, error) {
	found, err := tx.eventRows(ctx, tail, args...)
	return plain(found), db.Wrap(err, "runs of a command")
}

func plain(found []Numbered) []memory.StoredEvent {
	events := make([]memory.StoredEvent, len(found))
	for i, e := range found {
		events[i] = e.StoredEvent
	}
	return events
}
