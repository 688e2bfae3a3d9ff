package foreign

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// The schemas are those of the tools themselves; indexes that no reader sees are left out.
const (
	// thebasedcapital/brainbox, src/db.ts.
	brainBoxSchema = `
CREATE TABLE neurons (
  id TEXT PRIMARY KEY, type TEXT NOT NULL, path TEXT NOT NULL, activation REAL DEFAULT 0, myelination REAL DEFAULT 0,
  access_count INTEGER DEFAULT 0, last_accessed TEXT, created_at TEXT NOT NULL, contexts TEXT DEFAULT '[]');
CREATE TABLE synapses (
  source_id TEXT NOT NULL REFERENCES neurons(id) ON DELETE CASCADE, target_id TEXT NOT NULL REFERENCES neurons(id) ON DELETE CASCADE,
  weight REAL DEFAULT 0.1, co_access_count INTEGER DEFAULT 1, last_fired TEXT, created_at TEXT NOT NULL, PRIMARY KEY (source_id, target_id));
CREATE TABLE access_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT, neuron_id TEXT NOT NULL REFERENCES neurons(id) ON DELETE CASCADE, session_id TEXT NOT NULL, query TEXT,
  timestamp TEXT NOT NULL, token_cost INTEGER DEFAULT 0, access_order INTEGER DEFAULT 0);
CREATE TABLE sessions (id TEXT PRIMARY KEY, started_at TEXT NOT NULL, ended_at TEXT, total_accesses INTEGER DEFAULT 0,
  tokens_used INTEGER DEFAULT 0, tokens_saved INTEGER DEFAULT 0, hit_rate REAL DEFAULT 0);
ALTER TABLE neurons ADD COLUMN embedding BLOB DEFAULT NULL;
ALTER TABLE synapses ADD COLUMN tagged_at TEXT DEFAULT NULL;
ALTER TABLE neurons ADD COLUMN project TEXT DEFAULT NULL;
ALTER TABLE neurons ADD COLUMN ignore_streak INTEGER DEFAULT 0;`
)

const (
	brainBoxRows = `
INSERT INTO neurons (id, type, path, access_count, last_accessed, created_at, project) VALUES
  ('file:src/a.ts', 'file', 'src/a.ts', 12, '2026-02-17T09:00:00.000Z', '2026-02-01T09:00:00.000Z', NULL),
  ('file:src/b.ts', 'file', 'src/b.ts', 3, NULL, '2026-02-02T09:00:00.000Z', NULL),
  ('tool:grep', 'tool', 'grep', 9, NULL, '2026-02-02T09:00:00.000Z', NULL),
  ('error:TypeError: x is undefined', 'error', 'TypeError: x is undefined', 2, NULL, '2026-02-03T09:00:00.000Z', NULL);
INSERT INTO synapses (source_id, target_id, weight, co_access_count, last_fired, created_at) VALUES
  ('file:src/a.ts', 'file:src/b.ts', 0.75, 4, '2026-02-17T09:00:00.000Z', '2026-02-02T09:00:00.000Z'),
  ('file:src/b.ts', 'file:src/a.ts', 9e99, 4, NULL, '2026-02-02T09:00:00.000Z'),
  ('file:src/a.ts', 'tool:grep', 0.5, 1, NULL, '2026-02-02T09:00:00.000Z'),
  ('error:TypeError: x is undefined', 'file:src/b.ts', 0.4, 1, NULL, '2026-02-03T09:00:00.000Z');`
)

// build makes a database and closes it.
func build(t testing.TB, name string, statements ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	db := writer(t, file)
	exec(t, db, statements...)
	must.Do(t, db.Close())
	return file
}

func writer(t testing.TB, file string) *sql.DB {
	t.Helper()
	db := must.Get(sql.Open("sqlite", file))(t)
	db.SetMaxOpenConns(1)
	return db
}

func exec(t testing.TB, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(context.Background(), s); err != nil {
			t.Fatalf("%v in %s", err, s)
		}
	}
}

// state is what can be seen of a folder: names, sizes, times, contents.
func state(t testing.TB, dir string) map[string]string {
	t.Helper()
	seen := map[string]string{}
	must.Do(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		seen[name] = fmt.Sprintf("%s %v %d %x", info.Mode(), info.ModTime(), info.Size(), sha256.Sum256(text))
		return err
	}))
	return seen
}

func TestTheDatabaseOfBrainBoxIsReadAsItMeansIt(t *testing.T) {
	wal := "PRAGMA journal_mode = WAL"
	t.Setenv("TMPDIR", t.TempDir())
	file := build(t, "brainbox.db", wal, brainBoxSchema, brainBoxRows)
	before := state(t, filepath.Dir(file))
	m := read(t, BrainBox, file, Options{Project: 7})
	golden(t, "brainbox", m)
	if again := read(t, BrainBox, filepath.Dir(file), Options{Project: 7}); !reflect.DeepEqual(m, again) {
		t.Error("reading the folder gives another memory than reading the file")
	}
	if after := state(t, filepath.Dir(file)); !reflect.DeepEqual(before, after) {
		t.Errorf("reading changed the folder:\n%v\n%v", before, after)
	}
}

