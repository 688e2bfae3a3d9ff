package store

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// ofCrystal is a fact about a crystal, with what the crystal says.
type ofCrystal[T any] struct {
	record[T]
	kind   memory.CrystalKind
	text   string
	origin memory.Origin
}

// ofCrystals reads the facts of a name about crystals of some projects, the oldest first. A condition may leave some out.
func ofCrystals[T any](ctx context.Context, tx *Tx, f Fact[T], condition string, projects []memory.ProjectID) (found []ofCrystal[T], err error) {
	var value string
	for _, project := range projects {
		err := tx.db.Each(ctx, `SELECT fact.project_id, fact.subject, fact.at, fact.value, memory.kind, text, origin
			FROM fact JOIN memory ON memory.id = fact.subject
			WHERE fact.name = ? AND fact.project_id = ?`+condition+` ORDER BY fact.at, fact.subject`, []any{f.name, int64(project)},
			db.ForEach(func(c *ofCrystal[T]) []any {
				return []any{(*int64)(&c.project), &c.subject, db.Time(&c.at), &value, &c.kind, &c.text, &c.origin}
			}, func(c ofCrystal[T]) error {
				err := f.read(value, &c.value)
				found = append(found, c)
				return err
			}))
		if err != nil {
			return nil, fmt.Errorf("%ss of %s: %w", f.name, project, err)
		}
	}
	return found, nil
}

// pins are kept by the crystals that they pin.
var pins = NewFact[pinned]("pin")

type pinned struct {
	Title  string `json:"title"`
	Normal string `json:"normal"` // the title as titles are compared
	Reason string `json:"reason"`
	// By is who pinned it; empty: whose text it is.
	By memory.Origin `json:"by,omitempty"`
}

// Pins returns the pins of some projects, the oldest first; 0 is for those that hold everywhere.
func (tx *Tx) Pins(ctx context.Context, projects ...memory.ProjectID) ([]memory.Pin, error) {
	found, err := ofCrystals(ctx, tx, pins, ``, projects)
	var list []memory.Pin
	for _, c := range found {
		list = append(list, memory.Pin{
			Crystal: memory.CrystalID(c.subject), Project: c.project, Title: c.value.Title, Reason: c.value.Reason, At: c.at, Origin: cmp.Or(c.value.By, c.origin),
			Text: strings.TrimPrefix(c.text, c.value.Title+": "), // its title is part of what can be searched
		})
	}
	return list, err
}

// SetPin pins a crystal, or changes its pin. normal is the title as titles are compared: there is one pin of it in a project.
func (tx *Tx) SetPin(ctx context.Context, p memory.Pin, normal string) error {
	known, err := pins.records(ctx, tx, ` AND project_id = ?`, int64(p.Project))
	if err != nil {
		return err
	}
	for _, k := range known {
		if k.value.Normal == normal && k.subject != string(p.Crystal) {
			return fmt.Errorf("pin %q: there is one of that title: %w", p.Title, memory.ErrConflict)
		}
	}
	return pins.Of(p.Project).About(string(p.Crystal)).SetAt(ctx, tx, pinned{Title: p.Title, Normal: normal, Reason: p.Reason, By: p.Origin}, p.At)
}

// DeletePin takes a pin off its crystal, which stays.
func (tx *Tx) DeletePin(ctx context.Context, id memory.CrystalID) error {
	err := tx.db.Change(ctx, `DELETE FROM fact WHERE name = ? AND subject = ?`, pins.name, string(id))
	return db.Wrap(err, "pin of %s", id)
}

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

var (
	notes      = NewFact[float64]("note")     // the importance of one that waits
	takenNotes = NewFact[int64]("note/taken") // the state that took it
)

// AddNote lets a crystal wait for the next dream. One that waits already, or did, is left as it is.
func (tx *Tx) AddNote(ctx context.Context, id memory.CrystalID, project memory.ProjectID, importance float64, at time.Time) (added bool, err error) {
	known, err := tx.db.Any(ctx, `fact WHERE name IN (?, ?) AND project_id = ? AND subject = ?`, notes.name, takenNotes.name, int64(project), string(id))
	if err != nil || known {
		return false, err
	}
	return true, notes.Of(project).About(string(id)).SetAt(ctx, tx, importance, at)
}

// WaitingNotes returns the notes of some projects that hold and that no dream has used, the oldest first.
func (tx *Tx) WaitingNotes(ctx context.Context, projects ...memory.ProjectID) ([]Note, error) {
	found, err := ofCrystals(ctx, tx, notes, ` AND valid_to IS NULL`, projects)
	var list []Note
	for _, c := range found {
		list = append(list, Note{
			Crystal: memory.CrystalID(c.subject), Project: c.project, Kind: c.kind, Text: c.text, Origin: c.origin, Importance: c.value, At: c.at,
		})
	}
	return list, err
}

// TakeNote says that a state holds a note or points to it.
func (tx *Tx) TakeNote(ctx context.Context, id memory.CrystalID, state int64) error {
	waiting, err := db.First(notes.records(ctx, tx, ` AND subject = ?`, string(id)))
	if err != nil {
		return fmt.Errorf("take note %s: %w", id, err)
	}
	if err := notes.Of(waiting.project).About(string(id)).Clear(ctx, tx); err != nil {
		return err
	}
	return takenNotes.Of(waiting.project).About(string(id)).SetAt(ctx, tx, state, waiting.at)
}
