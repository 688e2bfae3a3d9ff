package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// LogOf returns the events of a project after a number, packed calls and what hebb did itself among them, in the order they were stored.
func (tx *Tx) LogOf(ctx context.Context, project memory.ProjectID, after int64) ([]Numbered, error) {
	events, err := tx.eventsWithTouches(ctx, ` WHERE +project_id = ? AND seq > ? ORDER BY seq`, int64(project), after)
	if err == nil {
		var packed []Numbered
		packed, _, err = tx.packs(ctx, `pack.project_id = ?`, int64(project))
		events = append(events, slices.DeleteFunc(packed, func(e Numbered) bool { return e.Seq <= after })...)
	}
	slices.SortFunc(events, func(a, b Numbered) int { return cmp.Compare(a.Seq, b.Seq) })
	return events, db.Wrap(err, "log of %s", project)
}

// derived are the tables of what events teach, each after those it refers to. All their rows belong to a project.
var derived = []string{"neuron", "synapse", "heat", "suggestion", "forgotten", "balance", "block"}

// TakeOver puts what another store has learned about a project in the place of what this one has. Both have the same events under the
// same numbers. What people and agents said of files stays.
func (tx *Tx) TakeOver(ctx context.Context, project memory.ProjectID, from *Tx) error {
	id := int64(project)
	said, err := db.Map[memory.NeuronID](ctx, tx.db, `SELECT heat.neuron_id, `+heatColumns+heatTables+
		` WHERE heat.project_id = ? AND (heat.summary <> '' OR heat.note <> '')`, []any{id}, heatFields)
	if err == nil { // neurons go before what refers to them comes back
		_, err = tx.db.Exec(ctx, `PRAGMA defer_foreign_keys = ON`)
	}
	if err == nil {
		err = tx.db.Run(ctx, `DELETE FROM access WHERE kind = ? AND neuron_id IN (SELECT id FROM neuron WHERE project_id = ?)`, string(errorAccess), id)
	}
	for _, table := range slices.Backward(derived) {
		if err == nil {
			err = tx.db.Run(ctx, `DELETE FROM `+table+` WHERE project_id = ?`, id)
		}
	}
	for _, table := range derived {
		if err == nil {
			err = tx.copyRows(ctx, from, table, id)
		}
	}
	if err == nil {
		err = tx.copyErrors(ctx, from, id)
	}
	if err == nil {
		err = tx.keepSaid(ctx, said)
	}
	if err == nil {
		err = tx.copyClock(ctx, from, project)
	}
	return db.Wrap(err, "rebuild %s", project)
}

func (tx *Tx) copyRows(ctx context.Context, from *Tx, table string, project int64) error {
	var rows [][]any
	columns := 0
	err := from.db.Each(ctx, `SELECT * FROM `+table+` WHERE project_id = ?`, []any{project}, func(r *sql.Rows) error {
		if columns == 0 {
			names, err := r.Columns()
			if err != nil {
				return err
			}
			columns = len(names)
		}
		row := make([]any, columns)
		into := make([]any, columns)
		for i := range row {
			into[i] = &row[i]
		}
		rows = append(rows, row)
		return r.Scan(into...)
	})
	if err == nil {
		err = tx.insertRows(ctx, table, rows)
	}
	return db.Wrap(err, "copy %s", table)
}

// copyErrors copies which events met which errors. A call that is packed here has no row to refer to.
func (tx *Tx) copyErrors(ctx context.Context, from *Tx, project int64) error {
	type met struct {
		event, n, neuron int64
		old              string
	}
	list, err := db.All(ctx, from.db, `SELECT event_seq, n, neuron_id, old_path FROM access WHERE kind = ? AND neuron_id IN
		(SELECT id FROM neuron WHERE project_id = ?)`, []any{string(errorAccess), project},
		func(m *met) []any { return []any{&m.event, &m.n, &m.neuron, &m.old} })
	for _, m := range list {
		if err == nil {
			_, err = tx.db.Exec(ctx, `INSERT INTO access SELECT seq, ?, ?, ?, ? FROM event WHERE seq = ?`, m.n, m.neuron, string(errorAccess), m.old, m.event)
		}
	}
	return err
}

// keepSaid writes what was said of files that are still known.
func (tx *Tx) keepSaid(ctx context.Context, said map[memory.NeuronID]Heat) error {
	for id, was := range said {
		if _, err := tx.Neuron(ctx, id); err != nil {
			if errors.Is(err, memory.ErrNotFound) {
				continue
			}
			return err
		}
		known, err := tx.HeatOf(ctx, []memory.NeuronID{id})
		if err != nil {
			return err
		}
		h, warm := known[id]
		if !warm {
			h = Heat{Neuron: id, Project: was.Project, Heat: plasticity.Nothing, LastAt: was.LastAt}
		}
		h.Summary, h.SummaryBy, h.Note, h.NoteBy, h.NoteAt = was.Summary, was.SummaryBy, was.Note, was.NoteBy, was.NoteAt
		if err := tx.SaveHeat(ctx, h); err != nil {
			return err
		}
	}
	return nil
}

// copyClock copies how often the project's clocks have moved, and up to where its sessions became episodes.
func (tx *Tx) copyClock(ctx context.Context, from *Tx, project memory.ProjectID) error {
	p, err := from.Project(ctx, project)
	if err != nil {
		return err
	}
	worked, err := from.Balance(ctx, project)
	if err != nil {
		return err
	}
	type progress struct {
		ticked  bool
		learned int64
	}
	sessions, err := db.Map[memory.SessionID](ctx, from.db, `SELECT id, ticked, learned_ord FROM session WHERE project_id = ?`, []any{int64(project)},
		func(p *progress) []any { return []any{&p.ticked, &p.learned} })
	if err != nil {
		return err
	}
	if err := tx.SetClock(ctx, project, worked.Clock); err != nil {
		return err
	}
	if err := tx.db.Run(ctx, `UPDATE project SET clock = ? WHERE id = ?`, p.Clock, int64(project)); err != nil {
		return err
	}
	here, err := tx.Sessions(ctx, SessionFilter{Project: project})
	for _, s := range here {
		made := sessions[s.ID]
		if s.Ticked != made.ticked && err == nil {
			s.Ticked = made.ticked
			err = tx.SaveSession(ctx, s)
		}
		if err == nil {
			err = tx.SetLearnedOrd(ctx, s.ID, made.learned)
		}
	}
	return err
}
