package state

import (
	"context"
	"errors"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/llm"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// byModel lets the configured language model write the state, behind the guards. Whatever goes wrong with it, rules dream.
func (d dreamer) byModel(ctx context.Context, id memory.ProjectID, in DreamInput) (out DreamResult, err error) {
	due, err := brain.View(ctx, d.store, func(tx *store.Tx) (Decision, error) { return DreamDue(ctx, d.config, tx, id) })
	if err != nil || !due.Run && !in.Force {
		return DreamResult{Why: due.Why}, err
	}
	phases, err := phases(ctx, d.store, d.config.Tuning.Crystal, id)
	if err != nil {
		return DreamResult{}, err
	}
	unthought := d.ponder(ctx, id, &phases)
	defer func() { // by model or rules
		if out.Phases = phases; unthought != nil {
			out.Warnings = append(out.Warnings, "the model found no insights: "+scrub.Line(unthought.Error()))
		}
	}()
	var answer string
	material, err := d.begin(ctx, id) // nothing is held while the model is asked
	if err == nil {
		answer, err = d.ask(ctx, "", material.Prompt)
	}
	if err != nil {
		out, failed := d.dream(ctx, DreamInput{Scope: in.Scope, Force: true, Rules: true})
		out.Warnings = append(out.Warnings, "the model did not answer, rules dreamt instead: "+scrub.Line(err.Error()))
		return out, failed
	}
	out, err = d.commit(ctx, id, answer, stateByModel, phases)
	if due.Run && out.By == stateByModel {
		out.Why = due.Why
	}
	return out, err
}

// modelBudget counts the requests of all processes in the store.
type modelBudget struct{ *store.Store }

var modelCalls = store.NewFact[[]time.Time]("llm/calls")

func (m modelBudget) Take(ctx context.Context, now time.Time, most int) (ok bool, free time.Time, err error) {
	err = m.Update(ctx, func(tx *store.Tx) error {
		made, err := modelCalls.Get(ctx, tx)
		if err != nil {
			return err
		}
		made, ok, free = llm.Admit(made, now, most)
		return modelCalls.Set(ctx, tx, made)
	})
	return ok, free, err
}

var agentSpent = store.NewFact[llm.Spent]("llm/agent")

func (m modelBudget) Spend(ctx context.Context, now time.Time, tokens, day, month int) (free time.Time, err error) {
	err = m.Update(ctx, func(tx *store.Tx) error {
		spent, err := agentSpent.Get(ctx, tx)
		if err != nil {
			return err
		}
		spent, free = spent.Spend(now, tokens, day, month)
		return agentSpent.Set(ctx, tx, spent)
	})
	return free, err
}

func (m modelBudget) Rest(ctx context.Context, until time.Time) error {
	return m.Update(ctx, func(tx *store.Tx) error {
		spent, err := agentSpent.Get(ctx, tx)
		spent.Rests = until
		return errors.Join(err, agentSpent.Set(ctx, tx, spent))
	})
}
func (m modelBudget) Correct(ctx context.Context, at time.Time, tokens int) error {
	return m.Update(ctx, func(tx *store.Tx) error {
		spent, err := agentSpent.Get(ctx, tx)
		return errors.Join(err, agentSpent.Set(ctx, tx, spent.Correct(at, tokens)))
	})
}

