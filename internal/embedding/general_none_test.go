//go:build noembed

package embedding

import "testing"

func TestABuildWithoutTheTableKnowsNoDirection(t *testing.T) {
	if v := General([]string{"database"}); v != nil {
		t.Errorf("got %v", v)
	}
}
