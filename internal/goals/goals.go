// Package goals keeps what people want done, notices gaps, and thinks about open goals. Other rooms show it.
package goals

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/vocab"
)

const (
	ThoughtsShown = 1   // more would bury the goals
	DreamCrystals = 400 // latest that a dream looks at
)

// Spaced is a text as words between blanks.
func Spaced(text string) string { return " " + strings.Join(brain.PlainWords(text), " ") + " " }

// GoalInput is a concern that somebody states.
type GoalInput struct {
	brain.Scope
	Title string          `json:"title" arg:"1.."`
	Text  string          `json:"text,omitempty" flag:"text,t" about:"details beyond the title"`
	Kind  memory.GoalKind `json:"kind,omitempty" flag:"kind,k" about:"what it is (default goal)"` // empty: a goal
	// Tractability is how far an agent gets alone, up to 1; 0: not said (what cannot be done is blocked).
	Tractability float64       `json:"tractability,omitempty" flag:"tractability" about:"how far an agent gets alone, above 0 up to 1 (default 0.5)"`
	Files        []string      `json:"files,omitempty" flag:"file" about:"a file that it is about; may be repeated"`
	Everywhere   bool          `json:"everywhere,omitempty" flag:"everywhere"`
	Origin       memory.Origin `json:"origin,omitempty"` // empty: the user
}

// GoalResult is a goal as it is kept.
type GoalResult struct {
	memory.Goal
	Known bool `json:"known,omitempty"` // one of the same meaning was there; it was mentioned once more
}

// AddGoal keeps a concern. One of the same meaning is not kept twice.
var AddGoal = brain.NeverBusy(brain.Operation[GoalInput, GoalResult]{
	Name: "goal-add",
	Run: func(ctx context.Context, b *brain.Brain, in GoalInput) (out GoalResult, err error) {
		if err := brain.Fits("goal", in.Origin, in.Title, in.Text); err != nil {
			return out, err
		}
		title, err := Title(scrub.Line(scrub.Clean(in.Title)))
		if err != nil {
			return out, err
		}
		in.Kind, in.Origin = cmp.Or(in.Kind, memory.GoalAim), cmp.Or(in.Origin, memory.OriginUser)
		if !slices.Contains(memory.GoalKinds, in.Kind) || in.Tractability > 1 {
			return out, fmt.Errorf("kind %q, tractability %g: want goal, question, gap or next, and 0 to 1: %w", in.Kind, in.Tractability, memory.ErrInvalid)
		}
		var place memory.Place
		if !in.Everywhere && in.Project == "" {
			if place, err = brain.PlaceAt(b.Config, in.Dir); err != nil {
				return out, err
			}
		}
		err = record.Recording(ctx, b, b.Say, func(r *record.Recorder) error {
			g := memory.Goal{Kind: in.Kind, Title: title, Text: strings.TrimSpace(scrub.Clean(in.Text)), Tractability: in.Tractability, Origin: in.Origin}
			switch {
			case in.Everywhere:
			case in.Project != "":
				if g.Project, err = brain.Named(ctx, r.Tx, in.Project); err != nil {
					return err
				}
			default:
				g.Project = place.Project()
				if err := r.SeeProject(ctx, memory.Event{At: r.Tx.Now, Place: place}); err != nil {
					return err
				}
			}
			g.Links.Files = statements.Keys(place, in.Dir, in.Files)
			if in.Origin == memory.OriginUser {
				g.MentionedAt = r.Tx.Now
			}
			if g.Origin == memory.OriginAgent {
				if err := agentsRoom(ctx, r.Tx, g.Project); err != nil {
					return err
				}
			}
			out, err = keepGoal(ctx, r.Tx, g)
			return err
		})
		return out, err
	},
}, func(in GoalInput) string { return brain.Joined(in.Title, in.Text) })

const agentsOpen = 20 // goals that agents may have open in a project: nobody works at more

