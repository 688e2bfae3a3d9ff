package steward

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sleep"
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

// Rebuilt is a project whose figures were made again from its log.
type Rebuilt struct {
	Project memory.ProjectID `json:"project"`
	Name    string           `json:"name"`
	Events  int64            `json:"events"`
	Took    time.Duration    `json:"took_ns"`
}

// Rebuild makes the figures of projects again from their logs. The old ones serve until then.
var Rebuild = brain.Operation[brain.Scope, []Rebuilt]{
	Name: "rebuild",
	Run: func(ctx context.Context, b *brain.Brain, in brain.Scope) (out []Rebuilt, err error) {
		projects, err := brain.View(ctx, b.Store, func(tx *store.Tx) (list []memory.Project, err error) {
			id, err := brain.Resolve(ctx, tx, b.Config, in)
			if err != nil {
				return nil, err
			}
			if id == 0 {
				return tx.Projects(ctx)
			}
			p, err := tx.Project(ctx, id)
			return []memory.Project{p}, err
		})
		if err != nil {
			return nil, err
		}
		for _, p := range projects {
			began := b.Now()
			if err := b.Store.Update(ctx, func(tx *store.Tx) error { return record.MarkAnew(ctx, tx, p.ID) }); err != nil {
				return out, err
			}
			if err := errors.Join(forget.LearnAnew(ctx, b), sleep.LearnWords(ctx, b, p.ID)); err != nil {
				return out, err
			}
			events, err := brain.View(ctx, b.Store, func(tx *store.Tx) (int64, error) {
				mark, err := record.Anew.Of(p.ID).Get(ctx, tx)
				if !mark.Since.IsZero() {
					return 0, fmt.Errorf("rebuild %s: another process does so, and goes on: %w", scrub.Line(p.Name), memory.ErrBusy)
				}
				n, failed := tx.CountEvents(ctx, store.EventFilter{Project: p.ID})
				return n, errors.Join(err, failed)
			})
			if err != nil {
				return out, err
			}
			out = append(out, Rebuilt{Project: p.ID, Name: p.Name, Events: events, Took: b.Now().Sub(began)})
		}
		return out, nil
	},
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
	if out.Warning, err = clean(ctx, b); err == nil {
		out.Backups, err = transfer.Holding(ctx, b.Config, ids)
	}
	return out, err
}

// clean removes what is left of the forgotten in files, in free pages of the store and in automatic backups.
func clean(ctx context.Context, b *brain.Brain) (warning string, err error) {
	if err := errors.Join(views.ForgetFiles(ctx, b), views.SweepBackups(ctx, b.Store, b.Config.Dir), forget.RemoveShadows(ctx, b)); err != nil {
		return "", err
	}
	if warning, err = b.Tidy(ctx); err != nil {
		return warning, err
	}
	if err := transfer.RenewDaily(ctx, b); err != nil {
		return warning, fmt.Errorf("forgotten, but automatic backups in %s may still hold it: %w", b.Config.Backups(), err)
	}
	return warning, b.Store.Update(ctx, func(tx *store.Tx) error { return forget.Uncleaned.Clear(ctx, tx) })
}

// resumeForgetting finishes what a process left that was killed while it forgot.
func resumeForgetting(ctx context.Context, b *brain.Brain) error {
	err := errors.Join(forget.Resume(ctx, b), forget.RemoveShadows(ctx, b))
	due, failed := brain.View(ctx, b.Store, func(tx *store.Tx) (bool, error) { return forget.CleanDue(ctx, tx) })
	if failed == nil && due {
		_, failed = clean(ctx, b)
	}
	return errors.Join(err, failed)
}
