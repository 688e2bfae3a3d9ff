package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// LatestWork names the latest event of a project that can be thought of: what somebody said, did or wrote down. Beginnings,
// ends and commits are none. Empty: there is none.
func (tx *Tx) LatestWork(ctx context.Context, project memory.ProjectID) (id memory.EventID, at time.Time, err error) {
	const kinds = `'` + string(memory.Prompted) + `', '` + string(memory.ToolUsed) + `', '` + string(memory.ToolFailed) + `', '` +
		string(memory.TurnEnded) + `', '` + string(memory.Recorded) + `'`
	var when int64
	err = tx.db.One(ctx, `SELECT id, at FROM event WHERE project_id = ? AND kind IN (`+kinds+`) ORDER BY at DESC, seq DESC LIMIT 1`,
		[]any{int64(project)}, &id, &when)
	switch {
	case errors.Is(err, memory.ErrNotFound):
		return "", time.Time{}, nil
	case err != nil:
		return "", time.Time{}, fmt.Errorf("latest work of %s: %w", project, err)
	}
	return id, db.FromMillis(when), nil
}
