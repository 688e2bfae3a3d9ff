package goals

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/goal"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// noticed begins the text of a goal that came from a gap, and says where it comes from.
const noticed = "Noticed by hebb: "

// NoticedGap reports whether a goal came from a gap and nobody has made it a concern of theirs.
func NoticedGap(g memory.Goal) bool {
	return g.Kind == memory.GoalGap && g.Status == memory.GoalIncubating && strings.HasPrefix(g.Text, noticed)
}

const (
	gapTimes        = 2   // a gap was met before it becomes a goal: once may be a slip
	gapTractability = 0.2 // of such a goal: after all that somebody stated, as what needs a person's answer
)

// Wonder keeps gaps that come back as goals, for thoughts to come to: they incubate, nobody is sent to them. One that is no gap
// any more is done.
func Wonder(ctx context.Context, b *brain.Brain, id memory.ProjectID) error {
	open := false // goals of gaps that may be filled
	wanted, err := brain.View(ctx, b, func(tx *store.Tx) (wanted []memory.Goal, err error) {
		gaps, err := GapsOf(ctx, b, tx, id)
		if err != nil {
			return nil, err
		}
		p, err := tx.Project(ctx, id)
		if err != nil {
			return nil, err
		}
		goals, err := tx.Goals(ctx, true, id)
		open = slices.ContainsFunc(goals, NoticedGap)
		for _, gap := range gaps {
			if len(wanted) >= gapGoals || gap.Kind == dream.GapFile || gap.Times < gapTimes {
				continue
			}
			title, err := goal.Title(gapTitle(gap))
			if err != nil {
				continue // too long to be anybody's concern
			}
			wanted = append(wanted, memory.Goal{
				Project: id, Kind: memory.GoalGap, Title: title, Status: memory.GoalIncubating, IncubatedSince: p.Clock, Origin: gap.Origin,
				Tractability: gapTractability, Concepts: goal.Concepts(goalTerms(gap.Text), goal.ConceptsMost),
				Text: fmt.Sprintf("%s%s, %s, last on %s", noticed, gapHow[gap.Kind], brain.Counted(gap.Times, "time"), brain.Day(gap.At)),
			})
		}
		return wanted, err
	})
	if err == nil && (open || len(wanted) > 0) {
		err = b.Store.Update(ctx, func(tx *store.Tx) error { return keepGaps(ctx, b, tx, id, wanted) })
	}
	if err != nil {
		return fmt.Errorf("gaps of %s: %w", id, err)
	}
	return nil
}

// gapGoals are at most kept of a project: a list of all that is not known is nobody's concern.
const gapGoals = 10

var gapHow = map[dream.GapKind]string{
	dream.GapSearch: "searched for and not found", dream.GapError: "an error that came back and has no known fix", dream.GapQuestion: "asked and left open",
}

func gapTitle(g dream.Gap) string {
	text := scrub.Line(g.Text)
	if g.Kind == dream.GapError {
		return "What fixes: " + text
	}
	return "Find out: " + text
}

// keepGaps keeps the goals of gaps, each once, and ends those whose gap is filled.
func keepGaps(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, wanted []memory.Goal) error {
	all, err := tx.Goals(ctx, false, id)
	if err != nil {
		return err
	}
	for _, old := range all {
		if NoticedGap(old) && !slices.ContainsFunc(wanted, func(g memory.Goal) bool { return g.Title == old.Title || goal.Same(old, g, nil) }) {
			old.Status, old.Progress, old.TouchedAt = memory.GoalDone, 1, tx.Now
			if err := tx.SaveGoal(ctx, old); err != nil {
				return err
			}
		}
	}
	for _, g := range wanted {
		known := slices.ContainsFunc(all, func(old memory.Goal) bool {
			return goal.Same(old, g, goalCosine) && (old.Status.Open() || old.Status == memory.GoalDropped) // a person who dropped it knows why
		})
		if known {
			continue
		}
		if _, err := keepGoal(ctx, b, tx, g); err != nil {
			return err
		}
	}
	return nil
}

// FollowPrompts lets prompts of people move goals as soon as they are known: what they speak of is mentioned, what they put off
// becomes a goal.
func FollowPrompts(ctx context.Context, b *brain.Brain, prompts []memory.Event) error {
	if len(prompts) == 0 {
		return nil
	}
	return b.Store.Update(ctx, func(tx *store.Tx) error {
		for _, e := range prompts {
			id := e.Place.Project()
			session := memory.NewSessionID(e.Agent, e.AgentSession, id)
			goals, err := GoalsOf(ctx, tx, id, true)
			if err != nil {
				return err
			}
			said := goalTerms(e.Text)
			for _, g := range goals {
				if goal.Mentions(said, g) && e.At.After(g.MentionedAt) {
					g.MentionedAt = e.At
					if err := tx.SaveGoal(ctx, g); err != nil {
						return err
					}
				}
			}
			if err := keepPutOff(ctx, b, tx, id, session, nil); err != nil {
				return err
			}
		}
		return nil
	})
}
