package transfer_test

import (
	"bytes"
	"database/sql"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
	"github.com/hebb-memory/hebb/internal/store/storetest"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// rawStore is a new store, and a connection of its own to its file.
func rawStore(t *testing.T) (*store.Store, *sql.DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hebb.db")
	s := must.Get(sqlite.Open(t.Context(), sqlite.Options{Path: path, Tuning: tuning.Default().Store, Now: time.Now}))(t)
	t.Cleanup(func() { _ = s.Close() })
	db := must.Get(sql.Open("sqlite", path))(t)
	t.Cleanup(func() { _ = db.Close() })
	return s, db
}

// column reads the one column of a query.
func column(t *testing.T, db *sql.DB, query string, args ...any) (values []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query, args...)
	must.Do(t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var v string
		must.Do(t, rows.Scan(&v))
		values = append(values, v)
	}
	must.Do(t, rows.Err())
	return values
}

const tableNames = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'document_words_%' ORDER BY name`

func columnsOf(t *testing.T, db *sql.DB, table string) []string {
	t.Helper()
	return column(t, db, `SELECT name FROM pragma_table_info(?)`, table)
}

// page is docs/store.md: the classes of each column, "table.column", and of each fact, and the operations by which things are said.
type page struct {
	columns, facts map[string][]string
	operations     []string
}

var inCode = regexp.MustCompile("`([^`]+)`")

func codeOf(cell string) (list []string) {
	for _, found := range inCode.FindAllStringSubmatch(cell, -1) {
		list = append(list, found[1])
	}
	return list
}

// readPage reads docs/store.md.
func readPage(t *testing.T) page {
	t.Helper()
	p := page{map[string][]string{}, map[string][]string{}, nil}
	text := must.Get(os.ReadFile("../../../docs/store.md"))(t)
	if lines := bytes.Count(text, []byte("\n")); lines > 120 {
		t.Errorf("docs/store.md has %d lines; group more columns in one row", lines)
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		into, keys := p.facts, codeOf(cells[0])
		if len(cells) == 4 {
			into, keys = p.columns, nil
			for _, name := range codeOf(cells[1]) {
				keys = append(keys, codeOf(cells[0])[0]+"."+name)
			}
		}
		class := strings.TrimSpace(cells[len(cells)-2])
		if !slices.Contains([]string{"event", "rebuilt", "said", "again", "by name"}, class) {
			t.Errorf("%s has the class %q", keys, class)
		}
		for _, key := range keys {
			into[key] = append(into[key], class)
		}
		if _, said, ok := strings.Cut(cells[len(cells)-1], "["); ok {
			said, _, _ = strings.Cut(said, "]")
			p.operations = append(p.operations, codeOf(said)...)
		}
	}
	return p
}

// compare reports what one of two sets lacks.
func compare(t *testing.T, what string, page, want []string) {
	t.Helper()
	slices.Sort(want)
	for _, name := range want {
		if !slices.Contains(page, name) {
			t.Errorf("docs/store.md does not name the %s %s", what, name)
		}
	}
	for _, name := range page {
		if !slices.Contains(want, name) {
			t.Errorf("docs/store.md names a %s %s, which does not exist", what, name)
		}
	}
}

// docs/store.md names every column of the schema, every fact and only operations of the source.
func TestThePageOfTheStoreNamesAllThatIsKept(t *testing.T) {
	t.Parallel()
	_, db := rawStore(t)
	columns := []string{"*.checksum"}
	for _, table := range column(t, db, tableNames) {
		for _, name := range columnsOf(t, db, table) {
			if name != "checksum" {
				columns = append(columns, table+"."+name)
			}
		}
	}
	fact, operation := regexp.MustCompile(`(?:NewFact\[.+?\]\(|CheckedFact, )"([^"]+)"`), regexp.MustCompile(`\bName: +"([^"]+)"`)
	facts, operations := map[string]bool{}, map[string]bool{}
	must.Do(t, filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && e.Name() == "storetest" {
			return fs.SkipDir
		}
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range fact.FindAllSubmatch(text, -1) {
			facts[string(found[1])] = true
		}
		for _, found := range operation.FindAllSubmatch(text, -1) {
			operations[string(found[1])] = true
		}
		return err
	}))
	p := readPage(t)
	compare(t, "column", slices.Collect(maps.Keys(p.columns)), columns)
	compare(t, "fact", slices.Collect(maps.Keys(p.facts)), slices.Collect(maps.Keys(facts)))
	for _, name := range p.operations {
		if !operations[name] {
			t.Errorf("docs/store.md names an operation %s, which does not exist", name)
		}
	}
}

