package steward

import (
	"context"
	"errors"
	"fmt"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transfer"
	"github.com/hebb-memory/hebb/internal/views"
)

// Forget deletes memories and restores everything derived from them, as if they had never been
// seen.
var Forget = brain.Operation[forget.ForgetInput, forget.ForgetResult]{
	Name: "forget", Run: forgetAndClean,
}

func forgetAndClean(ctx context.Context, b *brain.Brain, in forget.ForgetInput) (out forget.ForgetResult, err error) {
	described := in.Session != "" || in.Origin != "" || !in.Since.IsZero() || in.Project != ""
	if len(in.IDs) == 0 && !described {
		return out, fmt.Errorf("forget: say what: event IDs, --session, --origin, --since or --project: %w", memory.ErrInvalid)
	}
	if len(in.IDs) > 0 && described {
		return out, fmt.Errorf("forget: choose by IDs or by description, not both: %w", memory.ErrInvalid)
	}
	var events store.EventFilter
	if described {
		events, err = brain.View(ctx, b.Store, func(tx *store.Tx) (store.EventFilter, error) {
			return record.Filter(ctx, b.Config, tx, in.Scope, in.Session)
		})
		if err != nil {
			return out, err
		}
	}
	if err := forget.Unpack(ctx, b.Store, events); err != nil {
		return out, err
	}
	var chosen forget.Forgetting
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		out, chosen, err = forget.Choose(ctx, tx, in, events)
		return err
	})
	if err != nil || !in.Apply {
		return out, err
	}
	if len(out.Proposed) > 0 {
		err := b.Store.UpdateDurable(ctx, func(tx *store.Tx) (err error) {
			for _, id := range out.Proposed {
				err = errors.Join(err, statements.Propose(ctx, tx, id, statements.ProposeForget))
			}
			return err
		})
		if err != nil || len(out.Proposed) == len(in.IDs) {
			return out, err
		}
	}
	ids, err := chosen.Named(ctx, b.Store)
	if err != nil {
		return out, err
	}
	if err := forget.BeginForgetting(ctx, b.Store, &chosen); err != nil {
		return out, err
	}
	if err := forget.ForgetNow(ctx, b, chosen); err != nil {
		return out, fmt.Errorf("forget: not finished, the next hebb command goes on: %w", err)
	}
	out.Applied = true
	if err := forget.LearnAnew(ctx, b); err != nil {
		return out, err
	}
	if err := errors.Join(views.ForgetFiles(ctx, b), views.SweepBackups(ctx, b.Store, b.Config.Dir)); err != nil {
		return out, err
	}
	if out.Warning, err = b.Tidy(ctx); err != nil {
		return out, err
	}
	if err := transfer.RenewDaily(ctx, b); err != nil {
		return out, fmt.Errorf("forgotten, but automatic backups in %s may still hold it: %w", b.Config.Backups(), err)
	}
	out.Backups, err = transfer.Holding(ctx, b.Config, ids)
	return out, err
}
