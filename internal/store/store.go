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
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/failpoint"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
)

// Engine is a database with its peculiarities. The packages sqlite and postgres build one each.
type Engine struct {
	// Write commits with the durability of observations, Durable survives a power cut, Read never writes.
	Write, Durable, Read *sql.DB
	// Words fills the placeholders of the shared schema text.
	Words *strings.Replacer
	// Numbered says that parameters are written $1, $2 instead of ?.
	Numbered bool
	// FullText is how the database looks for words.
	FullText FullText
	// Sketches is how many bytes of them are kept from one transaction to the next; 0 keeps none.
	Sketches int64

	// TakeTurn makes a write transaction wait until those before it have ended. nil where the database does so by itself:
	// use cases read, decide and write, so what they have read must stay true until they commit.
	TakeTurn func(ctx context.Context, tx *sql.Tx) error
	// Version reads the schema version, 0 for an empty database.
	Version func(ctx context.Context, db Querier) (int, error)
	// SetVersion writes it inside the migration's transaction.
	SetVersion func(ctx context.Context, tx *sql.Tx, version int) error
	// Exclusive runs fn while no other process opens or migrates the same store.
	Exclusive func(ctx context.Context, fn func() error) error
	// Snapshot keeps a copy beside the store that a person can go back to, and says where it is. It removes nothing.
	Snapshot func(ctx context.Context, label string) (string, error)
	// CopyTo copies the store into a new file and proves that the copy is whole; nil where the store is no file.
	CopyTo func(ctx context.Context, path string) error
	// Check asks the database for damage; each finding is one line.
	Check func(ctx context.Context) ([]string, error)
	// Temporary recognises errors after which the same transaction may succeed.
	Temporary func(error) bool
	// Explain sorts the database's own errors into those of package memory and adds what a person can do about them. The
	// store calls it once for each error that leaves it.
	Explain func(error) error
	// Tidy gives freed space back after something was forgotten, so that its bytes are gone too.
	Tidy func(ctx context.Context) error
	// Facts are the engine's own version and settings, for the doctor.
	Facts func(ctx context.Context) (Facts, error)
}

// FullText is a database's own way of looking for words.
type FullText struct {
	// Expression writes what to look for.
	Expression func(Expression) string
	// Query is a statement that reads columns of the documents an expression finds, the newest first and so many at
	// most: its parameters are the expression and those of the condition. Full text drives it, the condition follows.
	Query func(columns, condition string, most int64) string
	// Numbers is a statement that reads only the numbers of the documents an expression finds, of those below a number, the
	// greatest first and so many at most. nil where that costs no less.
	Numbers func(most int64) string
}

// Facts describe the database behind a store.
type Facts struct {
	Engine   string            `json:"engine"`
	Version  string            `json:"version"`
	Location string            `json:"location"` // a path, or a URL without its password
	Bytes    int64             `json:"bytes"`
	Used     int64             `json:"used,omitempty"` // of them by what is kept; 0 while the database does not know
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
	kept   *keptSketches         // nil keeps none
	watch  func() func(RowCount) // nil in production
}

// RowCount is how many rows a transaction has read and written. Rows that the database changes by itself, in cascades and in
// the full-text index, are not counted.
type RowCount struct{ Read, Written int64 }

// Watch calls begun at the start of every write transaction, once it holds the write lock, and what begun returned at its end.
// It is for tests, and is set before the store is used.
func (s *Store) Watch(begun func() (ended func(RowCount))) { s.watch = begun }

func newStore(engine Engine, now func() time.Time) *Store {
	s := &Store{engine: engine, now: now}
	if engine.Sketches > 0 {
		s.kept = newKeptSketches(engine.Sketches)
	}
	return s
}

// Open brings the schema up to date and returns the store. now gives each transaction its one instant.
func Open(ctx context.Context, engine Engine, migrations []Migration, now func() time.Time) (*Store, error) {
	s := newStore(engine, now)
	if err := migrate(ctx, engine, migrations); err != nil {
		return nil, errors.Join(engine.Explain(err), s.Close())
	}
	return s, nil
}