// agentsRoom refuses another goal of an agent where agents have as many open as they may.
func agentsRoom(ctx context.Context, tx *store.Tx, id memory.ProjectID) error {
	open, err := goalsIn(ctx, tx, true, id)
	open = slices.DeleteFunc(open, func(g memory.Goal) bool { return g.Origin != memory.OriginAgent })
	if err == nil && len(open) >= agentsOpen {
		err = fmt.Errorf("goal: agents have %d goals open here, as many as they may; do not try again: end one that is done, or tell the user what is to do: %w",
			len(open), memory.ErrRefused)
	}
	return err
}

func goalTerms(text string) []string { return vocab.Words(text) }

// keepGoal keeps a goal. If one of the same meaning exists, that one takes over what is new.
func keepGoal(ctx context.Context, tx *store.Tx, g memory.Goal) (GoalResult, error) {
	if len(g.Concepts) == 0 {
		g.Concepts = About(g.Title, g.Text, goalTerms)
	}
	known, err := goalsIn(ctx, tx, true, g.Project)
	if err != nil {
		return GoalResult{}, err
	}
	for _, old := range known {
		if !Same(old, g, goalCosine) {
			continue
		}
		switch {
		case g.Origin.Tier() > old.Origin.Tier(): // whose word counts more has said it in their own
			return GoalResult{Goal: old, Known: true}, nil
		case g.Origin == memory.OriginUser && old.Origin != memory.OriginUser: // now it is the person's, in their words
			old.Origin, old.Title, old.Text = g.Origin, g.Title, ""
		}
		if g.MentionedAt.After(old.MentionedAt) {
			old.MentionedAt = g.MentionedAt
		}
		if g.Text != "" && g.Text != g.Title && !strings.Contains(old.Text, g.Text) {
			old.Text = strings.TrimSpace(old.Text + "\n" + g.Text)
		}
		old.Links.Files = Union(old.Links.Files, g.Links.Files...)
		old.Links.Crystals = Union(old.Links.Crystals, g.Links.Crystals...)
		if old.Kind == memory.GoalGap && old.Status == memory.GoalIncubating && g.Kind != memory.GoalGap { // somebody wants it now
			old.Kind, old.Status, old.IncubatedSince = g.Kind, memory.GoalActive, 0
			old.Tractability = max(old.Tractability, g.Tractability, usualTractability)
		}
		return GoalResult{Goal: old, Known: true}, store.Goals.Keep(ctx, tx, old)
	}
	id, err := tx.NewID()
	if err != nil {
		return GoalResult{}, err
	}
	if g.ID = memory.GoalID(id); g.CreatedAt.IsZero() || g.CreatedAt.After(tx.Now) { // a session from before hebb stated it then
		g.CreatedAt = tx.Now
	}
	g.Status, g.Tractability = cmp.Or(g.Status, memory.GoalActive), cmp.Or(max(g.Tractability, 0), usualTractability)
	return GoalResult{Goal: g}, store.Goals.Keep(ctx, tx, g)
}

// usualTractability is that of a goal nobody judged: an agent gets far, and somebody should look.
const usualTractability = 0.5

func goalCosine(a, b memory.Goal) (float64, bool) {
	x, y := texts.VectorOf(goalTerms(a.Title)), texts.VectorOf(goalTerms(b.Title))
	return x.Cos(y), x != nil && y != nil
}

// GoalsResult lists concerns by priority.
type GoalsResult struct {
	Goals    []Ranked                    `json:"goals"`
	Closed   []memory.Goal               `json:"closed,omitempty"`   // done or dropped, if they were asked for
	Projects map[memory.ProjectID]string `json:"projects,omitempty"` // names, where the goals are of several
}

// GoalsInput chooses goals.
type GoalsInput struct {
	brain.Scope
	Closed bool `json:"closed,omitempty"` // also those that are done or dropped
	All    bool `json:"all,omitempty"`    // of every project
}

