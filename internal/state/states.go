package state

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// StatesResult are the states of mind that are kept of a project.
type StatesResult struct {
	// Now is MEMORY.md; empty: nothing was ever dreamt.
	Now string `json:"now"`
	// Kept are earlier ones and those that were refused, the latest first.
	Kept []store.StateText `json:"kept"`
	// Due says whether a dream is due, and why or why not.
	Due Decision `json:"due"`
	// Notes wait for it.
	Notes int `json:"notes"`
}

// States shows the state of mind of a project and those before it.
var States = brain.Operation[brain.Scope, StatesResult]{
	Name: "state", Files: brain.ReadFiles,
	Run: func(ctx context.Context, b *brain.Brain, in brain.Scope) (StatesResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (out StatesResult, err error) {
			id, err := brain.Resolve(ctx, tx, b.Config, in)
			if err != nil {
				return out, err
			}
			s, known, err := State(ctx, tx, id)
			if err != nil {
				return out, err
			}
			if known {
				out.Now = RenderState(s)
			}
			if out.Kept, err = tx.States(ctx, id); err != nil {
				return out, err
			}
			if out.Kept == nil {
				out.Kept = []store.StateText{}
			}
			if out.Due, err = DreamDue(ctx, b.Config, tx, id); err != nil {
				return out, err
			}
			notes, err := tx.WaitingNotes(ctx, 0, id)
			out.Notes = len(notes)
			return out, err
		})
	},
}

// RestoreStateInput names a state that is kept.
type RestoreStateInput struct {
	brain.Scope
	ID int64 `json:"id"`
}

// RestoreState makes an earlier state the present one. The one it takes the place of is kept as well.
var RestoreState = brain.Operation[RestoreStateInput, store.StateText]{
	Name: "state-restore", Files: brain.WriteFiles,
	Run: func(ctx context.Context, b *brain.Brain, in RestoreStateInput) (out store.StateText, err error) {
		err = b.Say(ctx, func(tx *store.Tx) error {
			id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
			if err != nil {
				return err
			}
			kept, err := tx.States(ctx, id)
			if err != nil {
				return err
			}
			i := slices.IndexFunc(kept, func(one store.StateText) bool { return one.ID == in.ID })
			if i < 0 {
				return fmt.Errorf("state %d (hebb state list shows those that are kept): %w", in.ID, memory.ErrNotFound)
			}
			out = kept[i]
			s, err := ParseState(out.Text)
			if err != nil {
				return fmt.Errorf("state %d cannot be read: %w", in.ID, err)
			}
			now, _, err := State(ctx, tx, id)
			if err != nil {
				return err
			}
			if now.Above != "" || now.Below != "" { // what stands outside of hebb's marks is no part of a state
				s.Above, s.Below = now.Above, now.Below
			}
			m, err := newDreamer(b).material(ctx, tx, id, git.About{})
			if err != nil {
				return err
			}
			m.Old = s
			if err := takeOld(ctx, b.Config.Tuning.Crystal, tx, id, m, true); err != nil {
				return err
			}
			_, err = SaveState(ctx, tx, id, s, StateByUser)
			return errors.Join(err, asideFact(id).Clear(ctx, tx))
		})
		return out, err
	},
}
