package steward

import (
	"context"
	"errors"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/llm"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sources"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transcript"
)

// readSessions hands sessions that are over to the scribe, if the person allowed it. Else rules keep what is certain.
func readSessions(ctx context.Context, b *brain.Brain, in DrainInput, _ *DrainResult) error {
	lately, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.ProjectID, error) { return goals.Lately(ctx, tx) })
	for _, id := range lately {
		_, failed := scribe(b, in).ReadSessions(ctx, b, id)
		if errors.Is(failed, memory.ErrRefused) { // no other project's are read either; what is spent for today is read tomorrow
			if kind := llm.KindOf(failed); kind == llm.NotInstalled || kind == llm.NotAllowed {
				err = errors.Join(err, failed)
			}
			break
		}
		err = errors.Join(err, failed)
	}
	return err
}

func scribe(b *brain.Brain, in DrainInput) statements.Scribe {
	by := statements.Scribe{
		Ask: func(ctx context.Context, of memory.Session, question string) (string, string, error) {
			answer, err := state.AskModel(ctx, b, of.Agent, question, func(answer string) error { _, err := lines.ReadAnswer(answer); return err })
			return answer, string(of.Agent), err
		},
		Texts: func(ctx context.Context, s memory.Session) ([]transcript.Text, error) {
			return textsOf(ctx, in.Sources, s)
		},
		Unsent: func(context.Context, memory.Session, string) error { return nil },
		Habits: func(ctx context.Context, tx *store.Tx, id memory.ProjectID, least int) (steps [][]string, err error) {
			p, err := tx.Project(ctx, id)
			if err != nil {
				return nil, err
			}
			found, err := state.Habits(ctx, tx, p, statements.CodeOf(b.Config, p, 0), least)
			for _, h := range found {
				steps = append(steps, h.Steps)
			}
			return steps, err
		},
		Goals: goals.GoalsOf, EndGoal: goals.EndedBy, KeepPutOff: goals.KeepPutOff,
	}
	if b.Config.LLM.Scribe == "" {
		by.Ask = nil
	}
	return by
}

// textsOf are those of the agent's own transcript of a session. There are none without one, and none of a damaged one.
func textsOf(ctx context.Context, m sources.Machine, s memory.Session) (texts []transcript.Text, err error) {
	if m.Home == "" {
		return nil, nil
	}
	h, err := transcript.Of(ctx, transcript.Folders(m.Home, m.Getenv), s.Agent, s.AgentSession)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	for _, t := range h.Transcripts {
		how := transcript.Options{Ended: true, Private: scrub.Withholds, Texts: func(text transcript.Text) error {
			texts = append(texts, text)
			return nil
		}}
		if _, err := t.Read(ctx, how, func(transcript.Record) error { return nil }); err != nil && ctx.Err() != nil {
			return nil, err
		}
	}
	return texts, nil
}
