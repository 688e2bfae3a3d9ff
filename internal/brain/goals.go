package brain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/goal"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// GoalInput is a concern that somebody states.
type GoalInput struct {
	Scope
	Title string          `json:"title"`
	Kind  memory.GoalKind `json:"kind,omitempty"` // empty: a goal
	// Tractability is how far an agent gets alone, up to 1; 0: not said (what cannot be done is blocked).
	Tractability float64       `json:"tractability,omitempty"`
	Files        []string      `json:"files,omitempty"`
	Everywhere   bool          `json:"everywhere,omitempty"`
	Origin       memory.Origin `json:"origin,omitempty"` // empty: the user
}

// GoalResult is a goal as it is kept.
type GoalResult struct {
	memory.Goal
	// Known says that a goal of the same meaning was there; it was mentioned once more.
	Known bool `json:"known,omitempty"`
}

// AddGoal keeps a concern. One of the same meaning is not kept twice.
var AddGoal = Operation[GoalInput, GoalResult]{
	Name: "goal-add", Summary: "Keep something that is wanted, asked or put off",
	Run: func(ctx context.Context, b *Brain, in GoalInput) (out GoalResult, err error) {
		rules := goal.NewRules(b.config.Tuning.Goal)
		title, err := rules.Title(scrub.Line(scrub.Clean(in.Title)))
		if err != nil {
			return out, err
		}
		if in.Kind == "" {
			in.Kind = memory.GoalAim
		}
		if !slices.Contains(memory.GoalKinds, in.Kind) {
			return out, fmt.Errorf("kind %q: want goal, question, gap or next: %w", in.Kind, memory.ErrInvalid)
		}
		if in.Tractability > 1 {
			return out, fmt.Errorf("tractability %g: want 0 to 1: %w", in.Tractability, memory.ErrInvalid)
		}
		if in.Origin == "" {
			in.Origin = memory.OriginUser
		}
		var place memory.Place
		if !in.Everywhere && in.Project == "" {
			if place, err = project.Resolve(in.Dir); err != nil {
				return out, fmt.Errorf("project of %s: %w", in.Dir, err)
			}
		}
		err = b.recording(ctx, b.store.UpdateDurable, func(r *recorder) error {
			g := memory.Goal{Kind: in.Kind, Title: title, Tractability: in.Tractability, Origin: in.Origin}
			switch {
			case in.Everywhere:
			case in.Project != "":
				if g.Project, err = b.named(ctx, r.tx, in.Project); err != nil {
					return err
				}
			default:
				g.Project = place.Project()
				if err := r.seeProject(ctx, memory.Event{At: r.tx.Now, Place: place}); err != nil {
					return err
				}
			}
			g.Links.Files = keys(place, in.Dir, in.Files)
			out, err = b.keepGoal(ctx, r.tx, g, in.Origin == memory.OriginUser)
			return err
		})
		return out, err
	},
}

func goalTerms(text string) []string { return recall.Words(text) }

// keepGoal keeps a goal, or tells it from one of the same meaning.
func (b *Brain) keepGoal(ctx context.Context, tx *store.Tx, g memory.Goal, mentioned bool) (GoalResult, error) {
	rules := goal.NewRules(b.config.Tuning.Goal)
	if len(g.Concepts) == 0 {
		g.Concepts = goal.Concepts(goalTerms(g.Title+" "+g.Text), b.config.Tuning.Goal.Concepts)
	}
	known, err := tx.Goals(ctx, true, g.Project)
	if err != nil {
		return GoalResult{}, err
	}
	for _, old := range known {
		if !rules.Same(old, g, goalCosine) {
			continue
		}
		if mentioned {
			old.MentionedAt = tx.Now
		}
		for _, f := range g.Links.Files {
			if !slices.Contains(old.Links.Files, f) {
				old.Links.Files = append(old.Links.Files, f)
			}
		}
		return GoalResult{Goal: old, Known: true}, tx.SaveGoal(ctx, old)
	}
	id, err := memory.NewEventID(tx.Now, b.entropy)
	if err != nil {
		return GoalResult{}, err
	}
	g.ID, g.Status, g.CreatedAt = memory.GoalID(id), memory.GoalActive, tx.Now
	if g.Tractability <= 0 {
		g.Tractability = usualTractability
	}
	if mentioned {
		g.MentionedAt = tx.Now
	}
	return GoalResult{Goal: g}, tx.SaveGoal(ctx, g)
}

