package brain

import (
	"time"

	"github.com/hebb-memory/hebb/internal/tuning"
)

// BatchSize is the number of events per transaction. Took adapts it so that each transaction holds the database's write lock for about Aim.
type BatchSize struct {
	Size, Least, Most int
	Aim               time.Duration
}

func (b *BatchSize) Took(events int, elapsed time.Duration) {
	if events == 0 || elapsed <= 0 {
		return
	}
	fits := int(int64(events) * int64(b.Aim) / int64(elapsed))
	b.Size = min(max(fits, b.Least, 1), b.Most, 2*b.Size) // grow gently, shrink at once
}

// LeastEvents is the size down to which batches of events shrink: with fewer, each rewrites the links that the one before has written, which
// keeps a busy machine busy.
const LeastEvents = 128

// FirstBatch starts small: nothing is known yet of how fast this machine is.
func FirstBatch(t tuning.Store) BatchSize {
	return BatchSize{Size: max(t.BatchMax/20, 1), Most: t.BatchMax, Aim: t.BatchTime}
}
