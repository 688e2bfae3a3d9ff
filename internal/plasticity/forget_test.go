package plasticity

import (
	"math/rand/v2"
	"testing"
	"time"
)

const (
	oneDay  = 24 * time.Hour
	decade  = 3652 * oneDay
	instant = time.Millisecond // the least a store distinguishes
)

// weighing is a link that weighs so much at start in its stronger direction, met so often and so long ago.
func weighing(r Rules, weight float64, met int64, idle time.Duration) Link {
	return Link{AB: r.Weight.Store(weight/2, today), BA: r.Weight.Store(weight, today), CoAccesses: met, LastAt: start.Add(-idle)}
}

// shared is a link that so many sessions have met.
func shared(l Link, sessions int64) Link {
	l.CoSessions = sessions
	return l
}

// ended is an end with so much myelin and activation at start.
func ended(r Rules, myelin, activation float64) End {
	return End{Myelin: r.Myelin.Store(myelin, today), Activation: r.Activation.Store(activation, today)}
}

func TestALinkIsForgottenByTheTierItFallsInto(t *testing.T) {
	r := defaultRules()
	warm, cold := ended(r, .5, 1), ended(r, .049, .099)
	mistake, gone := warm, warm
	mistake.Error, gone.Gone = true, true
	for _, c := range []struct {
		name string
		link Link
		a, b End
		want Reason // "": it stays
	}{
		{"dead for a week", weighing(r, .0499, 100, 7*oneDay+instant), warm, warm, Dead},
		{"dead, and met a week ago to the instant", weighing(r, .0499, 100, 7*oneDay), warm, warm, ""},
		{"not quite dead", weighing(r, .0501, 100, 7*oneDay+instant), warm, warm, ""},

		{"met once, three days ago", weighing(r, .1499, 1, 3*oneDay+instant), warm, warm, Noise},
		{"never really met", weighing(r, .1499, 0, 3*oneDay+instant), warm, warm, Noise},
		{"met twice", weighing(r, .1499, 2, 3*oneDay+instant), warm, warm, ""},
		{"met once, not yet three days ago", weighing(r, .1499, 1, 3*oneDay), warm, warm, ""},
		{"met once, and stronger than noise", weighing(r, .1501, 1, 3*oneDay+instant), warm, warm, ""},

		{"not met for a month", weighing(r, .2999, 100, 30*oneDay+instant), warm, warm, Abandoned},
		{"not met for a month, known to two sessions", shared(weighing(r, .2999, 100, 60*oneDay), 2), warm, warm, ""},
		{"not met for two months, known to two sessions", shared(weighing(r, .2999, 100, 60*oneDay+instant), 2), warm, warm, Abandoned},
		{"not met for a month, known to one session", shared(weighing(r, .2999, 100, 30*oneDay+instant), 1), warm, warm, Abandoned},
		{"met a month ago to the instant", weighing(r, .2999, 100, 30*oneDay), warm, warm, ""},
		{"too strong to be abandoned", weighing(r, .3001, 100, 30*oneDay+instant), warm, warm, ""},
		{"strong, and not met for years", weighing(r, .9, 1, decade), warm, warm, ""},

		{"a bridge of .2 after six days, .052", weighing(r, .2, 2, 6*oneDay), cold, warm, ""},
		{"a bridge of .2 after seven, .042", weighing(r, .2, 2, 7*oneDay), cold, warm, Bridge},
		{"whichever end is cold", weighing(r, .2, 2, 7*oneDay), warm, cold, Bridge},
		{"a bridge met three times", weighing(r, .2, 3, 7*oneDay), cold, cold, ""},
		{"a bridge that bears", weighing(r, .3001, 2, 29*oneDay), cold, cold, ""},
		{"both ends warm", weighing(r, .2, 2, 7*oneDay), warm, warm, ""},
		{"an end that was touched of late", weighing(r, .2, 2, 7*oneDay), ended(r, .049, .101), warm, ""},
		{"an end that once mattered", weighing(r, .2, 2, 7*oneDay), ended(r, .051, .099), warm, ""},

		{"an end is gone for a week", weighing(r, .9, 100, 7*oneDay+instant), warm, gone, Deleted},
		{"either end", weighing(r, .9, 100, 7*oneDay+instant), gone, warm, Deleted},
		{"an end is gone, the link met a week ago to the instant", weighing(r, .9, 100, 7*oneDay), gone, gone, ""},
		{"dead and an end gone", weighing(r, .0499, 100, 7*oneDay+instant), warm, gone, Dead},

		{"dead, of an error", weighing(r, .0499, 1, 7*oneDay+instant), mistake, warm, Dead},
		{"noise, of an error", weighing(r, .1499, 1, 3*oneDay+instant), mistake, warm, ""},
		{"abandoned, of an error", weighing(r, .2999, 1, 30*oneDay+instant), warm, mistake, ""},
		{"a bridge to an error", weighing(r, .2, 2, 7*oneDay), mistake, cold, ""},
		{"an error whose fix is gone", weighing(r, .9, 1, decade), mistake, gone, ""},
	} {
		why, goes := r.Doomed(c.link, c.a, c.b, start)
		if why != c.want || goes != (c.want != "") {
			t.Errorf("%s: %q, %v, want %q", c.name, why, goes, c.want)
		}
		swapped := c.link
		swapped.AB, swapped.BA = c.link.BA, c.link.AB
		if other, _ := r.Doomed(swapped, c.b, c.a, start); other != c.want {
			t.Errorf("%s, the other way round: %q, want %q", c.name, other, c.want)
		}
	}
}

