package braintest

import (
	"fmt"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
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

// Drains drains as the background does after a hook, or as somebody who calls hebb drain.
func (l *Lab) Drains(minutes float64, in steward.DrainInput, events ...memory.Event) steward.DrainResult {
	l.T.Helper()
	l.Clock = Start.Add(time.Duration(minutes * float64(time.Minute)))
	for _, e := range events {
		if err := l.Spool.Append(e); err != nil {
			l.T.Fatal(err)
		}
	}
	in.Wait = true
	r, err := steward.Run(l.T.Context(), l.Brain, steward.Drain, in)
	if err != nil {
		l.T.Fatal(err)
	}
	return r
}

func (l *Lab) Wants(in goals.GoalInput) memory.Goal {
	l.T.Helper()
	in.Scope = l.Scope()
	out, err := steward.Run(l.T.Context(), l.Brain, goals.AddGoal, in)
	if err != nil {
		l.T.Fatal(err)
	}
	return out.Goal
}

func (l *Lab) Goals(closed bool) goals.GoalsResult {
	l.T.Helper()
	out, err := steward.Run(l.T.Context(), l.Brain, goals.Goals, goals.GoalsInput{Scope: l.Scope(), Closed: closed})
	if err != nil {
		l.T.Fatal(err)
	}
	return out
}

// AllGoals are the goals of the project, also those that were only heard so far and are not shown.
func (l *Lab) AllGoals() []memory.Goal {
	l.T.Helper()
	all, err := brain.View(l.T.Context(), l.Store, func(tx *store.Tx) ([]memory.Goal, error) {
		return goals.GoalsOf(l.T.Context(), tx, l.Place.Project(), false)
	})
	if err != nil {
		l.T.Fatal(err)
	}
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
	err := l.Store.View(l.T.Context(), func(tx *store.Tx) (err error) {
		list, err = tx.Thoughts(l.T.Context(), l.Place.Project(), time.Time{}, 1000)
		return err
	})
	if err != nil {
		l.T.Fatal(err)
	}
	return list
}

func (l *Lab) Next() goals.NextResult {
	l.T.Helper()
	out, err := steward.Run(l.T.Context(), l.Brain, goals.NextUp, brain.ListInput{Scope: l.Scope()})
	if err != nil {
		l.T.Fatal(err)
	}
	return out
}
