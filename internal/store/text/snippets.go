package text

import (
	"context"
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Source is a source file as it was when its fragments were read.
type Source struct {
	Path                 string
	Size, Modified, Hash int64
	Skipped              string
}

// Sources returns the source files of a project that were read.
func (tx *Tx) Sources(ctx context.Context, project memory.ProjectID) ([]Source, error) {
	return db.All(ctx, tx.db, `SELECT path, size, modified, hash, skipped FROM source WHERE project_id = ? ORDER BY path`, []any{int64(project)},
		func(s *Source) []any { return []any{&s.Path, &s.Size, &s.Modified, &s.Hash, &s.Skipped} })
}

// SaveSource notes how a source file was.
func (tx *Tx) SaveSource(ctx context.Context, project memory.ProjectID, s Source) error {
	return tx.db.Put(ctx, CheckedSource, int64(project), indexed(s.Path), s.Size, s.Modified, s.Hash, s.Skipped)
}

// DropSource forgets a source file with its fragments, which have a kind.
func (tx *Tx) DropSource(ctx context.Context, project memory.ProjectID, path, kind string) error {
	if _, err := tx.db.Exec(ctx, `DELETE FROM source WHERE project_id = ? AND path = ?`, int64(project), indexed(path)); err != nil {
		return fmt.Errorf("source %q: %w", path, err)
	}
	return tx.DropFragments(ctx, project, path, kind, nil)
}

// DropFragments forgets the fragments of a file except some, by their numbers.
func (tx *Tx) DropFragments(ctx context.Context, project memory.ProjectID, path, kind string, except []int64) error {
	ids, err := tx.db.Ids(ctx, `SELECT id FROM document WHERE project_id = ? AND path = ? AND path <> '' AND kind = ?`, []any{int64(project), indexed(path), kind})
	if err != nil {
		return fmt.Errorf("fragments of %q: %w", path, err)
	}
	return tx.DeleteDocuments(ctx, slices.DeleteFunc(ids, func(id int64) bool { return slices.Contains(except, id) })...)
}

// Lines is where a fragment stands.
type Lines struct {
	First int `json:"first"`
	Last  int `json:"last"`
}

// SetLines notes where a fragment stands.
func (tx *Tx) SetLines(ctx context.Context, document int64, at Lines) error {
	return tx.db.Run(ctx, `INSERT INTO snippet (document_id, first_line, last_line) VALUES (?, ?, ?)
		ON CONFLICT (document_id) DO UPDATE SET first_line = excluded.first_line, last_line = excluded.last_line`, document, at.First, at.Last)
}

// LinesOf returns where fragments stand.
func (tx *Tx) LinesOf(ctx context.Context, documents []int64) (map[int64]Lines, error) {
	return db.MapOf[int64](ctx, tx.db, `SELECT document_id, first_line, last_line FROM snippet WHERE document_id IN %s`, documents,
		func(l *Lines) []any { return []any{&l.First, &l.Last} })
}

// Titles returns the titles of the fragments of a file, in their order there, up to a number.
func (tx *Tx) Titles(ctx context.Context, project memory.ProjectID, path string, most int) (titles []string, err error) {
	err = tx.db.Each(ctx, `SELECT title FROM document WHERE project_id = ? AND path = ? AND path <> '' AND kind = ? ORDER BY id LIMIT ?`,
		[]any{int64(project), path, memory.SnippetText, most}, db.Collect(&titles, db.Column))
	return titles, db.Wrap(err, "titles of %s", path)
}
