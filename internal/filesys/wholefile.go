package filesys

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hebb-memory/hebb/internal/failpoint"
	"github.com/hebb-memory/hebb/internal/memory"
)

// partial marks a file that is still being written. Whatever follows it belongs to the same file (SQLite's journals).
const partial = ".partial"

// WriteWhole creates a file that has its name only once it is complete. fill writes and verifies a private, empty temporary
// file beside it; that is flushed to disk, renamed, and the folder is flushed. If fill fails nothing is left; a process that is
// killed leaves only a temporary file, which RemovePartial deletes. A file that exists is never replaced: memory.ErrConflict.
func WriteWhole(path string, fill func(temporary string) error) (err error) {
	if err := absent(path); err != nil {
		return err
	}
	h, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*"+partial) // with mode 0600
	if err != nil {
		return err
	}
	temporary := h.Name()
	defer func() {
		if err != nil {
			err = errors.Join(err, removeAll(temporary))
		}
	}()
	if err := h.Close(); err != nil {
		return err
	}
	failpoint.Here("partial")
	if err := fill(temporary); err != nil {
		return err
	}
	if err := syncPath(temporary, os.O_RDWR); err != nil {
		return err
	}
	if err := absent(path); err != nil {
		return err
	}
	failpoint.Here("whole")
	if err := Rename(temporary, path); err != nil {
		return err
	}
	failpoint.Here("named")
	return SyncFolder(filepath.Dir(path))
}

func absent(path string) error {
	_, err := os.Lstat(path)
	if err == nil {
		return fmt.Errorf("%s already exists: %w", path, memory.ErrConflict)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// SyncFolder flushes a folder, so that a file that was renamed in it keeps its name after a power cut. Windows does so itself.
func SyncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	return syncPath(dir, os.O_RDONLY)
}

func syncPath(path string, mode int) error {
	h, err := os.OpenFile(path, mode, 0)
	if err != nil {
		return err
	}
	return errors.Join(h.Sync(), h.Close())
}

// RemovePartial deletes what killed processes left of files in a folder whose whole names begin with prefix. The caller makes sure
// that nobody is writing one.
func RemovePartial(dir, prefix string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if whole, is := IsPartial(e.Name()); is && strings.HasPrefix(whole, prefix) {
			err = errors.Join(err, RemoveOwn(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// journals are the endings of the files that belong to a database.
var journals = []string{"", "-journal", "-wal", "-shm"}

// removeAll deletes a database file and its journals.
func removeAll(path string) (err error) {
	for _, suffix := range journals {
		if failed := Remove(path + suffix); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}
