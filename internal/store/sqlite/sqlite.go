// Package sqlite opens the embedded store: one file, its settings sheet, its guards. SQL lives in package store; here
// is only what is SQLite's own.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	driver "modernc.org/sqlite"

	"github.com/hebb-memory/hebb/internal/filelock"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// applicationID marks the file as hebb's, so that no other program's database is ever migrated by mistake.
const applicationID = 0x68656262 // "hebb"

// oldestSafe is the first SQLite without the WAL-reset race that could corrupt a database with two writers.
var oldestSafe = [3]int{3, 51, 3}

// Options say which file to open and how.
type Options struct {
	Path string
	// Backups is where snapshots go; beside the file when empty.
	Backups    string
	Tuning     tuning.Store
	Now        func() time.Time
	Migrations []store.Migration // nil means all of them
}

// file is one SQLite database on disk.
type file struct {
	Options
	journal string // WAL, or DELETE where shared memory cannot be trusted
	write   *sql.DB
	read    *sql.DB
}

// Open opens or creates the store at o.Path.
func Open(ctx context.Context, o Options) (*store.Store, error) {
	if o.Backups == "" {
		o.Backups = filepath.Join(filepath.Dir(o.Path), "backups")
	}
	if o.Migrations == nil {
		o.Migrations = store.Migrations()
	}
	f := newFile(o)
	if err := f.create(); err != nil {
		return nil, fmt.Errorf("open store %s: %w", o.Path, err)
	}
	synchronous := "NORMAL"
	if f.journal != "WAL" {
		synchronous = "FULL" // with a rollback journal NORMAL may corrupt on power loss
	}
	f.write = f.pool(synchronous, 1, false)
	f.read = f.pool("NORMAL", 4, true)
	durable := f.pool("FULL", 1, false)
	if err := f.guard(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open store %s: %w", o.Path, err), f.write.Close(), f.read.Close(), durable.Close())
	}
	s, err := store.Open(ctx, store.Engine{
		Name: "sqlite", Write: f.write, Durable: durable, Read: f.read,
		Words: strings.NewReplacer("{int}", "INTEGER", "{real}", "REAL",
			"{serial}", "INTEGER PRIMARY KEY AUTOINCREMENT", "{strict}", "STRICT"),
		Version: version, SetVersion: setVersion, Exclusive: f.exclusive, Snapshot: f.snapshot,
		Check: f.check, Temporary: temporary, Tidy: f.tidy, Facts: f.facts,
	}, o.Migrations, o.Now)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", o.Path, err)
	}
	return s, nil
}

// newFile chooses the journal: write-ahead logging needs memory shared by all processes, which a network file system
// does not give.
func newFile(o Options) *file {
	f := &file{Options: o, journal: "WAL"}
	if _, remote := networkFileSystem(filepath.Dir(o.Path)); remote {
		f.journal = "DELETE"
	}
	return f
}

// create makes the folder and the file private before SQLite would make them by umask.
func (f *file) create() error {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return err
	}
	h, err := os.OpenFile(f.Path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return h.Close()
}

// pool opens connections with the settings sheet. busy_timeout comes first, so that no later setting fails on a lock;
// the journal mode is stored in the file and set once, under the lock of exclusive.
func (f *file) pool(synchronous string, connections int, readOnly bool) *sql.DB {
	q := url.Values{}
	q.Set("_busy_timeout", strconv.FormatInt(f.Tuning.BusyTimeout.Milliseconds(), 10))
	q.Set("_synchronous", synchronous)
	q.Set("_foreign_keys", "on")
	q.Set("_dqs", "0")
	q.Set("_defensive", "1")
	if readOnly {
		q.Set("_query_only", "on")
	} else {
		q.Set("_txlock", "immediate")
	}
	for _, pragma := range []string{
		"trusted_schema(OFF)", "cell_size_check(ON)", "mmap_size(0)", "temp_store(MEMORY)", "secure_delete(ON)",
		"wal_autocheckpoint(" + strconv.Itoa(f.Tuning.CheckpointSize) + ")",
		"journal_size_limit(" + strconv.FormatInt(f.Tuning.JournalLimit, 10) + ")",
	} {
		q.Add("_pragma", pragma)
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: escapeURI(f.Path), RawQuery: q.Encode()}).String())
	if err != nil {
		panic(err) // only for an unknown driver name
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}