// Goals lists current concerns, what wants attention most first, with the reasons.
var Goals = brain.Operation[GoalsInput, GoalsResult]{
	Name: "goals",
	Run: func(ctx context.Context, b *brain.Brain, in GoalsInput) (GoalsResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (out GoalsResult, err error) {
			var projects []memory.Project
			ids := []memory.ProjectID{0}
			if in.All {
				projects, err = tx.Projects(ctx)
				out.Projects = map[memory.ProjectID]string{}
			} else if ids[0], err = brain.Resolve(ctx, tx, b.Config, in.Scope); ids[0] != 0 {
				ids = append(ids, 0)
			}
			for _, p := range projects {
				ids, out.Projects[p.ID] = append(ids, p.ID), p.Name
			}
			if err != nil {
				return out, err
			}
			all, err := goalsIn(ctx, tx, !in.Closed, ids...)
			all = slices.DeleteFunc(all, OnlyHeard)
			out.Goals = append([]Ranked{}, Order(all, tx.Now)...)
			out.Closed = slices.DeleteFunc(all, func(g memory.Goal) bool { return g.Status.Open() })
			return out, err
		})
	},
}

// GoalsOf are the goals of a project and those for all projects.
func GoalsOf(ctx context.Context, tx *store.Tx, id memory.ProjectID, open bool) ([]memory.Goal, error) {
	return goalsIn(ctx, tx, open, slices.Compact([]memory.ProjectID{id, 0})...)
}

// GoalChange is what somebody says of a goal.
type GoalChange struct {
	brain.Scope
	Goal     string            `json:"goal" arg:"1.."`   // ID, its beginning, or words of the title
	Status   memory.GoalStatus `json:"status,omitempty"` // empty leaves it
	Progress float64           `json:"progress"`         // 0 to 1; negative leaves it
	// Origin is who says it; empty: the user. Anybody else reports how far a goal of the user has come, and ends, pauses or
	// reopens none.
	Origin memory.Origin `json:"origin,omitempty"`
}

// ChangeGoal says that a goal moved, is done, blocked, dropped or taken up again.
var ChangeGoal = brain.NeverBusy(brain.Operation[GoalChange, memory.Goal]{
	Name: "goal-change",
	Run: func(ctx context.Context, b *brain.Brain, in GoalChange) (memory.Goal, error) {
		if in.Status != "" && !slices.Contains(memory.GoalStatuses, in.Status) || in.Progress > 1 {
			return memory.Goal{}, fmt.Errorf("status %q, progress %g: want active, incubating, blocked, done or dropped, and 0 to 1: %w", in.Status, in.Progress, memory.ErrInvalid)
		}
		return brain.Update(ctx, b, func(tx *store.Tx) (g memory.Goal, err error) {
			id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
			if err != nil {
				return g, err
			}
			if g, err = findGoal(ctx, tx, id, in.Goal); err != nil {
				return g, err
			}
			if brain.Persons(g.Origin, g.Title, in.Origin) {
				switch {
				case in.Status == memory.GoalDone && g.Status.Open():
					in.Status, in.Progress = "", 1 // as far as the agent can tell; the person ends it
				case in.Status != "" && in.Status != g.Status, !g.Status.Open():
					return g, brain.PersonsOwn(goalDeed(in.Status), fmt.Sprintf("goal %q", scrub.Line(g.Title)))
				}
			}
			switch {
			case in.Status == memory.GoalIncubating && g.Status != memory.GoalIncubating:
				p, err := tx.Project(ctx, g.Project)
				if err = brain.IgnoreNotFound(err); err != nil {
					return g, err
				}
				if g, _, err = Incubate(g, p.Clock); err != nil {
					return g, err
				}
			case in.Status == memory.GoalActive && g.Status != memory.GoalActive: // it starts over, and holds without a memory that was withdrawn
				if gone, err := withdrawn(ctx, tx, g); err != nil {
					return g, err
				} else if gone {
					g.Links.Crystals = nil
				}
				if g.Status == memory.GoalDone {
					g.Progress = 0
				}
				g = Wake(g)
				if g.TouchedAt = tx.Now; brain.ByUser(in.Origin) {
					g.MentionedAt = tx.Now
				}
			default:
				g.Status = cmp.Or(in.Status, g.Status)
			}
			if in.Progress >= 0 && in.Progress < 1 && in.Status == "" && g.Status == memory.GoalDone {
				g.Status = memory.GoalActive // it was not done after all
			}
			if in.Progress >= 0 {
				g = Worked(g, in.Progress > g.Progress, tx.Now)
				g.Progress = in.Progress
			}
			if g.Status == memory.GoalDone {
				g.Progress, g.TouchedAt = 1, tx.Now
			}
			if !g.Status.Open() && cmp.Or(in.Origin, memory.OriginUser) == memory.OriginUser {
				return g, end(ctx, tx, g)
			}
			return g, store.Goals.Keep(ctx, tx, g)
		})
	},
}, nil)

