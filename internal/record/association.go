package record

import (
	"context"

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

// useRules takes the rules of a project as it is scaled now.
func (a *association) useRules(ctx context.Context, project memory.ProjectID) error {
	balance, err := a.Tx.Balance(ctx, project)
	if err != nil {
		return err
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
	clocks map[memory.ProjectID]int64
}

func newWarming() warming {
	return warming{files: map[memory.NeuronID]*store.Heat{}, clocks: map[memory.ProjectID]int64{}}
}
