package db

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Where collects conditions and their parameters.
type Where struct {
	Conditions []string
	Args       []any
}

func (w *Where) And(condition string, args ...any) {
	w.Conditions = append(w.Conditions, condition)
	w.Args = append(w.Args, args...)
}

func (w *Where) String() string {
	if len(w.Conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.Conditions, " AND ")
}

// Further is the conditions after others of the same query.
func (w *Where) Further() string {
	if len(w.Conditions) == 0 {
		return ""
	}
	return " AND " + strings.Join(w.Conditions, " AND ")
}

// When adds a condition if it is to filter.
func (w *Where) When(filter bool, condition string, args ...any) {
	if filter {
		w.And(condition, args...)
	}
}

// Limit is the LIMIT clause of a query; 0 is no limit.
func (w *Where) Limit(most int) string {
	if most <= 0 {
		return ""
	}
	w.Args = append(w.Args, most)
	return " LIMIT ?"
}

// Marks are the parameters of a list of n values, n > 0.
func Marks(n int) string { return "(?" + strings.Repeat(", ?", max(n-1, 0)) + ")" }

// AtOnce is the number of list values in one statement.
const AtOnce = 128

// List is the text and the parameters of a list of values. The last one is repeated up to a power of two: few different texts are
// few statements to prepare.
func List[T any](list []T) (in string, args []any) {
	args = make([]any, RoundUp(len(list)))
	for i := range args {
		args[i] = value(list[min(i, len(list)-1)])
	}
	return Marks(len(args)), args
}

// RoundUp is the next power of two.
func RoundUp(n int) int { return 1 << bits.Len(uint(n-1)) } //nolint:gosec // lists are not empty

// Values are the parameters for a list.
func Values[T any](list []T) []any {
	args := make([]any, len(list))
	for i, v := range list {
		args[i] = value(v)
	}
	return args
}

// value is a parameter as statements and checksums take it.
func value(v any) any {
	switch v := v.(type) {
	case memory.NeuronID:
		return int64(v)
	case memory.ProjectID:
		return int64(v)
	case memory.SessionID:
		return int64(v)
	case memory.EventID:
		return string(v)
	}
	return v
}

// TimeOrNull is a time, or NULL for the zero time.
func TimeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return Millis(t)
}

// OrNull is a number, or NULL for 0.
func OrNull(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

// EachOf reads rows that have one of some values, some at a time. A query has %s for the list of values, after other parameters.
func EachOf[T any](ctx context.Context, tx *Tx, query string, before []any, list []T, scan func(*sql.Rows) error) error {
	for some := range slices.Chunk(list, AtOnce) {
		in, args := List(some)
		if err := tx.Each(ctx, fmt.Sprintf(query, in), append(slices.Clip(before), args...), scan); err != nil {
			return err
		}
	}
	return nil
}

// ExecOf is eachOf for a statement without rows.
func ExecOf[T any](ctx context.Context, tx *Tx, query string, before []any, list []T) error {
	for some := range slices.Chunk(list, AtOnce) {
		in, args := List(some)
		if _, err := tx.Exec(ctx, fmt.Sprintf(query, in), append(slices.Clip(before), args...)...); err != nil {
			return err
		}
	}
	return nil
}

// Pieces are a list in parts whose lengths are powers of two: few statements to prepare, whatever the lengths of lists.
func Pieces[T any](list []T, most int) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for len(list) > 0 {
			n := most
			for n > len(list) {
				n /= 2
			}
			if !yield(list[:n]) {
				return
			}
			list = list[n:]
		}
	}
}
