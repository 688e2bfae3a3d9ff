package statements

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

// holding are the kinds of what holds until something else is said.
var holding = []memory.CrystalKind{memory.Preference, memory.Rule, memory.Decision, memory.Correction, memory.Fact, memory.Intention}

const (
	comparedMost = 300 // latest statements of a project among which the replaced one is looked for
)

// replacedBy looks for the earlier statement that a new one of a person replaces. Where that is not sure the earlier one may be outdated, and
// somebody has to decide. Notes of agents and questions replace nothing, and neither does what is not sure to have been meant.
func replacedBy(ctx context.Context, tx *store.Tx, c memory.Crystal) (older memory.Crystal, found, sure bool, err error) {
	if !slices.Contains(holding, c.Kind) || c.Origin != memory.OriginUser || !InForce(c) || isQuestion(c.Text) {
		return older, false, false, nil
	}
	kept, err := tx.Crystals(ctx, store.CrystalFilter{
		Projects: []memory.ProjectID{c.Project}, Kinds: holding, Current: true, Living: true, Said: true, SaidBefore: c.SaidAt, Limit: comparedMost,
	})
	if err != nil {
		return older, false, false, err
	}
	var earlier []memory.Crystal
	var compared []*Said
	for _, k := range kept { // in one prompt a person lists things and does not take them back
		if k.Lifecycle != memory.Frozen && !brain.IsThought(k.Crystal) && (c.Session == 0 || k.Source != c.Source) {
			earlier, compared = append(earlier, k.Crystal), append(compared, newSaid(k.Text))
		}
	}
	i, probability := Replaced(newSaid(c.Text), compared)
	if i < 0 {
		return older, false, false, nil
	}
	sure = probability >= BuiltinReplacing().Sure || probability >= saidSo && speaksOf(c.Text, earlier[i].Text)
	return earlier[i], true, sure, nil
}

// Overtaken reports whether a statement is not shown as what holds: a later one may have taken its place and nobody has decided yet, or it
// held until a day that is over.
func Overtaken(c memory.Crystal, now time.Time) bool {
	end, limited := Until(c.Text, c.SaidAt)
	return c.OvertakenBy != "" || limited && !now.Before(end)
}

// Holding are the crystals of a list that are not overtaken.
func Holding(list []store.Kept, now time.Time) []store.Kept {
	return slices.DeleteFunc(list, func(c store.Kept) bool { return Overtaken(c.Crystal, now) })
}

// overtaker is the statement that may have taken the place of another.
func overtaker(ctx context.Context, tx *store.Tx, c memory.Crystal) (newer memory.Crystal, is bool, err error) {
	if c.OvertakenBy == "" || !c.ValidTo.IsZero() {
		return newer, false, nil
	}
	kept, err := tx.Crystal(ctx, c.OvertakenBy)
	return kept.Crystal, err == nil, brain.IgnoreNotFound(err)
}

// replace makes earlier statements history because a new one takes their place.
func replace(ctx context.Context, tx *store.Tx, c *memory.Crystal, earlier ...memory.Crystal) (ended []memory.CrystalID, err error) {
	for _, old := range earlier {
		*c, old = texts.Supersede(*c, old)
		err = errors.Join(err, tx.SaveCrystal(ctx, old), tx.Leave(ctx, store.Trace{Crystal: old.ID, What: TraceSuperseded, Detail: string(c.ID)}))
		ended = append(ended, old.ID)
	}
	return ended, err
}

// HoldAgain brings back the statements whose place one took that is forgotten.
func HoldAgain(ctx context.Context, tx *store.Tx, forgotten memory.Crystal) (err error) {
	for _, id := range forgotten.Parents {
		old, failed := tx.Crystal(ctx, id)
		if brain.IsNotFound(failed) || failed == nil && old.ValidTo.IsZero() {
			continue
		}
		traces, unread := tx.Traces(ctx, id)
		if err = errors.Join(err, failed, unread); err != nil {
			return err
		}
		if n := len(traces); n > 0 && traces[n-1].What == TraceSuperseded && traces[n-1].Detail == string(forgotten.ID) {
			old.ValidTo = time.Time{}
			err = errors.Join(err, tx.SaveCrystal(ctx, old.Crystal), tx.Leave(ctx, store.Trace{Crystal: id, What: traceUndone, Detail: string(memory.OriginUser)}))
		}
	}
	return err
}

// endSaid ends what the person said in a line, if it was understood from the same session.
func endSaid(ctx context.Context, tx *store.Tx, c memory.Crystal) error {
	if c.Line.Said == "" {
		return nil
	}
	said, err := tx.Crystal(ctx, c.Line.Said)
	if err == nil && said.ValidTo.IsZero() && said.Session == c.Session && said.Lifecycle != memory.Frozen {
		err = EndCrystal(ctx, tx, said.Crystal, traceUndone, string(memory.OriginUser))
	}
	return brain.IgnoreNotFound(err)
}
