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
	// thedotmack/claude-mem, src/services/sqlite/schema.sql at migration 35.
	claudeMemSchema = `
CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL);
CREATE TABLE sdk_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT UNIQUE NOT NULL, memory_session_id TEXT UNIQUE, project TEXT NOT NULL,
  platform_source TEXT NOT NULL DEFAULT 'claude', user_prompt TEXT, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL,
  completed_at TEXT, completed_at_epoch INTEGER, status TEXT NOT NULL DEFAULT 'active' CHECK(status IN ('active', 'completed', 'failed')),
  worker_port INTEGER, prompt_counter INTEGER DEFAULT 0, custom_title TEXT);
CREATE TABLE observations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT, type TEXT NOT NULL,
  title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT, prompt_number INTEGER,
  discovery_tokens INTEGER DEFAULT 0, content_hash TEXT, agent_type TEXT, agent_id TEXT, merged_into_project TEXT,
  generated_by_model TEXT, metadata TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL,
  FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id) ON DELETE CASCADE ON UPDATE CASCADE,
  UNIQUE(memory_session_id, content_hash));
CREATE TABLE session_summaries (
  id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, request TEXT, investigated TEXT,
  learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT, prompt_number INTEGER,
  discovery_tokens INTEGER DEFAULT 0, merged_into_project TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE TABLE user_prompts (
  id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL, prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL,
  created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE TABLE directives (
  id INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL DEFAULT 'global', project TEXT, content TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active', source TEXT NOT NULL DEFAULT 'manual', created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL, updated_at_epoch INTEGER NOT NULL);
CREATE VIRTUAL TABLE observations_fts USING fts5(title, narrative, content='observations', content_rowid='id');`

	// The same at its first migration (004), before titles.
	claudeMemOldSchema = `
CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, content_session_id TEXT, memory_session_id TEXT, project TEXT NOT NULL);
CREATE TABLE observations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT NOT NULL,
  type TEXT NOT NULL CHECK(type IN ('decision', 'bugfix', 'feature', 'refactor', 'discovery')), created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL);`

	// Gentleman-Programming/engram, internal/store/store.go, with memory_relations and later columns.
	engramSchema = `
CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT NOT NULL, directory TEXT NOT NULL, started_at TEXT NOT NULL DEFAULT (datetime('now')),
  ended_at TEXT, summary TEXT);
CREATE TABLE observations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, sync_id TEXT, session_id TEXT NOT NULL, type TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL,
  tool_name TEXT, project TEXT, scope TEXT NOT NULL DEFAULT 'project', topic_key TEXT, normalized_hash TEXT,
  revision_count INTEGER NOT NULL DEFAULT 1, duplicate_count INTEGER NOT NULL DEFAULT 1, last_seen_at TEXT, pinned INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL DEFAULT (datetime('now')), updated_at TEXT NOT NULL DEFAULT (datetime('now')), deleted_at TEXT,
  FOREIGN KEY (session_id) REFERENCES sessions(id));
CREATE VIRTUAL TABLE observations_fts USING fts5(title, content, tool_name, type, project, topic_key, content='observations', content_rowid='id');
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, sync_id TEXT, session_id TEXT NOT NULL, content TEXT NOT NULL, project TEXT,
  created_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE TABLE memory_relations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, sync_id TEXT NOT NULL UNIQUE, source_id TEXT, target_id TEXT, relation TEXT NOT NULL DEFAULT 'pending',
  reason TEXT, evidence TEXT, confidence REAL, judgment_status TEXT NOT NULL DEFAULT 'pending', created_at TEXT, updated_at TEXT);`

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

	// openai/codex, memories_1.sqlite.
	codexSchema = `CREATE TABLE stage1_outputs (
  thread_id TEXT PRIMARY KEY, source_updated_at INTEGER NOT NULL, raw_memory TEXT NOT NULL, rollout_summary TEXT NOT NULL, rollout_slug TEXT,
  generated_at INTEGER NOT NULL, usage_count INTEGER, last_usage INTEGER, selected_for_phase2 INTEGER NOT NULL DEFAULT 0);`
)

