package plasticity

import (
	"github.com/hebb-memory/hebb/internal/must"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"
)

const (
	today = 20_650.0 // days since 1970: a day of 2026
	years = 10 * 365.25
)

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func TestV8DailyDecay(t *testing.T) {
	r := defaultRules()
	for _, c := range []struct {
		name   string
		fading Fading
		start  float64
		days   float64
		want   float64
	}{
		{"a weight after a week", r.Weight, 1, 7, .8681},
		{"a weight after a month", r.Weight, 1, 30, .5455},
		{"activation after two weeks", r.Activation, 1, 15, .0874},
		{"myelin after two weeks", r.Myelin, .82, 14, .82 * .9322},
		{"half of myelin after 138.3 days", r.Myelin, .8, 138.3, .4},
		{"nothing is lost at once", r.Weight, .6, 0, .6},
	} {
		if got := c.fading.Value(c.fading.Store(c.start, today), today+c.days); !near(got, c.want, 1e-4) {
			t.Errorf("%s: %.5f, want %.5f", c.name, got, c.want)
		}
	}
}

// registered are the weights as they fade, and after homeostasis has scaled them.
var registered = []Fading{defaultRules().Weight, defaultRules().Weight.Registered(-.8), defaultRules().Weight.Registered(-3)}

func TestReadingIsIdempotentAndTwoHalfDaysAreOneDay(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 1))
	for n := range 3000 {
		f, value, at := registered[n%3], random.Float64(), today+random.Float64()*1000
		stored := f.Store(value, at)
		if got, first, second := f.Value(stored, at), f.Value(stored, at+3), f.Value(stored, at+3); !near(got, value, 1e-9) || first != second {
			t.Fatalf("%v is read as %v, and three days later as %v and %v", value, got, first, second)
		}
		halfway := f.Store(f.Value(stored, at+.5), at+.5)
		once, twice := f.Value(stored, at+1), f.Value(halfway, at+1)
		if !near(once, value*.98, 1e-9) || !near(twice, once, 1e-9) {
			t.Fatalf("%v after one day is %v, after two halves %v", value, once, twice)
		}
	}
}

func TestNothingIsKeptAndReadBackAsExactlyZero(t *testing.T) {
	r := defaultRules()
	for _, value := range []float64{0, -1, math.NaN(), math.Inf(-1)} {
		stored := r.Weight.Store(value, today)
		if stored != Nothing {
			t.Errorf("Store(%v) = %v", value, stored)
		}
	}
	// As a database dump with few digits would keep it.
	dumped := must.Get(strconv.ParseFloat(strconv.FormatFloat(float64(Nothing), 'g', 6, 64), 64))(t)
	for name, stored := range map[string]Stored{
		"as it is":         Nothing,
		"dumped":           Stored(dumped),
		"scaled":           Nothing + logarithm(1000),
		"rebased":          Nothing + r.Weight.Rebase(r.Activation, today),
		"scaled to zero":   r.Weight.Store(.7, today) + logarithm(0),
		"and then up":      r.Weight.Store(.7, today) + logarithm(0) + logarithm(5),
		"to zero for good": Nothing + logarithm(0),
	} {
		for _, at := range []float64{0, today - years, today, today + years} {
			if got := r.Weight.Value(stored, at); got != 0 {
				t.Errorf("nothing, %s, is %v on day %v", name, got, at)
			}
		}
		if math.IsInf(float64(stored), 0) || math.IsNaN(float64(stored)) || stored > r.Weight.Threshold(0, today) {
			t.Errorf("nothing, %s, is stored as %v", name, stored)
		}
	}
	if tiny := r.Weight.Store(1e-300, today); tiny <= r.Weight.Threshold(0, today) {
		t.Errorf("1e-300 is stored as %v, not above nothing", tiny)
	}
}

func TestReadingYearsAwayStaysInBounds(t *testing.T) {
	r := defaultRules()
	for name, f := range map[string]Fading{
		"weight": r.Weight, "myelin": r.Myelin, "activation": r.Activation, "fastest allowed": NewFading(.1, 1),
	} {
		for _, value := range []float64{1e-9, .3, f.most, 7, math.Inf(1)} {
			stored := f.Store(value, today)
			for _, at := range []float64{0, today - years, today - 1, today, today + 1, today + years} {
				if got := f.Value(stored, at); !(got >= 0 && got <= f.most) {
					t.Errorf("%s %v on day %v: %v, want 0 to %v", name, value, at, got, f.most)
				}
			}
		}
	}
	if got := r.Weight.Value(r.Weight.Store(7, today), today+1); !near(got, .98, 1e-9) {
		t.Errorf("7, kept as 1, is %v after a day", got)
	}
	if got := r.Myelin.Value(r.Myelin.Store(.9, today), today-years); got != .95 {
		t.Errorf("myelin read long before it was written: %v, want its bound", got)
	}
}

func TestThresholdComparesStoredNumbersLikeValues(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 14))
	for n := range 6000 {
		f, limit := registered[n%3], random.Float64()
		stored := f.Store(random.Float64(), today-random.Float64()*300)
		if value := f.Value(stored, today); !near(value, limit, 1e-9) && (stored > f.Threshold(limit, today)) != (value > limit) {
			t.Fatalf("value %v compares wrongly with %v by stored numbers", value, limit)
		}
	}
}

func TestOrderNeverChangesWithTime(t *testing.T) {
	r := defaultRules()
	random := rand.New(rand.NewPCG(1, 61))
	for range 2000 {
		a := r.Weight.Store(random.Float64(), today+random.Float64()*365)
		b := r.Weight.Store(random.Float64(), today+random.Float64()*365)
		for range 5 {
			at := today + (random.Float64()*2-.5)*years
			if va, vb := r.Weight.Value(a, at), r.Weight.Value(b, at); (va-vb)*float64(a-b) < 0 {
				t.Fatalf("stored %v and %v read as %v and %v on day %v", a, b, va, vb, at)
			}
		}
		if later := today + years; a != b && (r.Weight.Value(a, later) > r.Weight.Value(b, later)) != (a > b) {
			t.Fatalf("%v and %v cannot be distinguished later", a, b)
		}
	}
}

func TestRebaseKeepsValuesAndFadesAtTheNewRate(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 8))
	for n := range 2000 {
		register := Stored(-.8 * float64(n%2))
		old, retuned := NewFading(.98, 1).Registered(register), NewFading(.9, 1).Registered(register)
		stored := old.Store(random.Float64(), today-random.Float64()*60)
		before, moved := old.Value(stored, today), stored+retuned.Rebase(old, today)
		if now, later := retuned.Value(moved, today), retuned.Value(moved, today+1); !near(now, before, 1e-9) || !near(later, before*.9, 1e-9) {
			t.Fatalf("%v became %v, and %v a day later", before, now, later)
		}
	}
}

func TestDaysCountFrom1970ToTheMillisecond(t *testing.T) {
	noon := time.Date(1970, 1, 3, 12, 0, 0, 0, time.UTC)
	if got := Days(noon); got != 2.5 {
		t.Errorf("noon of the third day is %v", got)
	}
	if a, b := Days(day(today)), Days(day(today).Add(time.Millisecond)); a != today || b <= a {
		t.Errorf("a millisecond apart: %v and %v", a, b)
	}
	if got := Days(noon.In(time.FixedZone("", 5*3600))); got != 2.5 {
		t.Errorf("the same moment elsewhere is %v", got)
	}
}

// day is the moment that Days counts as d.
func day(d float64) time.Time { return time.UnixMilli(int64(d * 24 * 3600 * 1000)).UTC() }
