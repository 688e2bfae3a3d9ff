package memory

import (
	"math"
	"slices"
	"testing"
	"time"
)

func on(day float64) time.Time {
	return time.Unix(0, 0).UTC().Add(time.Duration(day * float64(24*time.Hour)))
}

func TestOnlyDaysOfWorkCount(t *testing.T) {
	worked := WorkDays{10, 11, 14, 400}
	for _, c := range []struct {
		days       WorkDays
		since, now float64
		want       float64 // days
	}{
		{worked, 10.5, 10.9, 0}, {worked, 10.5, 11.2, .7}, {worked, 10.5, 11.9, 1}, {worked, 10.5, 13.9, 1}, {worked, 10.5, 14.9, 2},
		{worked, 14.5, 399, 0}, {worked, 14.5, 800, 1}, {worked, 9, 800, 4}, {worked, 800, 14, 0},
		{WorkDays{}, 10, 800, 0}, {nil, 10.5, 800, 789.5}, {nil, 800, 10, 0},
	} {
		if got := c.days.Age(on(c.since), on(c.now)).Hours() / 24; math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%v: from %v to %v it is %v days, want %v", c.days, c.since, c.now, got, c.want)
		}
	}
	for _, days := range []WorkDays{worked, {}, nil} {
		for age := time.Duration(0); age < 6*day; age += 7 * time.Hour {
			for now := 9.3; now < 500; now += 3.7 {
				back := days.Back(age, on(now))
				if got := days.Age(back, on(now)); got < age && back.Unix() > 0 {
					t.Fatalf("%v: %v back from %v is %v, which is %v old", days, age, now, back, got)
				}
			}
		}
	}
}

func TestAClockStandsWhileNobodyWorks(t *testing.T) {
	var c Clock
	if c.Tick(12.25) != 12.25 {
		t.Error("no clock is not the calendar")
	}
	c = Clock{Last: 10}
	for _, day := range []int64{10, 11, 14, 14, 15, 400} {
		c = c.On(day, day)
	}
	if want := []int64{12, 14, 16, 400}; c.Last != 400 || !slices.Equal(c.Still, want) {
		t.Fatalf("%+v, want still %v", c, want)
	}
	for at, want := range map[float64]float64{9.5: 9.5, 11.5: 11.5, 12.5: 12, 13.9: 12, 14.5: 12.5, 200: 14, 400.5: 14.5, 401: 15, 900: 15} {
		if got := c.Tick(at); got != want {
			t.Errorf("at %v it shows %v, want %v", at, got, want)
		}
	}
	ahead := c.On(800, 800)
	right := ahead.On(401, 401) // the clock was a year ahead, and is right again
	if right.Last != 401 || right.Tick(401.5) != 15.5 {
		t.Errorf("after a wrong clock: %+v, which shows %v, want 15.5", right, right.Tick(401.5))
	}
	for _, day := range []int64{-300, 5, 35, 399} { // and one that was back
		if back := c.On(day, day).On(401, 401); back.Tick(401.5) != 15.5 {
			t.Errorf("after a clock that was back on day %d: %+v, which shows %v, want 15.5", day, back, back.Tick(401.5))
		}
	}
	for late := int64(9); late < 400; late += 30 { // what comes late moves nothing
		if got := c.On(late, 400); got.Last != c.Last || !slices.Equal(got.Still, c.Still) {
			t.Errorf("day %d moved it to %+v", late, got)
		}
	}
}
