package plasticity

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Source: consolidation of the design.
const (
	replaySessions = 5                   // sessions a sleep goes through again, those with most accesses first
	ReplayWithin   = 7 * 24 * time.Hour  // nor is an older one
	replayGain     = 0.01                // what going through a meeting again adds to a link that exists, before SNAP
	PairWithin     = 7 * 24 * time.Hour  // within this time
	seedWeight     = 0.15                // weight of a link that a sleep finds
	pairWeak       = 0.2                 // a link weaker than this grows when a sleep finds the pair again
	pairGain       = 0.05                // by this, before SNAP
	nearWithin     = 60 * time.Second    // files touched this close in time are near
	nearTimes      = 3                   // times they must be
	nearSpan       = 0.15                // what a link found by nearness has beyond the seed weight when the files were touched at once
	nearWeak       = 0.3                 // a link weaker than this grows by being near
	nearGain       = 0.03                // by this, before SNAP
	orderSteps     = 5                   // a file touched at most this long after another comes after it
	orderRatio     = 2.0                 // and more than this times as often as the other way round
	orderLeast     = 0.1                 // weaker links have no direction yet
	orderMost      = 0.8                 // stronger ones need none
	orderGain      = 0.2                 // what a direction adds to its weight, before SNAP
	tripleMost     = 0.5                 // links of three files that all belong together grow up to this
	tripleGain     = 0.05                // by this, before SNAP
	triplePartners = 20                  // companions of a file among which threes are looked for
	LogReach       = 14 * 24 * time.Hour // accesses older than this say nothing about order and nearness in time
)

const pairFiles = 60 // files of one session that are paired, those of most sessions first (keeps the work linear in the log)

// Access is one line of the log that sleep reads: a session touched something.
type Access struct {
	Seq     int64 // of its event
	Session memory.SessionID
	At      time.Time
	Neuron  memory.NeuronID
}

// Pair is two things, the smaller ID first.
type Pair [2]memory.NeuronID

// PairOf puts two things in order.
func PairOf(a, b memory.NeuronID) Pair { return Pair{min(a, b), max(a, b)} }

// Log is what a sleep goes through: accesses in the order of time, and the number of the last event that a sleep before
// has seen. What has no new evidence since teaches nothing again.
type Log struct {
	Accesses []Access
	Seen     int64
	Now      time.Time
}

// since returns the accesses of the last while.
func (l Log) since(while time.Duration) []Access {
	from := l.Now.Add(-while)
	var late []Access
	for _, a := range l.Accesses {
		if a.At.After(from) && !a.At.After(l.Now) {
			late = append(late, a)
		}
	}
	return late
}

// bySession splits accesses into sessions, in the order in which they began.
func bySession(accesses []Access) (sessions [][]Access) {
	at := map[memory.SessionID]int{}
	for _, a := range accesses {
		i, known := at[a.Session]
		if !known {
			i = len(sessions)
			at[a.Session] = i
			sessions = append(sessions, nil)
		}
		sessions[i] = append(sessions[i], a)
	}
	return sessions
}

// fresh reports whether a session has an access that no sleep has seen. It need not be the latest: events come late.
func (l Log) fresh(session []Access) bool {
	return slices.ContainsFunc(session, func(a Access) bool { return a.Seq > l.Seen })
}

