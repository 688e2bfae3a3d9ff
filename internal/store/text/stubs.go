package text

import (
	"context"
	"database/sql"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Stub is what ranking needs of a document. Words and Around stand with a blank between them.
type Stub struct {
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

const stubColumns = `document.id, project_id, document.kind, title, path, at, COALESCE(session_id, 0), document.words, document.around`

func scanStub(each func(Stub) error) func(*sql.Rows) error {
	return db.ForEach(func(s *Stub) []any {
		return []any{
			&s.ID, (*int64)(&s.Project), &s.Kind, &s.Title, &s.Path, db.Time(&s.At), (*int64)(&s.Session), &s.Words, &s.Around,
		}
	}, each)
}

// MatchStubs hands over what Match would return.
func (tx *Tx) MatchStubs(ctx context.Context, e Expression, f DocumentFilter, each func(Stub) error) error {
	if e = searchableExpression(e); e.Empty() {
		return nil
	}
	w := f.where(`+`)
	args := append([]any{expression(within(e, f))}, w.Args...)
	err := tx.db.Each(ctx, fullTextQuery(stubColumns, w.Further(), f.limit()), args, scanStub(each))
	return db.Wrap(err, "match")
}

// StubsByID hands over those of some documents that are there and pass a filter, in no order.
func (tx *Tx) StubsByID(ctx context.Context, ids []int64, f DocumentFilter, each func(Stub) error) error {
	w := f.where(`+`)
	w.And(`document.id IN %s`)
	err := db.EachOf(ctx, tx.db, `SELECT `+stubColumns+` FROM document`+w.String(), w.Args, ids, scanStub(each))
	return db.Wrap(err, "documents")
}

// LatestStubs hands over documents without looking for words, the newest first.
func (tx *Tx) LatestStubs(ctx context.Context, f DocumentFilter, each func(Stub) error) error {
	w := f.where(``)
	err := tx.db.Each(ctx, `SELECT `+stubColumns+` FROM document`+w.String()+` ORDER BY at DESC, document.id DESC LIMIT ?`,
		append(w.Args, f.limit()), scanStub(each))
	return db.Wrap(err, "documents")
}

// Texts returns those of some documents that are there, without the words that lead to them, in no order.
func (tx *Tx) Texts(ctx context.Context, ids []int64) ([]Document, error) {
	found := make([]Document, 0, len(ids))
	err := db.EachOf(ctx, tx.db, `SELECT id, ref, project_id, kind, origin, at, path, title, text, COALESCE(session_id, 0), COALESCE(event_seq, 0) FROM document
		WHERE id IN %s`, nil, ids, db.Collect(&found, func(d *Document) []any {
		return []any{
			&d.ID, &d.Ref, (*int64)(&d.Project), &d.Kind, &d.Origin, db.Time(&d.At), &d.Path, &d.Title, &d.Text, (*int64)(&d.Session), &d.EventSeq,
		}
	}))
	return found, db.Wrap(err, "texts")
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
	return db.MapOf[int64](ctx, tx.db, `SELECT document_id, importance, lifecycle, said_at, valid_to, unsure FROM memory WHERE document_id IN %s`, documents,
		func(c *CrystalState) []any {
			return []any{&c.Importance, &c.Lifecycle, db.Time(&c.SaidAt), db.Time(&c.ValidTo), &c.Unsure}
		})
}
