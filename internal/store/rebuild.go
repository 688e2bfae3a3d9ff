package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// LogOf returns the events of a project after a number, packed calls and what hebb did itself among them, in the order they were stored.
func (tx *Tx) LogOf(ctx context.Context, project memory.ProjectID, after int64) ([]Numbered, error) {
	events, err := tx.eventsWithTouches(ctx, ` WHERE +project_id = ? AND seq > ? ORDER BY seq`, int64(project), after)
	if err == nil && after == 0 { // what is packed is weeks old
		var packed []Numbered
		packed, _, err = tx.packs(ctx, `pack.project_id = ?`, int64(project))
		events = append(events, packed...)
	}
	slices.SortFunc(events, func(a, b Numbered) int { return cmp.Compare(a.Seq, b.Seq) })
	return events, db.Wrap(err, "log of %s", project)
}

// derived are the tables of what events teach, each after those it refers to. All their rows belong to a project.
var derived = []string{"neuron", "synapse", "heat", "suggestion", "forgotten", "balance", "block"}

// TakeOver puts what another store has learned about a project in the place of what this one has. Both have the same events under the
// same numbers. What people and agents said of files stays. Only rows that differ are written: mostly few do.
func (tx *Tx) TakeOver(ctx context.Context, project memory.ProjectID, from *Tx) error {
	id := int64(project)
	said, err := db.Map[memory.NeuronID](ctx, tx.db, `SELECT heat.neuron_id, `+heatColumns+heatTables+
		` WHERE heat.project_id = ? AND (heat.summary <> '' OR heat.note <> '')`, []any{id}, heatFields)
	if err == nil { // a neuron may go before what refers to it
		_, err = tx.db.Exec(ctx, `PRAGMA defer_foreign_keys = ON`)
	}
	if err == nil {
		err = tx.db.Run(ctx, `DELETE FROM access WHERE kind = ? AND neuron_id IN (SELECT id FROM neuron WHERE project_id = ?)`, string(errorAccess), id)
	}
	for _, table := range derived {
		if err == nil {
			err = tx.takeRows(ctx, from, table, id)
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

// takeRows makes the rows of a project in a table those of another store.
func (tx *Tx) takeRows(ctx context.Context, from *Tx, table string, project int64) error {
	key := Tables()[slices.IndexFunc(Tables(), func(t Table) bool { return t.Name == table })].Key
	columns, mine, err1 := tx.projectRows(ctx, table, key, project)
	_, theirs, err2 := from.projectRows(ctx, table, key, project)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("%s: %w", table, err)
	}
	gone := `DELETE FROM ` + table + ` WHERE ` + strings.Join(key, ` = ? AND `) + ` = ?`
	for k, row := range mine {
		if _, stays := theirs[k]; !stays {
			if err := tx.db.Run(ctx, gone, keyOf(columns, row, key)...); err != nil {
				return fmt.Errorf("%s: %w", table, err)
			}
		}
	}
	var changed [][]any
	for k, row := range theirs {
		if old, known := mine[k]; !known || !reflect.DeepEqual(old, row) {
			changed = append(changed, row)
		}
	}
	return db.Wrap(tx.writeRows(ctx, `REPLACE INTO `+table, changed), "%s", table)
}

// projectRows reads the rows of a project in a table by their keys.
func (tx *Tx) projectRows(ctx context.Context, table string, key []string, project int64) (columns []string, rows map[string][]any, err error) {
	rows = map[string][]any{}
	err = tx.db.Each(ctx, `SELECT * FROM `+table+` WHERE project_id = ?`, []any{project}, func(r *sql.Rows) (err error) {
		if columns == nil {
			if columns, err = r.Columns(); err != nil {
				return err
			}
		}
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		err = r.Scan(into...)
		rows[fmt.Sprint(keyOf(columns, row, key)...)] = row
		return err
	})
	return columns, rows, err
}

// keyOf are the values of some columns of a row.
func keyOf(columns []string, row []any, key []string) (values []any) {
	for _, name := range key {
		values = append(values, row[slices.Index(columns, name)])
	}
	return values
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
