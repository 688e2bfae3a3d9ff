package answer

import (
	"context"
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goal"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// gatherGoals reads what is to be done: goals that are open, those that the last session ended, those that rest too long, what thinking found, and what
// was not answered.
func (s *starting) gatherGoals(ctx context.Context, tx *store.Tx) error {
	open, err := goals.GoalsOf(ctx, tx, s.project.ID, false)
	if err != nil {
		return err
	}
	// What came from elsewhere is shown to an agent only once this person has spoken of it, and what was only heard once they speak of it again.
	open = slices.DeleteFunc(open, func(g memory.Goal) bool {
		return goal.OnlyHeard(g) || !brain.BySomebody(g.Origin) && g.MentionedAt.IsZero() || withheld(g.Origin, g.Title)
	})
	for _, g := range open {
		if len(s.recent) > 0 && g.ClosedIn == s.recent[0].ID && !g.Status.Open() { // until another session was the last
			s.ended = append(s.ended, g)
		}
	}
	open = slices.DeleteFunc(open, func(g memory.Goal) bool { return !g.Status.Open() })
	s.goals = goal.Direct(goal.Order(open, tx.Now))
	for _, g := range open {
		if line := goal.Incubation(g, s.project.Clock); line != "" {
			s.resting = append(s.resting, line)
		}
	}
	if s.found, err = goals.Recollections(ctx, s.brain, tx, s.project.ID, open, goals.ThoughtsShown); err != nil {
		return err
	}
	if s.manner.Brief {
		s.found = nil
	}
	s.asked, err = goals.OpenQuestion(ctx, tx, s.project.ID)
	return err
}

// goalItems are the most pressing goals, and those that rest too long.
func (s *starting) goalItems() (items []workmem.Item) {
	for _, g := range s.goals[:min(len(s.goals), goalsShown)] {
		text := s.saidLine("", g.Goal.Origin, g.Goal.CreatedAt, g.Goal.Title)
		if text != "" && s.manner.Connected {
			text += s.connected(g.Goal)
		}
		items = append(items, workmem.Item{Key: said(g.Goal.Title), Text: text})
	}
	for _, g := range s.ended {
		items = append(items, workmem.Item{Text: "- " + s.endedLine(g)})
	}
	if s.asked.Text != "" {
		items = append(items, workmem.Item{Key: said(s.asked.Text), Text: s.saidLine("not answered yet", s.asked.Origin, s.asked.At, s.asked.Text)})
	}
	for _, line := range s.resting {
		items = append(items, workmem.Item{Text: "- " + brain.AsData(line)})
	}
	for _, r := range s.found {
		items = append(items, workmem.Item{Text: fmt.Sprintf("- goal %s may be helped by: %s (%s; %s)", workmem.Quoted(brain.AsData(r.Title)), workmem.Quoted(brain.AsData(r.Episode)), brain.ShortDay(r.Lived, s.now), brain.AsData(r.Why))})
	}
	return items
}

// endedLine says that a goal is over, and by what hebb knows it: it may be wrong.
func (s *starting) endedLine(g memory.Goal) string {
	line := fmt.Sprintf("%s since: %s", g.Status, workmem.Quoted(brain.AsData(g.Title)))
	if g.ClosedBy != "" && !withheld(memory.OriginAgent, g.ClosedBy) {
		line += ", hebb gathers from " + workmem.Quoted(brain.AsData(g.ClosedBy))
	}
	return line + " (hebb goals wake takes it back)"
}

const goalsShown = 3

// connected names another goal that a file connects with one: who works at the one may do the other too.
func (s *starting) connected(g memory.Goal) string {
	for _, other := range s.goals {
		for _, file := range g.Links.Files {
			if other.Goal.ID != g.ID && slices.Contains(other.Goal.Links.Files, file) && ranking.ShownPath(file) && s.code.Has(file) {
				return fmt.Sprintf(" (%s connects it with %s)", record.ShownName(file), workmem.Quoted(brain.AsData(other.Goal.Title)))
			}
		}
	}
	return ""
}
