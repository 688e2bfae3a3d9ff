package braintest

import (
	"github.com/hebb-memory/hebb/internal/views"
)

func (l *Lab) Refreshed() views.ViewsReport {
	l.T.Helper()
	out, err := views.RefreshViews(l.T.Context(), l.Brain, nil)
	if err != nil {
		l.T.Fatal(err)
	}
	return out
}
