package store

import (
	"context"
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
)

const walkPage = 500 // rows read at a time: constant memory, and no open cursor while touches are loaded

// walkEvents visits every event in the order it was stored.
func (tx *Tx) walkEvents(ctx context.Context, project memory.ProjectID, yield func(row) error) error {
	for after := int64(0); ; {
		var page []row
		w := where{}
		w.and(`seq > ?`, after)
		if project != 0 {
			w.and(`+project_id = ?`, int64(project)) // +: by seq; by the project each page would read and sort all of it
		}
		w.args = append(w.args, walkPage)
		err := tx.eventRows(ctx, w.String()+` ORDER BY seq LIMIT ?`, w.args, func(r row) error {
			page = append(page, r)
			return nil
		})
		if err != nil {
			return fmt.Errorf("walk events: %w", err)
		}
		for _, r := range page {
			if err := tx.loadTouches(ctx, &r); err != nil {
				return fmt.Errorf("walk events: %w", err)
			}
			if err := yield(r); err != nil {
				return err
			}
		}
		if len(page) < walkPage {
			return nil
		}
		after = page[len(page)-1].seq
	}
}

// WalkEvents visits every event in the order it was stored.
func (tx *Tx) WalkEvents(ctx context.Context, yield func(memory.StoredEvent) error) error {
	return tx.walkEvents(ctx, 0, func(r row) error { return yield(r.StoredEvent) })
}

// WalkProject visits the events of a project with their numbers, in the order they were stored.
func (tx *Tx) WalkProject(ctx context.Context, id memory.ProjectID, yield func(seq int64, e memory.StoredEvent) error) error {
	return tx.walkEvents(ctx, id, func(r row) error { return yield(r.seq, r.StoredEvent) })
}

// Tombstone marks an event as forgotten on purpose.
func (tx *Tx) Tombstone(ctx context.Context, id memory.EventID) error {
	_, err := tx.exec(ctx, `INSERT INTO tombstone (event_id, forgotten_at) VALUES (?, ?) ON CONFLICT (event_id) DO NOTHING`,
		string(id), millis(tx.Now))
	if err != nil {
		return fmt.Errorf("tombstone %s: %w", id, err)
	}
	return nil
}

// Tombstones returns the events forgotten on purpose.
func (tx *Tx) Tombstones(ctx context.Context) (ids []memory.EventID, err error) {
	err = tx.each(ctx, `SELECT event_id FROM tombstone ORDER BY event_id`, nil, scanInto(&ids))
	if err != nil {
		return nil, fmt.Errorf("tombstones: %w", err)
	}
	return ids, nil
}