// usualTractability is that of a goal nobody judged: an agent gets far, and somebody should look.
const usualTractability = 0.5

func goalCosine(a, b memory.Goal) (float64, bool) {
	x, y := directionOf(goalTerms(a.Title)), directionOf(goalTerms(b.Title))
	return x.Cos(y), x != nil && y != nil
}

// GoalsResult lists concerns by priority.
type GoalsResult struct {
	Goals []goal.Ranked `json:"goals"`
	// Closed are done or dropped, if they were asked for.
	Closed []memory.Goal `json:"closed,omitempty"`
}

// GoalsInput chooses goals.
type GoalsInput struct {
	Scope
	Closed bool `json:"closed,omitempty"` // also those that are done or dropped
}

// Goals lists current concerns, what wants attention most first, with the reasons.
var Goals = Operation[GoalsInput, GoalsResult]{
	Name: "goals", Summary: "List current concerns by priority, with the reasons",
	Run: func(ctx context.Context, b *Brain, in GoalsInput) (GoalsResult, error) {
		return viewed(ctx, b, func(tx *store.Tx) (out GoalsResult, err error) {
			id, err := b.resolve(ctx, tx, in.Scope)
			if err != nil {
				return out, err
			}
			all, err := b.goalsOf(ctx, tx, id, !in.Closed)
			if err != nil {
				return out, err
			}
			out.Goals = goal.NewRules(b.config.Tuning.Goal).Order(all, tx.Now)
			if out.Goals == nil {
				out.Goals = []goal.Ranked{}
			}
			for _, g := range all {
				if !g.Status.Open() {
					out.Closed = append(out.Closed, g)
				}
			}
			return out, nil
		})
	},
}

func (b *Brain) goalsOf(ctx context.Context, tx *store.Tx, id memory.ProjectID, open bool) ([]memory.Goal, error) {
	if id == 0 {
		return tx.Goals(ctx, open, 0)
	}
	return tx.Goals(ctx, open, id, 0)
}

// GoalChange is what somebody says of a goal.
type GoalChange struct {
	Scope
	Goal string `json:"goal"` // ID, its beginning, or words of the title
	// Status is the new one; empty leaves it.
	Status memory.GoalStatus `json:"status,omitempty"`
	// Progress is 0 to 1; negative leaves it.
	Progress float64 `json:"progress"`
}

// ChangeGoal says that a goal moved, is done, blocked, dropped or taken up again.
var ChangeGoal = Operation[GoalChange, memory.Goal]{
	Name: "goal-change", Summary: "Say that a goal moved, is done, blocked or dropped",
	Run: func(ctx context.Context, b *Brain, in GoalChange) (memory.Goal, error) {
		if in.Status != "" && !slices.Contains(memory.GoalStatuses, in.Status) {
			return memory.Goal{}, fmt.Errorf("status %q: want active, incubating, blocked, done or dropped: %w", in.Status, memory.ErrInvalid)
		}
		if in.Progress > 1 {
			return memory.Goal{}, fmt.Errorf("progress %g: want 0 to 1: %w", in.Progress, memory.ErrInvalid)
		}
		return updated(ctx, b, func(tx *store.Tx) (g memory.Goal, err error) {
			id, err := b.resolve(ctx, tx, in.Scope)
			if err != nil {
				return g, err
			}
			if g, err = b.findGoal(ctx, tx, id, in.Goal); err != nil {
				return g, err
			}
			if in.Status == memory.GoalIncubating && g.Status != memory.GoalIncubating {
				p, err := tx.Project(ctx, g.Project)
				if err != nil && !isNotFound(err) {
					return g, err
				}
				if g, _, err = goal.Incubate(g, p.Clock); err != nil {
					return g, err
				}
			} else if in.Status != "" {
				if in.Status == memory.GoalActive && g.Status != memory.GoalActive { // it begins anew
					g.Stalled, g.IncubatedSince = 0, 0
					if g.Status == memory.GoalDone {
						g.Progress = 0
					}
				}
				g.Status = in.Status
			}
			if in.Progress >= 0 && in.Progress < 1 && in.Status == "" && g.Status == memory.GoalDone {
				g.Status = memory.GoalActive // it was not done after all
			}
			if in.Progress >= 0 {
				moved := in.Progress > g.Progress
				g = goal.Worked(g, moved, tx.Now)
				g.Progress = in.Progress
			}
			if g.Status == memory.GoalDone {
				g.Progress, g.TouchedAt = 1, tx.Now
			}
			return g, tx.SaveGoal(ctx, g)
		})
	},
}

