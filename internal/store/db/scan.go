package db

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// All reads all rows of a query into a list. fields are where the columns of a row go, in their order.
func All[T any](ctx context.Context, tx *Tx, query string, args []any, fields func(*T) []any) (list []T, err error) {
	err = tx.Each(ctx, query, args, Collect(&list, fields))
	return list, err
}

// Map is All by the first column.
func Map[K comparable, T any](ctx context.Context, tx *Tx, query string, args []any, fields func(*T) []any) (map[K]T, error) {
	found := map[K]T{}
	return found, tx.Each(ctx, query, args, CollectMap(found, fields))
}

// Value reads the only column of the only row.
func Value[T any](ctx context.Context, tx *Tx, query string, args ...any) (value T, err error) {
	err = tx.One(ctx, query, args, &value)
	return value, err
}

// Collect collects rows in a list. fields are where the columns of a row go, in their order.
func Collect[T any](list *[]T, fields func(*T) []any) func(*sql.Rows) error {
	return ForEach(fields, func(v T) error {
		*list = append(*list, v)
		return nil
	})
}

// CollectMap collects rows in a map by their first column.
func CollectMap[K comparable, T any](found map[K]T, fields func(*T) []any) func(*sql.Rows) error {
	var key K
	return ForEach(func(v *T) []any { return append([]any{&key}, fields(v)...) }, func(v T) error {
		found[key] = v
		return nil
	})
}

// ForEach gives each row to a function.
func ForEach[T any](fields func(*T) []any, yield func(T) error) func(*sql.Rows) error {
	var v, none T
	dest := fields(&v)
	return func(rows *sql.Rows) error {
		v = none
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		return yield(v)
	}
}

// First is the first of the rows found; no row is memory.ErrNotFound.
func First[T any](found []T, err error) (first T, _ error) {
	if err == nil && len(found) == 0 {
		err = memory.ErrNotFound
	}
	if err != nil {
		return first, err
	}
	return found[0], nil
}

// Column is the field of a row of one column.
func Column[T any](v *T) []any { return []any{v} }

// Time reads a column of milliseconds; NULL is the zero time.
func Time(t *time.Time) sql.Scanner { return (*momentColumn)(t) }

type momentColumn time.Time

func (c *momentColumn) Scan(value any) error {
	switch v := value.(type) {
	case nil:
		*c = momentColumn{}
	case int64:
		*c = momentColumn(FromMillis(v))
	default:
		return fmt.Errorf("time of type %T", value)
	}
	return nil
}
