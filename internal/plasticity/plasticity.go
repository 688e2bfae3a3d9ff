// Package plasticity says how links between things grow, shrink and fade, and how a thing that is met often becomes a
// habit (myelin). It is arithmetic on what it is given: no database, no file, no clock. Weights lie in 0..1, myelin in
// 0..0.95; time is an argument, and every number comes from tuning.
//
// What fades is kept in a form that needs no job to fade (Fading). What is learned from two things met together is one
// pure function (Rules.Step) over what a store row holds (Link).
package plasticity

import (
	"math"

	"github.com/hebb-memory/hebb/internal/tuning"
)

// Rules are the formulas with their numbers.
type Rules struct {
	// Weight, Myelin and Activation fade by the day; Days is their clock.
	Weight, Myelin, Activation Fading

	t     tuning.Plasticity
	sleep tuning.Sleep
}

// Rates are what a day leaves of each quantity.
type Rates struct{ Weight, Myelin, Activation float64 }

// RatesOf are those of a set of numbers.
func RatesOf(p tuning.Plasticity) Rates {
	return Rates{Weight: p.WeightPerDay, Myelin: p.MyelinPerDay, Activation: p.ActivationPerDay}
}

// Balance is what a store says about all it keeps: what homeostasis has scaled all weights and all myelin by so far, and
// the rates under which they were written. Zero rates are those of the numbers in use.
type Balance struct {
	Weight, Myelin Stored
	Rates          Rates
}

// NewRules binds the formulas to one set of numbers, and to the state of balance.
func NewRules(t tuning.Tuning, b Balance) Rules {
	rates := b.Rates
	if rates == (Rates{}) {
		rates = RatesOf(t.Plasticity)
	}
	return Rules{
		Weight:     NewFading(rates.Weight, 1).Registered(b.Weight),
		Myelin:     NewFading(rates.Myelin, t.Plasticity.MyelinMax).Registered(b.Myelin),
		Activation: NewFading(rates.Activation, 1),
		t:          t.Plasticity, sleep: t.Sleep,
	}
}

// Snap is the share of a change that a link of this weight accepts (a sigmoid): 0.96 at 0.1, 0.5 at 0.5, 0.08 at 0.8.
// Weak links learn fast, strong ones stay what they are.
func (r Rules) Snap(weight float64) float64 {
	return 1 / (1 + math.Exp(r.t.SnapSteepness*(weight-r.t.SnapMidpoint)))
}

// MyelinGain is what one more access adds to a neuron's myelin. The first adds nothing, the second 0.02, later ones
// ever less, so that ten accesses give 0.09 and a hundred 0.31.
func (r Rules) MyelinGain(myelin float64, accessesBefore int64) float64 {
	room := r.t.MyelinMax - myelin
	if accessesBefore < 1 || room <= 0 {
		return 0
	}
	share := max(1/math.Sqrt(float64(accessesBefore)), r.t.MyelinFloor)
	return min(r.t.MyelinRate*share*room/r.t.MyelinMax, room)
}

// AccessesFor counts the accesses, one right after the other, that give a neuron this much myelin: 270 for 0.5. It is 0
// where patience does not last that long.
func (r Rules) AccessesFor(myelin float64) int64 {
	const patience = 1 << 16
	has := 0.0
	for n := int64(1); n < patience; n++ {
		if has += r.MyelinGain(has, n-1); has >= myelin {
			return n
		}
	}
	return 0
}

// Fan is the share of its activation a neuron with this many links passes along each: 0.5 with 4, and from 50 on 0.14.
func (r Rules) Fan(degree int) float64 {
	return 1 / math.Sqrt(float64(min(max(degree, 1), r.t.FanCap)))
}

// GitSeed is the weight of two files that changed together in count commits, where the most frequent pair of the same
// history did so in most: 0.32 for 3 of 10, 0.95 for 10 of 10.
func (r Rules) GitSeed(count, most int) float64 {
	if count < 1 || most < 1 {
		return 0
	}
	return r.t.GitSeedBase + r.t.GitSeedSpan*min(1, float64(count)/float64(most))
}

// Ignored is the weight of a link after one more suggestion along it was passed over, the streak-th in a row: 0.6
// becomes 0.54, then 0.4374. lost is the share that was really taken; Restore needs it, because at the floor it is
// smaller than the streak alone would say.
func (r Rules) Ignored(weight float64, streak int) (after, lost float64) {
	after = max(weight*math.Pow(1-r.t.IgnoreBase, float64(streak)), r.t.IgnoreFloor)
	if after >= weight {
		return weight, 0 // a link that is weaker than the floor is not lifted by being ignored
	}
	return after, 1 - after/weight
}

// Restore takes back the last penalty of a link whose suggestion was used after all. It works on the share lost, not
// on an amount, so it is right however much the link has faded since.
func (r Rules) Restore(weight, lost float64) float64 {
	return min(1, weight/(1-lost))
}

// Resolved is the weight between an error and the file that fixed it: 0.85 the first time, 0.9775 the second.
func (r Rules) Resolved(weight float64) float64 {
	return weight + r.t.ResolveWeight*(1-weight)
}
