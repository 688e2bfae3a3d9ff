package store_test

import (
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// What tables, keys and references the text of the migrations names is what the database has.
func TestTablesAreThoseOfTheDatabase(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hebb.db")
	s := must.Get(sqlite.Open(t.Context(), sqlite.Options{Path: path, Tuning: tuning.Default().Store, Now: time.Now}))(t)
	defer func() { _ = s.Close() }()
	db := must.Get(sql.Open("sqlite", path))(t)
	defer func() { _ = db.Close() }()
	column := func(query string, args ...any) (values []string) {
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
	want := column(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'document_words%' ORDER BY name`)
	var got []string
	for _, table := range store.Tables() {
		got = append(got, table.Name)
		columns := column(`SELECT name FROM pragma_table_info(?)`, table.Name)
		if has := slices.Contains(columns, "project_id"); has != table.Project {
			t.Errorf("%s has a column project_id: %v, want %v", table.Name, table.Project, has)
		}
		if has := slices.Contains(columns, "checksum"); has != table.Checksum {
			t.Errorf("%s has a checksum: %v, want %v", table.Name, table.Checksum, has)
		}
		if key := column(`SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`, table.Name); !slices.Equal(key, table.Key) {
			t.Errorf("%s has the key %v, want %v", table.Name, table.Key, key)
		}
		refers := column(`SELECT DISTINCT "table" FROM pragma_foreign_key_list(?) ORDER BY 1`, table.Name)
		if known := slices.Compact(slices.Sorted(slices.Values(table.Refers))); !slices.Equal(known, refers) {
			t.Errorf("%s refers to %v, want %v", table.Name, known, refers)
		}
		for _, other := range table.Refers {
			if slices.Contains(got, other) && other != table.Name {
				t.Errorf("%s comes before %s, which refers to it", other, table.Name)
			}
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("tables %s\nwant %s", strings.Join(got, " "), strings.Join(want, " "))
	}
}
