package record

import (
	"context"
	"slices"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

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
