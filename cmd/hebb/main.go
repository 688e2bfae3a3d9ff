// Command hebb is a memory for coding agents: it learns from what they touch, forgets what they ignore, and hands the
// next prompt what it will need.
package main

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"time"

	"github.com/hebb-memory/hebb/cmd/hebb/internal/hookmain"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/cli"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
)

func main() {
	hookmain.Serve(answerFrom)
	os.Exit(cli.Main(cli.System()))
}

// hookMemory is the heap size above which a hook that answers collects garbage: collecting earlier costs a quarter of its time (make
// bench-hook).
const hookMemory = 256 << 20

// answerFrom answers a moment of an agent's work from the memory of c, which it opens for that.
func answerFrom(ctx context.Context, c config.Config, to memory.Event) (string, *memory.Event, error) {
	// The process ends before garbage collection would pay.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(hookMemory)
	debug.SetPanicOnFault(true) // a mapped file that the disk cannot read costs the answer, not the event
	b, err := brain.OpenReadOnly(ctx, c, time.Now)
	if errors.Is(err, memory.ErrNotFound) {
		return "", nil, nil // nothing is known yet
	}
	if err != nil {
		return "", nil, err
	}
	out, err := steward.Run(ctx, b, answer.Moment, to)
	return out.Text, out.Receipt, errors.Join(err, b.Close())
}
