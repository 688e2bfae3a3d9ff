package sleep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// consolidate goes through the latest work again. What it learned from is noted before it learns: a sleep that is killed
// may leave something out, it never learns twice.
func (s *Sleeper) consolidate(ctx context.Context, all []store.Graph) error {
	problems := s.each(ctx, "reviewing", all, s.review)
	if brain.ConcernsAll(ctx, problems) {
		return problems
	}
	var projects []memory.ProjectID
	var seen, last int64
	err := s.write(ctx, 0, func(tx *store.Tx, _ plasticity.Rules) (err error) {
		if seen, err = SleptSeq.Get(ctx, tx); err != nil {
			return err
		}
		if s.in.Again {
			seen = 0
		}
		if projects, last, err = tx.NewEvidence(ctx, seen); err != nil || last == seen {
			return err
		}
		return SleptSeq.Set(ctx, tx, last)
	})
	if err != nil {
		return errors.Join(problems, err)
	}
	done := 0
	return errors.Join(problems, brain.EachAlone(ctx, projects, func(id memory.ProjectID) error {
		s.in.Progress("going through the latest work", float64(done)/float64(len(projects)))
		done++
		err := s.mine(ctx, id, seen, last)
		if err == nil && !s.again {
			err = s.pack(ctx, id)
		}
		if err != nil && !errors.Is(err, errRebuilt) {
			return fmt.Errorf("project %s: %w", id, err)
		}
		return nil
	}))
}

// review refreshes habits that were not used for some days, and lets those fade that have missed it.
func (s *Sleeper) review(ctx context.Context, g store.Graph) error {
	c := &s.Report.Consolidation
	find := func(tx *store.Tx, rules plasticity.Rules) ([]store.Strength, error) {
		return tx.FilesToReview(ctx, g, rules.Myelin.Threshold(s.Numbers.Plasticity.ReviewMyelin, plasticity.Days(s.Now)), s.Now.Add(-plasticity.ReviewAfter), plasticity.ReviewsMost+1)
	}
	review := func(r plasticity.Rules, h plasticity.Habit) (plasticity.Habit, bool, bool) { return r.Review(h, s.Now) }
	return s.changeHabits(ctx, g.Project, "reviewing", find, review, &c.NeuronsReviewed, &c.NeuronsForgotten)
}

// mine learns from the latest accesses of one project: those after the last sleep, up to where this one said it would go.
func (s *Sleeper) mine(ctx context.Context, project memory.ProjectID, seen, last int64) error {
	log, err := brain.View(ctx, s.Store, func(tx *store.Tx) (plasticity.Log, error) { return s.Log(ctx, tx, project, seen, last) })
	if err != nil {
		return err
	}
	found := s.Findings(log)
	apply := func(ctx context.Context, tx *store.Tx, rules plasticity.Rules, found []Findings) ([]int64, error) {
		return s.Apply(ctx, tx, rules, project, found)
	}
	c := &s.Report.Consolidation
	return chunked(ctx, s, project, "learning from the latest work", found, apply,
		&c.SynapsesStrengthened, &c.PatternsDiscovered, &c.TemporalPairsFound, &c.DirectionalBoosts, new(int64))
}

// Log reads the latest accesses of a project up to an event; those up to seen taught a sleep before.
func (s *Sleeper) Log(ctx context.Context, tx *store.Tx, project memory.ProjectID, seen, last int64) (plasticity.Log, error) {
	accesses, err := tx.RecentAccesses(ctx, project, s.Now.Add(-max(plasticity.LogReach, plasticity.PairWithin, plasticity.ReplayWithin)), s.Numbers.LogRows)
	accesses = slices.DeleteFunc(accesses, func(a plasticity.Access) bool { return a.Seq > last })
	return plasticity.Log{Accesses: accesses, Seen: seen, Now: s.Now}, err
}

// findings are what a log says about one link: each way of looking at it may say something.
type Findings struct {
	Pair plasticity.Pair
	by   [findingKinds]growth
}

// growth is what a finding does to a link.
type growth func(plasticity.Rules, plasticity.Link) (after plasticity.Link, grown bool)

const (
	byReplay = iota
	byPair
	byNearness
	byDirection
	byThree
	findingKinds
)

// begins says whether a finding may begin a link. Replay only strengthens what is there; pairs and nearness may begin
// something, tagged until it is met again.
func begins(kind int) bool { return kind == byPair || kind == byNearness }

