package brain

import (
	"context"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// Rules are the formulas of growing and fading, with a project's registers as this transaction finds them.
func (b *Brain) Rules(ctx context.Context, tx *store.Tx, project memory.ProjectID) (plasticity.Rules, error) {
	balance, err := tx.Balance(ctx, project)
	if err == nil && balance.Clock.Last == 0 && project != 0 { // without a session of its own: time ends with the last that is known of it
		var p memory.Project
		if p, err = tx.Project(ctx, project); IsNotFound(err) {
			err = nil
		} else if err == nil {
			balance.Clock.Last = memory.Day(p.LastAt)
		}
	}
	return plasticity.NewRules(b.Numbers.Plasticity, balance), err
}

// Retune must come before a transaction writes what fades: where a rate was changed in the settings since the store was last
// written, everything is moved to the new one, so that no figure jumps.
func (b *Brain) Retune(ctx context.Context, tx *store.Tx) error {
	balance, err := tx.Balance(ctx, 0)
	if err != nil {
		return err
	}
	old, rates := balance.Rates, b.Numbers.Plasticity.Rates
	if old == rates {
		return nil
	}
	if old != (plasticity.Rates{}) {
		before := plasticity.NewRules(b.Numbers.Plasticity, plasticity.Balance{Rates: old})
		after, day := plasticity.NewRules(b.Numbers.Plasticity, plasticity.Balance{Rates: rates}), plasticity.Days(tx.Now)
		err := tx.Shift(ctx, after.Weight.Rebase(before.Weight, day), after.Myelin.Rebase(before.Myelin, day),
			after.Activation.Rebase(before.Activation, day))
		if err != nil {
			return err
		}
	}
	return tx.SetRates(ctx, rates)
}

// reader reads fading figures of a project at one moment.
type reader struct {
	plasticity.Rules
	Day float64
}

func (b *Brain) Reader(ctx context.Context, tx *store.Tx, project memory.ProjectID) (reader, error) {
	return NewReader(ctx, tx, b.Numbers.Plasticity, project)
}

func NewReader(ctx context.Context, tx *store.Tx, p plasticity.Params, project memory.ProjectID) (reader, error) {
	balance, err := tx.Balance(ctx, project)
	return reader{Rules: plasticity.NewRules(p, balance), Day: plasticity.Days(tx.Now)}, err
}

func ReaderAt(rules plasticity.Rules, now time.Time) reader {
	return reader{Rules: rules, Day: plasticity.Days(now)}
}
