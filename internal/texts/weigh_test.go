package texts

import (
	"slices"
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

func TestATextAboutAPredictedFileIsFirstOnlyIfItAgrees(t *testing.T) {
	for _, c := range []struct {
		name   string
		agrees map[int64]bool
		task   bool
		want   []int64
	}{
		{"the first agrees", map[int64]bool{1: true, 3: true}, false, []int64{1, 2, 3}},
		{"a later one agrees", map[int64]bool{3: true}, false, []int64{3, 1, 2}},
		{"a later one agrees with a task", map[int64]bool{2: true}, true, []int64{2, 1, 3}},
		{"none agrees with a task", nil, true, []int64{1, 2, 3}},
		{"none agrees with a word or two", nil, false, nil},
	} {
		var got []int64
		for _, r := range agreeingFirst([]Result{{Candidate: Candidate{ID: 1}}, {Candidate: Candidate{ID: 2}}, {Candidate: Candidate{ID: 3}}}, c.agrees, c.task) {
			got = append(got, r.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
