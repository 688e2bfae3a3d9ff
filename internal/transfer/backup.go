package transfer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
)

// BackupResult is one copy of the memory.
type BackupResult struct {
	File  string    `json:"file"`
	Bytes int64     `json:"bytes"`
	At    time.Time `json:"at"`
	// Problem says why the copy cannot be restored; empty: it is whole.
	Problem string `json:"problem,omitempty"`
}

// Backups lists the copies in the backups folder, newest first, and verifies each of them. What a restore put aside is none.
func Backups(ctx context.Context, c config.Config) ([]BackupResult, error) {
	entries, err := os.ReadDir(c.Backups())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("backups: %w", err)
	}
	known := readSums(c.Backups())
	found := []BackupResult{}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if ext != ".db" && ext != ".jsonl" || strings.HasPrefix(e.Name(), asidePrefix) {
			continue
		}
		b, err := sized(filepath.Join(c.Backups(), e.Name()))
		if err == nil {
			_, err = known.verify(ctx, b.File)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			b.Problem = err.Error()
		}
		found = append(found, b)
	}
	slices.SortStableFunc(found, func(x, y BackupResult) int { return y.At.Compare(x.At) })
	return found, nil
}

// Holding lists the copies in the backups folder, and what a restore put aside there, that hold an event or a text with one of
// these IDs. A copy that cannot be read is listed too: nobody knows what it holds.
func Holding(ctx context.Context, c config.Config, ids []string) (files []string, err error) {
	entries, err := os.ReadDir(c.Backups())
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		file := filepath.Join(c.Backups(), e.Name())
		holds, failed := false, error(nil)
		switch filepath.Ext(e.Name()) {
		case ".db":
			holds, failed = sqlite.Holds(ctx, file, ids)
		case ".jsonl":
			holds, failed = exportHolds(file, ids)
		}
		if holds || failed != nil {
			files = append(files, file)
		}
	}
	return files, errors.Join(err, ctx.Err())
}

// exportHolds reports whether an export names one of these IDs.
func exportHolds(path string, ids []string) (bool, error) {
	f, err := filesys.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	wanted := map[string]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadString('\n')
		if _, rest, named := strings.Cut(line, `"id":"`); named {
			if id, _, _ := strings.Cut(rest, `"`); wanted[id] {
				return true, nil
			}
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// Labels of the copies in the backups folder: they stand in the name and say why the copy was made.
const (
	byHand        = "manual"
	beforeRestore = "before-restore"
	daily         = "daily"
)

// Backup copies the memory to a file and verifies the copy before it gets its name. An empty to means the backups folder, where old copies are removed.
func Backup(ctx context.Context, b *brain.Brain, to string) (out BackupResult, err error) {
	if to == "" {
		if out, err = keepCopy(ctx, b, byHand); err == nil {
			err = prune(ctx, b.Config, b.Now(), out.File)
		}
	} else if err = b.Store.CopyTo(ctx, to); err == nil {
		out, err = sized(to)
	}
	if err != nil {
		return out, fmt.Errorf("backup: %w", err)
	}
	return out, nil
}

// keepCopy makes a copy in the backups folder and removes none.
func keepCopy(ctx context.Context, b *brain.Brain, label string) (out BackupResult, err error) {
	name, err := b.Store.Snapshot(ctx, label)
	if err != nil {
		return out, err
	}
	return kept(ctx, b.Config, name)
}

// inBackups runs work while no other process writes in the backups folder.
func inBackups(ctx context.Context, c config.Config, work func() error) error {
	if err := os.MkdirAll(c.Backups(), 0o700); err != nil {
		return err
	}
	release, err := filesys.Acquire(ctx, c.Backups()+".lock") // the lock of sqlite's snapshots
	if err != nil {
		return fmt.Errorf("wait for another backup: %w", err)
	}
	defer release()
	return work()
}

const stampLayout = "20060102-150405.000"

func stamp(now time.Time) string { return now.UTC().Format(stampLayout) }

func sized(name string) (BackupResult, error) {
	info, err := os.Lstat(name) // what was put aside may be a broken link
	if err != nil {
		return BackupResult{File: name}, err
	}
	return BackupResult{File: name, Bytes: info.Size(), At: info.ModTime().UTC()}, nil
}
