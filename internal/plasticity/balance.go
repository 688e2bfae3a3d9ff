package plasticity

import (
	"math"
	"time"
)

// Source: homeostasis of the design.
const (
	busyFactor = 0.9   // what a day of use leaves of its myelin
	RareShare  = 0.333 // a file with less than this share of the usual accesses is underactive
	rareFactor = 1.05  // its myelin is lifted by this once, never above what it was at its last use
)

// Source: consolidation of the design.
const (
	ReviewAfter  = 24 * time.Hour     // first this long after their last use
	reviewUntil  = 7 * 24 * time.Hour // and last this long after it; later they are missed
	reviewShare  = 0.25               // what a review gives of what an access would, never above what it was at its last use
	missedFactor = 0.95               // what missing the reviews leaves of myelin, once
)

const ReviewsMost = 3 // reviews after one use (spaced: once a window, not once a sleep)

// Scale is what all weights, or all myelin, are multiplied by when their mean is above the target: 1 when it is not.
func Scale(mean, target float64) float64 {
	if mean <= target || math.IsNaN(mean) {
		return 1
	}
	return target / mean
}

// Balanced is the state of balance after scaling.
func (b Balance) Balanced(weight, myelin float64) Balance {
	b.Weight, b.Myelin = b.Weight+logarithm(weight), b.Myelin+logarithm(myelin)
	return b
}

// Habit is the myelin of a thing with what sleep must know of it.
type Habit struct {
	Myelin   Stored
	Peak     Stored // at its last use, as stored then: nothing but use brings it higher
	Accesses int64
	LastAt   time.Time // last used
	Reviews  int64     // since then; missed is one more than the most there can be
	Boosted  bool      // since then
	Damped   int64     // day on which it was damped last
}

// Review is what a sleep does to a habit that was not used for some days. Three reviews, days apart, refresh it a little
// while it is young; once it has missed them it loses a little more than fading takes. Each happens once, and none brings
// it above what it was at its last use.
func (r Rules) Review(h Habit, now time.Time) (after Habit, reviewed, missed bool) {
	t, day := r.params, Days(now)
	idle := r.Worked.Age(h.LastAt, now)
	myelin := r.Myelin.Value(h.Myelin, day)
	last := int64(ReviewsMost)
	switch {
	case myelin <= t.ReviewMyelin || idle < ReviewAfter || h.Reviews > last:
		return h, false, false
	case idle > reviewUntil:
		h.Myelin += logarithm(missedFactor)
		h.Reviews = last + 1
		return h, false, true
	case h.Reviews >= r.windows(idle):
		return h, false, false
	}
	h.Reviews = r.windows(idle)
	h.Myelin = r.bounded(h, myelin+reviewShare*r.MyelinGain(myelin, h.Accesses), day)
	return h, true, false
}

// windows counts the reviews that are due after so long: they are spread over the time there is for them, ever further
// apart (after 1, 1.9 and 3.7 days of 7).
func (r Rules) windows(idle time.Duration) int64 {
	due, at := int64(0), float64(ReviewAfter)
	step := math.Pow(float64(reviewUntil)/float64(max(ReviewAfter, 1)), 1/float64(max(ReviewsMost, 1)))
	for due < int64(ReviewsMost) && float64(idle) >= at {
		due++
		at *= step
	}
	return due
}

// bounded keeps myelin below what is stored for the habit's last use.
func (r Rules) bounded(h Habit, myelin, day float64) Stored {
	most := r.Myelin.Value(h.Peak, Days(h.LastAt))
	return max(h.Myelin, r.Myelin.Store(min(myelin, most), day))
}

// Steady evens out a habit: one used far more than usual loses a tenth with each day of use, a valuable one used far less
// is lifted once after its last use. A day after today on which it was damped is a clock's that was wrong.
func (r Rules) Steady(h Habit, usual float64, now time.Time) (after Habit, damped, boosted bool) {
	t, day := r.params, Days(now)
	today := int64(math.Floor(day))
	myelin := r.Myelin.Value(h.Myelin, day)
	switch {
	case float64(h.Accesses) > math.Ceil(t.BusyTimes*usual):
		used := int64(math.Floor(Days(h.LastAt)))
		if h.Damped == today || h.Damped < today && used <= h.Damped || myelin == 0 {
			return h, false, false
		}
		h.Myelin += logarithm(busyFactor)
		h.Damped = today
		return h, true, false
	case float64(h.Accesses) < math.Floor(RareShare*usual) && myelin > t.RareMyelin && !h.Boosted:
		lifted := r.bounded(h, myelin*rareFactor, day)
		if lifted == h.Myelin {
			return h, false, false
		}
		h.Myelin, h.Boosted = lifted, true
		return h, false, true
	}
	return h, false, false
}
