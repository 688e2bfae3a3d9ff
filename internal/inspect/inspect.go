// Package inspect shows what the memory holds: lists, counts, the timeline, the doctor's findings. It changes nothing but what the doctor repairs.
package inspect

import (
	"context"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/sleep"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	highwayMyelin = 0.5 // a file with this much myelin is a highway (270 accesses: a file that always matters)
)

const (
	graphBranches = 6 // companions of a file that hebb graph draws (what fits on a screen)
)

const (
	graphTwigs = 2 // companions of each of these that hebb graph draws (what fits on a screen)
)

// states reads neurons that a filter chooses in a scope.
func states(ctx context.Context, b *brain.Brain, tx *store.Tx, s brain.Scope, f store.NeuronFilter) ([]brain.NeuronState, error) {
	id, err := b.Resolve(ctx, tx, s)
	if err != nil {
		return nil, err
	}
	f.Project = id
	neurons, err := tx.Neurons(ctx, f)
	if err != nil {
		return nil, err
	}
	found := make([]brain.NeuronState, len(neurons))
	for i, n := range neurons {
		r, err := b.Reader(ctx, tx, n.Project)
		if err != nil {
			return nil, err
		}
		found[i] = r.State(n)
	}
	return found, nil
}

// NeuronsInput chooses neurons.
type NeuronsInput struct {
	brain.Scope
	Kind  memory.NeuronKind `json:"kind,omitempty"`
	Limit int               `json:"limit,omitempty"`
}

// Neurons lists what is known, the most touched first.
var Neurons = brain.Operation[NeuronsInput, []brain.NeuronState]{
	Name: "neurons", Summary: "List the files and errors hebb knows, and how they have grown",
	Run: func(ctx context.Context, b *brain.Brain, in NeuronsInput) ([]brain.NeuronState, error) {
		return brain.View(ctx, b, func(tx *store.Tx) ([]brain.NeuronState, error) {
			return states(ctx, b, tx, in.Scope, store.NeuronFilter{Kind: in.Kind, Limit: in.Limit})
		})
	},
}

// Hubs lists what is linked to most others.
var Hubs = brain.Operation[brain.ListInput, []brain.NeuronState]{
	Name: "hubs", Summary: "List the files and errors with the most links",
	Run: func(ctx context.Context, b *brain.Brain, in brain.ListInput) ([]brain.NeuronState, error) {
		return brain.View(ctx, b, func(tx *store.Tx) ([]brain.NeuronState, error) {
			found, err := states(ctx, b, tx, in.Scope, store.NeuronFilter{Order: store.ByLinks, Limit: in.Limit})
			return slices.DeleteFunc(found, func(n brain.NeuronState) bool { return n.Links == 0 }), err
		})
	},
}

// HighwaysResult is the habits of a scope.
type HighwaysResult struct {
	Least    float64             `json:"least"`    // myelin that makes a highway
	Touches  int64               `json:"touches"`  // that give so much, one right after the other; 0: more than anybody makes
	Highways []brain.NeuronState `json:"highways"` // those that have it
	Nearest  []brain.NeuronState `json:"nearest"`  // where none has: those that come nearest
}

// Highways lists the files that always matter.
var Highways = brain.Operation[brain.ListInput, HighwaysResult]{
	Name: "highways", Summary: "List the files with the most myelin",
	Run: func(ctx context.Context, b *brain.Brain, in brain.ListInput) (HighwaysResult, error) {
		return brain.View(ctx, b, func(tx *store.Tx) (HighwaysResult, error) { return highways(ctx, b, tx, in) })
	},
}

func highways(ctx context.Context, b *brain.Brain, tx *store.Tx, in brain.ListInput) (out HighwaysResult, err error) {
	out = HighwaysResult{Least: highwayMyelin, Highways: []brain.NeuronState{}, Nearest: []brain.NeuronState{}}
	r, err := b.Reader(ctx, tx, 0) // the touches it takes are the same everywhere
	if err != nil {
		return out, err
	}
	out.Touches = r.AccessesFor(out.Least)
	strongest, err := states(ctx, b, tx, in.Scope, store.NeuronFilter{
		Kind: memory.FileNeuron, Order: store.ByMyelin, Limit: in.Limit,
	})
	for _, n := range strongest {
		switch {
		case n.Myelin >= out.Least:
			out.Highways = append(out.Highways, n)
		case n.Myelin > 0:
			out.Nearest = append(out.Nearest, n)
		}
	}
	if len(out.Highways) > 0 {
		out.Nearest = []brain.NeuronState{}
	}
	return out, err
}

