package state

import (
	"math"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	momentsMost = 3 // frictions of a dream, and breakthroughs
	skillsMost  = 5
	skillUses   = 2   // of something done again and again
	momentFelt  = 0.2 // valence of a breakthrough or friction; a reward is 0.3
)

// Moments adds to the material of a dream what moved somebody and what is done again and again.
func Moments(now time.Time, kept []store.Kept, m *Material) {
	since := m.Worked.Back(FadeAfter, now)
	shown := map[bool]int{}  // by whether it was a friction
	for _, c := range kept { // the latest said first
		lives := c.Lifecycle.Living() && brain.BySomebody(c.Origin)
		if lives && c.SaidAt.After(since) && math.Abs(c.Valence) >= momentFelt {
			friction := c.Valence < 0
			if shown[friction]++; shown[friction] <= momentsMost {
				m.Moments = append(m.Moments, Moment{Text: c.Text, At: c.SaidAt, Origin: c.Origin, Crystal: c.ID, Friction: friction})
			}
		}
		switch c.Kind {
		case memory.Skill, memory.TaskPattern, memory.Procedure:
			if lives && c.Accesses >= skillUses && len(m.Skills) < skillsMost {
				name, _, _ := strings.Cut(strings.TrimSpace(c.Text), "\n")
				m.Skills = append(m.Skills, Evidence{Name: scrub.Line(name), Times: int(c.Accesses), Confidence: min(c.Importance, 1), Origin: c.Origin})
			}
		}
	}
}
