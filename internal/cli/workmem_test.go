package cli

import (
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

func TestParagraphsKeepLinesAndEscapeTerminalCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, label, text string
		width             int
		want              string
	}{
		{"lines stay lines", "", "one\n\ntwo", 0, "  one\n\n  two\n"},
		{"a label stands before the first", "Next:", "one\ntwo", 0, "  Next: one\n  two\n"},
		{"a terminal breaks at blanks", "", "one two three", 9, "  one two\n  three\n"},
		{"no code reaches the terminal", "", "a\x1b[31mb", 0, "  ab\n"},
	} {
		p := &page{width: c.width}
		p.paragraphs(c.label, c.text)
		if got := p.b.String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTouchedFiles(t *testing.T) {
	t.Parallel()
	event := func(minutes int, touches ...memory.Touch) (e memory.StoredEvent) {
		e.At, e.Touches = now.Add(time.Duration(minutes)*time.Minute), touches
		return e
	}
	got := touchedFiles([]memory.StoredEvent{ // newest first, as they are listed
		event(3, memory.Touch{Kind: memory.Mention, Path: "c"}, memory.Touch{Kind: memory.Delete, Path: "d"}),
		event(2, memory.Touch{Kind: memory.Read, Path: "b"}, memory.Touch{Kind: memory.Edit, Path: "a"}),
		event(1, memory.Touch{Kind: memory.Edit, Path: "a"}, memory.Touch{Kind: memory.Read, Path: "a"}),
		event(0),
	})
	want := []sessionFile{
		{Path: "a", Edits: 2, Reads: 1, LastAt: now.Add(2 * time.Minute)},
		{Path: "d", Edits: 1, LastAt: now.Add(3 * time.Minute)},
		{Path: "b", Reads: 1, LastAt: now.Add(2 * time.Minute)},
		{Path: "c", Mentions: 1, LastAt: now.Add(3 * time.Minute)},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if none := touchedFiles(nil); none == nil || len(none) > 0 {
		t.Errorf("no events give %#v, want a list without files", none)
	}
}
