package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	driver "modernc.org/sqlite"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// snapshot copies the store into the backups folder. Copies of one folder are made one after the other, so a temporary file
// that is there when this one begins was left by a killed process.
func (f *file) snapshot(ctx context.Context, label string) (string, error) {
	if err := os.MkdirAll(f.Backups, 0o700); err != nil {
		return "", err
	}
	release, err := filesys.Acquire(ctx, f.Backups+".lock")
	if err != nil {
		return "", fmt.Errorf("wait for another backup: %w", err)
	}
	defer release()
	if err := filesys.RemovePartial(f.Backups, "hebb-"); err != nil {
		return "", err
	}
	name := fmt.Sprintf("hebb-%s-%s.db", f.Now().UTC().Format("20060102-150405.000"), label)
	to := filepath.Join(f.Backups, name)
	return to, f.copyTo(ctx, to)
}

// Preserve copies the store at o.Path into the backups folder without changing it: nothing is migrated, recovered or created.
// What cannot be copied whole is memory.ErrDamaged, memory.ErrRefused or memory.ErrInvalid; a store that is not there, or not
// finished, is memory.ErrNotFound.
func Preserve(ctx context.Context, o Options, label string) (string, error) {
	o = o.withDefaults()
	f := &file{Options: o, journal: "WAL", reading: true}
	name, err := f.preserve(ctx, label)
	if err != nil {
		return "", fmt.Errorf("copy %s: %w", o.Path, explain(err))
	}
	return name, nil
}

func (f *file) preserve(ctx context.Context, label string) (name string, err error) {
	if err := f.prepareToRead(ctx); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	v, err := version(ctx, f.read)
	if err != nil {
		return "", err
	}
	if err := db.CheckSchema(v, f.Migrations); err != nil {
		return "", err
	}
	return f.snapshot(ctx, label)
}

// copyTo copies the store into a new file and verifies the copy before it gets its name.
//
// VACUUM INTO reads one snapshot without the write lock, and writes no free pages: what was forgotten is not copied. The online
// backup API would either start over after each write of another process, or hold the same snapshot.
func (f *file) copyTo(ctx context.Context, to string) error {
	if err := filesys.RemovePartial(filepath.Dir(to), filepath.Base(to)); err != nil {
		return err
	}
	db := f.pool("NORMAL", 1, false) // one of its own: others of this process write meanwhile
	err := filesys.WriteWhole(to, func(temporary string) error {
		if _, err := db.ExecContext(ctx, `VACUUM INTO ?`, temporary); err != nil {
			return fmt.Errorf("copy to %s: %w", to, err)
		}
		if _, err := inspect(ctx, temporary); err != nil {
			return fmt.Errorf("copy to %s: %w", to, err)
		}
		return nil
	})
	return errors.Join(err, db.Close())
}

