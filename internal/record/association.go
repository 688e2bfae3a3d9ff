package record

import (
	"context"
	"maps"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// association learns from events as they are stored, for the length of one transaction: neurons grow, what is touched
// together is wired, finished work becomes episodes. Everything it writes can be made again from the events.
type association struct {
	brain   *brain.Brain
	Tx      *store.Tx
	tuning  tuning.Tuning
	rules   plasticity.Rules // of the project that is learned about just now: see useRules
	pasts   map[memory.ProjectID]*Past
	neurons map[memory.NeuronID]*store.Strength
	were    map[memory.NeuronID]store.Strength // as they were read
	links   map[plasticity.Pair]*store.Synapse
	fresh   map[plasticity.Pair]bool  // links not in the store yet
	lossy   map[memory.ProjectID]bool // sleep has forgotten something there
	views   views
	marks   map[memory.ProjectID]string // generations that were read
	Anew    *Anew                       // nil while events arrive
	Warming warming
}

func newAssociation(b *brain.Brain, tx *store.Tx) *association {
	return &association{
		brain: b, Tx: tx, tuning: b.Config.Tuning, rules: plasticity.NewRules(b.Numbers.Plasticity, plasticity.Balance{}),
		pasts: map[memory.ProjectID]*Past{}, neurons: map[memory.NeuronID]*store.Strength{}, were: map[memory.NeuronID]store.Strength{},
		links: map[plasticity.Pair]*store.Synapse{}, fresh: map[plasticity.Pair]bool{}, lossy: map[memory.ProjectID]bool{}, views: views{}, Warming: newWarming(),
		marks: map[memory.ProjectID]string{},
	}
}

// useRules takes the rules of a project as it is scaled now or, while it is relearned, as it was scaled when the event of
// this number was first learned from.
func (a *association) useRules(ctx context.Context, project memory.ProjectID, seq int64) error {
	balance, err := a.Tx.Balance(ctx, project)
	if err != nil {
		return err
	}
	if a.Anew != nil {
		balance.Weight, balance.Myelin = a.Anew.registerAt(seq)
	}
	a.rules = plasticity.NewRules(a.brain.Numbers.Plasticity, balance)
	return nil
}

// grow is what an access alone does to a neuron.
func (a *association) grow(ctx context.Context, e memory.StoredEvent, id memory.NeuronID) (*store.Strength, error) {
	n, err := a.Neuron(ctx, id)
	if err != nil {
		return nil, err
	}
	before := n.Accesses - 1
	if a.Anew != nil {
		before = a.Anew.Counted[id]
		a.Anew.Counted[id]++
	}
	day := plasticity.Days(e.At)
	myelin := a.rules.Myelin.Value(n.Myelin, day)
	if before > 0 {
		myelin += a.rules.MyelinGain(myelin, before)
	}
	// What arrives late, as from a transcript, takes nothing from what is newer.
	n.Myelin = max(n.Myelin, a.rules.Myelin.Store(myelin, day))
	n.Peak, n.Reviews, n.Boosted = n.Myelin, 0, false
	n.Activation = max(n.Activation, a.rules.Activation.Store(1, day))
	n.Ignored, n.Standing = 0, a.rules.Recovered(n.Standing)
	if n.Gone {
		n.Gone = false
		return n, a.Tx.Remembered(ctx, id, 0)
	}
	return n, nil
}

// count is store.Counting: a neuron in hand counts there and is written once, by save.
func (a *association) count(ctx context.Context, e memory.StoredEvent, kind memory.NeuronKind, key string) error {
	n, met := a.neurons[memory.NewNeuronID(e.Project, kind, key)]
	if !met {
		return a.Tx.CountAccess(ctx, e, kind, key)
	}
	n.Count(e.At)
	return nil
}

// Neuron returns a neuron as this transaction has changed it.
func (a *association) Neuron(ctx context.Context, id memory.NeuronID) (*store.Strength, error) {
	if n, ok := a.neurons[id]; ok {
		return n, nil
	}
	n, err := a.Tx.Neuron(ctx, id)
	if err != nil {
		return nil, err
	}
	a.neurons[id], a.were[id] = &n, n
	return &n, nil
}

func (a *association) Past(ctx context.Context, id memory.ProjectID) (*Past, error) {
	if p, ok := a.pasts[id]; ok {
		return p, nil
	}
	p, err := Pasts(a.brain).Of(ctx, a.Tx, id)
	if err == nil {
		a.pasts[id] = p
	}
	return p, err
}

// view is what a session has in view when its next event comes.
type view struct {
	ord      int64  // position of the last event that it has followed
	mark     string // generation of the project: in another one some of what is in view may be forgotten
	subagent string
	window   *plasticity.Window   // files and errors
	commands []memory.StoredEvent // of the agent or subagent, newest first; nil: not read yet
}

// views are those of the sessions that a transaction has met. They outlive it: a drain of many batches reads them once. One that another
// process has overtaken shows by its position.
type views map[memory.SessionID]*view

const (
	stretchFiles = 12  // different files of a session that count as opened together (hebb-bench replay)
	stretchWords = 200 // words of the prompts kept with them (hebb-bench replay)
)

// warming is what a transaction does to the heat of files.
type warming struct {
	files  map[memory.NeuronID]*store.Heat
	Clocks map[memory.ProjectID]int64
	// ended are, when all is relearned, the ends of the sessions that moved a project's clock, the earliest first.
	Ended map[memory.ProjectID][]int64
}

func newWarming() warming {
	return warming{files: map[memory.NeuronID]*store.Heat{}, Clocks: map[memory.ProjectID]int64{}, Ended: map[memory.ProjectID][]int64{}}
}

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
