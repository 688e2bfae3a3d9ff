package mcpserver

import (
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
)

// asUser does something in the lab's store as the person does on the command line.
func (l *lab) asUser(do func(*brain.Brain, brain.Scope) error) {
	l.t.Helper()
	b := must.Get(steward.Open(l.t.Context(), l.config, l.now))(l.t)
	defer func() { _ = b.Close() }()
	must.Do(l.t, do(b, brain.Scope{Dir: l.dir}))
}

// accepted makes a proposed pin the person's.
func (l *lab) accepted(title string) {
	l.t.Helper()
	l.asUser(func(b *brain.Brain, scope brain.Scope) error {
		_, err := steward.Run(l.t.Context(), b, desk.AcceptPin, desk.UnpinInput{Scope: scope, Title: title})
		return err
	})
}
