package desk_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/views"
)

// TestAPasteIntoTheScratchIsStoredInParts: each look stores a bounded number of notes, the others stay in the file, and in the
// end each is stored once.
func TestAPasteIntoTheScratchIsStoredInParts(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("one", 0, "a.go")...)
	must.Get(steward.Run(t.Context(), l.Brain, desk.TakeNote, statements.NoteInput{Scope: l.Scope(), Text: "the first note"}))(t)
	l.Refreshed()
	const atOnce = 200
	const pasted = atOnce*2 + 7
	var paste strings.Builder
	for i := range pasted {
		fmt.Fprintf(&paste, "pasted thought %d\n", i)
	}
	paste.WriteString("export API_TOKEN=9f8e7d6c5b4a39281706f5e4d3c2b1a0\n") // the last: what is known so far holds none
	const file = "projects/shop/scratch.md"
	l.Change(file, func(s string) string { return s + paste.String() })
	edited := l.Text(file)
	for look, want := range []int{atOnce + 1, 2*atOnce + 1} {
		out := l.Refreshed()
		if got := len(l.Waiting()); got != want {
			t.Fatalf("look %d: %d notes, want %d", look, got, want)
		}
		left := fmt.Sprintf("%d entries wait in the file", pasted+2-want)
		if len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], left) {
			t.Errorf("look %d: warnings %q, want %q", look, out.Warnings, left)
		}
		if l.Text(file) != edited {
			t.Errorf("look %d: the file was changed before all of it was stored", look)
		}
	}
	if out := l.Refreshed(); len(l.Waiting()) != pasted+2 || len(out.Warnings) > 0 {
		t.Errorf("%d notes of %d, warnings %q", len(l.Waiting()), pasted+2, out.Warnings)
	}
	text := l.Text(file)
	if n := strings.Count(text, "pasted thought"); n != pasted || strings.Contains(text, "9f8e7d6c5b4a") {
		t.Errorf("the file has %d of %d thoughts: %.200s", n, pasted, text)
	}
	if out := l.Refreshed(); out.Edits > 0 || len(l.Waiting()) != pasted+2 {
		t.Errorf("looking again stores %d edits: %d notes", out.Edits, len(l.Waiting()))
	}
}

func TestATextThatIsTooLongIsRefusedWithItsSize(t *testing.T) {
	l := braintest.NewLab(t)
	l.See(3, l.Worked("one", 0, "a.go")...)
	long := strings.Repeat("long words ", brain.TextMost/11+1)
	for name, err := range map[string]error{
		"remember": errorOf(steward.Run(t.Context(), l.Brain, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: long})),
		"note":     errorOf(steward.Run(t.Context(), l.Brain, desk.TakeNote, statements.NoteInput{Scope: l.Scope(), Text: long})),
		"pin":      errorOf(steward.Run(t.Context(), l.Brain, desk.PinText, desk.PinInput{Scope: l.Scope(), Title: "x", Text: long})),
		"goal":     errorOf(steward.Run(t.Context(), l.Brain, goals.AddGoal, goals.GoalInput{Scope: l.Scope(), Title: "x", Text: long})),
		"wrapup":   errorOf(steward.Run(t.Context(), l.Brain, desk.WrapUp, desk.WrapUpInput{Scope: l.Scope(), Happened: long})),
		"page":     errorOf(steward.Run(t.Context(), l.Brain, views.WritePage, views.WriteInput{Name: "context", Text: long})),
	} {
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(fmt.Sprint(err), name+": the text has 256 KB and may have 256") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func errorOf[T any](_ T, err error) error { return err }
