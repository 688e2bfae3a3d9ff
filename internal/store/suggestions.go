package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

const suggestionColumns = `id, n, project_id, session_id, neuron_id, kind, path, score, confidence, reason, tokens, held,
	shown_at, outcome, settled_at`

// InsertSuggestion keeps a line that was shown by an event.
func (tx *Tx) InsertSuggestion(ctx context.Context, seq int64, s memory.Suggestion) error {
	_, err := tx.exec(ctx, `INSERT INTO suggestion (id, event_seq, n, project_id, session_id, neuron_id, kind, path, score,
			confidence, reason, tokens, held, shown_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
		s.ID, seq, s.Position, int64(s.Project), int64(s.Session), int64(s.Neuron), string(s.Offer), s.Path, s.Score,
		s.Confidence, s.Reason, s.Tokens, flag(s.Held), millis(s.ShownAt))
	if err = tx.rehashed(ctx, err, checkedSuggestion, `id = ?`, s.ID); err != nil {
		return fmt.Errorf("insert suggestion %s: %w", s.ID, err)
	}
	return nil
}

// SettleSuggestion says what became of a suggestion.
func (tx *Tx) SettleSuggestion(ctx context.Context, id string, outcome memory.Outcome, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE suggestion SET outcome = ?, settled_at = ? WHERE id = ?`, string(outcome), millis(at), id)
	if err = tx.rehashed(ctx, err, checkedSuggestion, `id = ?`, id); err != nil {
		return fmt.Errorf("settle suggestion %s: %w", id, err)
	}
	return nil
}

// SuggestionFilter chooses suggestions; zero fields do not filter.
type SuggestionFilter struct {
	ID      string // or the beginning of one
	Project memory.ProjectID
	Session memory.SessionID
	Since   time.Time
	Pending bool
	Limit   int
}

// Suggestions returns what was shown, newest first.
func (tx *Tx) Suggestions(ctx context.Context, f SuggestionFilter) ([]memory.Suggestion, error) {
	w := where{}
	if f.ID != "" {
		w.and(`id >= ? AND id < ?`, f.ID, f.ID+"~") // IDs hold nothing beyond z
	}
	if f.Project != 0 {
		w.and(`project_id = ?`, int64(f.Project))
	}
	if f.Session != 0 {
		w.and(`session_id = ?`, int64(f.Session))
	}
	if !f.Since.IsZero() {
		w.and(`shown_at >= ?`, millis(f.Since))
	}
	if f.Pending {
		w.and(`outcome = ''`)
	}
	query := `SELECT ` + suggestionColumns + ` FROM suggestion` + w.String() + ` ORDER BY shown_at DESC, n, id`
	if f.Limit > 0 {
		query += ` LIMIT ?`
		w.args = append(w.args, f.Limit)
	}
	var found []memory.Suggestion
	err := tx.each(ctx, query, w.args, func(rows *sql.Rows) error {
		var s memory.Suggestion
		var shown int64
		var settled sql.NullInt64
		err := rows.Scan(&s.ID, &s.Position, (*int64)(&s.Project), (*int64)(&s.Session), (*int64)(&s.Neuron), &s.Offer, &s.Path,
			&s.Score, &s.Confidence, &s.Reason, &s.Tokens, &s.Held, &shown, &s.Outcome, &settled)
		s.ShownAt = instant(shown)
		if settled.Valid {
			s.SettledAt = instant(settled.Int64)
		}
		found = append(found, s)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("suggestions: %w", err)
	}
	return found, nil
}

// FileTouch is a touch of a file by a session, or an error that it met: Path is then the error's key.
type FileTouch struct {
	Neuron memory.NeuronID
	Path   string
	Kind   memory.TouchKind
	At     time.Time
	Ord    int64
}

// SessionTouches returns what a session touched after a position, in order. With a limit it returns the latest, newest
// first.
func (tx *Tx) SessionTouches(ctx context.Context, id memory.SessionID, afterOrd int64, limit int) ([]FileTouch, error) {
	query := `SELECT neuron.id, neuron.key, access.kind, event.at, event.ord FROM event
		JOIN access ON access.event_seq = event.seq JOIN neuron ON neuron.id = access.neuron_id
		WHERE event.session_id = ? AND event.ord > ?`
	args := []any{int64(id), afterOrd}
	order := ` ORDER BY event.ord, access.n`
	if limit > 0 {
		order = ` ORDER BY event.ord DESC, access.n DESC LIMIT ?`
		args = append(args, limit)
	}
	var found []FileTouch
	err := tx.each(ctx, query+order, args, func(rows *sql.Rows) error {
		var t FileTouch
		var at int64
		err := rows.Scan((*int64)(&t.Neuron), &t.Path, &t.Kind, &at, &t.Ord)
		t.At = instant(at)
		found = append(found, t)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("touches of session %s: %w", id, err)
	}
	return found, nil
}

// TouchesBefore returns the latest touches of a session before a position, newest first.
func (tx *Tx) TouchesBefore(ctx context.Context, id memory.SessionID, ord int64, limit int) ([]FileTouch, error) {
	var found []FileTouch
	err := tx.each(ctx, `SELECT neuron.id, neuron.key, access.kind, event.at, event.ord FROM event
		JOIN access ON access.event_seq = event.seq JOIN neuron ON neuron.id = access.neuron_id
		WHERE event.session_id = ? AND event.ord < ? ORDER BY event.ord DESC, access.n DESC LIMIT ?`,
		[]any{int64(id), ord, limit}, func(rows *sql.Rows) error {
			var t FileTouch
			var at int64
			err := rows.Scan((*int64)(&t.Neuron), &t.Path, &t.Kind, &at, &t.Ord)
			t.At = instant(at)
			found = append(found, t)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("touches of session %s: %w", id, err)
	}
	return found, nil
}

// LastOfCommand returns the latest event before this one in which its session ran the same command.
func (tx *Tx) LastOfCommand(ctx context.Context, e memory.StoredEvent) (memory.StoredEvent, error) {
	var found []row
	err := tx.eventRows(ctx, ` WHERE session_id = ? AND ord < ? AND tool = ? AND input = ? AND subagent = ? ORDER BY ord DESC LIMIT 1`,
		[]any{int64(e.Session), e.Ord, e.Tool, e.Input, e.Subagent}, func(r row) error {
			found = append(found, r)
			return nil
		})
	if err == nil && len(found) == 0 {
		err = memory.ErrNotFound
	}
	if err != nil {
		return memory.StoredEvent{}, fmt.Errorf("last run of a command: %w", err)
	}
	return found[0].StoredEvent, nil
}

// LearnedOrd is the position up to which a session's events have become episodes.
func (tx *Tx) LearnedOrd(ctx context.Context, id memory.SessionID) (ord int64, err error) {
	if err = tx.one(ctx, `SELECT learned_ord FROM session WHERE id = ?`, []any{int64(id)}, &ord); err != nil {
		return 0, fmt.Errorf("session %s: %w", id, err)
	}
	return ord, nil
}

// SetLearnedOrd moves that position.
func (tx *Tx) SetLearnedOrd(ctx context.Context, id memory.SessionID, ord int64) error {
	if _, err := tx.exec(ctx, `UPDATE session SET learned_ord = ? WHERE id = ?`, ord, int64(id)); err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	}
	return nil
}
