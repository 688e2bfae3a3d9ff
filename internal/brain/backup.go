package brain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
)

// BackupResult says where the copy is.
type BackupResult struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
}

// Backup copies the memory to a file and proves that the copy is whole. The embedded store is copied as a database, a
// server's as an export. An empty to means the backups folder, where the oldest copies make room.
func (b *Brain) Backup(ctx context.Context, to string) (BackupResult, error) {
	if to != "" {
		if _, err := os.Lstat(to); err == nil {
			return BackupResult{}, fmt.Errorf("backup: %s already exists: %w", to, memory.ErrConflict)
		}
	}
	file, err := b.copy(ctx)
	if err != nil {
		return BackupResult{}, fmt.Errorf("backup: %w", err)
	}
	if to != "" {
		if err := errors.Join(copyFile(file, to), os.Remove(file)); err != nil {
			return BackupResult{}, fmt.Errorf("backup: %w", err)
		}
		file = to
	}
	info, err := os.Stat(file)
	if err != nil {
		return BackupResult{}, fmt.Errorf("backup: %w", err)
	}
	return BackupResult{File: file, Bytes: info.Size()}, nil
}

func (b *Brain) copy(ctx context.Context) (string, error) {
	if b.config.Store == "" {
		return b.store.Snapshot(ctx, "manual")
	}
	if err := os.MkdirAll(b.config.Backups(), 0o700); err != nil {
		return "", err
	}
	name := filepath.Join(b.config.Backups(), "hebb-"+b.now().UTC().Format("20060102-150405.000")+"-manual.jsonl")
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = b.Export(ctx, f)
	return name, errors.Join(err, f.Sync(), f.Close())
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// sqliteMagic begins every SQLite database, exportMagic every export.
const (
	sqliteMagic = "SQLite format 3\x00"
	exportMagic = `{"type":"` + headerLine + `"`
)

// Restore brings a backup back in place of what is there, after making a copy of that. A database file goes into the
// embedded store, an export into either.
func Restore(ctx context.Context, c config.Config, now func() time.Time, from string) (previous BackupResult, err error) {
	head, err := readHead(from, len(exportMagic))
	if errors.Is(err, os.ErrNotExist) {
		return previous, fmt.Errorf("restore: %s: %w", from, memory.ErrNotFound)
	}
	if err != nil {
		return previous, fmt.Errorf("restore: %w", err)
	}
	database := strings.HasPrefix(string(head), sqliteMagic)
	if !database && string(head) != exportMagic {
		return previous, fmt.Errorf("restore: %s is neither a backup nor an export of hebb: %w", from, memory.ErrInvalid)
	}
	if database && c.Store != "" {
		return previous, fmt.Errorf("restore: %s is a copy of an embedded store; a server takes an export: %w", from, memory.ErrInvalid)
	}
	b, err := Open(ctx, c, now)
	if err == nil {
		previous, err = b.Backup(ctx, "")
		if err == nil && !database {
			err = b.replaceBy(ctx, from)
		}
		err = errors.Join(err, b.Close())
	} else if database && (errors.Is(err, memory.ErrDamaged) || errors.Is(err, memory.ErrRefused)) {
		// What is there cannot be read any more, or not by this hebb, so it is put aside as it is.
		previous, err = putAside(c, now)
	}
	if err != nil {
		return previous, fmt.Errorf("restore: %w", err)
	}
	if !database {
		return previous, nil
	}
	if err := sqlite.Restore(ctx, sqliteOptions(c, now), from); err != nil {
		return previous, err
	}
	// Opening brings an older backup's schema up to date and proves that it can be used.
	b, err = Open(ctx, c, now)
	if err != nil {
		return previous, fmt.Errorf("restore: %w", err)
	}
	return previous, b.Close()
}

func (b *Brain) replaceBy(ctx context.Context, from string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return b.store.UpdateDurable(ctx, func(tx *store.Tx) error {
		if err := tx.Empty(ctx); err != nil {
			return err
		}
		_, err := takeIn(ctx, tx, ImportInput{From: f, Mine: true})
		return err
	})
}

// putAside moves a damaged store out of the way, whole, so that nothing that could still be saved is lost.
func putAside(c config.Config, now func() time.Time) (BackupResult, error) {
	if err := os.MkdirAll(c.Backups(), 0o700); err != nil {
		return BackupResult{}, err
	}
	to := filepath.Join(c.Backups(), "damaged-"+now().UTC().Format("20060102-150405.000")+".db")
	info, err := os.Stat(c.Database())
	if err != nil {
		return BackupResult{}, err
	}
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(c.Database()+suffix, to+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return BackupResult{}, err
		}
	}
	return BackupResult{File: to, Bytes: info.Size()}, nil
}

func readHead(path string, length int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, length)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return head[:n], nil
}
