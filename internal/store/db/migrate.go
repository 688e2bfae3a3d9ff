package db

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Migration is one numbered step of the schema.
type Migration struct {
	Version int
	Name    string
	SQL     string
	// Rehash are the tables whose checksums this step brings: their rows get them after the last step.
	Rehash []*Table
	// Then is run before these: what a step changes that SQL cannot compute.
	Then func(ctx context.Context, tx *Tx) error
	// Last is run after the checksums: what locks out readers, such as removing a table.
	Last string
}

// Migrate checks the schema before anything is written. A newer one is refused, an older one is copied first.
func Migrate(ctx context.Context, e Engine, steps []Migration) error {
	known := len(steps) // they are numbered from 1
	version, err := e.Version(ctx, e.Read)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if err := CheckSchema(version, steps); err != nil || version == known {
		return err
	}
	return e.Exclusive(ctx, func() error {
		// Another process may have been here first.
		version, err := e.Version(ctx, e.Read)
		if err != nil {
			return fmt.Errorf("read schema version: %w", err)
		}
		if err := CheckSchema(version, steps); err != nil || version == known {
			return err
		}
		if version > 0 {
			if _, err := e.Snapshot(ctx, fmt.Sprintf("before-schema-%d", known)); err != nil {
				return fmt.Errorf("backup before migration: %w", err)
			}
		}
		for try := 1; ; try++ {
			err := apply(ctx, e, steps[version:])
			if err == nil || try == Tries || !e.Temporary(err) {
				return err
			}
		}
	})
}

// CheckSchema refuses a schema newer than the steps, because only the program that wrote it knows what it means, and one that no
// program wrote.
func CheckSchema(version int, steps []Migration) error {
	known := len(steps)
	if version > known {
		return fmt.Errorf("store has schema %d, this hebb knows %d: upgrade hebb, or restore a backup from before: %w",
			version, known, memory.ErrRefused)
	}
	if version < 0 {
		return fmt.Errorf("store has schema %d, which no hebb wrote: restore a backup: %w", version, memory.ErrDamaged)
	}
	return nil
}

// apply runs all steps and the version mark in one transaction: a kill or a failing step leaves the old schema whole,
// and the program before this one can still open it.
func apply(ctx context.Context, e Engine, steps []Migration) error {
	tx, err := e.Durable.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit this does nothing
	last := ""
	for _, step := range steps {
		if _, err := tx.ExecContext(ctx, step.SQL); err != nil {
			return fmt.Errorf("migration %d (%s): %w", step.Version, step.Name, err)
		}
		last += step.Last
	}
	rest := &Tx{tx: tx, statements: map[string]*sql.Stmt{}}
	for _, step := range steps {
		if step.Then != nil {
			if err := step.Then(ctx, rest); err != nil {
				return fmt.Errorf("migration %d (%s): %w", step.Version, step.Name, err)
			}
		}
		for _, t := range step.Rehash {
			if err := rest.Rehash(ctx, t, `checksum = -1`); err != nil {
				return fmt.Errorf("migration %d (%s): %w", step.Version, step.Name, err)
			}
		}
	}
	if _, err := tx.ExecContext(ctx, last); err != nil {
		return fmt.Errorf("end of the migrations: %w", err)
	}
	if err := e.SetVersion(ctx, tx, steps[len(steps)-1].Version); err != nil {
		return fmt.Errorf("write schema version: %w", err)
	}
	return tx.Commit()
}
