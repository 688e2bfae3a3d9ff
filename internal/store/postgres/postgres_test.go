package postgres

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

func TestSchemaNames(t *testing.T) {
	t.Parallel()
	for name, good := range map[string]bool{
		"hebb": true, "team_7": true, "_x": true, strings.Repeat("a", 30): true,
		"": false, strings.Repeat("a", 31): false, "7team": false, "pg_catalog": false, "Team": false, "te am": false, "te-am": false,
		`x"; DROP SCHEMA public CASCADE; --`: false, "x'y": false, "x.y": false, "x\x00": false, "x\n": false, "ä": false, "$user": false,
	} {
		if err := CheckSchema(name); (err == nil) != good || !good && !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("schema %q: got %v", name, err)
		}
		if good {
			continue
		}
		o := Options{URL: "postgres://nobody@127.0.0.1:1/x", Schema: name, Now: now}
		if s, err := Open(t.Context(), o); name != "" && !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("schema %q was opened: %v, %v", name, s, err)
		}
	}
}

func TestAPasswordIsInNoErrorAndNoName(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	for _, dsn := range []string{
		"postgres://ada:" + secret + "@127.0.0.1:1/db",                            // nobody listens
		"postgres://ada@127.0.0.1:1/db?password=" + secret,                        // in another place
		"postgres://ada:" + secret + "%@127.0.0.1:1/db",                           // not an escape
		"postgres://ada:" + secret + "@127.0.0.1:port/db",                         // not a port
		"postgres://ada:" + secret + "@[::1/db",                                   // not an address
		"postgres://ada:" + secret + "@127.0.0.1:1/db?sslmode=wrong",              // not a mode
		"postgres://ada:x" + secret + " y@127.0.0.1:1/db",                         // not a URL
		"host=127.0.0.1 port=1 user=ada password=" + secret + " dbname=db",        // the other form
		"host=127.0.0.1 port=1 user=ada password='" + secret,                      // the other form, broken
		"postgres://ada:" + secret + "@127.0.0.1:1,127.0.0.1:2/db?password=again", // two hosts
	} {
		s, err := Open(t.Context(), Options{URL: dsn, Now: now})
		if err == nil {
			t.Fatalf("%s was opened: %v", dsn, s)
		}
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the password stands in: %v", err)
		}
		if config, err := pgx.ParseConfig(dsn); err == nil && strings.Contains(redacted(config), secret) {
			t.Errorf("the password stands in: %s", redacted(config))
		}
	}
}

func TestAWrongPasswordIsInNoError(t *testing.T) {
	t.Parallel()
	u, err := url.Parse(serverURL(t))
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("no_such_role", "hunter2")
	_, err = Open(t.Context(), Options{URL: u.String(), Schema: "test_unused", Now: now})
	if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "no_such_role") {
		t.Errorf("got %v, want the role and not the password", err)
	}
}

func TestAServerThatIsNotThereIsNamedWithAdvice(t *testing.T) {
	t.Parallel()
	_, err := Open(t.Context(), Options{URL: "postgres://ada@127.0.0.1:1/db", Now: now})
	if err == nil || !strings.Contains(err.Error(), "postgres://ada@127.0.0.1:1/db") || !strings.Contains(err.Error(), "is the server running") {
		t.Errorf("got %v", err)
	}
}

func open(t *testing.T, url, schema string) *store.Store {
	t.Helper()
	s := must.Get(Open(t.Context(), Options{URL: url, Schema: schema, Now: now}))(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// A server behind a broken network accepts a connection and never says a word.
func TestASilentServerIsGivenUp(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), 10*answerTime)
	defer cancel()
	err = reads(ctx, Options{URL: "postgres://ada@" + silent.Addr().String() + "/db?sslmode=disable", Now: now})
	if err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "is the server running") {
		t.Errorf("want to give up by itself and say what to look at, got %v, %v", err, ctx.Err())
	}
}

