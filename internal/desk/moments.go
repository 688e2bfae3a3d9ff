package desk

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	momentsMost = 3 // frictions of a dream, and breakthroughs
	skillsMost  = 5
	skillUses   = 2 // of something done again and again
	commitsMost = 3
	commitsWeek = 7 * 24 * time.Hour
	momentFelt  = 0.2 // valence of a breakthrough or friction; a reward is 0.3
)

// Moments adds to the material of a dream what moved somebody, what is done again and again, and what was committed lately.
func Moments(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, kept []store.Kept, m *dream.Material) error {
	since := tx.Now.Add(-dream.FadeAfter)
	shown := map[bool]int{}  // by whether it was a friction
	for _, c := range kept { // the latest said first
		lives := c.Lifecycle.Living() && brain.BySomebody(c.Origin)
		if lives && c.SaidAt.After(since) && math.Abs(c.Valence) >= momentFelt {
			friction := c.Valence < 0
			if shown[friction]++; shown[friction] <= momentsMost {
				m.Moments = append(m.Moments, dream.Moment{Text: c.Text, At: c.SaidAt, Origin: c.Origin, Crystal: c.ID, Friction: friction})
			}
		}
		switch c.Kind {
		case memory.Skill, memory.TaskPattern, memory.Procedure:
			if lives && c.Accesses >= skillUses && len(m.Skills) < skillsMost {
				name, _, _ := strings.Cut(strings.TrimSpace(c.Text), "\n")
				m.Skills = append(m.Skills, dream.Evidence{Name: scrub.Line(name), Times: int(c.Accesses), Confidence: min(c.Importance, 1), Origin: c.Origin})
			}
		}
	}
	if id == 0 {
		return nil
	}
	return tx.WalkCommits(ctx, id, time.Time{}, func(c store.Commit) bool {
		subject, _, _ := strings.Cut(c.Subject, "\n")
		if subject = scrub.Quote(scrub.Line(subject)); len(m.Commits.Subjects) < commitsMost && !slices.Contains(m.Commits.Subjects, subject) {
			m.Commits.Subjects = append(m.Commits.Subjects, subject)
		}
		lately := tx.Now.Sub(c.At) < commitsWeek
		if lately {
			m.Commits.Week++
		}
		return lately || len(m.Commits.Subjects) < commitsMost
	})
}
