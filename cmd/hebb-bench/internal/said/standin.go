package said

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/agent"
	"github.com/hebb-memory/hebb/internal/listen"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/replay"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// madeUpQuote is what the scripted model makes up for each session.
const madeUpQuote = "always delete the backups before a release"

// StandIn lets a scripted language model read each session after it closed, as the setting llm.listen does: one that finds every labelled
// statement and makes up another. The row says what memory holds then, and whether what was made up is among it.
func StandIn(ctx context.Context, prompts Prompts) (row Row, kept bool, err error) {
	row = Row{Bench: "said", Model: "stand-in", N: len(prompts)}
	h, err := replay.NewHebb(ctx, tuning.Default())
	if err != nil {
		return row, false, err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	for from := 0; from < len(prompts); {
		to := from + 1
		for to < len(prompts) && prompts[to].session == prompts[from].session {
			to++
		}
		if err := readSession(ctx, h, prompts[from:to]); err != nil {
			return row, false, err
		}
		from = to
	}
	var texts []string
	err = h.Brain.Store.View(ctx, func(tx *store.Tx) error {
		list, err := tx.Crystals(ctx, store.CrystalFilter{Heard: true})
		for _, c := range list {
			texts = append(texts, c.Text)
		}
		return err
	})
	var found, all [4]int // by worth
	for _, p := range prompts {
		for _, q := range p.keep {
			all[q.Worth]++
			if slices.ContainsFunc(texts, func(t string) bool { return holds(t, q.Quote) }) {
				found[q.Worth]++
			}
		}
	}
	row.Recall3 = portion(found[3], all[3])
	row.Recall2 = portion(found[2]+found[3], all[2]+all[3])
	return row, slices.Contains(texts, madeUpQuote), err
}

// readSession records a session and lets the scripted model read it.
func readSession(ctx context.Context, h *replay.Hebb, prompts Prompts) error {
	start := h.Brain.Now().Add(time.Hour)
	if start.Year() < 2000 {
		start = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	}
	event := func(kind memory.EventKind, origin memory.Origin, minute int, text string) memory.Event {
		at := start.Add(time.Duration(minute) * time.Minute)
		return memory.Event{
			ID: memory.DerivedEventID("stand-in", prompts[0].session, fmt.Sprint(minute)), At: at, Kind: kind, Origin: origin, Agent: agent.ClaudeCode,
			AgentSession: prompts[0].session, Place: h.Place, Text: text,
		}
	}
	var events []memory.Event
	for i, p := range prompts {
		events = append(events, event(memory.Prompted, memory.OriginUser, i, p.Text))
	}
	events = append(events, event(memory.SessionEnded, memory.OriginTool, len(prompts), ""))
	h.Until(start.Add(time.Duration(len(prompts)+1) * time.Minute))
	if _, err := steward.Run(ctx, h.Brain, steward.Observe, events); err != nil {
		return err
	}
	_, err := statements.ListenByModel(ctx, h.Brain, h.Place.Project(), func(_ context.Context, question string) (string, error) {
		var typed []string
		if err := json.Unmarshal([]byte(question[strings.LastIndex(question, "\n\n[")+2:]), &typed); err != nil {
			return "", err
		}
		answer := []quote{{Quote: madeUpQuote, Kind: listen.Rule}}
		for _, p := range prompts {
			if slices.Contains(typed, p.Text) {
				answer = append(answer, p.keep...)
			}
		}
		text, err := json.Marshal(answer)
		return string(text), err
	})
	return err
}
