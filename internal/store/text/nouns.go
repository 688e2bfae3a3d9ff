package text

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Noun is what the memories of a kind are in Go. Columns say what all kinds have, and what is left of a value stands in More.
type Noun[T any] struct {
	Kind memory.CrystalKind
	// Into moves what columns say from a value into its memory, and From moves it back.
	Into func(*T, *memory.Memory)
	From func(*T, memory.Memory)
}

// memories are those of a transaction.
type memories interface {
	Keep(context.Context, memory.Memory) error
	Memories(context.Context, CrystalFilter) ([]Kept, error)
}

// Memory is a value as it is kept.
func (n Noun[T]) Memory(v T) (m memory.Memory, err error) {
	n.Into(&v, &m)
	if m.Kind = n.Kind; !reflect.ValueOf(v).IsZero() {
		m.More, err = json.Marshal(v)
	}
	return m.Settled(), err
}

// Of is the value that a memory keeps.
func (n Noun[T]) Of(m memory.Memory) (v T, err error) {
	if len(m.More) > 0 && json.Unmarshal(m.More, &v) != nil {
		return v, fmt.Errorf("%s %s is %.60q: %w", n.Kind, m.ID, m.More, memory.ErrDamaged)
	}
	n.From(&v, m)
	return v, nil
}

// All returns those that a filter chooses.
func (n Noun[T]) All(ctx context.Context, tx memories, f CrystalFilter) (list []T, err error) {
	f.Kinds, f.Bare = []memory.CrystalKind{n.Kind}, true
	found, err := tx.Memories(ctx, f)
	for _, m := range found {
		v, failed := n.Of(m.Crystal)
		list, err = append(list, v), errors.Join(err, failed)
	}
	return list, db.Wrap(err, "%ss", n.Kind)
}

// Keep writes one.
func (n Noun[T]) Keep(ctx context.Context, tx memories, v T) error {
	m, err := n.Memory(v)
	if err != nil {
		return fmt.Errorf("keep a %s: %w", n.Kind, err)
	}
	return tx.Keep(ctx, m)
}

// Goals are by their ID.
var Goals = Noun[memory.Goal]{
	Kind: memory.KindGoal,
	Into: func(g *memory.Goal, m *memory.Memory) {
		m.ID, m.Project, m.Text, m.Origin, m.Lifecycle, m.SaidAt = memory.CrystalID(g.ID), g.Project, g.Title, g.Origin, memory.Lifecycle(g.Status), g.CreatedAt
		g.ID, g.Project, g.Title, g.Origin, g.Status, g.CreatedAt = "", 0, "", "", "", time.Time{}
		if len(g.Links.Files)+len(g.Links.Crystals) == 0 {
			g.Links = memory.GoalLinks{}
		}
	},
	From: func(g *memory.Goal, m memory.Memory) {
		g.ID, g.Project, g.Title, g.Origin, g.Status, g.CreatedAt = memory.GoalID(m.ID), m.Project, m.Text, m.Origin, memory.GoalStatus(m.Lifecycle), m.SaidAt
	},
}

// Goals returns the goals of some projects, by ID; open leaves out those that are done or dropped.
func (tx *Tx) Goals(ctx context.Context, open bool, projects ...memory.ProjectID) (goals []memory.Goal, err error) {
	for _, project := range projects {
		list, err := Goals.All(ctx, tx, CrystalFilter{Projects: []memory.ProjectID{project}})
		if err != nil {
			return nil, err
		}
		if open {
			list = slices.DeleteFunc(list, func(g memory.Goal) bool { return !g.Status.Open() })
		}
		slices.SortFunc(list, func(a, b memory.Goal) int { return strings.Compare(string(a.ID), string(b.ID)) })
		goals = append(goals, list...)
	}
	return goals, nil
}

// Thought is a connection that was shown.
type Thought struct {
	ID       int64            `json:"id,omitzero"`
	Project  memory.ProjectID `json:"project,omitzero"`
	Goal     memory.GoalID    `json:"goal,omitzero"`
	At       time.Time        `json:"at,omitzero"`
	Strength float64          `json:"strength,omitzero"`
	Keys     []string         `json:"keys,omitzero"`
	Why      string           `json:"why,omitzero"`
	Outcome  string           `json:"outcome,omitempty"`
	ThoughtOf
}

// ThoughtOf is what a connection was made of.
type ThoughtOf struct {
	Episode string    `json:"episode,omitempty"` // one line
	Lived   time.Time `json:"lived,omitzero"`    // when it was
	Files   []string  `json:"files,omitempty"`
}

// Thoughts are about their goals, and numbered.
var Thoughts = Noun[Thought]{
	Kind: memory.KindThought,
	Into: func(t *Thought, m *memory.Memory) {
		m.ID, m.Project, m.Subject, m.SaidAt, m.Importance, m.Marks = thoughtID(t.ID), t.Project, string(t.Goal), t.At, t.Strength, t.Keys
		m.Text, m.Lifecycle = t.Why, memory.Lifecycle(t.Outcome)
		*t = Thought{ThoughtOf: t.ThoughtOf}
	},
	From: func(t *Thought, m memory.Memory) {
		t.ID, _ = strconv.ParseInt(string(m.ID), 10, 64) // thoughtID wrote it
		t.Project, t.Goal, t.At, t.Strength, t.Keys = m.Project, memory.GoalID(m.Subject), m.SaidAt, m.Importance, m.Marks
		t.Why, t.Outcome = m.Text, string(m.Lifecycle)
	},
}

