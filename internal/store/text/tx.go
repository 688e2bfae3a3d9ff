// Package text keeps the texts of a memory and what makes them findable: documents and the words and embeddings that lead to them,
// crystals, the knowledge graph and source fragments. It is a part of package store, whose transactions embed these.
package text

import (
	"time"

	"github.com/hebb-memory/hebb/internal/store/db"
)

// Tx is the part of a transaction that deals with texts. Everything in it happens at Now.
type Tx struct {
	Now time.Time
	db  *db.Tx
}

// New returns the part of a transaction that deals with texts.
func New(tx *db.Tx) Tx { return Tx{Now: tx.Now, db: tx} }