// reads opens a store as it is and asks it something.
func reads(ctx context.Context, o Options) error {
	s, err := OpenReadOnly(ctx, o)
	if err != nil {
		return err
	}
	return errors.Join(s.View(ctx, func(tx *store.Tx) error { _, err := tx.Projects(ctx); return err }), s.Close())
}

func TestReadingMakesAndMigratesNothing(t *testing.T) {
	t.Parallel()
	url := serverURL(t)
	schema := newSchema(t, url)
	o := Options{URL: url, Schema: schema, Now: now}
	for range 2 { // the first leaves nothing behind
		if err := reads(t.Context(), o); !errors.Is(err, memory.ErrRefused) {
			t.Errorf("a store that is not there: %v", err)
		}
	}
	open(t, url, schema)
	o.Migrations = store.Migrations()[:0]
	if err := reads(t.Context(), o); !errors.Is(err, memory.ErrRefused) {
		t.Errorf("another schema: %v", err)
	}
	o.Migrations = nil
	if err := reads(t.Context(), o); err != nil {
		t.Error(err)
	}
}

func TestReadingSeesOneStateUntilTheNextTransaction(t *testing.T) {
	t.Parallel()
	for name, through := range map[string]string{"directly": serverURL(t), "behind PgBouncer": os.Getenv("HEBB_TEST_PGBOUNCER")} {
		t.Run(name, func(t *testing.T) {
			if through == "" {
				t.Skip("=== NOT RUN: reading behind PgBouncer, for want of one. Run: make test ===")
			}
			schema := newSchema(t, serverURL(t))
			writer := open(t, serverURL(t), schema)
			mark, other := store.NewFact[string]("mark"), store.NewFact[string]("other")
			set := func(value string) error {
				return writer.Update(t.Context(), func(tx *store.Tx) error {
					return errors.Join(mark.Set(t.Context(), tx, value), other.Set(t.Context(), tx, value))
				})
			}
			reader := must.Get(OpenReadOnly(t.Context(), Options{URL: through, Schema: schema, Now: now}))(t)
			defer func() {
				if err := reader.Close(); err != nil {
					t.Error(err)
				}
			}()
			for _, value := range []string{"first", "second", "third"} {
				must.Do(t, set(value))
				err := reader.View(t.Context(), func(tx *store.Tx) error {
					err := tx.Ahead(t.Context(), func(tx *store.Tx) {
						if got, err := mark.Get(t.Context(), tx); got != "" || err != nil {
							t.Errorf("noting finds %q, %v", got, err)
						}
						_, _ = tx.Projects(t.Context())
					})
					if err == nil {
						err = set("later than " + value)
					}
					a, errA := mark.Get(t.Context(), tx)
					b, errB := other.Get(t.Context(), tx)
					if a != value || b != value {
						t.Errorf("read %q and %q, want %q", a, b, value)
					}
					return errors.Join(err, errA, errB)
				})
				if err != nil {
					t.Error(err)
				}
			}
			if err := reader.View(t.Context(), func(tx *store.Tx) error { return mark.Set(t.Context(), tx, "x") }); !errors.Is(err, memory.ErrRefused) {
				t.Errorf("writing: %v", err)
			}
		})
	}
}

