package views

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/hebb-memory/hebb/internal/failpoint"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	folderMode = 0o700 // what hebb remembers is nobody else's business
	fileMode   = 0o600
	sizeMost   = 4 << 20 // far above any text that a person edits
	fresh      = ".new"  // the file that is to take the place of another; one process at a time writes files
)

// vault is the folder of the files for people. Names in it are relative, with slashes: "projects/web/RECENT.md".
type vault string

// content is a file as it was read. A missing one has no text.
type content struct {
	text    string
	there   bool
	mode    fs.FileMode
	at      time.Time // when it was last written
	changed time.Time // the same by the clock of the system: no program dates it back
}

// read reads a file.
func (v vault) read(name string) (content, error) {
	root, err := os.OpenRoot(string(v))
	if errors.Is(err, fs.ErrNotExist) {
		return content{mode: fileMode}, nil
	}
	if err != nil {
		return content{}, err
	}
	defer func() { _ = root.Close() }()
	return v.readIn(root, name)
}

func (v vault) readIn(root *os.Root, name string) (content, error) {
	text, err := filesys.ReadIn(root, name, sizeMost+1)
	info, gone := root.Lstat(name)
	switch {
	case errors.Is(gone, fs.ErrNotExist):
		return content{mode: fileMode}, nil
	case gone != nil:
		return content{}, gone
	case !info.Mode().IsRegular():
		return content{}, fmt.Errorf("%s is a link or no plain file; put a plain file there, or nothing: %w", v.path(name), memory.ErrInvalid)
	case len(text) > sizeMost:
		return content{}, fmt.Errorf("%s has more than %d MB; shorten it or move it away: %w", v.path(name), sizeMost>>20, memory.ErrInvalid)
	}
	return content{string(text), true, info.Mode().Perm(), info.ModTime(), filesys.Written(info)}, err
}

// put replaces a file that still holds what was seen by a new text; "" removes it. Readers see either text whole.
func (v vault) put(name string, seen content, next string) (done bool, err error) {
	if err := os.MkdirAll(string(v), folderMode); err != nil {
		return false, err
	}
	root, err := os.OpenRoot(string(v))
	if err != nil {
		return false, err
	}
	defer func() { _ = root.Close() }()
	do := func() error { return root.Remove(name) }
	if next != "" {
		do = func() error { return root.Rename(fresh, name) }
		if err := errors.Join(root.MkdirAll(path.Dir(name), folderMode), create(root, next, seen.mode)); err != nil {
			return false, err
		}
		defer func() { _ = root.Remove(fresh) }()
	}
	failpoint.Here("compare")
	if now, err := v.readIn(root, name); err != nil || now.text != seen.text || now.there != seen.there {
		return false, err
	}
	failpoint.Here("rename")
	if err := filesys.Retry(do); err != nil {
		if filesys.InUse(err) {
			err = nil // an editor has it open, on Windows
		}
		return false, err
	}
	return true, filesys.SyncFolder(filepath.Dir(v.path(name)))
}

// create writes the fresh file, down to the disk, and replaces what a killed process left of one.
func create(root *os.Root, text string, mode fs.FileMode) error {
	_ = root.Remove(fresh)
	f, err := root.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
}

func (v vault) path(name string) string { return filepath.Join(string(v), filepath.FromSlash(name)) }
