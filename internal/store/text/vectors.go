package text

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// DocumentVector is the vector of a document in an embedding model.
type DocumentVector struct {
	Document int64
	Project  memory.ProjectID // its document's
	Group    memory.Group     // likewise; set by the store
	Vector   memory.Vector
}

// SetVectors writes vectors of a model. Documents that were deleted meanwhile are skipped.
func (tx *Tx) SetVectors(ctx context.Context, model string, vectors []DocumentVector) error {
	for _, m := range vectors {
		if len(m.Vector) == 0 {
			continue
		}
		data := make([]byte, len(m.Vector))
		for i, x := range m.Vector {
			data[i] = byte(x)
		}
		_, err := tx.db.Exec(ctx, `INSERT INTO vector (space, document_id, project_id, kind, data) SELECT ?, id, project_id, kind, ? FROM document WHERE id = ?
			ON CONFLICT (space, document_id) DO UPDATE SET data = excluded.data`, model, data, m.Document)
		if err != nil {
			return fmt.Errorf("vector of document %d: %w", m.Document, err)
		}
	}
	return nil
}

// EachVector passes on the vectors of the documents after one, in order. A vector is valid until each returns.
func (tx *Tx) EachVector(ctx context.Context, model string, after int64, each func(DocumentVector) error) error {
	var vector memory.Vector
	err := tx.db.Each(ctx, `SELECT document_id, project_id, kind, data FROM vector WHERE space = ? AND document_id > ? ORDER BY document_id`, []any{model, after},
		func(rows *sql.Rows) error {
			var id, project int64
			var kind, data sql.RawBytes
			if err := rows.Scan(&id, &project, &kind, &data); err != nil {
				return err
			}
			vector = vectorOf(vector[:0], data)
			return each(DocumentVector{Document: id, Project: memory.ProjectID(project), Group: memory.GroupOf(string(kind)), Vector: vector})
		})
	return db.Wrap(err, "vectors in %s", model)
}

// VectorsOf returns the vectors of some documents in a model.
func (tx *Tx) VectorsOf(ctx context.Context, model string, ids []int64) (map[int64]memory.Vector, error) {
	found := make(map[int64]memory.Vector, len(ids))
	err := db.EachOf(ctx, tx.db, `SELECT document_id, data FROM vector WHERE space = ? AND document_id IN %s`,
		[]any{model}, ids, func(rows *sql.Rows) error {
			var id int64
			var data sql.RawBytes
			if err := rows.Scan(&id, &data); err != nil {
				return err
			}
			found[id] = vectorOf(make(memory.Vector, 0, len(data)), data)
			return nil
		})
	return found, db.Wrap(err, "vectors in %s", model)
}

func vectorOf(into memory.Vector, data []byte) memory.Vector {
	for _, b := range data {
		into = append(into, int8(b)) //nolint:gosec // its bits are meant
	}
	return into
}
