package store

import (
	"context"
	"database/sql"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// BlockVersion names a block of a project's past and which state of it this is. Versions count the changes of all
// blocks of a project.
type BlockVersion struct {
	Kind, Number int
	Version      int64
}

// PastVersion returns the latest version of a project's blocks, 0 without any.
func (tx *Tx) PastVersion(ctx context.Context, project memory.ProjectID) (version int64, err error) {
	return db.Value[int64](ctx, tx.db, `SELECT COALESCE(MAX(version), 0) FROM block WHERE project_id = ?`, int64(project))
}

// BlockVersions returns the blocks that changed after a version, files before episodes, in order.
func (tx *Tx) BlockVersions(ctx context.Context, project memory.ProjectID, after int64) ([]BlockVersion, error) {
	return db.All(ctx, tx.db, `SELECT kind, number, version FROM block WHERE project_id = ? AND version > ? ORDER BY kind, number`,
		[]any{int64(project), after}, func(b *BlockVersion) []any { return []any{&b.Kind, &b.Number, &b.Version} })
}

// EachBlock hands over the blocks of a project that changed after a version, in the order of BlockVersions; 0 is all of them. The bytes are
// valid until each returns.
func (tx *Tx) EachBlock(ctx context.Context, project memory.ProjectID, after int64, each func(v BlockVersion, data []byte) error) error {
	err := tx.db.Each(ctx, `SELECT kind, number, version, data FROM block WHERE project_id = ? AND version > ? ORDER BY kind, number`,
		[]any{int64(project), after}, func(rows *sql.Rows) error {
			var v BlockVersion
			var data sql.RawBytes
			if err := rows.Scan(&v.Kind, &v.Number, &v.Version, &data); err != nil {
				return err
			}
			return each(v, data)
		})
	return db.Wrap(err, "blocks of %s", project)
}

// TreeBlock is the kind of blocks that earlier versions left when they were killed while they made a project's past again. Nothing reads them.
const TreeBlock = 5

// DropPast deletes the past of a project.
func (tx *Tx) DropPast(ctx context.Context, project memory.ProjectID) error {
	return tx.db.Run(ctx, `DELETE FROM block WHERE project_id = ?`, int64(project))
}

// SaveBlock writes a block as the next version of its project and returns that.
func (tx *Tx) SaveBlock(ctx context.Context, project memory.ProjectID, kind, number int, data []byte) (version int64, err error) {
	if data == nil {
		data = []byte{} // no bytes are bytes too; databases take nil for NULL
	}
	err = tx.db.One(ctx, `SELECT COALESCE(MAX(version), 0) + 1 FROM block WHERE project_id = ?`, []any{int64(project)}, &version)
	if err == nil {
		err = tx.db.Run(ctx, `INSERT INTO block (project_id, kind, number, version, data) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (project_id, kind, number) DO UPDATE SET version = excluded.version, data = excluded.data`, int64(project), kind, number, version, data)
	}
	return version, db.Wrap(err, "save block %d/%d of %s", kind, number, project)
}
