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
		parts := SplitSeeds(above)
		if got := JoinSeeds(parts); got != above {
			t.Errorf("%q became %q", above, got)
		}
		seeds := 0
		for _, p := range parts {
			if p.Seed {
				seeds++
				if strings.TrimSuffix(p.Text, "\n") != strings.TrimSuffix(text, "\n") {
					t.Errorf("%q is read as %q", text, p.Text)
				}
			}
		}
		if seeds != 2 {
			t.Errorf("%d seeds in %q", seeds, above)
		}
		// In a file it is part of what stands above the block.
		s, err := ParseState(RenderState(Document{Above: above}))
		if err != nil || s.Above != above {
			t.Errorf("%q, %v", s.Above, err)
		}
	}
	// Who removes a mark keeps the text.
	gone := strings.Replace(SeedBlock("x", at, "mine\n"), seedEnd, "", 1)
	if parts := SplitSeeds(gone); len(parts) != 1 || parts[0].Seed || parts[0].Text != gone {
		t.Errorf("%+v", parts)
	}
}
