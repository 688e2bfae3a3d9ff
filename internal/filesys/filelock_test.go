package filesys

import (
	"context"
	"errors"
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"testing"
)

func openLocked(t *testing.T, path string) *os.File {
	t.Helper()
	f := must.Get(os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600))(t)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestManyShareALockAndOneExcludesThem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, second, third := openLocked(t, path), openLocked(t, path), openLocked(t, path)
	if err := errors.Join(TryShared(first), TryShared(second)); err != nil {
		t.Fatalf("two sharing: %v", err)
	}
	if err := TryExclusive(third); !errors.Is(err, ErrHeld) {
		t.Errorf("exclusive beside shared: %v, want ErrHeld", err)
	}
	must.Do(t, errors.Join(first.Close(), second.Close()))
	if err := TryExclusive(third); err != nil {
		t.Errorf("exclusive after they closed: %v", err)
	}
	if err := TryShared(openLocked(t, path)); !errors.Is(err, ErrHeld) {
		t.Errorf("shared beside exclusive: %v, want ErrHeld", err)
	}
}

func TestAcquireWaitsForItsTurnAndNoLongerThanItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	release := must.Get(Acquire(t.Context(), path))(t)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Acquire(over, path); !errors.Is(err, ErrHeld) || !errors.Is(err, context.Canceled) {
		t.Errorf("without patience: %v, want ErrHeld", err)
	}
	turn := make(chan error)
	go func() {
		release, err := Acquire(context.Background(), path)
		if err == nil {
			release()
		}
		turn <- err
	}()
	release()
	if err := <-turn; err != nil {
		t.Errorf("after the release: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the lock file is %v, %v; want it private", info.Mode(), err)
	}
}

func TestAcquireNamesWhatItCannotOpen(t *testing.T) {
	if _, err := Acquire(t.Context(), filepath.Join(t.TempDir(), "no", "such", "folder")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want ErrNotExist", err)
	}
}
