package plasticity

import (
	"math"
	"time"
)

// Source: tiers of forgetting of the design.
const (
	deadWeight       = 0.05                // a link weaker than this is dead
	deadIdle         = 7 * 24 * time.Hour  // a dead link not met for this long is forgotten
	noiseWeight      = 0.15                // a link weaker than this that was hardly met is noise
	noiseMet         = 1                   // meetings up to which a link was hardly met
	noiseIdle        = 3 * 24 * time.Hour  // noise not met for this long is forgotten
	abandonedWeight  = 0.3                 // a link weaker than this can be abandoned
	abandonedIdle    = 30 * 24 * time.Hour // an abandoned link not met for this long is forgotten
	bridgeWeight     = 0.3                 // a link weaker than this to something cold may be a bridge of noise
	bridgeMet        = 2                   // meetings up to which it is one
	bridgeActivation = 0.1                 // activation below which an end is cold
	bridgeMyelin     = 0.05                // and its myelin below this
	bridgePerDay     = 0.8                 // what a day leaves of a bridge of noise, besides fading, until it is dead
	LoneAccesses     = 3                   // a file or error without links and with fewer accesses can be forgotten
	LoneMyelin       = 0.05                // if its myelin is below this
	LoneActivation   = 0.01                // and its activation below this: about a month without an access
)

const (
	abandonedSessions = 2                   // a link that this many sessions have met waits longer (hebb-bench life)
	abandonedKept     = 60 * 24 * time.Hour // and is forgotten, if it is not strong, when it was not met for this long (hebb-bench life)
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

// Doomed says whether a link is to be forgotten, and why. Only days of work count since it was met last, and time before that
// dooms nothing: neither a long absence nor a wrong clock does harm. What fixed an error is worth keeping however rarely the error comes: only death takes it.
func (r Rules) Doomed(l Link, a, b End, now time.Time) (Reason, bool) {
	weight, idle := r.strength(l, now), r.Worked.Age(l.LastAt, now)
	switch {
	case idle <= 0:
		return "", false
	case weight < deadWeight && idle > deadIdle:
		return Dead, true
	case a.Error || b.Error:
		return "", false
	case (a.Gone || b.Gone) && idle > deadIdle:
		return Deleted, true
	case weight < noiseWeight && l.CoAccesses <= int64(noiseMet) && idle > noiseIdle:
		return Noise, true
	case weight < abandonedWeight && idle > r.patience(l):
		return Abandoned, true
	case r.bridge(l, weight, a, b, now) < deadWeight:
		return Bridge, true
	}
	return "", false
}

// patience is how long a link that is not strong waits to be met again: longer if more than one session has met it.
func (r Rules) patience(l Link) time.Duration {
	if l.CoSessions >= int64(abandonedSessions) {
		return max(abandonedIdle, abandonedKept)
	}
	return abandonedIdle
}

// strength is the weight of the stronger direction.
func (r Rules) strength(l Link, now time.Time) float64 {
	return r.Weight.Value(max(l.AB, l.BA), Days(now))
}

// bridge is what is left of a link to something cold. Such a link loses a fifth with every day since it was met, besides
// fading. That is computed, not written: no row changes until it goes.
func (r Rules) bridge(l Link, weight float64, a, b End, now time.Time) float64 {
	if weight >= bridgeWeight || l.CoAccesses > int64(bridgeMet) || !r.cold(a, now) && !r.cold(b, now) {
		return 1
	}
	return weight * math.Pow(bridgePerDay, r.Worked.Age(l.LastAt, now).Hours()/24)
}

// Bridged says whether a link is a bridge of noise on its way out.
func (r Rules) Bridged(l Link, a, b End, now time.Time) bool {
	weight := r.strength(l, now)
	return r.bridge(l, weight, a, b, now) < weight
}

// cold things were not touched of late and never mattered.
func (r Rules) cold(e End, now time.Time) bool {
	day := Days(now)
	return r.Activation.Value(e.Activation, day) < bridgeActivation && r.Myelin.Value(e.Myelin, day) < bridgeMyelin
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
	day := Days(now)
	return Suspect{
		Strength: r.Weight.Threshold(max(deadWeight, noiseWeight, abandonedWeight, bridgeWeight), day),
		Dead:     r.Weight.Threshold(deadWeight, day), Met: int64(max(noiseMet, bridgeMet)),
		Before: now, Abandoned: r.Worked.Back(abandonedIdle, now), Deleted: r.Worked.Back(deadIdle, now),
	}
}

// Forgettable says whether a thing without links is to be forgotten: it was hardly ever touched, and not of late.
func (r Rules) Forgettable(e End, links, accesses int64, now time.Time) bool {
	day := Days(now)
	return links == 0 && accesses < int64(LoneAccesses) && r.Myelin.Value(e.Myelin, day) < LoneMyelin &&
		r.Activation.Value(e.Activation, day) < LoneActivation
}
