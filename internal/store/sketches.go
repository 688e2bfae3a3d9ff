package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Sketch is what ranking needs of a document. Words and Around stand with a blank between them and are valid until the
// next one is read.
type Sketch struct {
	ID      int64
	Project memory.ProjectID
	Kind    string
	Title   string
	Path    string
	At      time.Time
	Session memory.SessionID
	Words   sql.RawBytes
	Around  sql.RawBytes
}

const sketchColumns = `document.id, project_id, document.kind, title, path, at, COALESCE(session_id, 0), document.words, document.around`

func scanSketch(each func(Sketch) error) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		var s Sketch
		var at int64
		err := rows.Scan(&s.ID, (*int64)(&s.Project), &s.Kind, &s.Title, &s.Path, &at, (*int64)(&s.Session), &s.Words, &s.Around)
		if err != nil {
			return err
		}
		s.At = instant(at)
		return each(s)
	}
}

// MatchSketches hands over what Match would return.
func (tx *Tx) MatchSketches(ctx context.Context, e Expression, f DocumentFilter, each func(Sketch) error) error {
	if e = e.searchable(); e.Empty() {
		return nil
	}
	e = e.within(f.Projects)
	w := f.where(`+`)
	condition := ""
	if len(w.conditions) > 0 {
		condition = ` AND ` + strings.Join(w.conditions, ` AND `)
	}
	args := append([]any{tx.fullText.Expression(e)}, w.args...)
	if err := tx.each(ctx, tx.fullText.Query(sketchColumns, condition, f.limit()), args, scanSketch(each)); err != nil {
		return fmt.Errorf("match: %w", err)
	}
	return nil
}

// SketchesByID hands over those of some documents that are there and pass a filter, in no order.
func (tx *Tx) SketchesByID(ctx context.Context, ids []int64, f DocumentFilter, each func(Sketch) error) error {
	for some := range slices.Chunk(ids, neuronsAtOnce) {
		w, args := f.where(`+`), padded(some)
		w.and(`document.id IN (?`+strings.Repeat(`, ?`, len(args)-1)+`)`, args...)
		if err := tx.each(ctx, `SELECT `+sketchColumns+` FROM document`+w.String(), w.args, scanSketch(each)); err != nil {
			return fmt.Errorf("documents: %w", err)
		}
	}
	return nil
}

// LatestSketches hands over documents without looking for words, the newest first.
func (tx *Tx) LatestSketches(ctx context.Context, f DocumentFilter, each func(Sketch) error) error {
	w := f.where(``)
	err := tx.each(ctx, `SELECT `+sketchColumns+` FROM document`+w.String()+` ORDER BY at DESC, document.id DESC LIMIT ?`, append(w.args, f.limit()), scanSketch(each))
	if err != nil {
		return fmt.Errorf("documents: %w", err)
	}
	return nil
}

// CrystalState is what ranking needs of a crystal.
type CrystalState struct {
	Importance float64
	Lifecycle  memory.Lifecycle
	SaidAt     time.Time
	ValidTo    time.Time
	Unsure     bool
}

// CrystalStates returns the states of those of some documents that are crystals.
func (tx *Tx) CrystalStates(ctx context.Context, documents []int64) (map[int64]CrystalState, error) {
	found := make(map[int64]CrystalState, len(documents))
	for some := range slices.Chunk(documents, neuronsAtOnce) {
		args := padded(some)
		err := tx.each(ctx, `SELECT document_id, importance, lifecycle, said_at, COALESCE(valid_to, 0), unsure FROM crystal
			WHERE document_id IN (?`+strings.Repeat(`, ?`, len(args)-1)+`)`, args, func(rows *sql.Rows) error {
			var id, said, validTo int64
			var c CrystalState
			err := rows.Scan(&id, &c.Importance, &c.Lifecycle, &said, &validTo, &c.Unsure)
			c.SaidAt = instant(said)
			if validTo != 0 {
				c.ValidTo = instant(validTo)
			}
			found[id] = c
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("states of crystals: %w", err)
		}
	}
	return found, nil
}
