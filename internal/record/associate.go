package record

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/scrub"
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

// Learn is what a new event teaches.
func (a *association) Learn(ctx context.Context, seq int64, e memory.StoredEvent) error {
	if err := a.useRules(ctx, e.Project, seq); err != nil {
		return err
	}
	defer a.views.follow(e)
	switch e.Kind {
	case memory.Committed:
		return a.commit(ctx, seq, e)
	case memory.Suggested:
		return a.suggested(ctx, seq, e)
	case memory.Resolved:
		return a.resolved(ctx, seq, e)
	}
	if e.Kind == memory.ToolFailed {
		if found, ok := fault.Find(e.Text); ok && !found.Vague() {
			key := scrub.Clean(found.Key())
			if err := a.meetError(ctx, seq, e, key); err != nil {
				return err
			}
			if err := a.meet(ctx, e, memory.NewNeuronID(e.Project, memory.ErrorNeuron, key)); err != nil {
				return err
			}
		}
	}
	touches := e.Touches
	if e.Kind == memory.ToolUsed { // a file that a search listed was not looked at
		touches = slices.DeleteFunc(slices.Clone(touches), func(t memory.Touch) bool { return t.Kind == memory.Mention })
	}
	if e.Kind == memory.Prompted && e.Origin == memory.OriginUser {
		named, err := FilesNamed(ctx, a.Tx, e.Project, e.Text, namedMost)
		if err != nil {
			return err
		}
		for _, path := range named {
			if err := a.warm(ctx, e, memory.Touch{Kind: memory.Mention, Path: path}); err != nil {
				return err
			}
		}
	}
	for _, t := range touches {
		if err := a.meet(ctx, e, memory.NewNeuronID(e.Project, memory.FileNeuron, t.Path)); err != nil {
			return err
		}
		if err := a.warm(ctx, e, t); err != nil {
			return err
		}
	}
	if e.Session == 0 && len(e.Touches) > 0 {
		return a.byHand(ctx, e)
	}
	if e.Kind == memory.ToolUsed && e.Session != 0 && e.Input != "" && len(touches) == 0 {
		return a.passed(ctx, seq, e)
	}
	return nil
}

// byHand takes what a person recorded outside any session into the past at once.
func (a *association) byHand(ctx context.Context, e memory.StoredEvent) error {
	p, err := a.Past(ctx, e.Project)
	if err != nil {
		return err
	}
	var opened []recall.Opened
	for i, t := range e.Touches {
		o := recall.Opened{Path: t.Path}
		if i == 0 {
			o.Prompt = e.Text
		}
		opened = append(opened, o)
	}
	p.Image.Session(e.At, 0, opened, stretchFiles, stretchWords)
	return nil
}

// meet lets a neuron grow and wires it to what the session has in view.
func (a *association) meet(ctx context.Context, e memory.StoredEvent, id memory.NeuronID) error {
	kept := a.Anew.KeepsNeuron(id)
	if !kept {
		if _, err := a.grow(ctx, e, id); err != nil {
			return err
		}
	}
	if e.Session == 0 {
		return nil
	}
	v, err := a.view(ctx, e)
	if err != nil {
		return err
	}
	if !kept {
		if err := a.wireToView(ctx, e, id, v.window); err != nil {
			return err
		}
	}
	v.window.Touch(id)
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

// save writes what changed.
func (a *association) save(ctx context.Context) error {
	for id, n := range a.neurons {
		if *n == a.were[id] {
			continue
		}
		if err := a.Tx.SaveMet(ctx, *n); err != nil {
			return err
		}
	}
	if err := errors.Join(a.saveLinks(ctx), a.saveHeat(ctx)); err != nil {
		return err
	}
	for _, p := range a.pasts {
		if err := p.save(ctx, a.Tx); err != nil {
			return err
		}
	}
	return nil
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

// keptViews are the views of the last transaction that is in the store.
type keptViews struct {
	mutex sync.Mutex
	views views
}

// viewsKept is more than the sessions that run at a time.
const viewsKept = 64

func (k *keptViews) exchange(v views) views {
	if len(v) > viewsKept {
		v = nil
	}
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.views, v = v, k.views
	return v
}

type viewsKey struct{}

func viewsOf(b *brain.Brain) *keptViews { return brain.Cache[keptViews](b, viewsKey{}) }

// follow lets the view of a session know its latest event.
func (v views) follow(e memory.StoredEvent) {
	seen := v[e.Session]
	if seen == nil {
		return
	}
	if seen.ord != e.Ord-1 || e.Kind == memory.SessionEnded {
		delete(v, e.Session)
		return
	}
	seen.ord = e.Ord
	if seen.commands != nil && store.IsCommand(e.Event) && e.Subagent == seen.subagent {
		seen.commands = slices.Insert(seen.commands, 0, e)[:min(len(seen.commands)+1, commandsBefore)]
	}
}

// view returns what the session of an event has in view, read back from its latest touches.
func (a *association) view(ctx context.Context, e memory.StoredEvent) (*view, error) {
	mark, known := a.marks[e.Project]
	if !known {
		var err error
		if mark, err = GenerationMark(e.Project).Get(ctx, a.Tx); err != nil {
			return nil, err
		}
		a.marks[e.Project] = mark
	}
	if v := a.views[e.Session]; v != nil && v.ord == e.Ord-1 && v.mark == mark {
		return v, nil
	}
	v := &view{ord: e.Ord - 1, mark: mark, window: plasticity.NewWindow(a.brain.Numbers.Window)}
	latest, err := a.Tx.TouchesBefore(ctx, e.Session, e.Ord, windowDepth*a.brain.Numbers.Window)
	if err != nil {
		return nil, err
	}
	for _, t := range slices.Backward(latest) {
		v.window.Touch(t.Neuron)
	}
	a.views[e.Session] = v
	return v, nil
}

// windowDepth is how many touches are read back for each place in the window: the same file comes often.
const windowDepth = 8

// commandsBefore is how many of the latest commands of a session are compared with one that passed.
const commandsBefore = 40

// commandsOf are the latest commands that the session of an event ran before it, newest first.
func (a *association) commandsOf(ctx context.Context, e memory.StoredEvent) ([]memory.StoredEvent, error) {
	v, err := a.view(ctx, e)
	if err != nil {
		return nil, err
	}
	if v.commands == nil || v.subagent != e.Subagent {
		found, err := a.Tx.CommandsBefore(ctx, e, commandsBefore)
		if err != nil {
			return nil, err
		}
		v.commands, v.subagent = append([]memory.StoredEvent{}, found...), e.Subagent
	}
	v.commands = slices.DeleteFunc(v.commands, func(o memory.StoredEvent) bool { return o.Ord < e.Ord-store.CommandReach })
	return v.commands, nil
}
