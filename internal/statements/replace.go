package statements

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

// replacedBy looks for the earlier statement that a new one of a person replaces. It is sure for few; for the others whoever states it
// decides. Notes of agents replace nothing by themselves: the choice was learned from what people say.
func replacedBy(ctx context.Context, tx *store.Tx, c memory.Crystal) (older memory.Crystal, found, sure bool, err error) {
	if !slices.Contains(holding, c.Kind) || c.Origin != memory.OriginUser {
		return older, false, false, nil
	}
	newer := newSaid(c.Text)
	if c.Heard > 0 && !listen.SaysChange(newer) {
		return older, false, false, nil // nobody is there to decide
	}
	kept, err := tx.Crystals(ctx, store.CrystalFilter{
		Projects: []memory.ProjectID{c.Project}, Kinds: holding, Current: true, Living: true, SaidBefore: c.SaidAt, Limit: comparedMost,
	})
	if err != nil {
		return older, false, false, err
	}
	var earlier []memory.Crystal
	var compared []*listen.Said
	for _, k := range kept {
		if k.Lifecycle != memory.Frozen && !brain.IsThought(k.Crystal) {
			earlier, compared = append(earlier, k.Crystal), append(compared, newSaid(k.Text))
		}
	}
	i, sure := listen.Replaced(newer, compared)
	if i < 0 {
		return older, false, false, nil
	}
	return earlier[i], true, sure, nil
}

// Overtaken are the statements of a list that a later one of it may have replaced. They stay what they are, and are not shown as what holds.
func Overtaken(list []memory.Crystal) map[memory.CrystalID]bool {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b memory.Crystal) int { return a.SaidAt.Compare(b.SaidAt) })
	said := make([]*listen.Said, len(list))
	for i, c := range list {
		said[i] = newSaid(c.Text)
	}
	found := map[memory.CrystalID]bool{}
	for i, overtaken := range listen.Overtaken(said) {
		if overtaken {
			found[list[i].ID] = true
		}
	}
	return found
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
