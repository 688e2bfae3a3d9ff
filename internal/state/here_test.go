package state

import "testing"

func TestWhatHoldsHereIsCutOffAndPutBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, everywhere, here string }{
		{"", "", ""},
		{"- a\n- b", "- a\n- b", ""},
		{"- a\n\n### In this project\n\n- b", "- a", "- b"},
		{"### In this project\n\n- b\n\n### Mine\n\n- c", "", "- b\n\n### Mine\n\n- c"},
		{"- a\n\n#### In this project\n- b", "- a\n\n#### In this project\n- b", ""},
	} {
		everywhere, here := SplitHere(c.text)
		if everywhere != c.everywhere || here != c.here || JoinHere(everywhere, here) != c.text {
			t.Errorf("%q: %q and %q, together %q", c.text, everywhere, here, JoinHere(everywhere, here))
		}
		var s Document
		s.Sections[SectionBond] = c.text
		if read, err := ParseState(RenderState(s)); err != nil || read.Sections[SectionBond] != c.text {
			t.Errorf("%q comes back from the file as %q, %v", c.text, read.Sections[SectionBond], err)
		}
	}
}
