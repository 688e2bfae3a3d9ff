package state

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func hoursOf(h float64) time.Duration { return time.Duration(h * float64(time.Hour)) }

func TestV23AndV24Urgency(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hours       float64
		counts      Counts
		score       float64
		due, urgent bool
		line        string
	}{
		{0, Counts{}, 0, false, false, ""},
		{24, Counts{}, 2, false, false, ""},
		{48, Counts{}, 4, false, false, ""},
		{60, Counts{}, 5, true, false, "score 5 by 60 hours"},
		{120, Counts{}, 10, true, true, "urgent, score 10 by 120 hours"},
		{12, Counts{Sessions: 1, Observations: 5}, 4, false, false, ""},
		{
			30, Counts{Sessions: 1, Entities: 1, Relations: 2, Observations: 4}, 8, true, false,
			"score 8 by 1 session, 1 entity, 2 relations, 30 hours",
		},
		{5, Counts{Sessions: 3, Pins: 3}, 15, true, true, "urgent, score 15 by 3 pins, 3 sessions"},
		{6, Counts{Sessions: 2, Pins: 3}, 13, true, true, "urgent, score 13 by 3 pins, 2 sessions"},
		{11.9, Counts{Observations: 4}, 0, false, false, ""},
		{24, Counts{Sessions: 1, Lines: 20}, 6, true, false, "score 6 by 1 session, 20 lines of notes, 24 hours"},
		{0, Counts{Lines: 51}, 5.1, true, false, "score 5.1 by 51 lines of notes"},
		{0, Counts{Lines: 25}, 2.5, false, false, ""},
		{0, Counts{Lines: 1, Sessions: 3}, 6.1, true, false, "score 6.1 by 3 sessions, 1 line of notes"},
		{0, Counts{Entities: 2, Observations: 5}, 5, true, false, "score 5 by 2 entities, 5 observations"},
	} {
		u := UrgencyOf(c.counts, Counts{}, hoursOf(c.hours))
		if math.Abs(u.Score-c.score) > 1e-4 || u.Due != c.due || u.Urgent != c.urgent || u.Line() != c.line {
			t.Errorf("%v h %+v: %+v %q; want %v, due %v, urgent %v, %q", c.hours, c.counts, u, u.Line(), c.score, c.due, c.urgent, c.line)
		}
	}
}

func TestAScoreIsNotShownBeforeItIsReached(t *testing.T) {
	t.Parallel()
	u := Urgency{Score: 9.995, Reasons: []string{"1999 lines of notes"}, Due: true}
	if got, want := u.Line(), "score 9.9 by 1999 lines of notes"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWhatBecameFewerCountsNothing(t *testing.T) {
	t.Parallel()
	before := Counts{Sessions: 9, Entities: 9, Relations: 9, Observations: 90, Pins: 9, Lines: 90}
	if u := UrgencyOf(Counts{}, before, -hoursOf(100)); u.Score != 0 || u.Reasons != nil || u.Due {
		t.Errorf("%+v", u)
	}
	now := before
	now.Pins += 2
	now.Entities -= 5
	if u := UrgencyOf(now, before, 0); u.Score != 6 || u.Line() != "score 6 by 2 pins" {
		t.Errorf("%+v", u)
	}
}

func TestMoreNewsIsNeverLessUrgent(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 5))
	for range 2000 {
		before := Counts{random.IntN(20), random.IntN(20), random.IntN(20), random.IntN(50), random.IntN(20), random.IntN(60)}
		now := Counts{random.IntN(20), random.IntN(20), random.IntN(20), random.IntN(50), random.IntN(20), random.IntN(60)}
		since := hoursOf(random.Float64() * 200)
		u := UrgencyOf(now, before, since)
		fields := []*int{&now.Sessions, &now.Entities, &now.Relations, &now.Observations, &now.Pins, &now.Lines}
		*fields[random.IntN(len(fields))] += random.IntN(10)
		later := UrgencyOf(now, before, since+hoursOf(random.Float64()*30))
		if later.Score < u.Score-1e-9 || u.Urgent && !later.Urgent || u.Due && !later.Due {
			t.Fatalf("%+v became %+v", u, later)
		}
		if u.Urgent && !u.Due || (u.Score > 0) != (len(u.Reasons) > 0) || (u.Line() == "") == u.Due {
			t.Fatalf("%+v %q", u, u.Line())
		}
		if strings.ContainsAny(u.Line(), "\n\r") || math.IsNaN(u.Score) {
			t.Fatalf("%+v", u)
		}
	}
}
