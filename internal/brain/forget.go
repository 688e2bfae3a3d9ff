package brain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// ForgetInput chooses what to forget. The chosen fields add up: all must hold.
type ForgetInput struct {
	Scope
	ID      memory.EventID   `json:"id,omitempty"`
	Session memory.SessionID `json:"session,omitzero"`
	Origin  memory.Origin    `json:"origin,omitempty"`
	Since   time.Time        `json:"since,omitzero"`
	// Apply carries it out; without it the counts are what would go.
	Apply bool `json:"apply,omitempty"`
}

// ForgetResult tells what went, or would go.
type ForgetResult struct {
	store.Forgotten
	Applied bool `json:"applied"`
	// Warning says what could not be finished.
	Warning string `json:"warning,omitempty"`
}

// Forget deletes memories and restores everything derived from them, as if they had never been seen.
var Forget = Operation[ForgetInput, ForgetResult]{
	Name: "forget", Summary: "Forget events, as if they had never been seen",
	Run: func(ctx context.Context, b *Brain, in ForgetInput) (ForgetResult, error) { return b.forget(ctx, in) },
}

// errDryRun undoes the transaction of a dry run: it counts by doing.
var errDryRun = errors.New("dry run")

func (b *Brain) forget(ctx context.Context, in ForgetInput) (out ForgetResult, err error) {
	if in.ID == "" && in.Session == 0 && in.Origin == "" && in.Since.IsZero() {
		return out, fmt.Errorf("forget: say what: an event ID, --session, --origin or --since: %w", memory.ErrInvalid)
	}
	err = b.store.UpdateDurable(ctx, func(tx *store.Tx) error {
		f := store.EventFilter{ID: in.ID, Session: in.Session, Origin: in.Origin, Since: in.Since}
		if in.ID == "" && in.Session == 0 { // an ID says its project by itself
			if f.Project, err = b.resolve(ctx, tx, in.Scope); err != nil {
				return err
			}
		}
		gone, kept, err := tx.Forget(ctx, f)
		if err != nil {
			return err
		}
		if gone.Events == 0 {
			return fmt.Errorf("forget: nothing matches: %w", memory.ErrNotFound)
		}
		for _, id := range kept {
			if err := b.restoreIntent(ctx, tx, id); err != nil {
				return err
			}
		}
		out.Forgotten = gone
		if !in.Apply {
			return errDryRun
		}
		return nil
	})
	if errors.Is(err, errDryRun) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	out.Applied = true
	if err := b.store.Tidy(ctx); errors.Is(err, memory.ErrConflict) {
		out.Warning = "another process is reading the store, so the deleted bytes stay in its log a little longer"
	} else if err != nil {
		return out, err
	}
	return out, nil
}

// restoreIntent takes the intent from what is left, for the forgotten prompt may have been its source.
func (b *Brain) restoreIntent(ctx context.Context, tx *store.Tx, id memory.SessionID) error {
	s, err := tx.Session(ctx, id)
	if err != nil || s.IntentByHand {
		return err
	}
	prompt, err := tx.FirstPrompt(ctx, id)
	if err != nil {
		return err
	}
	s.Intent = intent(prompt, b.config.Tuning.Session.IntentLength)
	return tx.SaveSession(ctx, s)
}
