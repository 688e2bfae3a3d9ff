package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
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

// Owner is the ID of the person whose memory a store on a server is. Empty keeps it.
var Owner = NewFact[string](ownerName)

const ownerName = "owner"

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
	if err == nil && json.Unmarshal([]byte(text), value) != nil {
		return fmt.Errorf("fact %s is %.60q: %w", f.name, text, memory.ErrDamaged)
	}
	return db.Wrap(err, "fact %s", f.name)
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
	text, err := json.Marshal(value)
	if err == nil {
		err = tx.db.Put(ctx, checkedFact, append(f.key(), string(text), db.Millis(at))...)
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
	texts := map[memory.ProjectID]string{}
	err := tx.db.Each(ctx, `SELECT project_id, value FROM fact WHERE name = ? AND subject = ''`, []any{f.name}, db.CollectMap(texts, db.Column))
	values := make(map[memory.ProjectID]T, len(texts))
	for id, text := range texts {
		var value T
		if json.Unmarshal([]byte(text), &value) != nil {
			return nil, fmt.Errorf("fact %s is %.60q: %w", f.name, text, memory.ErrDamaged)
		}
		values[id] = value
	}
	return values, db.Wrap(err, "facts %s", f.name)
}
