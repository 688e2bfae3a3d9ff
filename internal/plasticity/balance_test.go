package plasticity

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// turned are the default rules after homeostasis has scaled all weights and all myelin.
func turned(weight, myelin float64) Rules {
	return NewRules(Default(), Balance{}.Balanced(weight, myelin))
}

func TestV14ScalingBringsTheMeanToItsTarget(t *testing.T) {
	for _, c := range []struct{ mean, target, want float64 }{
		{.3657, .35, .957}, {.7, .35, .5}, {.35, .35, 1}, {.2, .35, 1}, {0, .15, 1}, {math.NaN(), .15, 1},
	} {
		if got := Scale(c.mean, c.target); !near(got, c.want, 1e-4) {
			t.Errorf("a mean of %v and a target of %v: times %.4f, want %.4f", c.mean, c.target, got, c.want)
		}
	}
	if b := (Balance{Weight: -.5}).Balanced(1, 1); !reflect.DeepEqual(b, Balance{Weight: -.5}) {
		t.Errorf("scaling by 1 changed the balance to %+v", b)
	}
}

func TestScalingTouchesNoRowAndKeepsTheOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(35, 15))
	before, sum := defaultRules(), 0.0
	stored := make([]Stored, 2000)
	for i := range stored {
		stored[i] = before.Weight.Store(random.Float64(), today-random.Float64()*5)
		sum += before.Weight.Value(stored[i], today)
	}
	factor := Scale(sum/float64(len(stored)), .35)
	after, sum := turned(factor, 1), 0.0
	for i, s := range stored {
		for _, days := range []float64{0, 1, 300} {
			was, is := before.Weight.Value(s, today+days), after.Weight.Value(s, today+days)
			if !near(is, was*factor, 1e-12) || is < 0 || is > 1 {
				t.Fatalf("%v is %v after %v days, want %v", was, is, days, was*factor)
			}
		}
		other := stored[random.IntN(len(stored))]
		if was, is := before.Weight.Value(s, today) > before.Weight.Value(other, today), after.Weight.Value(s, today) > after.Weight.Value(other, today); was != is {
			t.Fatalf("link %d and another changed places", i)
		}
		sum += after.Weight.Value(s, today)
	}
	if mean := sum / float64(len(stored)); !near(mean, .35, 1e-9) {
		t.Errorf("the mean is %v after scaling", mean)
	}
	if got := after.Myelin.Value(before.Myelin.Store(.5, today), today); !near(got, .5, 1e-12) {
		t.Errorf("scaling weights made .5 of myelin %v", got)
	}
}

func TestV5AndV6HoldAfterARegisterWasTurned(t *testing.T) {
	r := turned(.957, .6)
	want := map[int64]float64{2: .02, 10: .09013, 100: .30706, 500: .67327}
	stored := Nothing
	for n := int64(1); n <= 500; n++ {
		myelin := r.Myelin.Value(stored, today)
		myelin += r.MyelinGain(myelin, n-1)
		stored = r.Myelin.Store(myelin, today)
		if w, listed := want[n]; listed && !near(r.Myelin.Value(stored, today), w, 1e-4) {
			t.Errorf("after %d accesses %.5f, want %.5f", n, r.Myelin.Value(stored, today), w)
		}
	}
	if ab, ba := weights(r, met(r, 14), start); !near(ab, .5, 1e-9) || !near(ba, .5, 1e-9) {
		t.Errorf("14 co-accesses in one session: %v and %v", ab, ba)
	}
	uncappedRules := NewRules(uncapped().params, Balance{}.Balanced(.5, 1))
	if ab, _ := weights(uncappedRules, met(uncappedRules, 2), start); !near(ab, .3, 1e-9) {
		t.Errorf("captured at %v, want .3", ab)
	}
}

func TestAStoreIsReadByTheRatesItWasWrittenUnder(t *testing.T) {
	r := NewRules(Default(), Balance{Rates: Rates{Weight: .5, Myelin: .25, Activation: .125}})
	for name, c := range map[string]struct {
		fading Fading
		want   float64
	}{"weight": {r.Weight, .4}, "myelin": {r.Myelin, .2}, "activation": {r.Activation, .1}} {
		if got := c.fading.Value(c.fading.Store(.8, today), today+1); !near(got, c.want, 1e-9) {
			t.Errorf("%s: .8 is %v a day later, want %v", name, got, c.want)
		}
	}
	if got, want := NewRules(Default(), Balance{Rates: Default().Rates}), defaultRules(); !reflect.DeepEqual(got, want) {
		t.Error("no rates are not those of the numbers in use")
	}
}

