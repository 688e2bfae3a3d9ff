package answer

import (
	"context"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// For tests of this package.
const (
	Opening         = opening
	SubagentOpening = subagentOpening
)

func NewReply(b *brain.Brain, tx *store.Tx, e memory.Event) *reply {
	return newReply(newSheet(b, e), tx)
}

// Said reports whether an answer to an event would repeat a memory.
func Said(ctx context.Context, b *brain.Brain, tx *store.Tx, e memory.Event, id memory.CrystalID) (bool, error) {
	s := newSheet(b, e).at(memory.AtPrompt, 0)
	s.waiting = s.waits()
	s.tx = tx
	err := s.lookBack(ctx)
	return s.said(id), err
}