// Together finds the pairs that enough sessions touched, near each other or not. Each session pairs only things that
// enough sessions have, and of those the most frequent, so the work grows with the log and not with its square.
func (r Rules) Together(l Log) []Pair {
	t := r.params
	sessions := bySession(l.since(PairWithin))
	in := map[memory.NeuronID]int{}
	distinct := make([][]memory.NeuronID, len(sessions))
	for i, s := range sessions {
		seen := map[memory.NeuronID]bool{}
		for _, a := range s {
			if !seen[a.Neuron] {
				seen[a.Neuron] = true
				in[a.Neuron]++
				distinct[i] = append(distinct[i], a.Neuron)
			}
		}
	}
	counts := map[Pair]tally{}
	for i, files := range distinct {
		late := map[memory.NeuronID]bool{} // touched since the last sleep
		for _, a := range sessions[i] {
			late[a.Neuron] = late[a.Neuron] || a.Seq > l.Seen
		}
		files = slices.DeleteFunc(files, func(n memory.NeuronID) bool { return in[n] < t.PairSessions })
		if len(files) > pairFiles {
			slices.SortFunc(files, func(a, b memory.NeuronID) int { return cmp.Or(cmp.Compare(in[b], in[a]), cmp.Compare(a, b)) })
			files = files[:pairFiles]
		}
		for j, a := range files {
			for _, b := range files[j+1:] {
				p := PairOf(a, b)
				counts[p] = counts[p].again(late[a] || late[b])
			}
		}
	}
	var found []Pair
	for p, n := range counts {
		if n.times >= t.PairSessions && n.fresh {
			found = append(found, p)
		}
	}
	return sortedPairs(found)
}

// tally counts how often something was met, and whether since the last sleep.
type tally struct {
	times int
	fresh bool
}

func (t tally) again(fresh bool) tally { return tally{times: t.times + 1, fresh: t.fresh || fresh} }