// Findings goes through a log in every way there is, and returns what it found, link by link.
func (s *Sleeper) Findings(log plasticity.Log) []Findings {
	rules := plasticity.NewRules(s.Numbers.Plasticity, plasticity.Balance{}) // to look; what changes is judged by those of its transaction
	window := s.Numbers.Window
	c := &s.Report.Consolidation
	of := map[plasticity.Pair]*Findings{}
	add := func(p plasticity.Pair, kind int, g growth) {
		f := of[p]
		if f == nil {
			f = &Findings{Pair: p}
			of[p] = f
		}
		f.by[kind] = g
	}
	positions := map[plasticity.Pair][]float64{}
	for _, session := range rules.Worth(log) {
		c.SessionsReplayed++
		meetings(session, window, log.Seen, positions)
	}
	for p, met := range positions {
		add(p, byReplay, func(r plasticity.Rules, l plasticity.Link) (plasticity.Link, bool) {
			return r.Replayed(l, met, s.Now), true
		})
	}
	pairs := rules.Together(log)
	pairGrown := func(r plasticity.Rules, l plasticity.Link) (plasticity.Link, bool) { return r.PairGrown(l, s.Now) }
	for _, p := range pairs {
		add(p, byPair, pairGrown)
	}
	for _, n := range rules.Near(log, window) {
		add(n.Pair, byNearness, func(r plasticity.Rules, l plasticity.Link) (plasticity.Link, bool) {
			return r.NearGrown(l, n.Apart, s.Now)
		})
	}
	for _, w := range rules.Directions(log) {
		p := plasticity.PairOf(w.From, w.To)
		add(p, byDirection, func(r plasticity.Rules, l plasticity.Link) (plasticity.Link, bool) {
			return r.Directed(l, w.From == p[0], s.Now)
		})
	}
	threeGrown := func(r plasticity.Rules, l plasticity.Link) (plasticity.Link, bool) { return r.TripleGrown(l, s.Now) }
	for _, three := range rules.Triples(pairs) { // a link grows once, of however many threes it is part
		c.TripletsFound++
		for _, p := range [...]plasticity.Pair{{three[0], three[1]}, {three[0], three[2]}, {three[1], three[2]}} {
			add(p, byThree, threeGrown)
		}
	}
	found := make([]Findings, 0, len(of))
	for _, f := range of {
		found = append(found, *f)
	}
	slices.SortFunc(found, func(a, b Findings) int { // as the store keeps them
		return cmp.Or(cmp.Compare(a.Pair[0], b.Pair[0]), cmp.Compare(a.Pair[1], b.Pair[1]))
	})
	return found
}

// meetings goes through a session as it was learned, and notes for each link how near its ends met. Accesses that a sleep has
// seen before only fill the window: a session that goes on is not gone through from the start each time.
func meetings(session []plasticity.Access, size int, seen int64, positions map[plasticity.Pair][]float64) {
	window := plasticity.NewWindow(size)
	for _, a := range session {
		for other, position := range window.Others(a.Neuron) {
			if a.Seq > seen {
				p := plasticity.PairOf(a.Neuron, other)
				positions[p] = append(positions[p], position)
			}
		}
		window.Touch(a.Neuron)
	}
}

// Apply lets findings grow the links as they are now.
func (s *Sleeper) Apply(ctx context.Context, tx *store.Tx, rules plasticity.Rules, project memory.ProjectID, found []Findings) ([]int64, error) {
	pairs := make([]plasticity.Pair, len(found))
	for i, f := range found {
		pairs[i] = f.Pair
	}
	known, err := tx.SynapsesOf(ctx, pairs)
	if err != nil {
		return nil, err
	}
	ends, err := s.endsOf(ctx, tx, found, known)
	if err != nil {
		return nil, err
	}
	counts := make([]int64, findingKinds)
	var changed []store.Synapse
	var begun []plasticity.Pair
	for _, f := range found {
		link, exists := known[f.Pair]
		if !exists {
			if !ends[f.Pair[0]] || !ends[f.Pair[1]] {
				continue
			}
			link = store.NewSynapse(project, memory.OriginAgent, f.Pair[0], f.Pair[1])
		}
		there, moved := exists, false
		for kind, grow := range f.by {
			if grow == nil || !there && !begins(kind) {
				continue
			}
			if after, grown := grow(rules, link.Link); grown {
				link.Link, there, moved = after, true, true
				counts[kind]++
			}
		}
		if moved {
			changed = append(changed, link)
		}
		if moved && !exists {
			begun = append(begun, f.Pair)
		}
	}
	if err := tx.SaveSynapses(ctx, changed); err != nil {
		return nil, err
	}
	return counts, tx.Linked(ctx, begun...)
}

// endsOf says which ends are there of the links that findings may begin.
func (s *Sleeper) endsOf(ctx context.Context, tx *store.Tx, found []Findings, known map[plasticity.Pair]store.Synapse) (map[memory.NeuronID]bool, error) {
	ids := map[memory.NeuronID]bool{}
	for _, f := range found {
		if _, exists := known[f.Pair]; !exists {
			ids[f.Pair[0]], ids[f.Pair[1]] = true, true
		}
	}
	return tx.Present(ctx, slices.Sorted(maps.Keys(ids)))
}
