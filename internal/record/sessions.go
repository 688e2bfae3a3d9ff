package record

import (
	"context"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// Filter chooses the events of a session, or of a project.
func Filter(ctx context.Context, b *brain.Brain, tx *store.Tx, scope brain.Scope, session string) (f store.EventFilter, err error) {
	if session == "" {
		f.Project, err = b.Resolve(ctx, tx, scope)
		return f, err
	}
	s, err := FindSession(ctx, tx, session)
	f.Session = s.ID
	return f, err
}

// Logs reports whether a session is to be kept on the shelves: as the settings say, or because it was wrapped up.
func Logs(b *brain.Brain, s memory.Session) bool {
	return b.Config.Gates.Log.Always() || s.CloseReason == memory.ClosedByWrapUp
}

// ShortID is the label of a session in files for people.
func ShortID(id memory.SessionID) string { return fmt.Sprintf("%08x", uint64(id)>>32) }

// Wrapped closes a session by wrap-up. One that was closed without counting, because the settings ask first, counts now.
func (r *Recorder) Wrapped(ctx context.Context, s memory.Session) error {
	if !s.Open() && (s.Ticked || s.Agent == memory.AgentUser) { // one that nobody saw moves no clock
		s.CloseReason = memory.ClosedByWrapUp
		return r.Tx.SaveSession(ctx, s)
	}
	if s.Happened == "" {
		s = s.WithoutDerivedSummary() // it had no summary; now it needs one
	}
	s.ClosedAt = time.Time{}
	return r.CloseSession(ctx, s, memory.ClosedByWrapUp, false, r.Tx.Now)
}
