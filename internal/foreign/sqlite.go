package foreign

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver for database/sql

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	// maxCell cuts what a damaged or hostile database may hand out as one value.
	maxCell = 1 << 20
	// copyTries is how often a database that is being written is copied before giving up.
	copyTries = 5
)

// Database is another program's SQLite file, open for reading. SQLite itself would write: a reader in WAL mode creates -wal and
// -shm files, and a journal is rolled back. So a file without either is opened as immutable, and of one with either a copy is
// read.
type Database struct {
	*sql.DB
	r      *reading
	name   string // of the file, without its folder
	path   string
	copied string // folder of the copy, removed at the end
	seen   int
	Broken error // why a table could not be read to its end
}

// sqliteFile reports whether a file begins as SQLite files do.
func sqliteFile(path string) bool {
	f, err := regular(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 16)
	_, err = io.ReadFull(f, head)
	return err == nil && bytes.Equal(head, []byte("SQLite format 3\x00"))
}

// OpenDatabase opens a database for a reader of another package; Problems lists what could not be read.
func OpenDatabase(ctx context.Context, path string) (*Database, error) {
	return newReading(ctx, "", Options{}).openSQLite(path)
}

// Problems lists what could not be read so far.
func (d *Database) Problems() []Problem { return d.r.out.Problems }

func (r *reading) openSQLite(path string) (*Database, error) {
	path, err := filepath.EvalSymlinks(path) // SQLite keeps its other files beside the real one
	if err != nil {
		return nil, notFound(err)
	}
	if !sqliteFile(path) {
		return nil, fmt.Errorf("%s is no SQLite database: %w", path, memory.ErrInvalid)
	}
	d := &Database{r: r, name: filepath.Base(path), path: path}
	open, mode := path, url.Values{"mode": {"ro"}, "immutable": {"1"}}
	inUse := func(ending string) bool {
		info, err := os.Stat(path + ending)
		return err == nil && info.Size() > 0
	}
	if slices.ContainsFunc(besides, inUse) {
		if open, err = d.copy(path); err != nil {
			return nil, errors.Join(err, d.Close())
		}
		mode = url.Values{"mode": {"rw"}}
	}
	mode.Set("_query_only", "on")
	mode.Set("_dqs", "0")
	for _, pragma := range []string{"trusted_schema(OFF)", "cell_size_check(ON)", "mmap_size(0)", "temp_store(MEMORY)"} {
		mode.Add("_pragma", pragma)
	}
	d.DB, err = sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(open)}).EscapedPath()+"?"+mode.Encode())
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.SetMaxOpenConns(1)
	if _, err := d.tables(r.ctx); err != nil {
		return nil, errors.Join(d.unreadable(err), d.Close())
	}
	return d, nil
}

// besides are the endings of the files beside a database that hold a part of it.
var besides = []string{"-wal", "-journal"}

// copy copies the database and the files beside it into a temporary folder, again if one of them changed meanwhile.
func (d *Database) copy(path string) (string, error) {
	dir, err := os.MkdirTemp("", "hebb-import-")
	if err != nil {
		return "", err
	}
	d.copied = dir
	to := filepath.Join(dir, "copy.db")
	for range copyTries {
		before := stamps(path)
		for _, suffix := range append(besides, "") {
			if err := copyFile(path+suffix, to+suffix); err != nil && (suffix == "" || !errors.Is(err, fs.ErrNotExist)) {
				return "", fmt.Errorf("copy %s: %w", path+suffix, err)
			}
		}
		if before == stamps(path) {
			return to, nil
		}
	}
	return "", fmt.Errorf("%s is being written; close the tool that uses it and import again: %w", path, memory.ErrConflict)
}

// stamps are the sizes and times of a database and the files beside it.
func stamps(path string) (all string) {
	for _, suffix := range append(besides, "") {
		if info, err := os.Stat(path + suffix); err == nil {
			all += fmt.Sprintln(suffix, info.Size(), info.ModTime().UnixNano())
		}
	}
	return all
}

