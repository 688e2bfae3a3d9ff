package state

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/llm"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/vocab"
)

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

// ponder lets the configured language model look for insights in what is new, with one question. What is founded is kept as
// crystals of the agent's own, under what anybody said; the rest is refused and counted. Nothing is held while the model is asked,
// and material it was asked about is not asked about again.
func (d dreamer) ponder(ctx context.Context, id memory.ProjectID, out *PhaseReport) error {
	if d.config.LLM.Provider == "" {
		return nil
	}
	nonce, err := d.store.NewID()
	if err != nil {
		return err
	}
	var upto int64
	q, err := brain.View(ctx, d.store, func(tx *store.Tx) (none Question, err error) {
		marks, err := PhasesFact(id).Get(ctx, tx)
		if err != nil {
			return none, err
		}
		kept, err := latestSaid(ctx, tx, id)
		if err != nil {
			return none, err
		}
		for _, c := range kept {
			if !brain.IsThought(c.Crystal) { // its own thoughts are no new material
				upto = max(upto, c.Document)
			}
		}
		if upto <= marks.Thought {
			return none, nil
		}
		thoughts, err := thoughtsOf(ctx, tx, kept)
		if err != nil {
			return none, err
		}
		gaps, err := GapsAmong(ctx, tx, id, kept)
		if err != nil {
			return none, err
		}
		return Ask(thoughts, gaps, string(nonce), d.config.Tuning.Dream.PromptTokens)
	})
	if err != nil || q.Prompt == "" {
		return err
	}
	answer, _, err := d.ask(ctx, memory.Session{Project: id}, llm.Request{Prompt: scrub.Clean(q.Prompt)})
	if err != nil {
		return err
	}
	out.Calls++
	found, refused := Ground(q, scrub.Clean(answer), vocab.TextWords)
	for _, r := range refused {
		out.Refused = append(out.Refused, Refusal{Line: scrub.Line(r.Line), Why: scrub.Line(r.Why)})
	}
	if out.Insights, err = keepInsights(ctx, d.store, d.config.Tuning.Crystal, id, found); err != nil {
		return err
	}
	return d.store.Update(ctx, func(tx *store.Tx) error {
		marks, err := PhasesFact(id).Get(ctx, tx)
		if err != nil {
			return err
		}
		marks.Thought = max(marks.Thought, upto)
		return PhasesFact(id).Set(ctx, tx, marks)
	})
}

// insightWorth is the importance of a new insight: below what anybody said.
const insightWorth = 0.4

// keepInsights keeps insights whose sources are still there, and returns their texts.
func keepInsights(ctx context.Context, st *store.Store, settings tuning.Crystal, id memory.ProjectID, found []Insight) ([]string, error) {
	if len(found) == 0 {
		return nil, nil
	}
	var quoted []string
	err := st.UpdateDurable(ctx, func(tx *store.Tx) error {
		quoted = nil
		for _, in := range found {
			cited, err := crystalsOf(ctx, tx, in.Cites)
			if err != nil {
				return err
			}
			if len(cited) < len(in.Cites) || slices.ContainsFunc(cited, func(c memory.Crystal) bool { return !c.ValidTo.IsZero() }) {
				continue // forgotten or replaced while the model thought
			}
			said, err := statements.Crystallise(ctx, settings, tx, memory.Crystal{
				Project: id, Kind: memory.Insight, Text: in.Text, Origin: memory.OriginAgent, Source: brain.ThoughtSource + in.Way,
				Lifecycle: memory.Generated, SaidAt: tx.Now, Importance: insightWorth, Parents: in.Cites,
			})
			if err != nil {
				return err
			}
			if !said.Known {
				quoted = append(quoted, in.Text)
			}
		}
		return nil
	})
	return quoted, err
}
