package views

import (
	"strings"
	"testing"
)

func TestSeedChunksCountAsDesigned(t *testing.T) {
	t.Parallel()
	for characters, want := range map[int]int{0: 0, 1: 1, 1600: 1, 1601: 2, 2880: 2, 2881: 3, 8000: 6} {
		text := strings.Repeat("ü", characters)
		chunks := seedChunks(text, 1600, 320)
		if len(chunks) != want {
			t.Errorf("%d characters make %d chunks, want %d", characters, len(chunks), want)
		}
		var joined strings.Builder
		for i, c := range chunks {
			if i > 0 {
				c = string([]rune(c)[320:])
			}
			joined.WriteString(c)
		}
		if joined.String() != text {
			t.Errorf("%d characters do not come back", characters)
		}
	}
}
