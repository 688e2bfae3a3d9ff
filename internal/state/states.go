package state

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
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
			_, err = SaveState(ctx, tx, id, s, StateByUser)
			return err
		})
		return out, err
	},
}

// PaymentInput is what a skill earned or cost.
type PaymentInput struct {
	// Amount is in USDC; below zero it was spent.
	Amount float64 `json:"amount"`
	Skill  string  `json:"skill,omitempty"`
	Buyer  string  `json:"buyer,omitempty"`
	Note   string  `json:"note,omitempty"`
}

const (
	Usdc     = 1e6 // what a payment is counted in
	MostUSDC = 1e9 // more is a slip
)

// AddPayment keeps a payment.
var AddPayment = brain.NeverBusy(brain.Operation[PaymentInput, store.Payment]{
	Name: "ledger-add",
	Run: func(ctx context.Context, b *brain.Brain, in PaymentInput) (store.Payment, error) {
		line := func(s string) string { return scrub.Line(scrub.Clean(s)) }
		p := store.Payment{Amount: int64(math.Round(in.Amount * Usdc)), Skill: line(in.Skill), Buyer: line(in.Buyer), Note: line(in.Note)}
		if p.Amount == 0 || math.IsNaN(in.Amount) || math.Abs(in.Amount) > MostUSDC {
			return p, fmt.Errorf("payment of %g USDC: want an amount other than zero, up to %g: %w", in.Amount, float64(MostUSDC), memory.ErrInvalid)
		}
		return brain.Update(ctx, b, func(tx *store.Tx) (store.Payment, error) {
			id, err := tx.NewID()
			if err != nil {
				return p, err
			}
			p.ID, p.At = string(id), tx.Now
			if err := tx.AddPayment(ctx, p); err != nil || p.Amount < 0 {
				return p, err
			}
			return p, desk.MoveMood(ctx, tx, tx.Now, statements.MoodSale)
		})
	},
}, func(in PaymentInput) string { return in.Note })

// LedgerResult is what skills earned and cost.
type LedgerResult struct {
	Totals   Ledger          `json:"totals"`
	Payments []store.Payment `json:"payments"`
}

// Payments lists what skills earned and cost, the latest first.
var Payments = brain.Operation[brain.ListInput, LedgerResult]{
	Name: "ledger",
	Run: func(ctx context.Context, b *brain.Brain, in brain.ListInput) (LedgerResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (out LedgerResult, err error) {
			all, err := tx.Payments(ctx)
			if err != nil {
				return out, err
			}
			out.Totals, out.Payments = *ledgerOf(all, tx.Now), all
			if in.Limit > 0 {
				out.Payments = all[:min(len(all), in.Limit)]
			}
			if out.Payments == nil {
				out.Payments = []store.Payment{}
			}
			return out, nil
		})
	},
}

// DreamMaterial is what an agent that dreams itself is given.
type DreamMaterial struct {
	// Prompt holds the material as data, the rules, and the form of the answer.
	Prompt string `json:"prompt"`
	// LeftOut counts pieces of material for which there was no room.
	LeftOut int `json:"left_out,omitempty"`
}

// DreamBegin hands an agent the material of a dream. It changes nothing.
var DreamBegin = brain.Operation[brain.Scope, DreamMaterial]{
	Name: "dream-begin", Files: brain.ReadFiles,
	Run: func(ctx context.Context, b *brain.Brain, in brain.Scope) (out DreamMaterial, err error) {
		id, err := brain.View(ctx, b.Store, func(tx *store.Tx) (memory.ProjectID, error) { return brain.Resolve(ctx, tx, b.Config, in) })
		if err != nil {
			return out, err
		}
		return newDreamer(b).begin(ctx, id)
	},
}

func (d dreamer) begin(ctx context.Context, id memory.ProjectID) (out DreamMaterial, err error) {
	nonce, err := d.store.NewID()
	if err != nil {
		return out, err
	}
	about := aboutProject(ctx, d.store, d.config, id)
	return brain.View(ctx, d.store, func(tx *store.Tx) (DreamMaterial, error) {
		m, err := d.material(ctx, tx, id, about)
		if err != nil {
			return out, err
		}
		asked, err := Prompt(m, string(nonce), d.config.Tuning.Dream.PromptTokens)
		return DreamMaterial{Prompt: asked.Text, LeftOut: asked.LeftOut}, err
	})
}

// DreamCommitInput is the state as an agent wrote it.
type DreamCommitInput struct {
	brain.Scope
	State string `json:"state"`
}

// DreamCommit examines a state that an agent wrote, adds what it left out, and puts it in place. One that the guards refuse is
// kept for inspection, and rules dream instead: the state is never worse than theirs.
var DreamCommit = brain.RepeatableNeverBusy(brain.Operation[DreamCommitInput, DreamResult]{
	Name: "dream-commit", Files: brain.WriteAllFiles,
	Run: func(ctx context.Context, b *brain.Brain, in DreamCommitInput) (DreamResult, error) {
		id, err := brain.View(ctx, b.Store, func(tx *store.Tx) (memory.ProjectID, error) {
			id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
			if err == nil {
				_, err = tx.Project(ctx, id)
			}
			return id, err
		})
		if err != nil {
			return DreamResult{}, err
		}
		phases, err := phases(ctx, b.Store, b.Config.Tuning.Crystal, id)
		if err != nil {
			return DreamResult{}, err
		}
		return newDreamer(b).commit(ctx, id, in.State, stateByAgent, phases)
	},
})

func (d dreamer) commit(ctx context.Context, id memory.ProjectID, answer, by string, phases PhaseReport) (out DreamResult, err error) {
	var p Proposal
	var old Document
	var refused error
	about := aboutProject(ctx, d.store, d.config, id)
	err = d.store.View(ctx, func(tx *store.Tx) error {
		m, err := d.material(ctx, tx, id, about)
		if err != nil {
			return err
		}
		old = m.Old
		base := m.Base()
		made, bad := ReadAnswer(scrub.Clean(answer))
		if refused = bad; refused != nil {
			return nil
		}
		made.Dreamt, made.Mood = m.Now, ""
		leftOut := 0
		if by == stateByAgent {
			made, leftOut = ByAgent(m.Old, made)
		}
		made = m.Unstated(made)
		if refused = judgeSmall(base, made, m.Sources()); refused != nil { // what the person said comes on top of it
			return nil
		}
		p = Complete(m, made)
		if refused = Judge(base, p.New, m.Sources()).Err(); refused != nil {
			return nil
		}
		out = outcome(m, p, phases)
		out.By, out.Why = by, "written by the "+by
		if leftOut > 0 {
			out.Warnings = append(out.Warnings, fmt.Sprintf("%s in sections about the user left out: an agent does not write there", prose.Count(leftOut, "line", "lines")))
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	if refused == nil && out.Shallow {
		return out, nil // it says what the old one says
	}
	if refused == nil {
		return out, d.keep(ctx, id, p, old, out)
	}
	err = d.store.Update(ctx, func(tx *store.Tx) error {
		_, err := tx.AddState(ctx, store.StateText{Project: id, At: tx.Now, By: by, Text: strings.TrimSpace(scrub.Clean(answer)), Refused: scrub.Line(refused.Error())}, StatesKept)
		return err
	})
	if err != nil {
		return out, err
	}
	out, err = d.dream(ctx, DreamInput{Scope: brain.Scope{Project: id.String()}, Force: true, Rules: true})
	out.Phases = phases
	out.Warnings = append(out.Warnings, "refused, rules dreamt instead: "+scrub.Line(refused.Error()))
	return out, err
}
