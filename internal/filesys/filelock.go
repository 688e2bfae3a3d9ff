package filesys

import (
	"context"
	"errors"
	"os"
	"time"
)

// ErrHeld says that somebody else holds a lock that excludes the one asked for.
var ErrHeld = errors.New("locked by another process")

// TryShared takes a lock that any number of holders may share, or returns ErrHeld at once.
func TryShared(f *os.File) error { return try(f, false) }

// TryExclusive takes a lock that nobody shares, or returns ErrHeld at once.
func TryExclusive(f *os.File) error { return try(f, true) }

// retryEvery is how often a waiting Acquire looks again: short beside anything a person notices, long beside the lock.
const retryEvery = 2 * time.Millisecond

// Acquire opens path (creating it private) and waits for the exclusive lock on it until ctx ends.
func Acquire(ctx context.Context, path string) (release func(), err error) {
	f, err := Open(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	tick := time.NewTicker(retryEvery)
	defer tick.Stop()
	for {
		err := TryExclusive(f)
		if err == nil {
			return func() { _ = f.Close() }, nil // closing releases
		}
		if !errors.Is(err, ErrHeld) {
			return nil, errors.Join(err, f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ErrHeld, ctx.Err(), f.Close())
		case <-tick.C:
		}
	}
}
