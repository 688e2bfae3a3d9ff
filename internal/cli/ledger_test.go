package cli

import (
	"math"
	"testing"
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