const (
	claudeMemRows = `
INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, started_at, started_at_epoch)
  VALUES ('c1', 'm1', 'shop', '2026-01-02T10:00:00.000Z', 1767348000000);
INSERT INTO observations (memory_session_id, project, type, title, subtitle, facts, narrative, files_read, files_modified, created_at, created_at_epoch) VALUES
  ('m1', 'shop', 'decision', 'Keys per order', 'One idempotency key for each order', '["Keys live in orders.key","Retries reuse the key"]',
   'Retries charged twice, so the key moved.', '["a.go"]', '["pay/charge.go","pay/key.go"]', '2026-01-02T10:00:00.000Z', 1767348000000),
  ('m1', 'shop', 'bugfix', 'Nil client', NULL, '[]', NULL, NULL, 'not json', '2026-01-03T10:00:00.000Z', 1767434400000),
  ('m1', 'blog', 'discovery', 'Theme is Hugo', '', NULL, '', NULL, NULL, '2026-01-04T10:00:00.000Z', 1767520800000),
  ('m1', 'shop', 'moon_phase', 'A type of another mode', '', NULL, '', NULL, NULL, '2026-01-04T10:00:00.000Z', 1767520800000),
  ('m1', 'shop', 'change', '', '', '[]', '', NULL, NULL, '2026-01-05T10:00:00.000Z', 1767607200000);
INSERT INTO observations (memory_session_id, project, text, type, created_at, created_at_epoch, merged_into_project)
  VALUES ('m1', 'shop/wt-1', 'Old style text', 'feature', '2026-01-06T10:00:00.000Z', 1767693600000, 'shop');
INSERT INTO session_summaries (memory_session_id, project, request, investigated, learned, completed, next_steps, notes, created_at, created_at_epoch)
  VALUES ('m1', 'shop', 'Fix double charges', 'pay/', 'The bank retries too', 'Moved the key', 'Backfill keys', NULL, '2026-01-02T12:00:00.000Z', 1767355200000);
INSERT INTO user_prompts VALUES (1, 'c1', 1, 'please fix it', '2026-01-02T10:00:00.000Z', 1767348000000);
INSERT INTO directives (scope, project, content, status, created_at, created_at_epoch, updated_at_epoch) VALUES
  ('global', NULL, 'Answer in English', 'active', '', 1767348000000, 1767434400000),
  ('project', 'shop', 'Never log card numbers', 'active', '', 1767348000000, 1767348000000),
  ('global', NULL, 'Old rule', 'retired', '', 1767348000000, 1767348000000);`

	engramRows = `
INSERT INTO sessions VALUES ('s1', 'shop', '/src/shop', '2026-01-02 09:00:00', '2026-01-02 10:00:00', 'Fixed the charges'), ('s2', 'shop', '/src/shop', '2026-01-03 09:00:00', NULL, NULL);
INSERT INTO observations (sync_id, session_id, type, title, content, project, scope, topic_key, revision_count, duplicate_count, pinned, created_at, updated_at, deleted_at) VALUES
  ('obs-1', 's1', 'architecture', 'Keys', 'One key per order', 'shop', 'project', 'architecture/keys', 3, 2, 1, '2026-01-02 09:10:00', '2026-01-04 09:10:00', NULL),
  ('obs-2', 's1', 'decision', 'Keys per attempt', 'Old way', 'shop', 'project', NULL, 1, 1, 0, '2026-01-01 09:10:00', '2026-01-01 09:10:00', NULL),
  ('obs-3', 's1', 'preference', 'Short answers', 'Short answers, always', 'shop', 'personal', NULL, 1, 1, 0, '2026-01-02 09:10:00', '2026-01-02 09:10:00', NULL),
  ('obs-4', 's1', 'bugfix', 'Gone', 'deleted', 'shop', 'project', NULL, 1, 1, 0, '2026-01-02 09:10:00', '2026-01-02 09:10:00', '2026-01-03 09:10:00'),
  ('obs-5', 's1', 'command', 'ls', 'ls -l', 'shop', 'project', NULL, 1, 1, 0, '2026-01-02 09:10:00', '2026-01-02 09:10:00', NULL),
  (NULL, 's1', 'passive', 'The bank retries after thirty se...', 'The bank retries after thirty seconds', 'shop', 'project', NULL, 1, 1, 0, '2026-01-02 09:10:00', '2026-01-02 09:10:00', NULL);
INSERT INTO memory_relations (sync_id, source_id, target_id, relation, judgment_status, created_at, updated_at) VALUES
  ('rel-1', 'obs-1', 'obs-2', 'supersedes', 'judged', '2026-01-02 09:11:00', '2026-01-02 09:12:00'),
  ('rel-2', 'obs-1', 'obs-3', 'supersedes', 'pending', '2026-01-02 09:11:00', '2026-01-02 09:12:00');`

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

func TestEveryDatabaseIsReadAsItsToolMeansIt(t *testing.T) {
	wal := "PRAGMA journal_mode = WAL"
	for _, c := range []struct {
		golden, name string
		format       Format
		statements   []string
	}{
		{"claude-mem", "claude-mem.db", ClaudeMem, []string{wal, claudeMemSchema, claudeMemRows}},
		{"engram", "engram.db", Engram, []string{wal, engramSchema, engramRows}},
		{"brainbox", "brainbox.db", BrainBox, []string{wal, brainBoxSchema, brainBoxRows}},
	} {
		t.Run(c.golden, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			file := build(t, c.name, c.statements...)
			before := state(t, filepath.Dir(file))
			m := read(t, c.format, file, Options{Project: 7})
			golden(t, c.golden, m)
			if found, err := Detect(file); err != nil || found != c.format {
				t.Errorf("Detect says %q, %v", found, err)
			}
			if again := read(t, c.format, filepath.Dir(file), Options{Project: 7}); !reflect.DeepEqual(m, again) {
				t.Error("reading the folder gives another memory than reading the file")
			}
			if found, err := Detect(filepath.Dir(file)); err != nil || found != c.format {
				t.Errorf("Detect of the folder says %q, %v", found, err)
			}
			if after := state(t, filepath.Dir(file)); !reflect.DeepEqual(before, after) {
				t.Errorf("reading changed the folder:\n%v\n%v", before, after)
			}
		})
	}
}

