// Package db runs the SQL of the store on one of two databases: engines, transactions, schema migrations, prepared statements,
// conditions of queries, scanning of rows, and checksums of rows. It knows no table; only packages of the store use it.
package db

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
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
	// Far says that a statement costs a round trip. A connection then takes a []Question as the only argument of a statement: it asks them
	// together and answers from memory when they are asked again.
	Far bool
	// Answers is how long a server may take to answer before it counts as away; 0 where the database is a file. One that may write
	// waits up to Turn longer for its turn; 0 is without end.
	Answers, Turn time.Duration
	// Away recognises errors of a server that cannot be reached, has died or does not answer. nil where the database is a file.
	Away func(error) bool

	// Begun prepares a transaction of one of the three databases right after its start. One that may write waits until those before it
	// have ended: use cases read, decide and write, so what they have read must stay true until they commit. nil where the database
	// itself does all that.
	Begun func(ctx context.Context, tx *sql.Tx, on *sql.DB, readOnly bool) error
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
	// Query is a statement that reads columns of the documents an expression finds, the newest first and up to a
	// number: its parameters are the expression and those of the condition. Full text drives it, the condition follows.
	Query func(columns, condition string, most int64) string
}

// Facts describe the database of a store.
type Facts struct {
	Engine   string            `json:"engine"`
	Version  string            `json:"version"`
	Location string            `json:"location"` // a path, or a URL without its password
	Bytes    int64             `json:"bytes"`
	Used     int64             `json:"used,omitempty"` // of them by what is kept; 0 while the database does not know
	Settings map[string]string `json:"settings"`
	Owner    string            `json:"owner,omitempty"`  // of a store on a server
	Others   []string          `json:"others,omitempty"` // schemas of that server with memories of others
}

// Querier is the part of *sql.DB and *sql.Tx that reads.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Expression is what full text looks for: documents with all of All and Phrases and, if there is any, one of Any.
type Expression struct {
	All, Any []string
	Phrases  [][]string
	Scoped   bool     // look in the projects alone, although any one word will do: it may be common
	Wide     bool     // look everywhere, although all words must be there: the projects hold much of what there is
	Grouped  bool     // look in the group of the filter alone: it holds few of all texts
	Scopes   []string // projects as words; set by the store
	Group    string   // as a word; set by the store
}

// Empty reports whether it looks for nothing.
func (e Expression) Empty() bool { return len(e.All)+len(e.Any)+len(e.Phrases) == 0 }

// begin starts a transaction on a context of its own; one that may write waits for its turn.
func begin(ctx context.Context, own lifetime, e Engine, on *sql.DB, opts *sql.TxOptions) (tx *sql.Tx, err error) {
	err = own.within(e.Answers, func() (err error) {
		tx, err = on.BeginTx(own.Context, opts)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	if e.Begun == nil {
		return tx, nil
	}
	readOnly, limit := opts != nil && opts.ReadOnly, e.Answers
	if !readOnly {
		if limit += e.Turn; e.Turn == 0 {
			limit = 0
		}
	}
	if err := Within(ctx, limit, func(ctx context.Context) error { return e.Begun(ctx, tx, on, readOnly) }); err != nil {
		_ = tx.Rollback() // the reason is worth more
		return nil, fmt.Errorf("begin: %w", err)
	}
	return tx, nil
}
