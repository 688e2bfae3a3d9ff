package state

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Counts are what has come together so far. They are to be counters that only grow, so that what was moved or forgotten
// since still counts; but Lines are those of the notes that wait, so a snapshot is taken after a dream has emptied them.
type Counts struct{ Sessions, Entities, Relations, Observations, Pins, Lines int }

// Urgency is how much waits to be dreamt over.
type Urgency struct {
	Score   float64
	Reasons []string // what makes the score, what counts most first: "3 sessions", "60 hours"
	Due     bool
	Urgent  bool // then it is due as well
}

// Points of what is new since the last dream, as the urgency of consolidation was designed.
const (
	sessionPoints   = 2
	entityPoints    = 2
	relationPoints  = 1
	pinPoints       = 3
	observationsOne = 5    // observations that make one point
	urgencyHours    = 12.0 // one point
	linePoints      = 5.0  // of LinesFull lines
	urgencyDue      = 5
	urgencyNow      = 10
)

// UrgencyOf counts what is new since the last dream. Each signal gives whole points, but for lines of notes, of which every
// one counts: 24 hours, 1 session and 20 lines are 2 + 2 + 2.0 = 6. What has become fewer counts nothing. Without an
// earlier dream before is zero, and everything is new.
func UrgencyOf(now, before Counts, since time.Duration) Urgency {
	type signal struct {
		count     int
		one, many string
		points    float64
	}
	each := func(count int, one, many string, points float64) signal {
		return signal{count, one, many, points * float64(count)}
	}
	hours, observations := since.Hours(), now.Observations-before.Observations
	signals := []signal{
		each(now.Sessions-before.Sessions, "session", "sessions", sessionPoints),
		each(now.Pins-before.Pins, "pin", "pins", pinPoints),
		each(now.Entities-before.Entities, "entity", "entities", entityPoints),
		each(now.Relations-before.Relations, "relation", "relations", relationPoints),
		{observations, "observation", "observations", float64(observations / observationsOne)},
		each(now.Lines-before.Lines, "line of notes", "lines of notes", linePoints/desk.LinesFull),
		{int(hours), "hour", "hours", math.Floor(hours / urgencyHours)},
	}
	slices.SortStableFunc(signals, func(a, b signal) int { return cmp.Compare(b.points, a.points) })
	var u Urgency
	for _, s := range signals {
		if s.points <= 0 {
			continue // what has become fewer must not hide the rest
		}
		u.Score += s.points
		u.Reasons = append(u.Reasons, prose.Count(s.count, s.one, s.many))
	}
	u.Urgent = u.Score >= float64(urgencyNow)
	u.Due = u.Urgent || u.Score >= float64(urgencyDue)
	return u
}

// Line is the score in a few words, or nothing while it is too little for a dream.
func (u Urgency) Line() string {
	if !u.Due {
		return ""
	}
	word := ""
	if u.Urgent {
		word = "urgent, "
	}
	// Rounded down, so that no score is shown that has not been reached; a hair more, because tenths are not exact.
	score := strconv.FormatFloat(math.Floor(u.Score*10+1e-6)/10, 'f', -1, 64)
	return word + "score " + score + " by " + strings.Join(u.Reasons, ", ")
}
