package desk

import (
	"context"
	"fmt"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// SessionByHand is a session that only a person describes.
func SessionByHand(ctx context.Context, tx *store.Tx, id memory.ProjectID, e ShelfEntry) (memory.Session, error) {
	at := e.At
	if at.IsZero() || at.After(tx.Now) {
		at = tx.Now
	}
	run := fmt.Sprintf("by hand %016x", uint64(memory.ContentHash("session", e.Happened, e.Learned, e.Next)))
	s := memory.Session{
		ID: memory.NewSessionID(memory.AgentUser, run, id), Project: id, Agent: memory.AgentUser, AgentSession: run,
		OpenedAt: at, LastEventAt: at, ClosedAt: at, CloseReason: memory.ClosedByWrapUp,
	}
	known, err := tx.Session(ctx, s.ID)
	if brain.IsNotFound(err) {
		return s, nil
	}
	return known, err
}

// FileView is one file for people: how it is written, and what an edit of it means.
type FileView struct {
	Name   string
	Render func(ctx context.Context, tx *store.Tx) (string, error)
	// Import gets the text that hebb knew and what a person made of it.
	Import func(ctx context.Context, r *record.Recorder, base, text string) error
	// ImportParts replaces Import where an edit may be large: it stores as much as one look should, in transactions of
	// its own, and returns how many entries it left in the file.
	ImportParts func(ctx context.Context, base, text string) (left int, err error)
}
