package braintest

import (
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/steward"
)

func (l *Lab) Wrap(in desk.WrapUpInput) desk.WrapUpResult {
	l.T.Helper()
	in.Scope = l.Scope()
	out, err := steward.Run(l.T.Context(), l.Brain, desk.WrapUp, in)
	if err != nil {
		l.T.Fatal(err)
	}
	return out
}
