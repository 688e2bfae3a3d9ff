package brain

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	pairCommits = 3  // commits two files must share to be wired by history (once or twice is chance)
	pairsOfFile = 20 // most frequent companions of a file that history wires it to (ranking reads the commits themselves)
)

// anew is what a project is learned anew with. Its methods may be asked of nil: while events arrive, nothing is kept back.
type anew struct {
	counted   map[memory.NeuronID]int64 // accesses gone through
	registers []store.Register          // that the project has had, the first one first
	reach     *store.Reach              // nil: everything is learned anew
	heat      bool                      // of all files: the project's clock was set back
}

// again is a copy for one transaction, which counts on its own.
func (a *anew) again() *anew {
	c := *a
	c.counted = maps.Clone(a.counted)
	return &c
}

// partial says that some of a project is learned anew, and the rest kept.
func (a *anew) partial() bool { return a != nil && a.reach != nil }

// keepsNeuron says that a neuron stays as it is.
func (a *anew) keepsNeuron(id memory.NeuronID) bool { return a.partial() && !a.reach.Neurons[id] }

// keepsSession says that the errors a session met and the suggestions it was shown stay as they are.
func (a *anew) keepsSession(id memory.SessionID) bool { return a.partial() && !a.reach.Sessions[id] }

// keepsLink says that a link stays as it is: one end was not reached, or no session taught it.
func (a *anew) keepsLink(s store.Synapse) bool {
	return a.partial() && (a.keepsNeuron(s.A) || a.keepsNeuron(s.B) || s.Origin == memory.OriginRepo || s.Origin == memory.OriginImport)
}

// keepsHeat says that the heat of a file stays as it is.
func (a *anew) keepsHeat(id memory.NeuronID) bool { return a.keepsNeuron(id) && !a.heat }

// registerAt is how a project was scaled when an event was first learned from.
func (a *anew) registerAt(seq int64) (weight, myelin plasticity.Stored) {
	for _, r := range slices.Backward(a.registers) {
		if r.After < seq {
			return r.Weight, r.Myelin
		}
	}
	return 0, 0
}

// seed wires two neurons by evidence other than their use, unless they know each other better. What sleep has let go does
// not come back by evidence older than that; at is when it happened, zero for always.
func (r *recorder) seed(ctx context.Context, a, b *store.Strength, origin memory.Origin, weight plasticity.Stored, at time.Time) error {
	if r.anew.keepsNeuron(a.ID) || r.anew.keepsNeuron(b.ID) {
		return nil
	}
	if err := r.load(ctx, a.Project, a.ID, []memory.NeuronID{b.ID}); err != nil {
		return err
	}
	key := endsOf(a.ID, b.ID)
	if known, err := r.comesBack(ctx, a.Project, key, at); err != nil || !known {
		return err
	}
	link := r.links[key]
	if !r.fresh[key] && (origin == memory.OriginImport || r.anew.keepsLink(*link)) {
		return nil // said before; a second reading makes it no truer
	}
	if r.fresh[key] {
		delete(r.fresh, key)
		link.Origin, link.LastAt = origin, r.tx.Now
		a.Links++
		b.Links++
	}
	link.AB, link.BA = max(link.AB, weight), max(link.BA, weight)
	return nil
}

// hint is a link that something other than use suggests.
type hint struct {
	a, b   string // paths
	origin memory.Origin
	weight float64
	at     time.Time // of the latest evidence; zero: it was always so
}

// hintsOfHistory are what a project's commits suggest, from one on.
func (b *Brain) hintsOfHistory(ctx context.Context, project memory.ProjectID, from int) ([]hint, error) {
	return viewed(ctx, b, func(tx *store.Tx) ([]hint, error) {
		p, err := b.past(ctx, tx, project)
		if err != nil {
			return nil, err
		}
		defer b.pasts().put(p)
		rules, err := b.rules(ctx, tx, project)
		return historyLinks(p, from, rules), err
	})
}

// historyLinks are what a project's commits suggest, from one on.
func historyLinks(p *past, from int, rules plasticity.Rules) []hint {
	pairs, most := p.image.Pairs(from, pairCommits, pairsOfFile)
	hints := make([]hint, len(pairs))
	for i, pair := range pairs {
		hints[i] = hint{
			a: p.image.File(pair.A).Path, b: p.image.File(pair.B).Path,
			origin: memory.OriginRepo, weight: rules.GitSeed(pair.Commits, most), at: pair.Last,
		}
	}
	return hints
}

// wire takes hints in, for files that are known.
func (r *recorder) wire(ctx context.Context, project memory.ProjectID, hints []hint) error {
	if err := r.useRules(ctx, project, math.MaxInt64); err != nil {
		return err
	}
	day := plasticity.Days(r.tx.Now)
	for _, h := range hints {
		a, errA := r.neuron(ctx, memory.NewNeuronID(project, memory.FileNeuron, h.a))
		b, errB := r.neuron(ctx, memory.NewNeuronID(project, memory.FileNeuron, h.b))
		if isNotFound(errA) || isNotFound(errB) {
			continue
		}
		if err := errors.Join(errA, errB); err != nil {
			return err
		}
		if err := r.seed(ctx, a, b, h.origin, r.rules.Weight.Store(h.weight, day), h.at); err != nil {
			return err
		}
	}
	return nil
}
