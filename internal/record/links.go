package record

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

// wireToView moves the links between a neuron that was met and what its session has in view.
func (a *association) wireToView(ctx context.Context, e memory.StoredEvent, id memory.NeuronID, window *plasticity.Window) error {
	n, err := a.Neuron(ctx, id)
	if err != nil {
		return err
	}
	var others []memory.NeuronID
	var positions []float64
	for other, position := range window.Others(id) {
		others, positions = append(others, other), append(positions, position)
	}
	if err := errors.Join(a.loadNeurons(ctx, others), a.load(ctx, e.Project, id, others)); err != nil {
		return err
	}
	for i, other := range others {
		o, there := a.neurons[other]
		if !there { // another process may have forgotten it
			continue
		}
		known, err := a.comesBack(ctx, e.Project, plasticity.PairOf(id, other), e.At)
		if err != nil {
			return err
		}
		if !known {
			continue
		}
		a.step(n, o, plasticity.Stimulus{
			Position: positions[i], Error: n.Kind == memory.ErrorNeuron || o.Kind == memory.ErrorNeuron,
			Degree: int(max(n.Links, o.Links)), Event: e.ID, Session: e.Session, At: e.At,
		})
	}
	return nil
}

// comesBack decides about a link that is not there: one that sleep has forgotten begins anew when it is met again, not when
// evidence from before is gone through once more.
func (a *association) comesBack(ctx context.Context, project memory.ProjectID, key plasticity.Pair, at time.Time) (bool, error) {
	if !a.fresh[key] {
		return true, nil
	}
	lossy, known := a.lossy[project]
	if !known {
		var err error
		if lossy, err = a.Tx.AnyForgotten(ctx, project); err != nil {
			return false, err
		}
		a.lossy[project] = lossy
	}
	if !lossy {
		return true, nil
	}
	gone, err := a.Tx.ForgottenAt(ctx, key[0], key[1])
	if brain.IsNotFound(err) {
		return true, nil
	}
	if err != nil || !at.After(gone) && !gone.After(a.Tx.Now) { // one dated ahead was forgotten by a wrong clock
		return false, err
	}
	return true, a.Tx.Remembered(ctx, key[0], key[1])
}

// loadNeurons reads neurons that are not in hand yet, as far as they exist.
func (a *association) loadNeurons(ctx context.Context, ids []memory.NeuronID) error {
	var missing []memory.NeuronID
	for _, id := range ids {
		if _, ok := a.neurons[id]; !ok {
			missing = append(missing, id)
		}
	}
	found, err := a.Tx.NeuronsByID(ctx, missing)
	for id, n := range found {
		a.neurons[id], a.were[id] = &n, n
	}
	return err
}

// load reads the links between a neuron and others that are not in hand yet. The store is not asked about a neuron in hand that has none.
func (a *association) load(ctx context.Context, project memory.ProjectID, id memory.NeuronID, others []memory.NeuronID) error {
	var missing, asked []plasticity.Pair
	alone := func(id memory.NeuronID) bool { n := a.neurons[id]; return n != nil && n.Links == 0 }
	for _, o := range others {
		if key := plasticity.PairOf(id, o); a.links[key] == nil {
			missing = append(missing, key)
			if !alone(id) && !alone(o) {
				asked = append(asked, key)
			}
		}
	}
	found, err := a.Tx.SynapsesOf(ctx, asked)
	if err != nil {
		return err
	}
	for _, key := range missing {
		s, known := found[key]
		if !known {
			s, a.fresh[key] = store.NewSynapse(project, memory.OriginAgent, key[0], key[1]), true
		}
		a.links[key] = &s
	}
	return nil
}

// step lets two neurons met together move their link.
func (a *association) step(one, other *store.Strength, s plasticity.Stimulus) {
	key := plasticity.PairOf(one.ID, other.ID)
	link := a.links[key]
	link.Link = a.rules.Step(link.Link, s)
	if link.Origin == memory.OriginRepo || link.Origin == memory.OriginImport {
		link.Origin = memory.OriginAgent // a session has confirmed it
	}
	if a.fresh[key] && link.CoAccesses > 0 {
		delete(a.fresh, key)
		one.Links++
		other.Links++
	}
}

// saveLinks writes the links in hand and drops them.
func (a *association) saveLinks(ctx context.Context) error {
	var changed []store.Synapse
	for key, s := range a.links {
		if !a.fresh[key] {
			changed = append(changed, *s)
		}
	}
	clear(a.links)
	clear(a.fresh)
	slices.SortFunc(changed, func(x, y store.Synapse) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) }) // as they lie in the store
	return a.Tx.SaveSynapses(ctx, changed)
}
