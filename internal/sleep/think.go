package sleep

import (
	"context"
	"errors"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// think compares goals with episodes, inside a sleep, once for what is new.
func (s *Sleeper) think(ctx context.Context, _ []store.Slice) error {
	if s.in.Dry {
		return nil
	}
	s.in.Progress("thinking", 1)
	projects, err := brain.View(ctx, s.Brain.Store, func(tx *store.Tx) ([]memory.ProjectID, error) { return goals.Lately(ctx, tx) })
	for _, id := range projects {
		err = errors.Join(err, goals.ThinkIfNew(ctx, s.Brain, id, 0, &s.Report.Thinking))
	}
	return err
}
