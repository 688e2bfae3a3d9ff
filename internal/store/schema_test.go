package store_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/store"
)

// What tables, keys and references the text of the migrations names is what the database has.
func TestTablesAreThoseOfTheDatabase(t *testing.T) {
	t.Parallel()
	_, db := rawStore(t)
	want := slices.DeleteFunc(column(t, db, tableNames), func(name string) bool { return name == "document_words" })
	var got []string
	for _, table := range store.Tables() {
		got = append(got, table.Name)
		columns := columnsOf(t, db, table.Name)
		if has := slices.Contains(columns, "project_id"); has != table.Project {
			t.Errorf("%s has a column project_id: %v, want %v", table.Name, table.Project, has)
		}
		if has := slices.Contains(columns, "checksum"); has != table.Checksum {
			t.Errorf("%s has a checksum: %v, want %v", table.Name, table.Checksum, has)
		}
		if key := column(t, db, `SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`, table.Name); !slices.Equal(key, table.Key) {
			t.Errorf("%s has the key %v, want %v", table.Name, table.Key, key)
		}
		refers := column(t, db, `SELECT DISTINCT "table" FROM pragma_foreign_key_list(?) ORDER BY 1`, table.Name)
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
