package config

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// Own refuses a folder to root if it belongs to another person, or would be made in a folder of theirs: what root leaves there the
// person cannot write any more, and their hooks keep nothing from then on. sudo may keep HOME, and does so on macOS.
func Own(dir string) error {
	user := os.Geteuid()
	if user != 0 {
		return nil
	}
	for _, at := range []string{dir, present(filepath.Dir(dir))} {
		info, err := os.Stat(at)
		if err != nil {
			continue
		}
		if owner, _, ok := filesys.Owner(info); ok && spoils(user, owner) {
			return fmt.Errorf("hebb runs as root, and %s belongs to another user (%d), whose hebb could not write there any more: "+
				"run it as that user, or set HOME or %s to a folder of root's: %w", at, owner, EnvHome, memory.ErrRefused)
		}
	}
	return nil
}

// spoils reports whether what a user writes into a folder of somebody's is out of the owner's reach.
func spoils(user, owner int) bool { return user == 0 && owner != 0 }

// present is a folder, or the nearest one above it that exists.
func present(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}
