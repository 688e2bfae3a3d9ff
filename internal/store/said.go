package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Numbered is an event with its number.
type Numbered struct {
	Seq int64
	memory.StoredEvent
}

// textKinds are the events whose words can be found: what was said, and what commits say of themselves.
const textKinds = `'` + string(memory.Committed) + `', '` + string(memory.Prompted) + `', '` + string(memory.TurnEnded) + `', '` + string(memory.Compacted) + `'`

// EventsWithText returns events after one that have something to say, with their touches, in order.
func (tx *Tx) EventsWithText(ctx context.Context, after int64, limit int) ([]Numbered, error) {
	found, err := tx.eventsNumbered(ctx, ` WHERE seq > ? AND kind IN (`+textKinds+`) AND text <> '' ORDER BY seq LIMIT ?`, after, limit)
	if err != nil {
		return nil, fmt.Errorf("events with text: %w", err)
	}
	return found, nil
}

// CountEventsWithText counts what EventsWithText would return without a limit.
func (tx *Tx) CountEventsWithText(ctx context.Context, after int64) (n int64, err error) {
	if err = tx.one(ctx, `SELECT COUNT(*) FROM event WHERE seq > ? AND kind IN (`+textKinds+`) AND text <> ''`, []any{after}, &n); err != nil {
		return 0, fmt.Errorf("count events with text: %w", err)
	}
	return n, nil
}

// Said returns the latest of what was said in a session up to one of its events, in order.
func (tx *Tx) Said(ctx context.Context, session memory.SessionID, upto int64, limit int) ([]Numbered, error) {
	found, err := tx.eventsNumbered(ctx, ` WHERE session_id = ? AND ord <= ? AND kind IN (`+textKinds+`) AND text <> '' ORDER BY ord DESC, seq DESC LIMIT ?`,
		int64(session), upto, limit)
	if err != nil {
		return nil, fmt.Errorf("what was said in %s: %w", session, err)
	}
	slices.Reverse(found)
	return found, nil
}

// SaidBetween returns what was said in a session from one of its events to another, so many at most, in order.
func (tx *Tx) SaidBetween(ctx context.Context, session memory.SessionID, from, to int64, limit int) ([]Numbered, error) {
	found, err := tx.eventsNumbered(ctx, ` WHERE session_id = ? AND ord >= ? AND ord <= ? AND kind IN (`+textKinds+`) AND text <> '' ORDER BY ord, seq LIMIT ?`,
		int64(session), from, to, limit)
	if err != nil {
		return nil, fmt.Errorf("what was said in %s: %w", session, err)
	}
	return found, nil
}

func (tx *Tx) eventsNumbered(ctx context.Context, tail string, args ...any) ([]Numbered, error) {
	var rows []row
	if err := tx.eventRows(ctx, tail, args, func(r row) error { rows = append(rows, r); return nil }); err != nil {
		return nil, err
	}
	found := make([]Numbered, len(rows))
	for i, r := range rows {
		if err := tx.loadTouches(ctx, &r); err != nil {
			return nil, err
		}
		found[i] = Numbered{Seq: r.seq, StoredEvent: r.StoredEvent}
	}
	return found, nil
}

// EditedBetween returns the files that a session changed after one of its events, up to another.
func (tx *Tx) EditedBetween(ctx context.Context, session memory.SessionID, after, upto int64, limit int) (paths []string, err error) {
	err = tx.each(ctx, `SELECT DISTINCT neuron.key FROM event JOIN access ON access.event_seq = event.seq JOIN neuron ON neuron.id = access.neuron_id
		WHERE event.session_id = ? AND event.ord > ? AND event.ord <= ? AND access.kind = ? ORDER BY neuron.key LIMIT ?`,
		[]any{int64(session), after, upto, string(memory.Edit), limit}, scanInto(&paths))
	if err != nil {
		return nil, fmt.Errorf("files of %s: %w", session, err)
	}
	return paths, nil
}
