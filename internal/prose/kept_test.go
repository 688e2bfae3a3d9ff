package prose

import (
	"testing"
)

func TestWordsAreComparedInAnyScript(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		old, next string
		want      float64
	}{
		{"", "anything", 1},
		{"a to the", "", 1}, // only short words
		{"Prefers TABS, always!", "always prefers tabs", 1},
		{"prefers tabs always", "prefers spaces", 1.0 / 3},
		{"prefers prefers prefers tabs", "prefers", 0.5},
		{"Größe zählt", "größe", 0.5},
		{"使用者喜歡", "使用者", 0.5},
	} {
		if got := KeptWords(c.old, c.next); got != c.want {
			t.Errorf("%q in %q: %v, want %v", c.old, c.next, got, c.want)
		}
	}
}
