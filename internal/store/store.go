// Package store keeps what hebb knows in a database: SQLite in a file.
// It executes typed commands inside transactions and decides nothing: formulas live in the packages of the logic row,
// use cases in brain. Times are unix milliseconds, IDs are hebb's own, and no statement reads a clock.
package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/store/text"
)

// Store is an open database.
type Store struct {
	client  db.Client
	entropy io.Reader // of new IDs
}

// Tx is one transaction. Everything in it happens at Now.
type Tx struct {
	text.Tx
	db      *db.Tx
	balance map[memory.ProjectID]plasticity.Balance // those read
	calls   packedIDs                               // of the session that InPack was last asked about
	entropy io.Reader
}

// with makes a function of a transaction of the database one of a transaction of the store.
func (s *Store) with(fn func(*Tx) error) func(*db.Tx) error {
	return func(tx *db.Tx) error {
		return fn(&Tx{Tx: text.New(tx), db: tx, balance: map[memory.ProjectID]plasticity.Balance{}, entropy: s.entropy})
	}
}

// NewID makes an ID that sorts by time.
func (s *Store) NewID() (memory.EventID, error) { return memory.NewEventID(s.client.Now(), s.entropy) }

// NewID makes an ID that sorts by the instant of the transaction.
func (tx *Tx) NewID() (memory.EventID, error) { return memory.NewEventID(tx.Now, tx.entropy) }

// Watch is for tests: it calls begun when a write transaction has the write lock, and the function that begun returned at its end.
func (s *Store) Watch(begun func() (ended func(db.RowCount))) { s.client.Watch = begun }

func newStore(engine db.Engine, now func() time.Time) *Store {
	return &Store{client: db.Client{Engine: engine, Now: now}, entropy: rand.Reader}
}

// Open brings the schema up to date and returns the store. now gives each transaction its one instant.
func Open(ctx context.Context, engine db.Engine, migrations []db.Migration, now func() time.Time) (*Store, error) {
	s := newStore(engine, now)
	if err := db.Migrate(ctx, engine, migrations); err != nil {
		return nil, errors.Join(engine.Explain(err), s.Close())
	}
	return s, nil
}

// At returns the same store with its clock stopped: its transactions happen at that instant, and the first ID that they make is made of seed. It is
// closed with the original.
func (s *Store) At(instant time.Time, seed []byte) *Store {
	stopped := *s
	stopped.entropy = io.MultiReader(bytes.NewReader(seed), rand.Reader)
	stopped.client.Now = func() time.Time { return instant }
	return &stopped
}

// ErrBehind says that a store waits for a migration.
var ErrBehind = fmt.Errorf("the next hebb command brings it up to date: %w", memory.ErrRefused)

// OpenReadOnly opens the store without creating, migrating or waiting for a lock.
func OpenReadOnly(ctx context.Context, engine db.Engine, migrations []db.Migration, now func() time.Time) (*Store, error) {
	s := newStore(engine, now)
	version, err := engine.Version(ctx, engine.Read)
	if err == nil && version != len(migrations) {
		err = fmt.Errorf("store has schema %d, this hebb reads %d: %w", version, len(migrations), memory.ErrRefused)
		if version > 0 && version < len(migrations) {
			err = fmt.Errorf("store has schema %d, this hebb reads %d: %w", version, len(migrations), ErrBehind)
		}
	}
	if err != nil {
		return nil, errors.Join(engine.Explain(err), s.Close())
	}
	return s, nil
}

// Close releases the database. Writers go last: the connection that closes last empties SQLite's log into the file.
func (s *Store) Close() error {
	return errors.Join(s.client.Read.Close(), s.client.Durable.Close(), s.client.Write.Close())
}

// Facts describes the database.
func (s *Store) Facts(ctx context.Context) (db.Facts, error) {
	facts, err := s.client.Facts(ctx)
	return facts, s.client.Explain(err)
}

// Snapshot keeps a copy beside the store and says where.
func (s *Store) Snapshot(ctx context.Context, label string) (string, error) {
	where, err := s.client.Snapshot(ctx, label)
	return where, s.client.Explain(err)
}

// CopyTo copies the store into a new file.
func (s *Store) CopyTo(ctx context.Context, path string) error {
	return s.client.Explain(s.client.CopyTo(ctx, path))
}

// Tidy gives freed space back to the system and makes forgotten bytes unreadable.
func (s *Store) Tidy(ctx context.Context) error { return s.client.Explain(s.client.Tidy(ctx)) }

// Update runs fn in one write transaction with one instant. It commits observations: consistent after any crash, though
// a power cut may take the newest with it. fn may run more than once, so it must not have effects elsewhere.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	return s.client.Update(ctx, s.client.Write, s.with(fn))
}

// UpdateSome is one transaction of a long job. Afterwards it leaves the store alone for half the time it took: other writers only
// look now and then whether they can begin.
func (s *Store) UpdateSome(ctx context.Context, fn func(*Tx) error) error {
	began := s.client.Now()
	if err := s.Update(ctx, fn); err != nil {
		return err
	}
	return Wait(ctx, s.client.Now().Sub(began)/2)
}

// Wait lets a moment pass.
func Wait(ctx context.Context, moment time.Duration) error {
	if moment <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(moment)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// UpdateDurable is Update for what a person or an agent said: when it returns, a power cut loses nothing of it, nor of
// any Update before it.
func (s *Store) UpdateDurable(ctx context.Context, fn func(*Tx) error) error {
	return s.client.Update(ctx, s.client.Durable, s.with(func(tx *Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return tx.seal(ctx)
	}))
}

// seal changes one row. Without any change a commit does not reach the disk, nor do the observations before it: a drain
// that meets only known events would then remove the spool while the store still has them in memory alone.
func (tx *Tx) seal(ctx context.Context) error {
	return tx.db.Run(ctx, `UPDATE totals SET flushed = 1 - flushed`)
}

// View runs fn on one consistent state without writing. fn runs once, so it may hand on what it reads: a reader of a
// snapshot conflicts with nobody.
func (s *Store) View(ctx context.Context, fn func(*Tx) error) error {
	return s.client.View(ctx, s.with(fn))
}
