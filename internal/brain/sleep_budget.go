package brain

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

const budgetLeft = 0.9 // how full of its budget a store is after it has forgotten its oldest work (forgetting work is costly, so it is done rarely)

// shortened names the fact up to when the tool calls of a project have been shortened, unix milliseconds.
func shortened(id memory.ProjectID) string { return "sleep/shortened/" + id.String() }

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
		after, err := number(ctx, tx, shortened(project))
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
		after, err := number(ctx, tx, shortened(project))
		if err != nil {
			return 0, err
		}
		n, last, err := tx.Shorten(ctx, project, time.UnixMilli(after), before, most)
		if err != nil || n == 0 {
			return n, err
		}
		// Events of one moment may lie on both sides of a chunk: the next begins with that moment again.
		return n, tx.SetMeta(ctx, shortened(project), strconv.FormatInt(last.UnixMilli()-1, 10))
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

// keepToBudget forgets the oldest sessions of a store that uses too much; where a store cannot tell, it has no budget. Those to which a person gave words of their own go
// last.
func (s *sleeper) keepToBudget(ctx context.Context) error {
	facts, err := s.store.Facts(ctx)
	limit := s.tuning.Budget
	if err != nil || limit == 0 || facts.Used <= limit {
		return err
	}
	report := &BudgetReport{Bytes: facts.Used, Limit: limit}
	chosen := forgetting{Old: true}
	err = s.store.View(ctx, func(tx *store.Tx) error {
		old, err := s.oldest(ctx, tx, 1-budgetLeft*float64(limit)/float64(facts.Used))
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
	if err != nil {
		return err
	}
	if report.Sessions == 0 {
		return nil
	}
	s.report.Budget = report
	if s.in.Dry {
		return nil
	}
	if err := s.beginForgetting(ctx, &chosen); err != nil {
		return err
	}
	if err := errors.Join(s.forgetNow(ctx, chosen), s.learnAnew(ctx)); err != nil {
		return err
	}
	if err := s.store.Tidy(ctx); err != nil && !errors.Is(err, memory.ErrConflict) { // a reader holds the file: next time
		return err
	}
	return nil
}

// oldest are the closed sessions that make up a share of all events.
func (s *sleeper) oldest(ctx context.Context, tx *store.Tx, share float64) (chosen []memory.Session, err error) {
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
