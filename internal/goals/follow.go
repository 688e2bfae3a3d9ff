package goals

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// goalFiles are the files of a session that a goal from it is linked to.
const goalFiles = 5

// Work is what a session did, as far as goals follow it.
type Work struct {
	Prompts      []string // of the person
	Edited, Read []string // files
	Progress     bool     // it committed something, or fixed an error
	Plan         Plan     // the agent's
}

// leftMost are the steps of a project that agents left and nobody spoke of: half of what agents may have open.
const leftMost = agentsOpen / 2

// FollowGoals lets a session that ended move the goals of its project: what a commit names is done, what was noted as next or is open in the
// agent's plan becomes a goal, what a person spoke of is mentioned, what was worked on is touched, and what did not move for long is left alone for a while.
func FollowGoals(ctx context.Context, settings tuning.Crystal, tx *store.Tx, s memory.Session, f Work) error {
	goals, err := goalsIn(ctx, tx, true, s.Project)
	if err != nil {
		return err
	}
	p, err := tx.Project(ctx, s.Project)
	if err != nil {
		return err
	}
	ended, err := endedBy(ctx, tx, s, slices.DeleteFunc(slices.Clone(goals), func(g memory.Goal) bool {
		wanted := g.Kind == memory.GoalAim || g.Kind == memory.GoalNext
		return !wanted || g.From == s.ID || !g.CreatedAt.Before(s.OpenedAt) || g.TouchedAt.After(s.OpenedAt) // one that was taken back stays open
	}))
	if err != nil {
		return err
	}
	done, next, by, files := FromNext(f.Plan.Done, goalTerms), FromNext(f.Plan.Open, goalTerms), memory.OriginAgent, []string(nil)
	next = next[:min(len(next), statedMost)]
	if s.HasOwnSummary() { // what rules read out of a session is no wish of anybody
		next, by, files = FromNext(s.Next, goalTerms), s.SummaryBy, f.Edited[:min(len(f.Edited), goalFiles)]
	}
	said := goalTerms(strings.Join(f.Prompts, "\n"))
	for _, g := range goals {
		if ended[g.ID] {
			continue
		}
		if status := planEnds(s, g, done, next); status != "" {
			if err := end(ctx, tx, Close(g, status, s.ID, g.Title, s.LastEventAt)); err != nil {
				return err
			}
			continue
		}
		mentioned := Mentions(said, g)
		changed := mentioned && g.MentionedAt.Before(s.OpenedAt) // else the prompt itself was followed
		if changed {
			g.MentionedAt = s.LastEventAt
		}
		linked := func(path string) bool { return slices.Contains(g.Links.Files, path) }
		// A session that reads a goal's files and mentions it works on it, even without a result.
		works := slices.ContainsFunc(f.Edited, linked) || mentioned && slices.ContainsFunc(f.Read, linked)
		if works && g.Counted != s.ID && g.From != s.ID { // a session that is resumed counts once
			before, progress := g.Counted, f.Progress
			g, changed = Worked(g, progress, s.LastEventAt), true
			if g.Counted = s.ID; !progress {
				if stuck, err := isStuck(ctx, tx, s.ID, before, g); err != nil {
					return err
				} else if stuck {
					if g, err = leaveAlone(ctx, settings, tx, g, p); err != nil {
						return err
					}
				}
			}
		}
		if changed {
			if err := store.Goals.Keep(ctx, tx, g); err != nil {
				return err
			}
		}
	}
	for _, g := range next {
		g.Origin, g.CreatedAt, g.Links.Files = by, s.LastEventAt, files
		if err := keepStated(ctx, tx, s.Project, s.ID, g); err != nil {
			return err
		}
	}
	if s.HasOwnSummary() || len(next) == 0 {
		return nil
	}
	left, err := tx.Goals(ctx, true, s.Project)
	left = slices.DeleteFunc(left, func(g memory.Goal) bool { return !OnlyLeft(g) })
	slices.SortStableFunc(left, func(a, b memory.Goal) int { return a.CreatedAt.Compare(b.CreatedAt) })
	for _, g := range left[:max(0, len(left)-leftMost)] {
		err = errors.Join(err, store.Goals.Keep(ctx, tx, Close(g, memory.GoalDropped, s.ID, "", s.LastEventAt)))
	}
	return err
}

