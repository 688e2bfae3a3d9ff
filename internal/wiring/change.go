package wiring

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/hebb-memory/hebb/internal/filesys"
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
	base  string // folder that stays, however empty
	// shared is set for files of a project: there an empty folder is nothing, git does not keep it either.
	shared bool
}

const (
	backupSuffix = ".hebb-backup"
	newFileMode  = 0o600
	newDirMode   = 0o700
	maxLinks     = 40
	// madeMark is an empty file in each folder that hebb made: with it the folder goes when hebb is taken out, and one that a
	// person or an agent made stays.
	madeMark = ".made-by-hebb"
)

// Empty reports whether there is nothing to do.
func (c Change) Empty() bool { return bytes.Equal(c.Old, c.New) && (c.Old == nil) == (c.New == nil) }

// Diff shows the edit to a person, as diff -u does.
func (c Change) Diff() string {
	_, text, _ := strings.Cut(string(diff.Diff(c.File, c.Old, c.File, c.New)), "\n") // without the line that names the command
	return text
}

// Backup is the copy of the file as it was before hebb, "" if there is none.
func (c Change) Backup() string {
	if _, err := os.Stat(c.File + backupSuffix); err != nil {
		return ""
	}
	return c.File + backupSuffix
}

// Apply makes the edit: all of it or nothing. It refuses if the file has changed since the plan. The file as it was
// before hebb stays beside it, under the name with .hebb-backup, until unwiring has restored it.
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
	now, err := filesys.ReadFile(target)
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
		return filesys.Remove(target)
	}
	if c.wires {
		if err := c.backUp(); err != nil {
			return err
		}
	}
	if err := makeFolder(filepath.Dir(target), !c.shared); err != nil {
		return err
	}
	if err := replaceFile(target, c.New, mode); err != nil {
		return err
	}
	if old, err := filesys.ReadFile(c.File + backupSuffix); !c.wires && err == nil && bytes.Equal(old, c.New) {
		return filesys.Remove(c.File + backupSuffix) // it has served
	}
	return nil
}

// backUp keeps the file as it was before hebb. An edit that only renews what is ours keeps the older copy.
func (c Change) backUp() error {
	old, err := filesys.ReadFile(c.File + backupSuffix)
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

// followLinks resolves a name that may be a link, even if the target does not exist yet. People keep their settings in a
// repository of dotfiles and link to it; the link must survive.
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

// makeFolder makes a folder and those around it, and marks each that was not there before.
func makeFolder(folder string, mark bool) error {
	if isFolder(folder) {
		return nil
	}
	if parent := filepath.Dir(folder); parent != folder {
		if err := makeFolder(parent, mark); err != nil {
			return err
		}
	}
	err := os.Mkdir(folder, newDirMode)
	if err != nil || !mark {
		return err
	}
	return filesys.WriteFile(filepath.Join(folder, madeMark), nil, newFileMode)
}

// removeFolders removes the folders around a file that has gone, up to base, as far as hebb made them and nothing is in
// them. unwired says that hebb is out of the agent's settings: then its mark also leaves a folder that somebody uses now.
func (c Change) removeFolders(unwired bool) {
	target, err := followLinks(c.File)
	if err != nil {
		return
	}
	for folder := filepath.Dir(target); folder != c.base; folder = filepath.Dir(folder) {
		marked := isMarked(folder)
		goes := marked || c.shared && strings.HasPrefix(folder, c.base+string(filepath.Separator))
		if info, err := os.Lstat(folder); err != nil || !info.IsDir() || !goes {
			return // a link stays
		}
		entries, _ := os.ReadDir(folder) // what cannot be read cannot be removed either
		var others, foreign bool
		for _, e := range entries {
			if e.Name() != madeMark {
				others = true
				foreign = foreign || !isMarked(filepath.Join(folder, e.Name())) // else it is hebb's, for another agent
			}
		}
		if marked && (!others || foreign && unwired) {
			_ = filesys.Remove(filepath.Join(folder, madeMark)) // an empty file too many does no harm
		}
		if others || filesys.Remove(folder) != nil {
			return
		}
	}
}

func isMarked(folder string) bool { return exists(filepath.Join(folder, madeMark)) }

// reverse is the edit that undoes this one.
func (c Change) reverse() Change {
	c.Old, c.New, c.wires = c.New, c.Old, false
	return c
}

// replaceFile writes a whole file beside the old one and then puts it in its place.
func replaceFile(name string, content []byte, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = filesys.Remove(f.Name()) // the first error counts
		}
	}()
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return filesys.Rename(f.Name(), name)
}

func exists(name string) bool { _, err := os.Lstat(name); return err == nil }

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
