package store

import (
	"context"
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/store/text"
)

// Vacate deletes a project that is kept under another ID, a bounded number of rows at a time; left says that it must be called
// again. Unlike Forget it leaves no tombstones, so that the same events and texts can be stored again.
func (tx *Tx) Vacate(ctx context.Context, project memory.ProjectID, most int) (left bool, err error) {
	for _, step := range []func(context.Context, memory.ProjectID, int) (int, error){
		tx.vacateCrystals, tx.vacateKnowledge, tx.vacateDocuments, tx.vacateEvents, tx.vacateNeurons,
	} {
		n, err := step(ctx, project, most)
		if err != nil {
			return false, fmt.Errorf("vacate project %s: %w", project, err)
		}
		if n > 0 {
			return true, nil
		}
	}
	for _, table := range []string{"synapse", "forgotten", "suggestion", "block", "source", "heat", "connection", "goal", "state", "pack", "session"} {
		if _, err := tx.db.Exec(ctx, `DELETE FROM `+table+` WHERE project_id = ?`, int64(project)); err != nil {
			return false, fmt.Errorf("vacate project %s: %s: %w", project, table, err)
		}
	}
	_, err = tx.db.Exec(ctx, `DELETE FROM project WHERE id = ?`, int64(project))
	return false, db.Wrap(err, "vacate project %s", project)
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

func (tx *Tx) vacateEvents(ctx context.Context, project memory.ProjectID, most int) (int, error) {
	seqs, err := tx.db.Ids(ctx, `SELECT seq FROM event WHERE project_id = ? ORDER BY seq LIMIT ?`, []any{int64(project), most})
	if err != nil || len(seqs) == 0 {
		return 0, err
	}
	return len(seqs), tx.deleteIn(ctx, seqs, "access WHERE event_seq", "event WHERE seq")
}

func (tx *Tx) vacateNeurons(ctx context.Context, project memory.ProjectID, most int) (int, error) {
	ids, err := tx.db.Ids(ctx, `SELECT id FROM neuron WHERE project_id = ? ORDER BY id LIMIT ?`, []any{int64(project), most})
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return len(ids), tx.deleteIn(ctx, ids, "synapse WHERE a", "synapse WHERE b", "neuron WHERE id")
}

// deleteIn deletes the rows whose column is one of the values, for each "table WHERE column".
func (tx *Tx) deleteIn(ctx context.Context, values []int64, from ...string) error {
	in, args := db.List(values)
	for _, what := range from {
		if _, err := tx.db.Exec(ctx, `DELETE FROM `+what+` IN `+in, args...); err != nil {
			return err
		}
	}
	return nil
}
