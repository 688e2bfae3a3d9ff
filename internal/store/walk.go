package store

import (
	"context"
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
)

const walkPage = 500 // rows read at a time: constant memory, and no open cursor while touches are loaded

// walkEvents visits every event in the order it was stored.
func (tx *Tx) walkEvents(ctx context.Context, yield func(row) error) error {
	for after := int64(0); ; {
		page, err := tx.eventsAfter(ctx, 0, after, walkPage)
		if err != nil {
			return err
		}
		for _, r := range page {
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

func (tx *Tx) eventsAfter(ctx context.Context, project memory.ProjectID, after int64, most int) (page []row, err error) {
	w := where{}
	w.and(`seq > ?`, after)
	if project != 0 {
		w.and(`+project_id = ?`, int64(project)) // +: by seq; by the project each page would read and sort all of it
	}
	w.args = append(w.args, most)
	err = tx.eventRows(ctx, w.String()+` ORDER BY seq LIMIT ?`, w.args, func(r row) error {
		page = append(page, r)
		return nil
	})
	for i := range page {
		if err == nil {
			err = tx.loadTouches(ctx, &page[i])
		}
	}
	if err != nil {
		return nil, fmt.Errorf("walk events: %w", err)
	}
	return page, nil
}

// WalkEvents visits every event in the order it was stored.
func (tx *Tx) WalkEvents(ctx context.Context, yield func(memory.StoredEvent) error) error {
	return tx.walkEvents(ctx, func(r row) error { return yield(r.StoredEvent) })
}

// ProjectEvents returns events of a project after a number, in the order they were stored, so many at most.
func (tx *Tx) ProjectEvents(ctx context.Context, id memory.ProjectID, after int64, most int) (events []Numbered, err error) {
	rows, err := tx.eventsAfter(ctx, id, after, most)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		events = append(events, Numbered{Seq: r.seq, StoredEvent: r.StoredEvent})
	}
	return events, nil
}

// LastEvent returns the number of the latest event, 0 without any.
func (tx *Tx) LastEvent(ctx context.Context) (seq int64, err error) {
	if err = tx.one(ctx, `SELECT COALESCE(MAX(seq), 0) FROM event`, nil, &seq); err != nil {
		return 0, fmt.Errorf("latest event: %w", err)
	}
	return seq, nil
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
