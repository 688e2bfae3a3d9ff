package store

import (
	"cmp"
	"context"
	"path"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Strength is how a neuron has grown. Its fading figures are as stored: package plasticity reads them.
type Strength struct {
	memory.Neuron
	Myelin, Activation plasticity.Stored
	// Standing is what is left of its say after being ignored.
	Standing float64
	// Peak is its myelin at its last use; Reviews, Boosted and Damped are what sleep has done to it since.
	Peak    plasticity.Stored
	Reviews int64
	Boosted bool
	Damped  int64
}

// Habit is its myelin as sleep sees it.
func (s Strength) Habit() plasticity.Habit {
	return plasticity.Habit{
		Myelin: s.Myelin, Peak: s.Peak, Accesses: s.Accesses, LastAt: s.LastAt, Reviews: s.Reviews, Boosted: s.Boosted, Damped: s.Damped,
	}
}

// SetHabit takes over what sleep has made of it.
func (s *Strength) SetHabit(h plasticity.Habit) {
	s.Myelin, s.Peak, s.Reviews, s.Boosted, s.Damped = h.Myelin, h.Peak, h.Reviews, h.Boosted, h.Damped
}

// End is what forgetting asks of it as the end of a link.
func (s Strength) End() plasticity.End {
	return plasticity.End{Myelin: s.Myelin, Activation: s.Activation, Error: s.Kind == memory.ErrorNeuron, Gone: s.Gone}
}

// NeuronOrder says which neurons come first.
type NeuronOrder string

const (
	ByAccesses NeuronOrder = "accesses DESC, last_at DESC, key"
	ByLinks    NeuronOrder = "links DESC, accesses DESC, key"
	ByIgnored  NeuronOrder = "ignored DESC, standing, key"
	ByLatest   NeuronOrder = "last_at DESC, key"
)

// NeuronFilter chooses neurons; zero fields do not filter. Those that are gone are left out.
type NeuronFilter struct {
	Project    memory.ProjectID
	Kind       memory.NeuronKind
	Ignored    bool // ignored at least once in a row
	Diminished bool // has lost standing by being ignored, now or before
	Order      NeuronOrder
	Limit      int
}

const strengthColumns = `id, project_id, kind, key, accesses, first_at, last_at, links, ignored, gone, myelin, activation,
	standing, peak, reviews, boosted, damped`

// Neurons returns the things known, in the order asked for.
func (tx *Tx) Neurons(ctx context.Context, f NeuronFilter) ([]Strength, error) {
	w := db.Where{}
	w.And(`gone = 0`)
	w.When(f.Project != 0, `project_id = ?`, int64(f.Project))
	w.When(f.Kind != "", `kind = ?`, string(f.Kind))
	w.When(f.Diminished, `standing < 1`)
	w.When(f.Ignored, `ignored > 0`)
	query := `SELECT ` + strengthColumns + ` FROM neuron` + w.String() + ` ORDER BY ` + string(cmp.Or(f.Order, ByAccesses))
	query += w.Limit(f.Limit)
	return db.All(ctx, tx.db, query, w.Args, (*Strength).fields)
}

// Neuron returns one neuron, gone or not.
func (tx *Tx) Neuron(ctx context.Context, id memory.NeuronID) (Strength, error) {
	first, err := db.First(db.All(ctx, tx.db, `SELECT `+strengthColumns+` FROM neuron WHERE id = ?`, []any{int64(id)}, (*Strength).fields))
	return first, db.Wrap(err, "neuron %s", id)
}

// Present returns those of some neurons that are there and not gone.
func (tx *Tx) Present(ctx context.Context, ids []memory.NeuronID) (map[memory.NeuronID]bool, error) {
	return db.MapOf[memory.NeuronID, bool](ctx, tx.db, `SELECT id, 1 FROM neuron WHERE gone = 0 AND id IN %s`, ids, db.Column)
}

// NeuronsByID returns those of some neurons that exist, gone or not.
func (tx *Tx) NeuronsByID(ctx context.Context, ids []memory.NeuronID) (map[memory.NeuronID]Strength, error) {
	return db.MapOf[memory.NeuronID](ctx, tx.db, `SELECT id, `+strengthColumns+` FROM neuron WHERE id IN %s`, ids, (*Strength).fields)
}

// fields are where strengthColumns go.
func (s *Strength) fields() []any {
	return []any{
		(*int64)(&s.ID), (*int64)(&s.Project), &s.Kind, &s.Key, &s.Accesses, db.Time(&s.FirstAt), db.Time(&s.LastAt), &s.Links, &s.Ignored,
		&s.Gone, &s.Myelin, &s.Activation, &s.Standing, &s.Peak, &s.Reviews, &s.Boosted, &s.Damped,
	}
}

// SaveStrength writes how a neuron has grown; its counts and dates stay as the store has them.
func (tx *Tx) SaveStrength(ctx context.Context, s Strength) error {
	return tx.db.Run(ctx, `UPDATE neuron SET `+strengthSet+` WHERE id = ?`, append(s.strength(), int64(s.ID))...)
}

// SaveMet writes how a neuron has grown, with its counts and dates. It was read in this transaction, which has counted its accesses since.
func (tx *Tx) SaveMet(ctx context.Context, s Strength) error {
	return tx.db.Run(ctx, `UPDATE neuron SET `+strengthSet+`, accesses = ?, first_at = ?, last_at = ? WHERE id = ?`,
		append(s.strength(), s.Accesses, db.Millis(s.FirstAt), db.Millis(s.LastAt), int64(s.ID))...)
}

const strengthSet = `myelin = ?, activation = ?, links = ?, ignored = ?, standing = ?, gone = ?, peak = ?, reviews = ?, boosted = ?, damped = ?`

// strength are the values of strengthSet.
func (s Strength) strength() []any {
	return []any{
		float64(s.Myelin), float64(s.Activation), s.Links, s.Ignored, s.Standing, db.Flag(s.Gone), float64(s.Peak), s.Reviews, db.Flag(s.Boosted), s.Damped,
	}
}

// CountNeurons counts what Neurons would return, by kind.
func (tx *Tx) CountNeurons(ctx context.Context, project memory.ProjectID) (map[memory.NeuronKind]int64, error) {
	w := db.Where{}
	w.And(`gone = 0`)
	w.When(project != 0, `project_id = ?`, int64(project))
	return db.Map[memory.NeuronKind, int64](ctx, tx.db, `SELECT kind, COUNT(*) FROM neuron`+w.String()+` GROUP BY kind`, w.Args, db.Column)
}

// baseName is the last name of a key, as far as the index neuron_by_base has it: no file system has longer ones.
const baseName = `substr(key, length(rtrim(key, replace(key, '/', ''))) + 1, 255)`

// OnlyFileNamed reports whether no other known file of a project has the base name of a file.
func (tx *Tx) OnlyFileNamed(ctx context.Context, project memory.ProjectID, file string) (bool, error) {
	const from = `neuron WHERE project_id = ? AND kind = '` + string(memory.FileNeuron) + `' AND ` + baseName + ` = ?
		AND gone = 0 AND key <> ?`
	other, err := tx.db.Any(ctx, from, int64(project), path.Base(file), file)
	return !other && err == nil, db.Wrap(err, "files named %s", path.Base(file))
}
