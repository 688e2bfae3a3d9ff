package goals

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/goal"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// FollowGoals lets a session that ended move the goals of its project: what it left to do becomes a goal, what a person spoke of
// is mentioned, what was worked on is touched, and what did not move for long is left alone for a while.
func FollowGoals(ctx context.Context, b *brain.Brain, tx *store.Tx, s memory.Session, f workmem.Facts) error {
	goals, err := goalsIn(ctx, tx, true, s.Project)
	if err != nil {
		return err
	}
	p, err := tx.Project(ctx, s.Project)
	if err != nil {
		return err
	}
	said := goalTerms(strings.Join(f.Prompts, "\n"))
	for _, g := range goals {
		before := g
		mentioned := goal.Mentions(said, g)
		if mentioned && g.MentionedAt.Before(s.OpenedAt) { // else the prompt itself was followed
			g.MentionedAt = s.LastEventAt
		}
		linked := func(path string) bool { return slices.Contains(g.Links.Files, path) }
		// A session that reads a goal's files and mentions it works on it, even without a result.
		works := slices.ContainsFunc(f.Edited, linked) || mentioned && slices.ContainsFunc(f.Read, linked)
		if works && g.Counted != s.ID && g.From != s.ID { // a session that is resumed counts once
			before := g.Counted
			g.Counted = s.ID
			progress := len(f.Commits)+len(f.Fixed) > 0
			g = goal.Grow(goal.Worked(g, progress, s.LastEventAt), said)
			if g, err = leaveAlone(ctx, b, tx, s, g, before, progress, p.Clock); err != nil {
				return err
			}
		}
		if sameGoal(before, g) {
			continue
		}
		if err := tx.SaveGoal(ctx, g); err != nil {
			return err
		}
	}
	files := f.Edited[:min(len(f.Edited), goalFiles)]
	if s.HasOwnSummary() { // what rules read out of a session is no wish of anybody
		how := stated{by: s.SummaryBy, when: s.LastEventAt, files: files}
		if err := keepStated(ctx, b, tx, s.Project, s.ID, goal.FromNext(s.Next, goalTerms), how); err != nil {
			return err
		}
	}
	if err := keepPutOff(ctx, b, tx, s.Project, s.ID, files); err != nil {
		return err
	}
	return dropSteps(ctx, tx, s.Project)
}

// keepPutOff makes goals of what the person put off in a session, in their words.
func keepPutOff(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, session memory.SessionID, files []string) error {
	put, err := tx.Crystals(ctx, store.CrystalFilter{
		Projects: []memory.ProjectID{id}, Kinds: []memory.CrystalKind{memory.Intention}, Session: session, Heard: true, Current: true, Living: true, OldestFirst: true,
	})
	if err != nil {
		return err
	}
	for _, c := range put {
		candidate, ok := goal.NewCandidate(c.Text, goalTerms)
		if !ok {
			continue
		}
		how := stated{by: c.Origin, at: c.SaidAt, when: c.SaidAt, files: files, crystals: []memory.CrystalID{c.ID}}
		if err := keepStated(ctx, b, tx, id, session, []goal.Candidate{candidate}, how); err != nil {
			return err
		}
	}
	return nil
}

// stated says who stated goals, when, and what they were working on.
type stated struct {
	by    memory.Origin
	at    time.Time // if a person spoke of them
	when  time.Time
	files []string
	// crystals are the memories in which they were said.
	crystals []memory.CrystalID
}

