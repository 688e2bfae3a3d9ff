package state

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// PhaseReport is what a dream did with crystals, besides rewriting the state.
type PhaseReport struct {
	Outdated int `json:"outdated"` // own thoughts that rested on what no longer holds
	Gaps     int `json:"gaps"`     // that are known now

	// Calls are questions to the configured model. Insights are what came of them, Refused what was not founded.
	Calls    int       `json:"calls,omitempty"`
	Insights []string  `json:"insights,omitempty"`
	Refused  []Refusal `json:"refused,omitempty"`
}

// Changed says that something was written.
func (r PhaseReport) Changed() bool { return r.Outdated+len(r.Insights) > 0 }

// phaseMarks are what the model has thought about, so that it is not asked about the same material twice.
type phaseMarks struct {
	Thought int64 `json:"thought,omitempty"` // the document up to which it was
}

func PhasesFact(id memory.ProjectID) store.Fact[phaseMarks] {
	return store.NewFact[phaseMarks]("dream/phases").Of(id)
}

// phases does what needs no language model: it ends thoughts of dreams that rest on what no longer holds, and counts what is not
// known. It decides while it reads and writes in one short transaction.
func phases(ctx context.Context, b *brain.Brain, id memory.ProjectID) (out PhaseReport, err error) {
	ended := map[memory.CrystalID]memory.CrystalID{} // by what each rested on
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		kept, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{0, id}, Current: true, Limit: goals.DreamCrystals})
		if err != nil {
			return err
		}
		for _, c := range kept {
			if !c.Lifecycle.Living() || !brain.IsThought(c.Crystal) {
				continue
			}
			for _, parent := range c.Parents {
				on, err := tx.Crystal(ctx, parent)
				if err != nil && !brain.IsNotFound(err) {
					return err
				}
				if err != nil || !on.ValidTo.IsZero() {
					ended[c.ID] = parent
				}
			}
		}
		kept = slices.DeleteFunc(kept, func(c store.Kept) bool { return ended[c.ID] != "" })
		gaps, err := GapsAmong(ctx, tx, id, kept)
		out.Gaps = len(gaps)
		return err
	})
	out.Outdated = len(ended)
	if err == nil && len(ended) > 0 {
		err = b.Store.UpdateDurable(ctx, func(tx *store.Tx) error { return endThoughts(ctx, tx, ended) })
	}
	if err != nil {
		return out, fmt.Errorf("dream: phases: %w", err)
	}
	return out, nil
}

// endThoughts makes thoughts history that are still there.
func endThoughts(ctx context.Context, tx *store.Tx, ended map[memory.CrystalID]memory.CrystalID) (err error) {
	for id, parent := range ended {
		now, failed := tx.Crystal(ctx, id)
		if failed != nil {
			err = errors.Join(err, brain.IgnoreNotFound(failed))
			continue
		}
		now.ValidTo = tx.Now
		err = errors.Join(err, tx.SaveCrystal(ctx, now.Crystal),
			tx.Leave(ctx, store.Trace{Crystal: id, What: statements.TraceSuperseded, Detail: string(parent)}))
	}
	return err
}

// thoughtsOf makes crystals ready to be compared: those that live.
func thoughtsOf(ctx context.Context, tx *store.Tx, kept []store.Kept) (thoughts []Thought, err error) {
	var ids []int64
	for _, c := range kept {
		if c.Lifecycle.Living() {
			ids = append(ids, c.Document)
		}
	}
	vectors, err := tx.VectorsOf(ctx, texts.GeneralModel, ids)
	for _, c := range kept {
		if c.Lifecycle.Living() {
			thoughts = append(thoughts, Thought{Crystal: c.Crystal, Document: c.Document, Vector: vectors[c.Document], Words: vocab.TextWords(c.Text)})
		}
	}
	return thoughts, err
}

// ForgetThoughts deletes what dreams made of crystals that are forgotten on purpose.
func ForgetThoughts(ctx context.Context, tx *store.Tx, gone memory.CrystalID) error {
	made, err := tx.Crystals(ctx, store.CrystalFilter{Kinds: []memory.CrystalKind{memory.Insight}})
	if err != nil {
		return err
	}
	for _, c := range made {
		if brain.IsThought(c.Crystal) && slices.Contains(c.Parents, gone) {
			if err := tx.DeleteCrystal(ctx, c.ID); err != nil {
				return err
			}
		}
	}
	return nil
}
