// Package postgres opens the store on a PostgreSQL server: one schema per team. SQL lives in package store; here is
// only what is PostgreSQL's own.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// DefaultSchema is where a store lives when nobody names a team.
const DefaultSchema = "hebb"

// Options say which server and schema to open.
type Options struct {
	URL    string // postgres://user:password@host/database
	Schema string // DefaultSchema when empty
	// Owner is whose memory it must be; empty where nobody's matters. A store that has another owner is refused, and nothing of it is
	// read, changed or migrated.
	Owner  string
	Shared string // the schema that was asked for, where the owner has another
	// BusyTimeout is how long to wait for another writer; 0 is without end.
	BusyTimeout time.Duration
	Now         func() time.Time
	Migrations  []db.Migration // nil means all of them
	// Examine is for OpenReadOnly in a process that reads everything, and for which answers are not kept.
	Examine bool
}

type server struct {
	Options
	name                 string // the URL without its password
	write, durable, read *sql.DB
	// pooled says that a connection pooler such as PgBouncer in transaction mode stands in between: a connection is ours for one
	// transaction only, so settings are made in each and statements are not kept prepared.
	pooled bool
	// brief says that a process asks a few questions and ends: see briefConn.
	brief bool
	// answers is how long the server may take to answer, and to be connected to.
	answers time.Duration
	owned   bool // the store has an owner
}

// Open opens or creates the store in its schema.
func Open(ctx context.Context, o Options) (*store.Store, error) {
	return openWith(ctx, &server{Options: o}, store.Open)
}

// OpenReadOnly opens the store as it is: it creates, changes and migrates nothing. It connects with the first question, which is refused
// if the store has another schema version.
func OpenReadOnly(ctx context.Context, o Options) (*store.Store, error) {
	return openWith(ctx, &server{Options: o, brief: !o.Examine}, store.OpenReadOnly)
}

type opener func(context.Context, db.Engine, []db.Migration, func() time.Time) (*store.Store, error)

func openWith(ctx context.Context, s *server, how opener) (*store.Store, error) {
	if s.Schema == "" {
		s.Schema = DefaultSchema
	}
	if s.Migrations == nil {
		s.Migrations = store.Migrations()
	}
	if err := CheckSchema(s.Schema); err != nil {
		return nil, err
	}
	config, err := pgx.ParseConfig(s.URL)
	if err != nil {
		// The cause would quote parts of the URL, and no rule finds every password in a text that is no URL.
		return nil, fmt.Errorf("open store: the URL cannot be read, want postgres://user:password@host:port/database?sslmode=…: %w",
			memory.ErrInvalid)
	}
	if s.answers = config.ConnectTimeout; s.answers == 0 {
		s.answers = answerTime
		config.ConnectTimeout = answerTime
	}
	s.name = redacted(config)
	s.connect(config)
	st, err := how(ctx, s.engine(), s.Migrations, s.Now)
	if err != nil && refusedSettings(err) {
		s.pooled = true
		s.connect(config)
		st, err = how(ctx, s.engine(), s.Migrations, s.Now)
	}
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", s.name, err)
	}
	return st, nil
}

const (
	application = "hebb" // the name of its connections, for who looks after the server
	readers     = 4      // connections that read
)

// answerTime applies where the URL sets no connect_timeout: a server that does not answer in this time is away. What somebody says then
// waits in the spool, so it is acknowledged in about this time.
const answerTime = 2 * time.Second

// errSettingsLost says that the settings of a connection did not arrive at the server: a pooler dropped them.
var errSettingsLost = errors.New("the settings of the connection did not reach the server")

// refusedSettings recognises a pooler, which takes no settings for a connection: it has many users.
func refusedSettings(err error) bool {
	return errors.Is(err, errSettingsLost) || state(err) == "08P01" && strings.Contains(err.Error(), "startup parameter")
}

// connect makes the pools. They connect at first use.
func (s *server) connect(config *pgx.ConnConfig) {
	s.write = s.pool(config, 1, "synchronous_commit", "off")
	s.durable = s.pool(config, 1, "synchronous_commit", "on")
	if s.brief {
		c := config.Copy()
		c.RuntimeParams["application_name"] = application
		c.DefaultQueryExecMode = pgx.QueryExecModeExec
		s.read = limited(sql.OpenDB(briefConnector{s.connector(c), s}), readers)
		return
	}
	s.read = s.pool(config, readers, "default_transaction_read_only", "on")
}

