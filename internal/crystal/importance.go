package crystal

import (
	"math"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Importance is 0 to 1: strength of the kind × how filled by use × what fading has left × how far apart the uses were.
// A fact without a use has 0.1813, after 14 days 0.0990; with five uses, 60 days after the last, 0.0523. An open loop
// (a goal not reached, a question not answered) keeps a floor.
func (r Rules) Importance(c memory.Crystal, open bool, now time.Time) float64 {
	uses := float64(max(c.Accesses, 0))
	filled := 1 - math.Exp(-r.t.UseRate*(uses+1))
	importance := r.strength(c.Kind) * filled * r.left(c, now) * (1 + r.t.SpacingGain*r.Spacing(c.GapHours))
	if open {
		importance = max(importance, r.t.OpenFloor*r.t.ForgetBelow)
	}
	return min(importance, 1)
}

// Spacing is how far apart uses are, 0 to 1: 0.4891 for a day, 1 for a month. Learning that is spread lasts longer.
func (r Rules) Spacing(gapHours float64) float64 {
	if !(gapHours > 0) { // NaN too
		return 0
	}
	return min(math.Log(gapHours+1)/math.Log(r.t.SpacingHours+1), 1)
}

func (r Rules) strength(kind memory.CrystalKind) float64 {
	switch kind {
	case memory.Preference, memory.Intention:
		return r.t.StrengthStrong
	case memory.Decision, memory.Lesson, memory.Procedure, memory.Insight, memory.TaskPattern, memory.Relationship:
		return r.t.StrengthLearned
	case memory.Episode:
		return r.t.StrengthEpisode
	default:
		return r.t.StrengthPlain
	}
}

// left is what fading has left since the last use. A clock that went backwards takes nothing.
func (r Rules) left(c memory.Crystal, now time.Time) float64 {
	since := c.LastAt
	if since.Before(c.SaidAt) {
		since = c.SaidAt
	}
	days := max(now.Sub(since).Hours()/24, 0)
	feeling := min(math.Abs(c.Valence), 1)
	if math.IsNaN(feeling) {
		feeling = 0
	}
	return math.Exp(-r.t.FadePerDay * (1 - feeling*r.t.Resistance) * days)
}

// Immune reports whether a crystal never expires: skills, what is frozen (a pin is), and what is out of sight already.
func Immune(c memory.Crystal) bool {
	return c.Kind == memory.Skill || c.Lifecycle == memory.Frozen || !c.Lifecycle.Living()
}

// Forget reports whether a crystal should expire.
func (r Rules) Forget(c memory.Crystal, open bool, now time.Time) bool {
	return !Immune(c) && r.Importance(c, open, now) < r.t.ForgetBelow
}

// Reckon brings importance and lifecycle up to now: what a sleep does to every crystal. Doing it twice changes nothing.
func (r Rules) Reckon(c memory.Crystal, open bool, now time.Time) memory.Crystal {
	c.Importance = r.Importance(c, open, now)
	if r.Forget(c, open, now) {
		c.Lifecycle = memory.Expired
		return c
	}
	c.Lifecycle = r.grown(c, now)
	return c
}

// grown is the lifecycle a crystal has earned. Nothing goes back, and what is archived, expired or frozen stays.
func (r Rules) grown(c memory.Crystal, now time.Time) memory.Lifecycle {
	switch {
	case c.Lifecycle != memory.Generated && c.Lifecycle != memory.Activated:
		return c.Lifecycle
	case c.Accesses >= int64(r.t.ConsolidateUses) && now.Sub(c.SaidAt) >= r.t.ConsolidateAge:
		return memory.Consolidated
	case c.Accesses > 0:
		return memory.Activated
	}
	return c.Lifecycle
}

// Use is the crystal after it has been used: shown and taken up, or asked for. An expired one comes back to life.
func (r Rules) Use(c memory.Crystal, open bool, now time.Time) memory.Crystal {
	c.Accesses = max(c.Accesses, 0)
	if gap := max(now.Sub(c.LastAt).Hours(), 0); c.Accesses > 0 && !c.LastAt.IsZero() {
		gaps := float64(c.Accesses) // this one included
		c.GapHours += (gap - c.GapHours) / gaps
	}
	c.Accesses++
	if now.After(c.LastAt) {
		c.LastAt = now
	}
	if c.Lifecycle == memory.Expired {
		c.Lifecycle = memory.Activated
	}
	c.Lifecycle = r.grown(c, now)
	c.Importance = r.Importance(c, open, now)
	return c
}

// Labile reports whether a crystal was used so lately that what happens now confirms or contradicts it.
func (r Rules) Labile(c memory.Crystal, now time.Time) bool {
	return c.Accesses > 0 && !now.Before(c.LastAt) && now.Sub(c.LastAt) <= r.t.Labile
}

// Confirm is a crystal that proved right after it was used: a little more important until it is next reckoned, and no
// longer in doubt.
func (r Rules) Confirm(c memory.Crystal) memory.Crystal {
	c.Importance = min(c.Importance+r.t.ConfirmGain, 1)
	c.Unsure = false
	return c
}
