package braintest

import (
	"fmt"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

// Talk is an exchange of four turns about a topic, with a change of a file at its end.
func (l *Lab) Talk(run, topic string, minutes float64, file string) (events []memory.Event) {
	for k := range 4 {
		said := l.Of(run, l.Event(memory.TurnEnded, minutes+float64(2*k)+1))
		said.Origin, said.Text = memory.OriginAgent, fmt.Sprintf("Step %d about how %s", k, topic)
		events = append(events, l.Asked(run, fmt.Sprintf("please look at %s, part %d", topic, k), minutes+float64(2*k)), said)
	}
	return append(events, l.Touched(run, memory.Edit, minutes+9, file))
}

func (l *Lab) Wants(in goals.GoalInput) memory.Goal {
	l.T.Helper()
	in.Scope = l.Scope()
	out := Must(l, goals.AddGoal, in)
	return out.Goal
}

func (l *Lab) Goals(closed bool) goals.GoalsResult {
	l.T.Helper()
	return Must(l, goals.Goals, goals.GoalsInput{Scope: l.Scope(), Closed: closed})
}

// AllGoals are the goals of the project, also those that were only heard so far and are not shown.
func (l *Lab) AllGoals() []memory.Goal {
	l.T.Helper()
	all := must.Get(brain.View(l.T.Context(), l.Store, func(tx *store.Tx) ([]memory.Goal, error) {
		return goals.GoalsOf(l.T.Context(), tx, l.Place.Project(), false)
	}))(l.T)
	return all
}

// GoalNamed is the open goal with these words in its title.
func (l *Lab) GoalNamed(words string) memory.Goal {
	l.T.Helper()
	all := l.AllGoals()
	for _, g := range all {
		if g.Status.Open() && strings.Contains(g.Title, words) {
			return g
		}
	}
	l.T.Fatalf("no goal %q in %+v", words, all)
	return memory.Goal{}
}

func (l *Lab) Thoughts() (list []store.Thought) {
	l.T.Helper()
	must.Do(l.T, l.Store.View(l.T.Context(), func(tx *store.Tx) (err error) {
		list, err = tx.Thoughts(l.T.Context(), l.Place.Project(), time.Time{}, 1000)
		return err
	}))
	return list
}

func (l *Lab) Next() goals.NextResult {
	l.T.Helper()
	return Must(l, goals.NextUp, brain.ListInput{Scope: l.Scope()})
}
