package text

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Meaning is the direction of a document in a space.
type Meaning struct {
	Document int64
	Project  memory.ProjectID // its document's
	Vector   memory.Vector
}

// SetMeanings writes directions in a space. A document that has gone meanwhile has none.
func (tx *Tx) SetMeanings(ctx context.Context, space string, meanings []Meaning) error {
	for _, m := range meanings {
		if len(m.Vector) == 0 {
			continue
		}
		data := make([]byte, len(m.Vector))
		for i, x := range m.Vector {
			data[i] = byte(x)
		}
		_, err := tx.db.Exec(ctx, `INSERT INTO vector (space, document_id, project_id, data) SELECT ?, id, project_id, ? FROM document WHERE id = ?
			ON CONFLICT (space, document_id) DO UPDATE SET data = excluded.data`, space, data, m.Document)
		if err != nil {
			return fmt.Errorf("meaning of document %d: %w", m.Document, err)
		}
	}
	return nil
}

// EachMeaning hands over the directions in a space of documents after one, in their order. The vector is valid until
// each returns.
func (tx *Tx) EachMeaning(ctx context.Context, space string, after int64, each func(Meaning) error) error {
	var vector memory.Vector
	err := tx.db.Each(ctx, `SELECT document_id, project_id, data FROM vector WHERE space = ? AND document_id > ? ORDER BY document_id`, []any{space, after},
		func(rows *sql.Rows) error {
			var id, project int64
			var data sql.RawBytes
			if err := rows.Scan(&id, &project, &data); err != nil {
				return err
			}
			vector = vectorOf(vector[:0], data)
			return each(Meaning{Document: id, Project: memory.ProjectID(project), Vector: vector})
		})
	return db.Wrap(err, "meanings in %s", space)
}

// Meaningless returns documents that have no direction in a space, after one, so many at most.
func (tx *Tx) Meaningless(ctx context.Context, space string, after int64, limit int) ([]Document, error) {
	return db.All(ctx, tx.db, `SELECT `+documentColumns+` FROM document WHERE id > ? AND NOT EXISTS
			(SELECT 1 FROM vector WHERE space = ? AND document_id = document.id) ORDER BY id LIMIT ?`,
		[]any{after, space, limit}, (*Document).fields)
}

// MeaningsOf returns the directions of some documents in a space, as far as they have one.
func (tx *Tx) MeaningsOf(ctx context.Context, space string, ids []int64) (map[int64]memory.Vector, error) {
	found := make(map[int64]memory.Vector, len(ids))
	err := db.EachOf(ctx, tx.db, `SELECT document_id, data FROM vector WHERE space = ? AND document_id IN %s`,
		[]any{space}, ids, func(rows *sql.Rows) error {
			var id int64
			var data sql.RawBytes
			if err := rows.Scan(&id, &data); err != nil {
				return err
			}
			found[id] = vectorOf(make(memory.Vector, 0, len(data)), data)
			return nil
		})
	return found, db.Wrap(err, "meanings in %s", space)
}

// KeepSpaces drops the directions in all spaces but some.
func (tx *Tx) KeepSpaces(ctx context.Context, one string, more ...string) error {
	spaces := append([]string{one}, more...)
	return tx.db.Run(ctx, `DELETE FROM vector WHERE space NOT IN `+db.Marks(len(spaces)),
		db.Values(spaces)...)
}

func vectorOf(into memory.Vector, data []byte) memory.Vector {
	for _, b := range data {
		into = append(into, int8(b)) //nolint:gosec // its bits are meant
	}
	return into
}
