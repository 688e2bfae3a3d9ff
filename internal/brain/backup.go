package brain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
)

// BackupResult says where the copy is.
type BackupResult struct {
	File  string    `json:"file"`
	Bytes int64     `json:"bytes"`
	At    time.Time `json:"at"`
}

// Backups lists what is in the backups folder, newest first.
func Backups(c config.Config) ([]BackupResult, error) {
	entries, err := os.ReadDir(c.Backups())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("backups: %w", err)
	}
	found := []BackupResult{}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext != ".db" && ext != ".jsonl" {
			continue
		}
		if b, err := sized(filepath.Join(c.Backups(), e.Name())); err == nil {
			found = append(found, b)
		}
	}
	slices.SortStableFunc(found, func(x, y BackupResult) int { return y.At.Compare(x.At) })
	return found, nil
}

// Labels of the copies in the backups folder: they stand in the name and say why the copy was made.
const (
	byHand        = "manual"
	beforeRestore = "before-restore"
)

// Backup copies the memory to a file and proves that the copy is whole. The embedded store is copied as a database, a
// server's as an export. An empty to means the backups folder, where the oldest copies make room.
func (b *Brain) Backup(ctx context.Context, to string) (out BackupResult, err error) {
	if to == "" {
		if out, err = b.keepCopy(ctx, byHand); err == nil {
			err = prune(b.config, out.File)
		}
	} else {
		out, err = b.copyTo(ctx, to)
	}
	if err != nil {
		return out, fmt.Errorf("backup: %w", err)
	}
	return out, nil
}

// keepCopy makes a copy in the backups folder. It removes none: only the caller knows whether the copy was worth one.
func (b *Brain) keepCopy(ctx context.Context, label string) (BackupResult, error) {
	if b.config.Store == "" {
		name, err := b.store.Snapshot(ctx, label)
		if err != nil {
			return BackupResult{}, err
		}
		return sized(name)
	}
	if err := os.MkdirAll(b.config.Backups(), 0o700); err != nil {
		return BackupResult{}, err
	}
	return b.copyTo(ctx, filepath.Join(b.config.Backups(), "hebb-"+stamp(b.now())+"-"+label+".jsonl"))
}

func stamp(now time.Time) string { return now.UTC().Format("20060102-150405.000") }

func (b *Brain) copyTo(ctx context.Context, to string) (BackupResult, error) {
	write := b.store.CopyTo
	if b.config.Store != "" {
		write = b.exportTo
	}
	if err := write(ctx, to); err != nil {
		return BackupResult{}, err
	}
	return sized(to)
}

// exportTo writes an export into a new file; one that fails leaves none, for half an export is none.
func (b *Brain) exportTo(ctx context.Context, to string) error {
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s already exists: %w", to, memory.ErrConflict)
	}
	if err != nil {
		return err
	}
	_, err = b.Export(ctx, f)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, filesys.Remove(to))
	}
	return nil
}

func sized(name string) (BackupResult, error) {
	info, err := os.Stat(name)
	if err != nil {
		return BackupResult{}, err
	}
	return BackupResult{File: name, Bytes: info.Size(), At: info.ModTime().UTC()}, nil
}

// backupName recognises copies that hebb named, and why each was made. Other files in the folder are not its business.
const backupName = `^hebb-\d{8}-\d{6}\.\d{3}-([a-z-]+?)(-\d+)?\.(db|jsonl)$`

// prune makes room in the backups folder once a copy was made that stays. Each kind of copy makes room among its own:
// what hebb copies by itself never pushes out what a person copied. The spared stay, whatever their age: a wrong clock
// may have left copies that claim to be newer than the newest.
func prune(c config.Config, spared ...string) error {
	entries, err := os.ReadDir(c.Backups()) // sorted by name, and the date leads it: oldest first
	if err != nil {
		return err
	}
	named := regexp.MustCompile(backupName) // here and not at the start of the program, where every hook would pay for it
	kinds := map[string][]os.DirEntry{}
	for _, e := range entries {
		if m := named.FindStringSubmatch(e.Name()); m != nil {
			kinds[m[1]] = append(kinds[m[1]], e)
		}
	}
	for _, copies := range kinds {
		excess := len(copies) - c.Tuning.Store.BackupsKept
		for _, e := range copies {
			name := filepath.Join(c.Backups(), e.Name())
			if excess <= 0 {
				break
			}
			if slices.ContainsFunc(spared, func(s string) bool { return sameFile(s, name) }) {
				continue
			}
			if err := filesys.Remove(name); err != nil {
				return fmt.Errorf("make room in the backups folder: %w", err)
			}
			excess--
		}
	}
	return nil
}

func sameFile(a, b string) bool {
	one, err1 := os.Stat(a)
	other, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, other)
}

