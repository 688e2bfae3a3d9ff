package llm

import (
	"context"
	"slices"
	"time"
)

// BudgetSpan is the time over which requests are counted.
const BudgetSpan = time.Hour

// Budget counts the requests of all processes that ask the same model. An implementation does so in one transaction: read the
// times that are kept, Admit, keep what it returns.
type Budget interface {
	// Take counts a request made now and reports true, unless most were made within BudgetSpan; then it counts nothing and
	// returns when the next is free.
	Take(ctx context.Context, now time.Time, most int) (ok bool, free time.Time, err error)
}

// Admit decides whether one more request may be made, given the times of earlier ones in any order. kept are the times to
// keep, oldest first, the new one among them. Times in the future are those of a clock that was set back: they count from
// now on, so that they can neither lift the bound nor block for years.
func Admit(made []time.Time, now time.Time, most int) (kept []time.Time, ok bool, free time.Time) {
	for _, at := range made {
		if at.After(now) {
			at = now
		}
		if now.Sub(at) < BudgetSpan {
			kept = append(kept, at)
		}
	}
	slices.SortFunc(kept, time.Time.Compare)
	if len(kept) < most {
		return append(kept, now), true, now
	}
	if most <= 0 {
		return kept, false, time.Time{} // never
	}
	return kept, false, kept[len(kept)-most].Add(BudgetSpan)
}