// What the page says is rebuilt is what TakeOver writes: triggers note every value that it inserts or changes. Of the rows that it writes
// whole, what was said stays.
func TestWhatIsRebuiltIsWhatTakeOverWrites(t *testing.T) {
	t.Parallel()
	here, db := rawStore(t)
	made, other := rawStore(t)
	project := storetest.EveryTable(t, here).Project()
	storetest.EveryTable(t, made)
	run := func(db *sql.DB, statement string) {
		t.Helper()
		must.Get(db.ExecContext(t.Context(), statement))(t)
	}
	run(other, `UPDATE project SET clock = clock + 7`)
	for _, number := range []string{"neuron.accesses", "synapse.ab", "suggestion.tokens", "forgotten.at", "balance.myelin", "block.version"} {
		table, name, _ := strings.Cut(number, ".")
		run(other, `UPDATE `+table+` SET `+name+` = `+name+` + 7`) // only rows that differ are written
	}
	run(other, `UPDATE session SET ticked = 1 - ticked, learned_ord = learned_ord + 7`)
	run(other, `UPDATE heat SET heat = heat + 7, touches = touches + 7, last_at = last_at + 7, session_id = session_id + 7,
		summary = 'x', summary_by = 'x', note = 'x', note_by = 'x', note_at = note_at + 7`)
	run(other, `INSERT INTO access SELECT event_seq, 99, neuron_id, 'error', '' FROM access LIMIT 1`)

	run(db, `CREATE TABLE written (name TEXT)`)
	for _, table := range column(t, db, tableNames) {
		if table == "written" || table == "document_words" {
			continue
		}
		insert := `CREATE TRIGGER written_` + table + ` AFTER INSERT ON ` + table + ` BEGIN `
		for _, name := range columnsOf(t, db, table) {
			note := `INSERT INTO written VALUES ('` + table + `.` + name + `'); `
			insert += note
			run(db, `CREATE TRIGGER written_`+table+`_`+name+` AFTER UPDATE ON `+table+` WHEN new.`+name+` IS NOT old.`+name+` BEGIN `+note+`END`)
		}
		if table == "fact" {
			insert += `INSERT INTO written VALUES (new.name); `
		}
		run(db, insert+`END`)
	}
	must.Do(t, made.View(t.Context(), func(from *store.Tx) error {
		return here.Update(t.Context(), func(tx *store.Tx) error { return tx.TakeOver(t.Context(), project, from) })
	}))

	p := readPage(t)
	written := map[string]bool{}
	for _, name := range column(t, db, `SELECT DISTINCT name FROM written`) {
		if strings.HasSuffix(name, ".checksum") || strings.HasPrefix(name, "fact.") {
			continue
		}
		written[name] = true
		classes := append(p.columns[name], p.facts[name]...)
		want := "rebuilt"
		switch table, of, _ := strings.Cut(name, "."); {
		case table == "neuron" && slices.Contains(classes, "event"): // the log names files by it
			continue
		case table == "heat":
			value := `SELECT ` + of + ` FROM heat`
			if !slices.Equal(column(t, db, value), column(t, other, value)) {
				want = "said"
			}
		}
		if !slices.Contains(classes, want) {
			t.Errorf("%s is %q on the page, and %s by what the rebuild writes", name, classes, want)
		}
	}
	for _, list := range []map[string][]string{p.columns, p.facts} {
		for name, classes := range list {
			if slices.Contains(classes, "rebuilt") && !written[name] {
				t.Errorf("the rebuild does not write %s", name)
			}
		}
	}
}
