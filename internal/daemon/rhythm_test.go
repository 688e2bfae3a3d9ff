package daemon

import (
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func never() bool { return false }

// What is due, by what happened before. Times are minutes after noon; the latest rotation ended at noon.
func TestWhatIsDue(t *testing.T) {
	for _, c := range []struct {
		name    string
		after   float64 // minutes
		waiting int64
		closes  bool
		change  func(*rhythm)
		want    Work
	}{
		{name: "nothing at once", after: 1},
		{name: "a rotation comes first", change: func(r *rhythm) { r.rotated = time.Time{} }, want: Rotation},
		{name: "events", after: 1, waiting: 100, want: Events},
		{name: "the end of a turn", after: 1, waiting: 100, closes: true, want: Rotation},
		{name: "a rotation each 15 minutes", after: 15, want: Rotation},
		{name: "none before that", after: 14.9},
		{name: "none each 15 minutes where nothing happens", after: 15, change: func(r *rhythm) { r.active = noon.Add(-time.Hour) }},
		{name: "one in six hours there", after: 360, change: func(r *rhythm) { r.active = noon.Add(-time.Hour) }, want: Rotation},
		{name: "one that was asked for", after: 1, change: func(r *rhythm) { r.asked = true }, want: Rotation},
		{
			name: "a spool that the last run could not empty is left alone", after: 0.01, waiting: 100,
			change: func(r *rhythm) { r.done(Events, noon, 100, false) },
		},
		{
			name: "not for ever", after: 0.02, waiting: 100,
			change: func(r *rhythm) { r.done(Events, noon, 100, false) }, want: Events,
		},
		{
			name: "nor if something new is in it", after: 0.001, waiting: 150,
			change: func(r *rhythm) { r.done(Events, noon, 100, false) }, want: Events,
		},
		{
			name: "but after a failure", after: 0.01, waiting: 150,
			change: func(r *rhythm) { r.done(Events, noon, 100, true) },
		},
		{
			name: "also what was asked for", after: 0.01,
			change: func(r *rhythm) { r.done(Events, noon, 0, true); r.asked = true },
		},
	} {
		r := &rhythm{active: noon, rotated: noon, ended: noon}
		if c.change != nil {
			c.change(r)
		}
		at := noon.Add(time.Duration(c.after * float64(time.Minute)))
		if got := r.due(at, c.waiting, func() bool { return c.closes }); got != c.want {
			t.Errorf("%s: %q is due, want %q", c.name, got, c.want)
		}
	}
}

// A store that stays away is tried again after 1, 2, 4, … seconds, and at last each five minutes.
func TestFailuresAreTriedAgainEverLater(t *testing.T) {
	r := &rhythm{active: noon, rotated: noon, ended: noon}
	now, runs := noon, 0
	for ; now.Before(noon.Add(14 * time.Minute)); now = now.Add(lookEvery) {
		if r.due(now, 100, never) != "" {
			runs++
			r.done(Events, now, 100, true)
		}
	}
	if runs != 11 {
		t.Errorf("%d runs in 14 minutes, want 11", runs)
	}
	r.done(Events, now, 0, false)
	if got := r.due(now.Add(time.Millisecond), 50, never); got != Events {
		t.Errorf("%q is due after a success, want %q", got, Events)
	}
}

func TestADaemonWithoutWorkEnds(t *testing.T) {
	r := &rhythm{active: noon, rotated: noon}
	if r.over(noon.Add(29*time.Minute)) || !r.over(noon.Add(30*time.Minute)) {
		t.Error("it does not end after 30 minutes")
	}
	r.due(noon.Add(20*time.Minute), 10, never)
	if r.over(noon.Add(49*time.Minute)) || !r.over(noon.Add(50*time.Minute)) {
		t.Error("an event after 20 minutes does not count")
	}
	r.stay = true
	if r.over(noon.Add(time.Hour)) {
		t.Error("one that stays ends")
	}
}