func TestTwoSchemasKnowNothingOfEachOther(t *testing.T) {
	t.Parallel()
	url := serverURL(t)
	ours, theirs := open(t, url, newSchema(t, url)), open(t, url, newSchema(t, url))
	if err := ours.Update(t.Context(), func(tx *store.Tx) error {
		// Held while the other team writes: their turns are their own.
		if err := store.NewFact[string]("mark").Set(t.Context(), tx, "ours"); err != nil {
			return err
		}
		return theirs.Update(t.Context(), func(tx *store.Tx) error {
			got, err := store.NewFact[string]("mark").Get(t.Context(), tx)
			if got != "" {
				t.Errorf("the other team reads %q", got)
			}
			return errors.Join(err, store.NewFact[string]("mark").Set(t.Context(), tx, "theirs"), tx.Empty(t.Context()))
		})
	}); err != nil {
		t.Fatal(err)
	}
	err := ours.View(t.Context(), func(tx *store.Tx) error {
		got, err := store.NewFact[string]("mark").Get(t.Context(), tx)
		if got != "ours" {
			t.Errorf("our mark is %q", got)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAWriterThatWaitsTooLongIsToldWhatToDo(t *testing.T) {
	t.Parallel()
	url := serverURL(t)
	schema := newSchema(t, url)
	made, err := Open(t.Context(), Options{URL: url, Schema: schema, Now: now}) // tables are made without haste
	if err == nil {
		err = made.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	s := must.Get(Open(t.Context(), Options{URL: url, Schema: schema, Now: now, BusyTimeout: time.Millisecond}))(t)
	defer func() { _ = s.Close() }()
	other := must.Get(raw(t, url, schema).BeginTx(t.Context(), nil))(t)
	must.Get(other.ExecContext(t.Context(), `SELECT pg_advisory_xact_lock(hashtext($1))`, turnLock(schema)))(t)
	write := func(tx *store.Tx) error { return store.NewFact[string]("a").Set(t.Context(), tx, "b") }
	if err := s.Update(t.Context(), write); !errors.Is(err, memory.ErrBusy) || !strings.Contains(err.Error(), "store.busy_timeout") {
		t.Errorf("got %v, want advice", err)
	}
	must.Do(t, other.Rollback())
	if err := s.Update(t.Context(), write); err != nil {
		t.Error(err)
	}
}

func TestTheStoreKeepsToSixConnections(t *testing.T) {
	t.Parallel()
	config := must.Get(pgx.ParseConfig("postgres://ada@127.0.0.1:1/db"))(t)
	total := 0
	s := &server{}
	s.connect(config)
	for _, db := range []*sql.DB{s.write, s.durable, s.read} {
		total += db.Stats().MaxOpenConnections
		defer func() { _ = db.Close() }()
	}
	if total != 6 {
		t.Errorf("%d connections", total)
	}
}

func TestTextComparesByBytesWhateverTheServerSpeaks(t *testing.T) {
	t.Parallel()
	url := serverURL(t)
	schema := newSchema(t, url)
	open(t, url, schema)
	found, err := column(t.Context(), raw(t, url, schema), `SELECT table_name || '.' || column_name FROM information_schema.columns
		WHERE table_schema = $1 AND data_type = 'text' AND COALESCE(collation_name, '') <> 'C'`, schema)
	if err != nil || len(found) != 0 {
		t.Errorf("columns of another order: %q, %v", found, err)
	}
}

func TestSettingsOfThePools(t *testing.T) {
	t.Parallel()
	url := serverURL(t)
	schema := newSchema(t, url)
	config := must.Get(pgx.ParseConfig(url))(t)
	s := &server{Options: Options{Schema: schema}}
	for setting, value := range map[string]string{"synchronous_commit": "off", "default_transaction_read_only": "on"} {
		db := s.pool(config, 1, setting, value)
		for name, want := range map[string]string{setting: value, "search_path": `"` + schema + `"`, "application_name": "hebb"} {
			var got string
			if err := db.QueryRowContext(t.Context(), `SELECT current_setting($1)`, name).Scan(&got); err != nil || got != want {
				t.Errorf("%s is %q (%v), want %q", name, got, err, want)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// database makes a database of its own for a test and returns its URL.
func database(t *testing.T, name, options string) string {
	t.Helper()
	u := must.Get(url.Parse(serverURL(t)))(t)
	admin := raw(t, u.String(), "public")
	must.Get(admin.ExecContext(t.Context(), `CREATE DATABASE `+quote(name)+` `+options))(t)
	t.Cleanup(func() {
		if _, err := admin.ExecContext(context.Background(), `DROP DATABASE `+quote(name)); err != nil {
			t.Error(err)
		}
	})
	u.Path = "/" + name
	return u.String()
}

func TestADatabaseThatCannotKeepEveryTextIsRefused(t *testing.T) {
	t.Parallel()
	name := newSchema(t, serverURL(t))
	url := database(t, name, `ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
	s, err := Open(t.Context(), Options{URL: url, Schema: name, Now: now})
	if !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "LATIN1") {
		t.Errorf("got %v, %v, want a refusal", s, err)
	}
}

func TestAMemberOfATeamNeedsNoRightToMakeSchemas(t *testing.T) {
	t.Parallel()
	server := serverURL(t)
	schema := newSchema(t, server)
	admin := raw(t, server, "public")
	for _, statement := range []string{
		`CREATE ROLE ` + quote(schema) + ` LOGIN`, `CREATE SCHEMA ` + quote(schema) + ` AUTHORIZATION ` + quote(schema),
	} {
		must.Get(admin.ExecContext(t.Context(), statement))(t)
	}
	t.Cleanup(func() { // before the schema goes, because cleanups run backwards
		if _, err := admin.ExecContext(context.Background(), `DROP OWNED BY `+quote(schema)+`; DROP ROLE `+quote(schema)); err != nil {
			t.Error(err)
		}
	})
	u := must.Get(url.Parse(server))(t)
	u.User = url.User(schema)
	member := must.Get(Open(t.Context(), Options{URL: u.String(), Schema: schema, Now: now}))(t)
	if err := member.Close(); err != nil {
		t.Error(err)
	}
	if s, err := Open(t.Context(), Options{URL: u.String(), Schema: "test_not_mine", Now: now}); !errors.Is(err, memory.ErrRefused) {
		t.Errorf("somebody else's schema: got %v, %v, want a refusal", s, err)
	}
}

func TestSnapshotsOfTheLongestNameKeepTheirDate(t *testing.T) {
	t.Parallel()
	server := serverURL(t)
	short := newSchema(t, server)
	schema := short + strings.Repeat("x", schemaLength-len(short))
	admin := raw(t, server, "public")
	t.Cleanup(func() {
		for _, name := range append(snapshots(t, admin, schema), schema) {
			if _, err := admin.ExecContext(context.Background(), `DROP SCHEMA `+quote(strings.TrimPrefix(name, "schema "))+` CASCADE`); err != nil {
				t.Error(err)
			}
		}
	})
	at := start
	s := must.Get(Open(t.Context(), Options{URL: server, Schema: schema, Now: func() time.Time { return at }}))(t)
	defer func() { _ = s.Close() }()
	for range 2 {
		must.Get(s.Snapshot(t.Context(), "before-schema-99"))(t)
		at = at.Add(time.Second)
	}
	if found := snapshots(t, admin, schema); len(found) != 2 {
		t.Errorf("found %q, want two", found)
	}
}

// Many servers end transactions that do nothing. The one that holds the lock does nothing while another migrates.
func TestTheLockOfAMigrationOutlivesTheServersPatience(t *testing.T) {
	url := serverURL(t)
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	config.RuntimeParams["idle_in_transaction_session_timeout"] = "250" // ms; a busy machine may pause between two statements
	s := &server{Options: Options{Schema: newSchema(t, url)}}
	s.connect(config)
	defer func() {
		if err := errors.Join(s.read.Close(), s.durable.Close(), s.write.Close()); err != nil {
			t.Error(err)
		}
	}()
	err = s.exclusive(t.Context(), func() error {
		if _, err := s.durable.ExecContext(t.Context(), `SELECT pg_sleep(0.5)`); err != nil {
			return err
		}
		free, err := s.tryExclusive(t.Context(), func() error { return nil })
		if free {
			t.Error("another process may migrate at the same time")
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