// escapeURI keeps every byte of a path inside a file: URI.
func escapeURI(path string) string {
	return (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
}

// guard refuses what must not be opened: an SQLite with the WAL-reset bug, another program's database, a damaged file.
func (f *file) guard(ctx context.Context) error {
	var engine string
	if err := f.read.QueryRowContext(ctx, `SELECT sqlite_version()`).Scan(&engine); err != nil {
		return explain(err)
	}
	if err := CheckVersion(engine); err != nil {
		return err
	}
	var id, v int64
	if err := f.read.QueryRowContext(ctx, `PRAGMA application_id`).Scan(&id); err != nil {
		return explain(err)
	}
	if err := f.read.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&v); err != nil {
		return explain(err)
	}
	var tables int
	if err := f.read.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_schema`).Scan(&tables); err != nil {
		return explain(err)
	}
	if id != applicationID && (id != 0 || v != 0 || tables != 0) {
		return fmt.Errorf("this is another program's database (application id %#x): %w", id, memory.ErrRefused)
	}
	return nil
}

// CheckVersion refuses an SQLite older than the fix of the WAL-reset race (3.51.3).
func CheckVersion(engine string) error {
	var got [3]int
	if _, err := fmt.Sscanf(engine, "%d.%d.%d", &got[0], &got[1], &got[2]); err != nil {
		return fmt.Errorf("SQLite version %q: %w", engine, memory.ErrInvalid)
	}
	for i, want := range oldestSafe {
		if got[i] != want {
			if got[i] < want {
				return fmt.Errorf("SQLite %s can corrupt a database under concurrent writers; 3.51.3 or newer is needed: %w",
					engine, memory.ErrRefused)
			}
			break
		}
	}
	return nil
}

func version(ctx context.Context, db store.Querier) (v int, err error) {
	err = db.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&v)
	return v, explain(err)
}

func setVersion(ctx context.Context, tx *sql.Tx, v int) error {
	_, err := tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, applicationID, v))
	return err
}

// exclusive is the init lock: of many processes that start on an empty folder, one sets the journal mode and migrates.
func (f *file) exclusive(ctx context.Context, fn func() error) error {
	release, err := filelock.Acquire(ctx, f.Path+".lock")
	if err != nil {
		return fmt.Errorf("init lock: %w", err)
	}
	defer release()
	var mode string
	if err := f.write.QueryRowContext(ctx, `PRAGMA journal_mode = `+f.journal).Scan(&mode); err != nil {
		return fmt.Errorf("journal mode: %w", explain(err))
	}
	if !strings.EqualFold(mode, f.journal) {
		return fmt.Errorf("journal mode is %s, wanted %s: %w", mode, f.journal, memory.ErrRefused)
	}
	return fn()
}

// snapshot copies the store into the backups folder and proves that the copy is whole.
func (f *file) snapshot(ctx context.Context, label string) (string, error) {
	if err := os.MkdirAll(f.Backups, 0o700); err != nil {
		return "", err
	}
	name := fmt.Sprintf("hebb-%s-%s.db", f.Now().UTC().Format("20060102-150405.000"), label)
	to := filepath.Join(f.Backups, name)
	if err := f.copyTo(ctx, to); err != nil {
		return "", err
	}
	return to, f.dropOldSnapshots()
}

func (f *file) copyTo(ctx context.Context, to string) error {
	h, err := os.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) // VACUUM INTO fills an empty file and keeps its mode
	if err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s already exists: %w", to, memory.ErrConflict)
		}
		return err
	}
	if err := h.Close(); err != nil {
		return err
	}
	if _, err := f.write.ExecContext(ctx, `VACUUM INTO ?`, to); err != nil {
		return errors.Join(fmt.Errorf("copy to %s: %w", to, explain(err)), os.Remove(to))
	}
	if findings, err := checkFile(ctx, to); err != nil || len(findings) > 0 {
		return errors.Join(fmt.Errorf("copy %s is not whole: %s: %w", to, strings.Join(findings, "; "), memory.ErrDamaged), err, os.Remove(to))
	}
	return nil
}

func (f *file) dropOldSnapshots() error {
	names, err := filepath.Glob(filepath.Join(f.Backups, "hebb-*.db")) // the date leads the name, so sorted is oldest first
	if err != nil {
		return err
	}
	for len(names) > f.Tuning.BackupsKept {
		if err := os.Remove(names[0]); err != nil {
			return err
		}
		names = names[1:]
	}
	return nil
}

// Restore replaces the content of the store at o.Path by that of a backup, page by page under SQLite's own locks, so
// that processes which have the store open see either the old content or the new.
func Restore(ctx context.Context, o Options, from string) error {
	if _, err := os.Stat(from); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	if findings, err := checkFile(ctx, from); err != nil || len(findings) > 0 {
		return errors.Join(fmt.Errorf("restore: backup %s is damaged: %s: %w", from, strings.Join(findings, "; "), memory.ErrDamaged), err)
	}
	source := &file{Options: Options{Path: from, Tuning: o.Tuning}}
	source.read = source.pool("NORMAL", 1, true)
	err := errors.Join(source.guard(ctx), source.read.Close())
	if err != nil {
		return fmt.Errorf("restore: %s: %w", from, err)
	}
	f := newFile(o)
	if err := f.create(); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	f.write = f.pool("FULL", 1, false)
	err = f.exclusive(ctx, func() error { return f.copyFrom(ctx, from) })
	return errors.Join(err, f.write.Close())
}

func (f *file) copyFrom(ctx context.Context, from string) error {
	conn, err := f.write.Conn(ctx)
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	defer conn.Close()
	return conn.Raw(func(raw any) error {
		restorer, ok := raw.(interface {
			NewRestore(uri string) (*driver.Backup, error)
		})
		if !ok {
			return fmt.Errorf("restore: driver offers no restore: %w", memory.ErrRefused)
		}
		b, err := restorer.NewRestore("file:" + escapeURI(from) + "?mode=ro&immutable=1")
		if err != nil {
			return fmt.Errorf("restore: %w", explain(err))
		}
		if more, err := b.Step(-1); err != nil || more {
			return errors.Join(fmt.Errorf("restore: stopped half-way: %w", memory.ErrConflict), err, b.Finish())
		}
		return b.Finish()
	})
}

func (f *file) check(ctx context.Context) ([]string, error) { return integrity(ctx, f.read) }

// checkFile looks for damage in a database that nobody has open.
func checkFile(ctx context.Context, path string) ([]string, error) {
	db, err := sql.Open("sqlite", "file:"+escapeURI(path)+"?mode=ro&immutable=1")
	if err != nil {
		return nil, err
	}
	findings, err := integrity(ctx, db)
	return findings, errors.Join(err, db.Close())
}

func integrity(ctx context.Context, db *sql.DB) (findings []string, err error) {
	for _, pragma := range []string{`PRAGMA integrity_check(20)`, `PRAGMA foreign_key_check`} {
		rows, err := db.QueryContext(ctx, pragma)
		if err != nil {
			return []string{err.Error()}, nil // what cannot be read is the finding
		}
		found, err := lines(rows)
		if err != nil {
			return append(findings, err.Error()), nil
		}
		findings = append(findings, found...)
	}
	return findings, nil
}

func lines(rows *sql.Rows) (out []string, err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		values := make([]sql.NullString, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return out, err
		}
		words := make([]string, len(values))
		for i, v := range values {
			words[i] = v.String
		}
		if line := strings.Join(words, " "); line != "ok" {
			out = append(out, line)
		}
	}
	return out, rows.Err()
}

// tidy moves the log into the file and cuts it, so that forgotten text stands in neither (deleted content is
// overwritten as it goes: secure_delete).
func (f *file) tidy(ctx context.Context) error {
	if f.journal != "WAL" {
		return nil
	}
	var busy, log, moved int
	if err := f.write.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &moved); err != nil {
		return fmt.Errorf("checkpoint: %w", explain(err))
	}
	return nil
}

func (f *file) facts(ctx context.Context) (store.Facts, error) {
	facts := store.Facts{Engine: "sqlite", Location: f.Path, Settings: map[string]string{}}
	facts.Settings["file_system"], _ = networkFileSystem(filepath.Dir(f.Path))
	if err := f.write.QueryRowContext(ctx, `SELECT sqlite_version()`).Scan(&facts.Version); err != nil {
		return facts, explain(err)
	}
	for _, name := range []string{
		"journal_mode", "synchronous", "busy_timeout", "foreign_keys", "trusted_schema", "cell_size_check", "mmap_size",
		"temp_store", "secure_delete", "wal_autocheckpoint", "journal_size_limit", "application_id", "user_version",
	} {
		var value string
		if err := f.write.QueryRowContext(ctx, `PRAGMA `+name).Scan(&value); err != nil {
			return facts, fmt.Errorf("pragma %s: %w", name, explain(err))
		}
		facts.Settings[name] = value
	}
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(f.Path + suffix); err == nil {
			facts.Bytes += info.Size()
		}
	}
	return facts, nil
}

const (
	codeBusy    = 5
	codeLocked  = 6
	codeCorrupt = 11
	codeFull    = 13
	codeNotADB  = 26
)

func code(err error) int {
	var se *driver.Error
	if !errors.As(err, &se) {
		return 0
	}
	return se.Code() & 0xff
}

// temporary says whether the same transaction may succeed if tried again. A busy database was already waited for.
func temporary(err error) bool { return code(err) == codeLocked }

// explain adds what a person can do about SQLite's own errors.
func explain(err error) error {
	switch code(err) {
	case codeCorrupt, codeNotADB:
		return fmt.Errorf("%w: %w (hebb doctor --deep shows more, hebb restore brings a backup back)", memory.ErrDamaged, err)
	case codeBusy:
		return fmt.Errorf("%w (another process has been writing for too long; try again, or raise store.busy_timeout)", err)
	case codeFull:
		return fmt.Errorf("%w (the disk is full; nothing was changed)", err)
	}
	return err
}