// findGoal finds a goal by its ID, the beginning of it, or words of its title.
func (b *Brain) findGoal(ctx context.Context, tx *store.Tx, id memory.ProjectID, name string) (memory.Goal, error) {
	all, err := b.goalsOf(ctx, tx, id, false)
	if err != nil {
		return memory.Goal{}, err
	}
	wanted := strings.ToLower(strings.TrimSpace(name))
	words := strings.Fields(wanted)
	var found []memory.Goal
	for _, g := range all {
		title := strings.ToLower(g.Title)
		if wanted != "" && title == wanted {
			found = []memory.Goal{g}
			break
		}
		holds := !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(title, w) })
		if wanted != "" && (strings.HasPrefix(string(g.ID), wanted) || holds) {
			found = append(found, g)
		}
	}
	if open := slices.DeleteFunc(slices.Clone(found), func(g memory.Goal) bool { return !g.Status.Open() }); len(open) == 1 {
		found = open
	}
	switch len(found) {
	case 0:
		return memory.Goal{}, fmt.Errorf("goal %q (hebb goals lists them): %w", scrub.Line(name), memory.ErrNotFound)
	case 1:
		return found[0], nil
	}
	return memory.Goal{}, fmt.Errorf("goal %q could be %q or %q: say more of it, or its ID: %w", scrub.Line(name), found[0].Title, found[1].Title, memory.ErrConflict)
}

