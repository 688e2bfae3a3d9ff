package cli

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/store"
)

func TestMoneyIsWrittenWithTheDecimalsThatItHas(t *testing.T) {
	t.Parallel()
	for millionths, want := range map[int64]string{
		0: "0.00", 1: "0.000001", 12_500_000: "12.50", -350_000: "-0.35", 1_000_000: "1.00", 1_234_500: "1.2345", 12_345_000_000: "12 345.00",
		math.MinInt64: "-9 223 372 036 854.775808",
	} {
		if got := money(millionths); got != want {
			t.Errorf("%d is written %s, want %s", millionths, got, want)
		}
	}
}

func TestLedgerPage(t *testing.T) {
	t.Parallel()
	out := state.LedgerResult{
		Totals: state.Ledger{
			Earned: 15_000_000, Spent: 350_000, Week: 12_150_000, WeekBefore: 2_500_000, Skills: 2, Buyers: 1,
			Top: []state.Earner{{Skill: "review", Earned: 12_500_000}, {Skill: "docs", Earned: 2_500_000}},
		},
		Payments: []store.Payment{
			{At: now, Amount: -350_000, Skill: "review", Note: "model\ncalls"},
			{At: now.Add(-time.Hour), Amount: 12_500_000, Skill: "review", Buyer: "acme"},
		},
	}
	p := &page{now: now}
	ledgerPage(p, out, 2)
	want := strings.Join([]string{
		"  earned       15.00 USDC",
		"  spent        0.35 USDC",
		"  net          14.65 USDC",
		"  last 7 days  12.15 USDC, 2.50 in the 7 before",
		"  from         2 skills, 1 buyer",
		"",
		"Top earners",
		"   USDC  SKILL",
		"  12.50  review",
		"   2.50  docs",
		"",
		"Payments",
		"  AGO   USDC  SKILL   BUYER  NOTE",
		"  now  -0.35  review         model calls",
		"  1 h  12.50  review  acme",
		"The newest 2; -n 0 shows all.",
		"",
	}, "\n")
	if got := p.b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
