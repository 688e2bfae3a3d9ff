package steward

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
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

// readSessions hands sessions that are over to the scribe, where the person allowed it and no file forbids it. Elsewhere rules keep what is certain.
func readSessions(ctx context.Context, b *brain.Brain, in DrainInput, _ *DrainResult) error {
	lately, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.ProjectID, error) { return goals.Lately(ctx, tx) })
	for _, id := range lately {
		given, unknown := brain.View(ctx, b.Store, func(tx *store.Tx) (bool, error) {
			if b.Config.LLM.Scribe == "" {
				return false, nil
			}
			consent, err := statements.Consent(ctx, tx, b.Config, id)
			return consent.Given(), err
		})
		by := scribe(b, in)
		if unknown != nil || !given {
			by.Ask = nil
			_, failed := by.ReadSessions(ctx, b, id)
			if err = errors.Join(err, unknown, failed); unknown == nil {
				err = errors.Join(err, statements.PassOver(ctx, b.Store, id))
			}
			continue
		}
		_, failed := by.ReadSessions(ctx, b, id)
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
	return statements.Scribe{
		Ask: func(ctx context.Context, of memory.Session, question string) (string, string, error) {
			if b.Config.LLM.Scribe == config.ScribeAgent && !slices.Contains(llm.Askable(), of.Agent) {
				return "", "", statements.Withheld(string(of.Agent) + " cannot be asked")
			}
			return state.AskModel(ctx, b, of, question, func(answer string) error { _, err := lines.ReadAnswer(answer); return err })
		},
		Texts: func(ctx context.Context, s memory.Session) ([]transcript.Text, error) {
			return textsOf(ctx, b, in.Sources, s)
		},
		Unsent: func(ctx context.Context, s memory.Session, why string) error {
			return b.Store.Update(ctx, func(tx *store.Tx) error {
				return statements.NoteSent(ctx, tx, statements.Sent{Session: s.ID, Project: s.Project, Unsent: why})
			})
		},
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
		Goals: goals.GoalsOf, EndGoal: goals.EndedBy,
	}
}

// ReadsNext is the latest session of a project that an agent held and could read, and about how many tokens that takes.
func ReadsNext(ctx context.Context, b *brain.Brain, in DrainInput, id memory.ProjectID, with memory.Agent) (memory.Session, int, error) {
	return scribe(b, in).Next(ctx, b, id, with, llm.QuestionTokens)
}

// ReadNow lets the scribe read one session, and counts the tokens.
func ReadNow(ctx context.Context, b *brain.Brain, in DrainInput, s memory.Session) (tokens int, err error) {
	if err := scribe(b, in).ReadNow(ctx, b, s); err != nil {
		return 0, err
	}
	report, err := brain.View(ctx, b.Store, func(tx *store.Tx) (statements.ScribeReport, error) {
		return statements.ReportScribe(ctx, tx, b.Config, s.Project)
	})
	for _, one := range report.Sent {
		if one.Session == s.ID {
			tokens += one.Input + one.Output
		}
	}
	return tokens, err
}

// textsOf are those of the agent's own transcript of a session, but for turns whose prompt is forgotten or was never kept, and what was said
// during a pause. There are none without a transcript, and none of a damaged one.
func textsOf(ctx context.Context, b *brain.Brain, m sources.Machine, s memory.Session) (texts []transcript.Text, err error) {
	if m.Home == "" {
		return nil, nil
	}
	h, err := transcript.Of(ctx, transcript.Folders(m.Home, m.Getenv), s.Agent, s.AgentSession)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	kept := map[string]bool{}
	pauses, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]brain.Pause, error) {
		prompts, err1 := tx.Events(ctx, store.EventFilter{Session: s.ID, Kind: memory.Prompted})
		for _, p := range prompts {
			kept[beginning(p.Text)] = true
		}
		pauses, err2 := brain.Pauses.Get(ctx, tx)
		return pauses, errors.Join(err1, err2)
	})
	if err != nil {
		return nil, err
	}
	gone := func(prompt string) bool { return !kept[beginning(scrub.Clean(prompt))] }
	for _, t := range h.Transcripts {
		how := transcript.Options{Ended: true, Private: scrub.Withholds, Gone: gone, Texts: func(text transcript.Text) error {
			if !brain.Covers(pauses, s.Project, text.At) {
				texts = append(texts, text)
			}
			return nil
		}}
		if _, err := t.Read(ctx, how, func(transcript.Record) error { return nil }); err != nil {
			return nil, ctx.Err() // a damaged one may lack what others said
		}
	}
	return texts, nil
}

// beginning are the first words of a prompt, by which two texts of it are known: one may be cut.
func beginning(prompt string) string {
	const words = 20
	list := brain.PlainWords(prompt)
	return strings.Join(list[:min(len(list), words)], " ")
}
