package answer

import (
	"testing"

	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestV14PreloadBySureRecallOrByTwoSources(t *testing.T) {
	for _, c := range []struct {
		name             string
		confidence, near float64
		marked           bool
	}{
		{"sure on its own", .85, 0, true},
		{"nearly sure", .8499, .49, false},
		{"two sources", .6, .5, true},
		{"the second is surer", .6, .8, true},
		{"the first too weak", .5999, 1, false},
		{"the second too weak", .6, .4999, false},
	} {
		if marked := likely(tuning.Default().Hook, c.confidence, c.near); marked != c.marked {
			t.Errorf("%s: marked %v, want %v", c.name, marked, c.marked)
		}
	}
}
