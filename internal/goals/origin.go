package goals

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// stepAge is how many days of work a step counts that was put off and that nobody has spoken of or worked on since; by then its priority is
// nearly none. One that an agent left counts two weeks: its priority is a seventh by then.
const (
	stepAge     = 60 * day
	leftStepAge = 14 * day
)

// goalsIn are the goals of some projects, by project and ID. A step that is too old counts as dropped, and so does a goal that was made of
// a memory which was rejected or superseded since, unless another memory that says the same still holds; it comes back if the memory does.
func goalsIn(ctx context.Context, tx *store.Tx, open bool, projects ...memory.ProjectID) (kept []memory.Goal, err error) {
	all, err := tx.Goals(ctx, open, projects...)
	worked := map[memory.ProjectID]memory.WorkDays{}
	age := func(g memory.Goal, last time.Time, most time.Duration) (time.Duration, error) {
		days, known := worked[g.Project]
		if tx.Now.Sub(last) <= most { // it cannot be older in days of work
			return 0, nil
		}
		if !known {
			if days, err = tx.WorkDays(ctx, g.Project); err != nil {
				return 0, err
			}
			worked[g.Project] = days
		}
		return days.Age(last, tx.Now), nil
	}
	for _, g := range all {
		if g.Status.Open() {
			gone, failed := withdrawn(ctx, tx, g)
			last := slices.MaxFunc([]time.Time{g.CreatedAt, g.TouchedAt, g.MentionedAt}, time.Time.Compare)
			old, most, failed2 := time.Duration(0), stepAge, error(nil)
			if OnlyLeft(g) {
				most = leftStepAge
			}
			if g.Kind == memory.GoalNext {
				old, failed2 = age(g, last, most)
			}
			if err = errors.Join(err, failed, failed2); gone || old > most {
				g.Status = memory.GoalDropped
			}
		}
		if g.Status.Open() || !open {
			kept = append(kept, g)
		}
	}
	return kept, err
}

// end keeps a goal that is done or dropped. What the person said of it in a prompt holds no longer.
func end(ctx context.Context, tx *store.Tx, g memory.Goal) error {
	err := store.Goals.Keep(ctx, tx, g)
	for _, id := range g.Links.Crystals {
		c, failed := tx.Crystal(ctx, id)
		if err = errors.Join(err, brain.IgnoreNotFound(failed)); failed == nil && c.Kind == memory.Intention && c.Heard > 0 && c.ValidTo.IsZero() {
			err = errors.Join(err, statements.EndCrystal(ctx, tx, c.Crystal, statements.TraceExpired, string(g.Status)))
		}
	}
	return err
}

// withdrawn reports whether a goal was made of memories none of which holds any more.
func withdrawn(ctx context.Context, tx *store.Tx, g memory.Goal) (gone bool, err error) {
	for _, id := range g.Links.Crystals {
		c, err := tx.Crystal(ctx, id)
		switch {
		case brain.IsNotFound(err): // it faded, and was not taken back
		case err != nil || c.ValidTo.IsZero():
			return false, err
		default:
			gone = g.From != 0
		}
	}
	return gone, nil
}

// ForgetCrystal takes out of the goals what they have of a memory that is forgotten: its words and the link; connections with it go. Goals that were made of
// nothing else are deleted.
func ForgetCrystal(ctx context.Context, tx *store.Tx, c memory.Crystal) error {
	projects := []memory.ProjectID{0}
	if c.Project != 0 {
		projects = append(projects, c.Project)
	}
	thoughts, err := tx.Thoughts(ctx, c.Project, time.Time{}, ThoughtsMost)
	for _, t := range thoughts {
		if slices.Contains(t.Keys, string(c.ID)) {
			err = errors.Join(err, tx.DeleteThought(ctx, t.ID))
		}
	}
	goals, failed := tx.Goals(ctx, false, projects...)
	err = errors.Join(err, failed)
	for _, g := range goals {
		if !slices.Contains(g.Links.Crystals, c.ID) {
			continue
		}
		g.Links.Crystals = slices.DeleteFunc(g.Links.Crystals, func(id memory.CrystalID) bool { return id == c.ID })
		g.Text = strings.TrimSpace(strings.Replace("\n"+g.Text+"\n", "\n"+strings.TrimSpace(c.Text)+"\n", "\n", 1)) // keepGoal adds whole lines
		if left, ok := Step(g.Text, goalTerms); ok && g.From != 0 {
			g.Title = left.Title // it is named after what is left
		} else if g.From != 0 {
			err = errors.Join(err, tx.Drop(ctx, memory.CrystalID(g.ID)))
			continue
		}
		g.Concepts = About(g.Title, g.Text, goalTerms)
		err = errors.Join(err, store.Goals.Keep(ctx, tx, g))
	}
	return err
}
