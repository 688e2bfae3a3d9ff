package sqlite

import (
	"database/sql"
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"testing"
)

// keptBy is how many compiled statements the one connection of a pool keeps.
func keptBy(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	conn := must.Get(db.Conn(t.Context()))(t)
	defer func() { _ = conn.Close() }()
	must.Do(t, conn.Raw(func(raw any) error { n = len(raw.(*connection).kept); return nil }))
	return n
}

func TestStatementsAreKeptFromOneTransactionToTheNext(t *testing.T) {
	t.Parallel()
	f := newTestFile(t)
	mustAdd(t, prepared(t, f), 0, 1)
	run := func(query string, commit bool, args ...any) error {
		t.Helper()
		tx, err := f.write.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }()
		st, err := tx.PrepareContext(t.Context(), query) //nolint:sqlclosecheck // ends with the transaction, as the store's do
		if err != nil {
			return err
		}
		if _, err := st.ExecContext(t.Context(), args...); err != nil || !commit {
			return err
		}
		return tx.Commit()
	}
	const insert = `INSERT INTO fact (name, value, project_id, subject, at) VALUES (?, ?, 0, '', 0)`
	before := keptBy(t, f.write)
	for i := range 3 {
		must.Do(t, run(insert, true, fmt.Sprint("kept", i), "x"))
	}
	if got := keptBy(t, f.write); got != before+1 {
		t.Errorf("%d statements kept after three transactions with one text, want %d", got, before+1)
	}
	if err := run(insert, true, "kept1", "x"); err == nil {
		t.Error("a second row of one name was taken")
	}
	if got := keptBy(t, f.write); got != before {
		t.Errorf("%d statements kept after one failed, want %d", got, before)
	}
	must.Do(t, run(insert, false, "undone", "x"))
	// A statement compiled before the tables changed sees them as they are now.
	must.Do(t, run(`ALTER TABLE fact ADD COLUMN more TEXT NOT NULL DEFAULT 'm'`, true))
	must.Do(t, run(insert, true, "later", "x"))
	var rows, more int
	err := f.read.QueryRowContext(t.Context(), `SELECT COUNT(*), COUNT(more) FROM fact WHERE name LIKE 'kept%' OR name IN ('later', 'undone')`).Scan(&rows, &more)
	if err != nil || rows != 4 || more != 4 {
		t.Errorf("%d rows, %d with the new column, %v; want 4 and 4", rows, more, err)
	}
	for i := range statementsKept + 10 { // ever new texts do not fill the memory
		must.Do(t, run(fmt.Sprintf(`UPDATE fact SET value = 'y' WHERE name = 'none' AND %d = %d`, i, i), true))
	}
	if got := keptBy(t, f.write); got > statementsKept {
		t.Errorf("%d statements kept, want at most %d", got, statementsKept)
	}
}

func TestTwoUsesOfOneTextAtATimeDoNotMeet(t *testing.T) {
	t.Parallel()
	f := newTestFile(t)
	mustAdd(t, prepared(t, f), 0, 3)
	tx := must.Get(f.write.BeginTx(t.Context(), nil))(t)
	defer func() { _ = tx.Rollback() }()
	const query = `SELECT value FROM (SELECT 1 AS value UNION SELECT 2 UNION SELECT 3) ORDER BY value`
	var open []*sql.Rows
	for range 2 {
		st, err := tx.PrepareContext(t.Context(), query) //nolint:sqlclosecheck // ends with the transaction
		if err != nil {
			t.Fatal(err)
		}
		rows, err := st.QueryContext(t.Context()) //nolint:sqlclosecheck,rowserrcheck // both stay open on purpose, and end below
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, rows)
	}
	for want := 1; want <= 3; want++ {
		for i, rows := range open {
			var got int
			if !rows.Next() {
				t.Fatalf("reader %d ended at %d", i, want)
			}
			if err := rows.Scan(&got); err != nil || got != want {
				t.Errorf("reader %d: %d, %v; want %d", i, got, err, want)
			}
		}
	}
	for _, rows := range open {
		if rows.Err() != nil || rows.Close() != nil {
			t.Error("a reader did not end well")
		}
	}
}