// goalDeed is what setting a status does to a goal.
func goalDeed(s memory.GoalStatus) string {
	switch s {
	case memory.GoalDropped:
		return "drop"
	case memory.GoalBlocked:
		return "block"
	case memory.GoalIncubating:
		return "pause"
	}
	return "reopen"
}

// findGoal finds a goal by its ID, the beginning of it, or words of its title.
func findGoal(ctx context.Context, tx *store.Tx, id memory.ProjectID, name string) (memory.Goal, error) {
	all, err := GoalsOf(ctx, tx, id, false)
	if err != nil {
		return memory.Goal{}, err
	}
	wanted := strings.ToLower(strings.TrimSpace(name))
	words := strings.Fields(wanted)
	var found []memory.Goal
	for _, g := range all {
		title := strings.ToLower(g.Title)
		if wanted != "" && (strings.HasPrefix(string(g.ID), wanted) || !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(title, w) })) {
			found = append(found, g)
		}
	}
	// The whole title is meant before a part of one, an open goal before those that are closed.
	for _, meant := range []func(memory.Goal) bool{
		func(g memory.Goal) bool { return strings.ToLower(g.Title) == wanted }, func(g memory.Goal) bool { return g.Status.Open() },
	} {
		if some := slices.DeleteFunc(slices.Clone(found), func(g memory.Goal) bool { return !meant(g) }); len(some) > 0 {
			found = some
		}
	}
	switch len(found) {
	case 0:
		return memory.Goal{}, fmt.Errorf("goal %q (hebb goals lists them): %w", scrub.Line(name), memory.ErrNotFound)
	case 1:
		return found[0], nil
	}
	return memory.Goal{}, fmt.Errorf("goal %q could be %q or %q: say more of it, or its ID: %w", scrub.Line(name), found[0].Title, found[1].Title, memory.ErrConflict)
}

// NextResult answers "what should I do now".
type NextResult struct {
	Next     []Ranked       `json:"next"`
	Wanted   bool           `json:"wanted"`             // there are goals at all
	Resting  []string       `json:"resting,omitempty"`  // what to do about goals that rest too long
	Thoughts []Recollection `json:"thoughts,omitempty"` // connections that nobody has judged yet
	Left     string         `json:"left,omitempty"`     // by the last session
}

// NextUp answers "what should I do now", with reasons.
var NextUp = brain.Operation[brain.ListInput, NextResult]{
	Name: "next",
	Run: func(ctx context.Context, b *brain.Brain, in brain.ListInput) (NextResult, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (out NextResult, err error) {
			id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
			if err != nil {
				return out, err
			}
			all, err0 := GoalsOf(ctx, tx, id, true)
			all = slices.DeleteFunc(all, OnlyHeard)
			out.Next, out.Wanted = append([]Ranked{}, Direct(Order(all, tx.Now))...), len(all) > 0
			if in.Limit > 0 {
				out.Next = out.Next[:min(len(out.Next), in.Limit)]
			}
			p, err1 := tx.Project(ctx, id)
			for _, g := range all {
				if line := Incubation(g, p.Clock); line != "" {
					out.Resting = append(out.Resting, line)
				}
			}
			thoughts, err2 := Recollections(ctx, b.Config, tx, id, all)
			last, err3 := tx.ShelvedSessions(ctx, id, 1)
			if out.Thoughts = thoughts; len(last) > 0 {
				out.Left = prose.SaidBy(last[0].SummaryBy, prose.Below("next", last[0].Next))
			}
			return out, errors.Join(err0, brain.IgnoreNotFound(err1), err2, err3)
		})
	},
}