// inspect looks for damage in a database that nobody is writing, and returns what it says of itself.
func inspect(ctx context.Context, path string) (h header, err error) {
	db := openURI(path, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	defer func() { err = errors.Join(err, db.Close()) }()
	if findings := integrity(ctx, db); len(findings) > 0 {
		return h, fmt.Errorf("not whole: %s: %w", few(findings), memory.ErrDamaged)
	}
	if err := checkLength(ctx, db, path); err != nil {
		return h, err
	}
	return readHeader(ctx, db)
}

// checkLength compares the file with its own count of pages: SQLite reads bytes that are missing at the end as zeros.
func checkLength(ctx context.Context, db *sql.DB, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	var want int64
	err = db.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`).Scan(&want)
	if err == nil && info.Size() != want {
		err = fmt.Errorf("not whole: %d of %d bytes: %w", info.Size(), want, memory.ErrDamaged)
	}
	return err
}

// few are the first findings on one line.
func few(findings []string) string {
	const most = 3
	text := strings.Join(findings[:min(len(findings), most)], "; ")
	if more := len(findings) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Verify refuses a file that is damaged or no store of hebb, whatever hebb wrote it.
func Verify(ctx context.Context, path string) error {
	_, err := verify(ctx, path)
	return err
}

func verify(ctx context.Context, path string) (h header, err error) {
	if err := checkRegular(path); err != nil {
		return h, err
	}
	if h, err = inspect(ctx, path); err != nil {
		return h, err
	}
	if h.application != applicationID || h.version == 0 {
		return h, fmt.Errorf("this is no store of hebb (application id %#x): %w", h.application, memory.ErrRefused)
	}
	return h, nil
}

// Holds reports whether a copy of a store, of whatever schema, has an event or a text with one of these IDs.
func Holds(ctx context.Context, path string, ids []string) (holds bool, err error) {
	if err := checkRegular(path); err != nil {
		return false, err
	}
	file := openURI(path, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	defer func() { err = errors.Join(err, file.Close()) }()
	for _, table := range []string{"event", "crystal"} {
		for some := range slices.Chunk(ids, db.AtOnce) {
			args := make([]any, len(some))
			for i, id := range some {
				args[i] = id
			}
			found := false
			err := file.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+table+` WHERE id IN `+db.Marks(len(some))+`)`, args...).Scan(&found)
			if found {
				return true, nil
			}
			if err != nil && !strings.Contains(err.Error(), "no such table") {
				return false, explain(err)
			}
		}
	}
	return false, nil
}

// checkRegular refuses what is no file in the place of a database or of what SQLite keeps beside it: opening a FIFO would block.
func checkRegular(path string) error {
	for _, suffix := range []string{"-journal", "-wal", "-shm", ""} {
		if info, err := os.Stat(path + suffix); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a file; move it away: %w", path+suffix, memory.ErrInvalid)
		} else if suffix == "" {
			return err
		}
	}
	return nil
}

// Inspect refuses a file that Restore could not bring back: one that is damaged, no store, or of a newer hebb.
func Inspect(ctx context.Context, o Options, from string) error {
	if err := o.withDefaults().inspectBackup(ctx, from); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return nil
}

func (o Options) inspectBackup(ctx context.Context, from string) error {
	h, err := verify(ctx, from)
	if err != nil {
		return err
	}
	return db.CheckSchema(h.version, o.Migrations)
}

// Restore replaces the content of the store at o.Path by that of a backup, page by page under SQLite's own locks, so
// that processes which have the store open see either the old content or the new. What this program could not open
// afterwards is refused before anything is changed.
func Restore(ctx context.Context, o Options, from string) error {
	if err := restore(ctx, o.withDefaults(), from); err != nil {
		return fmt.Errorf("bring %s back: %w", from, explain(err))
	}
	return nil
}

func restore(ctx context.Context, o Options, from string) error {
	if err := o.inspectBackup(ctx, from); err != nil {
		return err
	}
	f := newFile(o)
	if err := f.create(); err != nil {
		return err
	}
	f.write = f.pool("FULL", 1, false)
	err := f.exclusive(ctx, func() error {
		if err := f.setJournal(ctx); err != nil {
			return err
		}
		return f.copyFrom(ctx, from)
	})
	return errors.Join(err, f.write.Close())
}

func (f *file) copyFrom(ctx context.Context, from string) error {
	conn, err := f.write.Conn(ctx)
	if err != nil {
		return err
	}
	err = conn.Raw(func(raw any) error {
		restorer, ok := raw.(interface {
			NewRestore(uri string) (*driver.Backup, error)
		})
		if !ok {
			return fmt.Errorf("driver offers no restore: %w", memory.ErrRefused)
		}
		b, err := restorer.NewRestore("file:" + escapeURI(from) + "?mode=ro&immutable=1")
		if err != nil {
			return err
		}
		more, err := b.Step(-1)
		if err == nil && more {
			err = fmt.Errorf("stopped half-way: %w", memory.ErrConflict)
		}
		return errors.Join(err, b.Finish())
	})
	return errors.Join(err, conn.Close())
}
