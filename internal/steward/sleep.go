package steward

import (
	"context"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/store"
)

// Sleep forgets, balances and consolidates.
var Sleep = brain.Operation[sleep.SleepInput, sleep.SleepReport]{
	Name: "sleep",
	Run: func(ctx context.Context, b *brain.Brain, in sleep.SleepInput) (sleep.SleepReport, error) {
		if !in.Dry {
			if err := forget.Resume(ctx, b); err != nil {
				return sleep.SleepReport{}, err
			}
		}
		return sleep.Sleep(ctx, b, in, func(ctx context.Context, dry bool) (*sleep.BudgetReport, error) {
			return forget.KeepToBudget(ctx, b, dry)
		})
	},
}

// sleepIfDue sleeps if the last sleep is long enough ago.
func sleepIfDue(ctx context.Context, b *brain.Brain, why string) (sleep.SleepReport, error) {
	due, err := brain.View(ctx, b.Store, func(tx *store.Tx) (bool, error) {
		last, err := sleep.SleptAt.Get(ctx, tx)
		since := tx.Now.Sub(time.UnixMilli(last))
		return since >= b.Config.Tuning.Sleep.Every || since < 0, err // a clock that was set back must not prevent sleep
	})
	if err != nil || !due {
		return sleep.SleepReport{}, err
	}
	return Sleep.Run(ctx, b, sleep.SleepInput{Why: why, Slice: true})
}
