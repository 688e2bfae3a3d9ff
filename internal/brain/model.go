package brain

import (
	"context"
	"time"

	"github.com/hebb-memory/hebb/internal/dream"
	"github.com/hebb-memory/hebb/internal/llm"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// dreamByModel lets the configured language model write the state, behind the guards. Whatever goes wrong with it, rules dream.
func (b *Brain) dreamByModel(ctx context.Context, id memory.ProjectID, in DreamInput) (out DreamResult, err error) {
	due, err := viewed(ctx, b, func(tx *store.Tx) (dream.Decision, error) { return b.dreamDue(ctx, tx, id) })
	if err != nil || !due.Run && !in.Force {
		return DreamResult{Why: due.Why}, err
	}
	phases, err := b.phases(ctx, id)
	if err != nil {
		return DreamResult{}, err
	}
	unthought := b.ponder(ctx, id, &phases)
	defer func() { // whoever writes the state in the end
		if out.Phases = phases; unthought != nil {
			out.Warnings = append(out.Warnings, "the model found no insights: "+scrub.Line(unthought.Error()))
		}
	}()
	answer, err := b.askModel(ctx, id)
	if err != nil {
		out, failed := b.dream(ctx, DreamInput{Scope: in.Scope, Force: true, Rules: true})
		out.Warnings = append(out.Warnings, "the model did not answer, rules dreamt instead: "+scrub.Line(err.Error()))
		return out, failed
	}
	out, err = b.commitDream(ctx, id, answer, stateByModel, phases)
	if due.Run && out.By == stateByModel {
		out.Why = due.Why
	}
	return out, err
}

// askModel hands the material of a dream to the model. Nothing is held meanwhile.
func (b *Brain) askModel(ctx context.Context, id memory.ProjectID) (string, error) {
	model, err := b.model()
	if err != nil {
		return "", err
	}
	material, err := DreamBegin.Run(ctx, b, Scope{Project: id.String()})
	if err != nil {
		return "", err
	}
	return model.Complete(ctx, llm.Request{Prompt: scrub.Clean(material.Prompt)})
}

// modelBudget counts the requests of all processes in the store.
type modelBudget struct{ *Brain }

var modelCalls = store.NewFact[[]time.Time]("llm/calls")

func (m modelBudget) Take(ctx context.Context, now time.Time, most int) (ok bool, free time.Time, err error) {
	err = m.store.Update(ctx, func(tx *store.Tx) error {
		made, err := modelCalls.Get(ctx, tx)
		if err != nil {
			return err
		}
		made, ok, free = llm.Admit(made, now, most)
		return modelCalls.Set(ctx, tx, made)
	})
	return ok, free, err
}
