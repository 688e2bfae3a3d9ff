package store

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store/db"
)

var (
	errTemporary = errors.New("temporary")
	errFinal     = errors.New("final")
)

// bare is a store on an empty database in memory: enough to watch how transactions run.
func bare(t *testing.T) *Store {
	t.Helper()
	memory := must.Get(sql.Open("sqlite", ":memory:"))(t)
	memory.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = memory.Close() })
	must.Get(memory.ExecContext(t.Context(), `CREATE TABLE totals (flushed INTEGER); CREATE TABLE fact
		(name TEXT, project_id INTEGER, subject TEXT, at INTEGER, value TEXT, checksum INTEGER, PRIMARY KEY (name, project_id, subject))`))(t)
	return &Store{client: db.Client{Now: time.Now, Engine: Engine{
		Write: memory, Durable: memory, Read: memory,
		Temporary: func(err error) bool { return errors.Is(err, errTemporary) },
		Explain: func(err error) error {
			if err != nil {
				err = fmt.Errorf("%w (explained)", err)
			}
			return err
		},
	}}}
}

func TestATransactionRunsAgainAfterATemporaryErrorOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		answer func(run int) error
		runs   int
		want   error
	}{
		{"no error", func(int) error { return nil }, 1, nil},
		{"a final error", func(int) error { return errFinal }, 1, errFinal},
		{"two temporary errors", func(run int) error {
			if run <= 2 {
				return fmt.Errorf("commit: %w", errTemporary)
			}
			return nil
		}, 3, nil},
		{"temporary errors without end", func(int) error { return errTemporary }, db.Tries, errTemporary},
		{"a temporary, then a final error", func(run int) error { return []error{errTemporary, errFinal}[run-1] }, 2, errFinal},
	} {
		s := bare(t)
		runs := 0
		err := s.Update(t.Context(), func(tx *Tx) error {
			runs++
			if err := NewFact[string](fmt.Sprint("run ", runs)).Set(t.Context(), tx, "x"); err != nil {
				return err
			}
			return c.answer(runs)
		})
		if runs != c.runs || !errors.Is(err, c.want) || c.want == nil && err != nil {
			t.Errorf("%s: %d runs and %v, want %d and %v", c.name, runs, err, c.runs, c.want)
		}
		if err != nil && strings.Count(err.Error(), "(explained)") != 1 {
			t.Errorf("%s: explained other than once: %v", c.name, err)
		}
		var kept int
		must.Do(t, s.client.Read.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM fact`).Scan(&kept))
		if want := map[bool]int{true: 1, false: 0}[c.want == nil]; kept != want {
			t.Errorf("%s: %d rows are left, want those of the run that succeeded: %d", c.name, kept, want)
		}
	}
}

func TestAViewRunsOnce(t *testing.T) {
	t.Parallel()
	runs := 0
	err := bare(t).View(t.Context(), func(*Tx) error { runs++; return errTemporary })
	if runs != 1 || !errors.Is(err, errTemporary) || strings.Count(err.Error(), "(explained)") != 1 {
		t.Errorf("%d runs and %v: what a view has handed on cannot be taken back", runs, err)
	}
}

func TestMigrationsAreNumberedFromOne(t *testing.T) {
	t.Parallel()
	for i, step := range Migrations() {
		if step.Version != i+1 || step.Name == "" || step.SQL == "" {
			t.Errorf("step %d is %d %q", i+1, step.Version, step.Name)
		}
	}
}
