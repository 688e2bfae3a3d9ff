package record

import (
	"context"
	"fmt"
	"math"
	"strconv"
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

// FindSession looks a session up by its ID, by the beginning of it, or by the agent's own name of the run.
func FindSession(ctx context.Context, tx *store.Tx, name string) (memory.Session, error) {
	first, last, isID := memory.SessionsFrom(name)
	if label, err := strconv.ParseUint(name, 16, 32); err == nil && len(name) == len(ShortID(0)) { // as files for people name it
		first, isID = memory.SessionID(label<<32), true
		last = first | math.MaxUint32
	}
	if !isID {
		first, last = 1, 0 // an empty range
	}
	found, err := tx.SessionsLike(ctx, first, last, name, 2)
	switch {
	case err != nil:
		return memory.Session{}, err
	case len(found) == 0:
		return memory.Session{}, fmt.Errorf("session %q (hebb sessions --all lists them): %w", name, memory.ErrNotFound)
	case len(found) > 1:
		return memory.Session{}, fmt.Errorf("session %q could be %s or %s: %w", name, found[0].ID, found[1].ID, memory.ErrConflict)
	}
	return found[0], nil
}
