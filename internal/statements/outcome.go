package statements

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/store"
)

// outcome is the latest message of a project's agents of which a sentence says what came of the work.
type outcome struct {
	Message  memory.EventID `json:"message"`
	At       time.Time      `json:"at"`
	Sentence int            `json:"sentence"` // among its outcomes
}

func outcomeOf(id memory.ProjectID) store.Fact[outcome] {
	return store.NewFact[outcome]("session/outcome").Of(id)
}

// CameOf is the sentence of an agent's last message that says what came of the work, empty if none may be told: its session was looked at,
// and bears it out as it would a line. Whatever the agent read that others wrote may speak from it.
func CameOf(ctx context.Context, tx *store.Tx, message memory.StoredEvent) (string, error) {
	told, err := outcomeOf(message.Project).Get(ctx, tx)
	if list := prose.Outcomes(message.Text); told.Message == message.ID && told.Sentence < len(list) {
		return list[told.Sentence], err
	}
	return "", err
}

// noteOutcome notes what of a session's last message may be told.
func (r *material) noteOutcome(ctx context.Context, b *brain.Brain) error {
	at := slices.IndexFunc(prose.Outcomes(r.last.Text), func(sentence string) bool { return r.cameOf(ctx, sentence) })
	if at < 0 {
		return nil
	}
	return b.Store.Update(ctx, func(tx *store.Tx) error {
		latest, err := outcomeOf(r.of.Project).Get(ctx, tx)
		if err != nil || latest.At.After(r.last.At) {
			return err
		}
		return outcomeOf(r.of.Project).Set(ctx, tx, outcome{r.last.ID, r.last.At, at})
	})
}

// cameOf reports whether a sentence tells somebody who was not there what came of what was asked.
func (r *material) cameOf(ctx context.Context, sentence string) bool {
	turns := r.session.Turns
	asked := strings.Join(slices.Concat(turns[0].Typed, turns[len(turns)-1].Typed), " ")
	names := slices.ContainsFunc(r.did, func(d deed) bool { return d.file != "" && strings.Contains(sentence, path.Base(d.file)) })
	if !Alone(sentence) || !names && !SameSubject(sentence, asked) {
		return false
	}
	e := r.evidence(ctx)
	if e.Late.Tainted && !r.heard { // it read texts of others that hebb does not see
		return false
	}
	l := lines.Line{Kind: lines.Fact, Text: sentence, Quote: sentence}
	return len(lines.Unproven(sentence, e)) == 0 && len(lines.Doubts(l, lines.Proof{Turn: len(turns)}, r.session, e)) == 0
}
