package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// firsts is the folder of those who came first: an empty file for each.
const firsts = "first"

// First reports whether the caller is the first to come with these words, of all processes. Within
// a window the same words are said once; a window of 0 lasts until ForgetFirsts.
//
// Time is cut into windows, and a caller takes the one before its own and its own, in this order.
// Of two callers less than a window apart both need the same file, and the system gives it to one
// of them.
func (s Spool) First(now time.Time, window time.Duration, words ...string) (bool, error) {
	name := string(memory.DerivedEventID(words...))
	names := []string{name}
	if window > 0 {
		n := now.UnixMilli() / max(window.Milliseconds(), 1)
		names = []string{name + "-" + strconv.FormatInt(n-1, 10), name + "-" + strconv.FormatInt(n, 10)}
	}
	for _, name := range names {
		f, err := openIn(s.path(firsts), func() {}, func() (*os.File, error) {
			return os.OpenFile(s.path(filepath.Join(firsts, name)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		})
		if errors.Is(err, fs.ErrExist) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("spool: %w", err)
		}
		_ = f.Close() // nothing is in it
	}
	return true, nil
}

// ForgetFirsts forgets who came first before a time.
func (s Spool) ForgetFirsts(before time.Time) error {
	entries, err := os.ReadDir(s.path(firsts))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.ModTime().Before(before) {
			continue // another process may just have removed it
		}
		name, _, _ := strings.Cut(e.Name(), "-")
		if _, err := memory.ParseEventID(name); err != nil || info.Size() > 0 {
			continue // not made by First
		}
		if err := filesys.RemoveOwn(s.path(filepath.Join(firsts, e.Name()))); err != nil {
			return err
		}
	}
	return nil
}
