package brain

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

func (l *lab) refreshed() ViewsReport {
	l.t.Helper()
	out, err := l.refreshViews(l.t.Context(), nil)
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

// TestAPasteIntoTheScratchIsStoredInParts: each look stores a bounded number of notes, the others stay in the file, and in the
// end each is stored once.
func TestAPasteIntoTheScratchIsStoredInParts(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("one", 0, "a.go")...)
	if _, err := Run(t.Context(), l.Brain, TakeNote, NoteInput{Scope: l.scope(), Text: "the first note"}); err != nil {
		t.Fatal(err)
	}
	l.refreshed()
	const pasted = scratchAtOnce*2 + 7
	var paste strings.Builder
	for i := range pasted {
		fmt.Fprintf(&paste, "pasted thought %d\n", i)
	}
	paste.WriteString("export API_TOKEN=9f8e7d6c5b4a39281706f5e4d3c2b1a0\n") // the last: what is known so far holds none
	const file = "projects/shop/scratch.md"
	l.change(file, func(s string) string { return s + paste.String() })
	edited := l.text(file)
	for look, want := range []int{scratchAtOnce + 1, 2*scratchAtOnce + 1} {
		out := l.refreshed()
		if got := len(l.waiting()); got != want {
			t.Fatalf("look %d: %d notes, want %d", look, got, want)
		}
		left := fmt.Sprintf("%d entries wait in the file", pasted+2-want)
		if len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], left) {
			t.Errorf("look %d: warnings %q, want %q", look, out.Warnings, left)
		}
		if l.text(file) != edited {
			t.Errorf("look %d: the file was changed before all of it was stored", look)
		}
	}
	if out := l.refreshed(); len(l.waiting()) != pasted+2 || len(out.Warnings) > 0 {
		t.Errorf("%d notes of %d, warnings %q", len(l.waiting()), pasted+2, out.Warnings)
	}
	text := l.text(file)
	if n := strings.Count(text, "pasted thought"); n != pasted || strings.Contains(text, "9f8e7d6c5b4a") {
		t.Errorf("the file has %d of %d thoughts: %.200s", n, pasted, text)
	}
	if out := l.refreshed(); out.Edits > 0 || len(l.waiting()) != pasted+2 {
		t.Errorf("looking again stores %d edits: %d notes", out.Edits, len(l.waiting()))
	}
}

func TestTooManyPinsAtOnceStayInTheFile(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("one", 0, "a.go")...)
	if _, err := Run(t.Context(), l.Brain, PinText, PinInput{Scope: l.scope(), Title: "first"}); err != nil {
		t.Fatal(err)
	}
	l.refreshed()
	const file = "projects/shop/PINNED.md"
	l.change(file, func(s string) string {
		for i := range pinsAtOnce + 1 {
			s += fmt.Sprintf("\n## pin %d\n\ntext %d\n", i, i)
		}
		return s
	})
	edited := l.text(file)
	out := l.refreshed()
	if len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], fmt.Sprintf("%d pins are new or changed", pinsAtOnce+1)) {
		t.Errorf("warnings %q", out.Warnings)
	}
	pins, err := viewed(t.Context(), l.Brain, func(tx *store.Tx) ([]memory.Pin, error) { return tx.Pins(t.Context(), l.place.Project()) })
	if err != nil || len(pins) != 1 || l.text(file) != edited {
		t.Errorf("%d pins, %v; the file changed: %v", len(pins), err, l.text(file) != edited)
	}
}

func TestATextThatIsTooLongIsRefusedWithItsSize(t *testing.T) {
	l := newLab(t)
	l.see(3, l.worked("one", 0, "a.go")...)
	long := strings.Repeat("long words ", TextMost/11+1)
	for name, err := range map[string]error{
		"remember": errorOf(Run(t.Context(), l.Brain, Remember, RememberInput{Scope: l.scope(), Text: long})),
		"note":     errorOf(Run(t.Context(), l.Brain, TakeNote, NoteInput{Scope: l.scope(), Text: long})),
		"pin":      errorOf(Run(t.Context(), l.Brain, PinText, PinInput{Scope: l.scope(), Title: "x", Text: long})),
		"goal":     errorOf(Run(t.Context(), l.Brain, AddGoal, GoalInput{Scope: l.scope(), Title: "x", Text: long})),
		"wrapup":   errorOf(Run(t.Context(), l.Brain, WrapUp, WrapUpInput{Scope: l.scope(), Happened: long})),
		"page":     errorOf(Run(t.Context(), l.Brain, WritePage, WriteInput{Name: "context", Text: long})),
	} {
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(fmt.Sprint(err), name+": the text has 256 KB and may have 256") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func errorOf[T any](_ T, err error) error { return err }
