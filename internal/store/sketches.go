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

// Sketch is what ranking needs of a document. Words and Around stand with a blank between them.
type Sketch struct {
	ID      int64
	Project memory.ProjectID
	Kind    string
	Title   string
	Path    string
	At      time.Time
	Session memory.SessionID
	Words   string
	Around  string
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
	if found, known, err := tx.matchKept(ctx, e, f); err != nil {
		return fmt.Errorf("match: %w", err)
	} else if known {
		return handOver(found, each)
	}
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
	if kept, err := tx.keptSketches(ctx, f); err != nil {
		return fmt.Errorf("documents: %w", err)
	} else if kept != nil {
		found, err := tx.sketchesOf(ctx, kept, ids)
		if err != nil {
			return fmt.Errorf("documents: %w", err)
		}
		return handOver(f.passing(found, len(found)), each)
	}
	if err := tx.readSketches(ctx, ids, f, each); err != nil {
		return fmt.Errorf("documents: %w", err)
	}
	return nil
}

func (tx *Tx) readSketches(ctx context.Context, ids []int64, f DocumentFilter, each func(Sketch) error) error {
	for some := range slices.Chunk(ids, neuronsAtOnce) {
		w, args := f.where(`+`), padded(some)
		w.and(`document.id IN (?`+strings.Repeat(`, ?`, len(args)-1)+`)`, args...)
		if err := tx.each(ctx, `SELECT `+sketchColumns+` FROM document`+w.String(), w.args, scanSketch(each)); err != nil {
			return err
		}
	}
	return nil
}

func handOver(found []*Sketch, each func(Sketch) error) error {
	for _, s := range found {
		if err := each(*s); err != nil {
			return err
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

// Texts returns those of some documents that are there, without the words that lead to them, in no order.
func (tx *Tx) Texts(ctx context.Context, ids []int64) ([]Document, error) {
	found := make([]Document, 0, len(ids))
	for some := range slices.Chunk(ids, neuronsAtOnce) {
		args := padded(some)
		err := tx.each(ctx, `SELECT id, ref, project_id, kind, origin, at, path, title, text, COALESCE(session_id, 0), COALESCE(event_seq, 0) FROM document
			WHERE id IN (?`+strings.Repeat(`, ?`, len(args)-1)+`)`, args, func(rows *sql.Rows) error {
			var d Document
			var at int64
			err := rows.Scan(&d.ID, &d.Ref, (*int64)(&d.Project), &d.Kind, &d.Origin, &at, &d.Path, &d.Title, &d.Text, (*int64)(&d.Session), &d.EventSeq)
			d.At = instant(at)
			found = append(found, d)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("texts: %w", err)
		}
	}
	return found, nil
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
