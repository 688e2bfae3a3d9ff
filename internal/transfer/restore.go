package transfer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
)

// Restore replaces the memory by a backup, after copying what is there. A database file goes into the embedded store, an export
// into either. A backup that cannot be restored is refused before anything is changed. previous has no file if there was nothing.
func Restore(ctx context.Context, c config.Config, now func() time.Time, from string) (previous BackupResult, err error) {
	bring, err := inspectBackup(ctx, c, now, from)
	if err != nil {
		return previous, fmt.Errorf("restore: %w", err)
	}
	if previous, err = secure(ctx, c, now); err != nil {
		return previous, fmt.Errorf("restore: copy what is there: %w", err)
	}
	if err := bring(ctx); err != nil {
		if previous.File != "" {
			err = fmt.Errorf("%w (what was there before is in %s)", err, previous.File)
		}
		return previous, fmt.Errorf("restore: %w", err)
	}
	if err := putFilesAside(c, now); err != nil {
		return previous, fmt.Errorf("restore: %s is restored, but the files for people are as they were and may be taken for edits: %w", from, err)
	}
	if err := prune(ctx, c, now(), previous.File, from); err != nil {
		return previous, fmt.Errorf("restore: %s is restored, but: %w", from, err)
	}
	return previous, nil
}

// putFilesAside moves the files for people out of the way: they show the memory as it was before the restore, and would be read as
// edits of what is there now. hebb writes them again. How-to files are people's own, and stay.
func putFilesAside(c config.Config, now func() time.Time) error {
	entries, err := os.ReadDir(c.Vault())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	aside := c.Vault() + "-" + beforeRestore + "-" + stamp(now())
	for _, e := range entries {
		if e.Name() == filepath.Base(c.Procedures()) {
			continue
		}
		if err := os.MkdirAll(aside, 0o700); err != nil {
			return err
		}
		if err := filesys.Rename(filepath.Join(c.Vault(), e.Name()), filepath.Join(aside, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// inspectBackup checks a backup before anything is changed, and returns the function that restores it.
func inspectBackup(ctx context.Context, c config.Config, now func() time.Time, from string) (bring func(context.Context) error, err error) {
	if info, err := os.Stat(from); err == nil && !info.Mode().IsRegular() { // to open a FIFO would wait for ever
		return nil, fmt.Errorf("%s is not a file: %w", from, memory.ErrInvalid)
	}
	head, err := readHead(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", from, memory.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte(sqliteMagic)) {
		if sameFile(from, c.Database()) {
			return nil, fmt.Errorf("%s is the memory itself, and no backup of it: %w", from, memory.ErrInvalid)
		}
		return func(ctx context.Context) error { return bringDatabase(ctx, c, now, from) }, sqlite.Inspect(ctx, brain.SqliteOptions(c, now), from)
	}
	first, _, _ := bytes.Cut(head, []byte("\n"))
	if err := checkHeader(first); errors.Is(err, memory.ErrRefused) {
		return nil, fmt.Errorf("%s: %w", from, err)
	} else if err != nil {
		return nil, fmt.Errorf("%s is neither a backup nor an export of hebb: %w", from, memory.ErrInvalid)
	}
	return func(ctx context.Context) error {
		f, err := filesys.Open(from, os.O_RDONLY, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		return bringExport(ctx, c, now, f)
	}, nil
}

// secure copies what is there. The store is copied without being changed. What cannot be copied whole is put aside as it
// is: damage, an unknown schema, another program's file, or no file at all.
func secure(ctx context.Context, c config.Config, now func() time.Time) (BackupResult, error) {
	if _, err := os.Lstat(c.Database()); errors.Is(err, fs.ErrNotExist) {
		return BackupResult{}, nil
	}
	if info, err := os.Stat(c.Database()); err != nil || !info.Mode().IsRegular() {
		return putAside(c, now)
	}
	name, err := sqlite.Preserve(ctx, brain.SqliteOptions(c, now), beforeRestore)
	for _, unreadable := range []error{memory.ErrDamaged, memory.ErrRefused, memory.ErrInvalid, memory.ErrNotFound} {
		if errors.Is(err, unreadable) {
			return putAside(c, now)
		}
	}
	if err != nil {
		return BackupResult{}, err
	}
	return kept(ctx, c, name)
}

func bringDatabase(ctx context.Context, c config.Config, now func() time.Time, from string) error {
	if err := sqlite.Restore(ctx, brain.SqliteOptions(c, now), from); err != nil {
		return err
	}
	// Opening brings an older backup's schema up to date and proves that it can be used.
	b, err := brain.Open(ctx, c, now)
	if err != nil {
		return err
	}
	err = b.Store.UpdateDurable(ctx, func(tx *store.Tx) error { return errors.Join(tx.Replace(ctx), ranking.Replaced(ctx, tx)) })
	return errors.Join(err, b.Close(), recall.RemoveOtherPasts(c.Cache()))
}

func bringExport(ctx context.Context, c config.Config, now func() time.Time, from io.ReadSeeker) error {
	b, err := brain.Open(ctx, c, now)
	if err != nil {
		return err
	}
	err = record.Recording(ctx, b, b.Store.UpdateDurable, func(r *record.Recorder) error {
		if err := r.Tx.Empty(ctx); err != nil {
			return err
		}
		_, err := takeAll(ctx, r, ImportInput{From: from, Mine: true})
		return errors.Join(err, ranking.Replaced(ctx, r.Tx))
	})
	if err == nil {
		err = forget.LearnAnew(ctx, b)
	}
	return errors.Join(err, b.Close(), recall.RemoveOtherPasts(c.Cache()))
}

// asidePrefix begins the names of what a restore put aside.
const asidePrefix = "damaged-"

// putAside renames the store without opening it, with SQLite's files beside it, so that it can still be recovered.
func putAside(c config.Config, now func() time.Time) (out BackupResult, err error) {
	if err := os.MkdirAll(c.Backups(), 0o700); err != nil {
		return out, err
	}
	to := filepath.Join(c.Backups(), asidePrefix+stamp(now())+".db")
	if _, err := os.Lstat(to); err == nil {
		return out, fmt.Errorf("%s already exists: %w", to, memory.ErrConflict)
	}
	for _, suffix := range []string{"-wal", "-shm", "-journal", ""} {
		if err := filesys.Rename(c.Database()+suffix, to+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return out, err
		}
	}
	return sized(to)
}

// readHead reads the beginning of a file.
func readHead(path string) ([]byte, error) {
	f, err := filesys.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 4096))
}
