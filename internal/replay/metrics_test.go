package replay

import (
	"math"
	"testing"
)

// near allows for the last bits of a float64.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestGrade(t *testing.T) {
	five := []string{"1", "2", "3", "4", "5"}
	ten := append(five[:5:5], "6", "7", "8", "9", "10")
	for _, c := range []struct {
		name   string
		paths  []string
		gold   []string
		banned []string
		want   Mark
	}{
		{"two wanted at ranks 2 and 4: precision 1/2 at each",
			[]string{"x", "a", "y", "b"}, []string{"a", "b"}, nil,
			Mark{R5: 1, R10: 1, AP: 0.5, RR: 0.5}},
		{"one of two at rank 1: precision 1, the other counts 0",
			[]string{"a", "x"}, []string{"a", "b"}, nil, Mark{R5: 0.5, R10: 0.5, AP: 0.5, RR: 1}},
		{"ranks 5 and 10 are within: precision 1/5 at each",
			append(append(five[:4:4], "a"), "6", "7", "8", "9", "b"), []string{"a", "b"}, nil,
			Mark{R5: 0.5, R10: 1, AP: 0.2, RR: 0.2}},
		{"rank 6 is beyond the first five",
			append(five[:5:5], "a"), []string{"a"}, nil, Mark{R10: 1, AP: 1. / 6, RR: 1. / 6}},
		{"rank 11 still counts for the mean precision",
			append(ten[:10:10], "a"), []string{"a"}, nil, Mark{AP: 1. / 11, RR: 1. / 11}},
		{"banned paths take no place",
			[]string{"s", "x", "a"}, []string{"a"}, []string{"s"},
			Mark{R5: 1, R10: 1, AP: 0.5, RR: 0.5}},
		{"a path said twice counts once: (1/1 + 2/3)/2",
			[]string{"a", "a", "b"}, []string{"a", "b"}, nil, Mark{R5: 1, R10: 1, AP: 5. / 6, RR: 1}},
		{"nothing found", []string{"x"}, []string{"a"}, nil, Mark{}},
		{"nothing said", nil, []string{"a"}, nil, Mark{}},
	} {
		got := Grade("q", Ranking{Paths: c.paths}, c.gold, c.banned)
		if got.Question != "q" || !near(got.R5, c.want.R5) || !near(got.R10, c.want.R10) || !near(got.AP, c.want.AP) ||
			!near(got.RR, c.want.RR) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
