// Package inspect lists and counts the content of the memory, measures what was gained by what
// agents were shown, and has the timeline and the doctor. It writes nothing, except that the doctor
// updates the files for people.
package inspect

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/config"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	graphBranches = 6 // links of a file that hebb graph draws (what fits on a screen)
	graphTwigs    = 2 // links of each of these that hebb graph draws (what fits on a screen)
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
	brain.Scope
	Kind  memory.NeuronKind `json:"kind,omitempty"`
	Limit int               `json:"limit,omitempty"`
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
	brain.Scope
	File  string `json:"file,omitempty"`
	Limit int    `json:"limit,omitempty"`
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

// GraphInput chooses the root of a graph.
type GraphInput struct {
	brain.Scope
	File string `json:"file,omitempty"` // empty: the one with the most links
}

// GraphNode is a neuron with its strongest links.
type GraphNode struct {
	brain.End
	Accesses   int64         `json:"accesses"`
	Links      int64         `json:"links"`
	Weight     float64       `json:"weight,omitempty"` // of the link to it
	CoAccesses int64         `json:"co_accesses,omitempty"`
	Origin     memory.Origin `json:"origin,omitempty"`
	Companions []GraphNode   `json:"companions"`
}

// GraphResult is a file, its strongest links and theirs. Each neuron occurs once.
type GraphResult struct {
	Root *GraphNode `json:"root,omitempty"` // nil where nothing is known
}

// Graph shows a file with its strongest links and theirs.
var Graph = reading("graph", func(ctx context.Context, b *brain.Brain, tx *store.Tx, in GraphInput) (out GraphResult, err error) {
	root, err := rootNeuron(ctx, b.Config, tx, in)
	if err == nil && root != nil {
		out.Root, err = graph(ctx, tx, b.Numbers.Plasticity, *root)
	}
	return out, err
})

// drawing is a graph while it is drawn: nothing is in it twice.
type drawing struct {
	tx     *store.Tx
	params plasticity.Params
	drawn  map[memory.NeuronID]bool
}

func graph(ctx context.Context, tx *store.Tx, p plasticity.Params, middle store.Strength) (*GraphNode, error) {
	d := drawing{tx: tx, params: p, drawn: map[memory.NeuronID]bool{middle.ID: true}}
	root := GraphNode{End: brain.End{ID: middle.ID, Kind: middle.Kind, Key: middle.Key}, Accesses: middle.Accesses, Links: middle.Links}
	var err error
	if root.Companions, err = d.companions(ctx, middle.ID, graphBranches); err != nil {
		return nil, err
	}
	for i := range root.Companions {
		branch := &root.Companions[i]
		if branch.Companions, err = d.companions(ctx, branch.ID, graphTwigs); err != nil {
			return nil, err
		}
	}
	return &root, nil
}

// rootNeuron is the root of the graph, nil where nothing is known.
func rootNeuron(ctx context.Context, c config.Config, tx *store.Tx, in GraphInput) (*store.Strength, error) {
	id, err := brain.Resolve(ctx, tx, c, in.Scope)
	if err != nil {
		return nil, err
	}
	if in.File != "" {
		n, err := sleep.NamedNeuron(ctx, tx, id, in.Dir, in.File)
		return &n, err
	}
	f := store.NeuronFilter{Project: id, Kind: memory.FileNeuron, Order: store.ByLinks, Limit: 1}
	most, err := tx.Neurons(ctx, f)
	if err != nil || len(most) == 0 {
		return nil, err
	}
	return &most[0], nil
}

// companions returns the strongest links of a neuron to those that are not drawn yet.
func (d drawing) companions(ctx context.Context, id memory.NeuronID, most int) ([]GraphNode, error) {
	nodes := []GraphNode{}
	found, err := d.tx.Companions(ctx, id, most+len(d.drawn))
	for _, c := range found {
		r, err := brain.NewReader(ctx, d.tx, d.params, c.Project)
		if err != nil {
			return nil, err
		}
		weight := r.WeightNow(c.Weight)
		if len(nodes) == most || d.drawn[c.ID] || weight == 0 {
			continue
		}
		d.drawn[c.ID] = true
		nodes = append(nodes, GraphNode{
			End: brain.End{ID: c.ID, Kind: c.Kind, Key: c.Key}, Accesses: c.Accesses, Links: c.Links, Weight: weight,
			CoAccesses: c.CoAccesses, Origin: c.Origin, Companions: []GraphNode{},
		})
	}
	return nodes, err
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
