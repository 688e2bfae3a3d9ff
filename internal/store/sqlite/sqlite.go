// Package sqlite opens the store: one file, its settings sheet, its guards. The statements live in package store.
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

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// applicationID marks the file as hebb's, so that no other program's database is ever migrated by mistake.
const applicationID = 0x68656262 // "hebb"

// oldestSafe is the first SQLite without the WAL-reset race that could corrupt a database with two writers.
var oldestSafe = [3]int{3, 51, 3}

// withdrawn has that fix too, but its makers took it back for incompatible features a week after its release.
const withdrawn = "3.52.0"

// Options say which file to open and how.
type Options struct {
	Path string
	// Backups is where snapshots go; beside the file when empty.
	Backups    string
	Tuning     tuning.Store
	Now        func() time.Time
	Migrations []db.Migration // nil means all of them
	// Untouched makes OpenReadOnly leave the folder as it is: a file without a log is read as one that never changes, for
	// which SQLite makes no files beside it. A caller compares StampOf before and after: a writer may have come meanwhile.
	Untouched bool
}

// Stamp changes when a store is written.
type Stamp struct {
	size, modified int64
	logged         bool // a log lies beside the file
}

// StampOf reads the stamp of the store at path.
func StampOf(path string) (s Stamp) {
	if info, err := os.Stat(path); err == nil {
		s.size, s.modified = info.Size(), info.ModTime().UnixNano()
	}
	_, err := os.Stat(path + "-wal")
	s.logged = err == nil
	return s
}

func (o Options) withDefaults() Options {
	if o.Backups == "" {
		o.Backups = filepath.Join(filepath.Dir(o.Path), "backups")
	}
	if o.Migrations == nil {
		o.Migrations = store.Migrations()
	}
	return o
}

// file is one SQLite database on disk.
type file struct {
	Options
	journal string // WAL, or DELETE where shared memory cannot be trusted
	sealed  bool   // the folder cannot be written: the file is read as something that never changes
	reading bool   // nothing of the file or its settings may be changed
	write   *sql.DB
	durable *sql.DB
	read    *sql.DB
}

// Open opens or creates the store at o.Path. In a folder that cannot be written an existing store can still be read;
// writing then fails with memory.ErrRefused.
func Open(ctx context.Context, o Options) (*store.Store, error) {
	functions()
	o = o.withDefaults()
	f := newFile(o)
	if err := f.prepare(ctx); err != nil {
		return nil, fmt.Errorf("open store %s: %w", o.Path, err)
	}
	s, err := store.Open(ctx, f.engine(), o.Migrations, o.Now)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", o.Path, err)
	}
	return s, nil
}

const (
	checkpointPages = 1000     // of write-ahead log that start a checkpoint (SQLite default)
	journalLimit    = 16 << 20 // bytes that the log is cut back to: four checkpoints
)

// readerPatience is how long a reader waits for a process that is creating or closing the store: either locks it for a few
// milliseconds. Writers never keep a reader waiting.
const readerPatience = 50 * time.Millisecond

// closingPatience is how long a reader that is not a hook waits at least for such a process: on a busy machine it may be stopped
// while it holds the lock. store.busy_timeout is about writers.
const closingPatience = 2 * time.Second

// OpenReadOnly opens the store at o.Path without creating, changing or migrating anything; hooks use it. A store that is not
// there, or not finished yet, is memory.ErrNotFound, one of another schema memory.ErrRefused.
func OpenReadOnly(ctx context.Context, o Options) (*store.Store, error) {
	o = o.withDefaults()
	o.Tuning.BusyTimeout = readerPatience
	f := &file{Options: o, journal: "WAL", reading: true}
	if o.Untouched {
		f.Tuning.BusyTimeout, f.sealed = closingPatience, !StampOf(o.Path).logged
	}
	err := f.prepareToRead(ctx)
	if err != nil {
		return nil, fmt.Errorf("read store %s: %w", o.Path, err)
	}
	s, err := store.OpenReadOnly(ctx, f.engine(), o.Migrations, o.Now)
	if err != nil {
		return nil, fmt.Errorf("read store %s: %w", o.Path, err)
	}
	return s, nil
}

func (f *file) prepareToRead(ctx context.Context) error {
	err := checkRegular(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return memory.ErrNotFound
	}
	if err != nil {
		return err
	}
	f.connectToRead()
	err = f.checkOwner(ctx)
	busy := code(err) == codeBusy
	if (unwritable(err) || noSharedMemory(err)) && !f.leftOver() || busy {
		f.sealed = true
		if err := f.close(); err != nil {
			return err
		}
		f.connectToRead()
		if sealed := f.checkOwner(ctx); !busy || errors.Is(sealed, memory.ErrNotFound) { // past a lock only an unfinished file is believed
			err = sealed
		}
	}
	if err != nil {
		return errors.Join(explain(err), f.close())
	}
	return nil
}

