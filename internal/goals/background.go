package goals

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goal"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// ThinkingReport counts what thinking in the background found.
type ThinkingReport struct {
	Projects    int `json:"projects,omitempty"` // that were thought of
	Connections int `json:"connections,omitempty"`
}

// thoughtAbout is the evidence by which a project was last thought of at a depth.
func thoughtAbout(d goal.Depth, id memory.ProjectID) store.Fact[string] {
	return store.NewFact[string]("think").Of(id).About(fmt.Sprint(d))
}

// toThinkOf names what there is to think of in a project, so that nothing is thought through twice: the latest work, the latest
// note that somebody wrote, and the goals. It is empty without goals.
func toThinkOf(ctx context.Context, tx *store.Tx, id memory.ProjectID) (evidence string, err error) {
	goals, err := GoalsOf(ctx, tx, id, true)
	if err != nil || len(goals) == 0 {
		return "", err
	}
	work, _, err := tx.LatestWork(ctx, id)
	if err != nil {
		return "", err
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(work))
	const few = 20 // latest notes, of which some may be thinking's own
	notes, err := tx.Crystals(ctx, store.CrystalFilter{Projects: []memory.ProjectID{id, 0}, Current: true, Limit: few})
	if err != nil {
		return "", err
	}
	for _, c := range notes {
		if brain.BySomebody(c.Origin) && !HebbsOwn(c.Crystal) {
			_, _ = h.Write([]byte("\n" + string(c.ID)))
			break
		}
	}
	for _, g := range goals {
		_, _ = h.Write([]byte("\n" + string(g.ID)))
	}
	return fmt.Sprintf("%016x", h.Sum64()), nil
}

// ThinkIfNew thinks of a project at a depth, unless that was done with the same evidence.
func ThinkIfNew(ctx context.Context, b *brain.Brain, id memory.ProjectID, depth goal.Depth, report *ThinkingReport) error {
	fresh, err := brain.View(ctx, b, func(tx *store.Tx) (bool, error) {
		evidence, err := toThinkOf(ctx, tx, id)
		if err != nil || evidence == "" {
			return false, err
		}
		known, err := thoughtAbout(depth, id).Get(ctx, tx)
		return known != evidence, err
	})
	if err != nil || !fresh {
		return err
	}
	out, busy, err := ThinkOf(ctx, b, id, depth, 0)
	if err != nil {
		return fmt.Errorf("think of %s: %w", id, err)
	}
	if !busy { // else the other process does it
		report.Projects++
		report.Connections += len(out.Connections)
	}
	return nil
}

// ThinkBetween thinks between tasks: briefly of projects in which a task has just ended, fully of those in which nobody has
// worked for some minutes. One project that cannot be thought of holds up no other.
func ThinkBetween(ctx context.Context, b *brain.Brain, ended []memory.ProjectID) (report ThinkingReport, err error) {
	type due struct {
		id    memory.ProjectID
		depth goal.Depth
	}
	list, err := brain.View(ctx, b, func(tx *store.Tx) (list []due, err error) {
		projects, err := Lately(ctx, tx)
		if err != nil {
			return nil, err
		}
		for _, id := range projects {
			_, worked, err := tx.LatestWork(ctx, id)
			if err != nil {
				return nil, err
			}
			switch idle := tx.Now.Sub(worked); {
			case worked.IsZero():
			case idle >= thinkIdle:
				list = append(list, due{id, goal.Full})
			case slices.Contains(ended, id):
				list = append(list, due{id, goal.Brief})
			}
		}
		return list, nil
	})
	if err != nil {
		return report, err
	}
	for _, d := range list {
		err = errors.Join(err, ThinkIfNew(ctx, b, d.id, d.depth, &report))
	}
	return report, err
}

const (
	thinkLately = 24 * time.Hour  // a project worked in since is thought about unasked: a day of work
	thinkIdle   = 5 * time.Minute // without work, before a full replay; as designed
)

// Lately are the projects that were worked in lately.
func Lately(ctx context.Context, tx *store.Tx) (ids []memory.ProjectID, err error) {
	projects, err := tx.Projects(ctx)
	for _, p := range projects {
		if tx.Now.Sub(p.LastAt) < thinkLately {
			ids = append(ids, p.ID)
		}
	}
	return ids, err
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

// ByPerson reports whether an event is a prompt that a person wrote.
func ByPerson(e memory.Event) bool {
	return e.Kind == memory.Prompted && e.Origin == memory.OriginUser && e.Subagent == "" && !record.IsCommand(strings.TrimSpace(e.Text))
}
