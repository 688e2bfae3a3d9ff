package braintest

import (
	"github.com/hebb-memory/hebb/internal/desk"
)

func (l *Lab) Wrap(in desk.WrapUpInput) desk.WrapUpResult {
	l.T.Helper()
	in.Scope = l.Scope()
	return Must(l, desk.WrapUp, in)
}
