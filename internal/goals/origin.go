package goals

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goal"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// madeFrom reports whether hebb made a goal of what a memory says. A goal that somebody set is not, even if it is linked to the memory.
func madeFrom(g memory.Goal, c memory.Crystal) bool {
	made, ok := goal.NewCandidate(c.Text, goalTerms)
	return ok && g.From != 0 && g.Title == made.Title && slices.Contains(g.Links.Crystals, c.ID)
}

// goalsIn are the goals of some projects, by project and ID. One that was made of a memory which was rejected or superseded since counts as
// dropped, unless another memory that says the same still holds; it comes back if the memory does.
func goalsIn(ctx context.Context, tx *store.Tx, open bool, projects ...memory.ProjectID) ([]memory.Goal, error) {
	all, err := tx.Goals(ctx, open, projects...)
	if err != nil {
		return nil, err
	}
	kept := all[:0]
	for _, g := range all {
		if g.Status.Open() {
			gone, err := withdrawn(ctx, tx, g)
			if err != nil {
				return nil, err
			}
			if gone {
				g.Status = memory.GoalDropped
			}
		}
		if g.Status.Open() || !open {
			kept = append(kept, g)
		}
	}
	return kept, nil
}

// withdrawn reports whether a goal was made of a memory that no longer holds, and no other memory that it is linked to does.
func withdrawn(ctx context.Context, tx *store.Tx, g memory.Goal) (gone bool, err error) {
	if g.From == 0 {
		return false, nil
	}
	for _, id := range g.Links.Crystals {
		c, err := tx.Crystal(ctx, id)
		switch {
		case brain.IsNotFound(err):
		case err != nil:
			return false, err
		case c.ValidTo.IsZero():
			return false, nil
		case madeFrom(g, c.Crystal):
			gone = true
		}
	}
	return gone, nil
}

// ForgetCrystal takes out of the goals what they have of a memory that is forgotten: its words and the link. Goals that were made of
// nothing else are deleted.
func ForgetCrystal(ctx context.Context, tx *store.Tx, c memory.Crystal) error {
	projects := []memory.ProjectID{0}
	if c.Project != 0 {
		projects = append(projects, c.Project)
	} else {
		all, err := tx.Projects(ctx)
		if err != nil {
			return err
		}
		for _, p := range all {
			projects = append(projects, p.ID)
		}
	}
	all, err := tx.Goals(ctx, false, projects...)
	for _, g := range all {
		if !slices.Contains(g.Links.Crystals, c.ID) {
			continue
		}
		if left, ok := withoutCrystal(g, c); ok {
			err = errors.Join(err, tx.SaveGoal(ctx, left))
		} else {
			err = errors.Join(err, tx.DeleteGoal(ctx, g.ID))
		}
	}
	return err
}

// withoutCrystal is a goal without what it has of a memory. It is false if nothing is left of it.
func withoutCrystal(g memory.Goal, c memory.Crystal) (memory.Goal, bool) {
	made := madeFrom(g, c)
	g.Links.Crystals = slices.DeleteFunc(slices.Clone(g.Links.Crystals), func(id memory.CrystalID) bool { return id == c.ID })
	words := strings.TrimSpace(c.Text)
	rest := strings.TrimSpace(strings.Replace("\n"+g.Text+"\n", "\n"+words+"\n", "\n", 1)) // keepGoal adds whole lines
	if rest == g.Text && !made {
		return g, true
	}
	if g.Text = rest; made { // it is named after what is left
		next, ok := goal.NewCandidate(rest, goalTerms)
		if !ok {
			return g, false
		}
		g.Title = next.Title
	}
	g.Concepts = goal.About(g.Title, g.Text, goalTerms)
	return g, true
}
