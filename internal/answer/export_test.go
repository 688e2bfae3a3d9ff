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

var NewReply = newReply

// Said reports whether an answer to an event would repeat a memory.
func Said(ctx context.Context, b *brain.Brain, tx *store.Tx, e memory.Event, id memory.CrystalID) (bool, error) {
	s := newSheet(b, memory.AtPrompt, e, waiting(b.Config, b.Spool, e), 0)
	s.tx = tx
	err := s.lookBack(ctx)
	return s.said(id), err
}
