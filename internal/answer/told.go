package answer

import (
	"context"
	"errors"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// ToldInput chooses a project.
type ToldInput struct {
	brain.Scope
}

// ToldLine is a memory that the next session is told, or that waits for the person.
type ToldLine struct {
	memory.Crystal
	Shown string       `json:"shown,omitempty"` // the line of the text that shows it
	Agent memory.Agent `json:"agent,omitempty"` // in whose session it was said
}

// ToldResult is what the next session is told, and what the person may want to put right in it.
type ToldResult struct {
	Text    string     `json:"text"`
	Lines   []ToldLine `json:"lines"`   // of the text, that show memories
	Waiting []ToldLine `json:"waiting"` // lines that name something which nothing bears out
	Changed int        `json:"changed"` // lines that the scribe changed since the person looked
}

// Told is what the next session in a project is told.
var Told = brain.Operation[ToldInput, ToldResult]{
	Name: "told",
	Run: func(ctx context.Context, b *brain.Brain, in ToldInput) (out ToldResult, err error) {
		out.Lines, out.Waiting = []ToldLine{}, []ToldLine{}
		start, err := StartContext.Run(ctx, b, ContextInput{Scope: in.Scope, Asked: true})
		if err != nil {
			return out, err
		}
		out.Text = start.Text
		err = b.Store.View(ctx, func(tx *store.Tx) error {
			id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
			if err != nil {
				return err
			}
			for _, l := range start.Lines {
				c, err := tx.Crystal(ctx, l.ID)
				if err == nil {
					err = out.add(ctx, tx, &out.Lines, ToldLine{Crystal: c.Crystal, Shown: l.Text})
				}
				if brain.IgnoreNotFound(err) != nil {
					return err
				}
			}
			waiting, err1 := statements.WaitingLines(ctx, tx, id)
			for _, c := range waiting {
				err1 = errors.Join(err1, out.add(ctx, tx, &out.Waiting, ToldLine{Crystal: c}))
			}
			changes, err2 := statements.NewChanges(ctx, tx, id)
			for _, c := range changes {
				out.Changed += len(c.Lines)
			}
			return errors.Join(err1, err2)
		})
		return out, err
	},
}

// add adds a line with the agent in whose session it was said.
func (r *ToldResult) add(ctx context.Context, tx *store.Tx, to *[]ToldLine, l ToldLine) error {
	s, err := tx.Session(ctx, l.Session)
	l.Agent = s.Agent
	*to = append(*to, l)
	return brain.IgnoreNotFound(err)
}
