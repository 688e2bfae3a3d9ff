package store

import (
	"context"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// StateText is a state of mind as it was written.
type StateText struct {
	ID      int64            `json:"id"`
	Project memory.ProjectID `json:"project,omitzero"`
	At      time.Time        `json:"at"`
	By      string           `json:"by"`
	Text    string           `json:"text"`
	Refused string           `json:"refused,omitempty"`
}

// AddState stores a state and deletes all but a number of earlier ones, and of refused ones.
func (tx *Tx) AddState(ctx context.Context, s StateText, kept int) (id int64, err error) {
	err = tx.db.One(ctx, `INSERT INTO state (project_id, at, by, text, refused) VALUES (?, ?, ?, ?, ?) RETURNING id`,
		[]any{int64(s.Project), db.Millis(s.At), s.By, s.Text, s.Refused}, &id)
	if err = tx.db.Rehashed(ctx, err, checkedState, `id = ?`, id); err != nil {
		return 0, fmt.Errorf("state of %s: %w", s.Project, err)
	}
	for _, which := range []string{`refused = ''`, `refused <> ''`} {
		_, err := tx.db.Exec(ctx, `DELETE FROM state WHERE project_id = ? AND `+which+` AND id <= COALESCE((SELECT id FROM state
			WHERE project_id = ? AND `+which+` ORDER BY id DESC LIMIT 1 OFFSET ?), 0)`, int64(s.Project), int64(s.Project), kept)
		if err != nil {
			return 0, fmt.Errorf("states of %s: %w", s.Project, err)
		}
	}
	return id, nil
}

// State returns the state of a project, or of the person.
func (tx *Tx) State(ctx context.Context, project memory.ProjectID) (StateText, error) {
	found, err := tx.states(ctx, `WHERE project_id = ? AND refused = '' ORDER BY id DESC LIMIT 1`, int64(project))
	first, err := db.First(found, err)
	return first, db.Wrap(err, "state of %s", project)
}

// States returns those that are kept, refused ones included, the latest first.
func (tx *Tx) States(ctx context.Context, project memory.ProjectID) ([]StateText, error) {
	return tx.states(ctx, `WHERE project_id = ? ORDER BY id DESC`, int64(project))
}

func (tx *Tx) states(ctx context.Context, rest string, args ...any) ([]StateText, error) {
	return db.All(ctx, tx.db, `SELECT id, project_id, at, by, text, refused FROM state `+rest, args, func(s *StateText) []any {
		return []any{&s.ID, (*int64)(&s.Project), db.Time(&s.At), &s.By, &s.Text, &s.Refused}
	})
}

// DropStates deletes the states of a project, all but one; 0 deletes all.
func (tx *Tx) DropStates(ctx context.Context, project memory.ProjectID, but int64) error {
	return tx.db.Run(ctx, `DELETE FROM state WHERE project_id = ? AND id <> ?`, int64(project), but)
}

// Mood is how it was at a moment, and what moved it there.
type Mood struct {
	At     time.Time `json:"at"`
	Reward float64   `json:"reward"`
	Stress float64   `json:"stress"`
	Bond   float64   `json:"bond"`
	Why    string    `json:"why"`
}

var moods = NewFact[Mood]("mood/felt")

// AddMood stores a mood and deletes all but a number of earlier ones.
func (tx *Tx) AddMood(ctx context.Context, m Mood, kept int) error {
	n, err := moods.next(ctx, tx)
	if err == nil {
		err = moods.numbered(n).SetAt(ctx, tx, m, m.At)
	}
	if err != nil {
		return err
	}
	return moods.trim(ctx, tx, kept+1)
}

// Moods returns the latest, the newest first.
func (tx *Tx) Moods(ctx context.Context, most int) (list []Mood, err error) {
	found, err := moods.records(ctx, tx, ` ORDER BY at DESC, subject DESC LIMIT ?`, most)
	for _, r := range found {
		r.value.At = r.at
		list = append(list, r.value)
	}
	return list, err
}
