package braintest

import (
	"github.com/hebb-memory/hebb/internal/goals"
)

func (l *Lab) GoalTitles() (titles []string) {
	l.T.Helper()
	out := Must(l, goals.Goals, goals.GoalsInput{Scope: l.Scope()})
	for _, g := range out.Goals {
		titles = append(titles, g.Goal.Title)
	}
	return titles
}
