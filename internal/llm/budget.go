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
	// Spend counts tokens of a coding agent and returns now, unless the day's are spent or the agent rests; then it counts nothing and returns
	// when it may be asked again.
	Spend(ctx context.Context, now time.Time, tokens, most int) (free time.Time, err error)
	// Rest leaves coding agents alone until then.
	Rest(ctx context.Context, until time.Time) error
}

// Spent is what coding agents were asked with on a day.
type Spent struct {
	Day    string    `json:"day"`
	Tokens int       `json:"tokens"`
	Rests  time.Time `json:"rests,omitzero"` // until then
}

// Spend counts tokens, of which a day of the person has most; free is when the agent may be asked, now if at once.
func (s Spent) Spend(now time.Time, tokens, most int) (_ Spent, free time.Time) {
	if now.Before(s.Rests) && s.Rests.Sub(now) <= agentRests { // else the clock was set back
		return s, s.Rests
	}
	if day := now.Format(time.DateOnly); day != s.Day {
		s.Day, s.Tokens = day, 0
	}
	if s.Tokens+tokens > most {
		year, month, day := now.Date()
		return s, time.Date(year, month, day+1, 0, 0, 0, 0, now.Location())
	}
	s.Tokens += tokens
	return s, now
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
