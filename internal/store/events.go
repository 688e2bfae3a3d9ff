package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/store/text"
)

// Known reports whether the event is already stored, or was forgotten on purpose.
func (tx *Tx) Known(ctx context.Context, id memory.EventID) (bool, error) {
	known, err := tx.KnownOf(ctx, []memory.EventID{id})
	return known[id], err
}

// KnownOf returns those of some events that are in the store or were forgotten on purpose.
func (tx *Tx) KnownOf(ctx context.Context, ids []memory.EventID) (map[memory.EventID]bool, error) {
	known, err := db.MapOf[memory.EventID, bool](ctx, tx.db, `SELECT id, 1 FROM event WHERE id IN %s`, ids, db.Column)
	if err != nil {
		return nil, err
	}
	forgotten, err := db.MapOf[memory.EventID, bool](ctx, tx.db, `SELECT subject, 1 FROM `+text.Buried+` AND subject IN %s`, ids, db.Column)
	maps.Copy(known, forgotten)
	return known, err
}

// Counting lets a neuron count an access of an event. The neuron is in the store afterwards.
type Counting func(ctx context.Context, e memory.StoredEvent, kind memory.NeuronKind, key string) error

// InsertEvent stores an event with its accesses and lets the neurons it touches count them. It returns the event's
// number, or 0 when the event is already there, and then changes nothing.
func (tx *Tx) InsertEvent(ctx context.Context, e memory.StoredEvent, count Counting) (seq int64, err error) {
	return tx.PlaceEvent(ctx, 0, e, count)
}