// Drop deletes a whole store from its server, for a benchmark that made one of its own.
func Drop(ctx context.Context, o Options) error {
	if err := CheckSchema(o.Schema); err != nil {
		return err
	}
	db, err := sql.Open("pgx", o.URL)
	if err != nil {
		return fmt.Errorf("drop schema %s: %w", o.Schema, err)
	}
	_, err = db.ExecContext(ctx, `DROP SCHEMA IF EXISTS `+quote(o.Schema)+` CASCADE`)
	return errors.Join(explain(err), db.Close())
}

func (s *server) engine() db.Engine {
	return db.Engine{
		Write: s.write, Durable: s.durable, Read: s.read, Numbered: true,
		// Texts compare by their bytes, as in SQLite, whatever language the server speaks.
		Words: strings.NewReplacer("{int}", "BIGINT", "{real}", "DOUBLE PRECISION", "{text}", `TEXT COLLATE "C"`, "{blob}", "BYTEA",
			"{serial}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "{strict}", "", "{clustered}", "",
			"{fulltext}", fullTextColumn, "{given_seq}", "ALTER TABLE event ALTER COLUMN seq SET GENERATED BY DEFAULT;",
			"{json}", "to_json", "{object}", "json_build_object"),
		Far:      s.brief,
		FullText: db.FullText{Expression: expression, Query: fullTextQuery},
		Answers:  s.answers, Turn: s.BusyTimeout, Away: away,
		Begun: s.begun, Version: s.version, SetVersion: setVersion, Exclusive: s.exclusive, Snapshot: s.snapshot,
		Check: s.check, Temporary: temporary, Explain: explain, Tidy: s.tidy, Facts: s.facts,
	}
}

// pool opens connections with one setting. Writers take turns anyway, so they need one connection; a server shared by a
// team has a hundred or so for everybody.
func (s *server) pool(config *pgx.ConnConfig, connections int, setting, value string) *sql.DB {
	c := config.Copy()
	if s.pooled {
		c.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	} else {
		c.RuntimeParams["search_path"] = quote(s.Schema)
		c.RuntimeParams["application_name"] = application
		c.RuntimeParams[setting] = value
	}
	return limited(sql.OpenDB(s.connector(c)), connections)
}

func limited(db *sql.DB, connections int) *sql.DB {
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}

const (
	schemaLetters = "abcdefghijklmnopqrstuvwxyz_0123456789"
	// schemaLength leaves room in PostgreSQL's 63 bytes for what a snapshot appends: _before_schema_99_20060102_150405.
	schemaLength = 30
)

// CheckSchema accepts plain lower-case names, so that a team's name can never be more than a name.
func CheckSchema(name string) error {
	plain := name != "" && len(name) <= schemaLength && strings.Trim(name, schemaLetters) == "" && (name[0] < '0' || name[0] > '9')
	if !plain || strings.HasPrefix(name, "pg_") {
		return fmt.Errorf("schema %q: use lower-case letters, digits and _, not starting with a digit or pg_, at most %d: %w",
			name, schemaLength, memory.ErrInvalid)
	}
	return nil
}

func quote(identifier string) string { return pgx.Identifier{identifier}.Sanitize() }

// redacted names the server for people and logs, put together anew: a password may stand in several places of a URL.
func redacted(c *pgx.ConnConfig) string {
	u := url.URL{Scheme: "postgres", User: url.User(c.User), Path: "/" + c.Database}
	if strings.HasPrefix(c.Host, "/") { // the folder of a socket
		u.RawQuery = "host=" + c.Host
	} else {
		u.Host = net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))
	}
	return u.String()
}

