package braintest

import (
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/views"
)

func (l *Lab) Refreshed() views.ViewsReport {
	l.T.Helper()
	return must.Get(views.RefreshViews(l.T.Context(), l.Brain, nil))(l.T)
}
