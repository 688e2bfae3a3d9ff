package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"

	"modernc.org/sqlite"
)

// keeper opens connections that keep their compiled statements from one transaction to the next: compiling one costs as
// much as running a small one, and a sleep or a search is made of small ones.
type keeper struct {
	driver.Connector
	writes bool
}

func (k keeper) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{engineConn: opened.(engineConn), writes: k.writes, kept: map[string]engineStatement{}}, nil
}

// engineConn is all that is used of a connection of the driver, so that nothing is hidden by wrapping it.
type engineConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	NewRestore(from string) (*sqlite.Backup, error)
}

// connection is used by one goroutine at a time, as database/sql promises.
type connection struct {
	engineConn
	writes bool
	kept   map[string]engineStatement // compiled, and not in use
}

// within is the context of one statement. The driver starts a goroutine for each that can be cancelled. Those of a write transaction are short
// and many, so they run to their end: database/sql looks before each one whether it may still begin. A search that is late is interrupted.
func (c *connection) within(ctx context.Context) context.Context {
	if c.writes {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// statementsKept is more than any command has; a text with ever new lengths of lists must not fill the memory.
const statementsKept = 256

func (c *connection) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if st, ok := c.kept[query]; ok {
		delete(c.kept, query) // a second use at the same time needs a statement of its own
		return &statement{engineStatement: st, query: query, home: c}, nil
	}
	st, err := c.engineConn.PrepareContext(ctx, compiledOnce(query))
	if err != nil {
		return nil, err
	}
	return &statement{engineStatement: st.(engineStatement), query: query, home: c}, nil
}

// compiledOnce keeps SQLite from planning by the value of a limit: it would compile the statement a second time when that is bound.
func compiledOnce(query string) string { return strings.ReplaceAll(query, "LIMIT ?", "LIMIT ? + 0") }

func (c *connection) Close() error {
	var failed error
	for _, st := range c.kept {
		failed = errors.Join(failed, st.Close())
	}
	clear(c.kept)
	return errors.Join(failed, c.engineConn.Close())
}

type engineStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

type statement struct {
	engineStatement
	query  string
	home   *connection
	failed bool // what went wrong once is recompiled
}

func (s *statement) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	result, err := s.engineStatement.ExecContext(s.home.within(ctx), args)
	s.failed = s.failed || err != nil
	return result, err
}

func (s *statement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := s.engineStatement.QueryContext(s.home.within(ctx), args)
	s.failed = s.failed || err != nil
	return rows, err
}

// Close keeps the statement for the next call with the same text.
func (s *statement) Close() error {
	if _, twice := s.home.kept[s.query]; s.failed || twice || len(s.home.kept) >= statementsKept {
		return s.engineStatement.Close()
	}
	s.home.kept[s.query] = s.engineStatement
	return nil
}
