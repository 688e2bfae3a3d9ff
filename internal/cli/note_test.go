package cli

import (
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
)

func TestANoteNudgesToDreamFromHalfAScratchOn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lines, full int
		want        string
	}{
		{4, 50, ""},
		{24, 50, ""},
		{25, 50, "The scratch is half full (25 of 50 lines). hebb state dream uses the notes.\n"},
		{49, 50, "The scratch is half full (49 of 50 lines). hebb state dream uses the notes.\n"},
		{50, 50, "The scratch is full (50 of 50 lines). hebb state dream uses the notes.\n"},
		{12345, 50, "The scratch is full (12 345 of 50 lines). hebb state dream uses the notes.\n"},
		{1, 1, "The scratch is full (1 of 1 lines). hebb state dream uses the notes.\n"},
	} {
		p := &page{}
		nudge(p, c.lines, c.full)
		if got := p.b.String(); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.lines, c.full, got, c.want)
		}
	}
}

func TestANoteSaysWhetherItIsNew(t *testing.T) {
	t.Parallel()
	out := statements.NoteResult{Waiting: true, Lines: 4, Full: 50}
	out.ID, out.Kind, out.Project = "01abc", memory.Fact, 7
	p := &page{}
	notePage(p, out)
	if got, want := p.b.String(), "Noted: fact 01abc\nhebb search finds it now; the next dream uses it.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	out.Known, out.Waiting, out.Project = true, false, 0
	p = &page{}
	notePage(p, out)
	if got := p.b.String(); !strings.HasPrefix(got, "Noted: fact, everywhere 01abc\nIt was noted before in the same words") {
		t.Errorf("one that was known is shown as %q", got)
	}
}
