package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

// prepared is an open file whose pools a test may look at, with the store on top of it.
func prepared(t *testing.T, f *file) *store.Store {
	t.Helper()
	must.Do(t, f.prepare(t.Context()))
	s := must.Get(store.Open(t.Context(), f.engine(), f.Migrations, f.Now))(t)
	t.Cleanup(func() { closeStore(t, s) })
	return s
}

func newTestFile(t *testing.T) *file {
	t.Helper()
	return newFile(testOptions(filepath.Join(t.TempDir(), "hebb.db")).withDefaults())
}

func TestAMigrationIsTriedAgainAfterATemporaryError(t *testing.T) {
	t.Parallel()
	f := newTestFile(t)
	must.Do(t, f.prepare(t.Context()))
	engine, tries, passing := f.engine(), 0, errors.New("passing")
	engine.Temporary = func(err error) bool { return errors.Is(err, passing) }
	engine.SetVersion = func(ctx context.Context, tx *sql.Tx, v int) error {
		if tries++; tries < 3 {
			return passing
		}
		return setVersion(ctx, tx, v)
	}
	s := must.Get(store.Open(t.Context(), engine, f.Migrations, f.Now))(t)
	closeStore(t, s)
}

func TestEveryConnectionFollowsTheSettingsSheet(t *testing.T) {
	t.Parallel()
	for _, journal := range []string{"WAL", "DELETE"} {
		f := newTestFile(t)
		f.journal = journal
		mustAdd(t, prepared(t, f), 0, 3)
		sheet := map[string]string{
			"journal_mode": strings.ToLower(journal), "busy_timeout": "60000", "foreign_keys": "1", "trusted_schema": "0", "cell_size_check": "1",
			"mmap_size": "0", "temp_store": "2", "secure_delete": "1", "wal_autocheckpoint": "1000",
			"journal_size_limit": "16777216", "application_id": fmt.Sprint(applicationID), "user_version": fmt.Sprint(len(f.Migrations)),
		}
		normal := map[string]string{"WAL": "1", "DELETE": "2"}[journal] // a rollback journal is not safe with NORMAL
		for _, pool := range []struct {
			name        string
			db          *sql.DB
			connections int
			synchronous string
			queryOnly   string
		}{
			{"write", f.write, 1, normal, "0"}, {"durable", f.durable, 1, "2", "0"}, {"read", f.read, 4, "1", "1"},
		} {
			if most := pool.db.Stats().MaxOpenConnections; most != pool.connections {
				t.Errorf("%s: at most %d connections, want %d", pool.name, most, pool.connections)
			}
			sheet["synchronous"], sheet["query_only"] = pool.synchronous, pool.queryOnly
			sheet["fullfsync"] = map[bool]string{true: "1", false: "0"}[pool.synchronous == "2"]
			sheet["checkpoint_fullfsync"] = map[bool]string{true: "1", false: "0"}[pool.queryOnly == "0"]
			for range pool.connections { // held together, so that each is another one
				conn := must.Get(pool.db.Conn(t.Context()))(t)
				defer func() { _ = conn.Close() }()
				checkSheet(t, journal+" "+pool.name, conn, sheet)
			}
		}
	}
}

func checkSheet(t *testing.T, name string, conn *sql.Conn, sheet map[string]string) {
	t.Helper()
	for setting, want := range sheet {
		var got string
		if err := conn.QueryRowContext(t.Context(), `PRAGMA `+setting).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %s is %q (%v), want %q", name, setting, got, err, want)
		}
	}
	// Defensive mode has no pragma to ask: it shows in what it refuses. Neither has the ban on "strings" in double quotes.
	for _, bad := range []string{
		`PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'x'`, `SELECT "no such column"`,
	} {
		if _, err := conn.ExecContext(t.Context(), bad); err == nil {
			t.Errorf("%s: %s went through", name, bad)
		}
	}
}