// begun makes the settings of a transaction behind a pooler, then waits for the transactions that write to this schema and holds the
// others back until this one ends.
func (s *server) begun(ctx context.Context, tx *sql.Tx, on *sql.DB, readOnly bool) error {
	if s.pooled {
		commit := "off"
		if on == s.durable {
			commit = "on"
		}
		_, err := tx.ExecContext(ctx, `SELECT set_config('search_path', $1, true), set_config('synchronous_commit', $2, true)`,
			quote(s.Schema), commit)
		if err != nil {
			return fmt.Errorf("settings: %w", err)
		}
	}
	if readOnly {
		return nil
	}
	_, err := tx.ExecContext(ctx, `SELECT set_config('lock_timeout', $1, true), pg_advisory_xact_lock(hashtext($2))`,
		strconv.FormatInt(s.BusyTimeout.Milliseconds(), 10), turnLock(s.Schema))
	if err != nil {
		return fmt.Errorf("write lock: %w", err)
	}
	return nil
}

func turnLock(schema string) string { return "hebb/write/" + schema }

// version reads the schema version. It is the first question to a server, so it also looks whether the settings arrived. A brief process
// does not ask: see briefConn.begin.
func (s *server) version(ctx context.Context, from db.Querier) (v int, err error) {
	if s.brief {
		return len(s.Migrations), nil
	}
	var exists bool
	var path string
	err = db.Within(ctx, s.answers, func(ctx context.Context) error {
		return from.QueryRowContext(ctx, `SELECT current_setting('search_path'), EXISTS (SELECT 1 FROM information_schema.tables
			WHERE table_schema = $1 AND table_name = 'schema_version')`, s.Schema).Scan(&path, &exists)
	})
	if err == nil && !s.pooled && path != quote(s.Schema) {
		err = errSettingsLost
	}
	if err != nil || !exists {
		return 0, err
	}
	var owner sql.NullString
	err = db.Within(ctx, s.answers, func(ctx context.Context) error {
		return from.QueryRowContext(ctx, `SELECT COALESCE(MAX(version), 0), `+ownerIn(s.Schema)+` FROM `+quote(s.Schema)+`.schema_version`).Scan(&v, &owner)
	})
	if err == nil {
		s.owned, err = s.checkOwner(owner.String)
	}
	return v, err
}

func setVersion(ctx context.Context, tx *sql.Tx, v int) error {
	if _, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL PRIMARY KEY)`); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO schema_version (version) VALUES ($1)`, v)
	return err
}

// exclusive holds a lock of the server for this schema: one process makes and migrates it, the others wait. They ask again and again
// instead of queueing: behind a pooler everyone who queues would keep a connection from the one who works.
func (s *server) exclusive(ctx context.Context, fn func() error) error {
	for {
		free, err := s.tryExclusive(ctx, fn)
		if free || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockInterval):
		}
	}
}

const lockInterval = 50 * time.Millisecond // between two attempts to get a lock that is rarely taken

func (s *server) tryExclusive(ctx context.Context, fn func() error) (free bool, err error) {
	tx, err := s.read.BeginTx(ctx, nil) // the pools that write are fn's
	if err != nil {
		return false, err
	}
	defer func() { _ = tx.Rollback() }() // which releases the lock
	// The transaction is idle while fn migrates.
	if _, err = tx.ExecContext(ctx, `SET LOCAL idle_in_transaction_session_timeout = 0`); err != nil {
		return false, err
	}
	err = tx.QueryRowContext(ctx, `SELECT pg_try_advisory_xact_lock(hashtext($1))`, "hebb/init/"+s.Schema).Scan(&free)
	if err != nil || !free {
		return false, err
	}
	if err := s.createSchema(ctx); err != nil {
		return true, fmt.Errorf("create schema %s: %w", s.Schema, err)
	}
	return true, fn()
}

// createSchema makes the schema unless it is there: a member of a team may use it without the right to make one.
func (s *server) createSchema(ctx context.Context) error {
	var encoding string
	var exists bool
	err := s.durable.QueryRowContext(ctx, `SELECT current_setting('server_encoding'),
		EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)`, s.Schema).Scan(&encoding, &exists)
	if err != nil {
		return err
	}
	if encoding != "UTF8" {
		return fmt.Errorf("the database has encoding %s and could not keep every text; make one with UTF8: %w", encoding, memory.ErrRefused)
	}
	if exists {
		return nil
	}
	_, err = s.durable.ExecContext(ctx, `CREATE SCHEMA `+quote(s.Schema))
	return err
}

