package brain

import (
	"cmp"
	"context"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// decay forgets the links that are dead, noise or abandoned, and the things nothing leads to any more. Fading itself needs
// no sleep.
func (s *sleeper) decay(ctx context.Context, look []store.Slice) error {
	var links []store.Synapse
	var lone []store.Strength
	var bridges int64
	err := s.store.View(ctx, func(tx *store.Tx) error {
		rules, err := s.rules(ctx, tx)
		if err != nil {
			return err
		}
		known := map[memory.NeuronID]store.Strength{}
		for i, slice := range look {
			s.in.Progress("looking for what is dead", float64(i)/float64(len(look)))
			doomed, weak, err := s.doomed(ctx, tx, rules, slice, known)
			if err != nil {
				return err
			}
			links, bridges = append(links, doomed...), bridges+weak
			alone, err := s.lone(ctx, tx, rules, slice)
			if err != nil {
				return err
			}
			lone = append(lone, alone...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.report.Decay.NoiseBridges = bridges
	if held, err := s.held(ctx, int64(len(links)+len(lone)), s.report.Links+s.report.Neurons); err != nil || held {
		return err
	}
	slices.SortStableFunc(links, func(a, b store.Synapse) int { // what was only imported goes first, then the weakest
		return cmp.Or(cmp.Compare(rank(a.Origin), rank(b.Origin)), cmp.Compare(max(a.AB, a.BA), max(b.AB, b.BA)))
	})
	d := &s.report.Decay
	went := make([]int64, len(linkReasons))
	counts := []*int64{&d.PrunedSynapses}
	for i := range went {
		counts = append(counts, &went[i])
	}
	if err := chunked(ctx, s, "forgetting links", links, s.letLinksGo, counts...); err != nil {
		return err
	}
	if err := chunked(ctx, s, "forgetting files", lone, s.letNeuronsGo, &d.PrunedNeurons); err != nil {
		return err
	}
	d.PrunedOrphans = d.PrunedNeurons
	d.Reasons = map[plasticity.Reason]int64{}
	for i, why := range linkReasons {
		if went[i] > 0 {
			d.Reasons[why] = went[i]
		}
	}
	if d.PrunedNeurons > 0 {
		d.Reasons[plasticity.Lone] = d.PrunedNeurons
	}
	if s.in.Dry {
		return nil
	}
	return s.write(ctx, func(tx *store.Tx, _ plasticity.Rules) error {
		_, err := tx.CloseForgotten(ctx, tx.Now.Add(-s.tuning.Restore))
		return err
	})
}

// linkReasons are why a link goes, in the order in which they are counted.
var linkReasons = []plasticity.Reason{plasticity.Dead, plasticity.Noise, plasticity.Abandoned, plasticity.Bridge, plasticity.Deleted}

// rank puts what nobody used before what somebody did.
func rank(o memory.Origin) int {
	if o == memory.OriginImport || o == memory.OriginRepo {
		return 0
	}
	return 1
}

// doomed finds the links of a slice that are to go, and counts the bridges of noise that are on their way.
func (s *sleeper) doomed(ctx context.Context, tx *store.Tx, rules plasticity.Rules, slice store.Slice, known map[memory.NeuronID]store.Strength) (doomed []store.Synapse, bridges int64, err error) {
	bounds := rules.Suspects(s.now)
	suspects, err := tx.Suspects(ctx, slice, bounds)
	if err != nil {
		return nil, 0, err
	}
	severed, err := tx.Severed(ctx, slice, bounds.Deleted)
	if err != nil {
		return nil, 0, err
	}
	seen := map[ends]bool{}
	for _, l := range append(suspects, severed...) {
		if seen[ends{l.A, l.B}] {
			continue
		}
		seen[ends{l.A, l.B}] = true
		_, goes, err := s.judge(ctx, tx, rules, l, known)
		if err != nil {
			return nil, 0, err
		}
		if goes {
			doomed = append(doomed, l)
		} else if l.CoAccesses <= int64(s.tuning.BridgeMet) {
			bridges++
		}
	}
	return doomed, bridges, nil
}

// judge says whether a link goes, and why.
func (s *sleeper) judge(ctx context.Context, tx *store.Tx, rules plasticity.Rules, l store.Synapse, known map[memory.NeuronID]store.Strength) (plasticity.Reason, bool, error) {
	var both [2]plasticity.End
	for i, id := range []memory.NeuronID{l.A, l.B} {
		n, ok := known[id]
		if !ok {
			var err error
			if n, err = tx.Neuron(ctx, id); err != nil {
				return "", false, err
			}
			known[id] = n
		}
		both[i] = n.End()
	}
	why, goes := rules.Doomed(l.Link, both[0], both[1], s.now)
	return why, goes, nil
}

// lone finds the things of a slice that nothing leads to.
func (s *sleeper) lone(ctx context.Context, tx *store.Tx, rules plasticity.Rules, slice store.Slice) ([]store.Strength, error) {
	day := plasticity.Days(s.now)
	return tx.LoneNeurons(ctx, slice, int64(s.tuning.LoneAccesses), rules.Myelin.Threshold(s.tuning.LoneMyelin, day),
		rules.Activation.Threshold(s.tuning.LoneActivation, day))
}

// letLinksGo forgets those of the links that are still to go.
func (s *sleeper) letLinksGo(ctx context.Context, tx *store.Tx, rules plasticity.Rules, links []store.Synapse) ([]int64, error) {
	counts := make([]int64, 1+len(linkReasons))
	known := map[memory.NeuronID]store.Strength{}
	for _, l := range links {
		now, err := tx.Synapse(ctx, l.A, l.B)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		why, goes, err := s.judge(ctx, tx, rules, now, known)
		if err != nil {
			return nil, err
		}
		if !goes {
			continue // somebody has used it since
		}
		if err := tx.LetSynapseGo(ctx, now, why, s.report.ID); err != nil {
			return nil, err
		}
		counts[0]++
		counts[1+slices.Index(linkReasons, why)]++
	}
	return counts, nil
}

// letNeuronsGo forgets those of the neurons that are still to go.
func (s *sleeper) letNeuronsGo(ctx context.Context, tx *store.Tx, rules plasticity.Rules, neurons []store.Strength) ([]int64, error) {
	counts := make([]int64, 1)
	for _, n := range neurons {
		now, err := tx.Neuron(ctx, n.ID)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if now.Gone || !rules.Forgettable(now.End(), now.Links, now.Accesses, s.now) {
			continue
		}
		if err := tx.LetNeuronGo(ctx, now, plasticity.Lone, s.report.ID); err != nil {
			return nil, err
		}
		counts[0]++
	}
	return counts, nil
}
