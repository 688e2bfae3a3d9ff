// Package store keeps what hebb knows in a database: one SQL text, two engines (SQLite in a file, PostgreSQL by URL).
// It executes typed commands inside transactions and decides nothing: formulas live in the packages of the logic row,
// use cases in brain. Times are unix milliseconds, IDs are hebb's own, and no statement reads a clock.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Engine is a database with its peculiarities. The packages sqlite and postgres build one each.
type Engine struct {
	Name string
	// Write commits with the durability of observations, Durable survives a power cut, Read never writes.
	Write, Durable, Read *sql.DB
	// Words fills the placeholders of the shared schema text.
	Words *strings.Replacer
	// Numbered says that parameters are written $1, $2 instead of ?.
	Numbered bool

	// Version reads the schema version, 0 for an empty database.
	Version func(ctx context.Context, db Querier) (int, error)
	// SetVersion writes it inside the migration's transaction.
	SetVersion func(ctx context.Context, tx *sql.Tx, version int) error
	// Exclusive runs fn while no other process opens or migrates the same store.
	Exclusive func(ctx context.Context, fn func() error) error
	// Snapshot keeps a copy that a person can go back to, and says where it is.
	Snapshot func(ctx context.Context, label string) (string, error)
	// Check asks the database for damage; each finding is one line.
	Check func(ctx context.Context) ([]string, error)
	// Temporary recognises errors after which the same transaction may succeed.
	Temporary func(error) bool
	// Tidy gives freed space back after something was forgotten, so that its bytes are gone too.
	Tidy func(ctx context.Context) error
	// Facts are the engine's own version and settings, for the doctor.
	Facts func(ctx context.Context) (Facts, error)
}

// Facts describe the database behind a store.
type Facts struct {
	Engine   string            `json:"engine"`
	Version  string            `json:"version"`
	Location string            `json:"location"` // a path, or a URL without its password
	Bytes    int64             `json:"bytes"`
	Settings map[string]string `json:"settings"`
}

// Querier is the part of *sql.DB and *sql.Tx that reads.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Store is an open database.
type Store struct {
	engine Engine
	now    func() time.Time
}

// Open brings the schema up to date and returns the store. now gives each transaction its one instant.
func Open(ctx context.Context, engine Engine, migrations []Migration, now func() time.Time) (*Store, error) {
	s := &Store{engine: engine, now: now}
	if err := migrate(ctx, engine, migrations); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close releases the database.
func (s *Store) Close() error {
	return errors.Join(s.engine.Read.Close(), s.engine.Durable.Close(), s.engine.Write.Close())
}

// Facts describes the database behind the store.
func (s *Store) Facts(ctx context.Context) (Facts, error) { return s.engine.Facts(ctx) }

// Snapshot keeps a copy of the store and says where.
func (s *Store) Snapshot(ctx context.Context, label string) (string, error) {
	return s.engine.Snapshot(ctx, label)
}

// Tidy gives freed space back to the system and makes forgotten bytes unreadable.
func (s *Store) Tidy(ctx context.Context) error { return s.engine.Tidy(ctx) }

// Update runs fn in one write transaction with one instant. It commits observations: consistent after any crash, though
// a power cut may take the newest with it. fn may run more than once, so it must not have effects elsewhere.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	return s.transact(ctx, s.engine.Write, nil, fn)
}

// UpdateDurable is Update for what a person or an agent said: when it returns, a power cut loses nothing of it, nor of
// any Update before it.
func (s *Store) UpdateDurable(ctx context.Context, fn func(*Tx) error) error {
	return s.transact(ctx, s.engine.Durable, nil, fn)
}

// View runs fn on one consistent state without writing.
func (s *Store) View(ctx context.Context, fn func(*Tx) error) error {
	return s.transact(ctx, s.engine.Read, &sql.TxOptions{ReadOnly: true}, fn)
}

const transactionTries = 5

func (s *Store) transact(ctx context.Context, db *sql.DB, opts *sql.TxOptions, fn func(*Tx) error) error {
	for try := 1; ; try++ {
		err := s.once(ctx, db, opts, fn)
		if err == nil || try == transactionTries || !s.engine.Temporary(err) {
			return err
		}
	}
}

func (s *Store) once(ctx context.Context, db *sql.DB, opts *sql.TxOptions, fn func(*Tx) error) error {
	sqlTx, err := db.BeginTx(ctx, opts)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = sqlTx.Rollback() }() // after a commit this does nothing
	tx := &Tx{
		Now: s.now().UTC().Truncate(time.Millisecond), tx: sqlTx,
		numbered: s.engine.Numbered, statements: map[string]runner{},
	}
	if err := fn(tx); err != nil {
		return err
	}
	if err := sqlTx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Tx is one transaction. Everything in it happens at Now.
type Tx struct {
	Now        time.Time
	tx         *sql.Tx
	numbered   bool
	statements map[string]runner
}

// runner is a prepared statement, or a query text on a driver that prepares by itself.
type runner interface {
	ExecContext(ctx context.Context, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, args ...any) *sql.Row
}

// statement prepares each text once per transaction: compiling costs as much as running a small one. The statements
// end with the transaction.
func (tx *Tx) statement(ctx context.Context, query string) (runner, error) {
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

// one reads a single row into dest; no row is memory.ErrNotFound.
func (tx *Tx) one(ctx context.Context, query string, args []any, dest ...any) error {
	st, err := tx.statement(ctx, query)
	if err != nil {
		return err
	}
	err = st.QueryRowContext(ctx, args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return memory.ErrNotFound
	}
	return err
}

// each reads rows one by one.
func (tx *Tx) each(ctx context.Context, query string, args []any, scan func(*sql.Rows) error) (err error) {
	st, err := tx.statement(ctx, query)
	if err != nil {
		return err
	}
	rows, err := st.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (tx *Tx) exec(ctx context.Context, query string, args ...any) (int64, error) {
	st, err := tx.statement(ctx, query)
	if err != nil {
		return 0, err
	}
	res, err := st.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
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

func millis(t time.Time) int64 { return t.UnixMilli() }

func instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
