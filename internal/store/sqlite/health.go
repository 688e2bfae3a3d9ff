package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	driver "modernc.org/sqlite"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/db"
)

func (f *file) check(ctx context.Context) ([]string, error) {
	findings := integrity(ctx, f.read)
	if len(findings) == 0 {
		findings = f.checkFullText(ctx)
	}
	here, err := lines(ctx, f.read, columnsOfTables)
	if err != nil {
		findings = append(findings, err.Error())
	} else if wanted, err := f.columnsOfNew(ctx); err == nil { // where there is no room for a new one, that is no damage of this one
		for _, column := range wanted {
			if !slices.Contains(here, column) {
				findings = append(findings, "column "+column+" is missing")
			}
		}
	}
	return findings, ctx.Err() // a check that was broken off has found nothing
}

const columnsOfTables = `SELECT tables.name || '.' || columns.name FROM sqlite_master tables, pragma_table_info(tables.name) columns WHERE tables.type = 'table'`

// columnsOfNew are the columns of a store that was just made. SQLite itself takes a name that has changed for another column.
func (f *file) columnsOfNew(ctx context.Context) (columns []string, err error) {
	dir, err := os.MkdirTemp("", "hebb-schema-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	o := f.Options
	o.Path = filepath.Join(dir, "hebb.db")
	fresh := newFile(o)
	if err := fresh.prepare(ctx); err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, fresh.engine(), o.Migrations, o.Now)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return lines(ctx, fresh.read, columnsOfTables)
}

// integrity asks SQLite for damage, one line each. What cannot be read is a finding too.
func integrity(ctx context.Context, db *sql.DB) (findings []string) {
	for _, pragma := range []string{`PRAGMA integrity_check(20)`, `PRAGMA foreign_key_check`} {
		found, err := lines(ctx, db, pragma)
		findings = append(findings, found...)
		if err != nil {
			return append(findings, err.Error())
		}
	}
	return findings
}

func lines(ctx context.Context, db *sql.DB, pragma string) (out []string, err error) {
	rows, err := db.QueryContext(ctx, pragma)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	values := make([]sql.NullString, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return out, err
		}
		words := make([]string, len(values))
		for i, v := range values {
			words[i] = v.String
		}
		for line := range strings.Lines(strings.Join(words, " ")) { // one answer may have several
			line = strings.TrimSpace(line)
			if line != "" && line != "ok" && !strings.HasPrefix(line, "*** in database") {
				out = append(out, line)
			}
		}
	}
	return out, rows.Err()
}

// tidy moves the log into the file and cuts it, so that forgotten text stands in neither (deleted content is
// overwritten as it goes: secure_delete). Full text only notes which documents are gone: their words go when it is merged.
func (f *file) tidy(ctx context.Context) error {
	if err := f.mergeWords(ctx); err != nil {
		return fmt.Errorf("merge full text: %w", err)
	}
	if f.journal != "WAL" {
		return nil
	}
	var busy, log, moved int
	if err := f.write.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &moved); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if busy != 0 {
		return fmt.Errorf("checkpoint: another process is reading, so what was forgotten stays in %s-wal until it ends: %w",
			f.Path, memory.ErrConflict)
	}
	return nil
}

// mergeWords rewrites full text as one part, without the words of what is gone: some pages at a time, for others wait while
// it writes.
func (f *file) mergeWords(ctx context.Context) (err error) {
	const pages = 500
	conn, err := f.write.Conn(ctx) // changes are counted for each connection
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	changes := func() (n int64, err error) {
		err = conn.QueryRowContext(ctx, `SELECT total_changes()`).Scan(&n)
		return n, err
	}
	for next := -pages; ; next = pages { // a negative number begins, a positive one goes on
		before, err := changes()
		if err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, `INSERT INTO document_words (document_words, rank) VALUES ('merge', ?)`, next); err != nil {
			return err
		}
		if after, err := changes(); err != nil || after-before < 2 { // the command itself counts as one
			return err
		}
	}
}

// settings are the names of the sheet, for people to look at.
var settings = []string{
	"journal_mode", "synchronous", "busy_timeout", "foreign_keys", "trusted_schema", "cell_size_check", "mmap_size",
	"temp_store", "secure_delete", "wal_autocheckpoint", "journal_size_limit", "application_id", "user_version",
}

