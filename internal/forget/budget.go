package forget

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/store"
)

const budgetLeft = 0.9 // how full of its budget a store is after it has forgotten its oldest work (forgetting work is costly, so it is done rarely)

// KeepToBudget forgets the oldest sessions of a store that uses too much space; a store that does not know its size has no budget.
// Sessions whose intent a person wrote are forgotten last. A dry run only counts.
func KeepToBudget(ctx context.Context, b *brain.Brain, dry bool) (*sleep.BudgetReport, error) {
	t := b.Config.Tuning.Sleep
	facts, err := b.Store.Facts(ctx)
	if err != nil || t.Budget == 0 || facts.Used <= t.Budget {
		return nil, err
	}
	if !dry {
		if err := sleep.Unpack(ctx, b.Store, 0); err != nil {
			return nil, err
		}
	}
	report := &sleep.BudgetReport{Bytes: facts.Used, Limit: t.Budget}
	chosen := Forgetting{Old: true}
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		old, err := oldest(ctx, tx, 1-budgetLeft*float64(t.Budget)/float64(facts.Used))
		for _, session := range old {
			report.Sessions++
			report.Events += session.Events
			events := store.EventFilter{Session: session.ID}
			chosen.Events = append(chosen.Events, events)
			if err := chosen.addPlaces(ctx, tx, events); err != nil {
				return err
			}
		}
		return err
	})
	if err != nil || report.Sessions == 0 {
		return nil, err
	}
	if dry {
		return report, nil
	}
	if err := BeginForgetting(ctx, b.Store, &chosen); err != nil {
		return report, err
	}
	if err := ForgetNow(ctx, b, chosen); err != nil {
		return report, err
	}
	if err := b.Store.Tidy(ctx); err != nil && !errors.Is(err, memory.ErrConflict) { // a reader holds the file: next time
		return report, err
	}
	return report, nil
}

// oldest are the closed sessions that make up a share of all events.
func oldest(ctx context.Context, tx *store.Tx, share float64) (chosen []memory.Session, err error) {
	sessions, err := tx.Sessions(ctx, store.SessionFilter{})
	if err != nil {
		return nil, err
	}
	all, err := tx.CountEvents(ctx, store.EventFilter{})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(sessions, func(a, b memory.Session) int {
		return cmp.Or(cmp.Compare(flagged(a.IntentByHand), flagged(b.IntentByHand)), a.LastEventAt.Compare(b.LastEventAt))
	})
	left := share * float64(all)
	for _, session := range sessions {
		if left <= 0 {
			break
		}
		if !session.Open() {
			chosen = append(chosen, session)
			left -= float64(session.Events)
		}
	}
	return chosen, nil
}

func flagged(b bool) int {
	if b {
		return 1
	}
	return 0
}
