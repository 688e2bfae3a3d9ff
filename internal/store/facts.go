package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/store/text"
)

// Fact is a value that is kept as a whole: how far a job has come, or a small document. It belongs to the whole store, to a project, or
// to something else that has a name. One that was never set is the zero value.
type Fact[T any] struct{ fact }

// fact is what does not depend on the type of the value: it is compiled once.
type fact struct {
	name    string
	project memory.ProjectID
	subject string
}

// NewFact names a fact about the whole store.
func NewFact[T any](name string) Fact[T] { return Fact[T]{fact{name: name}} }

// Of is the fact of that name about a project.
func (f Fact[T]) Of(project memory.ProjectID) Fact[T] { f.project = project; return f }

// About is the fact of that name about something else.
func (f Fact[T]) About(subject string) Fact[T] { f.subject = subject; return f }

func (f fact) key() []any { return []any{f.name, int64(f.project), f.subject} }

// Get reads the fact.
func (f Fact[T]) Get(ctx context.Context, tx *Tx) (value T, err error) {
	if err = f.get(ctx, tx, &value); err != nil {
		var none T
		return none, err
	}
	return value, nil
}

// get reads the fact into the value that a pointer points to.
func (f fact) get(ctx context.Context, tx *Tx, value any) error {
	var text string
	err := tx.db.One(ctx, `SELECT value FROM fact WHERE name = ? AND project_id = ? AND subject = ?`, f.key(), &text)
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("fact %s: %w", f.name, err)
	}
	return f.read(text, value)
}

// read decodes a stored value into the one that a pointer points to.
func (f fact) read(text string, value any) error {
	if json.Unmarshal([]byte(text), value) != nil {
		return fmt.Errorf("fact %s is %.60q: %w", f.name, text, memory.ErrDamaged)
	}
	return nil
}

// Set replaces the fact.
func (f Fact[T]) Set(ctx context.Context, tx *Tx, value T) error {
	return f.set(ctx, tx, value, tx.Now)
}

// SetAt is Set with another time for ClearBefore than that of the transaction.
func (f Fact[T]) SetAt(ctx context.Context, tx *Tx, value T, at time.Time) error {
	return f.set(ctx, tx, value, at)
}

func (f fact) set(ctx context.Context, tx *Tx, value any, at time.Time) error {
	encoded, err := json.Marshal(value)
	if err == nil {
		err = tx.db.Put(ctx, text.CheckedFact, append(f.key(), string(encoded), db.Millis(at))...)
	}
	return db.Wrap(err, "fact %s", f.name)
}

// Clear removes the fact.
func (f fact) Clear(ctx context.Context, tx *Tx) error {
	return tx.db.Run(ctx, `DELETE FROM fact WHERE name = ? AND project_id = ? AND subject = ?`, f.key()...)
}

// ClearBefore removes all facts of that name that were set before a time.
func (f fact) ClearBefore(ctx context.Context, tx *Tx, at time.Time) error {
	return tx.db.Run(ctx, `DELETE FROM fact WHERE name = ? AND at < ?`, f.name, db.Millis(at))
}

// ByProject reads all facts of that name without a subject.
func (f Fact[T]) ByProject(ctx context.Context, tx *Tx) (map[memory.ProjectID]T, error) {
	found, err := f.records(ctx, tx, ` AND subject = ''`)
	values := make(map[memory.ProjectID]T, len(found))
	for _, r := range found {
		values[r.project] = r.value
	}
	return values, err
}

// BySubject reads all facts of that name about things of one project.
func (f Fact[T]) BySubject(ctx context.Context, tx *Tx) (map[string]T, error) {
	found, err := f.records(ctx, tx, ` AND project_id = ?`, int64(f.project))
	values := make(map[string]T, len(found))
	for _, r := range found {
		values[r.subject] = r.value
	}
	return values, err
}

// record is a fact with what it is about and when it was set.
type record[T any] struct {
	project memory.ProjectID
	subject string
	at      time.Time
	value   T
}

// records reads those facts of that name that the rest of a query chooses.
func (f Fact[T]) records(ctx context.Context, tx *Tx, rest string, args ...any) (found []record[T], err error) {
	var value string
	err = tx.db.Each(ctx, `SELECT project_id, subject, at, value FROM fact WHERE name = ?`+rest, append([]any{f.name}, args...),
		db.ForEach(func(r *record[T]) []any {
			return []any{(*int64)(&r.project), &r.subject, db.Time(&r.at), &value}
		}, func(r record[T]) error {
			err := f.read(value, &r.value)
			found = append(found, r)
			return err
		}))
	return found, db.Wrap(err, "facts %s", f.name)
}

// FactLine is a fact of any name, as an export holds it.
type FactLine struct {
	Name    string           `json:"name"`
	Project memory.ProjectID `json:"project,omitzero"`
	Subject string           `json:"subject,omitempty"`
	At      time.Time        `json:"at"`
	Value   json.RawMessage  `json:"value"`
}

// FactLines reads all facts.
func (tx *Tx) FactLines(ctx context.Context) ([]FactLine, error) {
	return db.All(ctx, tx.db, `SELECT name, project_id, subject, at, value FROM fact ORDER BY name, project_id, subject`, nil, func(f *FactLine) []any {
		return []any{&f.Name, (*int64)(&f.Project), &f.Subject, db.Time(&f.At), (*[]byte)(&f.Value)}
	})
}

// KeepFact sets a fact that was never set.
func (tx *Tx) KeepFact(ctx context.Context, f FactLine) error {
	_, err := tx.db.Insert(ctx, text.CheckedFact, f.Name, int64(f.Project), f.Subject, string(f.Value), db.Millis(f.At))
	return db.Wrap(err, "fact %s", f.Name)
}

// numbered is one of many facts of that name. Its subject has zeros before the number, so that they sort.
func (f Fact[T]) numbered(n int64) Fact[T] { return f.About(fmt.Sprintf("%010d", n)) }

// next is a number that is higher than those there are.
func (f fact) next(ctx context.Context, tx *Tx) (int64, error) {
	last, err := db.Value[string](ctx, tx.db, `SELECT COALESCE(MAX(subject), '0') FROM fact WHERE name = ? AND project_id = 0`, f.name)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(last, 10, 64)
	return n + 1, db.Wrap(err, "number of fact %s", f.name)
}

// trim deletes all facts of that name but the latest, up to a number.
func (f fact) trim(ctx context.Context, tx *Tx, kept int) error {
	return tx.db.Run(ctx, `DELETE FROM fact WHERE name = ? AND at < COALESCE((SELECT at FROM fact WHERE name = ?
		ORDER BY at DESC LIMIT 1 OFFSET ?), 0)`, f.name, f.name, kept-1)
}