func TestADatabaseInUseIsReadFromACopy(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	file := filepath.Join(t.TempDir(), "engram.db")
	db := writer(t, file)
	t.Cleanup(func() { _ = db.Close() })
	exec(t, db, "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0", engramSchema, engramRows)
	if info, err := os.Stat(file + "-wal"); err != nil || info.Size() == 0 {
		t.Fatalf("the test wants rows in the log: %v", err)
	}
	before := state(t, filepath.Dir(file))
	m := read(t, Engram, file, Options{})
	if len(m.Crystals) != 5 {
		t.Errorf("%d crystals; the rows in the log are missing", len(m.Crystals))
	}
	if found, err := Detect(file); err != nil || found != Engram {
		t.Errorf("Detect says %q, %v", found, err)
	}
	if after := state(t, filepath.Dir(file)); !reflect.DeepEqual(before, after) {
		t.Errorf("reading changed the folder:\n%v\n%v", before, after)
	}
	if left, _ := os.ReadDir(temp); len(left) != 0 {
		t.Errorf("the copy was left behind: %v", left)
	}
	exec(t, db, "INSERT INTO sessions VALUES ('s3', 'shop', '/', '2026-01-02 09:00:00', NULL, 'still writable')")
}

func TestALeftJournalIsRolledBackInTheCopyOnly(t *testing.T) {
	file := build(t, "engram.db", "PRAGMA journal_mode = DELETE", engramSchema, engramRows)
	whole := must.Get(os.ReadFile(file))(t)
	// A transaction that is killed after its pages reached the file: take both files from its middle.
	db := writer(t, file)
	exec(t, db, "PRAGMA cache_size = 1", "BEGIN", "DELETE FROM observations",
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 2000)
		INSERT INTO sessions SELECT 'x' || i, 'p', 'd', '2026-01-01 00:00:00', NULL, 'never committed ' || hex(randomblob(40)) FROM n`)
	torn := must.Get(os.ReadFile(file))(t)
	journal := must.Get(os.ReadFile(file + "-journal"))(t)
	must.Do(t, db.Close())
	if string(torn) == string(whole) {
		t.Fatal("the transaction did not reach the file")
	}
	dir := t.TempDir()
	write(t, dir, "engram.db", string(torn))
	write(t, dir, "engram.db-journal", string(journal))
	before := state(t, dir)
	m := read(t, Engram, filepath.Join(dir, "engram.db"), Options{})
	if strings.Contains(show(m), "never committed") || len(m.Crystals) != 5 {
		t.Errorf("%d crystals, some of which were never committed", len(m.Crystals))
	}
	if after := state(t, dir); !reflect.DeepEqual(before, after) {
		t.Error("reading changed the folder")
	}
}

func TestADatabaseInAReadOnlyFolderIsRead(t *testing.T) {
	file := build(t, "claude-mem.db", "PRAGMA journal_mode = WAL", claudeMemSchema, claudeMemRows)
	must.Do(t, errors.Join(os.Chmod(file, 0o400), os.Chmod(filepath.Dir(file), 0o500)))
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(file), 0o700) })
	if m := read(t, ClaudeMem, file, Options{}); len(m.Crystals) != 9 {
		t.Errorf("%d crystals", len(m.Crystals))
	}
}

func TestOlderSchemasGiveLess(t *testing.T) {
	old := build(t, "claude-mem.db", claudeMemOldSchema,
		"INSERT INTO observations VALUES (1, 'm', 'shop', 'Plain text', 'decision', '2026-01-02T10:00:00.000Z', 1767348000000)")
	m := read(t, ClaudeMem, old, Options{})
	if len(m.Crystals) != 1 || m.Crystals[0].Text != "Plain text" || len(m.Problems) != 0 {
		t.Errorf("got %s", show(m))
	}
	bare := build(t, "engram.db", "CREATE TABLE observations (session_id TEXT, type TEXT, title TEXT, content TEXT)",
		"INSERT INTO observations VALUES ('s', 'learning', 'T', 'C')")
	m = read(t, Engram, bare, Options{})
	if len(m.Crystals) != 1 || m.Crystals[0].Text != "T\nC" || m.Crystals[0].Kind != memory.Lesson || m.Crystals[0].Source != "engram:engram.db#observations/1" {
		t.Errorf("got %s", show(m))
	}
	newer := build(t, "brainbox.db", "CREATE TABLE neurons (id TEXT, kind TEXT)", "CREATE TABLE synapses (source_id, target_id)")
	m = read(t, BrainBox, newer, Options{})
	if len(m.Problems) != 2 || !strings.Contains(m.Problems[0].What, "lacks the columns type, path") {
		t.Errorf("got %v", m.Problems)
	}
	wrong := build(t, "other.db", "CREATE TABLE notes (id INTEGER)")
	if _, err := Read(context.Background(), Engram, wrong, Options{}); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), `no table "observations"`) {
		t.Errorf("got %v", err)
	}
	if _, err := Detect(wrong); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "tables: notes") {
		t.Errorf("got %v, want the tables named", err)
	}
}

func TestADamagedDatabaseGivesWhatItCan(t *testing.T) {
	rows := []string{engramSchema, engramRows}
	for i := range 400 {
		rows = append(rows, fmt.Sprintf("INSERT INTO observations (session_id, type, title, content) VALUES ('s1', 'decision', 'T%d', '%s')", i, strings.Repeat("x", 2000)))
	}
	file := build(t, "engram.db", "BEGIN;"+strings.Join(rows, ";")+";COMMIT")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(text) / 2; i < len(text); i++ {
		text[i] = 0xAA
	}
	must.Do(t, os.WriteFile(file, text, 0o600))
	m, err := Read(context.Background(), Engram, file, Options{})
	if err != nil {
		if !errors.Is(err, memory.ErrDamaged) {
			t.Errorf("got %v", err)
		}
		return
	}
	if len(m.Crystals) == 0 || !strings.Contains(show(m), ".recover") {
		t.Errorf("%d crystals, problems %v", len(m.Crystals), m.Problems)
	}
}

func TestViewsAndStrangeValuesDoNoHarm(t *testing.T) {
	file := build(t, "engram.db",
		`CREATE TABLE observations (id ANY, session_id, type ANY, title ANY, content ANY, project ANY, created_at ANY, "weird ""name" TEXT)`,
		`INSERT INTO observations VALUES (x'00ff', 's', 7, NULL, x'fffe41', 3.5, -1, ''), (NULL, 's', 'decision', 'T', 'a' || char(0) || 'b', '', '1e300', '')`,
		"CREATE VIEW sessions AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i AS id, 'x' AS summary FROM n")
	m := read(t, Engram, file, Options{})
	if len(m.Crystals) != 2 {
		t.Errorf("got %s", show(m))
	}
}