// At returns the same store with its clock stopped: its transactions happen at that instant. It is closed with the original.
func (s *Store) At(instant time.Time) *Store {
	stopped := *s
	stopped.now = func() time.Time { return instant }
	return &stopped
}

// OpenToRead returns the store as it is, or refuses: it changes nothing, and waits for nobody who does.
func OpenToRead(ctx context.Context, engine Engine, migrations []Migration, now func() time.Time) (*Store, error) {
	s := newStore(engine, now)
	version, err := engine.Version(ctx, engine.Read)
	if err == nil && version != len(migrations) {
		err = fmt.Errorf("store has schema %d, this hebb reads %d: %w", version, len(migrations), memory.ErrRefused)
	}
	if err != nil {
		return nil, errors.Join(engine.Explain(err), s.Close())
	}
	return s, nil
}

// Close releases the database. Writers go last: the connection that closes last empties SQLite's log into the file.
func (s *Store) Close() error {
	return errors.Join(s.engine.Read.Close(), s.engine.Durable.Close(), s.engine.Write.Close())
}

// Facts describes the database behind the store.
func (s *Store) Facts(ctx context.Context) (Facts, error) {
	facts, err := s.engine.Facts(ctx)
	return facts, s.engine.Explain(err)
}

// Snapshot keeps a copy beside the store and says where.
func (s *Store) Snapshot(ctx context.Context, label string) (string, error) {
	where, err := s.engine.Snapshot(ctx, label)
	return where, s.engine.Explain(err)
}

// CopyTo copies the store into a new file. Where the store is no file it is refused: an export takes its place.
func (s *Store) CopyTo(ctx context.Context, path string) error {
	if s.engine.CopyTo == nil {
		return fmt.Errorf("copy to %s: this store is no file; export it instead: %w", path, memory.ErrRefused)
	}
	return s.engine.Explain(s.engine.CopyTo(ctx, path))
}

// Tidy gives freed space back to the system and makes forgotten bytes unreadable.
func (s *Store) Tidy(ctx context.Context) error { return s.engine.Explain(s.engine.Tidy(ctx)) }

// Update runs fn in one write transaction with one instant. It commits observations: consistent after any crash, though
// a power cut may take the newest with it. fn may run more than once, so it must not have effects elsewhere.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	return s.transact(ctx, s.engine.Write, fn)
}

// UpdateDurable is Update for what a person or an agent said: when it returns, a power cut loses nothing of it, nor of
// any Update before it.
func (s *Store) UpdateDurable(ctx context.Context, fn func(*Tx) error) error {
	return s.transact(ctx, s.engine.Durable, func(tx *Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return tx.seal(ctx)
	})
}

// seal changes one row. Without any change a commit does not reach the disk, nor do the observations before it: a drain
// that meets only known events would then remove the spool while the store still has them in memory alone.
func (tx *Tx) seal(ctx context.Context) error {
	_, err := tx.exec(ctx, `UPDATE totals SET flushed = 1 - flushed`)
	return wrap(err, "seal")
}

// View runs fn on one consistent state without writing. fn runs once, so it may hand on what it reads: a reader of a
// snapshot conflicts with nobody.
func (s *Store) View(ctx context.Context, fn func(*Tx) error) error {
	err := s.once(ctx, s.engine.Read, &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead}, fn)
	return s.engine.Explain(err)
}

// transactionTries is how often a transaction runs before a temporary error is told. Writers take turns, so one more
// run nearly always does.
const transactionTries = 5

func (s *Store) transact(ctx context.Context, db *sql.DB, fn func(*Tx) error) error {
	for try := 1; ; try++ {
		err := s.once(ctx, db, nil, fn)
		if err == nil || try == transactionTries || !s.engine.Temporary(err) {
			return s.engine.Explain(err)
		}
	}
}

