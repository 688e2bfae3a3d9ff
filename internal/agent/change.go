package agent

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Change is one edit of one settings file, planned and not made.
type Change struct {
	File string // as the agent knows it; it may be a link
	Old  []byte // nil: there is no file
	New  []byte // nil: the file goes

	wires bool // it puts hebb in; else it takes it out
	ours  bool // Old has hebb in it
	own   bool // all that Old says is hebb's: there is nothing to back up
	mode  fs.FileMode
	base  string // folder that stays, however empty; others go with the last file in them
}

const (
	backupSuffix = ".hebb-backup"
	newFileMode  = 0o600
	newDirMode   = 0o700
	maxLinks     = 40
)

// Empty reports whether there is nothing to do.
func (c Change) Empty() bool { return bytes.Equal(c.Old, c.New) && (c.Old == nil) == (c.New == nil) }

// Backup is the copy of the file as it was before hebb, or nothing where there is none: no file, no copy.
func (c Change) Backup() string {
	if _, err := os.Stat(c.File + backupSuffix); err != nil {
		return ""
	}
	return c.File + backupSuffix
}

// Apply makes the edit: all of it or nothing. It refuses if the file has changed since the plan. The file as it was
// before hebb stays beside it, under the name with .hebb-backup, until unwiring has restored it. A file that goes takes
// its folder along if that is empty then.
func (c Change) Apply() error {
	if c.Empty() {
		return nil
	}
	if err := c.apply(); err != nil {
		return fmt.Errorf("change %s: %w", c.File, err)
	}
	return nil
}

func (c Change) apply() error {
	target, err := followLinks(c.File)
	if err != nil {
		return err
	}
	now, err := os.ReadFile(target)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !bytes.Equal(now, c.Old) || (err == nil) != (c.Old != nil) {
		return fmt.Errorf("changed by somebody else meanwhile: %w", memory.ErrConflict)
	}
	mode := c.mode
	if mode == 0 {
		mode = newFileMode
	}
	if info, err := os.Stat(target); err == nil {
		if mode = info.Mode().Perm(); mode&0o200 == 0 {
			return fmt.Errorf("is read-only: %w", memory.ErrRefused)
		}
	}
	if c.New == nil {
		return removeFile(target, c.base)
	}
	if c.wires {
		if err := c.backUp(); err != nil {
			return err
		}
	}
	if err := replaceFile(target, c.New, mode); err != nil {
		return err
	}
	if old, err := os.ReadFile(c.File + backupSuffix); !c.wires && err == nil && bytes.Equal(old, c.New) {
		return os.Remove(c.File + backupSuffix) // it has served
	}
	return nil
}

// backUp keeps the file as it was before hebb. An edit that only renews what is ours keeps the older copy.
func (c Change) backUp() error {
	old, err := os.ReadFile(c.File + backupSuffix)
	switch {
	case c.Old == nil, c.own:
		return nil
	case err == nil && (c.ours || bytes.Equal(old, c.Old)):
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return replaceFile(c.File+backupSuffix, c.Old, newFileMode)
}

// followLinks returns the file behind a name that may be a link, even where that file is not there yet. People keep
// their settings in a repository of dotfiles and link to it; the link must survive.
func followLinks(name string) (string, error) {
	for range maxLinks {
		info, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return name, nil
		}
		if err != nil {
			return "", err
		}
		link, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(name), link)
		}
		name = link
	}
	return "", fmt.Errorf("%s: too many links", name)
}

// removeFile removes a file and the folders around it, up to base, if nothing else is in there. A folder that is a link
// stays.
func removeFile(name, base string) error {
	if err := os.Remove(name); err != nil {
		return err
	}
	for folder := filepath.Dir(name); folder != base; folder = filepath.Dir(folder) {
		info, err := os.Lstat(folder)
		if err != nil || !info.IsDir() || os.Remove(folder) != nil { // it refuses where the folder is used
			break
		}
		if !strings.HasPrefix(folder, base+string(filepath.Separator)) {
			break // a person has put the agent's folder elsewhere: what is around it is not known
		}
	}
	return nil
}

// reverse is the edit that undoes this one.
func (c Change) reverse() Change {
	c.Old, c.New, c.wires = c.New, c.Old, false
	return c
}

// replaceFile writes a whole file beside the old one and then puts it in its place.
func replaceFile(name string, content []byte, mode fs.FileMode) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), newDirMode); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // the first error counts
		}
	}()
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
