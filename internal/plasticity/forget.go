package plasticity

import (
	"math"
	"time"
)

// Reason says why something was forgotten.
type Reason string

const (
	Dead      Reason = "dead"      // hardly anything is left of the link
	Noise     Reason = "noise"     // weak, and met by chance
	Abandoned Reason = "abandoned" // not strong, and not met for long
	Bridge    Reason = "bridge"    // weak, rarely met, and one end is cold
	Deleted   Reason = "deleted"   // one end is gone from the project
	Lone      Reason = "lone"      // a thing without links, rarely touched, long ago
)

// End is one end of a link, as far as forgetting asks.
type End struct {
	Myelin, Activation Stored
	Error              bool
	Gone               bool
}

// Doomed says whether a link is to be forgotten, and why. Time before the last meeting dooms nothing: a clock that was set
// back does no harm. What mended an error is worth keeping however rarely the error comes: only death takes it.
func (r Rules) Doomed(l Link, a, b End, now time.Time) (Reason, bool) {
	t := r.sleep
	weight, idle := r.strength(l, now), now.Sub(l.LastAt)
	switch {
	case idle <= 0:
		return "", false
	case weight < t.DeadWeight && idle > t.DeadIdle:
		return Dead, true
	case a.Error || b.Error:
		return "", false
	case (a.Gone || b.Gone) && idle > t.DeadIdle:
		return Deleted, true
	case weight < t.NoiseWeight && l.CoAccesses <= int64(t.NoiseMet) && idle > t.NoiseIdle:
		return Noise, true
	case weight < t.AbandonedWeight && idle > r.patience(l):
		return Abandoned, true
	case r.bridge(l, weight, a, b, now) < t.DeadWeight:
		return Bridge, true
	}
	return "", false
}

// patience is how long a link that is not strong waits to be met again: longer if more than one session has met it.
func (r Rules) patience(l Link) time.Duration {
	if l.CoSessions >= int64(r.sleep.AbandonedSessions) {
		return max(r.sleep.AbandonedIdle, r.sleep.AbandonedKept)
	}
	return r.sleep.AbandonedIdle
}

// strength is the weight of the stronger direction.
func (r Rules) strength(l Link, now time.Time) float64 {
	return r.Weight.Value(max(l.AB, l.BA), Days(now))
}

// bridge is what is left of a link to something cold. Such a link loses a fifth with every day since it was met, besides
// fading. That is reckoned, not written: no row changes until it goes.
func (r Rules) bridge(l Link, weight float64, a, b End, now time.Time) float64 {
	t := r.sleep
	if weight >= t.BridgeWeight || l.CoAccesses > int64(t.BridgeMet) || !r.cold(a, now) && !r.cold(b, now) {
		return 1
	}
	return weight * math.Pow(t.BridgePerDay, Days(now)-Days(l.LastAt))
}

// Bridged says whether a link is a bridge of noise on its way out.
func (r Rules) Bridged(l Link, a, b End, now time.Time) bool {
	weight := r.strength(l, now)
	return r.bridge(l, weight, a, b, now) < weight
}

// cold things were not touched of late and never mattered.
func (r Rules) cold(e End, now time.Time) bool {
	day := Days(now)
	return r.Activation.Value(e.Activation, day) < r.sleep.BridgeActivation && r.Myelin.Value(e.Myelin, day) < r.sleep.BridgeMyelin
}

// Suspect bounds what can be doomed, in numbers a database compares with: nothing stronger, met later or more often, is.
// A link both of whose ends are there and that is no error's goes only if it is weaker than Strength and either was met
// at most Met times or last before Abandoned, or is weaker than Dead.
type Suspect struct {
	Strength, Dead Stored
	Met            int64
	Before         time.Time // met last before this
	Abandoned      time.Time
	Deleted        time.Time // links of things that are gone go if met last before this
}

// Suspects bounds what Doomed will say at a moment.
func (r Rules) Suspects(now time.Time) Suspect {
	t, day := r.sleep, Days(now)
	return Suspect{
		Strength: r.Weight.Threshold(max(t.DeadWeight, t.NoiseWeight, t.AbandonedWeight, t.BridgeWeight), day),
		Dead:     r.Weight.Threshold(t.DeadWeight, day), Met: int64(max(t.NoiseMet, t.BridgeMet)),
		Before: now, Abandoned: now.Add(-t.AbandonedIdle), Deleted: now.Add(-t.DeadIdle),
	}
}

// Forgettable says whether a thing without links is to be forgotten: it was hardly ever touched, and not of late.
func (r Rules) Forgettable(e End, links, accesses int64, now time.Time) bool {
	t, day := r.sleep, Days(now)
	return links == 0 && accesses < int64(t.LoneAccesses) && r.Myelin.Value(e.Myelin, day) < t.LoneMyelin &&
		r.Activation.Value(e.Activation, day) < t.LoneActivation
}

// TooMuch says whether a sleep that would forget so much of a graph has to wait.
func (r Rules) TooMuch(doomed, all int64) bool {
	return doomed > int64(r.sleep.MassLeast) && float64(doomed) > r.sleep.MassShare*float64(all)
}
