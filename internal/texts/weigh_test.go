package texts

import (
	"testing"

	"github.com/hebb-memory/hebb/internal/tuning"
)

func TestWhatIsWeakBesideTheBestIsLeftOut(t *testing.T) {
	for _, c := range []struct {
		name              string
		share, known, cos float64
		want              bool
	}{
		{"the best", 1, 0, 0, true},
		{"half as good as the best, with none of the words", 0.5, 0, 0, true},
		{"a third as good, with none of the words", 0.35, 0, 0.3, false},
		{"a third as good, with a third of the question", 0.32, 0.31, 0.46, true},
		{"little of either", 0.2, 0.2, 0.59, false},
		{"little of either, but it means the same", 0.1, 0, 0.6, true},
	} {
		if got := strong(c.share, c.known, c.cos, tuning.Default().Search); got != c.want {
			t.Errorf("%s: strong is %v", c.name, got)
		}
	}
}
