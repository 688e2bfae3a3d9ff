package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	driver "modernc.org/sqlite"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// snapshot copies the store into the backups folder and proves that the copy is whole.
func (f *file) snapshot(ctx context.Context, label string) (string, error) {
	if err := os.MkdirAll(f.Backups, 0o700); err != nil {
		return "", err
	}
	name := fmt.Sprintf("hebb-%s-%s.db", f.Now().UTC().Format("20060102-150405.000"), label)
	to := filepath.Join(f.Backups, name)
	return to, f.copyTo(ctx, to)
}

// copyTo copies the store into a new file; a copy that fails leaves none.

func (f *file) copyTo(ctx context.Context, to string) error {
	h, err := os.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) // VACUUM INTO fills an empty file and keeps its mode
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists: %w", to, memory.ErrConflict)
	}
	if err != nil {
		return err
	}
	if err := h.Close(); err != nil {
		return err
	}
	if _, err := f.write.ExecContext(ctx, `VACUUM INTO ?`, to); err != nil {
		return errors.Join(fmt.Errorf("copy to %s: %w", to, err), filesys.Remove(to))
	}
	if _, err := inspect(ctx, to); err != nil {
		return errors.Join(fmt.Errorf("copy to %s: %w", to, err), filesys.Remove(to))
	}
	return syncFile(to)
}

// syncFile brings a finished file to the disk: a migration may follow that makes it the only way back.
func syncFile(path string) error {
	h, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(h.Sync(), h.Close())
}

// inspect looks for damage in a database that nobody is writing, and returns what it says of itself.
func inspect(ctx context.Context, path string) (h header, err error) {
	db := openURI(path, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	defer func() { err = errors.Join(err, db.Close()) }()
	if findings := integrity(ctx, db); len(findings) > 0 {
		return h, fmt.Errorf("not whole: %s: %w", few(findings), memory.ErrDamaged)
	}
	return readHeader(ctx, db)
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

// Inspect refuses a file that Restore could not bring back: one that is damaged, no store, or of a newer hebb.
func Inspect(ctx context.Context, o Options, from string) error {
	if err := o.withDefaults().inspectBackup(ctx, from); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return nil
}

func (o Options) inspectBackup(ctx context.Context, from string) error {
	if _, err := os.Stat(from); err != nil {
		return err
	}
	h, err := inspect(ctx, from)
	if err != nil {
		return err
	}
	if h.application != applicationID || h.version == 0 {
		return fmt.Errorf("this is no store of hebb (application id %#x): %w", h.application, memory.ErrRefused)
	}
	return store.CheckSchema(h.version, o.Migrations)
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
