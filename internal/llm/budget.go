package llm

import (
	"context"
	"slices"
	"time"
)

// BudgetSpan is the time over which requests are counted.
const BudgetSpan = time.Hour

// agentRests is how long a coding agent is left alone after it has failed, as a rule because a limit is reached.
const agentRests = 6 * time.Hour

// Budget counts the requests of all processes that ask the same model. An implementation does so in one transaction: read the
// times that are kept, Admit, keep what it returns.
type Budget interface {
	// Take counts a request made now and reports true, unless most were made within BudgetSpan; then it counts nothing and
	// returns when the next is free.
	Take(ctx context.Context, now time.Time, most int) (ok bool, free time.Time, err error)
	// Spend counts tokens of a coding agent and returns now, unless the day's or the month's are spent or the agent rests; then it counts
	// nothing and returns when it may be asked again.
	Spend(ctx context.Context, now time.Time, tokens, day, month int) (free time.Time, err error)
	// Correct adds to what was counted at a time, or takes away from it.
	Correct(ctx context.Context, at time.Time, tokens int) error
	// Rest leaves coding agents alone until then.
	Rest(ctx context.Context, until time.Time) error
}

// Spent is what coding agents were asked with on a day and in its month.
type Spent struct {
	Day         string    `json:"day"` // by UTC, the latest seen
	Tokens      int       `json:"tokens"`
	MonthTokens int       `json:"month_tokens"`
	Rests       time.Time `json:"rests,omitzero"` // until then
}

const monthOf = len("2006-01") // of a day

// Spend counts tokens, of which a day and a month have so many at most; free is when the agent may be asked, now if at once. A clock that
// was set back, or another time zone, begins no new day.
func (s Spent) Spend(now time.Time, tokens, most, mostMonth int) (_ Spent, free time.Time) {
	if now.Before(s.Rests) && s.Rests.Sub(now) <= agentRests { // else the clock was set back
		return s, s.Rests
	}
	if day := now.UTC().Format(time.DateOnly); day > s.Day {
		if s.Day == "" || day[:monthOf] != s.Day[:monthOf] {
			s.MonthTokens = 0
		}
		s.Day, s.Tokens = day, 0
	}
	day, err := time.Parse(time.DateOnly, s.Day)
	if err != nil {
		day = now.UTC()
	}
	switch {
	case s.MonthTokens+tokens > mostMonth:
		return s, time.Date(day.Year(), day.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	case s.Tokens+tokens > most:
		return s, day.AddDate(0, 0, 1)
	}
	s.Tokens += tokens
	s.MonthTokens += tokens
	return s, now
}

// Correct adds to what was counted at a time, if its day and month are not over.
func (s Spent) Correct(at time.Time, tokens int) Spent {
	day := at.UTC().Format(time.DateOnly)
	if day >= s.Day {
		s.Tokens = max(0, s.Tokens+tokens)
	}
	if s.Day == "" || day[:monthOf] >= s.Day[:monthOf] {
		s.MonthTokens = max(0, s.MonthTokens+tokens)
	}
	return s
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
