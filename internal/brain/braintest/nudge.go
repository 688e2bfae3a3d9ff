package braintest

import (
	"fmt"

	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/statements"
)

// Noted leaves so many notes that wait, each of one line.
func (l *Lab) Noted(from, to int) {
	l.T.Helper()
	for n := from; n < to; n++ {
		Must(l, desk.TakeNote, statements.NoteInput{Scope: l.Scope(), Text: fmt.Sprintf("Drawer %d of the till sticks", n)})
	}
}
