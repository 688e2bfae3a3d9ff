package record

import (
	"context"
	"errors"
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

// seed wires two neurons, if they are known, by evidence other than their use, unless their link is stronger. What sleep has
// forgotten does not come back by older evidence; at is when it happened, zero for always.
func (a *association) seed(ctx context.Context, one, other memory.NeuronID, origin memory.Origin, weight plasticity.Stored, at time.Time) error {
	from, errFrom := a.Neuron(ctx, one)
	to, errTo := a.Neuron(ctx, other)
	if brain.IsNotFound(errFrom) || brain.IsNotFound(errTo) {
		return nil
	}
	if err := errors.Join(errFrom, errTo); err != nil {
		return err
	}
	if err := a.load(ctx, from.Project, one, []memory.NeuronID{other}); err != nil {
		return err
	}
	key := plasticity.PairOf(one, other)
	if known, err := a.comesBack(ctx, from.Project, key, at); err != nil || !known {
		return err
	}
	link := a.links[key]
	if !a.fresh[key] && origin == memory.OriginImport {
		return nil // said before; a second reading makes it no truer
	}
	if a.fresh[key] {
		delete(a.fresh, key)
		link.Origin, link.LastAt = origin, a.Tx.Now
		from.Links++
		to.Links++
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
func HintsOfHistory(ctx context.Context, st *store.Store, pasts *PastCache, project memory.ProjectID, from int) (hints []Hint, err error) {
	err = pasts.View(ctx, st, project, func(_ *store.Tx, p *Past) error {
		pairs, most := p.Image.Pairs(from, pairCommits, pairsOfFile)
		for _, pair := range pairs {
			hints = append(hints, Hint{
				A: p.Image.File(pair.A).Path, B: p.Image.File(pair.B).Path,
				Origin: memory.OriginRepo, Weight: plasticity.GitSeed(pair.Commits, most), at: pair.Last,
			})
		}
		return nil
	})
	return hints, err
}

// Wire takes hints in, for files that are known.
func (a *association) Wire(ctx context.Context, project memory.ProjectID, hints []Hint) error {
	if err := a.useRules(ctx, project); err != nil {
		return err
	}
	day := plasticity.Days(a.Tx.Now)
	for _, h := range hints {
		one, other := memory.NewNeuronID(project, memory.FileNeuron, h.A), memory.NewNeuronID(project, memory.FileNeuron, h.B)
		if err := a.seed(ctx, one, other, h.Origin, a.rules.Weight.Store(h.Weight, day), h.at); err != nil {
			return err
		}
	}
	return nil
}
