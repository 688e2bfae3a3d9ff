package said

import (
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
)

// A model learned from the pairs of a few projects tells a revision from an addition, in a project
// that it does not know.
func TestLearnChoice(t *testing.T) {
	list := slices.DeleteFunc(slices.Clone(inventedPairs()), func(c *choice) bool { return c.group > "made-up-13" })
	m := must.Get(learnChoice(t.Context(), list))(t)
	var said pool
	for _, text := range []string{"trains leave from platform 4", "tickets are printed on blue paper", "the conductor speaks dutch", "seats have numbers"} {
		said.add(text)
	}
	index, changed := m.Choose(prepare("trains no longer leave from platform 4, it is platform 7 now"), said.said)
	_, added := m.Choose(prepare("trains have a bicycle compartment"), said.said)
	if index != 0 || changed < 2*added {
		t.Errorf("%d is replaced with %.2f, an addition replaces something with %.2f", index, changed, added)
	}
	if again, err := learnChoice(t.Context(), list); err != nil || !slices.Equal(again.None, m.None) {
		t.Errorf("the same pairs make two models: %v", err)
	}
	if len(m.Pair) != statements.PairFeatures {
		t.Errorf("%d weights", len(m.Pair))
	}
}
