package transfer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/transfer"
)

// onServer is a server with what 2cbbc3b, the last version that wrote to one, kept there, in a schema of its own.
func onServer(t *testing.T) (url, schema string) {
	t.Helper()
	if url = os.Getenv("HEBB_TEST_POSTGRES"); url == "" {
		t.Skip("=== NOT RUN: exports from a PostgreSQL server, for want of one. Run: make test, or scripts/with-postgres go test ./internal/lab/transfer ===")
	}
	schema = fmt.Sprintf("landed%d_%d", os.Getpid(), schemas.Add(1))
	run := func(sql string) {
		c := must.Get(pgx.Connect(context.WithoutCancel(t.Context()), url))(t)
		_, err := c.PgConn().Exec(context.WithoutCancel(t.Context()), sql).ReadAll()
		must.Do(t, errors.Join(err, c.Close(context.WithoutCancel(t.Context()))))
	}
	t.Cleanup(func() { run(`DROP SCHEMA ` + schema + ` CASCADE`) })
	run(strings.ReplaceAll(string(unzipped(t, "2cbbc3b.pg.sql.gz")), "hebb_landed", schema))
	return url, schema
}

var schemas atomic.Int64

// repositoryThere was not exported by that version.
const repositoryThere = `{"type":"fact","fact":{"name":"repository","project":"p6cafsqcjgchv8","at":"2026-11-15T08:01:00Z",` +
	`"value":{"roots":["e64af0ebcb7a37d16ff8b168a208c966830bbd30"]}}}` + "\n"

// What was kept on a server is exported, and imported from that.
func TestAServerIsExported(t *testing.T) {
	url, schema := onServer(t)
	var got bytes.Buffer
	must.Get(transfer.ExportServer(t.Context(), emptyFolder(t), later, url, schema, &got))(t)
	holdsTexts(t, got.String(), string(unzipped(t, "2cbbc3b.pg.jsonl.gz"))+repositoryThere)
	b := must.Get(brain.Open(t.Context(), emptyFolder(t), later))(t)
	defer func() { must.Do(t, b.Close()) }()
	out := must.Get(transfer.Import(t.Context(), b, transfer.ImportInput{From: bytes.NewReader(got.Bytes()), Mine: true}))(t)
	if out.Events != 16 || out.Pins != 2 || out.Pages != 1 {
		t.Errorf("imported %+v", out)
	}
}

// Of several memories in a database the owner's is read; who has none is told what there is.
func TestTheOwnersSchemaIsExported(t *testing.T) {
	url, schema := onServer(t)
	other := must.Get(pgx.Connect(t.Context(), url))(t)
	defer func() { must.Do(t, other.Close(context.WithoutCancel(t.Context()))) }()
	must.Get(other.Exec(t.Context(), `UPDATE `+schema+`.fact SET value = '"ada"' WHERE name = 'owner'`))(t)
	at := emptyFolder(t)
	export := func(schema string) error {
		_, err := transfer.ExportServer(t.Context(), at, later, url, schema, &bytes.Buffer{})
		return err
	}
	if err := export("nobodys"); !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), "nobodys") {
		t.Errorf("a schema that is not there: %v", err)
	}
	_, _ = onServer(t)
	if err := export(""); !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), schema+" (owner ada)") {
		t.Errorf("several schemas: %v", err)
	}
	must.Do(t, os.WriteFile(filepath.Join(at.Dir, "owner"), []byte("ada\n"), 0o600))
	must.Do(t, export(""))
	must.Get(other.Exec(t.Context(), `UPDATE `+schema+`.schema_version SET version = 99`))(t)
	if err := export(""); !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "upgrade hebb") {
		t.Errorf("a newer store: %v", err)
	}
	if _, err := transfer.ExportServer(t.Context(), at, later, "postgres://me:secret@[/x", "", &bytes.Buffer{}); !errors.Is(err, memory.ErrInvalid) ||
		strings.Contains(err.Error(), "secret") {
		t.Errorf("a URL that is none: %v", err)
	}
}
