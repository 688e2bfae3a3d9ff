package brain

import (
	"context"
	"strconv"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// consolidate goes through the latest work again. What it learned from is noted before it learns: a sleep that is killed
// may leave something out, it never learns twice.
func (s *sleeper) consolidate(ctx context.Context, look []store.Slice) error {
	if err := s.review(ctx, look); err != nil {
		return err
	}
	var projects []memory.ProjectID
	var seen int64
	err := s.write(ctx, func(tx *store.Tx, _ plasticity.Rules) error {
		var last int64
		var err error
		if seen, err = number(ctx, tx, sleptSeq); err != nil {
			return err
		}
		if projects, last, err = tx.NewEvidence(ctx, seen); err != nil || last == seen {
			return err
		}
		return tx.SetMeta(ctx, sleptSeq, strconv.FormatInt(last, 10))
	})
	if err != nil {
		return err
	}
	for i, id := range projects {
		s.in.Progress("going through the latest work", float64(i)/float64(len(projects)))
		if err := s.mine(ctx, id, seen); err != nil {
			return err
		}
	}
	return nil
}

// review refreshes habits that were not used for some days, and lets those fade that have missed it.
func (s *sleeper) review(ctx context.Context, look []store.Slice) error {
	c, t := &s.report.Consolidation, s.tuning
	for _, slice := range look {
		files, err := viewed(ctx, s.Brain, func(tx *store.Tx) ([]store.Strength, error) {
			rules, err := s.rules(ctx, tx)
			if err != nil {
				return nil, err
			}
			return tx.FilesToReview(ctx, slice, rules.Myelin.Threshold(t.ReviewMyelin, plasticity.Days(s.now)), s.now.Add(-t.ReviewAfter), int64(t.ReviewsMost)+1)
		})
		if err != nil {
			return err
		}
		review := func(ctx context.Context, tx *store.Tx, rules plasticity.Rules, files []store.Strength) ([]int64, error) {
			return s.eachHabit(ctx, tx, files, func(h plasticity.Habit) (plasticity.Habit, bool, bool) { return rules.Review(h, s.now) })
		}
		if err := chunked(ctx, s, "reviewing", files, review, &c.NeuronsReviewed, &c.NeuronsForgotten); err != nil {
			return err
		}
	}
	return nil
}

// mine learns from the latest accesses of one project.
func (s *sleeper) mine(ctx context.Context, project memory.ProjectID, seen int64) error {
	t := s.tuning
	log := plasticity.Log{Seen: seen, Now: s.now}
	err := s.store.View(ctx, func(tx *store.Tx) (err error) {
		log.Accesses, err = tx.RecentAccesses(ctx, project, s.now.Add(-max(t.LogReach, t.PairWithin, t.ReplayWithin)), t.LogRows)
		return err
	})
	if err != nil {
		return err
	}
	found := s.findings(log)
	apply := func(ctx context.Context, tx *store.Tx, rules plasticity.Rules, found []finding) ([]int64, error) {
		return s.apply(ctx, tx, rules, project, found)
	}
	c := &s.report.Consolidation
	return chunked(ctx, s, "learning from the latest work", found, apply,
		&c.SynapsesStrengthened, &c.PatternsDiscovered, &c.TemporalPairsFound, &c.DirectionalBoosts, new(int64))
}

// finding is something a log says about a link.
type finding struct {
	pair plasticity.Pair
	by   int  // what found it, as counted
	new  bool // it may begin a link
	grow func(plasticity.Rules, plasticity.Link) (after plasticity.Link, grown bool)
}

const (
	byReplay = iota
	byPair
	byNearness
	byDirection
	byThree
	findingKinds
)

// findings goes through a log in every way there is. Replay only strengthens what is there; pairs and nearness may begin
// something, tagged until it is met again.
func (s *sleeper) findings(log plasticity.Log) (found []finding) {
	rules := plasticity.NewRules(s.config.Tuning, plasticity.Balance{}) // to look; what changes is judged by those of its transaction
	window := s.config.Tuning.Plasticity.Window
	for _, session := range rules.Worth(log) {
		s.report.Consolidation.SessionsReplayed++
		found = append(found, s.replay(session, window)...)
	}
	pairs := rules.Together(log)
	for _, p := range pairs {
		found = append(found, finding{pair: p, by: byPair, new: true, grow: func(r plasticity.Rules, l plasticity.Link) (plasticity.Link, bool) {
			return r.PairGrown(l, s.now)
		}})
	}
	for _, n := range rules.Near(log, window) {
		found = append(found, finding{pair: n.Pair, by: byNearness, new: true, grow: func(r plasticity.Rules, l plasticity.Link) (plasticity.Link, bool) {
			return r.NearGrown(l, n.Apart, s.now)
		}})
	}
	for _, w := range rules.Directions(log) {
		pair := plasticity.PairOf(w.From, w.To)
		found = append(found, finding{pair: pair, by: byDirection, grow: func(r plasticity.Rules, l plasticity.Link) (plasticity.Link, bool) {
			return r.Directed(l, w.From == pair[0], s.now)
		}})
	}
	for _, three := range rules.Threes(pairs) {
		s.report.Consolidation.TripletsFound++
		for _, pair := range []plasticity.Pair{{three[0], three[1]}, {three[0], three[2]}, plasticity.PairOf(three[1], three[2])} {
			found = append(found, finding{pair: pair, by: byThree, grow: func(r plasticity.Rules, l plasticity.Link) (plasticity.Link, bool) {
				return r.ThreeGrown(l, s.now)
			}})
		}
	}
	return found
}

// replay goes through a session as it was learned, link by link.
func (s *sleeper) replay(session []plasticity.Access, size int) (found []finding) {
	window := plasticity.NewWindow(size)
	positions := map[plasticity.Pair][]float64{}
	var pairs []plasticity.Pair
	for _, a := range session {
		for other, position := range window.Others(a.Neuron) {
			p := plasticity.PairOf(a.Neuron, other)
			if positions[p] == nil {
				pairs = append(pairs, p)
			}
			positions[p] = append(positions[p], position)
		}
		window.Touch(a.Neuron)
	}
	for _, p := range pairs {
		found = append(found, finding{pair: p, by: byReplay, grow: func(r plasticity.Rules, l plasticity.Link) (plasticity.Link, bool) {
			for _, position := range positions[p] {
				l = r.Replayed(l, position, s.now)
			}
			return l, true
		}})
	}
	return found
}

// apply lets findings grow the links as they are now.
func (s *sleeper) apply(ctx context.Context, tx *store.Tx, rules plasticity.Rules, project memory.ProjectID, found []finding) ([]int64, error) {
	counts := make([]int64, findingKinds)
	for _, f := range found {
		link, err := tx.Synapse(ctx, f.pair[0], f.pair[1])
		isNew := isNotFound(err)
		if isNew && f.new {
			var both bool
			both, err = s.present(ctx, tx, f.pair)
			if err == nil && !both {
				continue
			}
			link = store.NewSynapse(project, memory.OriginAgent, f.pair[0], f.pair[1])
		} else if isNew {
			continue
		}
		if err != nil {
			return nil, err
		}
		after, grown := f.grow(rules, link.Link)
		if !grown {
			continue
		}
		link.Link = after
		if err := tx.SaveSynapses(ctx, []store.Synapse{link}); err != nil {
			return nil, err
		}
		if isNew {
			if err := tx.Linked(ctx, f.pair[0], f.pair[1]); err != nil {
				return nil, err
			}
		}
		counts[f.by]++
	}
	return counts, nil
}

// present reports whether both ends of a pair are there.
func (s *sleeper) present(ctx context.Context, tx *store.Tx, p plasticity.Pair) (bool, error) {
	for _, id := range p {
		if n, err := tx.Neuron(ctx, id); isNotFound(err) || err == nil && n.Gone {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	return true, nil
}
