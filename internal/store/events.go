package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Known reports whether the event is already stored, or was forgotten on purpose.
func (tx *Tx) Known(ctx context.Context, id memory.EventID) (bool, error) {
	var found int
	err := tx.one(ctx, `SELECT 1 WHERE EXISTS (SELECT 1 FROM event WHERE id = ?)
		OR EXISTS (SELECT 1 FROM tombstone WHERE event_id = ?)`, []any{string(id), string(id)}, &found)
	if errors.Is(err, memory.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for event %s: %w", id, err)
	}
	return true, nil
}

// InsertEvent stores an event with its accesses and lets the neurons it touches count them. It returns the event's
// number, or 0 when the event is already there, and then changes nothing.
func (tx *Tx) InsertEvent(ctx context.Context, e memory.StoredEvent) (seq int64, err error) {
	var session any
	if e.Session != 0 {
		session = int64(e.Session)
	}
	err = tx.one(ctx, `
		INSERT INTO event (id, project_id, session_id, ord, at, kind, origin, agent, subagent, tool, input, text,
			result_bytes, hash)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO NOTHING RETURNING seq`,
		[]any{
			string(e.ID), int64(e.Project), session, e.Ord, millis(e.At), string(e.Kind), string(e.Origin), string(e.Agent),
			e.Subagent, e.Tool, e.Input, e.Text, e.ResultBytes, e.Hash(),
		}, &seq)
	if errors.Is(err, memory.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("insert event %s: %w", e.ID, err)
	}
	for n, touch := range e.Touches {
		if err := tx.insertAccess(ctx, seq, n, e, memory.FileNeuron, touch); err != nil {
			return 0, fmt.Errorf("insert event %s: access to %q: %w", e.ID, touch.Path, err)
		}
	}
	return seq, nil
}

// errorAccess is the kind of an access to an error, which is no touch of a file.
const errorAccess memory.TouchKind = "error"

// MeetError counts that an event met an error.
func (tx *Tx) MeetError(ctx context.Context, seq int64, e memory.StoredEvent, key string) error {
	err := tx.insertAccess(ctx, seq, len(e.Touches), e, memory.ErrorNeuron, memory.Touch{Kind: errorAccess, Path: key})
	if err != nil {
		return fmt.Errorf("event %s: meet error: %w", e.ID, err)
	}
	return nil
}

func (tx *Tx) insertAccess(ctx context.Context, seq int64, n int, e memory.StoredEvent, kind memory.NeuronKind, touch memory.Touch) error {
	id := memory.NewNeuronID(e.Project, kind, touch.Path)
	_, err := tx.exec(ctx, `
		INSERT INTO neuron (id, project_id, kind, key, accesses, first_at, last_at) VALUES (?, ?, ?, ?, 1, ?, ?)
		ON CONFLICT (id) DO UPDATE SET
			accesses = neuron.accesses + 1,
			first_at = CASE WHEN excluded.first_at < neuron.first_at THEN excluded.first_at ELSE neuron.first_at END,
			last_at  = CASE WHEN excluded.last_at > neuron.last_at THEN excluded.last_at ELSE neuron.last_at END`,
		int64(id), int64(e.Project), string(kind), touch.Path, millis(e.At), millis(e.At))
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `INSERT INTO access (event_seq, n, neuron_id, kind, old_path) VALUES (?, ?, ?, ?, ?)`,
		seq, n, int64(id), string(touch.Kind), touch.From)
	return err
}

// EventFilter chooses events; zero fields do not filter.
type EventFilter struct {
	ID      memory.EventID   `json:"id,omitzero"`
	IDs     []memory.EventID `json:"ids,omitzero"`
	Seqs    []int64          `json:"seqs,omitzero"` // numbers
	Project memory.ProjectID `json:"project,omitzero"`
	Session memory.SessionID `json:"session,omitzero"`
	Kind    memory.EventKind `json:"kind,omitzero"`
	Origin  memory.Origin    `json:"origin,omitzero"`
	Since   time.Time        `json:"since,omitzero"`
	Limit   int              `json:"limit,omitzero"`
}

