package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
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
	Now    func() time.Time      // gives each transaction its one instant
	Watch  func() func(RowCount) // see Store.Watch; nil in production
	Outage *Outage
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

// once runs a transaction, unless the server was found to be away a moment ago.
func (c Client) once(ctx context.Context, on *sql.DB, opts *sql.TxOptions, fn func(*Tx) error) error {
	if err := c.Outage.err(); err != nil {
		return err
	}
	own := newLifetime(ctx)
	defer own.end(nil)
	err := silence(own, c.transaction(ctx, own, on, opts, fn))
	if err != nil && c.Away != nil && c.Away(err) && ctx.Err() == nil {
		c.Outage.began(err)
	}
	return err
}

func (c Client) transaction(ctx context.Context, own lifetime, on *sql.DB, opts *sql.TxOptions, fn func(*Tx) error) error {
	sqlTx, err := begin(ctx, own, c.Engine, on, opts)
	if err != nil {
		return err
	}
	defer func() { _ = sqlTx.Rollback() }() // after a commit this does nothing
	tx := &Tx{
		Now: c.Now().UTC().Truncate(time.Millisecond), ReadOnly: opts != nil, tx: sqlTx, numbered: c.Numbered, far: c.Far,
		patience: c.patience(ctx), statements: map[string]runner{},
	}
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
	if err := own.within(tx.patience, sqlTx.Commit); err != nil {
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
	numbered   bool
	far        bool
	patience   time.Duration // how long a statement may take; 0 is without end
	ahead      *[]Question   // not nil: questions are only noted
	statements map[string]runner
	rows       RowCount
}

// Statements are the texts this transaction has run so far, for tests.
func (tx *Tx) Statements() []string { return slices.Sorted(maps.Keys(tx.statements)) }

// Lateral reports whether a subquery in FROM may refer to what stands before it. In SQLite it may not.
func (tx *Tx) Lateral() bool { return tx.numbered }

// Question is a statement with its arguments, as the database reads it.
type Question struct {
	Query string
	Args  []any
}

// Ahead asks what a function is going to ask, in one round trip where each statement costs one; elsewhere it does nothing. The function runs
// on a transaction that finds no rows and only notes the statements, so it must have no other effect, and its errors mean nothing.
func (tx *Tx) Ahead(ctx context.Context, ask func(*Tx)) error {
	if !tx.far {
		return nil
	}
	var list []Question
	ask(&Tx{Now: tx.Now, ReadOnly: true, numbered: tx.numbered, ahead: &list})
	if len(list) == 0 {
		return nil
	}
	err := Within(ctx, tx.patience, func(ctx context.Context) error {
		_, err := tx.tx.ExecContext(ctx, "ask ahead", list)
		return err
	})
	return Wrap(err, "ask ahead")
}

// runner is a prepared statement, or a query text on a driver that prepares statements itself.
type runner interface {
	ExecContext(ctx context.Context, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, args ...any) *sql.Row
}

// statement prepares each text once per transaction: compiling costs as much as running a small one. The statements
// end with the transaction. Texts that are none are refused here: PostgreSQL could not keep them. Where questions are only noted there is none.
func (tx *Tx) statement(ctx context.Context, query string, args []any) (runner, error) {
	for _, arg := range args {
		if s, ok := arg.(string); ok && (strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s)) {
			return nil, fmt.Errorf("text %.60q: want UTF-8 without NUL: %w", s, memory.ErrInvalid)
		}
	}
	if tx.ahead != nil {
		*tx.ahead = append(*tx.ahead, Question{number(query), args})
		return nil, nil
	}
	if st, ok := tx.statements[query]; ok {
		return st, nil
	}
	var st runner
	if tx.numbered {
		st = text{tx.tx, number(query)}
	} else {
		prepared, err := tx.tx.PrepareContext(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("prepare %q: %w", query, err)
		}
		st = prepared
	}
	tx.statements[query] = st
	return st, nil
}

// text is a statement for a driver that keeps prepared statements itself (pgx).
type text struct {
	tx    *sql.Tx
	query string
}

func (t text) ExecContext(ctx context.Context, args ...any) (sql.Result, error) {
	return t.tx.ExecContext(ctx, t.query, args...)
}

func (t text) QueryContext(ctx context.Context, args ...any) (*sql.Rows, error) {
	return t.tx.QueryContext(ctx, t.query, args...)
}

func (t text) QueryRowContext(ctx context.Context, args ...any) *sql.Row {
	return t.tx.QueryRowContext(ctx, t.query, args...)
}

// One reads a single row into dest; no row is memory.ErrNotFound.
func (tx *Tx) One(ctx context.Context, query string, args []any, dest ...any) error {
	st, err := tx.statement(ctx, query, args)
	if err == nil && st == nil {
		err = memory.ErrNotFound
	}
	if err != nil {
		return err
	}
	err = Within(ctx, tx.patience, func(ctx context.Context) error { return st.QueryRowContext(ctx, args...).Scan(dest...) })
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
	st, err := tx.statement(ctx, query, args)
	if err != nil || st == nil {
		return err
	}
	return Within(ctx, tx.patience, func(ctx context.Context) (err error) {
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
	})
}

func (tx *Tx) Exec(ctx context.Context, query string, args ...any) (n int64, err error) {
	st, err := tx.statement(ctx, query, args)
	if err != nil || st == nil {
		return 0, err
	}
	err = Within(ctx, tx.patience, func(ctx context.Context) error {
		res, err := st.ExecContext(ctx, args...)
		if err == nil {
			n, err = res.RowsAffected()
		}
		return err
	})
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

// number rewrites ? to $1, $2 …. Shared statements hold no question mark inside a literal.
func number(query string) string {
	var b strings.Builder
	n := 0
	for _, r := range query {
		if r != '?' {
			b.WriteRune(r)
			continue
		}
		n++
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
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