// thoughtID is a number as an ID.
func thoughtID(number int64) memory.CrystalID { return memory.CrystalID(fmt.Sprintf("%026d", number)) }

// AddThought keeps a connection under the next number.
func (tx *Tx) AddThought(ctx context.Context, t Thought) (int64, error) {
	last, err := db.Value[string](ctx, tx.db, `SELECT COALESCE(MAX(id), '') FROM memory WHERE kind = ?`, string(memory.KindThought))
	if err != nil {
		return 0, fmt.Errorf("connection to %s: %w", t.Goal, err)
	}
	before, _ := strconv.ParseInt(last, 10, 64) // none: 0
	t.ID = before + 1
	return t.ID, Thoughts.Keep(ctx, tx, t)
}

// Thoughts returns the connections of a project, or of all, since a time, the latest first.
func (tx *Tx) Thoughts(ctx context.Context, project memory.ProjectID, since time.Time, most int) ([]Thought, error) {
	f := CrystalFilter{SaidSince: since, Limit: most}
	if project != 0 {
		f.Projects = []memory.ProjectID{project}
	}
	return Thoughts.All(ctx, tx, f)
}

// JudgeThought says what became of a connection.
func (tx *Tx) JudgeThought(ctx context.Context, number int64, outcome string) error {
	m, err := db.First(tx.crystals(ctx, ` WHERE id = ?`, string(thoughtID(number))))
	if err != nil {
		return fmt.Errorf("connection %d: %w", number, err)
	}
	m.Lifecycle = memory.Lifecycle(outcome)
	return tx.Keep(ctx, m.Crystal)
}

// DeleteThought deletes a connection.
func (tx *Tx) DeleteThought(ctx context.Context, number int64) error {
	return tx.Remove(ctx, thoughtID(number))
}

// Page is something people write about themselves and their work.
type Page struct {
	Name string        `json:"name"`
	Text string        `json:"text"`
	By   memory.Origin `json:"by"`
	At   time.Time     `json:"at"`
}

// Pages are by their names.
var Pages = Noun[Page]{
	Kind: memory.KindPage,
	Into: func(p *Page, m *memory.Memory) {
		m.Name, m.Text, m.Origin, m.SaidAt = p.Name, p.Text, p.By, p.At
		*p = Page{}
	},
	From: func(p *Page, m memory.Memory) { *p = Page{Name: m.Name, Text: m.Text, By: m.Origin, At: m.SaidAt} },
}

// Page returns a page by its name.
func (tx *Tx) Page(ctx context.Context, name string) (Page, error) {
	m, err := tx.Crystal(ctx, memory.DerivedID(memory.KindPage, 0, name))
	if err != nil {
		return Page{}, fmt.Errorf("page %s: %w", name, err)
	}
	return Pages.Of(m.Crystal)
}

// Payment is what a skill earned, or cost.
type Payment struct {
	ID     string    `json:"id,omitzero"`
	At     time.Time `json:"at,omitzero"`
	Amount int64     `json:"amount"` // millionths of a USDC; below zero: spent
	Skill  string    `json:"skill,omitempty"`
	Buyer  string    `json:"buyer,omitempty"`
	Note   string    `json:"note,omitempty"`
}

// Payments are by their ID.
var Payments = Noun[Payment]{
	Kind: memory.KindPayment,
	Into: func(p *Payment, m *memory.Memory) {
		m.ID, m.SaidAt, m.Text = memory.CrystalID(p.ID), p.At, p.Note
		p.ID, p.At, p.Note = "", time.Time{}, ""
	},
	From: func(p *Payment, m memory.Memory) { p.ID, p.At, p.Note = string(m.ID), m.SaidAt, m.Text },
}

// Pins are about the memories that they pin, which have their texts.
var Pins = Noun[memory.Pin]{
	Kind: memory.KindPin,
	Into: func(p *memory.Pin, m *memory.Memory) {
		m.Project, m.Subject, m.Text, m.Origin, m.SaidAt, m.Source = p.Project, string(p.Crystal), p.Title, p.Origin, p.At, p.Reason
		*p = memory.Pin{}
	},
	From: func(p *memory.Pin, m memory.Memory) {
		*p = memory.Pin{Crystal: memory.CrystalID(m.Subject), Project: m.Project, Title: m.Text, Reason: m.Source, Origin: m.Origin, At: m.SaidAt}
	},
}

// Pins returns the pins of some projects, the oldest first; 0 is for those that hold everywhere.
func (tx *Tx) Pins(ctx context.Context, projects ...memory.ProjectID) (list []memory.Pin, err error) {
	err = tx.eachAbout(ctx, CrystalFilter{Kinds: []memory.CrystalKind{memory.KindPin}}, projects, func(pin, of memory.Memory) error {
		p, err := Pins.Of(pin)
		p.Text = strings.TrimPrefix(of.Text, p.Title+": ") // its title is part of what can be searched
		list = append(list, p)
		return err
	})
	return list, err
}

