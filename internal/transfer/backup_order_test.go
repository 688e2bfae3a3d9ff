package transfer

import (
	"slices"
	"testing"
	"time"
)

// Copies of a clock that was ahead must not push out those of the last days.
func TestBackupsDatedAfterNowComeLast(t *testing.T) {
	now := time.Date(2026, time.March, 18, 12, 0, 0, 0, time.UTC)
	day := 24 * time.Hour
	var copies []keptCopy
	for _, ahead := range []int{400, 365, 364, 0, -1, -2} {
		copies = append(copies, keptCopy{at: now.Add(time.Duration(ahead) * day)})
	}
	var order []int
	for _, k := range byAge(copies, now) {
		order = append(order, int(k.at.Sub(now)/day))
	}
	if want := []int{0, -1, -2, 400, 365, 364}; !slices.Equal(order, want) {
		t.Errorf("kept in the order %v, want %v", order, want)
	}
	for _, same := range [][]keptCopy{nil, copies[:3], copies[3:]} {
		if got := byAge(same, now); len(got) != len(same) || len(got) > 0 && got[0] != same[0] {
			t.Errorf("%v became %v", same, got)
		}
	}
}
