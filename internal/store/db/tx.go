package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/failpoint"
	"github.com/hebb-memory/hebb/internal/memory"
)

// RowCount is how many rows a transaction has read and written. Rows changed by cascades and in
// the full-text index are not counted.
type RowCount struct{ Read, Written int64 }

// Client runs transactions on a database.
type Client struct {
	Engine
	Now   func() time.Time      // gives each transaction its one instant
	Watch func() func(RowCount) // see Store.Watch; nil in production
}

// Tries is how often a transaction runs before a temporary error is returned. Writers take turns, so one more run nearly always
// succeeds.
const Tries = 5

// Update runs fn in a write transaction, again after a temporary error.
func (c Client) Update(ctx context.Context, on *sql.DB, fn func(*Tx) error) error {
	for try := 1; ; try++ {
		err := c.once(ctx, on, nil, fn)
		if err == nil || try == Tries || !c.Temporary(err) {
			return c.Explain(err)
		}
	}
}

// View runs fn once on one consistent state without writing.
func (c Client) View(ctx context.Context, fn func(*Tx) error) error {
	return c.Explain(c.once(ctx, c.Read, &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead}, fn))
}

func (c Client) once(ctx context.Context, on *sql.DB, opts *sql.TxOptions, fn func(*Tx) error) error {
	sqlTx, err := on.BeginTx(ctx, opts)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = sqlTx.Rollback() }() // after a commit this does nothing
	tx := &Tx{Now: c.Now().UTC().Truncate(time.Millisecond), ReadOnly: opts != nil, tx: sqlTx, statements: map[string]*sql.Stmt{}}
	if !tx.ReadOnly && c.Watch != nil {
		ended := c.Watch()
		defer func() { ended(tx.rows) }()
	}
	if err := fn(tx); err != nil {
		return err
	}
	if !tx.ReadOnly {
		failpoint.Here("commit")
	}
	if err := sqlTx.Commit(); err != nil {
		if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
			err = ctx.Err() // the cancellation came first and has rolled back already
		}
		return fmt.Errorf("commit: %w", err)
	}
	if !tx.ReadOnly {
		failpoint.Here("committed")
	}
	return nil
}

// Tx is a transaction that runs SQL. Everything in it happens at Now.
type Tx struct {
	Now        time.Time
	ReadOnly   bool // what it has read stays as it is
	tx         *sql.Tx
	statements map[string]*sql.Stmt
	rows       RowCount
}

// Statements are the texts this transaction has run so far, for tests.
func (tx *Tx) Statements() []string { return slices.Sorted(maps.Keys(tx.statements)) }

// statement prepares each text once per transaction: compiling costs as much as running a small one. The statements
// end with the transaction. Texts that are none are refused here.
func (tx *Tx) statement(ctx context.Context, query string, args []any) (*sql.Stmt, error) {
	for _, arg := range args {
		if s, ok := arg.(string); ok && (strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s)) {
			return nil, fmt.Errorf("text %.60q: want UTF-8 without NUL: %w", s, memory.ErrInvalid)
		}
	}
	if st, ok := tx.statements[query]; ok {
		return st, nil
	}
	st, err := tx.tx.PrepareContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("prepare %q: %w", query, err)
	}
	tx.statements[query] = st
	return st, nil
}

// One reads a single row into dest; no row is memory.ErrNotFound.
func (tx *Tx) One(ctx context.Context, query string, args []any, dest ...any) error {
	st, err := tx.statement(ctx, query, args) //nolint:sqlclosecheck // it ends with the transaction
	if err != nil {
		return err
	}
	err = st.QueryRowContext(ctx, args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return memory.ErrNotFound
	}
	tx.count(query)
	return explain(query, err)
}

// explain adds to an error what the statement does and to which table.
func explain(query string, err error) error {
	if err == nil {
		return nil
	}
	words := strings.Fields(query)
	for i, w := range words[:len(words)-1] {
		if w == "FROM" || w == "INTO" || w == "UPDATE" {
			return fmt.Errorf("%s %s: %w", words[0], words[i+1], err)
		}
	}
	return fmt.Errorf("%s: %w", words[0], err)
}

// count counts one row that a statement returned.
func (tx *Tx) count(query string) {
	if strings.HasPrefix(query, "SELECT") {
		tx.rows.Read++
	} else {
		tx.rows.Written++
	}
}

// Each reads rows one by one.
func (tx *Tx) Each(ctx context.Context, query string, args []any, scan func(*sql.Rows) error) (err error) {
	st, err := tx.statement(ctx, query, args) //nolint:sqlclosecheck // it ends with the transaction
	if err != nil {
		return err
	}
	rows, err := st.QueryContext(ctx, args...)
	if err != nil {
		return explain(query, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
		tx.count(query)
	}
	return explain(query, rows.Err())
}

func (tx *Tx) Exec(ctx context.Context, query string, args ...any) (n int64, err error) {
	st, err := tx.statement(ctx, query, args) //nolint:sqlclosecheck // it ends with the transaction
	if err != nil {
		return 0, err
	}
	res, err := st.ExecContext(ctx, args...)
	if err == nil {
		n, err = res.RowsAffected()
	}
	tx.rows.Written += n
	return n, explain(query, err)
}

// Run is Exec without the number of rows.
func (tx *Tx) Run(ctx context.Context, query string, args ...any) error {
	_, err := tx.Exec(ctx, query, args...)
	return err
}

// Change is exec for a row that must be there: without one it is memory.ErrNotFound.
func (tx *Tx) Change(ctx context.Context, query string, args ...any) error {
	n, err := tx.Exec(ctx, query, args...)
	if err == nil && n == 0 {
		err = memory.ErrNotFound
	}
	return err
}

func Millis(t time.Time) int64 { return t.UnixMilli() }

func FromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func Flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// Wrap adds to an error what was being done; nil stays nil.
func Wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

func (tx *Tx) Ids(ctx context.Context, query string, args []any) (ids []int64, err error) {
	err = tx.Each(ctx, query, args, Collect(&ids, Column))
	return ids, err
}
