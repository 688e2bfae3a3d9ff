package code

import (
	"slices"
	"testing"
)

func TestHeadingsOfMarkdown(t *testing.T) {
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
	if got := Names("a.md", []byte(source)); !slices.Equal(got, []string{"The till", "Empty", "With code", "Doors"}) {
		t.Errorf("headings %q", got)
	}
}
