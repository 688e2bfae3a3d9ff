package braintest

import (
	"fmt"

	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
)

// Noted leaves so many notes that wait, each of one line.
func (l *Lab) Noted(from, to int) {
	l.T.Helper()
	for n := from; n < to; n++ {
		if _, err := steward.Run(l.T.Context(), l.Brain, desk.TakeNote, statements.NoteInput{Scope: l.Scope(), Text: fmt.Sprintf("Drawer %d of the till sticks", n)}); err != nil {
			l.T.Fatal(err)
		}
	}
}
