package text

import (
	"context"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Tombstone marks an event as forgotten on purpose.
func (tx *Tx) Tombstone(ctx context.Context, id memory.EventID) error {
	_, err := tx.db.Insert(ctx, CheckedTombstone, string(id), db.Millis(tx.Now))
	return err
}

// Tombstones returns the events forgotten on purpose.
func (tx *Tx) Tombstones(ctx context.Context) ([]memory.EventID, error) {
	return db.All[memory.EventID](ctx, tx.db, `SELECT event_id FROM tombstone ORDER BY event_id`, nil, db.Column)
}

// Forgotten reports whether something has a tombstone.
func (tx *Tx) Forgotten(ctx context.Context, id memory.EventID) (bool, error) {
	return tx.db.Any(ctx, `tombstone WHERE event_id = ?`, string(id))
}

// bury leaves a tombstone for what was deleted, if anything was.
func (tx *Tx) bury(ctx context.Context, deleted int64, id memory.EventID) error {
	if deleted == 0 {
		return nil
	}
	return tx.Tombstone(ctx, id)
}

// Unbury takes the tombstone away of what was added, if anything was.
func (tx *Tx) Unbury(ctx context.Context, added int64, id memory.EventID) error {
	if added == 0 {
		return nil
	}
	return tx.db.Run(ctx, `DELETE FROM tombstone WHERE event_id = ?`, string(id))
}
