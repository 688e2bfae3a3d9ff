package memory

import (
	"slices"
	"time"
)

const day = 24 * time.Hour

// Day is the day of a moment: days since 1970, in UTC.
func Day(t time.Time) int64 {
	return t.UTC().Truncate(day).Unix() / int64(day/time.Second)
}

// WorkDays are the days on which a project had a session, the first one first. What nobody uses ages by them: while nobody
// works, time stands still. Nil stands for every day of the calendar.
type WorkDays []int64

// Age is the work that lies between a moment and now: a day for each day of work after the one of the moment, and never more
// time than has passed. A moment to come is taken as now.
func (d WorkDays) Age(since, now time.Time) time.Duration {
	passed := max(now.Sub(since), 0)
	if d == nil {
		return passed
	}
	from, _ := slices.BinarySearch(d, Day(since)+1)
	to, _ := slices.BinarySearch(d, Day(now)+1)
	return min(passed, day*time.Duration(max(to-from, 0)))
}

// Back is the latest moment whose age is at least this.
func (d WorkDays) Back(age time.Duration, now time.Time) time.Time {
	at := now.Add(-age)
	if d == nil || age <= 0 {
		return at
	}
	to, _ := slices.BinarySearch(d, Day(now)+1)
	first := to - int((age+day-1)/day) // of the days of work that must lie after the moment
	if first < 0 {
		return time.Unix(0, 0).UTC() // before anything was
	}
	if before := time.Unix(d[first]*int64(day/time.Second), -int64(time.Millisecond)).UTC(); before.Before(at) {
		return before
	}
	return at
}

// Since reports whether one of the days is that of a moment or a later one.
func (d WorkDays) Since(at time.Time) bool { return len(d) > 0 && d[len(d)-1] >= Day(at) }

// Clock is a project's clock. It stands still between the days on which the project had a session, so that what fades by it
// fades with work and not with time. The zero Clock is the calendar.
type Clock struct {
	Last int64 `json:"last"` // day of the latest session: when it is over the clock stands
	// Still are the days before that on which it stood, each time from one up to another: from, upto, from, upto …
	Still []int64 `json:"still,omitempty"`
}

// On is the clock after a session on a day, as far as one can know today. Where it has leapt over today, a wrong clock was ahead: the
// days to come that it has seen count as today.
func (c Clock) On(worked, today int64) Clock {
	if n := len(c.Still); n > 0 && c.Last > today && c.Still[n-2] <= today+1 {
		c.Last, c.Still = today, slices.Clone(c.Still)
		if c.Still[n-1] = min(c.Still[n-1], today); c.Still[n-2] >= today {
			c.Still = c.Still[:n-2]
		}
	}
	if worked = min(worked, today); worked > c.Last {
		if worked > c.Last+1 {
			c.Still = append(slices.Clip(c.Still), c.Last+1, worked)
		}
		c.Last = worked
	}
	return c
}

// Tick is what the clock shows at a moment, both in days since 1970.
func (c Clock) Tick(at float64) float64 {
	if c.Last == 0 {
		return at
	}
	at = min(at, float64(c.Last+1))
	stood := 0.0
	for i := 0; i < len(c.Still); i += 2 {
		from, upto := float64(c.Still[i]), float64(c.Still[i+1])
		stood += max(min(at, upto)-from, 0)
	}
	return at - stood
}
