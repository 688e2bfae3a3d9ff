package text

import (
	"context"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Buried are the tombstones: the subject of each is what was forgotten.
const Buried = `fact WHERE name = 'tombstone' AND project_id = 0`

// Tombstone marks an event as forgotten on purpose.
func (tx *Tx) Tombstone(ctx context.Context, id memory.EventID) error {
	_, err := tx.db.Insert(ctx, CheckedFact, "tombstone", 0, string(id), "true", db.Millis(tx.Now))
	return err
}

// Tombstones returns the events forgotten on purpose.
func (tx *Tx) Tombstones(ctx context.Context) ([]memory.EventID, error) {
	return db.All[memory.EventID](ctx, tx.db, `SELECT subject FROM `+Buried+` ORDER BY subject`, nil, db.Column)
}

// Forgotten reports whether something has a tombstone.
func (tx *Tx) Forgotten(ctx context.Context, id memory.EventID) (bool, error) {
	return tx.db.Any(ctx, Buried+` AND subject = ?`, string(id))
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
	return tx.db.Run(ctx, `DELETE FROM `+Buried+` AND subject = ?`, string(id))
}