// habit was used last at start, so often, and had so much myelin then.
func habit(r Rules, myelin float64, accesses int64) Habit {
	stored := r.Myelin.Store(myelin, today)
	return Habit{Myelin: stored, Peak: stored, Accesses: accesses, LastAt: start}
}

func TestReviewsComeEverLaterAndAreMissedOnce(t *testing.T) {
	r := defaultRules()
	h := habit(r, .5, 270)
	for _, c := range []struct {
		hours            time.Duration
		reviewed, missed bool
		reviews          int64
	}{
		{-24, false, false, 0},
		{0, false, false, 0},
		{23, false, false, 0},
		{24, true, false, 1},
		{24, false, false, 1},
		{45, false, false, 1}, // 1.91 days
		{46, true, false, 2},
		{87, false, false, 2}, // 3.66 days
		{88, true, false, 3},
		{168, false, false, 3},
		{169, false, true, 4},
		{169, false, false, 4},
		{500, false, false, 4},
	} {
		now := start.Add(c.hours * time.Hour)
		before := r.Myelin.Value(h.Myelin, Days(now))
		after, reviewed, missed := r.Review(h, now)
		if reviewed != c.reviewed || missed != c.missed || after.Reviews != c.reviews {
			t.Errorf("after %d hours: reviewed %v, missed %v, %d reviews", c.hours, reviewed, missed, after.Reviews)
		}
		want := before
		if c.reviewed {
			want += .25 * r.MyelinGain(before, 270)
		}
		if c.missed {
			want *= .95
		}
		if got := r.Myelin.Value(after.Myelin, Days(now)); !near(got, want, 1e-12) {
			t.Errorf("after %d hours: %.6f became %.6f, want %.6f", c.hours, before, got, want)
		}
		h = after
	}
}

func TestAReviewMakesUpForThoseBeforeItAndHasABound(t *testing.T) {
	r := defaultRules()
	late, reviewed, _ := r.Review(habit(r, .5, 270), start.Add(5*oneDay))
	if !reviewed || late.Reviews != 3 {
		t.Errorf("the first sleep after five days: %v, %d reviews", reviewed, late.Reviews)
	}
	young, reviewed, _ := r.Review(habit(r, .06, 5), start.Add(oneDay))
	if got := r.Myelin.Value(young.Myelin, today+1); !reviewed || !near(got, .06, 1e-12) {
		t.Errorf("a young habit: %v, %v, want what it was at its last use", reviewed, got)
	}
	weak := habit(r, .05, 5)
	if after, reviewed, missed := r.Review(weak, start.Add(oneDay)); after != weak || reviewed || missed {
		t.Errorf("hardly a habit: %+v", after)
	}
}

func TestABusyHabitIsDampedOnEachDayOfUse(t *testing.T) {
	r := defaultRules()
	h := habit(r, .5, 30)
	if after, damped, boosted := r.Steady(h, 10, start); after != h || damped || boosted {
		t.Errorf("three times the usual: %+v", after)
	}
	h.Accesses = 31
	for _, c := range []struct {
		name       string
		used, days float64 // after start
		want       bool
	}{
		{"used today", 0, 0, true},
		{"the same again", 0, 0, false},
		{"used once more today", .5, .6, false},
		{"a day without use", .5, 1, false},
		{"used the next day", 1, 1, true},
		{"after a long rest", 1, 30, false},
		{"ten years back", 1, -years, true}, // its clock, or the one before, was wrong
		{"the same again, ten years back", 1, -years, false},
		{"back again, used since", 31, 31, true},
	} {
		h.LastAt = day(today + c.used)
		before := h.Myelin
		after, damped, _ := r.Steady(h, 10, day(today+c.days))
		want := before
		if c.want {
			want += logarithm(.9)
		}
		if damped != c.want || !near(float64(after.Myelin), float64(want), 1e-9) {
			t.Errorf("%s: damped %v, %v became %v", c.name, damped, before, after.Myelin)
		}
		h = after
	}
	h = Habit{Myelin: Nothing, Peak: Nothing, Accesses: 31, LastAt: start}
	if after, damped, _ := r.Steady(h, 10, start); after != h || damped {
		t.Errorf("nothing to damp: %+v", after)
	}
}

