package statements

import (
	"context"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/lines"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/store"
)

// outcome is the latest message of a project's agents whose outcome may be told.
type outcome struct {
	Message memory.EventID `json:"message"`
	At      time.Time      `json:"at"`
}

func outcomeOf(id memory.ProjectID) store.Fact[outcome] {
	return store.NewFact[outcome]("session/outcome").Of(id)
}

// OutcomeHolds reports whether what an agent's last message says of the outcome may be told: its session was looked at, and bears it out
// as it would a line. Whatever the agent read that others wrote may speak from it.
func OutcomeHolds(ctx context.Context, tx *store.Tx, message memory.StoredEvent) (bool, error) {
	holds, err := outcomeOf(message.Project).Get(ctx, tx)
	return holds.Message == message.ID, err
}

// noteOutcome notes whether what came of a session may be told.
func (r *material) noteOutcome(ctx context.Context, b *brain.Brain) error {
	if !r.outcomeHolds(ctx) {
		return nil
	}
	return b.Store.Update(ctx, func(tx *store.Tx) error {
		latest, err := outcomeOf(r.of.Project).Get(ctx, tx)
		if err != nil || latest.At.After(r.last.At) {
			return err
		}
		return outcomeOf(r.of.Project).Set(ctx, tx, outcome{r.last.ID, r.last.At})
	})
}

func (r *material) outcomeHolds(ctx context.Context) bool {
	text := prose.CameOf(r.last.Text)
	if text == "" {
		return false
	}
	e := r.evidence(ctx)
	if e.Late.Tainted && !r.heard { // it read texts of others that hebb does not see
		return false
	}
	l := lines.Line{Kind: lines.Fact, Text: text, Quote: text}
	return len(lines.Unproven(text, e)) == 0 && len(lines.Doubts(l, lines.Proof{Turn: len(r.session.Turns)}, r.session, e)) == 0
}
