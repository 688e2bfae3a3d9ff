package brain

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

const budgetLeft = 0.9 // how full of its budget a store is after it has forgotten its oldest work (forgetting work is costly, so it is done rarely)

// shortened is up to when the tool calls of a project have been shortened, unix milliseconds.
func shortened(id memory.ProjectID) store.Fact[int64] {
	return store.NewFact[int64]("sleep/shortened").Of(id)
}

// shorten drops the words of old tool calls: what they taught is learned. What people and agents said stays.
func (s *sleeper) shorten(ctx context.Context, project memory.ProjectID) error {
	var before time.Time
	err := s.store.View(ctx, func(tx *store.Tx) (err error) {
		if before, err = tx.Kept(ctx, project, s.numbers.logRows); err != nil || before.IsZero() {
			return err
		}
		if old := s.now.Add(-s.tuning.LogAge); old.Before(before) {
			before = old
		}
		if !s.in.Dry {
			return nil
		}
		after, err := shortened(project).Get(ctx, tx)
		if err != nil {
			return err
		}
		n, err := tx.CountLong(ctx, project, time.UnixMilli(after), before)
		s.report.Consolidation.EpisodicRowsPruned += n
		return err
	})
	if err != nil || before.IsZero() || s.in.Dry {
		return err
	}
	n, err := s.repeat(ctx, func(tx *store.Tx, most int) (int64, error) {
		after, err := shortened(project).Get(ctx, tx)
		if err != nil {
			return 0, err
		}
		n, last, err := tx.Shorten(ctx, project, time.UnixMilli(after), before, most)
		if err != nil || n == 0 {
			return n, err
		}
		// Events of one moment may lie on both sides of a chunk: the next begins with that moment again.
		return n, shortened(project).Set(ctx, tx, last.UnixMilli()-1)
	})
	s.report.Consolidation.EpisodicRowsPruned += n
	return err
}

// BudgetReport tells what went because the store was too large.
type BudgetReport struct {
	Bytes    int64 `json:"bytes"`
	Limit    int64 `json:"limit"`
	Sessions int64 `json:"sessions"` // forgotten, the oldest first
	Events   int64 `json:"events"`
}

// keepToBudget forgets the oldest sessions of a store that uses too much space; a store that does not know its size has no budget.
// Sessions whose intent a person wrote are forgotten last. A dry run only counts.
func (b *Brain) keepToBudget(ctx context.Context, dry bool) (*BudgetReport, error) {
	t := b.config.Tuning.Sleep
	facts, err := b.store.Facts(ctx)
	if err != nil || t.Budget == 0 || facts.Used <= t.Budget {
		return nil, err
	}
	report := &BudgetReport{Bytes: facts.Used, Limit: t.Budget}
	chosen := forgetting{Old: true}
	err = b.store.View(ctx, func(tx *store.Tx) error {
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
	if err := b.beginForgetting(ctx, &chosen); err != nil {
		return report, err
	}
	if err := errors.Join(b.forgetNow(ctx, chosen), b.learnAnew(ctx)); err != nil {
		return report, err
	}
	if err := b.store.Tidy(ctx); err != nil && !errors.Is(err, memory.ErrConflict) { // a reader holds the file: next time
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
