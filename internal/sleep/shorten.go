package sleep

import (
	"context"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// shortened is up to when the tool calls of a project have been shortened, unix milliseconds.
func shortened(id memory.ProjectID) store.Fact[int64] {
	return store.NewFact[int64]("sleep/shortened").Of(id)
}

// shorten drops the words of old tool calls: what they taught is learned. What people and agents said stays.
func (s *Sleeper) shorten(ctx context.Context, project memory.ProjectID) error {
	var before time.Time
	err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
		if before, err = tx.Kept(ctx, project, s.Numbers.LogRows); err != nil || before.IsZero() {
			return err
		}
		if old := s.Now.Add(-s.Tuning.LogAge); old.Before(before) {
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
		s.Report.Consolidation.EpisodicRowsPruned += n
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
	s.Report.Consolidation.EpisodicRowsPruned += n
	return err
}

// BudgetReport counts what was forgotten because the store was too large.
type BudgetReport struct {
	Bytes    int64 `json:"bytes"`
	Limit    int64 `json:"limit"`
	Sessions int64 `json:"sessions"` // forgotten, the oldest first
	Events   int64 `json:"events"`
}
