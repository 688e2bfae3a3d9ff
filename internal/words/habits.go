package words

import (
	"context"
	"fmt"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// LearnHabits goes through the commits that came since the last time once more, as if each were still to come, and learns from where they
// were ranked. It does so outside of any transaction; where there is no table of words yet the past is too short for it.
func LearnHabits(ctx context.Context, b *brain.Brain, id memory.ProjectID, progress func(float64)) error {
	var past *recall.Rehearsal
	var old *recall.Habits
	var generation string
	due, err := brain.View(ctx, b, func(tx *store.Tx) (bool, error) {
		p, err := record.PastOf(ctx, b, tx, id)
		if err != nil {
			return false, err
		}
		defer record.Pasts(b).Put(p)
		if !p.Meaning.Known() {
			return false, nil
		}
		known := 0
		if old = p.Meaning.Habits; old != nil {
			known = old.Episodes()
		}
		if p.Image.Episodes()-known < b.Numbers.LessonsAfter {
			return false, nil
		}
		generation, past = p.Generation, p.Image.Rehearse()
		return true, nil
	})
	if err != nil || !due {
		return err
	}
	habits, err := past.Teach(old, b.Numbers.Lessons, func(share float64) error {
		if progress != nil {
			progress(share)
		}
		return context.Cause(ctx)
	})
	if err != nil {
		return fmt.Errorf("learn habits of %s: %w", id, err)
	}
	_, err = KeepBlocks(ctx, b, id, generation, map[int][]byte{record.HabitsBlock: habits.Encode()})
	return err
}
