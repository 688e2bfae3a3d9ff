package outline

import (
	"slices"
	"testing"
)

func TestAHeadingHasTheParagraphBelowIt(t *testing.T) {
	t.Parallel()
	source := `# The till

Counts what is in the
drawer.

A second paragraph.

## Empty

### With code
` + "```" + `
# no heading
` + "```" + `
After the code.

Doors
=====
Opened with a key.
`
	want := []Section{
		{"The till", "Counts what is in the drawer."},
		{"With code", "After the code."},
		{"Doors", "Opened with a key."},
	}
	if got := Sections([]byte(source)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Names("a.md", []byte(source)); !slices.Equal(got, []string{"The till", "Empty", "With code", "Doors"}) {
		t.Errorf("headings %q", got)
	}
}

func TestBrokenMarkdownHasNoSections(t *testing.T) {
	t.Parallel()
	for _, source := range []string{"", "=====", "# ", "####### seven\n\ntext", "```\n# a\n\ntext", "only text", "\xff\xfe"} {
		if got := Sections([]byte(source)); got != nil {
			t.Errorf("%q: %q", source, got)
		}
	}
}