// Restore brings a backup back in place of what is there, after making a copy of that. A database file goes into the
// embedded store, an export into either. What cannot be brought back is refused before anything is changed.
func Restore(ctx context.Context, c config.Config, now func() time.Time, from string) (previous BackupResult, err error) {
	bring, err := inspect(ctx, c, now, from)
	if err != nil {
		return previous, fmt.Errorf("restore: %w", err)
	}
	if previous, err = secure(ctx, c, now); err != nil {
		return previous, fmt.Errorf("restore: copy what is there: %w", err)
	}
	if err := bring(ctx); err != nil {
		return previous, fmt.Errorf("restore: %w (what was there before is in %s)", err, previous.File)
	}
	if err := putFilesAside(c, now); err != nil {
		return previous, fmt.Errorf("restore: %s is restored, but the files for people are as they were and may be taken for edits: %w", from, err)
	}
	if err := prune(c, previous.File, from); err != nil {
		return previous, fmt.Errorf("restore: %s is restored, but: %w", from, err)
	}
	return previous, nil
}

// putFilesAside moves the files for people out of the way: they tell of what was before, and would be taken for edits of what is
// there now. hebb writes them anew. How-to files are people's own, and stay.
func putFilesAside(c config.Config, now func() time.Time) error {
	entries, err := os.ReadDir(c.Vault())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	aside := c.Vault() + "-" + beforeRestore + "-" + now().UTC().Format("20060102-150405.000")
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

// inspect looks at a backup before anything is done for it, and returns the way to bring it back.
func inspect(ctx context.Context, c config.Config, now func() time.Time, from string) (bring func(context.Context) error, err error) {
	head, err := readHead(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", from, memory.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte(sqliteMagic)) {
		if c.Store != "" {
			return nil, fmt.Errorf("%s is a copy of an embedded store; a server takes an export: %w", from, memory.ErrInvalid)
		}
		if sameFile(from, c.Database()) {
			return nil, fmt.Errorf("%s is the memory itself, and no backup of it: %w", from, memory.ErrInvalid)
		}
		return func(ctx context.Context) error { return bringDatabase(ctx, c, now, from) }, sqlite.Inspect(ctx, sqliteOptions(c, now), from)
	}
	first, _, _ := bytes.Cut(head, []byte("\n"))
	if err := checkHeader(first); errors.Is(err, memory.ErrRefused) {
		return nil, fmt.Errorf("%s: %w", from, err)
	} else if err != nil {
		return nil, fmt.Errorf("%s is neither a backup nor an export of hebb: %w", from, memory.ErrInvalid)
	}
	return func(ctx context.Context) error { return bringExport(ctx, c, now, from) }, nil
}

// secure makes the copy to go back to. A store that cannot be read any more, or not by this hebb, is put aside as it is.
func secure(ctx context.Context, c config.Config, now func() time.Time) (BackupResult, error) {
	b, err := Open(ctx, c, now)
	if err != nil {
		if c.Store == "" && (errors.Is(err, memory.ErrDamaged) || errors.Is(err, memory.ErrRefused)) {
			return putAside(c, now)
		}
		return BackupResult{}, err
	}
	previous, err := b.keepCopy(ctx, beforeRestore)
	closed := b.Close()
	if c.Store == "" && errors.Is(err, memory.ErrDamaged) { // it opens, but cannot be read whole; nor need it close well
		return putAside(c, now)
	}
	return previous, errors.Join(err, closed)
}

func bringDatabase(ctx context.Context, c config.Config, now func() time.Time, from string) error {
	if err := sqlite.Restore(ctx, sqliteOptions(c, now), from); err != nil {
		return err
	}
	// Opening brings an older backup's schema up to date and proves that it can be used.
	b, err := Open(ctx, c, now)
	if err != nil {
		return err
	}
	return errors.Join(b.store.UpdateDurable(ctx, func(tx *store.Tx) error { return tx.Replace(ctx) }), b.Close())
}

func bringExport(ctx context.Context, c config.Config, now func() time.Time, from string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	b, err := Open(ctx, c, now)
	if err != nil {
		return err
	}
	err = b.recording(ctx, b.store.UpdateDurable, func(r *recorder) error {
		if err := r.tx.Empty(ctx); err != nil {
			return err
		}
		_, err := b.takeIn(ctx, r, ImportInput{From: f, Mine: true})
		return err
	})
	return errors.Join(err, b.Close())
}

// putAside moves a damaged store out of the way, whole, so that nothing that could still be saved is lost.
func putAside(c config.Config, now func() time.Time) (BackupResult, error) {
	if err := os.MkdirAll(c.Backups(), 0o700); err != nil {
		return BackupResult{}, err
	}
	to := filepath.Join(c.Backups(), "damaged-"+stamp(now())+".db")
	if _, err := os.Lstat(to); err == nil {
		return BackupResult{}, fmt.Errorf("%s already exists: %w", to, memory.ErrConflict)
	}
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := filesys.Rename(c.Database()+suffix, to+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return BackupResult{}, err
		}
	}
	return sized(to)
}

// sqliteMagic begins every SQLite database.
const sqliteMagic = "SQLite format 3\x00"

// readHead reads enough of a file to tell what it is.
func readHead(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 4096))
}
