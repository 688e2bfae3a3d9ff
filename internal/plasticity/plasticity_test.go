package plasticity

import (
	"math/rand/v2"
	"testing"
)

func defaultRules() Rules { return NewRules(Default(), Balance{}) }

func TestV4Snap(t *testing.T) {
	for weight, want := range map[float64]float64{
		0: .9820, .1: .9608, .2: .9168, .3: .8320, .5: .5, .6: .3100, .8: .0832, .95: .0266,
	} {
		if got := defaultRules().Snap(weight); !near(got, want, 1e-4) {
			t.Errorf("a link of %v accepts %.4f, want %.4f", weight, got, want)
		}
	}
}

func TestV5Myelin(t *testing.T) {
	want := map[int64]float64{
		1: 0, 2: .02, 3: .03384, 5: .05451, 10: .09013, 20: .13721, 50: .22224, 100: .30706, 200: .42923, 500: .67327,
	}
	r, myelin := defaultRules(), 0.0
	for n := int64(1); n <= 500; n++ {
		myelin += r.MyelinGain(myelin, n-1)
		if w, listed := want[n]; listed && !near(myelin, w, 1e-4) {
			t.Errorf("after %d accesses %.5f, want %.5f", n, myelin, w)
		}
	}
}

func TestMyelinNeverPassesItsBound(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 95))
	for range 2000 {
		myelin, before := random.Float64()*1.1, random.Int64N(3000)
		gain := defaultRules().MyelinGain(myelin, before)
		if gain < 0 || gain > 0 && myelin+gain > .95+1e-12 {
			t.Fatalf("myelin %v after %d accesses gains %v", myelin, before, gain)
		}
	}
	if got := defaultRules().MyelinGain(.95, 7); got != 0 {
		t.Errorf("full myelin gains %v", got)
	}
}

func TestV7AntiRecall(t *testing.T) {
	r := defaultRules()
	for _, c := range []struct {
		start float64
		want  []float64
	}{
		{.6, []float64{.54, .4374, .3189, .2092, .1235, .1, .1}},
		{.8, []float64{.72, .5832, .4252, .2789, .1647, .1, .1}},
	} {
		weight := c.start
		for i, want := range c.want {
			if weight = r.Ignored(weight, i+1); !near(weight, want, 1e-4) {
				t.Errorf("%v ignored %d times in a row: %.4f, want %.4f", c.start, i+1, weight, want)
			}
		}
	}
	for i, want := range []float64{.1, .19, .271, .3439, .4095} {
		if lost := 1 - r.Ignored(1, i+1); !near(lost, want, 1e-4) {
			t.Errorf("ignored the %d. time in a row: loses %.4f, want %.4f", i+1, lost, want)
		}
	}
	if both := r.Ignored(r.Ignored(.6, 1), 1); !near(both, .486, 1e-4) {
		t.Errorf(".6 with both ends ignored once: %.4f, want .486", both)
	}
}

func TestIgnoringNeitherLiftsAWeakLinkNorActsWithoutAStreak(t *testing.T) {
	r := defaultRules()
	for _, c := range []struct {
		weight float64
		streak int
	}{{.05, 1}, {.05, 40}, {.1, 3}, {0, 2}, {.6, 0}, {.6, -2}} {
		if after := r.Ignored(c.weight, c.streak); after != c.weight {
			t.Errorf("%v with a streak of %d: %v", c.weight, c.streak, after)
		}
	}
}

func TestUseRecoversWhatWasIgnored(t *testing.T) {
	r := defaultRules()
	weight := 1.0
	for streak := range 6 {
		weight = r.Ignored(weight, streak+1)
	}
	var uses []float64
	for range 3 {
		weight = r.Recovered(weight)
		uses = append(uses, weight)
	}
	if !near(uses[0], .8664, 1e-4) || !near(uses[1], .98, 1e-4) || uses[2] != 1 {
		t.Errorf("ignored six times in a row, then used three times: %v", uses)
	}
	random := rand.New(rand.NewPCG(7, 7))
	for range 5000 {
		weight, streak := random.Float64(), 1+random.IntN(60)
		after := r.Ignored(weight, streak)
		if after < min(weight, .1) || after > weight || r.Recovered(after) < after || r.Recovered(after) > 1 {
			t.Fatalf("%v ignored with streak %d: %v, used %v", weight, streak, after, r.Recovered(after))
		}
	}
}

func TestV13GitSeed(t *testing.T) {
	for _, c := range []struct {
		count, most int
		want        float64
	}{
		{1, 10, .14},
		{3, 10, .32},
		{10, 10, .95},
		{1, 1, .95},
		{1, 50, .068},
		{20, 10, .95},
		{0, 10, 0},
		{0, 0, 0},
		{3, 0, 0},
		{-1, 10, 0},
	} {
		if got := GitSeed(c.count, c.most); !near(got, c.want, 1e-4) {
			t.Errorf("%d of %d commits: %.4f, want %.4f", c.count, c.most, got, c.want)
		}
	}
}

func TestV14ResolvedTwiceAndScaling(t *testing.T) {
	r := defaultRules()
	once := r.Resolved(0)
	if twice := r.Resolved(once); !near(once, .85, 1e-4) || !near(twice, .9775, 1e-4) || r.Resolved(1) != 1 {
		t.Errorf("resolved once %.4f, twice %.4f, from 1 %.4f", once, twice, r.Resolved(1))
	}
	mean := r.Weight.Store(.3657, today)
	if got := r.Weight.Value(mean+logarithm(.957), today); !near(got, .35, 1e-4) {
		t.Errorf("a mean of .3657 scaled by .957 is %.4f, want .35", got)
	}
}
