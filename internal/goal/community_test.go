package goal

import (
	"slices"
	"testing"
)

func TestFilesThatHangTogetherAreOnePart(t *testing.T) {
	t.Parallel()
	// Two triangles with a weak bridge, and a file that nothing is tied to.
	ties := []Tie{{0, 1, 1}, {1, 2, 1}, {0, 2, 1}, {3, 4, 1}, {4, 5, 1}, {3, 5, 1}, {2, 3, .1}}
	label := Communities(7, ties)
	if label[0] != label[1] || label[1] != label[2] || label[3] != label[4] || label[4] != label[5] {
		t.Errorf("a triangle is torn: %v", label)
	}
	if label[0] == label[3] || label[6] != 6 {
		t.Errorf("a weak bridge joins, or a lonely file is not its own part: %v", label)
	}
	slices.Reverse(ties)
	if again := Communities(7, ties); !slices.Equal(again, label) {
		t.Errorf("the order of ties changes the parts: %v, %v", label, again)
	}
	if got := CommunityOf([]int{6, 0, 1}, label); got != label[0] {
		t.Errorf("most files are in part %d, got %d", label[0], got)
	}
	if CommunityOf(nil, label) != -1 || len(Communities(0, nil)) != 0 {
		t.Error("nothing is somewhere")
	}
}
