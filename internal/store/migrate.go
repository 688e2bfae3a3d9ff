package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// Migration is one numbered step of the schema, in the shared text.
type Migration struct {
	Version int
	Name    string
	SQL     string
}

// Migrations returns every step in order. The last one's version is the schema this program knows.
func Migrations() []Migration {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // sorted by name
	if err != nil {
		panic(err) // the pattern is a constant
	}
	var steps []Migration
	for _, name := range names {
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			panic(err) // embedded at build time
		}
		base := strings.TrimSuffix(strings.TrimPrefix(name, "migrations/"), ".sql")
		digits, title, _ := strings.Cut(base, "_")
		version, err := strconv.Atoi(digits)
		if err != nil || version != len(steps)+1 {
			panic(fmt.Sprintf("migration %s: want number %d", name, len(steps)+1))
		}
		steps = append(steps, Migration{Version: version, Name: title, SQL: string(text)})
	}
	return steps
}

// migrate checks the schema before anything is written. A newer one is refused, an older one is copied first.
func migrate(ctx context.Context, e Engine, steps []Migration) error {
	known := steps[len(steps)-1].Version
	version, err := e.Version(ctx, e.Read)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if version == known {
		return nil
	}
	if version > known {
		return newerSchema(version, known)
	}
	return e.Exclusive(ctx, func() error {
		// Another process may have been here first.
		version, err := e.Version(ctx, e.Read)
		if err != nil {
			return fmt.Errorf("read schema version: %w", err)
		}
		if version > known {
			return newerSchema(version, known)
		}
		if version > 0 && version < known {
			if _, err := e.Snapshot(ctx, fmt.Sprintf("before-schema-%d", known)); err != nil {
				return fmt.Errorf("backup before migration: %w", err)
			}
		}
		for _, step := range steps {
			if step.Version <= version {
				continue
			}
			if err := apply(ctx, e, step); err != nil {
				return fmt.Errorf("migration %d (%s): %w", step.Version, step.Name, err)
			}
		}
		return nil
	})
}

func newerSchema(version, known int) error {
	return fmt.Errorf("store has schema %d, this hebb knows %d: upgrade hebb, or restore a backup from before: %w",
		version, known, memory.ErrRefused)
}

// apply runs one step and its version mark in one transaction: a kill in between leaves the old schema whole.
func apply(ctx context.Context, e Engine, step Migration) error {
	tx, err := e.Durable.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, e.Words.Replace(step.SQL)); err != nil {
		return err
	}
	if err := e.SetVersion(ctx, tx, step.Version); err != nil {
		return err
	}
	return tx.Commit()
}