// StaleFile is a file that mattered and is fading.
type StaleFile struct {
	Project memory.ProjectID `json:"project"`
	Path    string           `json:"path"`
	Then    float64          `json:"myelin_then"` // at its last access
	Now     float64          `json:"myelin_now"`
	Idle    float64          `json:"idle_days"`
	LastAt  time.Time        `json:"last_at"`
}

// Stale lists habits that nobody has followed for a while, the strongest first.
var Stale = brain.Operation[brain.ListInput, []StaleFile]{
	Name: "stale", Summary: "List files that mattered and are fading",
	Run: func(ctx context.Context, b *brain.Brain, in brain.ListInput) ([]StaleFile, error) {
		return brain.View(ctx, b, func(tx *store.Tx) ([]StaleFile, error) {
			id, err := b.Resolve(ctx, tx, in.Scope)
			if err != nil {
				return nil, err
			}
			return staleFiles(ctx, b, tx, id, in.Limit)
		})
	},
}

// staleFiles reads the fading files of a project, 0 for all projects. What counts is what a file had at its last
// access, which no index knows; that it has grown at all an index does know.
func staleFiles(ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.ProjectID, limit int) ([]StaleFile, error) {
	r, err := b.Reader(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	neurons, err := tx.Neurons(ctx, store.NeuronFilter{
		Project: id, Kind: memory.FileNeuron, MinMyelin: r.Myelin.Threshold(answer.StaleMyelin, 0),
		IdleSince: tx.Now.Add(-answer.StaleIdle), Order: store.ByMyelin,
	})
	if err != nil {
		return nil, err
	}
	found := []StaleFile{}
	for _, n := range neurons {
		if r, err = b.Reader(ctx, tx, n.Project); err != nil {
			return nil, err
		}
		last := plasticity.Days(n.LastAt)
		s := StaleFile{
			Project: n.Project, Path: n.Key, LastAt: n.LastAt, Idle: r.Day - last,
			Then: r.Myelin.Value(n.Myelin, last), Now: r.Myelin.Value(n.Myelin, r.Day),
		}
		if s.Then >= answer.StaleMyelin && (limit == 0 || len(found) < limit) {
			found = append(found, s)
		}
	}
	return found, nil
}

// Streaks lists what agents keep ignoring.
var Streaks = brain.Operation[brain.ListInput, []brain.NeuronState]{
	Name: "streaks", Summary: "List files whose suggestions were ignored, and what is left of their say",
	Run: func(ctx context.Context, b *brain.Brain, in brain.ListInput) ([]brain.NeuronState, error) {
		return brain.View(ctx, b, func(tx *store.Tx) ([]brain.NeuronState, error) {
			f := store.NeuronFilter{Ignored: true, Order: store.ByIgnored, Limit: in.Limit}
			return states(ctx, b, tx, in.Scope, f)
		})
	},
}

// SynapsesInput chooses links: those of one file, or the strongest of all.
type SynapsesInput struct {
	brain.Scope
	File  string `json:"file,omitempty"`
	Limit int    `json:"limit,omitempty"`
}

// Synapses lists what belongs together, the strongest first.
var Synapses = brain.Operation[SynapsesInput, []brain.SynapseState]{
	Name: "synapses", Summary: "List what hebb has learned belongs together",
	Run: func(ctx context.Context, b *brain.Brain, in SynapsesInput) ([]brain.SynapseState, error) {
		return brain.View(ctx, b, func(tx *store.Tx) ([]brain.SynapseState, error) { return synapses(ctx, b, tx, in) })
	},
}

func synapses(ctx context.Context, b *brain.Brain, tx *store.Tx, in SynapsesInput) ([]brain.SynapseState, error) {
	filter := store.SynapseFilter{Living: true, Limit: in.Limit}
	var err error
	if in.File == "" {
		filter.Project, err = b.Resolve(ctx, tx, in.Scope)
	} else {
		var n store.Strength
		n, err = sleep.NamedNeuron(ctx, b, tx, in.Scope, in.File)
		filter.Project, filter.Neuron, filter.Living = n.Project, n.ID, false // what is asked for may be gone
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
	return found, countCommits(ctx, b, tx, found)
}

// countCommits adds the commits behind links. The store keeps none of it: the past of a project is counted.
func countCommits(ctx context.Context, b *brain.Brain, tx *store.Tx, links []brain.SynapseState) error {
	byProject := map[memory.ProjectID][]*brain.SynapseState{}
	for i := range links {
		byProject[links[i].Project] = append(byProject[links[i].Project], &links[i])
	}
	for id, of := range byProject {
		p, err := record.PastOf(ctx, b, tx, id)
		if err != nil {
			return err
		}
		for _, l := range of {
			if l.From.Kind == memory.FileNeuron && l.To.Kind == memory.FileNeuron {
				l.CoCommits, l.LastCommit = p.CommitsOfBoth(l.From.Key, l.To.Key)
			}
		}
		record.Pasts(b).Put(p)
	}
	return nil
}

// GraphInput chooses the middle of a picture.
type GraphInput struct {
	brain.Scope
	File string `json:"file,omitempty"` // empty: the one with the most links
}

// GraphNode is a neuron in a picture, with those it leads to.
type GraphNode struct {
	brain.End
	Accesses   int64         `json:"accesses"`
	Links      int64         `json:"links"`
	Weight     float64       `json:"weight,omitempty"` // that leads here
	CoAccesses int64         `json:"co_accesses,omitempty"`
	Origin     memory.Origin `json:"origin,omitempty"`
	Companions []GraphNode   `json:"companions"`
}

// GraphResult is a picture: a file, its strongest companions and theirs. Each neuron stands in it once.
type GraphResult struct {
	Root *GraphNode `json:"root,omitempty"` // nil where nothing is known
}

// Graph shows a file among those it belongs with.
var Graph = brain.Operation[GraphInput, GraphResult]{
	Name: "graph", Summary: "Show a file with its strongest companions and theirs",
	Run: func(ctx context.Context, b *brain.Brain, in GraphInput) (GraphResult, error) {
		return brain.View(ctx, b, func(tx *store.Tx) (GraphResult, error) { return graph(ctx, b, tx, in) })
	},
}

func graph(ctx context.Context, b *brain.Brain, tx *store.Tx, in GraphInput) (out GraphResult, err error) {
	middle, err := middle(ctx, b, tx, in)
	if err != nil || middle == nil {
		return out, err
	}
	drawn := map[memory.NeuronID]bool{middle.ID: true}
	root := GraphNode{End: brain.End{ID: middle.ID, Kind: middle.Kind, Key: middle.Key}, Accesses: middle.Accesses, Links: middle.Links}
	if root.Companions, err = companions(ctx, b, tx, middle.ID, graphBranches, drawn); err != nil {
		return out, err
	}
	for i := range root.Companions {
		branch := &root.Companions[i]
		if branch.Companions, err = companions(ctx, b, tx, branch.ID, graphTwigs, drawn); err != nil {
			return out, err
		}
	}
	out.Root = &root
	return out, nil
}

// middle is what a picture is drawn around, nil where nothing is known.
func middle(ctx context.Context, b *brain.Brain, tx *store.Tx, in GraphInput) (*store.Strength, error) {
	if in.File != "" {
		n, err := sleep.NamedNeuron(ctx, b, tx, in.Scope, in.File)
		return &n, err
	}
	id, err := b.Resolve(ctx, tx, in.Scope)
	if err != nil {
		return nil, err
	}
	f := store.NeuronFilter{Project: id, Kind: memory.FileNeuron, Order: store.ByLinks, Limit: 1}
	most, err := tx.Neurons(ctx, f)
	if err != nil || len(most) == 0 {
		return nil, err
	}
	return &most[0], nil
}

// companions returns the strongest of a neuron that are not drawn yet.
func companions(
	ctx context.Context, b *brain.Brain, tx *store.Tx, id memory.NeuronID, most int, drawn map[memory.NeuronID]bool,
) ([]GraphNode, error) {
	nodes := []GraphNode{}
	found, err := tx.Companions(ctx, id, most+len(drawn))
	for _, c := range found {
		r, err := b.Reader(ctx, tx, c.Project)
		if err != nil {
			return nil, err
		}
		weight := r.WeightNow(c.Weight)
		if len(nodes) == most || drawn[c.ID] || weight == 0 {
			continue
		}
		drawn[c.ID] = true
		nodes = append(nodes, GraphNode{
			End: brain.End{ID: c.ID, Kind: c.Kind, Key: c.Key}, Accesses: c.Accesses, Links: c.Links, Weight: weight,
			CoAccesses: c.CoAccesses, Origin: c.Origin, Companions: []GraphNode{},
		})
	}
	return nodes, err
}
