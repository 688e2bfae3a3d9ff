// Package filesys opens, locks, renames and removes files with the same outcome on every system. On Windows a file that is open
// can be neither renamed nor removed unless each of its handles allows it, which those of os.OpenFile do not, and virus
// scanners and indexers open new files for a moment at any time. So files that others may rename or remove are opened
// here, and a rename or removal that is refused for such a reason is tried again for a quarter of a second.
//
// A caller closes its own handles first: the retry is for those of other programs.
//
// Only regular files are opened, and opening never waits: a pipe, a device or a file of /proc that stands where a file is
// expected is ErrSpecial.
package filesys

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrSpecial says that a name is no regular file on a disk, and was not read.
var ErrSpecial = errors.New("not a regular file")

// Retry calls do again, a bounded number of times, while it fails because another program has the file open. Elsewhere
// than on Windows nothing fails for that reason, and do is called once.
func Retry(do func() error) error {
	const firstPause, lastPause = time.Millisecond, 128 * time.Millisecond // 255 ms in all
	err := do()
	for pause := firstPause; pause <= lastPause && passes(err); pause *= 2 {
		time.Sleep(pause)
		err = do()
	}
	return err
}

// Rename is os.Rename.
func Rename(from, to string) error {
	return Retry(func() error { return os.Rename(from, to) })
}

// Remove is os.Remove.
func Remove(name string) error {
	return Retry(func() error { return os.Remove(name) })
}

// RemoveOwn removes a regular file that is not reached through a link, and leaves anything else: a folder of that name, a
// link, and what lies in a folder that a link leads to is not hebb's. A file that is gone is no error.
func RemoveOwn(name string) error {
	if !IsFolder(filepath.Dir(name)) {
		return nil
	}
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil
	}
	if err := Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// RemoveFolder removes a folder of hebb's own with all that lies in it, and follows no link. One that is gone is no error.
func RemoveFolder(name string) error {
	var names []string
	err := filepath.WalkDir(name, func(path string, _ fs.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, n := range slices.Backward(names) { // what lies in a folder before it
		err = errors.Join(err, Remove(n))
	}
	return err
}

// IsFolder reports whether a name is a folder itself, and no link to one.
func IsFolder(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.IsDir()
}

// IsPartial reports whether a name is that of a temporary file of WriteWhole, and returns the name of the whole file.
func IsPartial(name string) (whole string, is bool) {
	name, rest, found := strings.Cut(name, partial)
	dot := strings.LastIndexByte(name, '.')
	if !found || dot < 0 || !slices.Contains(journals, rest) || name[dot+1:] == "" || strings.Trim(name[dot+1:], "0123456789") != "" {
		return "", false
	}
	return name[:dot], true
}

// Open is os.OpenFile for a regular file, which other processes may rename or remove while it is open. It does not wait,
// whatever stands there. flag is os.O_RDONLY or os.O_RDWR, with os.O_APPEND, os.O_CREATE and os.O_TRUNC as needed. There is
// no write-only: Windows locks no file that cannot be read.
func Open(name string, flag int, perm fs.FileMode) (f *os.File, err error) {
	err = Retry(func() error {
		f, err = open(name, flag&^os.O_TRUNC|nonblock, perm)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := regular(f); err != nil {
		return nil, err
	}
	if flag&os.O_TRUNC != 0 {
		if err := f.Truncate(0); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return f, nil
}

// OpenIn opens a regular file for reading below a root, which no name and no link leads out of.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	if err := regular(f); err != nil {
		return nil, err
	}
	return f, nil
}

// ReadIn reads at most limit bytes of a regular file below a root.
func ReadIn(root *os.Root, name string, limit int64) ([]byte, error) {
	f, err := OpenIn(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// regular closes a file that is no regular one. The files of /proc and the like say that they are: reading one may wait for
// ever, or never end.
func regular(f *os.File) error {
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || pseudo(f)) {
		err = &fs.PathError{Op: "open", Path: f.Name(), Err: ErrSpecial}
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	return nil
}

// ReadFile reads a regular file.
func ReadFile(name string) ([]byte, error) {
	f, err := Open(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// WriteFile is os.WriteFile for a regular file.
func WriteFile(name string, data []byte, perm fs.FileMode) error {
	f, err := Open(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Replace puts a text into the place of a file, whole or not at all. The file is private to the user.
func Replace(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = Rename(f.Name(), name)
	}
	if err != nil {
		_ = Remove(f.Name()) // the first error is reported
	}
	return err
}