// connectToRead uses one read-only connection for all three.
func (f *file) connectToRead() {
	f.read = f.pool("NORMAL", 1, true)
	f.write, f.durable = f.read, f.read
}

// checkOwner refuses another program's database. A file that another process has created but not filled yet is
// memory.ErrNotFound: the store is not there yet.
func (f *file) checkOwner(ctx context.Context) error {
	var application int64
	if err := f.read.QueryRowContext(ctx, `PRAGMA application_id`).Scan(&application); err != nil || application == applicationID {
		return err
	}
	h, err := readHeader(ctx, f.read) // it may have been filled meanwhile
	if err != nil {
		return err
	}
	if h.unfinished() {
		return memory.ErrNotFound
	}
	return h.checkOwner()
}

// unfinished reports whether the database has no content yet: the first migration is one transaction.
func (h header) unfinished() bool { return h.application == 0 && h.version == 0 && h.tables == 0 }

func (h header) checkOwner() error {
	if h.application != applicationID && !h.unfinished() {
		return fmt.Errorf("this is another program's database (application id %#x): %w", h.application, memory.ErrRefused)
	}
	return nil
}

// newFile chooses the journal: write-ahead logging needs memory shared by all processes, which a network file system
// does not give.
func newFile(o Options) *file {
	f := &file{Options: o, journal: "WAL"}
	if isNetwork(fileSystem(filepath.Dir(o.Path))) {
		f.journal = "DELETE"
	}
	return f
}

func (f *file) engine() db.Engine {
	return db.Engine{
		Write: f.write, Durable: f.durable, Read: f.read,
		Version: version, SetVersion: setVersion, Exclusive: f.exclusive, Snapshot: f.snapshot, CopyTo: f.copyTo,
		Check: f.check, Temporary: temporary, Explain: explain, Tidy: f.tidy, Facts: f.facts,
	}
}

// prepare makes the file ready for its first transaction, or leaves nothing open.
func (f *file) prepare(ctx context.Context) error {
	if err := f.create(); err != nil {
		return err
	}
	f.connect()
	h, err := f.guard(ctx)
	if unwritable(err) && !f.leftOver() {
		// A log cannot be opened in a folder that cannot be written. Without a log nothing is missing from the file itself.
		f.sealed = true
		if err := f.reconnect(); err != nil {
			return err
		}
		h, err = f.guard(ctx)
	}
	if err == nil && !f.sealed && !strings.EqualFold(h.journal, f.journal) { // new, or moved to another file system
		err = f.changeJournal(ctx)
	}
	if err != nil {
		return errors.Join(explain(err), f.close())
	}
	return nil
}

// create makes the folder and the file private before SQLite would make them by umask. A file that is there is not
// opened: closing it again would drop the locks that another store of this process holds on it.
func (f *file) create() error {
	if err := checkRegular(f.Path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return err
	}
	h, err := os.OpenFile(f.Path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // another process was faster
	}
	if err != nil {
		return err
	}
	return h.Close()
}

// leftOver reports whether a log with content lies beside the file.
func (f *file) leftOver() bool {
	info, err := os.Stat(f.Path + "-wal")
	return err == nil && info.Size() > 0
}

func (f *file) connect() {
	synchronous := "NORMAL"
	if f.journal != "WAL" {
		synchronous = "FULL" // with a rollback journal NORMAL may corrupt on power loss
	}
	f.write = f.pool(synchronous, 1, false)
	f.durable = f.pool("FULL", 1, false)
	f.read = f.pool("NORMAL", 4, true)
}

// reconnect begins again, without the connection that the guard has opened.
func (f *file) reconnect() error {
	err := f.close()
	f.connect()
	return err
}

func (f *file) close() error { return errors.Join(f.read.Close(), f.durable.Close(), f.write.Close()) }

// pool opens connections with the settings sheet. busy_timeout comes first, so that no later setting fails on a lock;
// the journal mode is stored in the file and set once, under the lock of exclusive.
func (f *file) pool(synchronous string, connections int, readOnly bool) *sql.DB {
	q := url.Values{}
	patience := f.Tuning.BusyTimeout
	if readOnly && !f.reading {
		patience = max(patience, closingPatience)
	}
	q.Set("_busy_timeout", strconv.FormatInt(patience.Milliseconds(), 10))
	q.Set("_synchronous", synchronous)
	q.Set("_foreign_keys", "on")
	q.Set("_dqs", "0")
	q.Set("_defensive", "1")
	if readOnly {
		q.Set("_query_only", "on")
	} else {
		q.Set("_txlock", "immediate")
	}
	if f.sealed || f.reading {
		q.Set("mode", "ro")
	}
	if f.sealed {
		q.Set("immutable", "1")
	}
	for _, pragma := range f.pragmas(synchronous, readOnly) {
		q.Add("_pragma", pragma)
	}
	db := openURI(f.Path, q)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}

