package store

import (
	"context"
	"errors"
	"math"
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

// SaidBetween returns what was said in a session from one of its events to another, in order.
func (tx *Tx) SaidBetween(ctx context.Context, session memory.SessionID, from, to int64) ([]Numbered, error) {
	found, err := tx.eventsWithTouches(ctx, ` WHERE session_id = ? AND ord >= ? AND ord <= ? AND kind IN (`+textKinds+`) AND text <> '' ORDER BY ord, seq`,
		int64(session), from, to)
	return found, db.Wrap(err, "what was said in %s", session)
}

// AnswersTo returns what an agent said after a prompt, which is named by its number, until the next one.
func (tx *Tx) AnswersTo(ctx context.Context, session memory.SessionID, prompt int64) ([]Numbered, error) {
	const next = `SELECT MIN(ord) FROM event WHERE session_id = asked.session_id AND ord > asked.ord AND kind = '` + string(memory.Prompted) + `' AND text <> ''`
	var from, to int64
	err := tx.db.One(ctx, `SELECT ord + 1, COALESCE((`+next+`) - 1, ?) FROM event AS asked WHERE seq = ?`, []any{int64(math.MaxInt64), prompt}, &from, &to)
	if errors.Is(err, memory.ErrNotFound) {
		return nil, nil // forgotten meanwhile
	}
	if err != nil {
		return nil, db.Wrap(err, "answers of %s", session)
	}
	return tx.eventRows(ctx, ` WHERE session_id = ? AND ord >= ? AND ord <= ? AND kind = ? AND text <> '' ORDER BY ord, seq`,
		int64(session), from, to, string(memory.TurnEnded))
}

// TurnsBeside returns the places of the first and the last event of the turns in a session that hold its events from one to another, with some
// turns before and after them: 0 and the largest number where the session has no more. A turn begins with a prompt.
func (tx *Tx) TurnsBeside(ctx context.Context, session memory.SessionID, from, to int64, beside int) (first, last int64, err error) {
	const prompts = `SELECT ord FROM event WHERE session_id = ? AND kind = '` + string(memory.Prompted) + `' AND text <> '' AND ord `
	err = tx.db.One(ctx, `SELECT COALESCE((`+prompts+`<= ? ORDER BY ord DESC LIMIT 1 OFFSET ?), 0), COALESCE((`+prompts+`> ? ORDER BY ord LIMIT 1 OFFSET ?) - 1, ?)`,
		[]any{int64(session), from, beside, int64(session), to, beside, int64(math.MaxInt64)}, &first, &last)
	return first, last, db.Wrap(err, "turns of %s", session)
}

// EditedBetween returns the files that a session changed after one of its events, up to another.
func (tx *Tx) EditedBetween(ctx context.Context, session memory.SessionID, after, upto int64, limit int) ([]string, error) {
	return db.All[string](ctx, tx.db, `SELECT DISTINCT neuron.key FROM event JOIN access ON access.event_seq = event.seq JOIN neuron ON neuron.id = access.neuron_id
		WHERE event.session_id = ? AND event.ord > ? AND event.ord <= ? AND access.kind = ? ORDER BY neuron.key LIMIT ?`,
		[]any{int64(session), after, upto, string(memory.Edit), limit}, db.Column)
}