// journalOf reads from the header of a database which journal it has; a process that writes it must not call this.
func journalOf(path string) string {
	h, err := os.Open(path)
	if err != nil {
		return "delete"
	}
	defer func() { _ = h.Close() }() // it was only read
	version := make([]byte, 1)
	if _, err := h.ReadAt(version, 18); err == nil && version[0] == 2 { // https://www.sqlite.org/fileformat.html, 1.3.3
		return "wal"
	}
	return "delete"
}

func (f *file) facts(ctx context.Context) (db.Facts, error) {
	facts := db.Facts{Engine: "sqlite", Location: f.Path, Settings: map[string]string{}}
	facts.Settings["file_system"] = fileSystem(filepath.Dir(f.Path))
	if err := f.write.QueryRowContext(ctx, `SELECT sqlite_version()`).Scan(&facts.Version); err != nil {
		return facts, err
	}
	for _, name := range settings {
		var value string
		if err := f.write.QueryRowContext(ctx, `PRAGMA `+name).Scan(&value); err != nil {
			return facts, fmt.Errorf("pragma %s: %w", name, err)
		}
		facts.Settings[name] = value
	}
	if f.sealed { // then SQLite names no journal
		facts.Settings["journal_mode"] = journalOf(f.Path)
	}
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(f.Path + suffix); err == nil {
			facts.Bytes += info.Size()
		}
	}
	err := f.write.QueryRowContext(ctx, `SELECT (p.page_count - f.freelist_count) * s.page_size
		FROM pragma_page_count() AS p, pragma_freelist_count() AS f, pragma_page_size() AS s`).Scan(&facts.Used)
	return facts, err
}

// SQLite's primary result codes that a person can do something about.
const (
	codeBusy     = 5
	codeLocked   = 6
	codeReadOnly = 8
	codeIO       = 10
	codeCorrupt  = 11
	codeFull     = 13
	codeCantOpen = 14
	codeNotADB   = 26
	codeTooBig   = 18
	codeUnfit    = 19 // a constraint of the schema
	codeMismatch = 20

	codeSharedSize = 19 // the second byte of an input or output error: the index of the log cannot be made
)

func code(err error) int {
	var se *driver.Error
	if !errors.As(err, &se) {
		return 0
	}
	return se.Code() & 0xff
}

// temporary says whether the same transaction may succeed if tried again. A busy database was already waited for.
func temporary(err error) bool { return code(err) == codeLocked }

// unwritable recognises a file whose folder takes no log.
func unwritable(err error) bool { return code(err) == codeReadOnly || code(err) == codeCantOpen }

// noSharedMemory recognises a disk that has no room for the index of a log, which even reading needs.
func noSharedMemory(err error) bool {
	var se *driver.Error
	return errors.As(err, &se) && se.Code() == codeIO|codeSharedSize<<8
}

// explain sorts SQLite's own errors and adds what a person can do about them.
func explain(err error) error {
	switch code(err) {
	case codeCorrupt, codeNotADB:
		return fmt.Errorf("%w: %w (hebb doctor shows more, hebb backup restore brings a backup back)", memory.ErrDamaged, err)
	case codeTooBig, codeMismatch, codeUnfit:
		return fmt.Errorf("%w: %w", memory.ErrInvalid, err)
	case codeReadOnly:
		return fmt.Errorf("%w: %w (the file or its folder cannot be written)", memory.ErrRefused, err)
	case codeCantOpen:
		return fmt.Errorf("%w (look at the permissions of the file and its folder)", err)
	case codeBusy:
		return db.Busy(fmt.Errorf("%w (another process has been writing for too long; try again, or raise store.busy_timeout)", err))
	case codeFull:
		return fmt.Errorf("%w (the disk is full; nothing was changed: make room on it, then do this again)", err)
	case codeIO:
		if noSharedMemory(err) {
			return fmt.Errorf("%w (the disk is full; nothing was changed: make room on it, then do this again)", err)
		}
		return fmt.Errorf("%w (the disk is full or failing; nothing was changed: make room on it, or look after it, then do this again)", err)
	}
	return err
}
