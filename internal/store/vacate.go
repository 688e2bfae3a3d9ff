package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Vacate deletes a project that is kept under another ID, a bounded number of rows at a time; left says that it must be called
// again. Unlike Forget it leaves no tombstones, so that the same events and texts can be stored again.
func (tx *Tx) Vacate(ctx context.Context, project memory.ProjectID, most int) (left bool, err error) {
	for _, step := range []func(context.Context, memory.ProjectID, int) (int, error){ // what is counted elsewhere too
		tx.vacateMemories, tx.vacateDocuments, tx.vacateRows,
	} {
		n, err := step(ctx, project, most)
		if err != nil {
			return false, fmt.Errorf("vacate project %s: %w", project, err)
		}
		if n > 0 {
			return true, nil
		}
	}
	_, err = tx.db.Exec(ctx, `DELETE FROM project WHERE id = ?`, int64(project))
	return false, db.Wrap(err, "vacate project %s", project)
}

// vacateRows deletes rows of a project from the first table that has any.
func (tx *Tx) vacateRows(ctx context.Context, project memory.ProjectID, most int) (int, error) {
	for _, t := range Tables() {
		key, found := strings.Join(t.Key, ", "), `project_id = ?`
		switch {
		case t.Name == "fact":
			found += ` AND name IN (` + factNames + `)` // their index begins with the name
		case t.Name == "access": // of its events: neurons are referred to
			found = `event_seq IN (SELECT seq FROM event WHERE project_id = ?)`
		case !t.Project || t.Owned && !slices.Contains(t.Refers, "project"):
			continue
		}
		n, err := tx.db.Exec(ctx, `DELETE FROM `+t.Name+` WHERE (`+key+`) IN (SELECT `+key+` FROM `+t.Name+` WHERE `+found+` LIMIT ?)`,
			int64(project), most)
		if err != nil || n > 0 {
			return int(n), db.Wrap(err, "%s", t.Name)
		}
	}
	return 0, nil
}

// factNames reads each name of a fact once: by the index, from one name to the next.
const factNames = `WITH RECURSIVE known (name) AS (SELECT MIN(name) FROM fact
	UNION ALL SELECT (SELECT MIN(fact.name) FROM fact WHERE fact.name > known.name) FROM known WHERE known.name IS NOT NULL)
	SELECT name FROM known WHERE name IS NOT NULL`

func (tx *Tx) vacateMemories(ctx context.Context, project memory.ProjectID, most int) (int, error) {
	return tx.DropMemories(ctx, project, most, tx.Remove)
}

func (tx *Tx) vacateDocuments(ctx context.Context, project memory.ProjectID, most int) (int, error) {
	ids, err := tx.db.Ids(ctx, `SELECT id FROM document WHERE project_id = ? ORDER BY id LIMIT ?`, []any{int64(project), most})
	if err != nil {
		return 0, err
	}
	return len(ids), tx.DeleteDocuments(ctx, ids...)
}