// someDoom draws a link with its ends, met around start.
func someDoom(r Rules, random *rand.Rand) (l Link, a, b End) {
	met := start.Add(time.Duration(random.IntN(80*24)-60*24) * time.Hour)
	weight := func() Stored {
		if random.IntN(8) == 0 {
			return Nothing
		}
		return r.Weight.Store(random.Float64()*random.Float64(), today-random.Float64()*60)
	}
	end := func() End {
		e := ended(r, random.Float64()*random.Float64(), random.Float64()*random.Float64())
		e.Error, e.Gone = random.IntN(6) == 0, random.IntN(6) == 0
		return e
	}
	return Link{AB: weight(), BA: weight(), CoAccesses: random.Int64N(5), LastAt: met}, end(), end()
}

// A database looks for suspects; what it does not find is never judged.
func TestWhateverIsDoomedIsASuspect(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 5))
	met := map[Reason]int{}
	for range 200 {
		r := NewRules(Default(), Balance{Weight: Stored(-2 * random.Float64()), Myelin: Stored(-random.Float64())})
		s := r.Suspects(start)
		for range 500 {
			l, a, b := someDoom(r, random)
			why, goes := r.Doomed(l, a, b, start)
			strength := max(l.AB, l.BA)
			if !goes || near(float64(strength), float64(s.Strength), 1e-9) || near(float64(strength), float64(s.Dead), 1e-9) {
				continue
			}
			met[why]++
			weak := strength < s.Strength && l.LastAt.Before(s.Before) &&
				(l.CoAccesses <= s.Met || l.LastAt.Before(s.Abandoned) || strength < s.Dead)
			severed := (a.Gone || b.Gone) && l.LastAt.Before(s.Deleted)
			if !weak && !severed {
				t.Fatalf("%s, and no suspect of %+v: %+v", why, s, l)
			}
		}
	}
	for _, why := range []Reason{Dead, Noise, Abandoned, Bridge, Deleted} {
		if met[why] < 100 {
			t.Errorf("%s was drawn %d times: the test says little", why, met[why])
		}
	}
}

func TestAClockThatJumpsDoomsNothingFromBefore(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 10))
	for range 5000 {
		r := NewRules(Default(), Balance{Weight: -1})
		l, a, b := someDoom(r, random)
		for _, now := range []time.Time{l.LastAt, l.LastAt.Add(-instant), l.LastAt.Add(-oneDay), l.LastAt.Add(-decade)} {
			if why, goes := r.Doomed(l, a, b, now); goes {
				t.Fatalf("%v before it was met, %+v is %s", l.LastAt.Sub(now), l, why)
			}
		}
		before, _ := r.Doomed(l, a, b, start)
		for _, jump := range []time.Duration{-decade, decade} {
			now := start.Add(jump)
			r.Doomed(l, a, b, now)
			for _, w := range []Stored{l.AB, l.BA} {
				if got := r.Weight.Value(w, Days(now)); !(got >= 0 && got <= 1) {
					t.Fatalf("%v away: a weight of %v", jump, got)
				}
			}
		}
		if after, _ := r.Doomed(l, a, b, start); after != before {
			t.Fatalf("asking ten years away changed %q to %q", before, after)
		}
	}
}

func TestOnlyAThingWithoutLinksUseOrPromiseIsForgettable(t *testing.T) {
	r := defaultRules()
	for _, c := range []struct {
		name            string
		end             End
		links, accesses int64
		want            bool
	}{
		{"touched twice, long ago", ended(r, .0499, .0099), 0, 2, true},
		{"never grown", End{Myelin: Nothing, Activation: Nothing}, 0, 1, true},
		{"touched three times", ended(r, .0499, .0099), 0, 3, false},
		{"linked", ended(r, .0499, .0099), 1, 2, false},
		{"a habit", ended(r, .0501, .0099), 0, 2, false},
		{"touched of late", ended(r, .0499, .0101), 0, 2, false},
	} {
		if got := r.Forgettable(c.end, c.links, c.accesses, start); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	touched := End{Myelin: Nothing, Activation: r.Activation.Store(1, today)}
	for days, want := range map[int]bool{0: false, 28: false, 29: true, -3652: false} {
		if got := r.Forgettable(touched, 0, 1, start.Add(time.Duration(days)*oneDay)); got != want {
			t.Errorf("%d days after its one access: %v", days, got)
		}
	}
}