// followGoals lets a session that ended move the goals of its project: what it left to do becomes a goal, what a person spoke of
// is mentioned, what was worked on is touched, and what did not move for long is left alone for a while.
func (b *Brain) followGoals(ctx context.Context, tx *store.Tx, s memory.Session, f workmem.Facts) error {
	rules := goal.NewRules(b.config.Tuning.Goal)
	candidates := rules.FromNext(s.Next, goalTerms)
	for _, p := range f.Prompts {
		for _, c := range rules.FromText(p, goalTerms) {
			if c.Later { // what is asked for now was done, or is among what is left to do
				candidates = append(candidates, c)
			}
		}
	}
	goals, err := tx.Goals(ctx, true, s.Project)
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
		if rules.Mentions(said, g) {
			g.MentionedAt = s.LastEventAt
		}
		for _, fixed := range f.Fixed { // an error that was left failing is mended
			if strings.Contains(g.Title, fixed.Error) && strings.HasPrefix(g.Title, stillFailing) {
				g.Status, g.Progress = memory.GoalDone, 1
			}
		}
		works := slices.ContainsFunc(f.Edited, func(path string) bool { return slices.Contains(g.Links.Files, path) })
		if works && g.Counted != s.ID && g.From != s.ID { // a session that is resumed counts once
			g.Counted = s.ID
			progress := len(f.Commits)+len(f.Fixed) > 0
			g = rules.Grow(goal.Worked(g, progress, s.LastEventAt), said)
			if g, err = b.leaveAlone(ctx, tx, s, g, progress, p.Clock); err != nil {
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
	closed, err := tx.Goals(ctx, false, s.Project)
	if err != nil {
		return err
	}
	closed = slices.DeleteFunc(closed, func(g memory.Goal) bool { return g.Status.Open() })
	for _, c := range candidates {
		wanted := memory.Goal{Project: s.Project, Kind: c.Kind, Title: c.Title, Concepts: c.Concepts}
		if slices.ContainsFunc(closed, func(g memory.Goal) bool { return g.From == s.ID && rules.Same(g, wanted, nil) }) {
			continue // it was done or dropped since
		}
		_, err := b.keepGoal(ctx, tx, memory.Goal{
			From:    s.ID,
			Project: s.Project, Kind: c.Kind, Title: c.Title, Text: c.Text, Concepts: c.Concepts, Origin: memory.OriginAgent,
			Links: memory.GoalLinks{Files: f.Edited[:min(len(f.Edited), goalFiles)]},
		}, false)
		if err != nil {
			return err
		}
	}
	return b.letStepsGo(ctx, tx, s.Project)
}

// stillFailing begins a step that an open error left.
const stillFailing = "Still failing: "

// letStepsGo drops the oldest steps that were put off, where there are so many that nobody will come to them and nobody has
// spoken of them.
func (b *Brain) letStepsGo(ctx context.Context, tx *store.Tx, id memory.ProjectID) error {
	const most = 60
	open, err := tx.Goals(ctx, true, id)
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

// leaveAlone lets a goal rest that sessions go round in circles about.
func (b *Brain) leaveAlone(ctx context.Context, tx *store.Tx, s memory.Session, g memory.Goal, progress bool, clock int64) (memory.Goal, error) {
	rules := goal.NewRules(b.config.Tuning.Goal)
	latest, err := tx.Sessions(ctx, store.SessionFilter{Project: s.Project, Limit: 2})
	if err != nil {
		return g, err
	}
	attempt := goal.Attempt{Time: s.LastEventAt.Sub(s.OpenedAt), Progress: progress}
	if attempt.Calls, err = callsOn(ctx, tx, s.ID, g.Links.Files); err != nil {
		return g, err
	}
	for _, before := range latest {
		if before.ID != s.ID && attempt.Before == nil {
			if attempt.Before, err = callsOn(ctx, tx, before.ID, g.Links.Files); err != nil {
				return g, err
			}
		}
	}
	if !rules.Stuck(g, attempt).Stuck {
		return g, nil
	}
	resting, line, err := goal.Incubate(g, clock)
	if err != nil {
		return g, err
	}
	_, err = b.note(ctx, tx, s.Project, NoteInput{Text: line, Kind: memory.Episode, Origin: memory.OriginAgent}, tx.Now)
	return resting, err
}

// callsOn are the calls of a session on some files, and what failed in between.
func callsOn(ctx context.Context, tx *store.Tx, id memory.SessionID, files []string) (calls []goal.Call, err error) {
	events, err := tx.Events(ctx, store.EventFilter{Session: id})
	for _, e := range slices.Backward(events) {
		switch e.Kind {
		case memory.ToolFailed:
			if fault, ok := recall.FindFault(e.Text); ok {
				calls = append(calls, goal.Call{Tool: e.Tool, Error: fault.Key()})
			}
		case memory.ToolUsed:
			for _, t := range e.Touches {
				if slices.Contains(files, t.Path) {
					calls = append(calls, goal.Call{Tool: e.Tool, File: t.Path})
				}
			}
		}
	}
	return calls, err
}

// goalFiles are the files of a session that a goal from it is linked to.
const goalFiles = 5

// sameGoal reports whether a session changed nothing of a goal.
func sameGoal(a, b memory.Goal) bool {
	return a.MentionedAt.Equal(b.MentionedAt) && a.TouchedAt.Equal(b.TouchedAt) && a.Status == b.Status && a.Stalled == b.Stalled && slices.Equal(a.Concepts, b.Concepts)
}

// NextResult answers "what should I do now".
type NextResult struct {
	Next []goal.Ranked `json:"next"`
	// Resting are goals left alone on purpose, with what to do about those that rest too long.
	Resting []string `json:"resting,omitempty"`
	// Left is what the last session left to do.
	Left string `json:"left,omitempty"`
}

// NextUp answers "what should I do now", with reasons.
var NextUp = Operation[ListInput, NextResult]{
	Name: "next", Summary: "Say what to do now, and why",
	Run: func(ctx context.Context, b *Brain, in ListInput) (NextResult, error) {
		return viewed(ctx, b, func(tx *store.Tx) (out NextResult, err error) {
			id, err := b.resolve(ctx, tx, in.Scope)
			if err != nil {
				return out, err
			}
			rules := goal.NewRules(b.config.Tuning.Goal)
			all, err := b.goalsOf(ctx, tx, id, true)
			if err != nil {
				return out, err
			}
			out.Next = goal.Direct(rules.Order(all, tx.Now))
			if out.Next == nil {
				out.Next = []goal.Ranked{}
			}
			if in.Limit > 0 {
				out.Next = out.Next[:min(len(out.Next), in.Limit)]
			}
			p, err := tx.Project(ctx, id)
			if err != nil && !isNotFound(err) {
				return out, err
			}
			for _, g := range all {
				if _, line := rules.Incubation(g, p.Clock); g.Status == memory.GoalIncubating && line != "" {
					out.Resting = append(out.Resting, line)
				}
			}
			last, err := tx.ShelvedSessions(ctx, id, 1)
			if len(last) > 0 {
				out.Left = last[0].Next
			}
			return out, err
		})
	},
}
