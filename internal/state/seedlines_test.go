package state

import (
	"strings"
	"testing"
	"time"
)

func TestSeedChunksCountAsDesigned(t *testing.T) {
	t.Parallel()
	for characters, want := range map[int]int{0: 0, 1: 1, 1600: 1, 1601: 2, 2880: 2, 2881: 3, 8000: 6} {
		text := strings.Repeat("ü", characters)
		chunks := SeedChunks(text, 1600, 320)
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

func TestOnlyLinesThatStandForThemselvesAreTaken(t *testing.T) {
	t.Parallel()
	const seed = "---\ntitle: x\n---\n# All\nFirst line\nand its end.\n\n## How\n- one\n* [ ] two\n  goes on\n- [x] done\n- parent\n  - child\n> quoted\n" +
		"1. step\n| a | b |\n```\n- code\n```\n~~~\n- code\n~~~\nThese:\n- led\n\nafter\n## The Bond (Oxytocin-Weighted)\n- likes tea\n---\n<b>html</b>\n"
	var got []string
	for _, l := range SeedLines(seed) {
		got = append(got, l.Heading+"|"+l.Text+"|"+l.Section.String())
		if !strings.Contains(strings.Join(strings.Fields(seed[l.From:l.To]), " "), l.Text) && l.Text != "two goes on" {
			t.Errorf("%q does not stand at its place: %q", l.Text, seed[l.From:l.To])
		}
	}
	none := SectionCount.String()
	want := []string{"|First line and its end.|" + none, "How|one|" + none, "How|two goes on|" + none, "How|after|" + none, "|likes tea|The Bond"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("taken:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func FuzzSeedLines(f *testing.F) {
	f.Add("# a\n- b\n\nc:\n- d\n")
	f.Add("- \r\n---\n|x")
	f.Fuzz(func(t *testing.T, seed string) {
		at := 0
		for _, l := range SeedLines(seed) {
			if l.From < at || l.To <= l.From || l.To > len(seed) || l.Text == "" {
				t.Fatalf("%+v after %d", l, at)
			}
			at = l.To
		}
		if JoinSeeds(SplitSeeds(seed)) != seed {
			t.Fatal("cut and joined, it is another text")
		}
	})
}
