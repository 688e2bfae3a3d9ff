package record

import (
	"context"
	"slices"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/shell"
	"github.com/hebb-memory/hebb/internal/store"
)

// fixFiles is the number of files changed between a failure and a success of one command up to which they count as its fix: of many changes
// none can be singled out.
const fixFiles = 3

// passed looks whether a command that runs well now failed before in this session, as it is or as a part of it. The files changed in between
// fixed it, if they are few. A failure without a later success has no fix.
func (a *association) passed(ctx context.Context, seq int64, e memory.StoredEvent) error {
	before, err := a.commandsOf(ctx, e)
	if err != nil || !slices.ContainsFunc(before, func(o memory.StoredEvent) bool { return o.Kind == memory.ToolFailed }) {
		return err
	}
	failed, found := shell.Overcome(command(e), commands(before))
	if !found {
		return nil
	}
	touches, err := a.Tx.SessionTouches(ctx, e.Session, before[failed].Ord, 0)
	if err != nil {
		return err
	}
	fixed := e
	fixed.Text, fixed.Touches = before[failed].Text, nil
	for _, t := range touches {
		edit := memory.Touch{Kind: memory.Edit, Path: t.Path}
		if t.Kind == memory.Edit && t.Ord < e.Ord && !slices.Contains(fixed.Touches, edit) {
			fixed.Touches = append(fixed.Touches, edit)
		}
	}
	if len(fixed.Touches) == 0 || len(fixed.Touches) > fixFiles {
		return nil
	}
	return a.wireFix(ctx, seq, fixed)
}

func command(e memory.StoredEvent) shell.Tried {
	return shell.Try(e.Input, e.Kind == memory.ToolFailed, e.Text)
}

func commands(events []memory.StoredEvent) (list []shell.Tried) {
	for _, e := range events {
		list = append(list, command(e))
	}
	return list
}

// resolved wires an error to the files that somebody says fixed it.
func (a *association) resolved(ctx context.Context, seq int64, e memory.StoredEvent) error {
	for _, t := range e.Touches {
		id := memory.NewNeuronID(e.Project, memory.FileNeuron, t.Path)
		if _, err := a.grow(ctx, e, id); err != nil {
			return err
		}
	}
	return a.wireFix(ctx, seq, e)
}

// wireFix wires the error in an event's text to the files of the event.
func (a *association) wireFix(ctx context.Context, seq int64, e memory.StoredEvent) error {
	found, ok := fault.Find(e.Text)
	if !ok || found.Vague() {
		return nil
	}
	key := scrub.Clean(found.Key())
	if err := a.Tx.MeetError(ctx, seq, e, key, a.count); err != nil {
		return err
	}
	met := memory.NewNeuronID(e.Project, memory.ErrorNeuron, key)
	n, err := a.grow(ctx, e, met)
	if err != nil {
		return err
	}
	for _, t := range e.Touches {
		id := memory.NewNeuronID(e.Project, memory.FileNeuron, t.Path)
		file, err := a.Neuron(ctx, id)
		if err != nil {
			return err
		}
		if err := a.load(ctx, e.Project, met, []memory.NeuronID{id}); err != nil {
			return err
		}
		key := plasticity.PairOf(met, id)
		link := a.links[key]
		day := plasticity.Days(e.At)
		for _, w := range []*plasticity.Stored{&link.AB, &link.BA} {
			*w = a.rules.Weight.Store(a.rules.Resolved(a.rules.Weight.Value(*w, day)), day)
		}
		link.CoAccesses++
		link.LastAt, link.LastEvent, link.Origin = e.At, e.ID, e.Origin
		if a.fresh[key] {
			delete(a.fresh, key)
			n.Links++
			file.Links++
			if err := a.Tx.Remembered(ctx, key[0], key[1]); err != nil { // what fixes an error comes back, however old
				return err
			}
		}
	}
	return nil
}

// failureReach is the number of latest events of a project among which failures are looked for. Of one that is older nobody knows whether it is open.
const failureReach = 500

// OpenFailures are what surely fails in a project, in the order in which it was met.
func OpenFailures(ctx context.Context, tx *store.Tx, id memory.ProjectID) ([]fault.Failure, error) {
	latest, err := tx.Events(ctx, store.EventFilter{Project: id, Limit: failureReach})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(latest, func(a, b memory.StoredEvent) int { return b.At.Compare(a.At) }) // a commit may be learned late
	events := make([]memory.Event, 0, len(latest))
	for _, e := range slices.Backward(latest) {
		events = append(events, e.Event)
	}
	over, err := endedFailures(id).Get(ctx, tx)
	return slices.DeleteFunc(fault.Follow(events, agent.Codex), func(f fault.Failure) bool {
		return f.State != fault.Open || slices.Contains(over, f.ID)
	}), err
}

// endedFailures are those of which a person said that they are over, the latest.
func endedFailures(id memory.ProjectID) store.Fact[[]memory.EventID] {
	return store.NewFact[[]memory.EventID]("failures/ended").Of(id)
}

const endedMost = 50 // more than fail at a time

// EndFailure keeps that a person said a failure is over.
func EndFailure(ctx context.Context, tx *store.Tx, id memory.ProjectID, failure memory.EventID) error {
	over, err := endedFailures(id).Get(ctx, tx)
	if err != nil {
		return err
	}
	over = append(over, failure)
	return endedFailures(id).Set(ctx, tx, over[max(0, len(over)-endedMost):])
}
