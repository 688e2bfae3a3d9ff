package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Change is one edit of one settings file, planned and not made.
type Change struct {
	File string // as the agent knows it; it may be a link
	Old  []byte // nil: there is no file
	New  []byte // nil: the file goes

	wires bool // it puts hooks in; else it takes them out
	ours  bool // Old has hooks of ours
}

const (
	backupSuffix = ".hebb-backup"
	emptyFile    = "{}\n" // what is left of a file that hebb made, without its hooks
	newFileMode  = 0o600
	newDirMode   = 0o700
	maxLinks     = 40
)

// PlanWire works out the edit that makes an agent call program. Planning it again once it is made gives an empty one.
func PlanWire(ctx context.Context, m Machine, name memory.Agent, program string) (Change, error) {
	s, err := inspect(ctx, m, name, program)
	switch {
	case err != nil:
		return Change{}, err
	case !s.Found:
		return Change{}, fmt.Errorf("wire %s: not installed here: %w", s.Agent, memory.ErrNotFound)
	case s.err != nil:
		return Change{}, fmt.Errorf("wire %s: %w", s.Agent, s.err)
	}
	d, err := parseDocument(s.source)
	if err != nil {
		return Change{}, fmt.Errorf("wire %s: %s: %w", s.Agent, s.File, err)
	}
	if err := s.adapter.edit(d, s.adapter.settings.wanted(s.version), program); err != nil {
		return Change{}, fmt.Errorf("wire %s: %s: %w", s.Agent, s.File, err)
	}
	return Change{File: s.File, Old: s.source, New: d.bytes(), wires: true, ours: len(s.entries) > 0}, nil
}

// PlanUnwire works out the edit that takes all hooks of hebb out. Where nothing else has changed since they were put
// in, it restores the file byte for byte, and removes one that hebb itself made: then there is no backup and nothing
// is left in it.
func PlanUnwire(m Machine, name memory.Agent) (Change, error) {
	a := find(string(name))
	if a == nil {
		return Change{}, unknown(string(name))
	}
	c := Change{File: filepath.Join(a.settings.folderIn(m), a.settings.file)}
	var err error
	if c.Old, err = os.ReadFile(c.File); errors.Is(err, fs.ErrNotExist) {
		return c, nil
	} else if err != nil {
		return Change{}, fmt.Errorf("unwire %s: %w", a.name, err)
	}
	d, err := parseDocument(c.Old)
	if err != nil {
		return Change{}, fmt.Errorf("unwire %s: %s: %w", a.name, c.File, err)
	}
	err = a.sweep(d, func(entry) bool { c.ours = true; return true })
	if err == nil && c.ours {
		err = a.edit(d, nil, "")
	}
	if err != nil {
		return Change{}, fmt.Errorf("unwire %s: %s: %w", a.name, c.File, err)
	}
	if c.New = c.Old; c.ours {
		c.New = d.bytes()
		backup, err := os.ReadFile(c.File + backupSuffix)
		switch {
		case err == nil && equivalent(backup, c.New):
			c.New = backup
		case errors.Is(err, fs.ErrNotExist) && string(c.New) == emptyFile:
			c.New = nil
		}
	}
	return c, nil
}

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
	mode := fs.FileMode(newFileMode)
	if info, err := os.Stat(target); err == nil {
		if mode = info.Mode().Perm(); mode&0o200 == 0 {
			return fmt.Errorf("is read-only: %w", memory.ErrRefused)
		}
	}
	if c.New == nil {
		return removeFile(target)
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

// backUp keeps the file as it was before hebb. An edit that only renews our hooks keeps the older copy.
func (c Change) backUp() error {
	old, err := os.ReadFile(c.File + backupSuffix)
	switch {
	case c.Old == nil:
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

// removeFile removes a file and the folder around it, if nothing else is in there. A folder that is a link stays.
func removeFile(name string) error {
	if err := os.Remove(name); err != nil {
		return err
	}
	folder := filepath.Dir(name)
	if info, err := os.Lstat(folder); err == nil && info.IsDir() {
		_ = os.Remove(folder) // it refuses where the folder is used
	}
	return nil
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
