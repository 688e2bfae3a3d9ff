package cli

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/dreams"
	"github.com/hebb-memory/hebb/internal/store"
)

func TestAnAmountIsReadAsItIsWrittenOrRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		"12.50": 12.5, "3": 3, "+3.": 3, ".5": 0.5, "0.000001": 0.000001, "-3.5": -3.5, "1.10000000": 1.1, "1000000000": 1e9,
	} {
		if got, err := parseAmount(text); err != nil || got != want {
			t.Errorf("%s is %g, %v; want %g", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "such as 12.50", ".": "such as 12.50", "--3": "such as 12.50", "1e3": "such as 12.50", "NaN": "such as 12.50", "12 USDC": "such as 12.50",
		"1.2.3": "such as 12.50", "12,50": "a point before the decimals", "1,250.50": "nothing between thousands", "0.0000001": "six decimals",
		"0": "more than nothing", "-0.00": "more than nothing", "1000000000.01": "at most 1 000 000 000", "9999999999999": "at most",
	} {
		_, err := parseAmount(text)
		var usage usageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want wrong use that says %q", text, err, want)
		}
	}
}

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

// What is written without the blanks between thousands is read as the same amount.
func TestAnAmountThatIsShownCanBeTyped(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		amount := 1 + random.Int64N(amountMost*1e6>>random.IntN(50))
		got, err := parseAmount(strings.ReplaceAll(money(amount), " ", ""))
		if err != nil || int64(math.Round(got*1e6)) != amount {
			t.Fatalf("%d is shown as %s and read as %g, %v", amount, money(amount), got, err)
		}
	}
}

func TestLedgerPage(t *testing.T) {
	t.Parallel()
	out := shownLedger(dreams.LedgerResult{
		Totals: dream.Ledger{
			Earned: 15_000_000, Spent: 350_000, Week: 12_150_000, WeekBefore: 2_500_000, Skills: 2, Buyers: 1,
			Top: []dream.Earner{{Skill: "review", Earned: 12_500_000}, {Skill: "docs", Earned: 2_500_000}},
		},
		Payments: []store.Payment{
			{At: now, Amount: -350_000, Skill: "review", Note: "model\ncalls"},
			{At: now.Add(-time.Hour), Amount: 12_500_000, Skill: "review", Buyer: "acme"},
		},
	})
	p := &page{now: now}
	ledgerPage(p, out, 2)
	want := strings.Join([]string{
		"  earned       15.00 USDC",
		"  spent        0.35 USDC",
		"  net          14.65 USDC",
		"  last 7 days  ↑ 12.15 USDC, 2.50 in the 7 before",
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
	for _, c := range []struct {
		week, before int64
		want         string
	}{{1, 0, "↑"}, {0, 1, "↓"}, {-2, -1, "↓"}, {3, 3, "→"}} {
		if got := trend(c.week, c.before); got != c.want {
			t.Errorf("%d after %d goes %s, want %s", c.week, c.before, got, c.want)
		}
	}
}