// keepStated keeps the goals that a session stated. What was done or dropped since stays so.
func keepStated(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, session memory.SessionID, candidates []goal.Candidate, how stated) error {
	if len(candidates) == 0 {
		return nil
	}
	all, err := tx.Goals(ctx, false, id)
	if err != nil {
		return err
	}
	for _, c := range candidates {
		g := memory.Goal{
			From: session, Project: id, Kind: c.Kind, Title: c.Title, Text: c.Text, Concepts: c.Concepts, Origin: how.by, MentionedAt: how.at, CreatedAt: how.when,
			Links: memory.GoalLinks{Files: how.files, Crystals: how.crystals},
		}
		same := slices.IndexFunc(all, func(old memory.Goal) bool { return old.From == session && goal.Same(old, g, nil) })
		if same >= 0 && all[same].Status.Open() {
			gone, err := withdrawn(ctx, tx, all[same])
			if err != nil {
				return err
			}
			if gone { // this replaces it
				same = -1
			}
		}
		if same >= 0 && !all[same].Status.Open() {
			continue // it was done or dropped since
		}
		if same >= 0 && !all[same].MentionedAt.IsZero() {
			g.MentionedAt = time.Time{} // the prompt that stated it was followed
		}
		if _, err := keepGoal(ctx, b, tx, g); err != nil {
			return err
		}
	}
	return nil
}

// dropSteps drops the oldest steps that were put off and that nobody mentioned, beyond a limit.
func dropSteps(ctx context.Context, tx *store.Tx, id memory.ProjectID) error {
	const most = 60
	open, err := goalsIn(ctx, tx, true, id)
	if err != nil {
		return err
	}
	steps := slices.DeleteFunc(open, func(g memory.Goal) bool { return g.Kind != memory.GoalNext || !g.MentionedAt.IsZero() })
	for _, g := range steps[:max(len(steps)-most, 0)] { // by ID, which is by age
		g.Status = memory.GoalDropped
		if err := tx.SaveGoal(ctx, g); err != nil {
			return err
		}
	}
	return nil
}

// leaveAlone lets a goal rest that sessions go round in circles about. before is the session that last worked on it.
func leaveAlone(ctx context.Context, b *brain.Brain, tx *store.Tx, s memory.Session, g memory.Goal, before memory.SessionID, progress bool, clock int64) (memory.Goal, error) {
	if g.Status != memory.GoalActive || progress {
		return g, nil
	}
	attempt := goal.Attempt{}
	var err error
	if attempt.Calls, attempt.Time, err = callsOn(ctx, tx, s.ID, g.Links.Files); err != nil {
		return g, err
	}
	if before != 0 {
		if attempt.Before, _, err = callsOn(ctx, tx, before, g.Links.Files); err != nil {
			return g, err
		}
	}
	if !goal.Stuck(g, attempt) {
		return g, nil
	}
	resting, line, err := goal.Incubate(g, clock)
	if err != nil {
		return g, err
	}
	_, err = statements.Note(ctx, b, tx, s.Project, statements.NoteInput{Text: line, Kind: memory.Episode, Origin: memory.OriginAgent, Source: incubationSource}, tx.Now)
	return resting, err
}

// callsOn are the calls of a session on some files, what failed in between, and how long that went on, without the pauses.
func callsOn(ctx context.Context, tx *store.Tx, id memory.SessionID, files []string) (calls []goal.Call, spent time.Duration, err error) {
	events, err := tx.Events(ctx, store.EventFilter{Session: id})
	var last time.Time
	for _, e := range slices.Backward(events) {
		before := len(calls)
		switch e.Kind {
		case memory.ToolFailed:
			if found, ok := fault.Find(e.Text); ok {
				calls = append(calls, goal.Call{Tool: e.Tool, Error: found.Key()})
			}
		case memory.ToolUsed:
			for _, t := range e.Touches {
				if slices.Contains(files, t.Path) {
					calls = append(calls, goal.Call{Tool: e.Tool, File: t.Path})
				}
			}
		}
		if len(calls) == before {
			continue
		}
		if gap := e.At.Sub(last); !last.IsZero() && gap <= goal.Pause {
			spent += gap
		}
		last = e.At
	}
	return calls, spent, err
}

// goalFiles are the files of a session that a goal from it is linked to.
const goalFiles = 5

// sameGoal reports whether a session changed nothing of a goal.
func sameGoal(a, b memory.Goal) bool {
	return a.MentionedAt.Equal(b.MentionedAt) && a.TouchedAt.Equal(b.TouchedAt) && a.Status == b.Status && a.Stalled == b.Stalled && slices.Equal(a.Concepts, b.Concepts)
}
