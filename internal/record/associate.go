package record

import (
	"context"
	"errors"
	"slices"

	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// Learn is what a new event teaches.
func (a *association) Learn(ctx context.Context, seq int64, e memory.StoredEvent) error {
	if e.Kind == memory.Unknown {
		return nil
	}
	if err := a.useRules(ctx, e.Project); err != nil {
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
			if err := a.Tx.MeetError(ctx, seq, e, key, a.count); err != nil {
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
	if e.Kind == memory.ToolUsed && e.Session != 0 && store.IsCommand(e.Event) && len(touches) == 0 {
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
	if _, err := a.grow(ctx, e, id); err != nil {
		return err
	}
	if e.Session == 0 {
		return nil
	}
	v, err := a.view(ctx, e)
	if err != nil {
		return err
	}
	if err := a.wireToView(ctx, e, id, v.window); err != nil {
		return err
	}
	v.window.Touch(id)
	return nil
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
