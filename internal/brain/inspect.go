package brain

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/store"
)

const (
	highwayMyelin = 0.5                // a file with this much myelin is a highway (270 accesses: a file that always matters)
	staleMyelin   = 0.1                // a file with less myelin is not worth a word when it fades (test vectors of the design)
	staleIdle     = 7 * 24 * time.Hour // a file nobody has touched for this long is fading (test vectors of the design)
	graphBranches = 6                  // companions of a file that hebb graph draws (what fits on a screen)
	graphTwigs    = 2                  // companions of each of these that hebb graph draws (what fits on a screen)
)

// NeuronState is a neuron as it stands now: what fades is told as what is left of it.
type NeuronState struct {
	memory.Neuron
	Myelin     float64 `json:"myelin"`
	Activation float64 `json:"activation"`
	// Standing is what is left of its say after suggestions of it were ignored, 1 for all of it.
	Standing float64 `json:"standing"`
}

func (r reader) weight(s plasticity.Stored) float64 { return r.Weight.Value(s, r.day) }

func (r reader) state(n store.Strength) NeuronState {
	return NeuronState{
		Neuron: n.Neuron, Standing: n.Standing,
		Myelin: r.Myelin.Value(n.Myelin, r.day), Activation: r.Activation.Value(n.Activation, r.day),
	}
}

// states reads neurons that a filter chooses in a scope.
func (b *Brain) states(ctx context.Context, tx *store.Tx, s Scope, f store.NeuronFilter) ([]NeuronState, error) {
	id, err := b.resolve(ctx, tx, s)
	if err != nil {
		return nil, err
	}
	f.Project = id
	neurons, err := tx.Neurons(ctx, f)
	if err != nil {
		return nil, err
	}
	found := make([]NeuronState, len(neurons))
	for i, n := range neurons {
		r, err := b.reader(ctx, tx, n.Project)
		if err != nil {
			return nil, err
		}
		found[i] = r.state(n)
	}
	return found, nil
}

// NeuronsInput chooses neurons.
type NeuronsInput struct {
	Scope
	Kind  memory.NeuronKind `json:"kind,omitempty"`
	Limit int               `json:"limit,omitempty"`
}

// Neurons lists what is known, the most touched first.
var Neurons = Operation[NeuronsInput, []NeuronState]{
	Name: "neurons", Summary: "List the files and errors hebb knows, and how they have grown",
	Run: func(ctx context.Context, b *Brain, in NeuronsInput) ([]NeuronState, error) {
		return viewed(ctx, b, func(tx *store.Tx) ([]NeuronState, error) {
			return b.states(ctx, tx, in.Scope, store.NeuronFilter{Kind: in.Kind, Limit: in.Limit})
		})
	},
}

// ListInput asks for the first of a list.
type ListInput struct {
	Scope
	Limit int `json:"limit,omitempty"`
}

// Hubs lists what is linked to most others.
var Hubs = Operation[ListInput, []NeuronState]{
	Name: "hubs", Summary: "List the files and errors with the most links",
	Run: func(ctx context.Context, b *Brain, in ListInput) ([]NeuronState, error) {
		return viewed(ctx, b, func(tx *store.Tx) ([]NeuronState, error) {
			found, err := b.states(ctx, tx, in.Scope, store.NeuronFilter{Order: store.ByLinks, Limit: in.Limit})
			return slices.DeleteFunc(found, func(n NeuronState) bool { return n.Links == 0 }), err
		})
	},
}

// HighwaysResult is the habits of a scope.
type HighwaysResult struct {
	Least    float64       `json:"least"`    // myelin that makes a highway
	Touches  int64         `json:"touches"`  // that give so much, one right after the other; 0: more than anybody makes
	Highways []NeuronState `json:"highways"` // those that have it
	Nearest  []NeuronState `json:"nearest"`  // where none has: those that come nearest
}

// Highways lists the files that always matter.
var Highways = Operation[ListInput, HighwaysResult]{
	Name: "highways", Summary: "List the files with the most myelin",
	Run: func(ctx context.Context, b *Brain, in ListInput) (HighwaysResult, error) {
		return viewed(ctx, b, func(tx *store.Tx) (HighwaysResult, error) { return b.highways(ctx, tx, in) })
	},
}

