package record

import (
	"context"
	"slices"
	"sync"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store"
)

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
