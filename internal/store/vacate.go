package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/store/text"
)

// Vacate deletes a project that is kept under another ID, a bounded number of rows at a time; left says that it must be called
// again. Unlike Forget it leaves no tombstones, so that the same events and texts can be stored again.
func (tx *Tx) Vacate(ctx context.Context, project memory.ProjectID, most int) (left bool, err error) {
	for _, step := range []func(context.Context, memory.ProjectID, int) (int, error){ // what is counted elsewhere too
		tx.vacateCrystals, tx.vacateKnowledge, tx.vacateDocuments, tx.vacateRows,
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
		if !t.Project || t.Owned && !slices.Contains(t.Refers, "project") {
			continue
		}
		key := strings.Join(t.Key, ", ")
		n, err := tx.db.Exec(ctx, `DELETE FROM `+t.Name+` WHERE (`+key+`) IN (SELECT `+key+` FROM `+t.Name+` WHERE project_id = ? LIMIT ?)`,
			int64(project), most)
		if err != nil || n > 0 {
			return int(n), db.Wrap(err, "%s", t.Name)
		}
	}
	return 0, nil
}

func (tx *Tx) vacateCrystals(ctx context.Context, project memory.ProjectID, most int) (int, error) {
	crystals, err := tx.Crystals(ctx, text.CrystalFilter{Projects: []memory.ProjectID{project}, Limit: most})
	for _, c := range crystals {
		if err := tx.DeleteCrystal(ctx, c.ID); err != nil {
			return 0, err
		}
		if err := tx.Unbury(ctx, 1, memory.EventID(c.ID)); err != nil {
			return 0, err
		}
	}
	return len(crystals), err
}

func (tx *Tx) vacateKnowledge(ctx context.Context, project memory.ProjectID, most int) (int, error) {
	n, err := tx.DropKnowledge(ctx, project, most)
	return int(n), err
}

func (tx *Tx) vacateDocuments(ctx context.Context, project memory.ProjectID, most int) (int, error) {
	ids, err := tx.db.Ids(ctx, `SELECT id FROM document WHERE project_id = ? ORDER BY id LIMIT ?`, []any{int64(project), most})
	if err != nil {
		return 0, err
	}
	return len(ids), tx.DeleteDocuments(ctx, ids...)
}
