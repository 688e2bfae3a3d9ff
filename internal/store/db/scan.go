package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strings"
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

// Optional is Value, or the zero value without a row.
func Optional[T any](ctx context.Context, tx *Tx, query string, args ...any) (T, error) {
	value, err := Value[T](ctx, tx, query, args...)
	if errors.Is(err, memory.ErrNotFound) {
		err = nil
	}
	return value, err
}

// Any reports whether there is a row. from is what follows FROM in a query.
func (tx *Tx) Any(ctx context.Context, from string, args ...any) (bool, error) {
	found, err := Optional[int](ctx, tx, `SELECT 1 FROM `+from+` LIMIT 1`, args...)
	return found > 0, err
}

// MapOf is Map for rows that have one of some values, as in EachOf.
func MapOf[K comparable, T, V any](ctx context.Context, tx *Tx, query string, list []V, fields func(*T) []any) (map[K]T, error) {
	found := make(map[K]T, len(list))
	return found, EachOf(ctx, tx, query, nil, list, CollectMap(found, fields))
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

// Words reads a column of words with blanks between them.
func Words[T ~string](list *[]T) sql.Scanner { return wordsColumn[T]{list, strings.FieldsSeq} }

// Lines reads a column of lines.
func Lines(list *[]string) sql.Scanner { return wordsColumn[string]{list, nonEmptyLines} }

func nonEmptyLines(text string) iter.Seq[string] {
	return strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' })
}

type wordsColumn[T ~string] struct {
	list  *[]T
	parts func(string) iter.Seq[string]
}

func (c wordsColumn[T]) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("words of type %T", value)
	}
	for word := range c.parts(text) {
		*c.list = append(*c.list, T(word))
	}
	return nil
}

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
