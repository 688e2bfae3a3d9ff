// Package plasticity says how links between things grow, shrink and fade, and how a thing that is met often becomes a
// habit (myelin). It is arithmetic on what it is given: no database, no file, no clock. Weights lie in 0..1, myelin in
// 0..0.95; time is an argument, and every number comes from tuning.
//
// What fades is kept in a form that needs no job to fade (Fading). What is learned from two things met together is one
// pure function (Rules.Step) over what a store row holds (Link).
package plasticity

import (
	"math"

	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	snapMidpoint  = 0.5  // weight at which a link learns with half its rate (the middle of the range)
	myelinRate    = 0.02 // what the second access of a neuron adds to its myelin; later ones add less (0.09 after ten accesses, 0.31 after a hundred)
	myelinMax     = 0.95 // the most myelin a neuron can have (nothing is ever certain)
	myelinFloor   = 0.1  // share of myelin_rate that an access adds however many there were (reached at a hundred accesses)
	ignoreBase    = 0.1  // share of its weight a link loses at the first ignored suggestion; the next in a row takes more (0.6 becomes 0.54, then 0.44, then 0.32)
	ignoreFloor   = 0.1  // being ignored takes no link below this (what was learned can be found again)
	resolveWeight = 0.85 // share of the way to 1 that a link goes from an error to the file that fixed it (a fix is known to belong to its error)
	gitSeedBase   = 0.05 // weight a pair of files gets from history, however rare (just enough not to be pruned)
	gitSeedSpan   = 0.9  // what the pair that changed together most often gets beyond git_seed_base (history alone never makes a link certain)
)

// Rules are the formulas with their numbers.
type Rules struct {
	// Weight, Myelin and Activation fade by the day of work; moments are given in Days of the calendar.
	Weight, Myelin, Activation Fading
	// Worked are the days of work by which the time is told since something was met last.
	Worked memory.WorkDays

	params Params
}

// Params are the numbers that tests and comparisons change. The others are constants beside their formulas.
type Params struct {
	Rates          Rates
	SnapSteepness  float64 // how sharply a link stops learning around the midpoint
	CaptureWeight  float64 // a new link met again within CaptureWindow, in another event, is lifted to this
	SessionCap     float64 // one session moves a link by at most this beyond the free weight
	DayCap         float64 // one day (UTC) likewise, over all its sessions
	BusyTimes      float64 // a file with this many times the usual accesses is hyperactive
	RareMyelin     float64 // an underactive file with more myelin is boosted
	ReviewMyelin   float64 // files with more myelin are reviewed
	ReplayAccesses int     // a session with fewer accesses is not replayed
	PairSessions   int     // sessions two files must share to be found to belong together
	OrderTimes     int     // times a file must come after another to be a direction
}

// Default returns the numbers that hebb uses.
func Default() Params {
	return Params{
		Rates:         Rates{Weight: 0.98, Myelin: 0.995, Activation: 0.85}, // half-lives of 34, 138 and 4 days
		SnapSteepness: 8,                                                    // a weight of 0.1 learns with 96 %, one of 0.8 with 8 %
		CaptureWeight: 0.3,                                                  // what a link needs to be followed
		SessionCap:    0.2,                                                  // a flooded session must not decide what is remembered
		DayCap:        0.4,                                                  // two full sessions: opening more must not get around the cap
		BusyTimes:     3, RareMyelin: 0.05,                                  // homeostasis of the design
		ReviewMyelin: 0.05, ReplayAccesses: 5, PairSessions: 3, OrderTimes: 5, // consolidation of the design
	}
}

// Rates are what a day leaves of each quantity.
type Rates struct{ Weight, Myelin, Activation float64 }

// Balance is what a store says about all it keeps: what homeostasis has scaled all weights and all myelin by so far, the
// rates under which they were written, and the clock by which they fade. Zero rates are those of the numbers in use.
type Balance struct {
	Weight, Myelin Stored
	Rates          Rates
	Clock          memory.Clock
}

// NewRules binds the formulas to one set of numbers, and to the state of balance.
func NewRules(p Params, b Balance) Rules {
	rates := b.Rates
	if rates == (Rates{}) {
		rates = p.Rates
	}
	return Rules{
		Weight:     NewFading(rates.Weight, 1).Registered(b.Weight).timed(b.Clock),
		Myelin:     NewFading(rates.Myelin, myelinMax).Registered(b.Myelin).timed(b.Clock),
		Activation: NewFading(rates.Activation, 1).timed(b.Clock),
		params:     p,
	}
}

// Snap is the share of a change that a link of this weight accepts (a sigmoid): 0.96 at 0.1, 0.5 at 0.5, 0.08 at 0.8.
// Weak links learn fast, strong ones stay what they are.
func (r Rules) Snap(weight float64) float64 {
	return 1 / (1 + math.Exp(r.params.SnapSteepness*(weight-snapMidpoint)))
}

// MyelinGain is what one more access adds to a neuron's myelin. The first adds nothing, the second 0.02, later ones
// ever less, so that ten accesses give 0.09 and a hundred 0.31.
func (r Rules) MyelinGain(myelin float64, accessesBefore int64) float64 {
	room := myelinMax - myelin
	if accessesBefore < 1 || room <= 0 {
		return 0
	}
	share := max(1/math.Sqrt(float64(accessesBefore)), myelinFloor)
	return min(myelinRate*share*room/myelinMax, room)
}

// GitSeed is the weight of two files that changed together in count commits, where the most frequent pair of the same
// history did so in most: 0.32 for 3 of 10, 0.95 for 10 of 10.
func GitSeed(count, most int) float64 {
	if count < 1 || most < 1 {
		return 0
	}
	return gitSeedBase + gitSeedSpan*min(1, float64(count)/float64(most))
}

// Ignored is the weight of a link after one more suggestion along it was passed over, the streak-th in a row: 0.6 becomes 0.54, then
// 0.4374. A link that is weaker than the floor is not lifted by being ignored.
func (r Rules) Ignored(weight float64, streak int) float64 {
	return min(weight, max(weight*math.Pow(1-ignoreBase, float64(streak)), ignoreFloor))
}

// Recovered is the weight of what was ignored after it was used, whether or not it was suggested: 0.4374 becomes 0.9156, and 1 with
// the third use.
func (r Rules) Recovered(weight float64) float64 {
	if weight += resolveWeight * (1 - weight); weight > 0.99 {
		return 1
	}
	return weight
}

// Resolved is the weight between an error and the file that fixed it: 0.85 the first time, 0.9775 the second.
func (r Rules) Resolved(weight float64) float64 {
	return weight + resolveWeight*(1-weight)
}