func TestAWriteTransactionHoldsTheWriteLockFromItsBeginning(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hebb.db")
	s := openStore(t, testOptions(path))
	impatient := openURI(path, nil)
	defer func() { _ = impatient.Close() }()
	for name, update := range map[string]func(context.Context, func(*store.Tx) error) error{"update": s.Update, "durable": s.UpdateDurable} {
		err := update(t.Context(), func(*store.Tx) error {
			_, err := impatient.ExecContext(t.Context(), `BEGIN IMMEDIATE; ROLLBACK`)
			if code(err) != codeBusy {
				t.Errorf("%s: a second writer got %v, want busy", name, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	err := s.View(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.Projects(t.Context()); err != nil {
			return err
		}
		_, err := impatient.ExecContext(t.Context(), `BEGIN IMMEDIATE; ROLLBACK`)
		return err // a reader is in nobody's way
	})
	if err != nil {
		t.Errorf("view: %v", err)
	}
}

func TestAWriterThatWaitsTooLongIsToldWhatToDo(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hebb.db")
	o := testOptions(path)
	o.Tuning.BusyTimeout = time.Millisecond
	s := openStore(t, o)
	tx := must.Get(raw(t, path).BeginTx(t.Context(), nil))(t)
	must.Get(tx.ExecContext(t.Context(), `INSERT INTO fact (name, project_id, subject, at, value) VALUES ('a', 0, '', 0, '1')`))(t)
	if err := add(t, s, 0, 1); !errors.Is(err, memory.ErrBusy) || !strings.Contains(err.Error(), "store.busy_timeout") {
		t.Errorf("got %v, want advice", err)
	}
	must.Do(t, tx.Rollback())
	mustAdd(t, s, 0, 1)
}

func TestADurableCommitReachesTheLogEvenIfNothingChanged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hebb.db")
	s := openStore(t, testOptions(path))
	mustAdd(t, s, 0, 1) // not synchronised to disk
	for range 3 {
		before := onDisk(t, filepath.Dir(path))
		must.Do(t, s.UpdateDurable(t.Context(), func(*store.Tx) error { return nil }))
		if onDisk(t, filepath.Dir(path)) == before {
			t.Error("nothing was written, so nothing was synchronised")
		}
	}
}

func TestTheJournalFollowsTheFileSystem(t *testing.T) {
	t.Parallel()
	local := newTestFile(t)
	s := prepared(t, local)
	mustAdd(t, s, 0, 3)
	closeStore(t, s)

	moved := newFile(local.Options) // the folder is on a network now
	moved.journal = "DELETE"
	s = prepared(t, moved)
	mustAdd(t, s, 3, 6)
	if facts, err := s.Facts(t.Context()); err != nil || facts.Settings["journal_mode"] != "delete" {
		t.Errorf("journal is %q, %v", facts.Settings["journal_mode"], err)
	}
	if _, err := os.Stat(local.Path + "-wal"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a log on a network file system: %v", err)
	}
	closeStore(t, s)

	s = openStore(t, local.Options) // and back
	if facts, err := s.Facts(t.Context()); err != nil || facts.Settings["journal_mode"] != "wal" || count(t, s) != 6 {
		t.Errorf("journal is %q, %v", facts.Settings["journal_mode"], err)
	}
}

func TestVersionGuard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version string
		want    error
		why     string
	}{
		{"3.7.0", memory.ErrRefused, "the first with the WAL-reset race"},
		{"3.40.1", memory.ErrRefused, "Debian 12"},
		{"3.51.2", memory.ErrRefused, "the last with the race"},
		{"3.51.3", nil, "the first without"},
		{"3.52.0", memory.ErrRefused, "withdrawn"},
		{"3.52.1", nil, "announced as its replacement"},
		{"3.53.0", nil, ""},
		{"3.53.4", nil, ""},
		{"4.0.0", nil, ""},
		{"2.99.99", memory.ErrRefused, ""},
		{"", memory.ErrInvalid, ""},
		{"3.51", memory.ErrInvalid, ""},
		{"three", memory.ErrInvalid, ""},
	} {
		if err := CheckVersion(c.version); !errors.Is(err, c.want) || c.want == nil && err != nil {
			t.Errorf("SQLite %q (%s): got %v, want %v", c.version, c.why, err, c.want)
		}
	}
}

func TestAFullDiskIsSurvived(t *testing.T) {
	t.Parallel()
	f := newTestFile(t)
	s := prepared(t, f)
	mustAdd(t, s, 0, 10)
	if _, err := f.write.ExecContext(t.Context(), `VACUUM`); err != nil { // migrations left free pages
		t.Fatal(err)
	}
	before, err := said(t, s)
	if err != nil {
		t.Fatal(err)
	}
	limit := func(pages int) {
		t.Helper()
		must.Get(f.write.ExecContext(t.Context(), fmt.Sprintf(`PRAGMA max_page_count = %d`, pages)))(t)
	}
	limit(1) // SQLite raises it to the pages there are
	err = add(t, s, 10, 150)
	if code(err) != codeFull || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("got %v, want the news that the disk is full", err)
	}
	after, err := said(t, s)
	if err != nil || fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("the failed transaction left something: %v", err)
	}
	limit(1 << 30)
	mustAdd(t, s, 10, 150)
	closeStore(t, s)
	if found := damage(t, f.Path); len(found) != 0 {
		t.Errorf("damage: %q", found)
	}
}