func (b *Brain) highways(ctx context.Context, tx *store.Tx, in ListInput) (out HighwaysResult, err error) {
	out = HighwaysResult{Least: highwayMyelin, Highways: []NeuronState{}, Nearest: []NeuronState{}}
	r, err := b.reader(ctx, tx, 0) // the touches it takes are the same everywhere
	if err != nil {
		return out, err
	}
	out.Touches = r.AccessesFor(out.Least)
	strongest, err := b.states(ctx, tx, in.Scope, store.NeuronFilter{
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
		out.Nearest = []NeuronState{}
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
var Stale = Operation[ListInput, []StaleFile]{
	Name: "stale", Summary: "List files that mattered and are fading",
	Run: func(ctx context.Context, b *Brain, in ListInput) ([]StaleFile, error) {
		return viewed(ctx, b, func(tx *store.Tx) ([]StaleFile, error) {
			id, err := b.resolve(ctx, tx, in.Scope)
			if err != nil {
				return nil, err
			}
			return b.staleFiles(ctx, tx, id, in.Limit)
		})
	},
}

// staleFiles reads the fading files of a project, 0 for all projects. What counts is what a file had at its last
// access, which no index knows; that it has grown at all an index does know.
func (b *Brain) staleFiles(ctx context.Context, tx *store.Tx, id memory.ProjectID, limit int) ([]StaleFile, error) {
	r, err := b.reader(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	neurons, err := tx.Neurons(ctx, store.NeuronFilter{
		Project: id, Kind: memory.FileNeuron, MinMyelin: r.Myelin.Threshold(staleMyelin, 0),
		IdleSince: tx.Now.Add(-staleIdle), Order: store.ByMyelin,
	})
	if err != nil {
		return nil, err
	}
	found := []StaleFile{}
	for _, n := range neurons {
		if r, err = b.reader(ctx, tx, n.Project); err != nil {
			return nil, err
		}
		last := plasticity.Days(n.LastAt)
		s := StaleFile{
			Project: n.Project, Path: n.Key, LastAt: n.LastAt, Idle: r.day - last,
			Then: r.Myelin.Value(n.Myelin, last), Now: r.Myelin.Value(n.Myelin, r.day),
		}
		if s.Then >= staleMyelin && (limit == 0 || len(found) < limit) {
			found = append(found, s)
		}
	}
	return found, nil
}

// Streaks lists what agents keep ignoring.
var Streaks = Operation[ListInput, []NeuronState]{
	Name: "streaks", Summary: "List files whose suggestions were ignored, and what is left of their say",
	Run: func(ctx context.Context, b *Brain, in ListInput) ([]NeuronState, error) {
		return viewed(ctx, b, func(tx *store.Tx) ([]NeuronState, error) {
			f := store.NeuronFilter{Ignored: true, Order: store.ByIgnored, Limit: in.Limit}
			return b.states(ctx, tx, in.Scope, f)
		})
	},
}

// SynapsesInput chooses links: those of one file, or the strongest of all.
type SynapsesInput struct {
	Scope
	File  string `json:"file,omitempty"`
	Limit int    `json:"limit,omitempty"`
}

// End is one end of a link.
type End struct {
	ID   memory.NeuronID   `json:"id"`
	Kind memory.NeuronKind `json:"kind"`
	Key  string            `json:"key"`
}

// SynapseState is a link as it stands now, seen from the file asked for, else along its stronger direction.
type SynapseState struct {
	Project    memory.ProjectID `json:"project"`
	From       End              `json:"from"`
	To         End              `json:"to"`
	Weight     float64          `json:"weight"` // from From to To
	Back       float64          `json:"back"`
	CoAccesses int64            `json:"co_accesses"`
	CoSessions int64            `json:"co_sessions"`
	CoCommits  int64            `json:"co_commits"` // that changed both
	Origin     memory.Origin    `json:"origin"`
	LastAt     time.Time        `json:"last_at"`
	LastCommit time.Time        `json:"last_commit_at,omitzero"` // that changed both
}

// Synapses lists what belongs together, the strongest first.
var Synapses = Operation[SynapsesInput, []SynapseState]{
	Name: "synapses", Summary: "List what hebb has learned belongs together",
	Run: func(ctx context.Context, b *Brain, in SynapsesInput) ([]SynapseState, error) {
		return viewed(ctx, b, func(tx *store.Tx) ([]SynapseState, error) { return b.synapses(ctx, tx, in) })
	},
}

func (b *Brain) synapses(ctx context.Context, tx *store.Tx, in SynapsesInput) ([]SynapseState, error) {
	filter := store.SynapseFilter{Living: true, Limit: in.Limit}
	var err error
	if in.File == "" {
		filter.Project, err = b.resolve(ctx, tx, in.Scope)
	} else {
		var n store.Strength
		n, err = b.namedNeuron(ctx, tx, in.Scope, in.File)
		filter.Project, filter.Neuron, filter.Living = n.Project, n.ID, false // what is asked for may be gone
	}
	if err != nil {
		return nil, err
	}
	links, err := tx.StrongestSynapses(ctx, filter)
	if err != nil {
		return nil, err
	}
	ends := map[memory.NeuronID]End{}
	found := make([]SynapseState, len(links))
	for i, l := range links {
		a, err := end(ctx, tx, l.A, ends)
		if err != nil {
			return nil, err
		}
		z, err := end(ctx, tx, l.B, ends)
		if err != nil {
			return nil, err
		}
		r, err := b.reader(ctx, tx, l.Project)
		if err != nil {
			return nil, err
		}
		found[i] = r.synapse(l, a, z, filter.Neuron)
	}
	return found, b.countCommits(ctx, tx, found)
}

// countCommits adds the commits behind links. The store keeps none of it: the past of a project is counted.
func (b *Brain) countCommits(ctx context.Context, tx *store.Tx, links []SynapseState) error {
	byProject := map[memory.ProjectID][]*SynapseState{}
	for i := range links {
		byProject[links[i].Project] = append(byProject[links[i].Project], &links[i])
	}
	for id, of := range byProject {
		p, err := b.past(ctx, tx, id)
		if err != nil {
			return err
		}
		for _, l := range of {
			if l.From.Kind == memory.FileNeuron && l.To.Kind == memory.FileNeuron {
				l.CoCommits, l.LastCommit = p.commitsOfBoth(l.From.Key, l.To.Key)
			}
		}
		b.pasts().put(p)
	}
	return nil
}

// commitsOfBoth counts the commits that changed two files, and says when the last one was.
func (p *past) commitsOfBoth(one, other string) (n int64, last time.Time) {
	a, knownA := p.image.Find(one)
	z, knownZ := p.image.Find(other)
	if !knownA || !knownZ {
		return 0, last
	}
	for _, no := range p.image.Of(a) {
		e := p.image.Episode(no)
		if e.Kind == recall.CommitEpisode && slices.Contains(e.Files, z) {
			n++
			if e.At.After(last) {
				last = e.At
			}
		}
	}
	return n, last
}

// end names a neuron, each read once.
func end(ctx context.Context, tx *store.Tx, id memory.NeuronID, known map[memory.NeuronID]End) (End, error) {
	if e, ok := known[id]; ok {
		return e, nil
	}
	n, err := tx.Neuron(ctx, id)
	known[id] = End{ID: id, Kind: n.Kind, Key: n.Key}
	return known[id], err
}

func (r reader) synapse(l store.Synapse, a, b End, from memory.NeuronID) SynapseState {
	s := SynapseState{
		Project: l.Project, From: a, To: b, Weight: r.weight(l.AB), Back: r.weight(l.BA),
		CoAccesses: l.CoAccesses, CoSessions: l.CoSessions, Origin: l.Origin, LastAt: l.LastAt,
	}
	if from == b.ID || from == 0 && s.Back > s.Weight {
		s.From, s.To, s.Weight, s.Back = s.To, s.From, s.Back, s.Weight
	}
	return s
}

// namedNeuron finds what a person names: a file, from the top of the project or from the folder around them, or an
// error by its key.
func (b *Brain) namedNeuron(ctx context.Context, tx *store.Tx, s Scope, name string) (n store.Strength, err error) {
	id, err := b.resolve(ctx, tx, s)
	if err != nil {
		return n, err
	}
	if id == 0 {
		return n, fmt.Errorf("%q in every project: name one with --project: %w", name, memory.ErrInvalid)
	}
	ids := []memory.NeuronID{
		memory.NewNeuronID(id, memory.FileNeuron, name), memory.NewNeuronID(id, memory.ErrorNeuron, name),
	}
	if key, ok := keyAround(s.Dir, name); ok {
		ids = append(ids, memory.NewNeuronID(id, memory.FileNeuron, key))
	}
	for _, candidate := range ids {
		if n, err = tx.Neuron(ctx, candidate); !isNotFound(err) {
			return n, err
		}
	}
	return n, fmt.Errorf("%q in this project (hebb neurons lists what is known): %w", name, memory.ErrNotFound)
}

// keyAround is the key of a file that is named from a folder.
func keyAround(dir, path string) (string, bool) {
	place, err := project.Resolve(dir)
	if err != nil {
		return "", false // then it was named from the top of the project, or not at all
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return project.Key(place, path), true
}

// GraphInput chooses the middle of a picture.
type GraphInput struct {
	Scope
	File string `json:"file,omitempty"` // empty: the one with the most links
}

// GraphNode is a neuron in a picture, with those it leads to.
type GraphNode struct {
	End
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
var Graph = Operation[GraphInput, GraphResult]{
	Name: "graph", Summary: "Show a file with its strongest companions and theirs",
	Run: func(ctx context.Context, b *Brain, in GraphInput) (GraphResult, error) {
		return viewed(ctx, b, func(tx *store.Tx) (GraphResult, error) { return b.graph(ctx, tx, in) })
	},
}

func (b *Brain) graph(ctx context.Context, tx *store.Tx, in GraphInput) (out GraphResult, err error) {
	middle, err := b.middle(ctx, tx, in)
	if err != nil || middle == nil {
		return out, err
	}
	drawn := map[memory.NeuronID]bool{middle.ID: true}
	root := GraphNode{End: End{ID: middle.ID, Kind: middle.Kind, Key: middle.Key}, Accesses: middle.Accesses, Links: middle.Links}
	if root.Companions, err = b.companions(ctx, tx, middle.ID, graphBranches, drawn); err != nil {
		return out, err
	}
	for i := range root.Companions {
		branch := &root.Companions[i]
		if branch.Companions, err = b.companions(ctx, tx, branch.ID, graphTwigs, drawn); err != nil {
			return out, err
		}
	}
	out.Root = &root
	return out, nil
}

// middle is what a picture is drawn around, nil where nothing is known.
func (b *Brain) middle(ctx context.Context, tx *store.Tx, in GraphInput) (*store.Strength, error) {
	if in.File != "" {
		n, err := b.namedNeuron(ctx, tx, in.Scope, in.File)
		return &n, err
	}
	id, err := b.resolve(ctx, tx, in.Scope)
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
func (b *Brain) companions(
	ctx context.Context, tx *store.Tx, id memory.NeuronID, most int, drawn map[memory.NeuronID]bool,
) ([]GraphNode, error) {
	nodes := []GraphNode{}
	found, err := tx.Companions(ctx, id, most+len(drawn))
	for _, c := range found {
		r, err := b.reader(ctx, tx, c.Project)
		if err != nil {
			return nil, err
		}
		weight := r.weight(c.Weight)
		if len(nodes) == most || drawn[c.ID] || weight == 0 {
			continue
		}
		drawn[c.ID] = true
		nodes = append(nodes, GraphNode{
			End: End{ID: c.ID, Kind: c.Kind, Key: c.Key}, Accesses: c.Accesses, Links: c.Links, Weight: weight,
			CoAccesses: c.CoAccesses, Origin: c.Origin, Companions: []GraphNode{},
		})
	}
	return nodes, err
}
