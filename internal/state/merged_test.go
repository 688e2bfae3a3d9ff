package state

import (
	"strings"
	"testing"
)

// Somebody who edits the file of one project does not undo what was dreamt in another meanwhile.
func TestAnEditOfOneStateKeepsWhatWasDreamtSince(t *testing.T) {
	knew, made, now := "- a\n- b", "- a, better\n- b\n- mine", "- a\n- b\n- dreamt"
	got := mergedItems(knew, made, now)
	for _, want := range []string{"- a, better", "- b", "- mine", "- dreamt"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	if strings.Contains(got, "- a\n") || mergedItems(knew, knew, now) != now || mergedItems(now, made, now) != made {
		t.Errorf("got %q", got)
	}
}
