package state

import (
	"testing"
	"time"
)

func TestTheFirstDreamLetsAnAdoptedTextBe(t *testing.T) {
	t.Parallel()
	adopted := time.Date(2026, 11, 15, 12, 0, 0, 5e8, time.UTC)
	for _, c := range []struct {
		dreamt time.Time
		want   bool
	}{{time.Time{}, false}, {adopted.Add(-time.Hour), false}, {adopted.Truncate(time.Second), false}, {adopted.Add(time.Hour), true}} {
		if got := SeedOpen(adopted, c.dreamt); got != c.want {
			t.Errorf("dreamt %v: %v", c.dreamt, got)
		}
	}
	if SeedOpen(time.Time{}, adopted) {
		t.Error("nothing was adopted")
	}
}
