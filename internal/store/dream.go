package store

import (
	"context"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Note is a crystal that waits for a dream.
type Note struct {
	Crystal    memory.CrystalID   `json:"crystal"`
	Project    memory.ProjectID   `json:"project,omitzero"`
	Kind       memory.CrystalKind `json:"-"` // kind, text and origin are the crystal's
	Text       string             `json:"-"`
	Origin     memory.Origin      `json:"-"`
	Importance float64            `json:"importance"`
	At         time.Time          `json:"at"`
}

// AddNote lets a crystal wait for the next dream. One that waits already, or did, is left as it is.
func (tx *Tx) AddNote(ctx context.Context, id memory.CrystalID, project memory.ProjectID, importance float64, at time.Time) (added bool, err error) {
	n, err := tx.db.Insert(ctx, checkedNote, string(id), int64(project), importance, db.Millis(at), nil)
	return n > 0, db.Wrap(err, "note %s", id)
}

// WaitingNotes returns the notes of some projects that hold and that no dream has used, the oldest first.
func (tx *Tx) WaitingNotes(ctx context.Context, projects ...memory.ProjectID) (notes []Note, err error) {
	for _, project := range projects {
		err := tx.db.Each(ctx, `SELECT note.crystal_id, note.project_id, crystal.kind, document.text, document.origin, note.importance, note.at
			FROM note JOIN crystal ON crystal.id = note.crystal_id JOIN document ON document.id = crystal.document_id
			WHERE note.project_id = ? AND note.state_id IS NULL AND crystal.valid_to IS NULL AND crystal.overtaken_by = '' ORDER BY note.at, note.crystal_id`,
			[]any{int64(project)}, db.Collect(&notes, func(n *Note) []any {
				return []any{&n.Crystal, (*int64)(&n.Project), &n.Kind, &n.Text, &n.Origin, &n.Importance, db.Time(&n.At)}
			}))
		if err != nil {
			return nil, fmt.Errorf("notes of %s: %w", project, err)
		}
	}
	return notes, nil
}

// TakeNote says that a state holds a note or points to it.
func (tx *Tx) TakeNote(ctx context.Context, id memory.CrystalID, state int64) error {
	err := tx.db.Change(ctx, `UPDATE note SET state_id = ? WHERE crystal_id = ? AND state_id IS NULL`, state, string(id))
	err = tx.db.Rehashed(ctx, err, checkedNote, `crystal_id = ?`, string(id))
	return db.Wrap(err, "take note %s", id)
}

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

// AddMood stores a mood and deletes all but a number of earlier ones.
func (tx *Tx) AddMood(ctx context.Context, m Mood, kept int) error {
	_, err := tx.db.Exec(ctx, `INSERT INTO mood (at, reward, stress, bond, why, checksum) VALUES (?, ?, ?, ?, ?, ?)`, db.Millis(m.At), m.Reward, m.Stress, m.Bond, m.Why,
		db.Checksum(db.Millis(m.At), m.Reward, m.Stress, m.Bond, m.Why))
	if err == nil {
		_, err = tx.db.Exec(ctx, `DELETE FROM mood WHERE at < COALESCE((SELECT at FROM mood ORDER BY at DESC LIMIT 1 OFFSET ?), 0)`, kept)
	}
	return db.Wrap(err, "mood")
}

// Moods returns the latest, the newest first.
func (tx *Tx) Moods(ctx context.Context, most int) ([]Mood, error) {
	return db.All(ctx, tx.db, `SELECT at, reward, stress, bond, why FROM mood ORDER BY at DESC LIMIT ?`, []any{most}, func(m *Mood) []any {
		return []any{db.Time(&m.At), &m.Reward, &m.Stress, &m.Bond, &m.Why}
	})
}

// Payment is what a skill earned, or cost.
type Payment struct {
	ID     string    `json:"id"`
	At     time.Time `json:"at"`
	Amount int64     `json:"amount"` // millionths of a USDC; below zero: spent
	Skill  string    `json:"skill,omitempty"`
	Buyer  string    `json:"buyer,omitempty"`
	Note   string    `json:"note,omitempty"`
}

// AddPayment keeps a payment once.
func (tx *Tx) AddPayment(ctx context.Context, p Payment) error {
	_, err := tx.db.Insert(ctx, checkedLedger, p.ID, db.Millis(p.At), p.Amount, p.Skill, p.Buyer, p.Note)
	return db.Wrap(err, "payment %s", p.ID)
}

// Payments returns those since a time, the latest first.
func (tx *Tx) Payments(ctx context.Context, since time.Time) ([]Payment, error) {
	w := db.Where{}
	w.When(!since.IsZero(), `at >= ?`, db.Millis(since))
	return db.All(ctx, tx.db, `SELECT id, at, amount, skill, buyer, note FROM ledger`+w.String()+` ORDER BY at DESC, id DESC`,
		w.Args, func(p *Payment) []any {
			return []any{&p.ID, db.Time(&p.At), &p.Amount, &p.Skill, &p.Buyer, &p.Note}
		})
}
