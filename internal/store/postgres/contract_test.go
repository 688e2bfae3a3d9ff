package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/storetest"
)

// SQLite keeps the whole contract in every run. What an engine can do differently is in these groups, and the model runs most of the
// statements; HEBB_TESTS=full runs all.
func TestContract(t *testing.T) {
	contract(t, serverURL(t), serverURL(t), "transactions", "text", "migrations", "model")
}

// A pooler gives every transaction another connection and takes no settings for one. What transactions and concurrent writers do
// depends on that; the statements are the same.
func TestContractBehindPgBouncer(t *testing.T) {
	pooled := os.Getenv("HEBB_TEST_PGBOUNCER")
	if pooled == "" {
		t.Skip("=== NOT RUN: the PostgreSQL store behind PgBouncer, for want of one. Run: make test ===")
	}
	contract(t, serverURL(t), pooled, "transactions")
}

// contract tests the store that is reached by a URL. Tests look at its tables directly.
func contract(t *testing.T, direct, url string, only ...string) {
	if must.Full() {
		only = nil
	}
	storetest.Run(t, func(t *testing.T) storetest.Location {
		schema := newSchema(t, direct)
		db := raw(t, direct, schema)
		return storetest.Location{
			Open: func(ctx context.Context, o storetest.Options) (*store.Store, error) {
				return Open(ctx, Options{URL: url, Schema: schema, Now: o.Now, Migrations: o.Migrations})
			},
			Raw:       db,
			State:     func(t *testing.T) string { return allRows(t, db, schema) },
			Snapshots: func(t *testing.T) []string { return snapshots(t, db, schema) },
		}
	}, only...)
}

// serverURL names the server to test on; without one the test is skipped, loudly.
func serverURL(t *testing.T) string {
	t.Helper()
	url := os.Getenv("HEBB_TEST_POSTGRES")
	if url == "" {
		t.Skip("=== NOT RUN: the PostgreSQL store, for want of a server. Run: make test, or scripts/with-postgres go test ./... ===")
	}
	return url
}

var start = time.Date(2026, 11, 15, 8, 0, 0, 0, time.UTC)

func now() time.Time { return start }

var schemas atomic.Int64

// newSchema names a schema of its own for a test and drops it, with its snapshots, when the test ends.
func newSchema(t *testing.T, url string) string {
	t.Helper()
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), schemas.Add(1))
	db := raw(t, url, "public")
	t.Cleanup(func() {
		for _, schema := range append(snapshots(t, db, name), "schema "+name) {
			_, err := db.ExecContext(context.Background(), `DROP SCHEMA IF EXISTS `+quote(strings.TrimPrefix(schema, "schema "))+` CASCADE`)
			if err != nil {
				t.Error(err)
			}
		}
	})
	return name
}

// raw is a handle on the same schema without any of hebb's settings.
func raw(t *testing.T, url, schema string) *sql.DB {
	t.Helper()
	config := must.Get(pgx.ParseConfig(url))(t)
	config.RuntimeParams["search_path"] = schema
	db := stdlib.OpenDB(*config)
	db.SetMaxIdleConns(0) // hundreds of tests, one server
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// allRows is every row of every table of a schema.
func allRows(t *testing.T, db *sql.DB, schema string) (state string) {
	t.Helper()
	tables := must.Get(column(t.Context(), db, `SELECT table_name FROM information_schema.tables WHERE table_schema = $1 ORDER BY 1`, schema))(t)
	for _, table := range tables {
		rows := must.Get(column(t.Context(), db, `SELECT t::text FROM `+quote(table)+` t ORDER BY 1`))(t)
		state += table + "\n" + strings.Join(rows, "\n") + "\n"
	}
	return state
}

func snapshots(t *testing.T, db *sql.DB, schema string) []string {
	t.Helper()
	found := must.Get(column(context.Background(), db, `SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname LIKE $1 ORDER BY 1`,
		strings.ReplaceAll(schema, "_", `\_`)+`\_%`))(t)
	return found
}
