package brain

import (
	"context"
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// learnHabits goes through the commits that came since the last time once more, as if each were still to come, and learns from where they
// were ranked. It does so outside of any transaction; where there is no table of words yet the past is too short for it.
func (b *Brain) learnHabits(ctx context.Context, id memory.ProjectID, progress func(float64)) error {
	var past *recall.Rehearsal
	var old *recall.Habits
	var era string
	due, err := viewed(ctx, b, func(tx *store.Tx) (bool, error) {
		p, err := b.past(ctx, tx, id)
		if err != nil {
			return false, err
		}
		defer b.pasts().put(p)
		if !p.meaning.known() {
			return false, nil
		}
		known := 0
		if old = p.meaning.habits; old != nil {
			known = old.Episodes()
		}
		if p.image.Episodes()-known < b.numbers.lessonsAfter {
			return false, nil
		}
		era, past = p.era, p.image.Rehearse()
		return true, nil
	})
	if err != nil || !due {
		return err
	}
	habits, err := past.Teach(old, b.numbers.lessons, func(share float64) error {
		if progress != nil {
			progress(share)
		}
		return context.Cause(ctx)
	})
	if err != nil {
		return fmt.Errorf("learn habits of %s: %w", id, err)
	}
	return b.keepHabits(ctx, id, era, habits)
}

// keepHabits saves them, unless the project was made anew meanwhile: what was forgotten must not live on in them.
func (b *Brain) keepHabits(ctx context.Context, id memory.ProjectID, era string, habits *recall.Habits) error {
	_, err := b.keepBlocks(ctx, id, era, map[int][]byte{habitsBlock: habits.Encode()})
	return err
}