func (f EventFilter) where() *where {
	w := &where{}
	if f.ID != "" {
		w.and(`id = ?`, string(f.ID))
	}
	if len(f.IDs) > 0 {
		args := make([]any, len(f.IDs))
		for i, id := range f.IDs {
			args[i] = string(id)
		}
		w.and(`id IN (?`+strings.Repeat(`, ?`, len(args)-1)+`)`, args...)
	}
	if len(f.Seqs) > 0 {
		args := padded(f.Seqs)
		w.and(`seq IN (?`+strings.Repeat(`, ?`, len(args)-1)+`)`, args...)
	}
	if f.Project != 0 {
		w.and(`project_id = ?`, int64(f.Project))
	}
	if f.Session != 0 {
		w.and(`session_id = ?`, int64(f.Session))
	}
	if f.Kind != "" {
		w.and(`kind = ?`, string(f.Kind))
	}
	if f.Origin != "" {
		w.and(`origin = ?`, string(f.Origin))
	}
	if !f.Since.IsZero() {
		w.and(`at >= ?`, millis(f.Since))
	}
	return w
}

// Events returns events with their touches, newest first.
func (tx *Tx) Events(ctx context.Context, f EventFilter) ([]memory.StoredEvent, error) {
	w := f.where()
	tail := ` ORDER BY at DESC, seq DESC`
	if f.Limit > 0 {
		tail += ` LIMIT ?`
		w.args = append(w.args, f.Limit)
	}
	var found []row
	if err := tx.eventRows(ctx, w.String()+tail, w.args, func(r row) error {
		found = append(found, r)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("events: %w", err)
	}
	load := tx.loadTouches
	if f.Session != 0 && len(found) > 1 {
		touches, err := tx.touchesOf(ctx, f, found)
		if err != nil {
			return nil, fmt.Errorf("events: %w", err)
		}
		load = func(_ context.Context, r *row) error { r.Touches = touches[r.seq]; return nil }
	}
	events := make([]memory.StoredEvent, len(found))
	for i, r := range found {
		if err := load(ctx, &r); err != nil {
			return nil, fmt.Errorf("events: %w", err)
		}
		events[i] = r.StoredEvent
	}
	return events, nil
}

// touchesOf are the touches of some events of a session, found by a filter, by the number of their event: one query instead of
// one for each. It reads no further than they reach: whoever asks for the latest must not pay for the whole session.
func (tx *Tx) touchesOf(ctx context.Context, f EventFilter, events []row) (map[int64][]memory.Touch, error) {
	touches := make(map[int64][]memory.Touch, len(events))
	first, last := events[0].seq, events[0].seq
	for _, e := range events {
		first, last = min(first, e.seq), max(last, e.seq)
		touches[e.seq] = nil
	}
	w := where{}
	w.and(`event.session_id = ? AND event.seq BETWEEN ? AND ? AND access.kind <> ?`, int64(f.Session), first, last, string(errorAccess))
	if f.Kind != "" {
		w.and(`event.kind = ?`, string(f.Kind))
	}
	err := tx.each(ctx, `SELECT access.event_seq, access.kind, neuron.key, access.old_path FROM event JOIN access ON access.event_seq = event.seq
		JOIN neuron ON neuron.id = access.neuron_id`+w.String()+` ORDER BY access.event_seq, access.n`, w.args, func(rows *sql.Rows) error {
		var seq int64
		var t memory.Touch
		err := rows.Scan(&seq, &t.Kind, &t.Path, &t.From)
		if _, wanted := touches[seq]; wanted {
			touches[seq] = append(touches[seq], t)
		}
		return err
	})
	return touches, err
}

// EventBySeq returns an event by its number.
func (tx *Tx) EventBySeq(ctx context.Context, seq int64) (memory.StoredEvent, error) {
	var found []row
	err := tx.eventRows(ctx, ` WHERE seq = ?`, []any{seq}, func(r row) error {
		found = append(found, r)
		return nil
	})
	if err == nil && len(found) == 0 {
		err = memory.ErrNotFound
	}
	if err == nil {
		err = tx.loadTouches(ctx, &found[0])
	}
	if err != nil {
		return memory.StoredEvent{}, fmt.Errorf("event number %d: %w", seq, err)
	}
	return found[0].StoredEvent, nil
}

// CountEvents counts what Events would return without a limit.
func (tx *Tx) CountEvents(ctx context.Context, f EventFilter) (n int64, err error) {
	w := f.where()
	if err := tx.one(ctx, `SELECT COUNT(*) FROM event`+w.String(), w.args, &n); err != nil {
		return 0, fmt.Errorf("count events: %w", err)
	}
	return n, nil
}

// EventSeqs returns the numbers of the events that a filter chooses, in order.
func (tx *Tx) EventSeqs(ctx context.Context, f EventFilter) ([]int64, error) {
	w := f.where()
	seqs, err := tx.ids(ctx, `SELECT seq FROM event`+w.String()+` ORDER BY seq`, w.args)
	if err != nil {
		return nil, fmt.Errorf("numbers of events: %w", err)
	}
	return seqs, nil
}

// row is an event with what only the store knows of it.
type row struct {
	memory.StoredEvent
	seq  int64
	hash int64
}

func (tx *Tx) eventRows(ctx context.Context, tail string, args []any, yield func(row) error) error {
	return tx.each(ctx, `SELECT seq, id, project_id, session_id, ord, at, kind, origin, agent, subagent, tool, input, text,
		result_bytes, hash, COALESCE((SELECT agent_session FROM session WHERE session.id = event.session_id), '') FROM event`+tail, args,
		func(rows *sql.Rows) error {
			var r row
			var session sql.NullInt64
			var at int64
			err := rows.Scan(&r.seq, &r.ID, (*int64)(&r.Project), &session, &r.Ord, &at, &r.Kind, &r.Origin, &r.Agent,
				&r.Subagent, &r.Tool, &r.Input, &r.Text, &r.ResultBytes, &r.hash, &r.AgentSession)
			if err != nil {
				return err
			}
			r.Session, r.At = memory.SessionID(session.Int64), instant(at)
			return yield(r)
		})
}

func (tx *Tx) loadTouches(ctx context.Context, r *row) error {
	return tx.each(ctx, `SELECT access.kind, neuron.key, access.old_path FROM access JOIN neuron ON neuron.id = access.neuron_id
		WHERE access.event_seq = ? AND access.kind <> ? ORDER BY access.n`, []any{r.seq, string(errorAccess)}, func(rows *sql.Rows) error {
		var t memory.Touch
		if err := rows.Scan(&t.Kind, &t.Path, &t.From); err != nil {
			return err
		}
		r.Touches = append(r.Touches, t)
		return nil
	})
}

// Meta reads a remembered fact about the store itself, "" when there is none.
func (tx *Tx) Meta(ctx context.Context, name string) (value string, err error) {
	err = tx.one(ctx, `SELECT value FROM meta WHERE name = ?`, []any{name}, &value)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return "", fmt.Errorf("meta %s: %w", name, err)
	}
	return value, nil
}

// SetMeta remembers a fact about the store itself.
func (tx *Tx) SetMeta(ctx context.Context, name, value string) error {
	_, err := tx.exec(ctx, `INSERT INTO meta (name, value) VALUES (?, ?)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	if err != nil {
		return fmt.Errorf("meta %s: %w", name, err)
	}
	return nil
}

// DropMeta removes the facts whose name begins with prefix and whose value sorts before the given one.
func (tx *Tx) DropMeta(ctx context.Context, prefix, before string) error {
	_, err := tx.exec(ctx, `DELETE FROM meta WHERE substr(name, 1, ?) = ? AND value < ?`, utf8.RuneCountInString(prefix), prefix, before)
	if err != nil {
		return fmt.Errorf("meta %s: %w", prefix, err)
	}
	return nil
}
