package braintest

import (
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/steward"
)

func (l *Lab) GoalTitles() (titles []string) {
	l.T.Helper()
	out, err := steward.Run(l.T.Context(), l.Brain, goals.Goals, goals.GoalsInput{Scope: l.Scope()})
	if err != nil {
		l.T.Fatal(err)
	}
	for _, g := range out.Goals {
		titles = append(titles, g.Goal.Title)
	}
	return titles
}