// snapshot copies every table into a schema of its own beside the store.
func (s *server) snapshot(ctx context.Context, label string) (to string, err error) {
	to = strings.ReplaceAll(fmt.Sprintf("%s_%s_%s", s.Schema, label, s.Now().UTC().Format("20060102_150405")), "-", "_")
	tx, err := s.durable.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
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
		if _, err := tx.ExecContext(ctx, `CREATE TABLE `+quote(to)+`.`+quote(t)+` AS TABLE `+quote(s.Schema)+`.`+quote(t)); err != nil {
			return "", err
		}
	}
	return "schema " + to, tx.Commit()
}

// check looks for broken indexes. The server itself watches over pages and over rows whose parents are missing.
func (s *server) check(ctx context.Context) ([]string, error) {
	return column(ctx, s.read, `
		SELECT 'index ' || indexrelid::regclass::text || ' is not valid' FROM pg_index
		JOIN pg_class ON pg_class.oid = indrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
		WHERE nspname = $1 AND NOT indisvalid`, s.Schema)
}

func column(ctx context.Context, db db.Querier, query string, args ...any) (values []string, err error) {
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

// tidy lets the server reclaim what was forgotten, and count what is left.
func (s *server) tidy(ctx context.Context) error {
	for _, t := range store.Tables() {
		if _, err := s.write.ExecContext(ctx, `VACUUM (ANALYZE) `+quote(s.Schema)+`.`+quote(t.Name)); err != nil {
			return fmt.Errorf("vacuum %s: %w", t.Name, err)
		}
	}
	return nil
}

const rowHeader = 28 // bytes that PostgreSQL adds to each row

func (s *server) facts(ctx context.Context) (db.Facts, error) {
	f := db.Facts{Engine: "postgres", Location: s.name + " schema " + s.Schema, Settings: map[string]string{}, Owner: s.Owner}
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
	if err != nil {
		return f, err
	}
	// Tables do not shrink when rows go, so what is used is estimated from the number of rows and their width: the
	// server's own figures, from when it looked last.
	err = s.read.QueryRowContext(ctx, `SELECT COALESCE(SUM(GREATEST(reltuples, 0) * ($2 + (SELECT COALESCE(SUM(avg_width), 0) FROM pg_stats
			WHERE schemaname = nspname AND tablename = relname))), 0)::bigint FROM pg_class
		JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relkind = 'r'`, s.Schema, rowHeader).Scan(&f.Used)
	if err == nil && s.Owner != "" {
		f.Others, err = s.besides(ctx)
	}
	return f, err
}

// state is PostgreSQL's code of an error, "" for one of another kind.
func state(err error) string {
	var pe *pgconn.PgError
	if !errors.As(err, &pe) {
		return ""
	}
	return pe.Code
}

// temporary recognises serialisation failures and deadlocks.
func temporary(err error) bool { return state(err) == "40001" || state(err) == "40P01" }

// explain sorts PostgreSQL's own errors and adds what a person can do about them.
func explain(err error) error {
	switch code := state(err); {
	case code == "XX001", code == "XX002": // data_corrupted, index_corrupted
		return fmt.Errorf("%w: %w (the server's own files are damaged; restore its backup)", memory.ErrDamaged, err)
	case code == "25006": // read_only_sql_transaction
		return fmt.Errorf("%w: %w (the server takes no writes here)", memory.ErrRefused, err)
	case code == noRight:
		return fmt.Errorf("%w: %w (the role needs the right to use and fill its schema)", memory.ErrRefused, err)
	case strings.HasPrefix(code, "22"), strings.HasPrefix(code, "23"), strings.HasPrefix(code, "54"): // data exception, constraint, program limit
		return fmt.Errorf("%w: %w", memory.ErrInvalid, err)
	case code == "55P03", temporary(err): // lock_not_available, or the same conflict again and again
		return db.Busy(fmt.Errorf("%w (another process has been writing for too long; try again, or raise store.busy_timeout)", err))
	case code == "53100": // disk_full
		return fmt.Errorf("%w (the server's disk is full; nothing was changed: make room there, then do this again)", err)
	case away(err):
		return db.Busy(fmt.Errorf("%w (is the server running, and are host, database and role right?)", err))
	}
	return err
}
