package postgres

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// briefConnector connects a process that asks a few questions and ends.
type briefConnector struct {
	driver.Connector
	server *server
}

func (c briefConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", c.server.name, err)
	}
	return &briefConn{Conn: conn.(*stdlib.Conn), server: c.server}, nil
}

// briefConn reads with few round trips, because the server may be far away. The start of a transaction goes with its first question,
// questions that are known early go together (db.Tx.Ahead), and what was asked before is not asked again: the transaction sees one state.
// It works behind a pooler: nothing is prepared, and all settings are made inside the transaction.
type briefConn struct {
	*stdlib.Conn
	server  *server
	answers map[string]answer // of this transaction; nil outside of one
	begun   bool              // the server has begun this transaction
	left    bool              // the server is still in the one before
	pooled  bool              // the server's process is not the one that was connected to
}

// answer is all rows of a question.
type answer struct {
	columns []string
	rows    [][]driver.Value
}

func (c *briefConn) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) {
	c.answers, c.begun = map[string]answer{}, false
	return c, nil
}

// Commit does not wait for the server: closing the connection ends the transaction. A pooler would close its connection to the server as well,
// so that one gets an end in due form.
func (c *briefConn) Commit() error {
	c.answers, c.left = nil, c.begun
	if !c.left || !c.pooled || c.Conn.Conn().IsClosed() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.server.answers)
	defer cancel()
	_, err := c.Conn.Conn().Exec(ctx, `rollback`)
	c.left = err != nil
	return err
}

func (c *briefConn) Rollback() error { return c.Commit() }

// ResetSession keeps a connection whose last transaction is still open: the next one ends it.
func (c *briefConn) ResetSession(context.Context) error {
	if c.Conn.Conn().IsClosed() {
		return driver.ErrBadConn
	}
	return nil
}

func (c *briefConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if c.answers == nil {
		return c.Conn.QueryContext(ctx, query, args)
	}
	q := db.Question{Query: query}
	for _, a := range args {
		q.Args = append(q.Args, a.Value)
	}
	if _, known := c.answers[key(q)]; !known {
		if err := c.ask(ctx, []db.Question{q}); err != nil {
			return nil, err
		}
	}
	return &readRows{answer: c.answers[key(q)]}, nil
}

// ExecContext takes the questions of db.Tx.Ahead. Everything else would write.
func (c *briefConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if len(args) == 1 {
		if list, ok := args[0].Value.([]db.Question); ok {
			return driver.ResultNoRows, c.ask(ctx, list)
		}
	}
	return nil, fmt.Errorf("%s: the store was opened for reading only: %w", query, memory.ErrRefused)
}

func key(q db.Question) string { return fmt.Sprintf("%s%#v", q.Query, q.Args) }

// ask asks questions in one round trip and keeps the answers.
func (c *briefConn) ask(ctx context.Context, questions []db.Question) (err error) {
	batch, begins := &pgx.Batch{}, !c.begun
	if begins && c.left {
		batch.Queue(`rollback`)
	}
	if begins {
		batch.Queue(`begin isolation level repeatable read read only`)
		batch.Queue(`SELECT set_config('search_path', $1, true), set_config('statement_timeout', $2, true), pg_backend_pid(),
			COALESCE(MAX(version), 0), COALESCE(`+ownerIn(c.server.Schema)+`, '') FROM `+quote(c.server.Schema)+`.schema_version`,
			quote(c.server.Schema), statementTime)
	}
	for _, q := range questions {
		batch.Queue(q.Query, q.Args...)
	}
	results := c.Conn.Conn().SendBatch(ctx, batch)
	defer func() {
		if closed := results.Close(); err == nil { // else it repeats the error, or says what follows from it
			err = closed
		}
	}()
	if begins {
		if err := c.begin(results); err != nil {
			return err
		}
	}
	for _, q := range questions {
		if c.answers[key(q)], err = readAnswer(results); err != nil {
			delete(c.answers, key(q))
			return err
		}
	}
	return nil
}

// statementTime is how many milliseconds the server may work on a statement. Nobody tells it that a caller gave up, and no agent waits
// longer for a hook.
const statementTime = "5000"

// begin reads how a transaction began, and refuses a store of another schema version or owner.
func (c *briefConn) begin(results pgx.BatchResults) error {
	if c.left {
		if _, err := results.Exec(); err != nil {
			return fmt.Errorf("end of the transaction before: %w", err)
		}
	}
	if _, err := results.Exec(); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	c.begun, c.left = true, false
	var path, limit, owner string
	var process, version int64
	err := results.QueryRow().Scan(&path, &limit, &process, &version, &owner)
	if state(err) == "42P01" { // undefined_table
		err = nil
	}
	c.pooled = process != int64(c.Conn.Conn().PgConn().PID())
	if known := len(c.server.Migrations); err == nil && version != int64(known) {
		err = fmt.Errorf("open store %s: store has schema %d, this hebb reads %d: %w", c.server.name, version, known, memory.ErrRefused)
	}
	if err == nil && c.server.Owner != "" {
		var owned bool
		if owned, err = c.server.checkOwner(owner); err == nil && !owned {
			err = fmt.Errorf("open store %s: it is nobody's memory yet: %w", c.server.name, memory.ErrRefused)
		}
	}
	return err
}

func readAnswer(results pgx.BatchResults) (a answer, err error) {
	rows, err := results.Query()
	if err != nil {
		return a, err
	}
	defer rows.Close()
	for _, f := range rows.FieldDescriptions() {
		a.columns = append(a.columns, f.Name)
	}
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return a, err
		}
		row := make([]driver.Value, len(values))
		for i, v := range values {
			switch v := v.(type) {
			case int32:
				row[i] = int64(v)
			case driver.Valuer: // a sum of whole numbers
				if row[i], err = v.Value(); err != nil {
					return a, err
				}
			default:
				row[i] = v
			}
		}
		a.rows = append(a.rows, row)
	}
	return a, rows.Err()
}

// readRows are the rows of an answer that are still to be read.
type readRows struct{ answer }

func (r *readRows) Columns() []string { return r.columns }

func (r *readRows) Close() error { return nil }

func (r *readRows) Next(dest []driver.Value) error {
	if len(r.rows) == 0 {
		return io.EOF
	}
	copy(dest, r.rows[0])
	r.rows = r.rows[1:]
	return nil
}
