package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

const projectColumns = `id, identity, root, name, tagged, first_at, last_at, clock`

// SeeProject notes that something happened in a project. A name a person gave is kept.
func (tx *Tx) SeeProject(ctx context.Context, p memory.Project) error {
	return tx.db.Run(ctx, `
		INSERT INTO project (id, identity, root, name, first_at, last_at, clock) VALUES (?, ?, ?, ?, ?, ?, 0)
		ON CONFLICT (id) DO UPDATE SET
			root     = CASE WHEN excluded.last_at >= project.last_at THEN excluded.root ELSE project.root END,
			name     = CASE WHEN project.tagged = 1 OR excluded.last_at < project.last_at THEN project.name ELSE excluded.name END,
			first_at = CASE WHEN excluded.first_at < project.first_at THEN excluded.first_at ELSE project.first_at END,
			last_at  = CASE WHEN excluded.last_at > project.last_at THEN excluded.last_at ELSE project.last_at END`,
		int64(p.ID), p.Identity, p.Root, p.Name, db.Millis(p.FirstAt), db.Millis(p.LastAt))
}

// NameProject gives a project the name a person chose. Names are unique so that they can be used in commands.
func (tx *Tx) NameProject(ctx context.Context, id memory.ProjectID, name string) error {
	var other int64
	err := tx.db.One(ctx, `SELECT id FROM project WHERE name = ? AND id <> ? LIMIT 1`, []any{name, int64(id)}, &other)
	if err == nil {
		return fmt.Errorf("project name %q: taken by %s: %w", name, memory.ProjectID(other), memory.ErrConflict)
	}
	if !errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("project name %q: %w", name, err)
	}
	err = tx.db.Change(ctx, `UPDATE project SET name = ?, tagged = 1 WHERE id = ?`, name, int64(id))
	return db.Wrap(err, "name project %s", id)
}

// Project returns one project.
func (tx *Tx) Project(ctx context.Context, id memory.ProjectID) (memory.Project, error) {
	ps, err := tx.projects(ctx, `SELECT `+projectColumns+` FROM project WHERE id = ?`, int64(id))
	first, err := db.First(ps, err)
	return first, db.Wrap(err, "project %s", id)
}

// ProjectsNamed returns the projects of that name; untagged ones may share it.
func (tx *Tx) ProjectsNamed(ctx context.Context, name string) ([]memory.Project, error) {
	return tx.projects(ctx, `SELECT `+projectColumns+` FROM project WHERE name = ? ORDER BY last_at DESC, id`, name)
}

// Projects returns all projects, the one last worked in first.
func (tx *Tx) Projects(ctx context.Context) ([]memory.Project, error) {
	return tx.projects(ctx, `SELECT `+projectColumns+` FROM project ORDER BY last_at DESC, id`)
}

func (tx *Tx) projects(ctx context.Context, query string, args ...any) ([]memory.Project, error) {
	var ps []memory.Project
	err := tx.db.Each(ctx, query, args, db.Collect(&ps, func(p *memory.Project) []any {
		return []any{(*int64)(&p.ID), &p.Identity, &p.Root, &p.Name, &p.Tagged, db.Time(&p.FirstAt), db.Time(&p.LastAt), &p.Clock}
	}))
	return ps, err
}

// ProjectCounts are the figures shown beside a project.
type ProjectCounts struct {
	Sessions int64 `json:"sessions"`
	Events   int64 `json:"events"`
	Files    int64 `json:"files"`
}

// CountProject counts what is known of a project.
func (tx *Tx) CountProject(ctx context.Context, id memory.ProjectID) (c ProjectCounts, err error) {
	err = tx.db.One(ctx, `SELECT
		(SELECT COUNT(*) FROM session WHERE project_id = ?),
		(SELECT COUNT(*) FROM event   WHERE project_id = ? AND NOT `+ownEvents+`) + (SELECT COALESCE(SUM(events), 0) FROM pack WHERE project_id = ?),
		(SELECT COUNT(*) FROM neuron  WHERE project_id = ? AND kind = ? AND gone = 0)`,
		[]any{int64(id), int64(id), int64(id), int64(id), string(memory.FileNeuron)}, &c.Sessions, &c.Events, &c.Files)
	return c, db.Wrap(err, "count project %s", id)
}