func TestARareHabitIsLiftedOnceAndNotAboveItsLastUse(t *testing.T) {
	r := defaultRules()
	for _, c := range []struct {
		name     string
		myelin   float64
		accesses int64
		days     float64
		want     float64 // 0: not lifted
	}{
		{"used just now", .2, 2, 0, 0},
		{"after five days, back to what it was", .2, 2, 5, .2},
		{"after thirty days, by a twentieth", .2, 2, 30, .2 * math.Pow(.995, 30) * 1.05},
		{"a third of the usual", .2, 3, 30, 0},
		{"worth too little", .05, 2, 30, 0},
	} {
		h, now := habit(r, c.myelin, c.accesses), day(today+c.days)
		after, damped, boosted := r.Steady(h, 10, now)
		if damped || boosted != (c.want > 0) || after.Boosted != boosted {
			t.Errorf("%s: damped %v, boosted %v", c.name, damped, boosted)
		}
		if got := r.Myelin.Value(after.Myelin, Days(now)); boosted && !near(got, c.want, 1e-9) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if !boosted && after != h {
			t.Errorf("%s: %+v became %+v", c.name, h, after)
		}
		if again, _, twice := r.Steady(after, 10, now.Add(oneDay)); boosted && (twice || again != after) {
			t.Errorf("%s: lifted twice", c.name)
		}
	}
}

// The rule that this replaces let an unused file rise from .06 to .95 in about 63 cycles.
func TestAnUnusedFileNeverRises(t *testing.T) {
	random := rand.New(rand.NewPCG(200, 200))
	for n := range 300 {
		r := turned(1, .3+.7*random.Float64())
		h := habit(r, .95*random.Float64(), 1+random.Int64N(400))
		used, atLastUse, usual, jumps := h, r.Myelin.Value(h.Myelin, today), 100*random.Float64(), n%3 == 0
		latest := today
		var reviews, misses, lifts, damps int
		count := func(n *int, happened bool) {
			if happened {
				*n++
			}
		}
		for sleep := range 200 {
			now := day(today + float64(sleep) + random.Float64())
			if jumps && random.IntN(10) == 0 {
				now = now.Add(time.Duration((2*random.Float64() - 1) * float64(decade)))
			}
			for _, rule := range []func(Habit) (Habit, bool, bool){
				func(h Habit) (Habit, bool, bool) {
					after, reviewed, missed := r.Review(h, now)
					count(&reviews, reviewed)
					count(&misses, missed)
					return after, reviewed, missed
				},
				func(h Habit) (Habit, bool, bool) {
					after, damped, boosted := r.Steady(h, usual, now)
					count(&damps, damped)
					count(&lifts, boosted)
					return after, damped, boosted
				},
			} {
				after, one, other := rule(h)
				if one && other || !one && !other && after != h {
					t.Fatalf("habit %d, sleep %d: %v and %v, %+v became %+v", n, sleep, one, other, h, after)
				}
				if again, _, _ := rule(after); again != after {
					t.Fatalf("habit %d, sleep %d: once %+v, twice %+v", n, sleep, after, again)
				}
				h = after
			}
			latest = max(latest, Days(now)) // read before it was written, a figure is larger
			if got := r.Myelin.Value(h.Myelin, latest); got > atLastUse+1e-9 || got < 0 {
				t.Fatalf("habit %d rose from %v to %v in sleep %d", n, atLastUse, got, sleep)
			}
			if h.Peak != used.Peak || h.LastAt != used.LastAt || h.Accesses != used.Accesses {
				t.Fatalf("habit %d: its last use was changed", n)
			}
		}
		if !jumps && (reviews > 3 || misses > 1 || lifts > 1 || damps > 1) {
			t.Fatalf("habit %d, unused: %d reviews, %d missed, lifted %d times, damped %d times", n, reviews, misses, lifts, damps)
		}
	}
}