// planEnds is what a session makes of a step that an agent left: it is done, or dropped if the session that left it plans it no longer.
func planEnds(s memory.Session, g memory.Goal, done, next []memory.Goal) memory.GoalStatus {
	has := func(steps []memory.Goal) bool {
		return slices.ContainsFunc(steps, func(step memory.Goal) bool { step.Project = g.Project; return Same(g, step, nil) })
	}
	switch own := g.From == s.ID; {
	case g.Kind != memory.GoalNext || g.Origin != memory.OriginAgent || !own && !g.CreatedAt.Before(s.OpenedAt) || g.TouchedAt.After(s.OpenedAt):
	case has(done):
		return memory.GoalDone
	case own && OnlyLeft(g) && !s.HasOwnSummary() && !has(next):
		return memory.GoalDropped
	}
	return ""
}

// EndedBy ends an open goal because the person said so in a session, in words that speak of it.
func EndedBy(ctx context.Context, tx *store.Tx, s memory.Session, e lines.End) error {
	open, err := goalsIn(ctx, tx, true, slices.Compact([]memory.ProjectID{s.Project, 0})...)
	for _, g := range open {
		if string(g.ID) == e.ID && g.CreatedAt.Before(s.LastEventAt) && statements.SameSubject(e.Quote, g.Title) {
			err = errors.Join(err, end(ctx, tx, Close(g, e.How, s.ID, e.Quote, s.LastEventAt)))
		}
	}
	return err
}

// endedBy closes the goals that a commit made in a session names.
func endedBy(ctx context.Context, tx *store.Tx, s memory.Session, goals []memory.Goal) (ended map[memory.GoalID]bool, err error) {
	if len(goals) == 0 {
		return nil, nil
	}
	commits, err := tx.Events(ctx, store.EventFilter{
		Project: s.Project, Kind: memory.Committed, Since: s.OpenedAt, Until: s.LastEventAt.Add(time.Minute), // git counts whole seconds
	})
	ended = map[memory.GoalID]bool{}
	for _, c := range slices.Backward(commits) {
		for _, g := range goals {
			if by := subject(c.Text); !ended[g.ID] && commitEnds(by, g) {
				ended[g.ID], err = true, errors.Join(err, end(ctx, tx, Close(g, memory.GoalDone, s.ID, by, s.LastEventAt)))
			}
		}
	}
	return ended, err
}

// keepStated keeps a goal that a session stated. What was done or dropped since stays so.
func keepStated(ctx context.Context, tx *store.Tx, id memory.ProjectID, session memory.SessionID, g memory.Goal) error {
	g.Project, g.From = id, session
	all, err := tx.Goals(ctx, false, id)
	if err != nil || slices.ContainsFunc(all, func(old memory.Goal) bool { return old.From == session && !old.Status.Open() && Same(old, g, nil) }) {
		return err
	}
	_, err = keepGoal(ctx, tx, g)
	return err
}

// isStuck says that a session, and the one before that worked on a goal, go round in circles about it.
func isStuck(ctx context.Context, tx *store.Tx, session, before memory.SessionID, g memory.Goal) (bool, error) {
	calls, spent, err1 := callsOn(ctx, tx, session, g.Links.Files)
	earlier, _, err2 := callsOn(ctx, tx, before, g.Links.Files)
	return Stuck(g, spent, calls, earlier), errors.Join(err1, err2)
}

// leaveAlone lets a goal of a project rest, and notes that.
func leaveAlone(ctx context.Context, settings tuning.Crystal, tx *store.Tx, g memory.Goal, p memory.Project) (memory.Goal, error) {
	g, line, err := Incubate(g, p.Clock)
	if err == nil {
		_, err = statements.Note(ctx, settings, tx, p.ID, statements.NoteInput{Text: line, Kind: memory.Episode, Origin: memory.OriginAgent, Source: brain.IncubationSource})
	}
	return g, err
}

// callsOn are the calls of a session on some files, what failed in between, and how long that went on, without the pauses.
func callsOn(ctx context.Context, tx *store.Tx, id memory.SessionID, files []string) (calls []Call, spent time.Duration, err error) {
	if id == 0 {
		return nil, 0, nil
	}
	events, err := tx.Events(ctx, store.EventFilter{Session: id})
	var times []time.Time
	for _, e := range slices.Backward(events) {
		before := len(calls)
		switch e.Kind {
		case memory.ToolFailed:
			if found, ok := fault.Find(e.Text); ok {
				calls = append(calls, Call{Tool: e.Tool, Error: found.Key()})
			}
		case memory.ToolUsed:
			for _, t := range e.Touches {
				if slices.Contains(files, t.Path) {
					calls = append(calls, Call{Tool: e.Tool, File: t.Path})
				}
			}
		}
		if len(calls) > before {
			times = append(times, e.At)
		}
	}
	return calls, Worktime(times), err
}