// eachAbout hands over the memories of some projects that are about another one, the oldest first, with that.
func (tx *Tx) eachAbout(ctx context.Context, f CrystalFilter, projects []memory.ProjectID, yield func(m, of memory.Memory) error) error {
	for _, project := range projects {
		f.Projects = []memory.ProjectID{project}
		found, err := tx.Memories(ctx, f)
		slices.SortFunc(found, func(a, b Kept) int { return cmp.Or(a.SaidAt.Compare(b.SaidAt), strings.Compare(a.Subject, b.Subject)) })
		for _, m := range found {
			var of Kept
			if of, err = tx.Crystal(ctx, memory.CrystalID(m.Subject)); err == nil {
				err = yield(m.Crystal, of.Crystal)
			}
			if err != nil {
				break
			}
		}
		if err != nil {
			return fmt.Errorf("%ss: %w", f.Kinds[0], err)
		}
	}
	return nil
}

// SetPin pins a memory, or changes its pin. normal is the title as titles are compared: there is one pin of it in a project.
func (tx *Tx) SetPin(ctx context.Context, p memory.Pin, normal string) error {
	m, err := Pins.Memory(p)
	if err != nil {
		return err
	}
	m.Name = normal
	known, err := tx.db.Any(ctx, `memory WHERE project_id = ? AND kind = ? AND name = ? AND name <> '' AND id <> ?`, int64(m.Project), string(m.Kind), normal, string(m.ID))
	if err == nil && known {
		err = fmt.Errorf("pin %q: there is one of that title: %w", p.Title, memory.ErrConflict)
	}
	if err != nil {
		return err
	}
	return tx.Keep(ctx, m)
}

// DeletePin takes a pin off its memory, which stays.
func (tx *Tx) DeletePin(ctx context.Context, id memory.CrystalID) error {
	return db.Wrap(tx.db.Change(ctx, `DELETE FROM memory WHERE subject = ? AND kind = ?`, string(id), string(memory.KindPin)), "pin of %s", id)
}

// Note is a memory that waits for a dream.
type Note struct {
	Crystal    memory.CrystalID   `json:"crystal"`
	Project    memory.ProjectID   `json:"project,omitzero"`
	Kind       memory.CrystalKind `json:"-"` // kind, text and origin are the memory's
	Text       string             `json:"-"`
	Origin     memory.Origin      `json:"-"`
	Importance float64            `json:"importance"`
	At         time.Time          `json:"at"`
	Taken      bool               `json:"-"` // by a dream: it waits no longer
}

// Notes are about the memories that wait. One that a dream has used stays, archived.
var Notes = Noun[Note]{
	Kind: memory.KindNote,
	Into: func(n *Note, m *memory.Memory) {
		m.Project, m.Subject, m.Importance, m.SaidAt, m.Lifecycle = n.Project, string(n.Crystal), n.Importance, n.At, memory.Generated
		if n.Taken {
			m.Lifecycle = memory.Archived
		}
		*n = Note{}
	},
	From: func(n *Note, m memory.Memory) {
		*n = Note{Crystal: memory.CrystalID(m.Subject), Project: m.Project, Importance: m.Importance, At: m.SaidAt, Taken: m.Lifecycle == memory.Archived}
	},
}

// AddNote lets a memory wait for the next dream. One that waits already, or did, is left as it is.
func (tx *Tx) AddNote(ctx context.Context, id memory.CrystalID, project memory.ProjectID, importance float64, at time.Time) (added bool, err error) {
	known, err := tx.Has(ctx, memory.DerivedID(memory.KindNote, project, string(id)))
	if err != nil || known {
		return false, err
	}
	return true, Notes.Keep(ctx, tx, Note{Crystal: id, Project: project, Importance: importance, At: at})
}

// WaitingNotes returns the notes of some projects that hold and that no dream has used, the oldest first.
func (tx *Tx) WaitingNotes(ctx context.Context, projects ...memory.ProjectID) (list []Note, err error) {
	f := CrystalFilter{Kinds: []memory.CrystalKind{memory.KindNote}, Lifecycle: memory.Generated}
	err = tx.eachAbout(ctx, f, projects, func(note, of memory.Memory) error {
		n, err := Notes.Of(note)
		if n.Kind, n.Text, n.Origin = of.Kind, of.Text, of.Origin; of.ValidTo.IsZero() {
			list = append(list, n)
		}
		return err
	})
	return list, err
}

// TakeNote says that a state holds a note or points to it.
func (tx *Tx) TakeNote(ctx context.Context, id memory.CrystalID) error {
	found, err := tx.Memories(ctx, CrystalFilter{Kinds: []memory.CrystalKind{memory.KindNote}, Subject: string(id), Lifecycle: memory.Generated})
	waiting, err := db.First(found, err)
	if err != nil {
		return fmt.Errorf("take note %s: %w", id, err)
	}
	waiting.Lifecycle = memory.Archived
	return tx.Keep(ctx, waiting.Crystal)
}
