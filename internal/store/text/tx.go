// Package text keeps the texts of a memory and what makes them findable: documents and the words and embeddings that lead to them,
// crystals, the knowledge graph and source fragments. It is a part of package store, whose transactions embed these.
package text

import (
	"time"

	"github.com/hebb-memory/hebb/internal/store/db"
)

// Tx is the part of a transaction that deals with texts. Everything in it happens at Now.
type Tx struct {
	Now      time.Time
	db       *db.Tx
	fullText db.FullText
	counts   *textCounts // once read, where it only reads
	stubs    *StubCache  // nil where it may write
}

// On is the same part of another transaction, without a cache.
func (tx Tx) On(other *db.Tx) Tx { return New(other, tx.fullText, nil) }

// New returns the part of a transaction that deals with texts. stubs may be nil; a transaction that writes does not use them.
func New(tx *db.Tx, fullText db.FullText, stubs *StubCache) Tx {
	if !tx.ReadOnly {
		stubs = nil
	}
	return Tx{Now: tx.Now, db: tx, fullText: fullText, stubs: stubs}
}