func sortedPairs(pairs []Pair) []Pair {
	slices.SortFunc(pairs, func(a, b Pair) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return pairs
}

// Nearby is a pair that was touched close in time, again and again.
type Nearby struct {
	Pair
	Apart time.Duration // on average
}

// Near finds them, across sessions too. An access looks back at no more than a window of others.
func (r Rules) Near(l Log, window int) []Nearby {
	accesses := l.since(LogReach)
	slices.SortStableFunc(accesses, func(a, b Access) int { return a.At.Compare(b.At) })
	type sum struct {
		tally
		apart time.Duration
	}
	sums := map[Pair]sum{}
	for i, a := range accesses {
		for j := i - 1; j >= max(0, i-window); j-- {
			b := accesses[j]
			apart := a.At.Sub(b.At)
			if apart >= nearWithin {
				break
			}
			if a.Neuron == b.Neuron {
				continue
			}
			p := PairOf(a.Neuron, b.Neuron)
			s := sums[p]
			sums[p] = sum{tally: s.again(max(a.Seq, b.Seq) > l.Seen), apart: s.apart + apart}
		}
	}
	var found []Nearby
	for _, p := range sortedPairs(slices.Collect(maps.Keys(sums))) {
		if s := sums[p]; s.times >= nearTimes && s.fresh {
			found = append(found, Nearby{Pair: p, Apart: s.apart / time.Duration(s.times)})
		}
	}
	return found
}

// NearSeed is the weight of a pair found by being touched so far apart in time: 0.3 at once, 0.15 a minute apart.
func (r Rules) NearSeed(apart time.Duration) float64 {
	share := 1 - apart.Seconds()/nearWithin.Seconds()
	return seedWeight + nearSpan*max(0, share)
}

// Way is a direction: To is touched after From.
type Way struct{ From, To memory.NeuronID }

// Directions finds the ways that sessions take again and again, and much more often than back.
func (r Rules) Directions(l Log) []Way {
	t := r.params
	counts := map[Way]tally{}
	for _, s := range bySession(l.since(LogReach)) {
		for i, a := range s {
			for j := max(0, i-orderSteps); j < i; j++ {
				if s[j].Neuron != a.Neuron {
					w := Way{From: s[j].Neuron, To: a.Neuron}
					counts[w] = counts[w].again(a.Seq > l.Seen)
				}
			}
		}
	}
	var found []Way
	for w, n := range counts {
		if n.times >= t.OrderTimes && n.fresh && float64(n.times) > orderRatio*float64(counts[Way{From: w.To, To: w.From}].times) {
			found = append(found, w)
		}
	}
	slices.SortFunc(found, func(a, b Way) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	return found
}

// Triples finds three things of which each two are a pair. Of the partners of each only the first few are looked at.
func (r Rules) Triples(pairs []Pair) [][3]memory.NeuronID {
	partners := map[memory.NeuronID][]memory.NeuronID{}
	known := map[Pair]bool{}
	for _, p := range pairs {
		known[p] = true
		if len(partners[p[0]]) < triplePartners {
			partners[p[0]] = append(partners[p[0]], p[1])
		}
	}
	var found [][3]memory.NeuronID
	for _, a := range slices.Sorted(maps.Keys(partners)) {
		of := partners[a]
		for i, b := range of {
			for _, c := range of[i+1:] {
				if known[PairOf(b, c)] {
					found = append(found, [3]memory.NeuronID{a, min(b, c), max(b, c)})
				}
			}
		}
	}
	return found
}

// grown is a link after sleep has found more evidence of it: each direction weaker than below takes gain, as far as it
// accepts changes. A link that is not there begins with seed, tagged to be captured by the next real meeting. Meetings and
// their date stay what they were: what sleep adds must not save noise from being forgotten.
func (r Rules) grown(l Link, seed, below, gain float64, now time.Time) (after Link, grown bool) {
	day := Days(now)
	if l.AB == Nothing && l.BA == Nothing {
		l.AB, l.BA = r.Weight.Store(seed, day), r.Weight.Store(seed, day)
		l.TaggedAt, l.LastAt = now, now
		return l, true
	}
	for _, w := range []*Stored{&l.AB, &l.BA} {
		if weight := r.Weight.Value(*w, day); weight < below {
			*w = r.Weight.Store(weight+gain*r.Snap(weight), day)
			grown = true
		}
	}
	return l, grown
}

// PairGrown is a link of two things that enough sessions touched.
func (r Rules) PairGrown(l Link, now time.Time) (after Link, grown bool) {
	return r.grown(l, seedWeight, pairWeak, pairGain, now)
}

// NearGrown is a link of two things touched so far apart in time, again and again.
func (r Rules) NearGrown(l Link, apart time.Duration, now time.Time) (after Link, grown bool) {
	return r.grown(l, r.NearSeed(apart), nearWeak, nearGain, now)
}

// TripleGrown is a link within three things that all belong together.
func (r Rules) TripleGrown(l Link, now time.Time) (after Link, grown bool) {
	if l.AB == Nothing && l.BA == Nothing {
		return l, false
	}
	return r.grown(l, 0, tripleMost, tripleGain, now)
}

// Directed strengthens the direction of a link that sessions take: forward is from a to b.
func (r Rules) Directed(l Link, forward bool, now time.Time) (after Link, grown bool) {
	way := &l.AB
	if !forward {
		way = &l.BA
	}
	day := Days(now)
	weight := r.Weight.Value(*way, day)
	if weight <= orderLeast || weight >= orderMost {
		return l, false
	}
	*way = r.Weight.Store(weight+orderGain*weight*r.Snap(weight), day)
	return l, true
}

// Replayed is a link after its meetings were gone through again; positions are how near its ends met.
func (r Rules) Replayed(l Link, positions []float64, now time.Time) Link {
	day := Days(now)
	for _, w := range []*Stored{&l.AB, &l.BA} {
		weight := r.Weight.Value(*w, day)
		for _, position := range positions {
			weight = min(1, weight+replayGain*position*r.Snap(weight))
		}
		*w = max(*w, r.Weight.Store(weight, day)) // a clock that was set back must not take anything
	}
	return l
}

// Worth orders sessions for replay: which of them are worth going through again, those with most accesses first.
func (r Rules) Worth(l Log) [][]Access {
	t := r.params
	sessions := slices.DeleteFunc(bySession(l.since(ReplayWithin)), func(s []Access) bool {
		return len(s) < t.ReplayAccesses || !l.fresh(s)
	})
	slices.SortStableFunc(sessions, func(a, b []Access) int { return cmp.Compare(len(b), len(a)) })
	return sessions[:min(len(sessions), replaySessions)]
}
