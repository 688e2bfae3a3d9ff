package brain

import (
	"context"

	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// rules are the formulas of growing and fading as this transaction finds them balanced.
func (b *Brain) rules(ctx context.Context, tx *store.Tx) (plasticity.Rules, error) {
	balance, err := tx.Balance(ctx)
	return plasticity.NewRules(b.config.Tuning, balance), err
}

// tuned is rules for one who writes: where a rate was retuned since the store was last written, all that fades is moved to
// the new one first, so that nothing jumps.
func (b *Brain) tuned(ctx context.Context, tx *store.Tx) (plasticity.Rules, error) {
	balance, err := tx.Balance(ctx)
	if err != nil {
		return plasticity.Rules{}, err
	}
	old, rates := balance.Rates, plasticity.RatesOf(b.config.Tuning.Plasticity)
	if old == rates {
		return plasticity.NewRules(b.config.Tuning, balance), nil
	}
	balance.Rates = rates
	rules := plasticity.NewRules(b.config.Tuning, balance)
	if old != (plasticity.Rates{}) {
		before, day := plasticity.NewRules(b.config.Tuning, plasticity.Balance{Rates: old}), plasticity.Days(tx.Now)
		err := tx.Shift(ctx, rules.Weight.Rebase(before.Weight, day), rules.Myelin.Rebase(before.Myelin, day),
			rules.Activation.Rebase(before.Activation, day))
		if err != nil {
			return rules, err
		}
	}
	return rules, tx.SetBalance(ctx, balance)
}

// reader reads fading figures at one moment.
type reader struct {
	plasticity.Rules
	day float64
}

func (b *Brain) reader(ctx context.Context, tx *store.Tx) (reader, error) {
	rules, err := b.rules(ctx, tx)
	return reader{Rules: rules, day: plasticity.Days(tx.Now)}, err
}
