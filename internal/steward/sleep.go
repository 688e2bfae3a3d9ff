package steward

import (
	"context"
	"errors"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/store"
)

// Sleep forgets, balances and consolidates.
var Sleep = brain.Operation[sleep.SleepInput, sleep.SleepReport]{
	Name: "sleep",
	Run: func(ctx context.Context, b *brain.Brain, in sleep.SleepInput) (sleep.SleepReport, error) {
		if !in.Dry {
			// A project that cannot be rebuilt is passed over.
			if err := errors.Join(forget.Resume(ctx, b), forget.LearnAnew(ctx, b)); brain.ConcernsAll(ctx, err) {
				return sleep.SleepReport{}, err
			}
		}
		return sleep.Sleep(ctx, b, in, func(ctx context.Context, dry bool) (*sleep.BudgetReport, error) {
			return forget.KeepToBudget(ctx, b, dry)
		})
	},
}

// sleepIfDue sleeps once a day on which somebody works.
func sleepIfDue(ctx context.Context, b *brain.Brain, why string) (sleep.SleepReport, error) {
	due, err := brain.View(ctx, b.Store, func(tx *store.Tx) (bool, error) {
		last, err := sleep.SleptAt.Get(ctx, tx)
		return memory.Day(time.UnixMilli(last)) != memory.Day(tx.Now), err
	})
	if err != nil || !due {
		return sleep.SleepReport{}, err
	}
	return Sleep.Run(ctx, b, sleep.SleepInput{Why: why, Gently: true})
}

// upkeptAt is when code and words were read last, unix milliseconds.
var upkeptAt = store.NewFact[int64]("upkept")

// upkeep says whether it is time to read code and words again, and notes that it was done.
func upkeep(ctx context.Context, b *brain.Brain) (due bool, err error) {
	due, err = brain.View(ctx, b.Store, func(tx *store.Tx) (bool, error) {
		last, err := upkeptAt.Get(ctx, tx)
		since := tx.Now.Sub(time.UnixMilli(last))
		return since >= b.Config.Tuning.Sleep.Every || since < 0, err // a clock that was set back must not prevent it
	})
	if err != nil || !due {
		return false, err
	}
	return true, b.Store.Update(ctx, func(tx *store.Tx) error { return upkeptAt.Set(ctx, tx, tx.Now.UnixMilli()) })
}
