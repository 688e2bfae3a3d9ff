package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

func TestWhoSpoilsWhat(t *testing.T) {
	for _, c := range []struct {
		user, owner int
		want        bool
	}{{0, 1000, true}, {0, 0, false}, {1000, 1000, false}, {1000, 0, false}, {1000, 1001, false}, {-1, 0, false}} {
		if got := spoils(c.user, c.owner); got != c.want {
			t.Errorf("user %d in a folder of %d: %t", c.user, c.owner, got)
		}
	}
}

// Root uses no data folder of another person, and makes none in a folder of theirs.
func TestRootLeavesTheFoldersOfOthersAlone(t *testing.T) {
	dir := func(path string) (string, error) {
		return DataDir(func(name string) string { return map[string]string{EnvHome: path}[name] })
	}
	home := t.TempDir()
	for _, path := range []string{home, filepath.Join(home, ".hebb"), filepath.Join(home, "a", "b")} {
		if got, err := dir(path); err != nil || got != path {
			t.Errorf("one's own %s: %q, %v", path, got, err)
		}
	}
	if os.Getuid() != 0 {
		return // only root may give a folder away, and only root is refused
	}
	must.Do(t, errors.Join(os.Mkdir(filepath.Join(home, ".hebb"), 0o700), os.Chown(home, 65534, 65534)))
	for _, path := range []string{home, filepath.Join(home, ".hebb"), filepath.Join(home, "a", "b")} {
		if got, err := dir(path); !errors.Is(err, memory.ErrRefused) || got != "" {
			t.Errorf("%s of another user: %q, %v", path, got, err)
		}
	}
}
