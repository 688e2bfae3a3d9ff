package sleep

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// decay forgets the links that are dead, noise or abandoned, and the things nothing leads to any more. Fading itself needs
// no sleep.
func (s *Sleeper) decay(ctx context.Context, projects []store.Graph) error {
	s.Report.Decay.Reasons = map[plasticity.Reason]int64{}
	problems := s.each(ctx, "looking for what is dead", projects, s.decayProject)
	return errors.Join(problems, s.closeForgotten(ctx))
}

func (s *Sleeper) decayProject(ctx context.Context, g store.Graph) error {
	var links []store.Synapse
	var ends map[memory.NeuronID]store.Strength
	var lone []store.Strength
	err := s.read(ctx, g.Project, func(tx *store.Tx, rules plasticity.Rules) (err error) {
		if links, ends, err = s.doomed(ctx, tx, rules, g); err != nil {
			return err
		}
		lone, err = s.lone(ctx, tx, rules, g)
		for _, n := range lone {
			s.example(plasticity.Lone, n.Key)
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(links, func(a, b store.Synapse) int { // what was only imported goes first, then the weakest
		return cmp.Or(cmp.Compare(rank(a.Origin), rank(b.Origin)), cmp.Compare(max(a.AB, a.BA), max(b.AB, b.BA)))
	})
	d := &s.Report.Decay
	before := d.PrunedNeurons
	went := make([]int64, len(linkReasons))
	counts := []*int64{&d.PrunedSynapses}
	for i := range went {
		counts = append(counts, &went[i])
	}
	if err := chunked(ctx, s, g.Project, "forgetting links", links, s.forgetLinks, counts...); err != nil {
		return err
	}
	alone := append(lone, leftAlone(links, ends)...)
	if err := chunked(ctx, s, g.Project, "forgetting files", alone, s.forgetNeurons, &d.PrunedNeurons); err != nil {
		return err
	}
	d.PrunedOrphans = d.PrunedNeurons
	for i, why := range linkReasons {
		if went[i] > 0 {
			d.Reasons[why] += went[i]
		}
	}
	if n := d.PrunedNeurons - before; n > 0 {
		d.Reasons[plasticity.Lone] += n
	}
	return nil
}

// closeForgotten ends the time to bring back what was forgotten many days of work ago.
func (s *Sleeper) closeForgotten(ctx context.Context) error {
	if s.in.Dry {
		return nil // it is not counted
	}
	_, err := s.repeat(ctx, func(tx *store.Tx, most int) (int64, error) {
		days, err := s.workDays(ctx, tx, 0)
		if err != nil {
			return 0, err
		}
		return tx.CloseForgotten(ctx, days.Back(s.Tuning.Restore, s.Now), most)
	})
	return err
}

// linkReasons are why a link goes, in the order in which they are counted.
var linkReasons = []plasticity.Reason{plasticity.Dead, plasticity.Noise, plasticity.Abandoned, plasticity.Bridge, plasticity.Deleted}

// example keeps the names of something that goes, a few for each reason.
func (s *Sleeper) example(why plasticity.Reason, what ...string) {
	d := &s.Report.Decay
	named := 0
	for _, e := range d.Examples {
		if e.Why == why {
			named++
		}
	}
	if named < examplesNamed {
		d.Examples = append(d.Examples, Example{What: what, Why: why})
	}
}

const examplesNamed = 3 // for each reason: enough to recognise what is meant

// rank puts what nobody used before what somebody did.
func rank(o memory.Origin) int {
	if o == memory.OriginImport || o == memory.OriginRepo {
		return 0
	}
	return 1
}

// doomed finds the links of a graph that are to go, with their ends, and counts the bridges of noise that are on their way.
func (s *Sleeper) doomed(
	ctx context.Context, tx *store.Tx, rules plasticity.Rules, g store.Graph,
) (doomed []store.Synapse, known map[memory.NeuronID]store.Strength, err error) {
	bounds := rules.Suspects(s.Now)
	suspects, err := tx.Suspects(ctx, g, bounds)
	if err != nil {
		return nil, nil, err
	}
	severed, err := tx.Severed(ctx, g, bounds.Deleted)
	if err != nil {
		return nil, nil, err
	}
	list := slices.CompactFunc(inOrder(append(suspects, severed...)), func(a, b store.Synapse) bool { return a.A == b.A && a.B == b.B })
	if known, err = endsOfLinks(ctx, tx, list); err != nil {
		return nil, nil, err
	}
	for _, l := range list {
		a, b := known[l.A].End(), known[l.B].End()
		if why, goes := rules.Doomed(l.Link, a, b, s.Now); goes {
			doomed = append(doomed, l)
			s.example(why, known[l.A].Key, known[l.B].Key)
		} else if rules.Bridged(l.Link, a, b, s.Now) {
			s.Report.Decay.NoiseBridges++
		}
	}
	return doomed, known, nil
}

// inOrder sorts links by their ends, as the store keeps them.
func inOrder(links []store.Synapse) []store.Synapse {
	slices.SortFunc(links, func(a, b store.Synapse) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	return links
}

// endsOfLinks reads the neurons at the ends of links.
func endsOfLinks(ctx context.Context, tx *store.Tx, links []store.Synapse) (map[memory.NeuronID]store.Strength, error) {
	ids := map[memory.NeuronID]bool{}
	for _, l := range links {
		ids[l.A], ids[l.B] = true, true
	}
	return tx.NeuronsByID(ctx, slices.Sorted(maps.Keys(ids)))
}

// lone finds the things of a graph that nothing leads to.
func (s *Sleeper) lone(ctx context.Context, tx *store.Tx, rules plasticity.Rules, g store.Graph) ([]store.Strength, error) {
	day := plasticity.Days(s.Now)
	return tx.LoneNeurons(ctx, g, plasticity.LoneAccesses, rules.Myelin.Threshold(plasticity.LoneMyelin, day),
		rules.Activation.Threshold(plasticity.LoneActivation, day))
}

// leftAlone are the ends that have no other links than those that go. Whether they go as well is decided when they do.
func leftAlone(links []store.Synapse, ends map[memory.NeuronID]store.Strength) (alone []store.Strength) {
	lost := map[memory.NeuronID]int64{}
	for _, l := range links {
		lost[l.A]++
		lost[l.B]++
	}
	for _, id := range slices.Sorted(maps.Keys(lost)) {
		if n := ends[id]; !n.Gone && n.Links <= lost[id] {
			alone = append(alone, n)
		}
	}
	return alone
}

// forgetLinks forgets those of the links that are still to go.
func (s *Sleeper) forgetLinks(ctx context.Context, tx *store.Tx, rules plasticity.Rules, links []store.Synapse) ([]int64, error) {
	known, err := endsOfLinks(ctx, tx, links)
	if err != nil {
		return nil, err
	}
	pairs := make([]plasticity.Pair, len(links))
	for i, l := range links {
		pairs[i] = plasticity.Pair{l.A, l.B}
	}
	still, err := tx.SynapsesOf(ctx, pairs)
	if err != nil {
		return nil, err
	}
	counts := make([]int64, 1+len(linkReasons))
	var gone []store.Gone
	for _, p := range pairs {
		now, exists := still[p]
		if !exists {
			continue
		}
		why, goes := rules.Doomed(now.Link, known[now.A].End(), known[now.B].End(), s.Now)
		if !goes {
			continue // somebody has used it since
		}
		gone = append(gone, store.Gone{A: now.A, B: now.B, Project: now.Project, Reason: why, Sleep: s.Report.ID, Synapse: &now})
		counts[0]++
		counts[1+slices.Index(linkReasons, why)]++
	}
	return counts, tx.Prune(ctx, gone...)
}

// forgetNeurons forgets those of the neurons that are still to go.
func (s *Sleeper) forgetNeurons(ctx context.Context, tx *store.Tx, rules plasticity.Rules, neurons []store.Strength) ([]int64, error) {
	ids := make([]memory.NeuronID, len(neurons))
	for i, n := range neurons {
		ids[i] = n.ID
	}
	known, err := tx.NeuronsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	var gone []store.Gone
	for _, id := range ids {
		n, exists := known[id]
		if exists && !n.Gone && rules.Forgettable(n.End(), n.Links, n.Accesses, s.Now) {
			gone = append(gone, store.Gone{A: id, Project: n.Project, Reason: plasticity.Lone, Sleep: s.Report.ID, Neuron: &n})
		}
	}
	return []int64{int64(len(gone))}, tx.Prune(ctx, gone...)
}
