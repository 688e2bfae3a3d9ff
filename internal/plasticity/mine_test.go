package plasticity

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// logOf is a log that ends at start; accesses get their numbers in the order given.
func logOf(accesses ...Access) Log {
	for i := range accesses {
		if accesses[i].Seq == 0 {
			accesses[i].Seq = int64(i + 1)
		}
	}
	return Log{Accesses: accesses, Now: start}
}

// touched is one access each to some things, so long before start and a second apart.
func touched(session memory.SessionID, ago time.Duration, neurons ...memory.NeuronID) (accesses []Access) {
	for i, n := range neurons {
		at := start.Add(-ago).Add(time.Duration(i) * time.Second)
		accesses = append(accesses, Access{Session: session, At: at, Neuron: n})
	}
	return accesses
}

// later moves the last of some accesses.
func later(by time.Duration, accesses []Access) []Access {
	accesses[len(accesses)-1].At = accesses[len(accesses)-1].At.Add(by)
	return accesses
}

// numbered gives accesses the number of a late letter.
func numbered(seq int64, accesses []Access) []Access {
	for i := range accesses {
		accesses[i].Seq = seq
	}
	return accesses
}

func TestPairsAreFoundByTheSessionsTheyShare(t *testing.T) {
	r := defaultRules()
	thrice := slices.Concat(touched(1, 3*oneDay, 1, 9, 8, 7, 6, 2), touched(2, 2*oneDay, 2, 5, 1), touched(3, oneDay, 1, 3, 2))
	for _, c := range []struct {
		name     string
		accesses []Access
		seen     int64
		want     []Pair
	}{
		{"three sessions, far apart in them", thrice, 0, []Pair{{1, 2}}},
		{"of which one is new", thrice, int64(len(thrice)) - 1, []Pair{{1, 2}}},
		{"all seen before", thrice, int64(len(thrice)), nil},
		{"two sessions", slices.Concat(touched(1, 2*oneDay, 1, 2), touched(2, oneDay, 1, 2)), 0, nil},
		{"one session, again and again", touched(1, oneDay, 1, 2, 1, 2, 1, 2, 1, 2), 0, nil},
		{"one session too long ago", slices.Concat(touched(1, 7*oneDay+time.Hour, 1, 2), touched(2, 2*oneDay, 1, 2), touched(3, oneDay, 1, 2)), 0, nil},
		{"one session in the future", slices.Concat(touched(1, 3*oneDay, 1, 2), touched(2, 2*oneDay, 1, 2), touched(3, -oneDay, 1, 2)), 0, nil},
		{"a new session without the pair", slices.Concat(thrice, touched(4, time.Hour, 1, 5)), int64(len(thrice)), nil},
		{"a letter that came late", slices.Concat(numbered(99, touched(1, 3*oneDay, 1)), touched(1, 3*oneDay-time.Hour, 2),
			touched(2, 2*oneDay, 1, 2), touched(3, oneDay, 1, 2)), 50, []Pair{{1, 2}}},
		{"nothing", nil, 0, nil},
	} {
		l := logOf(slices.Clone(c.accesses)...)
		l.Seen = c.seen
		if got := r.Together(l); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestASessionPairsOnlyItsMostSharedFiles(t *testing.T) {
	r := defaultRules()
	var many []memory.NeuronID
	for n := range memory.NeuronID(100) {
		many = append(many, n+1)
	}
	l := logOf(slices.Concat(touched(1, 5*oneDay, many...), touched(2, 4*oneDay, many...), touched(3, 3*oneDay, many...),
		touched(4, 2*oneDay, 99, 100))...)
	got := r.Together(l)
	if len(got) != 60*59/2 || !slices.Contains(got, Pair{99, 100}) || !slices.Contains(got, Pair{1, 58}) || slices.Contains(got, Pair{1, 59}) {
		t.Errorf("%d pairs of 100 files, the last %v", len(got), got[len(got)-1])
	}
}

func TestPairsAreFoundByBeingNearInTime(t *testing.T) {
	r := defaultRules()
	const window = 25
	between := make([]memory.NeuronID, window)
	for i := range between {
		between[i] = memory.NeuronID(100)
	}
	crowd := append(append([]memory.NeuronID{1}, between...), 2) // 26 seconds apart, with 25 others between them
	apart := func(session memory.SessionID, ago, by time.Duration) []Access {
		return later(by-time.Second, touched(session, ago, 1, 2))
	}
	thrice := slices.Concat(apart(1, 3*oneDay, 4*time.Second), apart(1, 2*oneDay, 5*time.Second), apart(2, oneDay, 6*time.Second))
	across := slices.Concat(touched(1, 3*oneDay, 1), touched(2, 3*oneDay-time.Second, 2), touched(3, 2*oneDay, 2), touched(4, 2*oneDay, 1), apart(5, oneDay, time.Second))
	for _, c := range []struct {
		name     string
		accesses []Access
		seen     int64
		want     []Nearby
	}{
		{"three times", thrice, 0, []Nearby{{Pair{1, 2}, 5 * time.Second}}},
		{"three times, all seen before", thrice, 6, nil},
		{"three times, once since", thrice, 5, []Nearby{{Pair{1, 2}, 5 * time.Second}}},
		{"twice", thrice[:4], 0, nil},
		{"in different sessions", across, 0, []Nearby{{Pair{1, 2}, 2 * time.Second / 3}}},
		{"a minute apart", slices.Concat(apart(1, 3*oneDay, time.Minute), apart(1, 2*oneDay, time.Minute), apart(1, oneDay, time.Minute)), 0, nil},
		{"hardly less than a minute", slices.Concat(apart(1, 3*oneDay, time.Minute-instant), apart(1, 2*oneDay, time.Minute-instant), apart(1, oneDay, time.Minute-instant)), 0,
			[]Nearby{{Pair{1, 2}, time.Minute - instant}}},
		{"two weeks ago", slices.Concat(apart(1, 14*oneDay+time.Hour, time.Second), apart(1, 2*oneDay, time.Second), apart(1, oneDay, time.Second)), 0, nil},
		{"in a crowd", slices.Concat(touched(1, 3*oneDay, crowd...), touched(1, 2*oneDay, crowd...), touched(1, oneDay, crowd...)), 0,
			[]Nearby{{Pair{1, 100}, 13 * time.Second}, {Pair{2, 100}, 13 * time.Second}}},
	} {
		l := logOf(slices.Clone(c.accesses)...)
		l.Seen = c.seen
		if got := r.Near(l, window); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestV9TemporalSeed(t *testing.T) {
	for seconds, want := range map[time.Duration]float64{0: .3, 5: .2875, 30: .225, 50: .175, 60: .15, 90: .15} {
		if got := defaultRules().NearSeed(seconds * time.Second); !near(got, want, 1e-4) {
			t.Errorf("%d seconds apart: %.4f, want %.4f", seconds, got, want)
		}
	}
}

func TestADirectionIsAWayTakenMuchMoreOftenThanBack(t *testing.T) {
	r := defaultRules()
	walks := func(there, back int, way ...memory.NeuronID) (accesses []Access) {
		for i := range there + back {
			steps := slices.Clone(way)
			if i >= there {
				slices.Reverse(steps)
			}
			accesses = append(accesses, touched(memory.SessionID(i+1), 10*oneDay-time.Duration(i)*time.Hour, steps...)...)
		}
		return accesses
	}
	for _, c := range []struct {
		name     string
		accesses []Access
		seen     int64
		want     []Way
	}{
		{"five times there", walks(5, 0, 1, 2), 0, []Way{{1, 2}}},
		{"from the larger to the smaller", walks(5, 0, 2, 1), 0, []Way{{2, 1}}},
		{"five there and two back", walks(5, 2, 1, 2), 0, []Way{{1, 2}}},
		{"six there and three back", walks(6, 3, 1, 2), 0, nil},
		{"four times", walks(4, 0, 1, 2), 0, nil},
		{"within five steps", walks(5, 0, 1, 1, 1, 1, 1, 2), 0, []Way{{1, 2}}},
		{"all seen before", walks(5, 0, 1, 2), 10, nil},
		{"once since", walks(5, 0, 1, 2), 9, []Way{{1, 2}}},
		{"the way back is new, the way there is not", walks(5, 1, 1, 2), 10, nil},
		{"six steps apart", walks(5, 0, 1, 3, 4, 5, 6, 7, 2), 0, []Way{
			{1, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}, {3, 2}, {3, 4}, {3, 5}, {3, 6}, {3, 7}, {4, 2}, {4, 5}, {4, 6}, {4, 7},
			{5, 2}, {5, 6}, {5, 7}, {6, 2}, {6, 7}, {7, 2},
		}},
		{"from one session to the next", slices.Concat(touched(1, 9*time.Hour, 1), touched(2, 8*time.Hour, 2), touched(3, 7*time.Hour, 1),
			touched(4, 6*time.Hour, 2), touched(5, 5*time.Hour, 1), touched(6, 4*time.Hour, 2), touched(7, 3*time.Hour, 1)), 0, nil},
	} {
		l := logOf(slices.Clone(c.accesses)...)
		l.Seen = c.seen
		if got := r.Directions(l); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestTriplesAreFoundOnceEach(t *testing.T) {
	r := defaultRules()
	if got := r.Triples([]Pair{{1, 2}, {1, 3}, {1, 4}, {2, 3}}); !slices.Equal(got, [][3]memory.NeuronID{{1, 2, 3}}) {
		t.Errorf("got %v", got)
	}
	if got := r.Triples([]Pair{{1, 2}, {2, 3}, {3, 4}, {1, 4}}); got != nil {
		t.Errorf("a square has no threes: %v", got)
	}
	all := func(n memory.NeuronID) (pairs []Pair) {
		for a := memory.NeuronID(1); a <= n; a++ {
			for b := a + 1; b <= n; b++ {
				pairs = append(pairs, Pair{a, b})
			}
		}
		return pairs
	}
	seen := map[[3]memory.NeuronID]bool{}
	for _, three := range r.Triples(all(7)) {
		if seen[three] || three[0] >= three[1] || three[1] >= three[2] {
			t.Errorf("%v again, or out of order", three)
		}
		seen[three] = true
	}
	if len(seen) != 35 {
		t.Errorf("%d threes among seven, want 35", len(seen))
	}
	if got := len(r.Triples(all(200))); got > 200*20*19/2 {
		t.Errorf("%d threes among 200: company has no bound", got)
	}
}

func TestSessionsWorthReplaying(t *testing.T) {
	r := defaultRules()
	of := func(session memory.SessionID, ago time.Duration, n int) []Access {
		neurons := make([]memory.NeuronID, n)
		for i := range neurons {
			neurons[i] = memory.NeuronID(i + 1)
		}
		return touched(session, ago, neurons...)
	}
	l := logOf(slices.Concat(of(1, 8*oneDay, 50), of(2, 6*oneDay, 7), of(3, 5*oneDay, 4), of(4, 4*oneDay, 9), of(5, 3*oneDay, 5),
		of(6, 2*oneDay, 7), of(7, oneDay, 6), of(8, time.Hour, 5))...)
	order := func(sessions [][]Access) (ids []memory.SessionID) {
		for _, s := range sessions {
			ids = append(ids, s[0].Session)
		}
		return ids
	}
	if got := order(r.Worth(l)); !slices.Equal(got, []memory.SessionID{4, 2, 6, 7, 5}) {
		t.Errorf("got %v, want the five with most accesses, of a week and not too short", got)
	}
	l.Seen = l.Accesses[len(l.Accesses)-6].Seq // up to the end of the seventh
	if got := order(r.Worth(l)); !slices.Equal(got, []memory.SessionID{8}) {
		t.Errorf("got %v, want the one that is new", got)
	}
	late := slices.Concat(numbered(99, of(1, 2*oneDay, 1)), of(1, oneDay, 5))
	l = logOf(late...)
	l.Seen = 50
	if got := order(r.Worth(l)); !slices.Equal(got, []memory.SessionID{1}) {
		t.Errorf("got %v, want the session whose letter came late", got)
	}
}

// someLog draws accesses of sessions that overlap in time, no two at the same moment.
func someLog(random *rand.Rand, n int) Log {
	accesses := make([]Access, n)
	for i := range accesses {
		ago := time.Duration(n-i)*10*time.Second + time.Duration(random.IntN(9000))*time.Millisecond
		accesses[i] = Access{
			Seq: int64(i/2 + 1), Session: memory.SessionID(1 + i/50 + random.IntN(2)), At: start.Add(-ago), Neuron: memory.NeuronID(1 + random.IntN(12)),
		}
	}
	return Log{Accesses: accesses, Now: start}
}

func TestMiningFindsTheSameInTheSame(t *testing.T) {
	r, random := defaultRules(), rand.New(rand.NewPCG(6, 11))
	for range 10 {
		l := someLog(random, 600)
		find := func(l Log) []any {
			return []any{r.Together(l), r.Near(l, 25), r.Directions(l), r.Triples(r.Together(l)), r.Worth(l)}
		}
		before, want := slices.Clone(l.Accesses), find(l)
		for i, found := range want {
			if reflect.ValueOf(found).Len() == 0 {
				t.Errorf("way %d found nothing: the test says little", i)
			}
		}
		for range 5 {
			if got := find(l); !reflect.DeepEqual(got, want) {
				t.Fatalf("got %v, want %v", got, want)
			}
		}
		if !slices.Equal(l.Accesses, before) {
			t.Fatal("mining changed the log")
		}
		other := Log{Now: l.Now, Accesses: slices.Clone(l.Accesses)} // one session after the other
		slices.SortStableFunc(other.Accesses, func(a, b Access) int { return int(a.Session - b.Session) })
		if got := find(other); !reflect.DeepEqual(got[:4], want[:4]) {
			t.Fatal("what is found depends on how sessions lie between each other")
		}
	}
}

func TestMiningGrowsWithTheLogAndNotWithItsSquare(t *testing.T) {
	r := defaultRules()
	for _, n := range []int{300, 3000, 30000} {
		var wide, crowded Log // three sessions of the same files, each once; all files at one moment, three times
		for i := range n {
			a := Access{Seq: int64(i + 1), Session: memory.SessionID(1 + 3*i/n), At: start.Add(-time.Duration(n-i) * time.Second), Neuron: memory.NeuronID(1 + i%(n/3))}
			wide.Accesses = append(wide.Accesses, a)
			a.At = start
			crowded.Accesses = append(crowded.Accesses, a)
		}
		wide.Now, crowded.Now = start, start
		if got := len(r.Together(wide)); got == 0 || got > 60*59/2 {
			t.Errorf("%d accesses: %d pairs", n, got)
		}
		if got := len(r.Near(crowded, 25)); got == 0 || got > n*25/3 {
			t.Errorf("%d accesses at once: %d pairs", n, got)
		}
		often := tunedOrder(1)
		if got := len(often.Directions(wide)); got == 0 || got > n*5 {
			t.Errorf("%d accesses: %d ways", n, got)
		}
	}
}

// tunedOrder are the rules with a direction after so many times.
func tunedOrder(times int) Rules {
	r := defaultRules()
	r.params.OrderTimes = times
	return r
}

func TestWhatSleepFindsGrowsALink(t *testing.T) {
	r := defaultRules()
	pair := func(l Link) (Link, bool) { return r.PairGrown(l, start) }
	nearby := func(l Link) (Link, bool) { return r.NearGrown(l, 30*time.Second, start) }
	three := func(l Link) (Link, bool) { return r.TripleGrown(l, start) }
	forward := func(l Link) (Link, bool) { return r.Directed(l, true, start) }
	back := func(l Link) (Link, bool) { return r.Directed(l, false, start) }
	replay := func(l Link) (Link, bool) { return r.Replayed(l, []float64{1}, start), true }
	for _, c := range []struct {
		name           string
		grow           func(Link) (Link, bool)
		ab, ba         float64
		wantAB, wantBA float64
	}{
		{"a pair of .1", pair, .1, .1, .14804, .14804},
		{"a pair, weak in one direction", pair, .19, .21, .19 + .05*.9227, .21},
		{"a strong pair", pair, .2001, .5, .2001, .5},
		{"near, .2", nearby, .2, .3001, .2275, .3001},
		{"near and strong", nearby, .4, .4, .4, .4},
		{"one of three", three, .1, .4999, .14804, .52500},
		{"one of three, half grown", three, .5001, .9, .5001, .9},
		{"a direction", forward, .5, .5, .55, .5},
		{"and the other", back, .5, .5, .5, .55},
		{"a direction too weak", forward, .0999, .5, .0999, .5},
		{"a direction strong enough", forward, .8001, .5, .8001, .5},
		{"replayed", replay, .5, .1, .505, .10961},
	} {
		link := Link{AB: r.Weight.Store(c.ab, today), BA: r.Weight.Store(c.ba, today), CoAccesses: 3, CoSessions: 2, LastAt: start.Add(-oneDay), LastEvent: "e", Session: 7}
		after, grown := c.grow(link)
		ab, ba := weights(r, after, start)
		if !near(ab, c.wantAB, 1e-4) || !near(ba, c.wantBA, 1e-4) || grown != (c.ab != c.wantAB || c.ba != c.wantBA) {
			t.Errorf("%s: %.5f and %.5f, grown %v, want %.5f and %.5f", c.name, ab, ba, grown, c.wantAB, c.wantBA)
		}
		if after.AB, after.BA = link.AB, link.BA; after != link {
			t.Errorf("%s: changed more than weights, to %+v", c.name, after)
		}
	}
}

func TestSleepBeginsALinkThatWaitsToBeCaptured(t *testing.T) {
	for _, r := range []Rules{defaultRules(), turned(.5, 1)} {
		pair, grown := r.PairGrown(NewLink(), start)
		if ab, ba := weights(r, pair, start); !grown || !near(ab, .15, 1e-9) || !near(ba, .15, 1e-9) {
			t.Errorf("a pair begins with %v and %v", ab, ba)
		}
		if pair.CoAccesses != 0 || !pair.TaggedAt.Equal(start) || !pair.LastAt.Equal(start) {
			t.Errorf("it begins as %+v", pair)
		}
		nearby, _ := r.NearGrown(NewLink(), 5*time.Second, start)
		if ab, _ := weights(r, nearby, start); !near(ab, .2875, 1e-9) {
			t.Errorf("five seconds apart it begins with %v", ab)
		}
		if three, grown := r.TripleGrown(NewLink(), start); grown || three != NewLink() {
			t.Errorf("three things began %+v", three)
		}
		for _, forward := range []bool{true, false} {
			if way, grown := r.Directed(NewLink(), forward, start); grown || way != NewLink() {
				t.Errorf("a direction began %+v", way)
			}
		}
		soon := r.Step(pair, Stimulus{Position: 1, Event: "real", Session: 1, At: start.Add(time.Minute)})
		if ab, _ := weights(r, soon, start.Add(time.Minute)); !near(ab, .3, 1e-9) {
			t.Errorf("met for real, it is %v", ab)
		}
		warm := ended(r, .5, 1)
		if why, goes := r.Doomed(pair, warm, warm, start.Add(3*oneDay+instant)); !goes || why != Noise {
			t.Errorf("never met for real, it stays: %v %s", goes, why)
		}
	}
}

func TestWhatSleepGrowsStaysInRange(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	for range 3000 {
		r := turned(.3+.7*random.Float64(), 1)
		link, _, _ := someDoom(r, random)
		now := start.Add(time.Duration((2*random.Float64() - 1) * float64(decade)))
		for range 20 {
			before := link
			switch random.IntN(5) {
			case 0:
				link, _ = r.PairGrown(link, now)
			case 1:
				link, _ = r.NearGrown(link, time.Duration(random.IntN(90))*time.Second, now)
			case 2:
				link, _ = r.TripleGrown(link, now)
			case 3:
				link, _ = r.Directed(link, random.IntN(2) == 0, now)
			case 4:
				link = r.Replayed(link, []float64{random.Float64(), random.Float64()}, now)
			}
			wasAB, wasBA := weights(r, before, now)
			ab, ba := weights(r, link, now)
			if ab > 1 || ba > 1 || ab < wasAB-1e-12 || ba < wasBA-1e-12 {
				t.Fatalf("%v and %v grew to %v and %v", wasAB, wasBA, ab, ba)
			}
			if link.AB < before.AB-1e-9 || link.BA < before.BA-1e-9 { // at any other time too
				t.Fatalf("stored %v and %v became %v and %v", before.AB, before.BA, link.AB, link.BA)
			}
		}
	}
}
