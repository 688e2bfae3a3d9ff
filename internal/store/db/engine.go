// Package db runs the SQL of the store: the engine, transactions, schema migrations, prepared statements,
// conditions of queries, scanning of rows, and checksums of rows. It knows no table; only packages of the store use it.
package db

import (
	"context"
	"database/sql"
)

// Engine is a database with its peculiarities. Package sqlite builds it.
type Engine struct {
	// Write commits with the durability of observations, Durable survives a power cut, Read never writes.
	Write, Durable, Read *sql.DB
	// Version reads the schema version, 0 for an empty database.
	Version func(ctx context.Context, db Querier) (int, error)
	// SetVersion writes it inside the migration's transaction.
	SetVersion func(ctx context.Context, tx *sql.Tx, version int) error
	// Exclusive runs fn while no other process opens or migrates the same store.
	Exclusive func(ctx context.Context, fn func() error) error
	// Snapshot keeps a copy beside the store that a person can go back to, and says where it is. It removes nothing.
	Snapshot func(ctx context.Context, label string) (string, error)
	// CopyTo copies the store into a new file and proves that the copy is whole.
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

// Facts describe the database of a store.
type Facts struct {
	Engine   string            `json:"engine"`
	Version  string            `json:"version"`
	Location string            `json:"location"`
	Bytes    int64             `json:"bytes"`
	Used     int64             `json:"used,omitempty"` // of them by what is kept; 0 while the database does not know
	Settings map[string]string `json:"settings"`
}

// Querier is the part of *sql.DB and *sql.Tx that reads.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}
