package goals

import (
	"context"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
)

// FollowPrompts lets prompts of people move goals as soon as they are known: what they speak of is mentioned, what they put off
// becomes a goal.
func FollowPrompts(ctx context.Context, st *store.Store, prompts []memory.Event) error {
	if len(prompts) == 0 {
		return nil
	}
	return st.Update(ctx, func(tx *store.Tx) error {
		for _, e := range prompts {
			id := e.Place.Project()
			session := memory.NewSessionID(e.Agent, e.AgentSession, id)
			goals, err := tx.Goals(ctx, true, slices.Compact([]memory.ProjectID{id, 0})...) // one that faded comes back
			if err != nil {
				return err
			}
			own := typed.OwnWords(e.Text)
			said := goalTerms(own)
			heard := compared(goals)
			var sentences []*statements.Heard
			if len(goals) > 0 && ByPerson(e) {
				sentences = heard.HearAll(own)
			}
			for i, g := range goals {
				if status, by := over(heard, i, sentences); status != "" && e.At.After(g.CreatedAt) {
					if err := end(ctx, tx, Close(g, status, session, by, e.At)); err != nil {
						return err
					}
					continue
				}
				if Mentions(said, g) && e.At.After(g.MentionedAt) {
					g.MentionedAt = e.At
					if err := tx.SaveGoal(ctx, g); err != nil {
						return err
					}
				}
			}
			if err := KeepPutOff(ctx, tx, memory.Session{ID: session, Project: id}); err != nil {
				return err
			}
		}
		return nil
	})
}

// over is what the person says of a goal, "" if not that it is done or dropped, and with which words.
func over(goals *statements.Goals, i int, sentences []*statements.Heard) (status memory.GoalStatus, by string) {
	for _, h := range sentences {
		switch done, dropped := goals.Over(i, h); {
		case done:
			return memory.GoalDone, h.Text
		case dropped:
			return memory.GoalDropped, h.Text
		}
	}
	return "", ""
}
