package brain

import (
	"context"
	"errors"

	"github.com/hebb-memory/hebb/internal/memory"
)

// EachAlone runs a function for each of a list: projects, or jobs. The failure of one does not keep the others from running; all
// failures are returned together. Only what concerns all of them ends the run: see ConcernsAll.
func EachAlone[T any](ctx context.Context, list []T, run func(T) error) (problems error) {
	for _, one := range list {
		err := run(one)
		if problems = errors.Join(problems, err); ConcernsAll(ctx, err) {
			break
		}
	}
	return problems
}

// ConcernsAll reports whether an error is nobody's own: the store is busy, another process has taken over, or the time is up.
func ConcernsAll(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || errors.Is(err, memory.ErrBusy) || errors.Is(err, memory.ErrConflict))
}
