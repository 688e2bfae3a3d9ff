// Package postgres opens the store on a PostgreSQL server: one schema per team. SQL lives in package store; here is
// only what is PostgreSQL's own.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// DefaultSchema is where a store lives when nobody names a team.
const DefaultSchema = "hebb"

// Options say which server and schema to open.
type Options struct {
	URL        string // postgres://user:password@host/database
	Schema     string // one per team; DefaultSchema when empty
	Now        func() time.Time
	Migrations []store.Migration // nil means all of them
}

type server struct {
	Options
	write, read *sql.DB
}

// Open opens or creates the store in its schema.
func Open(ctx context.Context, o Options) (*store.Store, error) {
	if o.Schema == "" {
		o.Schema = DefaultSchema
	}
	if o.Migrations == nil {
		o.Migrations = store.Migrations()
	}
	if err := CheckSchema(o.Schema); err != nil {
		return nil, err
	}
	config, err := pgx.ParseConfig(o.URL)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w: %w", Redacted(o.URL), memory.ErrInvalid, withoutPassword(err, o.URL))
	}
	s := &server{Options: o}
	s.write = pool(config, o.Schema, map[string]string{"synchronous_commit": "off"})
	s.read = pool(config, o.Schema, map[string]string{"default_transaction_read_only": "on"})
	durable := pool(config, o.Schema, map[string]string{"synchronous_commit": "on"})
	if _, err := durable.ExecContext(ctx, `CREATE SCHEMA IF NOT EXISTS `+quote(o.Schema)); err != nil && !duplicate(err) {
		return nil, errors.Join(fmt.Errorf("open store %s: %w", Redacted(o.URL), err), durable.Close(), s.write.Close(), s.read.Close())
	}
	st, err := store.Open(ctx, store.Engine{
		Name: "postgres", Write: s.write, Durable: durable, Read: s.read, Numbered: true,
		Words: strings.NewReplacer("{int}", "BIGINT", "{real}", "DOUBLE PRECISION",
			"{serial}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "{strict}", ""),
		Version: s.version, SetVersion: setVersion, Exclusive: s.exclusive, Snapshot: s.snapshot,
		Check: s.check, Temporary: temporary, Tidy: s.tidy, Facts: s.facts,
	}, o.Migrations, o.Now)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", Redacted(o.URL), err)
	}
	return st, nil
}

func pool(config *pgx.ConnConfig, schema string, settings map[string]string) *sql.DB {
	c := config.Copy()
	c.RuntimeParams["search_path"] = quote(schema)
	c.RuntimeParams["application_name"] = "hebb"
	for name, value := range settings {
		c.RuntimeParams[name] = value
	}
	return stdlib.OpenDB(*c)
}

const schemaLetters = "abcdefghijklmnopqrstuvwxyz_0123456789"

// CheckSchema accepts plain lower-case names, so that a team's name can never be more than a name.
func CheckSchema(name string) error {
	plain := name != "" && len(name) <= 41 && strings.Trim(name, schemaLetters) == "" && (name[0] < '0' || name[0] > '9')
	if !plain || strings.HasPrefix(name, "pg_") {
		return fmt.Errorf("schema %q: use lower-case letters, digits and _, not starting with a digit or pg_, at most 41: %w",
			name, memory.ErrInvalid)
	}
	return nil
}

func quote(identifier string) string { return pgx.Identifier{identifier}.Sanitize() }

// Redacted is the URL without its password, for people and logs.
func Redacted(dsn string) string {
	u, err := url.Parse(dsn)
	if err != nil {
		return "postgres://…"
	}
	return u.Redacted()
}

// withoutPassword keeps the password out of an error that quotes the URL.
func withoutPassword(err error, dsn string) error {
	if u, perr := url.Parse(dsn); perr == nil && u.User != nil {
		if password, ok := u.User.Password(); ok && password != "" {
			return errors.New(strings.ReplaceAll(err.Error(), password, "xxxxx"))
		}
	}
	return err
}

