package state

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// PaymentInput is what a skill earned or cost.
type PaymentInput struct {
	// Amount is in USDC; below zero it was spent.
	Amount float64 `json:"amount"`
	Skill  string  `json:"skill,omitempty" flag:"skill" about:"the skill that earned or cost it"`
	Buyer  string  `json:"buyer,omitempty" flag:"buyer" about:"who paid"`
	Note   string  `json:"note,omitempty" flag:"note" about:"anything else"`
}

const (
	Usdc     = 1e6 // what a payment is counted in
	MostUSDC = 1e9 // more is a slip
)

// AddPayment keeps a payment.
var AddPayment = brain.NeverBusy(brain.Operation[PaymentInput, store.Payment]{
	Name: "ledger-add",
	Run: func(ctx context.Context, b *brain.Brain, in PaymentInput) (store.Payment, error) {
		line := func(s string) string { return scrub.Line(scrub.Clean(s)) }
		p := store.Payment{Amount: int64(math.Round(in.Amount * Usdc)), Skill: line(in.Skill), Buyer: line(in.Buyer), Note: line(in.Note)}
		if p.Amount == 0 || math.IsNaN(in.Amount) || math.Abs(in.Amount) > MostUSDC {
			return p, fmt.Errorf("payment of %g USDC: want an amount other than zero, up to %g: %w", in.Amount, float64(MostUSDC), memory.ErrInvalid)
		}
		return brain.Update(ctx, b, func(tx *store.Tx) (store.Payment, error) {
			id, err := tx.NewID()
			if err != nil {
				return p, err
			}
			p.ID, p.At = string(id), tx.Now
			if err := store.Payments.Keep(ctx, tx, p); err != nil || p.Amount < 0 {
				return p, err
			}
			return p, desk.MoveMood(ctx, tx, tx.Now, statements.MoodSale)
		})
	},
}, func(in PaymentInput) string { return in.Note })

// LedgerResult is what skills earned and cost.
type LedgerResult struct {
	Totals   Ledger          `json:"totals"`
	Payments []store.Payment `json:"payments"`
}

// Payments lists what skills earned and cost, the latest first.
var Payments = brain.Operation[brain.ListInput, LedgerResult]{
	Name: "ledger",
	Run: func(ctx context.Context, b *brain.Brain, in brain.ListInput) (LedgerResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (out LedgerResult, err error) {
			all, err := store.Payments.All(ctx, tx, store.CrystalFilter{})
			if err != nil {
				return out, err
			}
			out.Totals, out.Payments = *ledgerOf(all, tx.Now), all
			if in.Limit > 0 {
				out.Payments = all[:min(len(all), in.Limit)]
			}
			if out.Payments == nil {
				out.Payments = []store.Payment{}
			}
			return out, nil
		})
	},
}

// Ledger is what was earned and spent, in millionths of a USDC.
type Ledger struct {
	Earned     int64    `json:"earned"`
	Spent      int64    `json:"spent"`
	Week       int64    `json:"week"`        // net, of the last seven days
	WeekBefore int64    `json:"week_before"` // and of the seven before
	Skills     int      `json:"skills"`      // on offer
	Buyers     int      `json:"buyers"`      // different ones
	Top        []Earner `json:"top,omitempty"`
}

// Earner is a skill and what it earned.
type Earner struct {
	Skill  string `json:"skill"`
	Earned int64  `json:"earned"`
}

// String is the ledger as the state has it.
func (l Ledger) String() string {
	text := fmt.Sprintf("earned %s USDC, spent %s, net %s; last 7 days %s, the 7 before %s; %s, %s",
		amount(l.Earned), amount(l.Spent), amount(l.Earned-l.Spent), amount(l.Week), amount(l.WeekBefore),
		prose.Count(l.Skills, "skill on offer", "skills on offer"), prose.Count(l.Buyers, "buyer", "buyers"))
	for i, e := range l.Top {
		text += []string{"; top: ", ", "}[min(i, 1)] + prose.Shorten(prose.OneLine(e.Skill), 40) + " " + amount(e.Earned)
	}
	return text
}

// ledgerOf adds payments up.
func ledgerOf(payments []store.Payment, now time.Time) *Ledger {
	const week = 7 * 24 * time.Hour
	l := &Ledger{}
	earned, buyers := map[string]int64{}, map[string]bool{}
	for _, p := range payments {
		if p.Amount > 0 {
			l.Earned += p.Amount
			earned[p.Skill] += p.Amount
		} else {
			l.Spent -= p.Amount
		}
		if p.Buyer != "" {
			buyers[p.Buyer] = true
		}
		switch age := now.Sub(p.At); {
		case age < week:
			l.Week += p.Amount
		case age < 2*week:
			l.WeekBefore += p.Amount
		}
	}
	for skill, amount := range earned {
		if skill != "" {
			l.Top = append(l.Top, Earner{Skill: skill, Earned: amount})
		}
	}
	slices.SortFunc(l.Top, func(x, y Earner) int {
		return cmp.Or(cmp.Compare(y.Earned, x.Earned), strings.Compare(x.Skill, y.Skill))
	})
	l.Skills, l.Buyers = len(l.Top), len(buyers)
	l.Top = l.Top[:min(len(l.Top), 5)]
	return l
}

// amount is a sum in millionths as people write it: with cents, or with all it has.
func amount(millionths int64) string {
	text := fmt.Sprintf("%.6f", float64(millionths)/Usdc) // MostUSDC keeps it exact
	return strings.TrimSuffix(text, "0000")
}
