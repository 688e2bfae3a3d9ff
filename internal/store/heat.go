package store

import (
	"context"
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
	return db.MapOf[memory.NeuronID](ctx, tx.db, `SELECT heat.neuron_id, `+heatColumns+heatTables+` WHERE heat.neuron_id IN %s`, ids, heatFields)
}

// Hottest returns the files of a project that are hotter than a bound, the hottest first. Those that are gone are left out.
func (tx *Tx) Hottest(ctx context.Context, project memory.ProjectID, least plasticity.Stored, limit int) ([]Heat, error) {
	return db.All(ctx, tx.db, `SELECT `+heatColumns+heatTables+`
		WHERE heat.project_id = ? AND heat.heat >= ? AND neuron.gone = 0 ORDER BY heat.heat DESC, neuron.key LIMIT ?`,
		[]any{int64(project), float64(least), limit}, heatFields)
}

// Opening says that a session read a file, or changed it.
type Opening struct {
	Path    string
	Session memory.SessionID
	Changed bool
}

// OpenedIn returns the files that some sessions read or changed, by path. Files that are gone are left out.
func (tx *Tx) OpenedIn(ctx context.Context, sessions []memory.SessionID) (opened []Opening, err error) {
	const edit, read = "'" + string(memory.Edit) + "'", "'" + string(memory.Read) + "'"
	err = db.EachOf(ctx, tx.db, `SELECT neuron.key, event.session_id, MAX(CASE access.kind WHEN `+edit+` THEN 1 ELSE 0 END)
		FROM event JOIN access ON access.event_seq = event.seq JOIN neuron ON neuron.id = access.neuron_id
		WHERE event.session_id IN %s AND access.kind IN (`+edit+`, `+read+`)
		AND neuron.kind = '`+string(memory.FileNeuron)+`' AND neuron.gone = 0
		GROUP BY neuron.key, event.session_id ORDER BY neuron.key, event.session_id`, nil, sessions,
		db.Collect(&opened, func(o *Opening) []any { return []any{&o.Path, (*int64)(&o.Session), &o.Changed} }))
	return opened, db.Wrap(err, "files of sessions")
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
