package goals

import (
	"context"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
)

// FollowPrompts lets prompts of people move goals as soon as they are known: what they speak of is mentioned, what they call done or dropped
// ends, and what they state becomes a goal.
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
			var sentences []string
			if ByPerson(e) {
				sentences = ownSentences(e.Text)
			}
			for _, g := range goals {
				if status, by := over(g, sentences); status != "" && e.At.After(g.CreatedAt) {
					if err := end(ctx, tx, Close(g, status, session, by, e.At)); err != nil {
						return err
					}
					continue
				}
				if Mentions(said, g) && e.At.After(g.MentionedAt) {
					g.MentionedAt = e.At
					if err := store.Goals.Keep(ctx, tx, g); err != nil {
						return err
					}
				}
			}
			for _, g := range statedIn(sentences) {
				g.Origin, g.CreatedAt, g.MentionedAt = e.Origin, e.At, e.At
				if err := keepStated(ctx, tx, id, session, g); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
