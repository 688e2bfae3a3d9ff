package record

import (
	"context"
	"errors"

	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

// commit takes a commit into the past of its project.
func (a *association) commit(ctx context.Context, seq int64, e memory.StoredEvent) error {
	p, err := a.Past(ctx, e.Project)
	if err != nil {
		return err
	}
	p.Image.Commit(e.At, seq, e.Text, e.Touches, e.Tool == memory.WideCommit)
	for _, t := range recall.InOrder(e.Touches) {
		n, err := a.changed(ctx, e, t)
		if err != nil {
			return err
		}
		switch t.Kind {
		case memory.Delete:
			n.Gone = true
		case memory.Rename:
			if err := a.rename(ctx, e, memory.NewNeuronID(e.Project, memory.FileNeuron, t.From), n); err != nil {
				return err
			}
		}
	}
	return nil
}

// changed lets a file grow by a commit. What a robot commits, and generated files that come along, count as met and do not
// grow: nobody had them in mind.
func (a *association) changed(ctx context.Context, e memory.StoredEvent, t memory.Touch) (*store.Strength, error) {
	id := memory.NewNeuronID(e.Project, memory.FileNeuron, t.Path)
	if e.Subagent != git.BotSubagent && t.Kind != memory.Mention {
		return a.grow(ctx, e, id)
	}
	n, err := a.Neuron(ctx, id)
	if err != nil {
		return nil, err
	}
	n.Activation = max(n.Activation, a.rules.Activation.Store(1, plasticity.Days(e.At))) // sleep must not take it for something of long ago
	if n.Gone {
		n.Gone = false
		return n, a.Tx.Remembered(ctx, id, 0)
	}
	return n, nil
}

// rename hands what a file has grown and learned to its new name.
func (a *association) rename(ctx context.Context, e memory.StoredEvent, from memory.NeuronID, to *store.Strength) error {
	old, err := a.Neuron(ctx, from)
	if errors.Is(err, memory.ErrNotFound) {
		return nil // never met under its old name
	}
	if err != nil {
		return err
	}
	old.Gone = true
	day := plasticity.Days(e.At)
	myelin := max(a.rules.Myelin.Value(old.Myelin, day), a.rules.Myelin.Value(to.Myelin, day))
	to.Myelin = a.rules.Myelin.Store(myelin, day)
	to.Peak = to.Myelin
	to.Ignored, to.Standing = old.Ignored, old.Standing
	if err := a.saveLinks(ctx); err != nil { // those in hand are moved with those in the store
		return err
	}
	clear(a.views)
	if err := a.moveHeat(ctx, e, old.ID, to.ID); err != nil {
		return err
	}
	return a.moveLinks(ctx, old, to)
}

func (a *association) moveLinks(ctx context.Context, old, to *store.Strength) error {
	links, err := a.Tx.StrongestSynapses(ctx, store.SynapseFilter{Project: old.Project, Neuron: old.ID})
	if err != nil {
		return err
	}
	for _, s := range links {
		other := s.A + s.B - old.ID
		if err := a.Tx.DeleteSynapse(ctx, s.A, s.B); err != nil {
			return err
		}
		old.Links--
		end, err := a.Neuron(ctx, other)
		if err != nil {
			return err
		}
		known, err := a.Tx.SynapsesOf(ctx, []plasticity.Pair{plasticity.PairOf(to.ID, other)})
		if err != nil {
			return err
		}
		if other == to.ID || len(known) > 0 { // it has a link of its own there
			end.Links--
			continue
		}
		moved := store.NewSynapse(s.Project, s.Origin, to.ID, other)
		moved.Link = s.Link
		if (s.A == old.ID) != (moved.A == to.ID) {
			moved.AB, moved.BA = s.BA, s.AB
		}
		to.Links++
		err = errors.Join(a.Tx.SaveSynapses(ctx, []store.Synapse{moved}), a.Tx.Remembered(ctx, moved.A, moved.B))
		if err != nil {
			return err
		}
	}
	return nil
}