func (f *file) pragmas(synchronous string, readOnly bool) []string {
	pragmas := []string{"trusted_schema(OFF)", "cell_size_check(ON)", "mmap_size(0)", "temp_store(MEMORY)"}
	if readOnly {
		const kilobyte = 1 << 10
		pragmas = append(pragmas, "cache_size(-"+strconv.FormatInt(f.Tuning.PageCache/kilobyte, 10)+")") // less than 0: in kilobytes
	}
	if f.reading {
		return pragmas // each costs time, and the others are about writing
	}
	pragmas = append(pragmas, "secure_delete(ON)", "wal_autocheckpoint("+strconv.Itoa(checkpointPages)+")",
		"journal_size_limit("+strconv.Itoa(journalLimit)+")")
	// On macOS a plain fsync stops at the disk's own cache. Elsewhere these change nothing.
	if synchronous == "FULL" {
		pragmas = append(pragmas, "fullfsync(ON)")
	}
	if !readOnly {
		pragmas = append(pragmas, "checkpoint_fullfsync(ON)")
	}
	return pragmas
}

func openURI(path string, q url.Values) *sql.DB {
	connector, err := driver.NewConnector("file:" + escapeURI(path) + "?" + q.Encode())
	if err != nil {
		panic(err) // only for a query that is none, and this one was just written
	}
	return sql.OpenDB(keeper{Connector: connector, writes: q.Has("_txlock")})
}

// escapeURI keeps every byte of a path inside a file: URI.
func escapeURI(path string) string {
	return (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
}

// header is what a database file says of itself.
type header struct {
	engine      string // SQLite's version
	application int64
	version     int
	tables      int
	journal     string
}

// readHeader reads it in one transaction: another process may be creating the store at this moment.
func readHeader(ctx context.Context, db *sql.DB) (h header, err error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return h, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	for _, read := range []struct {
		query string
		into  any
	}{
		{`SELECT sqlite_version()`, &h.engine},
		{`SELECT COUNT(*) FROM sqlite_schema`, &h.tables}, // the first to look into the file
		{`PRAGMA application_id`, &h.application},
		{`PRAGMA user_version`, &h.version},
		{`PRAGMA journal_mode`, &h.journal},
	} {
		if err := tx.QueryRowContext(ctx, read.query).Scan(read.into); err != nil {
			return h, err
		}
	}
	return h, nil
}

// guard refuses what must not be opened: an SQLite with the WAL-reset bug, another program's database, a damaged file.
func (f *file) guard(ctx context.Context) (header, error) {
	h, err := readHeader(ctx, f.read)
	if err != nil {
		return h, err
	}
	if err := CheckVersion(h.engine); err != nil {
		return h, err
	}
	return h, h.checkOwner()
}

// CheckVersion refuses an SQLite older than the fix of the WAL-reset race (3.51.3), and the one its makers withdrew.
func CheckVersion(engine string) error {
	var got [3]int
	if _, err := fmt.Sscanf(engine, "%d.%d.%d", &got[0], &got[1], &got[2]); err != nil {
		return fmt.Errorf("SQLite version %q: %w", engine, memory.ErrInvalid)
	}
	if engine == withdrawn {
		return fmt.Errorf("SQLite %s was withdrawn by its makers; 3.51.3, 3.53.0 or newer is needed: %w", engine, memory.ErrRefused)
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

func version(ctx context.Context, db db.Querier) (v int, err error) {
	err = db.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&v)
	return v, err
}

func setVersion(ctx context.Context, tx *sql.Tx, v int) error {
	_, err := tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, applicationID, v))
	return err
}

// exclusive is the init lock: of many processes that start on an empty folder, one sets the journal mode and one
// migrates.
func (f *file) exclusive(ctx context.Context, fn func() error) error {
	release, err := filesys.Acquire(ctx, f.Path+".lock")
	if err != nil {
		return fmt.Errorf("init lock: %w", err)
	}
	defer release()
	return fn()
}

// changeJournal gives the file the journal that its file system allows. No other process may have the file open. The
// connection that has done it goes: until its next transaction it would stand in the way of tidy like a reader.
func (f *file) changeJournal(ctx context.Context) error {
	if err := f.reconnect(); err != nil {
		return err
	}
	if err := f.exclusive(ctx, func() error { return f.setJournal(ctx) }); err != nil {
		return err
	}
	return f.reconnect()
}

func (f *file) setJournal(ctx context.Context) error {
	var mode string
	if err := f.write.QueryRowContext(ctx, `PRAGMA journal_mode = `+f.journal).Scan(&mode); err != nil {
		return fmt.Errorf("journal mode: %w", err)
	}
	if !strings.EqualFold(mode, f.journal) {
		return fmt.Errorf("journal mode is %s, wanted %s: %w", mode, f.journal, memory.ErrRefused)
	}
	return nil
}