// copyFile copies a file. A file that is not there leaves no copy.
func copyFile(from, to string) error {
	if err := filesys.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	in, err := filesys.Open(from, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// Close also removes the copy, if one was made.
func (d *Database) Close() error {
	var err error
	if d.DB != nil {
		err = d.DB.Close()
	}
	if d.copied != "" {
		err = errors.Join(err, os.RemoveAll(d.copied))
	}
	return err
}

// done closes the database. A copy that could not be removed is reported: it holds what the original holds.
func (d *Database) done() {
	if err := d.Close(); err != nil {
		d.r.problem(d.name, "%v; remove the copy %s yourself", err, d.copied)
	}
}

// finish returns an error if nothing could be read.
func (d *Database) finish() error {
	if d.seen == 0 && d.Broken != nil {
		return d.unreadable(d.Broken)
	}
	return nil
}

func (d *Database) unreadable(err error) error {
	return fmt.Errorf("%s cannot be read (%w); try: sqlite3 %s .recover: %w", d.path, err, d.name, memory.ErrDamaged)
}

// tables lists the plain tables with their columns.
func (d *Database) tables(ctx context.Context) (found map[string][]string, err error) {
	rows, err := d.QueryContext(ctx, `SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY m.name, c.cid`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	found = map[string][]string{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return nil, err
		}
		found[table] = append(found[table], column)
	}
	return found, rows.Err()
}

// Table is what a reader wants of one table.
type Table struct {
	Name, Key string
	Need      []string // without these columns a row says nothing
	Optional  bool
	do        func(Row)
}

// Each sets what is done with the rows.
func (t Table) Each(do func(Row)) Table {
	t.do = do
	return t
}

// readTables reads some tables of the database at a path.
func (r *reading) readTables(path string, tables ...Table) error {
	db, err := r.openSQLite(path)
	if err != nil {
		return err
	}
	defer db.done()
	for _, t := range tables {
		if err := db.Rows(t); err != nil {
			return err
		}
	}
	return db.finish()
}

// Row is one row, every value as text.
type Row struct {
	Key    string
	values map[string]string
	file   string // of the database
	source string // of what the row says
}

// Raw is a value as the database holds it.
func (r Row) Raw(column string) string { return r.values[column] }

func (r Row) Text(column string) string { return clean(r.values[column]) }

func (r Row) int(column string) int64 {
	f := r.float(column)
	if f > 1e18 || f < -1e18 {
		return 0
	}
	return int64(f)
}

func (r Row) float(column string) float64 {
	f, err := strconv.ParseFloat(strings.TrimSpace(r.values[column]), 64)
	if err != nil || f != f {
		return 0
	}
	return f
}

// Time reads the first of the columns that holds one: a number since 1970, or text.
func (r Row) Time(columns ...string) time.Time {
	for _, column := range columns {
		v := strings.TrimSpace(r.values[column])
		if v == "" {
			continue
		}
		var t time.Time
		if _, err := strconv.ParseFloat(v, 64); err == nil {
			t = unix(r.int(column))
		} else {
			t = moment(v, time.UTC)
		}
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// Rows passes the rows of a table to its Each function in the order of its key. Missing columns are a problem, and so is a damaged
// table, whose rows before the damage count.
func (d *Database) Rows(t Table) error {
	tables, err := d.tables(d.r.ctx)
	if err != nil {
		return err
	}
	has, found := tables[t.Name]
	if !found {
		if t.Optional {
			return nil
		}
		return fmt.Errorf("%s holds no table %q; is it a database of %s?: %w", d.path, t.Name, d.r.format, memory.ErrInvalid)
	}
	missing := slices.DeleteFunc(slices.Clone(t.Need), func(c string) bool { return slices.Contains(has, c) })
	if len(missing) > 0 {
		d.r.problem(d.name+" "+t.Name, "lacks the columns %s; this version of %s is not understood, and nothing was read from it",
			strings.Join(missing, ", "), d.r.format)
		return nil
	}
	key := quoted(t.Key)
	if !slices.Contains(has, t.Key) {
		key = "rowid"
	}
	query := "SELECT CAST(" + key + " AS TEXT)"
	for _, c := range has {
		query += ", substr(CAST(" + quoted(c) + " AS TEXT), 1, " + strconv.Itoa(maxCell) + ")"
	}
	query += " FROM " + quoted(t.Name) + " ORDER BY " + key
	return d.Each(t.Name, query, has, func(row Row) error {
		row.source = d.r.source(d.name, t.Name+"/"+row.Key)
		t.do(row)
		return d.r.err
	})
}

// Each calls do for the rows of a query, whose first column is the key.
func (d *Database) Each(name, query string, columns []string, do func(Row) error) (err error) {
	rows, err := d.QueryContext(d.r.ctx, query)
	if err != nil {
		return d.fail(name, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	values := make([]sql.NullString, len(columns)+1)
	into := make([]any, len(values))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return d.fail(name, err)
		}
		d.seen++
		one := Row{Key: clean(values[0].String), values: make(map[string]string, len(columns)), file: d.name}
		for i, c := range columns {
			one.values[c] = values[i+1].String
		}
		if err := do(one); err != nil {
			return err
		}
	}
	return d.fail(name, rows.Err())
}

func (d *Database) fail(name string, err error) error {
	if err == nil || d.r.ctx.Err() != nil {
		return d.r.ctx.Err()
	}
	d.Broken = err
	d.r.problem(d.name+" "+name, "could not be read to its end (%v); try: sqlite3 %s .recover", err, d.name)
	return nil
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
