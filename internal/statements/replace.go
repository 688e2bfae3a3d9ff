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

const comparedMost = 300 // latest statements of a project among which the replaced one is looked for

// replacedBy looks for the earlier statement that a new one of the person ends: one that says in a plain form what no longer holds, in words that
// speak of that statement and of no other.
func replacedBy(ctx context.Context, tx *store.Tx, c memory.Crystal) (older memory.Crystal, found bool, err error) {
	if !slices.Contains(holding, c.Kind) || c.Origin != memory.OriginUser || !InForce(c) || undone(c.Text) == "" {
		return older, false, nil
	}
	kept, err := tx.Crystals(ctx, store.CrystalFilter{
		Projects: []memory.ProjectID{c.Project}, Kinds: holding, Current: true, Living: true, Said: true, SaidBefore: c.SaidAt, Limit: comparedMost,
	})
	ended := slices.DeleteFunc(kept, func(k store.Kept) bool { // in one prompt a person lists things and does not take them back
		return k.Lifecycle == memory.Frozen || brain.IsThought(k.Crystal) || c.Session != 0 && k.Source == c.Source || !outdates(c.Text, k.Text)
	})
	if err != nil || len(ended) != 1 {
		return older, false, err
	}
	return ended[0].Crystal, true, nil
}

// outdates reports whether a sentence says in a plain form that an earlier statement no longer holds: all that it calls undone is said there, and
// it speaks of little else.
func outdates(sentence, earlier string) bool {
	named, over := termsOf(earlier), termsOf(undone(sentence))
	missing := func(t term) bool {
		return t.tells() > 0 && !slices.ContainsFunc(named, func(o term) bool { return o.word == t.word })
	}
	return names(undone(sentence)) > 0 && !slices.ContainsFunc(over, missing) && speaksOf(sentence, earlier) && !Negates(earlier)
}

// Over reports whether a statement held until a day that is over.
func Over(c memory.Crystal, now time.Time) bool {
	end, limited := Until(c.Text, c.SaidAt)
	return limited && !now.Before(end)
}

// Holding are the crystals of a list that are not over.
func Holding(list []store.Kept, now time.Time) []store.Kept {
	return slices.DeleteFunc(list, func(c store.Kept) bool { return Over(c.Crystal, now) })
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
