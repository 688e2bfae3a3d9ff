package statements

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/crystal"
	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/listen"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// holding are the kinds of what holds until something else is said.
var holding = []memory.CrystalKind{memory.Preference, memory.Rule, memory.Decision, memory.Correction, memory.Fact, memory.Intention}

const comparedMost = 300 // latest statements of a project among which the replaced one is looked for

// replacedBy looks for the earlier statement that a new one of a person replaces. Where that is not sure the earlier one may be outdated, and
// somebody has to decide. Notes of agents and questions replace nothing, and neither does what is not sure to have been meant.
func replacedBy(ctx context.Context, tx *store.Tx, c memory.Crystal) (older memory.Crystal, found, sure bool, err error) {
	if !slices.Contains(holding, c.Kind) || c.Origin != memory.OriginUser || !InForce(c) || isQuestion(c.Text) {
		return older, false, false, nil
	}
	kept, err := tx.Crystals(ctx, store.CrystalFilter{
		Projects: []memory.ProjectID{c.Project}, Kinds: holding, Current: true, Living: true, SaidBefore: c.SaidAt, Limit: comparedMost,
	})
	if err != nil {
		return older, false, false, err
	}
	if kept, err = WithoutDoubts(ctx, tx, kept); err != nil {
		return older, false, false, err
	}
	var earlier []memory.Crystal
	var compared []*listen.Said
	for _, k := range kept { // in one prompt a person lists things and does not take them back
		if k.Lifecycle != memory.Frozen && !brain.IsThought(k.Crystal) && (c.Session == 0 || k.Source != c.Source) {
			earlier, compared = append(earlier, k.Crystal), append(compared, newSaid(k.Text))
		}
	}
	i, sure := listen.Replaced(newSaid(c.Text), compared)
	if i < 0 {
		return older, false, false, nil
	}
	return earlier[i], true, sure, nil
}

// Overtaken are the statements of a list that are not shown as what holds: a later one may have taken their place and nobody has decided
// yet, or they held until a day that is over.
func Overtaken(ctx context.Context, tx *store.Tx, list []memory.Crystal) (map[memory.CrystalID]bool, error) {
	overtaken := map[memory.CrystalID]bool{}
	ids := make([]memory.CrystalID, len(list))
	for i, c := range list {
		ids[i] = c.ID
		if end, limited := listen.Until(c.Text, c.SaidAt); limited && !tx.Now.Before(end) {
			overtaken[c.ID] = true
		}
	}
	newer, err := outdated(ctx, tx, ids)
	for id := range newer {
		overtaken[id] = true
	}
	return overtaken, err
}

// WithoutDoubts are the crystals of a list that are not overtaken.
func WithoutDoubts(ctx context.Context, tx *store.Tx, kept []store.Kept) ([]store.Kept, error) {
	list := make([]memory.Crystal, len(kept))
	for i, c := range kept {
		list[i] = c.Crystal
	}
	overtaken, err := Overtaken(ctx, tx, list)
	return slices.DeleteFunc(kept, func(c store.Kept) bool { return overtaken[c.ID] }), err
}

// outdated are the statements among some that a later one may have replaced, each with that one, as long as nobody has decided and the later
// one was not rejected.
func outdated(ctx context.Context, tx *store.Tx, ids []memory.CrystalID) (map[memory.CrystalID]memory.CrystalID, error) {
	marked, err := tx.Marked(ctx, store.Outdated, ids)
	if err != nil || len(marked) == 0 {
		return nil, err
	}
	newer := map[memory.CrystalID]memory.CrystalID{}
	for id, traces := range marked {
		for _, t := range slices.Backward(traces) {
			if decides(t) {
				break
			}
			if t.What == store.Outdated {
				newer[id] = memory.CrystalID(t.Detail)
				break
			}
		}
	}
	wrong, err := tx.Marked(ctx, TraceWrong, slices.Collect(maps.Values(newer)))
	maps.DeleteFunc(newer, func(_, by memory.CrystalID) bool { return len(wrong[by]) > 0 })
	return newer, err
}

// outdatedBy is the statement that may have taken the place of another.
func outdatedBy(ctx context.Context, tx *store.Tx, id memory.CrystalID) (newer memory.Crystal, is bool, err error) {
	found, err := outdated(ctx, tx, []memory.CrystalID{id})
	if err != nil || found[id] == "" {
		return newer, false, err
	}
	kept, err := tx.Crystal(ctx, found[id])
	return kept.Crystal, err == nil, brain.IgnoreNotFound(err)
}

func newSaid(text string) *listen.Said {
	return listen.NewSaid(text, vocab.TextWords(text), embedding.GeneralRow)
}

// replace makes earlier statements history because a new one takes their place.
func replace(ctx context.Context, tx *store.Tx, c *memory.Crystal, earlier ...memory.Crystal) (ended []memory.CrystalID, err error) {
	for _, old := range earlier {
		*c, old = crystal.Supersede(*c, old)
		err = errors.Join(err, tx.SaveCrystal(ctx, old), tx.Leave(ctx, store.Trace{Crystal: old.ID, What: TraceSuperseded, Detail: string(c.ID)}))
		ended = append(ended, old.ID)
	}
	return ended, err
}

// named are the statements that somebody says a new one replaces, and what an agent lacks to replace them.
func named(ctx context.Context, tx *store.Tx, c memory.Crystal, in RememberInput) (list []memory.Crystal, lacking string, err error) {
	for _, id := range in.Replaces {
		old, err := FindCrystal(ctx, tx, id)
		switch {
		case err != nil:
			return nil, "", err
		case !old.ValidTo.IsZero():
			return nil, "", fmt.Errorf("text %s is history already: replace what holds now (hebb why %s): %w", old.ID, old.ID, memory.ErrConflict)
		case old.Lifecycle == memory.Frozen:
			return nil, "", pinned("replace", old.Crystal)
		case old.Project != c.Project:
			return nil, "", fmt.Errorf("text %s belongs to another project: %w", old.ID, memory.ErrInvalid)
		}
		w, err := warrantFor(ctx, tx, old.Crystal, ProposeReplace, in.Origin, cmp.Or(in.Quote, in.Text))
		if err != nil {
			return nil, "", err
		}
		lacking = cmp.Or(lacking, w.lacking)
		list = append(list, old.Crystal)
	}
	return list, lacking, nil
}
