package store

import (
	"context"
	"math"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

const walkPage = 500 // rows read at a time: constant memory, and no open cursor while touches are loaded

// walkEvents visits every event in the order it was stored.
func (tx *Tx) walkEvents(ctx context.Context, yield func(Numbered) error) error {
	packed, err := tx.newUnpacker(ctx)
	if err != nil {
		return err
	}
	for after := int64(0); ; {
		page, err := tx.ProjectEvents(ctx, 0, after, walkPage)
		if err != nil {
			return err
		}
		for _, e := range page {
			if err := packed.before(ctx, e.Seq, yield); err != nil {
				return err
			}
			if err := yield(e); err != nil {
				return err
			}
		}
		if len(page) < walkPage {
			return packed.before(ctx, math.MaxInt64, yield)
		}
		after = page[len(page)-1].Seq
	}
}

// WalkEvents visits every event in the order it was stored.
func (tx *Tx) WalkEvents(ctx context.Context, yield func(memory.StoredEvent) error) error {
	return tx.walkEvents(ctx, func(e Numbered) error { return yield(e.StoredEvent) })
}

// ProjectEvents returns events of a project, 0 for all, after a number, in the order they were stored, up to a number. Packed calls are not among them.
func (tx *Tx) ProjectEvents(ctx context.Context, project memory.ProjectID, after int64, most int) ([]Numbered, error) {
	w := db.Where{}
	w.And(`seq > ?`, after)
	w.When(project != 0, `+project_id = ?`, int64(project)) // +: by seq; by the project each page would read and sort all of it
	page, err := tx.eventsWithTouches(ctx, w.String()+` ORDER BY seq`+w.Limit(most), w.Args...)
	return page, db.Wrap(err, "events after %d", after)
}

// LastEvent returns the number of the latest event, 0 without any.
func (tx *Tx) LastEvent(ctx context.Context) (seq int64, err error) {
	return db.Value[int64](ctx, tx.db, `SELECT COALESCE(MAX(seq), 0) FROM event`)
}