// PlaceEvent is InsertEvent with the number that the event has elsewhere; 0 is the next one.
func (tx *Tx) PlaceEvent(ctx context.Context, number int64, e memory.StoredEvent, count Counting) (seq int64, err error) {
	err = tx.db.One(ctx, `INSERT INTO event (seq, `+eventColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING seq`,
		append([]any{db.OrNull(number)}, eventValues(e, commandHash(e.Event))...), &seq)
	if errors.Is(err, memory.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("insert event %s: %w", e.ID, err)
	}
	for n, touch := range e.Touches {
		err := count(ctx, e, memory.FileNeuron, touch.Path)
		if err == nil {
			err = tx.insertAccess(ctx, seq, n, memory.NewNeuronID(e.Project, memory.FileNeuron, touch.Path), touch)
		}
		if err != nil {
			return 0, fmt.Errorf("insert event %s: access to %q: %w", e.ID, touch.Path, err)
		}
	}
	return seq, nil
}

const (
	eventColumns = `id, project_id, session_id, ord, at, kind, origin, agent, subagent, tool, input, text, result_bytes, command, hash, version, ahead`
	intoAccess   = `access (event_seq, n, neuron_id, kind, old_path)`
)

func eventValues(e memory.StoredEvent, command int64) []any {
	return []any{
		string(e.ID), int64(e.Project), db.OrNull(int64(e.Session)), e.Ord, db.Millis(e.At), string(e.Kind), string(e.Origin), string(e.Agent),
		e.Subagent, e.Tool, e.Input, e.Text, e.ResultBytes, command, e.Hash(),
		max(e.Version, 1), db.TimeOrNull(e.Ahead),
	}
}

// errorAccess is the kind of an access to an error, which is no touch of a file.
const errorAccess memory.TouchKind = "error"

// MeetError counts that an event met an error. The error comes after the event's touches as they are stored: the caller may know
// other ones, as those of a fix are the files changed before it.
func (tx *Tx) MeetError(ctx context.Context, seq int64, e memory.StoredEvent, key string, count Counting) error {
	err := count(ctx, e, memory.ErrorNeuron, key)
	if err == nil {
		err = tx.db.Run(ctx, `INSERT INTO `+intoAccess+` SELECT ?, (SELECT COALESCE(MAX(n), -1) + 1 FROM access WHERE event_seq = ?), ?, ?, ''`,
			seq, seq, int64(memory.NewNeuronID(e.Project, memory.ErrorNeuron, key)), string(errorAccess))
	}
	return db.Wrap(err, "event %s: meet error", e.ID)
}

// CountAccess is Counting in the store.
func (tx *Tx) CountAccess(ctx context.Context, e memory.StoredEvent, kind memory.NeuronKind, key string) error {
	return tx.db.Run(ctx, `
		INSERT INTO neuron (id, project_id, kind, key, accesses, first_at, last_at) VALUES (?, ?, ?, ?, 1, ?, ?)
		ON CONFLICT (id) DO UPDATE SET
			accesses = neuron.accesses + 1,
			first_at = CASE WHEN excluded.first_at < neuron.first_at THEN excluded.first_at ELSE neuron.first_at END,
			last_at  = CASE WHEN excluded.last_at > neuron.last_at THEN excluded.last_at ELSE neuron.last_at END`,
		int64(memory.NewNeuronID(e.Project, kind, key)), int64(e.Project), string(kind), key, db.Millis(e.At), db.Millis(e.At))
}

func (tx *Tx) insertAccess(ctx context.Context, seq int64, n int, neuron memory.NeuronID, touch memory.Touch) error {
	return tx.db.Run(ctx, `INSERT INTO `+intoAccess+` VALUES (?, ?, ?, ?, ?)`, seq, n, int64(neuron), string(touch.Kind), touch.From)
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
	Until   time.Time        `json:"until,omitzero"` // this moment included
	Bare    bool             `json:"-"`              // without their touches
	Limit   int              `json:"limit,omitzero"`
}

func (f EventFilter) where() *db.Where {
	w := &db.Where{}
	w.When(f.ID != "", `id = ?`, string(f.ID))
	w.When(len(f.IDs) > 0, `id IN `+db.Marks(len(f.IDs)), db.Values(f.IDs)...)
	if len(f.Seqs) > 0 {
		in, args := db.List(f.Seqs)
		w.And(`seq IN `+in, args...)
	}
	w.When(f.Project != 0, `project_id = ?`, int64(f.Project))
	w.When(f.Session != 0, `session_id = ?`, int64(f.Session))
	w.When(f.Kind != "", `kind = ?`, string(f.Kind))
	w.When(f.Origin != "", `origin = ?`, string(f.Origin))
	w.When(!f.Since.IsZero(), `at >= ?`, db.Millis(f.Since))
	w.When(!f.Until.IsZero(), `at <= ?`, db.Millis(f.Until))
	w.When(f.Kind == "" && (f.Origin != "" || !f.Since.IsZero()), `NOT `+ownEvents) // a time or an origin chooses what happened
	return w
}

// ownEvents is the condition that hebb made an event itself.
const ownEvents = `kind IN ('` + string(memory.Closed) + `', '` + string(memory.Slept) + `', '` + string(memory.Wired) + `')`

// seen is where, without what hebb did itself unless it is asked for.
func (f EventFilter) seen() *db.Where {
	w := f.where()
	w.When(f.Kind == "" && f.ID == "" && f.Session == 0, `NOT `+ownEvents)
	return w
}

// Events returns events, newest first.
func (tx *Tx) Events(ctx context.Context, f EventFilter) ([]memory.StoredEvent, error) {
	w := f.seen()
	tail := ` ORDER BY at DESC, seq DESC` + w.Limit(f.Limit)
	found, err := tx.eventRows(ctx, w.String()+tail, w.Args...)
	if err == nil && !f.Bare {
		err = tx.loadTouchesOf(ctx, w.String()+tail, w.Args, found)
	}
	if err == nil && f.Session != 0 {
		found, err = tx.withPacked(ctx, f, found)
	}
	return plain(found), db.Wrap(err, "events")
}

// withPacked adds packed calls to what a filter found of a session.
func (tx *Tx) withPacked(ctx context.Context, f EventFilter, found []Numbered) ([]Numbered, error) {
	if f.Kind != "" && !isCall(f.Kind) || f.Origin == memory.OriginUser {
		return found, nil
	}
	packed, err := tx.packed(ctx, f.Session)
	for _, e := range packed {
		if f.chooses(e.StoredEvent, e.Seq) {
			found = append(found, e)
		}
	}
	if len(packed) > 0 {
		slices.SortFunc(found, func(a, b Numbered) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Seq, a.Seq)) })
	}
	if f.Limit > 0 {
		found = found[:min(len(found), f.Limit)]
	}
	return found, err
}

// chooses is where for an event that has no row.
func (f EventFilter) chooses(e memory.StoredEvent, seq int64) bool {
	return (f.ID == "" || f.ID == e.ID) && (len(f.IDs) == 0 || slices.Contains(f.IDs, e.ID)) && (len(f.Seqs) == 0 || slices.Contains(f.Seqs, seq)) &&
		(f.Project == 0 || f.Project == e.Project) && (f.Kind == "" || f.Kind == e.Kind) && (f.Origin == "" || f.Origin == e.Origin) &&
		(f.Since.IsZero() || !e.At.Before(f.Since)) && (f.Until.IsZero() || !e.At.After(f.Until))
}

// loadTouchesOf reads the touches of the events that a condition chooses, with one query instead of one for each.
func (tx *Tx) loadTouchesOf(ctx context.Context, chosen string, args []any, events []Numbered) error {
	at := make(map[int64]*Numbered, len(events))
	for i, e := range events {
		at[e.Seq] = &events[i]
	}
	var seq int64
	return tx.db.Each(ctx, `SELECT access.event_seq, access.kind, neuron.key, access.old_path FROM access JOIN neuron ON neuron.id = access.neuron_id
		WHERE access.kind <> ? AND access.event_seq IN (SELECT seq FROM event`+chosen+`) ORDER BY access.event_seq, access.n`, slices.Concat([]any{string(errorAccess)}, args),
		db.ForEach(func(t *memory.Touch) []any { return append([]any{&seq}, touchFields(t)...) }, func(t memory.Touch) error {
			if e := at[seq]; e != nil {
				e.Touches = append(e.Touches, t)
			}
			return nil
		}))
}

func touchFields(t *memory.Touch) []any { return []any{&t.Kind, &t.Path, &t.From} }

// EventBySeq returns an event by its number.
func (tx *Tx) EventBySeq(ctx context.Context, seq int64) (memory.StoredEvent, error) {
	found, err := tx.eventsWithTouches(ctx, ` WHERE seq = ?`, seq)
	first, err := db.First(found, err)
	return first.StoredEvent, db.Wrap(err, "event number %d", seq)
}

// EventTexts returns the texts of events by their numbers; those that are gone are missing.
func (tx *Tx) EventTexts(ctx context.Context, seqs []int64) (map[int64]string, error) {
	found, err := db.MapOf[int64, string](ctx, tx.db, `SELECT seq, text FROM event WHERE seq IN %s`, seqs, db.Column)
	return found, db.Wrap(err, "texts of events")
}

// CountEvents counts events. Packed ones are among them where all of a project or of the store are counted.
func (tx *Tx) CountEvents(ctx context.Context, f EventFilter) (int64, error) {
	w := f.seen()
	n, err := db.Value[int64](ctx, tx.db, `SELECT COUNT(*) FROM event`+w.String(), w.Args...)
	if err == nil && reflect.DeepEqual(f, EventFilter{Project: f.Project}) {
		packed, err := tx.countPacked(ctx, f.Project)
		return n + packed, err
	}
	return n, err
}

// CountAhead counts the events of a clock that was ahead of this one by more than some time.
func (tx *Tx) CountAhead(ctx context.Context, by time.Duration) (int64, error) {
	return db.Value[int64](ctx, tx.db, `SELECT COUNT(*) FROM event WHERE ahead > at + ?`, by.Milliseconds())
}

// EventSeqs returns the numbers of the events that a filter chooses, in order.
func (tx *Tx) EventSeqs(ctx context.Context, f EventFilter) ([]int64, error) {
	w := f.where()
	seqs, err := tx.db.Ids(ctx, `SELECT seq FROM event`+w.String()+` ORDER BY seq`, w.Args)
	return seqs, db.Wrap(err, "numbers of events")
}

// Numbered is an event with its number.
type Numbered struct {
	Seq int64
	memory.StoredEvent
	hash    int64 // as stored
	command int64 // see commandHash
	packed  bool
}

// eventRows reads events without their touches.
func (tx *Tx) eventRows(ctx context.Context, tail string, args ...any) (found []Numbered, err error) {
	err = tx.db.Each(ctx, `SELECT seq, id, project_id, COALESCE(session_id, 0), ord, at, kind, origin, agent, subagent, tool, input, text,
		result_bytes, command, hash, COALESCE(NULLIF(version, 1), 0), ahead, COALESCE((SELECT agent_session FROM session WHERE session.id = event.session_id), '') FROM event`+tail, args,
		db.Collect(&found, func(e *Numbered) []any {
			return []any{
				&e.Seq, &e.ID, (*int64)(&e.Project), (*int64)(&e.Session), &e.Ord, db.Time(&e.At), &e.Kind, &e.Origin, &e.Agent, &e.Subagent,
				&e.Tool, &e.Input, &e.Text, &e.ResultBytes, &e.command, &e.hash, &e.Version, db.Time(&e.Ahead), &e.AgentSession,
			}
		}))
	return found, err
}

func (tx *Tx) eventsWithTouches(ctx context.Context, tail string, args ...any) ([]Numbered, error) {
	found, err := tx.eventRows(ctx, tail, args...)
	if err == nil {
		err = tx.loadTouchesOf(ctx, tail, args, found)
	}
	return found, err
}
