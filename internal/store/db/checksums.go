package db

import (
	"context"
	"database/sql"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
	"sync"
)

// Table is a table whose rows carry a checksum. A change of such a row writes its checksum in the same transaction:
// with the row if all values are known (Put, Insert), else afterwards (Rehash).
type Table struct {
	Name   string
	Key    int    // how many first columns name a row
	Fields string // the columns that the checksum covers, with blanks between; others are compared with the rows they are taken from

	once        sync.Once // what follows is made at first use: most hooks never open the store
	columns     []string
	insert, put string // statements
}

func (t *Table) prepare() *Table {
	t.once.Do(func() {
		t.columns = strings.Fields(t.Fields)
		t.insert = `INSERT INTO ` + t.Name + ` (` + strings.Join(t.columns, `, `) + `, checksum) VALUES ` + Marks(len(t.columns)+1) +
			` ON CONFLICT (` + strings.Join(t.columns[:t.Key], `, `) + `) DO `
		t.put = t.insert + `UPDATE SET checksum = excluded.checksum`
		for _, c := range t.columns[t.Key:] {
			t.put += `, ` + c + ` = excluded.` + c
		}
		t.insert += `NOTHING`
	})
	return t
}

// Columns are those that the checksum covers.
func (t *Table) Columns() []string { return t.prepare().columns }

// Insert adds a row with its checksum, given the values of all columns; one that is there stays as it is. It returns how many were added.
func (tx *Tx) Insert(ctx context.Context, t *Table, values ...any) (int64, error) {
	return tx.Exec(ctx, t.prepare().insert, append(values, Checksum(values...))...)
}

// Put adds a row with its checksum, given the values of all columns, or replaces the one that is there.
func (tx *Tx) Put(ctx context.Context, t *Table, values ...any) error {
	_, err := tx.Exec(ctx, t.prepare().put, append(values, Checksum(values...))...)
	return err
}

// A checksum has 62 bits.
const checksumRange = 1 << 62

// castagnoli is computed by hardware and finds every change of up to 32 bits in a row. The table is made at first use: at package
// initialisation every hook would pay for it.
func castagnoli(text []byte) uint64 {
	return uint64(crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
}

// Checksum is that of a row whose columns have these values, which are those a statement takes or a row returns.
func Checksum(values ...any) int64 {
	h := uint64(14695981039346656037) // FNV-1a over words of 64 bits
	add := func(v uint64) {
		h = (h ^ v) * 1099511628211
		h ^= h >> 29
	}
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			add(1)
		case int:
			add(2)
			add(uint64(v))
		case int64:
			add(2)
			add(uint64(v))
		case float64:
			add(3)
			if v != 0 { // databases keep no negative zero
				add(math.Float64bits(v))
			}
		case string:
			add(4)
			add(uint64(len(v))<<32 | castagnoli([]byte(v)))
		case []byte:
			add(5)
			add(uint64(len(v))<<32 | castagnoli(v))
		default:
			panic(fmt.Sprintf("checksum of a %T", v)) // no column has this type
		}
	}
	return int64(h % checksumRange)
}

// Row is a row of a checked table as it stands in the database.
type Row struct {
	Values []any
	stored int64
}

func (t *Table) eachRow(ctx context.Context, tx *Tx, condition string, args []any, yield func(Row) error) error {
	query := `SELECT checksum, ` + strings.Join(t.Columns(), `, `) + ` FROM ` + t.Name + condition
	return tx.Each(ctx, query, args, func(rows *sql.Rows) error {
		r := Row{Values: make([]any, len(t.Columns()))}
		into := []any{&r.stored}
		for i := range r.Values {
			into = append(into, &r.Values[i])
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		return yield(r)
	})
}

// Rehash writes the checksums of the rows that a condition chooses.
func (tx *Tx) Rehash(ctx context.Context, t *Table, condition string, args ...any) error {
	var rows []Row
	err := t.eachRow(ctx, tx, ` WHERE `+condition, args, func(r Row) error {
		rows = append(rows, r)
		return nil
	})
	if err != nil {
		return fmt.Errorf("checksums of %s: %w", t.Name, err)
	}
	update := `UPDATE ` + t.Name + ` SET checksum = ? WHERE ` + strings.Join(t.Columns()[:t.Key], ` = ? AND `) + ` = ?`
	for _, r := range rows {
		if err := tx.Run(ctx, update, append([]any{Checksum(r.Values...)}, r.Values[:t.Key]...)...); err != nil {
			return fmt.Errorf("checksum of %s: %w", t.Name, err)
		}
	}
	return nil
}

// Rehashed ends a write: it adds the checksums of the rows that were written, unless that failed.
func (tx *Tx) Rehashed(ctx context.Context, failed error, t *Table, condition string, args ...any) error {
	if failed != nil {
		return failed
	}
	return tx.Rehash(ctx, t, condition, args...)
}

// CheckChecksums compares every checked row with its checksum.
func (tx *Tx) CheckChecksums(ctx context.Context, tables []*Table, report func(where, what string)) (n int64, err error) {
	for _, t := range tables {
		err := t.eachRow(ctx, tx, ` ORDER BY `+strings.Join(t.Columns()[:t.Key], `, `), nil, func(r Row) error {
			n++
			if r.stored != Checksum(r.Values...) {
				report(t.nameOf(r), "content does not match its checksum")
			}
			return nil
		})
		if err != nil {
			return n, fmt.Errorf("check %s: %w", t.Name, err)
		}
	}
	return n, nil
}

// nameOf names a row for people.
func (t *Table) nameOf(r Row) string {
	parts := []string{t.Name}
	for _, v := range r.Values[:min(t.Key, 3)] {
		if id, ok := v.(int64); ok && t.Key > 1 {
			v = fmt.Sprintf("%x", uint64(id))
		}
		parts = append(parts, fmt.Sprint(v))
	}
	return strings.Join(parts, " ")
}
