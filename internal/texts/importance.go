package texts

import (
	"math"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Importance of crystals, as designed where nothing else is said.
const (
	useRate         = 0.2 // how fast uses fill it: 0.18 without any, 0.7 after five
	spacingGain     = 0.3 // added by uses far apart,
	spacingHours    = 720 // which a mean of a month is
	openFloor       = 2.0 // times the limit of forgetting: the least importance of an open loop
	resistance      = 0.5 // share of fading that the strongest valence prevents
	consolidateUses = 3   // once or twice is chance
	fadingDoubt     = 4.0 // times 1 less the probability: 1 at 0.75
)

// ConsolidateAge is the age from which on a text that was used can be consolidated: it has outlived its first weeks.
const ConsolidateAge = 14 * 24 * time.Hour

// ConfirmGain is what a confirmation adds until importance is next computed: reconsolidation as designed.
const ConfirmGain = 0.05

// Importance is 0 to 1: strength of the kind × how filled by use × what fading has left × how far apart the uses were.
// A fact without a use has 0.1813, after 14 days 0.0990; with five uses, 60 days after the last, 0.0523. An open loop
// (a goal not reached, a question not answered) keeps a floor.
func (r Rules) Importance(c memory.Crystal, open bool, now time.Time) float64 {
	importance := full(c) * r.left(c, now)
	if open {
		importance = max(importance, openFloor*r.t.ForgetBelow)
	}
	return min(importance, 1)
}

// full is the importance of a crystal that has not faded, which may be above 1.
func full(c memory.Crystal) float64 {
	filled := 1 - math.Exp(-useRate*(float64(max(c.Accesses, 0))+1))
	return c.Kind.Row().Strength * filled * (1 + spacingGain*Spacing(c.GapHours))
}

// Spacing is how far apart uses are, 0 to 1: 0.4891 for a day, 1 for a month. Learning that is spread lasts longer.
func Spacing(gapHours float64) float64 {
	if !(gapHours > 0) { // NaN too
		return 0
	}
	return min(math.Log(gapHours+1)/math.Log(spacingHours+1), 1)
}

// left is what fading has left since the last use. A clock that went backwards takes nothing.
func (r Rules) left(c memory.Crystal, now time.Time) float64 {
	return math.Exp(-r.perDay(c) * max(now.Sub(since(c)).Hours()/24, 0))
}

// since is when a crystal was last used or said.
func since(c memory.Crystal) time.Time {
	if c.LastAt.Before(c.SaidAt) {
		return c.SaidAt
	}
	return c.LastAt
}

// Now is a moment as a crystal sees it, whose time goes on with days of work only: since it was used or said last, or since an agent
// was told it. Being told and not contradicted is use for what says how to work.
func Now(c memory.Crystal, told time.Time, days memory.WorkDays, now time.Time) time.Time {
	from := since(c)
	if obeyed(c) && told.After(from) {
		from = told
	}
	return since(c).Add(days.Age(from, now))
}

// obeyed says whether a crystal says how to work or what was learned, and nothing contradicts it.
func obeyed(c memory.Crystal) bool {
	if c.Line != nil { // each start tells it
		return c.ValidTo.IsZero()
	}
	switch c.Kind {
	case memory.Rule, memory.Preference, memory.Correction, memory.Decision, memory.Procedure:
		return !c.Unsure && c.ValidTo.IsZero()
	}
	return false
}

// perDay is the rate at which a crystal fades.
func (r Rules) perDay(c memory.Crystal) float64 {
	feeling := min(math.Abs(c.Valence), 1)
	if math.IsNaN(feeling) {
		feeling = 0
	}
	return r.t.FadePerDay * (1 - feeling*resistance) * fading(c)
}

// FadesAt is when a crystal expires if nobody uses it or says it again; the zero time for one that does not, or is history. A fact without a use
// fades 51 days of work after it was said.
func (r Rules) FadesAt(c memory.Crystal, open bool, now time.Time) time.Time {
	const never = 100 * 365 // days: no date that people read
	days := math.Log(full(c)/r.t.ForgetBelow) / r.perDay(c)
	if Immune(c) || open || !c.ValidTo.IsZero() || !(days < never) { // NaN too
		return time.Time{}
	}
	at := since(c).Add(time.Duration(max(days, 0) * 24 * float64(time.Hour)))
	if at.Before(now) {
		return now // with the next sleep
	}
	return at
}

// fading is how fast a statement heard in a prompt fades, against any other text: the less sure it is that it holds beyond its task,
// the faster. Rules last longest. Without being said, told or used again, a decision heard with a probability of 0.6 expires after 67 days of
// work, a rule heard with 0.9 after 552.
func fading(c memory.Crystal) float64 {
	if c.Heard <= 0 {
		return 1
	}
	return fadingDoubt * (1 - min(c.Heard, 1)) * c.Kind.Row().Lasting
}

// Immune reports whether a crystal never expires: skills, what is frozen (a pin is), what is out of sight already, and what a person asked
// to remember, which is theirs to take back. What waits for a yes that never comes expires.
func Immune(c memory.Crystal) bool {
	asked := c.Origin == memory.OriginUser && c.Heard == 0 && c.Lifecycle != memory.Waiting
	return asked || c.Kind == memory.Skill || c.Lifecycle == memory.Frozen || !c.Lifecycle.Living() && c.Lifecycle != memory.Waiting
}

// Forget reports whether a crystal should expire.
func (r Rules) Forget(c memory.Crystal, open bool, now time.Time) bool {
	return !Immune(c) && r.Importance(c, open, now) < r.t.ForgetBelow
}

// Refresh computes importance and lifecycle as of now. Sleep calls it for every crystal; calling it twice changes nothing.
func (r Rules) Refresh(c memory.Crystal, open bool, now time.Time) memory.Crystal {
	c.Importance = r.Importance(c, open, now)
	if r.Forget(c, open, now) {
		c.Lifecycle = memory.Expired
		return c
	}
	c.Lifecycle = grown(c, now)
	return c
}

// grown is the lifecycle a crystal has earned. Nothing goes back, and what is archived, expired or frozen stays.
func grown(c memory.Crystal, now time.Time) memory.Lifecycle {
	switch {
	case c.Lifecycle != memory.Generated && c.Lifecycle != memory.Activated:
		return c.Lifecycle
	case c.Accesses >= int64(consolidateUses) && now.Sub(c.SaidAt) >= ConsolidateAge:
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
	c.Lifecycle = grown(c, now)
	c.Importance = r.Importance(c, open, now)
	return c
}

// HeardAgain is the probability of a statement after it was heard once more, 0 (certain) if it was stated deliberately either time.
func HeardAgain(before, now float64) float64 {
	if before == 0 || now == 0 {
		return 0
	}
	return 1 - (1-before)*(1-now)
}

// Confirm is a crystal that proved right after it was used: a little more important until it is next computed, and no
// longer in doubt.
func Confirm(c memory.Crystal) memory.Crystal {
	c.Importance = min(c.Importance+ConfirmGain, 1)
	c.Unsure = false
	return c
}
