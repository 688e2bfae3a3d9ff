package state

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/llm"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
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
func (d dreamer) byModel(ctx context.Context, id memory.ProjectID, with memory.Agent) (out DreamResult, err error) {
	var answer string
	material, err := d.begin(ctx, id) // nothing is held while the model is asked
	if err == nil {
		answer, _, err = d.ask(ctx, memory.Session{Project: id, Agent: with}, llm.Request{Prompt: scrub.Clean(material.Prompt)})
	}
	if err != nil {
		out, failed := d.rendered(ctx, id, StateByRules, "asked for", false)
		out.Warnings = append(out.Warnings, "the model did not answer, rules dreamt instead: "+scrub.Line(err.Error()))
		return out, failed
	}
	return d.commit(ctx, id, answer, stateByModel)
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

// model opens the configured language model, or the coding agent that reads: the one that what is asked about was held with, unless
// another is named. Nothing is asked yet.
func (d dreamer) model(of memory.Session) (llm.Provider, error) {
	c := d.config.LLM
	if c.AgentReads() && (of.ID != 0 || c.Provider == "") { // a provider dreams
		if c.Provider != "" {
			c.Model = "" // it is the provider's
		}
		if c.Scribe != config.ScribeAgent {
			of.Agent = memory.Agent(c.Scribe)
		}
		return llm.OpenAgent(of.Agent, c.Model, llm.Env{Now: d.now, Budget: modelBudget{d.store}}, d.config.Tuning.LLM)
	}
	return llm.Open(llm.Config{Kind: c.Provider, URL: c.URL, Model: c.Model, KeyEnv: c.KeyEnv, AllowPlain: c.AllowHTTP},
		llm.Env{Getenv: os.Getenv, Now: d.now, Budget: modelBudget{d.store}}, d.config.Tuning.LLM)
}

// AskModel gives a text about a session to the configured language model, or to a coding agent, and says to whom. An answer in which form
// finds a fault is an error. What was sent is written down, whatever came of it.
func AskModel(ctx context.Context, b *brain.Brain, of memory.Session, prompt string, form func(answer string) error) (answer, to string, err error) {
	return newDreamer(b).ask(ctx, of, llm.Request{Prompt: scrub.Clean(prompt), Form: form})
}

func (d dreamer) ask(ctx context.Context, of memory.Session, r llm.Request) (text, to string, err error) {
	model, err := d.model(of)
	if err != nil {
		return "", "", err
	}
	var answer llm.Answer
	if agent, is := model.(*llm.Agent); is {
		to = string(agent.Name())
		answer, err = agent.Ask(ctx, r)
	} else {
		to = d.config.LLM.Provider
		answer.Text, err = model.Complete(ctx, r)
		answer.Usage = llm.Usage{Input: len(r.Prompt) / prose.BytesPerToken, Output: len(answer.Text) / prose.BytesPerToken}
	}
	if errors.Is(err, memory.ErrRefused) { // it was not asked
		return "", to, err
	}
	sent := statements.Sent{Session: of.ID, Project: of.Project, To: to, Input: answer.Usage.Input, Output: answer.Usage.Output}
	noted := d.store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error { return statements.NoteSent(ctx, tx, sent) })
	return answer.Text, to, errors.Join(err, noted)
}