func (s *Store) once(ctx context.Context, db *sql.DB, opts *sql.TxOptions, fn func(*Tx) error) error {
	sqlTx, err := begin(ctx, s.engine, db, opts)
	if err != nil {
		return err
	}
	defer func() { _ = sqlTx.Rollback() }() // after a commit this does nothing
	tx := &Tx{
		Now: s.now().UTC().Truncate(time.Millisecond), tx: sqlTx,
		numbered: s.engine.Numbered, fullText: s.engine.FullText, statements: map[string]runner{},
		balance: map[memory.ProjectID]plasticity.Balance{},
	}
	writes := opts == nil
	if !writes {
		tx.reading, tx.kept = true, s.kept
	}
	if writes && s.watch != nil {
		ended := s.watch()
		defer func() { ended(tx.rows) }()
	}
	if err := fn(tx); err != nil {
		return err
	}
	if writes {
		failpoint.Here("commit")
	}
	if err := sqlTx.Commit(); err != nil {
		if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
			err = ctx.Err() // the cancellation came first and has rolled back already
		}
		return fmt.Errorf("commit: %w", err)
	}
	if writes {
		failpoint.Here("committed")
	}
	return nil
}

// begin starts a transaction; one that may write waits for its turn.
func begin(ctx context.Context, e Engine, db *sql.DB, opts *sql.TxOptions) (*sql.Tx, error) {
	tx, err := db.BeginTx(ctx, opts)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	if e.TakeTurn == nil || opts != nil && opts.ReadOnly {
		return tx, nil
	}
	if err := e.TakeTurn(ctx, tx); err != nil {
		_ = tx.Rollback() // the reason is worth more
		return nil, fmt.Errorf("begin: %w", err)
	}
	return tx, nil
}

// Tx is one transaction. Everything in it happens at Now.
type Tx struct {
	Now        time.Time
	tx         *sql.Tx
	numbered   bool
	fullText   FullText
	statements map[string]runner
	balance    map[memory.ProjectID]plasticity.Balance // those read
	reading    bool                                    // it writes nothing, so what it has read stays as it is
	counts     *textCounts                             // once read, where it only reads
	kept       *keptSketches                           // nil where it may write
	rows       RowCount
}

// runner is a prepared statement, or a query text on a driver that prepares by itself.
type runner interface {
	ExecContext(ctx context.Context, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, args ...any) *sql.Row
}

// statement prepares each text once per transaction: compiling costs as much as running a small one. The statements
// end with the transaction. Texts that are none are refused here: PostgreSQL could not keep them.
func (tx *Tx) statement(ctx context.Context, query string, args []any) (runner, error) {
	for _, arg := range args {
		if s, ok := arg.(string); ok && (strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s)) {
			return nil, fmt.Errorf("text %.60q: want UTF-8 without NUL: %w", s, memory.ErrInvalid)
		}
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

// one reads a single row into dest; no row is memory.ErrNotFound.
func (tx *Tx) one(ctx context.Context, query string, args []any, dest ...any) error {
	st, err := tx.statement(ctx, query, args)
	if err != nil {
		return err
	}
	err = st.QueryRowContext(ctx, args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return memory.ErrNotFound
	}
	tx.count(query)
	return err
}

// count counts one row that a statement returned.
func (tx *Tx) count(query string) {
	if strings.HasPrefix(query, "SELECT") {
		tx.rows.Read++
	} else {
		tx.rows.Written++
	}
}

// each reads rows one by one.
func (tx *Tx) each(ctx context.Context, query string, args []any, scan func(*sql.Rows) error) (err error) {
	st, err := tx.statement(ctx, query, args)
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
		tx.count(query)
	}
	return rows.Err()
}

func (tx *Tx) exec(ctx context.Context, query string, args ...any) (int64, error) {
	st, err := tx.statement(ctx, query, args)
	if err != nil {
		return 0, err
	}
	res, err := st.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	n, err := res.RowsAffected()
	tx.rows.Written += n
	return n, err
}

// change is exec for a row that must be there: without one it is memory.ErrNotFound.
func (tx *Tx) change(ctx context.Context, query string, args ...any) error {
	n, err := tx.exec(ctx, query, args...)
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

func millis(t time.Time) int64 { return t.UnixMilli() }

func instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// wrap adds to an error what was being done; nil stays nil.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}