func (s *server) version(ctx context.Context, db store.Querier) (v int, err error) {
	var exists bool
	err = db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM information_schema.tables
		WHERE table_schema = $1 AND table_name = 'schema_version')`, s.Schema).Scan(&exists)
	if err != nil || !exists {
		return 0, err
	}
	err = db.QueryRowContext(ctx, `SELECT COALESCE(MAX(version), 0) FROM schema_version`).Scan(&v)
	return v, err
}

func setVersion(ctx context.Context, tx *sql.Tx, v int) error {
	if _, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL PRIMARY KEY)`); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO schema_version (version) VALUES ($1)`, v)
	return err
}

// exclusive holds a lock of the server for this schema: one process migrates, the others wait.
func (s *server) exclusive(ctx context.Context, fn func() error) (err error) {
	conn, err := s.write.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock(hashtext($1))`, "hebb/"+s.Schema); err != nil {
		return fmt.Errorf("init lock: %w", err)
	}
	defer func() {
		_, uerr := conn.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock(hashtext($1))`, "hebb/"+s.Schema)
		err = errors.Join(err, uerr)
	}()
	return fn()
}

// snapshot copies every table into a schema of its own beside the store.
func (s *server) snapshot(ctx context.Context, label string) (to string, err error) {
	to = strings.ReplaceAll(fmt.Sprintf("%s_%s_%s", s.Schema, label, s.Now().UTC().Format("20060102_150405")), "-", "_")
	tx, err := s.write.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return "", err
	}
	defer func() { _ = tx.Rollback() }()
	tables, err := column(ctx, tx, `SELECT table_name FROM information_schema.tables WHERE table_schema = $1 ORDER BY 1`, s.Schema)
	if err != nil {
		return "", err
	}
	if _, err := tx.ExecContext(ctx, `CREATE SCHEMA `+quote(to)); err != nil {
		return "", err
	}
	for _, t := range tables {
		if _, err := tx.ExecContext(ctx, `CREATE TABLE `+quote(to)+`.`+quote(t)+` AS TABLE `+quote(t)); err != nil {
			return "", err
		}
	}
	return "schema " + to, tx.Commit()
}

// check looks for rows whose parents are missing; the server checks pages itself.
func (s *server) check(ctx context.Context) ([]string, error) {
	return column(ctx, s.read, `
		SELECT 'index ' || indexrelid::regclass::text || ' is not valid' FROM pg_index
		JOIN pg_class ON pg_class.oid = indrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
		WHERE nspname = $1 AND NOT indisvalid`, s.Schema)
}

func column(ctx context.Context, db store.Querier, query string, args ...any) (values []string, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, rows.Err()
}

// tidy lets the server reclaim what was forgotten.
func (s *server) tidy(ctx context.Context) error {
	for _, table := range []string{"access", "event", "neuron", "session", "project"} {
		if _, err := s.write.ExecContext(ctx, `VACUUM `+quote(table)); err != nil {
			return fmt.Errorf("vacuum %s: %w", table, err)
		}
	}
	return nil
}

func (s *server) facts(ctx context.Context) (store.Facts, error) {
	f := store.Facts{Engine: "postgres", Location: Redacted(s.URL) + " schema " + s.Schema, Settings: map[string]string{}}
	for _, name := range []string{"server_version", "fsync", "full_page_writes", "synchronous_commit", "server_encoding"} {
		var value string
		if err := s.write.QueryRowContext(ctx, `SELECT current_setting($1)`, name).Scan(&value); err != nil {
			return f, fmt.Errorf("setting %s: %w", name, err)
		}
		f.Settings[name] = value
	}
	f.Version = f.Settings["server_version"]
	err := s.read.QueryRowContext(ctx, `SELECT COALESCE(SUM(pg_total_relation_size(pg_class.oid)), 0)::bigint FROM pg_class
		JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relkind = 'r'`, s.Schema).Scan(&f.Bytes)
	return f, err
}

// temporary recognises serialisation failures and deadlocks.
func temporary(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe) && (pe.Code == "40001" || pe.Code == "40P01")
}

// duplicate recognises that another process created the schema in the same moment.
func duplicate(err error) bool {
	var pe *pgconn.PgError
	return errors.As(err, &pe) && (pe.Code == "23505" || pe.Code == "42P06")
}
