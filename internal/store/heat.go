package store

import (
	"context"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Heat is how much a file matters at present, and what is said of it.
type Heat struct {
	Neuron  memory.NeuronID
	Project memory.ProjectID
	Path    string            // read only: it is the neuron's
	Heat    plasticity.Stored // on the project's clock
	Touches int64
	LastAt  time.Time
	Session memory.SessionID // that touched it last
	// Summary is what the file is, Note why it matters just now.
	Summary, Note     string
	SummaryBy, NoteBy memory.Origin
	NoteAt            time.Time
}

const heatColumns = `heat.neuron_id, heat.project_id, neuron.key, heat.heat, heat.touches, heat.last_at, heat.session_id,
	heat.summary, heat.summary_by, heat.note, heat.note_by, NULLIF(heat.note_at, 0)`

const heatTables = ` FROM heat JOIN neuron ON neuron.id = heat.neuron_id`

// HeatOf returns what is kept of some files.
func (tx *Tx) HeatOf(ctx context.Context, ids []memory.NeuronID) (map[memory.NeuronID]Heat, error) {
	return db.MapOf[memory.NeuronID](ctx, tx.db, `SELECT heat.neuron_id, `+heatColumns+heatTables+` WHERE heat.neuron_id IN %s`, nil, ids, heatFields)
}

// Hottest returns the files of a project that are hotter than a bound, the hottest first. Those that are gone are left out.
func (tx *Tx) Hottest(ctx context.Context, project memory.ProjectID, least plasticity.Stored, limit int) ([]Heat, error) {
	return db.All(ctx, tx.db, `SELECT `+heatColumns+heatTables+`
		WHERE heat.project_id = ? AND heat.heat >= ? AND neuron.gone = 0 ORDER BY heat.heat DESC, neuron.key LIMIT ?`,
		[]any{int64(project), float64(least), limit}, heatFields)
}

// Lately returns files of a project in turn: one of those that sessions touched most, one of those that were met last, be it
// by a commit. It is no ranking but two, neither of which can drown the other: of the second there are no more than of the
// first, or a few.
func (tx *Tx) Lately(ctx context.Context, project memory.ProjectID, most int) (paths []string, err error) {
	lists := make([][]string, 2)
	for i, query := range []string{
		`SELECT neuron.key FROM heat JOIN neuron ON neuron.id = heat.neuron_id WHERE heat.project_id = ? AND neuron.gone = 0
			ORDER BY heat.touches DESC, heat.last_at DESC, neuron.key LIMIT ?`,
		`SELECT key FROM neuron WHERE project_id = ? AND kind = '` + string(memory.FileNeuron) + `' AND gone = 0 ORDER BY last_at DESC, key LIMIT ?`,
	} {
		err := tx.db.Each(ctx, query, []any{int64(project), most}, db.Collect(&lists[i], db.Column))
		if err != nil {
			return nil, fmt.Errorf("files of %s: %w", project, err)
		}
	}
	const few = 10
	lists[1] = lists[1][:min(len(lists[1]), max(len(lists[0]), few))]
	seen := map[string]bool{}
	for i := range most {
		for _, list := range lists {
			if i < len(list) && !seen[list[i]] {
				seen[list[i]] = true
				paths = append(paths, list[i])
			}
		}
	}
	return paths, nil
}

// Noted returns the files of a project of which something is said, by path.
func (tx *Tx) Noted(ctx context.Context, project memory.ProjectID) ([]Heat, error) {
	return db.All(ctx, tx.db, `SELECT `+heatColumns+heatTables+`
		WHERE heat.project_id = ? AND (heat.note <> '' OR heat.summary <> '') ORDER BY neuron.key`, []any{int64(project)}, heatFields)
}

func heatFields(h *Heat) []any {
	return []any{
		(*int64)(&h.Neuron), (*int64)(&h.Project), &h.Path, &h.Heat, &h.Touches, db.Time(&h.LastAt), (*int64)(&h.Session),
		&h.Summary, &h.SummaryBy, &h.Note, &h.NoteBy, db.Time(&h.NoteAt),
	}
}

// SaveHeat writes it as it now is.
func (tx *Tx) SaveHeat(ctx context.Context, h Heat) error {
	noted := int64(0)
	if !h.NoteAt.IsZero() {
		noted = db.Millis(h.NoteAt)
	}
	err := tx.db.Put(ctx, checkedHeat, int64(h.Neuron), int64(h.Project), float64(h.Heat), h.Touches, db.Millis(h.LastAt), int64(h.Session), h.Summary,
		string(h.SummaryBy), h.Note, string(h.NoteBy), noted)
	return db.Wrap(err, "save heat of %s", h.Neuron)
}

// DeleteHeat deletes the heat and the notes of a file.
func (tx *Tx) DeleteHeat(ctx context.Context, id memory.NeuronID) error {
	return tx.db.Run(ctx, `DELETE FROM heat WHERE neuron_id = ?`, int64(id))
}
