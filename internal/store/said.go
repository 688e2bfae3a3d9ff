package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// textKinds are the events whose words can be found: what was said, and what commits say of themselves.
const textKinds = `'` + string(memory.Committed) + `', '` + string(memory.Prompted) + `', '` + string(memory.TurnEnded) + `', '` + string(memory.Compacted) + `'`

// EventsWithText returns events after one that have something to say, with their touches, in order.
func (tx *Tx) EventsWithText(ctx context.Context, after int64, limit int) ([]Numbered, error) {
	found, err := tx.eventsWithTouches(ctx, ` WHERE seq > ? AND kind IN (`+textKinds+`) AND text <> '' ORDER BY seq LIMIT ?`, after, limit)
	return found, db.Wrap(err, "events with text")
}

// CountEventsWithText counts what EventsWithText would return without a limit.
func (tx *Tx) CountEventsWithText(ctx context.Context, after int64) (int64, error) {
	return db.Value[int64](ctx, tx.db, `SELECT COUNT(*) FROM event WHERE seq > ? AND kind IN (`+textKinds+`) AND text <> ''`, after)
}

// Prompts returns what the person typed in a project since a moment, or in all projects if it is 0, the latest first and without touches.
func (tx *Tx) Prompts(ctx context.Context, project memory.ProjectID, since time.Time, limit int) ([]Numbered, error) {
	w := EventFilter{Project: project, Kind: memory.Prompted, Origin: memory.OriginUser, Since: since}.where()
	w.And(`subagent = ''`)
	found, err := tx.eventRows(ctx, w.String()+` ORDER BY at DESC, seq DESC`+w.Limit(limit), w.Args...)
	return found, db.Wrap(err, "prompts")
}

// Said returns the latest of what was said in a session up to one of its events, in order.
func (tx *Tx) Said(ctx context.Context, session memory.SessionID, upto int64, limit int) ([]Numbered, error) {
	found, err := tx.eventsWithTouches(ctx, ` WHERE session_id = ? AND ord <= ? AND kind IN (`+textKinds+`) AND text <> '' ORDER BY ord DESC, seq DESC LIMIT ?`,
		int64(session), upto, limit)
	if err != nil {
		return nil, fmt.Errorf("what was said in %s: %w", session, err)
	}
	slices.Reverse(found)
	return found, nil
}

// SaidBetween returns what was said in a session from one of its events to another, up to a limit, in order.
func (tx *Tx) SaidBetween(ctx context.Context, session memory.SessionID, from, to int64, limit int) ([]Numbered, error) {
	found, err := tx.eventsWithTouches(ctx, ` WHERE session_id = ? AND ord >= ? AND ord <= ? AND kind IN (`+textKinds+`) AND text <> '' ORDER BY ord, seq LIMIT ?`,
		int64(session), from, to, limit)
	return found, db.Wrap(err, "what was said in %s", session)
}

// EditedBetween returns the files that a session changed after one of its events, up to another.
func (tx *Tx) EditedBetween(ctx context.Context, session memory.SessionID, after, upto int64, limit int) ([]string, error) {
	return db.All[string](ctx, tx.db, `SELECT DISTINCT neuron.key FROM event JOIN access ON access.event_seq = event.seq JOIN neuron ON neuron.id = access.neuron_id
		WHERE event.session_id = ? AND event.ord > ? AND event.ord <= ? AND access.kind = ? ORDER BY neuron.key LIMIT ?`,
		[]any{int64(session), after, upto, string(memory.Edit), limit}, db.Column)
}
