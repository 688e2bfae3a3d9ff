package record

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	pairCommits = 3  // commits two files must share to be wired by history (once or twice is chance)
	pairsOfFile = 20 // files most often changed with a file that history wires it to (ranking reads the commits themselves)
)

// Anew is what a project is relearned with. Its methods may be asked of nil: while events arrive, nothing is kept back.
type Anew struct {
	Counted   map[memory.NeuronID]int64 // accesses gone through
	Registers []store.Register          // that the project has had, the first one first
	Reach     *store.Reach              // nil: everything is relearned
	Heat      bool                      // of all files: the project's clock was set back
}

// Again is a copy for one transaction, which counts on its own.
func (a *Anew) Again() *Anew {
	c := *a
	c.Counted = maps.Clone(a.Counted)
	return &c
}

// partial says that some of a project is relearned, and the rest kept.
func (a *Anew) partial() bool { return a != nil && a.Reach != nil }

// KeepsNeuron says that a neuron stays as it is.
func (a *Anew) KeepsNeuron(id memory.NeuronID) bool { return a.partial() && !a.Reach.Neurons[id] }

// keepsSession says that the errors a session met and the suggestions it was shown stay as they are.
func (a *Anew) keepsSession(id memory.SessionID) bool { return a.partial() && !a.Reach.Sessions[id] }

// KeepsLink says that a link stays as it is: one end was not reached, or no session taught it.
func (a *Anew) KeepsLink(s store.Synapse) bool {
	return a.partial() && (a.KeepsNeuron(s.A) || a.KeepsNeuron(s.B) || s.Origin == memory.OriginRepo || s.Origin == memory.OriginImport)
}

// keepsHeat says that the heat of a file stays as it is.
func (a *Anew) keepsHeat(id memory.NeuronID) bool { return a.KeepsNeuron(id) && !a.Heat }

// registerAt is how a project was scaled when an event was first learned from.
func (a *Anew) registerAt(seq int64) (weight, myelin plasticity.Stored) {
	for _, r := range slices.Backward(a.Registers) {
		if r.After < seq {
			return r.Weight, r.Myelin
		}
	}
	return 0, 0
}

// seed wires two neurons, if they are known, by evidence other than their use, unless their link is stronger. What sleep has
// forgotten does not come back by older evidence; at is when it happened, zero for always.
func (r *Recorder) seed(ctx context.Context, one, other memory.NeuronID, origin memory.Origin, weight plasticity.Stored, at time.Time) error {
	a, errA := r.Neuron(ctx, one)
	b, errB := r.Neuron(ctx, other)
	if brain.IsNotFound(errA) || brain.IsNotFound(errB) || r.Anew.KeepsNeuron(one) || r.Anew.KeepsNeuron(other) {
		return nil
	}
	if err := errors.Join(errA, errB); err != nil {
		return err
	}
	if err := r.load(ctx, a.Project, a.ID, []memory.NeuronID{b.ID}); err != nil {
		return err
	}
	key := plasticity.PairOf(a.ID, b.ID)
	if known, err := r.comesBack(ctx, a.Project, key, at); err != nil || !known {
		return err
	}
	link := r.links[key]
	if !r.fresh[key] && (origin == memory.OriginImport || r.Anew.KeepsLink(*link)) {
		return nil // said before; a second reading makes it no truer
	}
	if r.fresh[key] {
		delete(r.fresh, key)
		link.Origin, link.LastAt = origin, r.Tx.Now
		a.Links++
		b.Links++
	}
	link.AB, link.BA = max(link.AB, weight), max(link.BA, weight)
	return nil
}

// Hint is a link that something other than use suggests.
type Hint struct {
	A, B   string // paths
	Origin memory.Origin
	Weight float64
	at     time.Time // of the latest evidence; zero: it was always so
}

// HintsOfHistory are what a project's commits suggest, from one on.
func HintsOfHistory(ctx context.Context, b *brain.Brain, project memory.ProjectID, from int) ([]Hint, error) {
	return brain.View(ctx, b.Store, func(tx *store.Tx) ([]Hint, error) {
		p, err := Pasts(b).Of(ctx, tx, project)
		if err != nil {
			return nil, err
		}
		defer Pasts(b).Put(p)
		rules, err := b.Rules(ctx, tx, project)
		if err != nil {
			return nil, err
		}
		pairs, most := p.Image.Pairs(from, pairCommits, pairsOfFile)
		hints := make([]Hint, len(pairs))
		for i, pair := range pairs {
			hints[i] = Hint{
				A: p.Image.File(pair.A).Path, B: p.Image.File(pair.B).Path,
				Origin: memory.OriginRepo, Weight: rules.GitSeed(pair.Commits, most), at: pair.Last,
			}
		}
		return hints, nil
	})
}

// Wire takes hints in, for files that are known.
func (r *Recorder) Wire(ctx context.Context, project memory.ProjectID, hints []Hint) error {
	if err := r.useRules(ctx, project, math.MaxInt64); err != nil {
		return err
	}
	day := plasticity.Days(r.Tx.Now)
	for _, h := range hints {
		one, other := memory.NewNeuronID(project, memory.FileNeuron, h.A), memory.NewNeuronID(project, memory.FileNeuron, h.B)
		if err := r.seed(ctx, one, other, h.Origin, r.rules.Weight.Store(h.Weight, day), h.at); err != nil {
			return err
		}
	}
	return nil
}
