// Package postgres reads the memory that earlier versions of hebb kept on a PostgreSQL server. Nothing on the server is changed.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
)

// Source names a memory on a server.
type Source struct {
	URL    string // postgres://user:password@host/database
	Schema string // empty: the owner's, or the only one
	Owner  string // whose memory it is; empty if that is not known
}

const (
	connectTime = 10 * time.Second // where the URL sets no connect_timeout
	oldest      = 8                // the first schema whose small documents are facts
)

// Copy writes the memory into a new store at to.Path.
func Copy(ctx context.Context, from Source, to sqlite.Options) error {
	config, err := pgx.ParseConfig(from.URL)
	if err != nil { // the cause would quote parts of the URL, and a password may be among them
		return fmt.Errorf("the URL of the server cannot be read, want postgres://user:password@host:port/database: %w", memory.ErrInvalid)
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTime
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeExec // a pooler keeps no statements
	config.RuntimeParams = nil                          // nor does it take settings
	server, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("connect to %s: is the server running, and are database and role right? %w", config.Host, err)
	}
	defer func() { _ = server.Close(context.WithoutCancel(ctx)) }() // nothing was written
	tx, err := server.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	schema, err := from.find(ctx, tx)
	if err != nil {
		return err
	}
	if err := copySchema(ctx, tx, schema, to); err != nil {
		return fmt.Errorf("read schema %s: %w", schema, err)
	}
	return nil
}

// find returns the schema to read.
func (s Source) find(ctx context.Context, tx pgx.Tx) (string, error) {
	schemas, err := texts(ctx, tx, `SELECT nspname FROM pg_namespace JOIN pg_class ON relnamespace = pg_namespace.oid
		WHERE relname = 'schema_version' AND nspname NOT LIKE '%\_before\_schema\_%' AND ($1 = '' OR nspname = $1) ORDER BY 1`, s.Schema)
	if err != nil {
		return "", err
	}
	var list, own []string
	for _, schema := range schemas {
		owner, err := texts(ctx, tx, `SELECT value FROM `+quote(schema)+`.fact WHERE name = 'owner'`)
		if err != nil {
			return "", fmt.Errorf("schema %s: %w", schema, err)
		}
		if slices.Contains(owner, `"`+s.Owner+`"`) {
			own = append(own, schema)
		}
		list = append(list, fmt.Sprintf("%s (owner %s)", schema, strings.Trim(strings.Join(owner, ""), `"`)))
	}
	switch {
	case len(own) == 1:
		return own[0], nil
	case len(schemas) == 1:
		return schemas[0], nil
	case len(schemas) == 0 && s.Schema != "":
		return "", fmt.Errorf("no memory in schema %s of this database: %w", s.Schema, memory.ErrNotFound)
	case len(schemas) == 0:
		return "", fmt.Errorf("no memory in this database: %w", memory.ErrNotFound)
	}
	return "", fmt.Errorf("several memories in this database, name one with --schema: %s: %w", strings.Join(list, ", "), memory.ErrConflict)
}

// copySchema fills a new store of the same schema version, table by table.
func copySchema(ctx context.Context, tx pgx.Tx, schema string, to sqlite.Options) (err error) {
	var version int
	if err := tx.QueryRow(ctx, `SELECT MAX(version) FROM `+quote(schema)+`.schema_version`).Scan(&version); err != nil {
		return err
	}
	steps := store.Migrations()
	if err := db.CheckSchema(version, steps); err != nil {
		return err
	}
	if version < oldest {
		return fmt.Errorf("the store has version %d: open it once with the version of hebb that last used a server: %w", version, memory.ErrRefused)
	}
	to.Migrations = steps[:version]
	empty, err := sqlite.Open(ctx, to)
	if err != nil {
		return err
	}
	if err := empty.Close(); err != nil {
		return err
	}
	file, err := sql.Open("sqlite", to.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	write, err := file.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = write.Rollback() }() // after a commit this does nothing
	tables, err := names(ctx, write, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
		AND name NOT LIKE 'document\_words%' ESCAPE '\'`)
	if err != nil {
		return err
	}
	for _, table := range tables {
		if err := copyTable(ctx, tx, schema, write, table); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
	}
	return write.Commit()
}

func copyTable(ctx context.Context, from pgx.Tx, schema string, to *sql.Tx, table string) (err error) {
	columns, err := names(ctx, to, `SELECT name FROM pragma_table_info(?)`, table)
	if err != nil {
		return err
	}
	for i, c := range columns {
		columns[i] = quote(c)
	}
	list, order := strings.Join(columns, `, `), ``
	if table == "fact" {
		order = ` ORDER BY at` // of what several machines had, the latest stays
	}
	if _, err := to.ExecContext(ctx, `DELETE FROM `+quote(table)); err != nil { // a new store has some rows
		return err
	}
	insert, err := to.PrepareContext(ctx, `INSERT OR REPLACE INTO `+quote(table)+` (`+list+`) VALUES (?`+strings.Repeat(`, ?`, len(columns)-1)+`)`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, insert.Close()) }()
	rows, err := from.Query(ctx, `SELECT `+list+` FROM `+quote(schema)+`.`+quote(table)+order)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return err
		}
		if table == "fact" {
			ownFact(values)
		}
		if _, err := insert.ExecContext(ctx, values...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// ownFact takes the machine out of the name of a page or a mood: on a server they were kept for each machine.
func ownFact(values []any) {
	const name, project, subject, at, value, checksum = 0, 1, 2, 3, 4, 5 // the columns of the table
	if values[name] != "page" && values[name] != "mood" {
		return
	}
	if _, own, found := strings.Cut(values[subject].(string), "/"); found {
		values[subject] = own
		values[checksum] = db.Checksum(values[name], values[project], own, values[value], values[at])
	}
}

func texts(ctx context.Context, tx pgx.Tx, query string, args ...any) ([]string, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func names(ctx context.Context, tx *sql.Tx, query string, args ...any) (list []string, err error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		list = append(list, name)
	}
	return list, rows.Err()
}

func quote(identifier string) string { return pgx.Identifier{identifier}.Sanitize() }
