package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
)

// BlockVersion names a block of a project's past and which state of it this is. Versions count the changes of all
// blocks of a project.
type BlockVersion struct {
	Kind, Number int
	Version      int64
}

// PastVersion returns the latest version of a project's blocks, 0 without any.
func (tx *Tx) PastVersion(ctx context.Context, project memory.ProjectID) (version int64, err error) {
	err = tx.one(ctx, `SELECT COALESCE(MAX(version), 0) FROM block WHERE project_id = ?`, []any{int64(project)}, &version)
	if err != nil {
		return 0, fmt.Errorf("version of the past of %s: %w", project, err)
	}
	return version, nil
}

// BlockVersions returns the blocks that changed after a version, files before episodes, in order.
func (tx *Tx) BlockVersions(ctx context.Context, project memory.ProjectID, after int64) ([]BlockVersion, error) {
	var found []BlockVersion
	err := tx.each(ctx, `SELECT kind, number, version FROM block WHERE project_id = ? AND version > ? ORDER BY kind, number`,
		[]any{int64(project), after}, func(rows *sql.Rows) error {
			var b BlockVersion
			err := rows.Scan(&b.Kind, &b.Number, &b.Version)
			found = append(found, b)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("blocks of %s: %w", project, err)
	}
	return found, nil
}

// Block returns the bytes of a block.
func (tx *Tx) Block(ctx context.Context, project memory.ProjectID, kind, number int) (data []byte, err error) {
	err = tx.one(ctx, `SELECT data FROM block WHERE project_id = ? AND kind = ? AND number = ?`,
		[]any{int64(project), kind, number}, &data)
	if err != nil {
		return nil, fmt.Errorf("block %d/%d of %s: %w", kind, number, project, err)
	}
	return data, nil
}

// EachBlock hands over all blocks of a project, in the order of BlockVersions. The bytes are valid until it returns.
func (tx *Tx) EachBlock(ctx context.Context, project memory.ProjectID, each func(v BlockVersion, data []byte) error) error {
	err := tx.each(ctx, `SELECT kind, number, version, data FROM block WHERE project_id = ? ORDER BY kind, number`,
		[]any{int64(project)}, func(rows *sql.Rows) error {
			var v BlockVersion
			var data sql.RawBytes
			if err := rows.Scan(&v.Kind, &v.Number, &v.Version, &data); err != nil {
				return err
			}
			return each(v, data)
		})
	if err != nil {
		return fmt.Errorf("blocks of %s: %w", project, err)
	}
	return nil
}

// DropBlocks deletes the blocks of one kind.
func (tx *Tx) DropBlocks(ctx context.Context, project memory.ProjectID, kind int) error {
	if _, err := tx.exec(ctx, `DELETE FROM block WHERE project_id = ? AND kind = ?`, int64(project), kind); err != nil {
		return fmt.Errorf("drop blocks %d of %s: %w", kind, project, err)
	}
	return nil
}

// SaveBlock writes a block as the next version of its project and returns that.
func (tx *Tx) SaveBlock(ctx context.Context, project memory.ProjectID, kind, number int, data []byte) (version int64, err error) {
	if data == nil {
		data = []byte{} // no bytes are bytes too; databases take nil for NULL
	}
	err = tx.one(ctx, `SELECT COALESCE(MAX(version), 0) + 1 FROM block WHERE project_id = ?`, []any{int64(project)}, &version)
	if err == nil {
		_, err = tx.exec(ctx, `INSERT INTO block (project_id, kind, number, version, data, checksum) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (project_id, kind, number) DO UPDATE SET version = excluded.version, data = excluded.data, checksum = excluded.checksum`,
			int64(project), kind, number, version, data, checksum(int64(project), kind, number, version, data))
	}
	if err != nil {
		return 0, fmt.Errorf("save block %d/%d of %s: %w", kind, number, project, err)
	}
	return version, nil
}