func TestADatabaseInUseIsReadFromACopy(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	file := filepath.Join(t.TempDir(), "brainbox.db")
	db := writer(t, file)
	t.Cleanup(func() { _ = db.Close() })
	exec(t, db, "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", brainBoxSchema, brainBoxRows)
	if info, err := os.Stat(file + "-wal"); err != nil || info.Size() == 0 {
		t.Fatalf("the test wants rows in the log: %v", err)
	}
	before := state(t, filepath.Dir(file))
	m := read(t, BrainBox, file, Options{})
	if len(m.Links) != 2 || len(m.Crystals) != 1 {
		t.Errorf("%d links; the rows in the log are missing", len(m.Links))
	}
	if after := state(t, filepath.Dir(file)); !reflect.DeepEqual(before, after) {
		t.Errorf("reading changed the folder:\n%v\n%v", before, after)
	}
	if left, _ := os.ReadDir(temp); len(left) != 0 {
		t.Errorf("the copy was left behind: %v", left)
	}
	exec(t, db, "INSERT INTO sessions (id, started_at) VALUES ('s3', '2026-01-02 09:00:00')") // still writable
}

func TestALeftJournalIsRolledBackInTheCopyOnly(t *testing.T) {
	file := build(t, "brainbox.db", "PRAGMA journal_mode = DELETE", brainBoxSchema, brainBoxRows)
	whole := must.Get(os.ReadFile(file))(t)
	// A transaction that is killed after its pages reached the file: take both files from its middle.
	db := writer(t, file)
	exec(t, db, "PRAGMA cache_size = 1", "BEGIN", "DELETE FROM synapses",
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 2000)
		INSERT INTO neurons (id, type, path, created_at) SELECT 'x' || i, 'file', 'never committed ' || hex(randomblob(40)), '' FROM n`)
	torn := must.Get(os.ReadFile(file))(t)
	journal := must.Get(os.ReadFile(file + "-journal"))(t)
	must.Do(t, db.Close())
	if string(torn) == string(whole) {
		t.Fatal("the transaction did not reach the file")
	}
	dir := t.TempDir()
	write(t, dir, "brainbox.db", string(torn))
	write(t, dir, "brainbox.db-journal", string(journal))
	before := state(t, dir)
	m := read(t, BrainBox, filepath.Join(dir, "brainbox.db"), Options{})
	if strings.Contains(show(m), "never committed") || len(m.Links) != 2 {
		t.Errorf("%d links, some of which were never committed", len(m.Links))
	}
	if after := state(t, dir); !reflect.DeepEqual(before, after) {
		t.Error("reading changed the folder")
	}
}

func TestADatabaseInAReadOnlyFolderIsRead(t *testing.T) {
	file := build(t, "brainbox.db", "PRAGMA journal_mode = WAL", brainBoxSchema, brainBoxRows)
	must.Do(t, errors.Join(os.Chmod(file, 0o400), os.Chmod(filepath.Dir(file), 0o500)))
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(file), 0o700) })
	if m := read(t, BrainBox, file, Options{}); len(m.Links) != 2 {
		t.Errorf("%d links", len(m.Links))
	}
}

func TestOtherSchemasAreNamed(t *testing.T) {
	newer := build(t, "brainbox.db", "CREATE TABLE neurons (id TEXT, kind TEXT)", "CREATE TABLE synapses (source_id, target_id)")
	m := read(t, BrainBox, newer, Options{})
	if len(m.Problems) != 2 || !strings.Contains(m.Problems[0].What, "lacks the columns type, path") {
		t.Errorf("got %v", m.Problems)
	}
	wrong := build(t, "other.db", "CREATE TABLE notes (id INTEGER)")
	if _, err := Read(context.Background(), BrainBox, wrong, Options{}); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), `no table "neurons"`) {
		t.Errorf("got %v", err)
	}
}

func TestADamagedDatabaseGivesWhatItCan(t *testing.T) {
	rows := []string{brainBoxSchema, brainBoxRows}
	for i := range 400 {
		rows = append(rows, fmt.Sprintf("INSERT INTO neurons (id, type, path, created_at) VALUES ('f%d', 'file', '%s', '')", i, strings.Repeat("x", 2000)))
	}
	file := build(t, "brainbox.db", "BEGIN;"+strings.Join(rows, ";")+";COMMIT")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(text) / 2; i < len(text); i++ {
		text[i] = 0xAA
	}
	must.Do(t, os.WriteFile(file, text, 0o600))
	m, err := Read(context.Background(), BrainBox, file, Options{})
	if err != nil {
		if !errors.Is(err, memory.ErrDamaged) {
			t.Errorf("got %v", err)
		}
		return
	}
	if !strings.Contains(show(m), ".recover") {
		t.Errorf("%d links, problems %v", len(m.Links), m.Problems)
	}
}

func TestViewsAndStrangeValuesDoNoHarm(t *testing.T) {
	file := build(t, "brainbox.db",
		`CREATE TABLE neurons (id ANY, type ANY, path ANY, project ANY, created_at ANY, "weird ""name" TEXT)`,
		`INSERT INTO neurons VALUES (x'00ff', 7, x'fffe41', 3.5, -1, ''), (1, 'error', 'a' || char(0) || 'b', '', '1e300', ''), (2, 'file', 'a.go', '', NULL, '')`,
		`CREATE TABLE synapses (source_id ANY, target_id ANY, weight ANY)`, `INSERT INTO synapses VALUES (1, 2, 'heavy'), (2, 2, x'00')`,
		"CREATE VIEW access_log AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i AS id, 'x' AS query FROM n")
	m := read(t, BrainBox, file, Options{})
	if len(m.Crystals) != 1 || !strings.HasPrefix(m.Crystals[0].Text, "a\n") || !m.Crystals[0].SaidAt.IsZero() {
		t.Errorf("got %s", show(m))
	}
}
