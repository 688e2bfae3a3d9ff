package state

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/llm"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// writer reports whether a language model or an agent may write the state of a project, and which agent: one that is not named is handed
// only what comes of sessions with it.
func (d dreamer) writer(ctx context.Context, id memory.ProjectID) (with memory.Agent, may bool, err error) {
	if c := d.config.LLM; c.Provider != "" || !c.AgentReads() {
		return "", c.Provider != "", nil
	}
	err = d.store.View(ctx, func(tx *store.Tx) error {
		consent, err := statements.Consent(ctx, tx, d.config, id)
		if may = consent.Given(); err != nil || !may || consent.Who != config.ScribeAgent {
			return err
		}
		sessions, err := tx.Sessions(ctx, store.SessionFilter{ByAgents: true, Project: id})
		for _, s := range sessions {
			with = s.Agent
			may = may && s.Agent == sessions[0].Agent && slices.Contains(llm.Askable(), s.Agent)
		}
		return err
	})
	return with, may, err
}

// byModel lets the configured language model write the state, behind the guards. Whatever goes wrong with it, rules dream.
func (d dreamer) byModel(ctx context.Context, id memory.ProjectID, in DreamInput, with memory.Agent) (out DreamResult, err error) {
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
		answer, _, err = d.ask(ctx, memory.Session{Project: id, Agent: with}, llm.Request{Prompt: scrub.Clean(material.Prompt)})
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

func (m modelBudget) Correct(ctx context.Context, at time.Time, tokens int) error {
	return m.Update(ctx, func(tx *store.Tx) error {
		spent, err := agentSpent.Get(ctx, tx)
		return errors.Join(err, agentSpent.Set(ctx, tx, spent.Correct(at, tokens)))
	})
}

func (m modelBudget) Rest(ctx context.Context, until time.Time) error {
	return m.Update(ctx, func(tx *store.Tx) error {
		spent, err := agentSpent.Get(ctx, tx)
		spent.Rests = until
		return errors.Join(err, agentSpent.Set(ctx, tx, spent))
	})
}
