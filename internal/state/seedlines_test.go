package state

import (
	"strings"
	"testing"
	"time"
)

func TestSeedsAreCutAndJoinedByteForByte(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)
	for _, text := range []string{"", "a", "a\r\nb\r\n", "```\n# no end\n", "# T\n\n- x\n"} {
		above := "mine\n" + SeedBlock("MEMORY.md", at, text) + "also mine\n" + SeedBlock("A --> B.md", at, text)
		seeds := adoptedTexts(above)
		for _, seed := range seeds {
			if strings.TrimSuffix(seed, "\n") != strings.TrimSuffix(text, "\n") {
				t.Errorf("%q is read as %q", text, seed)
			}
		}
		if left := withoutSeeds(above); len(seeds) != 2 || left != "mine\nalso mine\n" {
			t.Errorf("%d seeds in %q, beside %q", len(seeds), above, left)
		}
		if kept := CutSeeds(above, func(string) bool { return false }); kept != above {
			t.Errorf("%q became %q", above, kept)
		}
		// In a file it is part of what stands above the block.
		s, err := ParseState(RenderState(Document{Above: above}))
		if err != nil || s.Above != above {
			t.Errorf("%q, %v", s.Above, err)
		}
	}
	// Who removes a mark keeps the text.
	gone := strings.Replace(SeedBlock("x", at, "mine\n"), seedEnd, "", 1)
	if seeds := adoptedTexts(gone); len(seeds) != 0 || withoutSeeds(gone) != gone {
		t.Errorf("%q", seeds)
	}
}
