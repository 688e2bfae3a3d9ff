// Package inspect lists and counts the content of the memory, counts what agents were shown and what
// became of it, and has the timeline and the doctor. It writes nothing, except that the doctor
// updates the files for people.
package inspect

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/store"
)

// reading makes an operation of a read transaction.
func reading[In, Out any](
	name string, read func(ctx context.Context, b *brain.Brain, tx *store.Tx, in In) (Out, error),
) brain.Operation[In, Out] {
	return brain.Operation[In, Out]{Name: name, Run: func(ctx context.Context, b *brain.Brain, in In) (Out, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (Out, error) { return read(ctx, b, tx, in) })
	}}
}

// strengths makes an operation that lists the neurons which a filter chooses in a scope.
func strengths[In interface{ Chosen() brain.Scope }](
	name string, filter func(In) store.NeuronFilter,
) brain.Operation[In, []brain.NeuronState] {
	return reading(name, func(ctx context.Context, b *brain.Brain, tx *store.Tx, in In) ([]brain.NeuronState, error) {
		id, err := brain.Resolve(ctx, tx, b.Config, in.Chosen())
		if err != nil {
			return nil, err
		}
		f := filter(in)
		f.Project = id
		return states(ctx, tx, b.Numbers.Plasticity, f)
	})
}

func states(ctx context.Context, tx *store.Tx, p plasticity.Params, f store.NeuronFilter) ([]brain.NeuronState, error) {
	neurons, err := tx.Neurons(ctx, f)
	found := []brain.NeuronState{}
	for _, n := range neurons {
		if f.Order == store.ByLinks && n.Links == 0 {
			continue
		}
		r, err := brain.NewReader(ctx, tx, p, n.Project)
		if err != nil {
			return nil, err
		}
		found = append(found, r.State(n))
	}
	return found, err
}

// NeuronsInput chooses neurons.
type NeuronsInput struct {
	brain.Scope `flag:"all"`
	Kind        memory.NeuronKind `json:"kind,omitempty" flag:"kind,k" about:"only this kind"`
	Limit       int               `json:"limit,omitempty" flag:"limit,n"`
}

// Neurons lists what is known, the most touched first.
var Neurons = strengths("neurons", func(in NeuronsInput) store.NeuronFilter {
	return store.NeuronFilter{Kind: in.Kind, Limit: in.Limit}
})

// Hubs lists the neurons with the most links.
var Hubs = strengths("hubs", func(in brain.ListInput) store.NeuronFilter {
	return store.NeuronFilter{Order: store.ByLinks, Limit: in.Limit}
})

// Highways lists the files that sessions keep coming back to.
var Highways = reading("highways", func(ctx context.Context, b *brain.Brain, tx *store.Tx, in brain.ListInput) ([]ranking.Highway, error) {
	ids, err := ranking.Scoped(ctx, b.Config, tx, in.Scope)
	found := []ranking.Highway{}
	for _, id := range ids {
		some, failed := ranking.NewQuery(b, tx).Highways(ctx, id)
		found, err = append(found, some...), errors.Join(err, failed)
	}
	if in.Limit > 0 {
		found = found[:min(len(found), in.Limit)]
	}
	return found, err
})

// Streaks lists the files whose suggestions agents ignored, and their standing.
var Streaks = strengths("streaks", func(in brain.ListInput) store.NeuronFilter {
	return store.NeuronFilter{Ignored: true, Order: store.ByIgnored, Limit: in.Limit}
})

// SynapsesInput chooses links: those of one file, or the strongest of all.
type SynapsesInput struct {
	brain.Scope `flag:"all"`
	File        string `json:"file,omitempty" arg:"1"`
	Limit       int    `json:"limit,omitempty" flag:"limit,n"`
}

// Synapses lists what belongs together, the strongest first.
var Synapses = reading("synapses", synapses)

func synapses(ctx context.Context, b *brain.Brain, tx *store.Tx, in SynapsesInput) ([]brain.SynapseState, error) {
	filter := store.SynapseFilter{Living: true, Limit: in.Limit}
	id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
	filter.Project = id
	if err == nil && in.File != "" {
		var n store.Strength
		n, err = sleep.NamedNeuron(ctx, tx, id, in.Dir, in.File)
		filter.Project, filter.Neuron, filter.Living = n.Project, n.ID, false // a named file may be gone
	}
	if err != nil {
		return nil, err
	}
	links, err := tx.StrongestSynapses(ctx, filter)
	if err != nil {
		return nil, err
	}
	ends := map[memory.NeuronID]brain.End{}
	found := make([]brain.SynapseState, len(links))
	for i, l := range links {
		a, err := sleep.End(ctx, tx, l.A, ends)
		if err != nil {
			return nil, err
		}
		z, err := sleep.End(ctx, tx, l.B, ends)
		if err != nil {
			return nil, err
		}
		r, err := b.Reader(ctx, tx, l.Project)
		if err != nil {
			return nil, err
		}
		found[i] = r.Synapse(l, a, z, filter.Neuron)
	}
	return found, countCommits(ctx, record.Pasts(b), tx, found)
}

// countCommits adds the number of commits that changed both ends. It is counted from the past of
// the project; the store does not keep it.
func countCommits(ctx context.Context, pasts *record.PastCache, tx *store.Tx, links []brain.SynapseState) error {
	byProject := map[memory.ProjectID][]*brain.SynapseState{}
	for i := range links {
		byProject[links[i].Project] = append(byProject[links[i].Project], &links[i])
	}
	for id, of := range byProject {
		p, err := pasts.Of(ctx, tx, id)
		if err != nil {
			return err
		}
		for _, l := range of {
			if l.From.Kind == memory.FileNeuron && l.To.Kind == memory.FileNeuron {
				l.CoCommits, l.LastCommit = commitsOfBoth(p, l.From.Key, l.To.Key)
			}
		}
		pasts.Put(p)
	}
	return nil
}

// commitsOfBoth counts the commits that changed two files, and says when the last one was.
func commitsOfBoth(p *record.Past, one, other string) (n int64, last time.Time) {
	a, knownA := p.Image.Find(one)
	z, knownZ := p.Image.Find(other)
	if !knownA || !knownZ {
		return 0, last
	}
	for _, no := range p.Image.Of(a) {
		e := p.Image.Episode(no)
		if e.Kind == recall.CommitEpisode && slices.Contains(e.Files, z) {
			n++
			if e.At.After(last) {
				last = e.At
			}
		}
	}
	return n, last
}
