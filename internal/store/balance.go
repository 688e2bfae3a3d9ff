package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Balance returns how homeostasis has scaled a project so far, and the rates under which the store was written. Project 0,
// or one that was never scaled, has registers of 0.
func (tx *Tx) Balance(ctx context.Context, project memory.ProjectID) (plasticity.Balance, error) {
	if b, read := tx.balance[project]; read {
		return b, nil
	}
	b, err := tx.storedBalance(ctx, project)
	if err != nil {
		return b, fmt.Errorf("balance of %s: %w", project, err)
	}
	tx.balance[project] = b
	return b, nil
}

func (tx *Tx) storedBalance(ctx context.Context, project memory.ProjectID) (b plasticity.Balance, err error) {
	f, clock := clockOf(project), ""
	err = tx.db.One(ctx, `SELECT weight_rate, myelin_rate, activation_rate, COALESCE(latest.weight, 0), COALESCE(latest.myelin, 0),
			COALESCE((SELECT value FROM fact WHERE name = ? AND project_id = ? AND subject = ?), '{}') FROM totals
		LEFT JOIN (SELECT weight, myelin FROM balance WHERE project_id = ? ORDER BY seq DESC LIMIT 1) AS latest ON 1 = 1`,
		append(f.key(), int64(project)), &b.Rates.Weight, &b.Rates.Myelin, &b.Rates.Activation, &b.Weight, &b.Myelin, &clock)
	if err == nil {
		err = f.read(clock, &b.Clock)
	}
	return b, err
}

// clockOf is the clock of a project, which every session moves.
func clockOf(project memory.ProjectID) Fact[memory.Clock] {
	return NewFact[memory.Clock]("clock").Of(project)
}

// SetClock moves the clock of a project.
func (tx *Tx) SetClock(ctx context.Context, project memory.ProjectID, c memory.Clock) error {
	clear(tx.balance)
	return clockOf(project).Set(ctx, tx, c)
}

// SetRates writes the rates under which all that fades is stored from now on. Shift moves what is there.
func (tx *Tx) SetRates(ctx context.Context, r plasticity.Rates) error {
	clear(tx.balance)
	return tx.db.Run(ctx, `UPDATE totals SET weight_rate = ?, myelin_rate = ?, activation_rate = ?`, r.Weight, r.Myelin, r.Activation)
}

// Register is what a project's weights and myelin are scaled by, for events numbered above After.
type Register struct {
	After          int64
	Weight, Myelin plasticity.Stored
}

// SetRegister scales a project from the next event on: this, and no row of it, changes. Earlier registers stay known, so that
// an event that is learned again meets the one it met before.
func (tx *Tx) SetRegister(ctx context.Context, project memory.ProjectID, weight, myelin plasticity.Stored) error {
	clear(tx.balance)
	var last, seq int64
	err := tx.db.One(ctx, `SELECT COALESCE(MAX(seq), 0) FROM balance WHERE project_id = ?`, []any{int64(project)}, &last)
	if err == nil { // +: by seq, backwards: what is scaled was worked on of late
		err = tx.db.One(ctx, `SELECT COALESCE((SELECT seq FROM event WHERE seq > ? AND +project_id = ? ORDER BY seq DESC LIMIT 1), ?)`,
			[]any{last, int64(project), last}, &seq)
	}
	if err == nil {
		_, err = tx.db.Exec(ctx, `INSERT INTO balance (project_id, seq, weight, myelin) VALUES (?, ?, ?, ?)
			ON CONFLICT (project_id, seq) DO UPDATE SET weight = excluded.weight, myelin = excluded.myelin`,
			int64(project), seq, float64(weight), float64(myelin))
	}
	return db.Wrap(err, "scale %s", project)
}

// Registers returns all registers that a project has had, the first one first.
func (tx *Tx) Registers(ctx context.Context, project memory.ProjectID) ([]Register, error) {
	return db.All(ctx, tx.db, `SELECT seq, weight, myelin FROM balance WHERE project_id = ? ORDER BY seq`, []any{int64(project)},
		func(r *Register) []any { return []any{&r.After, &r.Weight, &r.Myelin} })
}

// Shift adds to every weight, myelin and activation, Nothing excepted. A rate that was retuned needs it, once.
func (tx *Tx) Shift(ctx context.Context, weight, myelin, activation plasticity.Stored) error {
	_, err := tx.db.Exec(ctx, `UPDATE neuron SET myelin = myelin + ?, peak = peak + ?, activation = activation + ?`, float64(myelin), float64(myelin), float64(activation))
	if err == nil {
		_, err = tx.db.Exec(ctx, `UPDATE synapse SET ab = ab + ?, ba = ba + ?`, float64(weight), float64(weight))
	}
	if err != nil {
		return fmt.Errorf("shift what fades: %w", err)
	}
	return tx.shiftForgotten(ctx, weight, myelin, activation)
}

// shiftForgotten does so to what can be brought back.
func (tx *Tx) shiftForgotten(ctx context.Context, weight, myelin, activation plasticity.Stored) error {
	whole, err := tx.ListGone(ctx, GoneFilter{Whole: true})
	if err != nil {
		return err
	}
	for _, g := range whole {
		if s := g.Synapse; s != nil {
			s.AB, s.BA = s.AB+weight, s.BA+weight
			err = tx.rewrite(ctx, g, s)
		} else {
			n := g.Neuron
			n.Myelin, n.Peak, n.Activation = n.Myelin+myelin, n.Peak+myelin, n.Activation+activation
			err = tx.rewrite(ctx, g, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// SampleWeights returns the weights of up to most links of a project in both directions, from an ID on and wrapping around. IDs are
// hashes, so any range of them is a fair sample.
func (tx *Tx) SampleWeights(ctx context.Context, project memory.ProjectID, from memory.NeuronID, most int) (weights []plasticity.Stored, err error) {
	for _, where := range []string{`a >= ?`, `a < ?`} {
		if left := most - len(weights)/2; left > 0 {
			var ab, ba plasticity.Stored
			err = tx.db.Each(ctx, `SELECT ab, ba FROM synapse WHERE project_id = ? AND `+where+` ORDER BY a, b LIMIT ?`,
				[]any{int64(project), int64(from), left}, func(rows *sql.Rows) error {
					err := rows.Scan(&ab, &ba)
					weights = append(weights, ab, ba)
					return err
				})
			if err != nil {
				return nil, fmt.Errorf("sample weights of %s: %w", project, err)
			}
		}
	}
	return weights, nil
}

// SampleFiles likewise returns the myelin and the accesses of files.
func (tx *Tx) SampleFiles(ctx context.Context, project memory.ProjectID, from memory.NeuronID, most int) (myelin []plasticity.Stored, accesses []int64, err error) {
	for _, where := range []string{`id >= ?`, `id < ?`} {
		if left := most - len(myelin); left > 0 {
			err = tx.db.Each(ctx, `SELECT myelin, accesses FROM neuron WHERE project_id = ? AND `+where+` AND kind = ? AND gone = 0 ORDER BY id LIMIT ?`,
				[]any{int64(project), int64(from), string(memory.FileNeuron), left}, func(rows *sql.Rows) error {
					var m plasticity.Stored
					var n int64
					err := rows.Scan(&m, &n)
					myelin, accesses = append(myelin, m), append(accesses, n)
					return err
				})
			if err != nil {
				return nil, nil, fmt.Errorf("sample files of %s: %w", project, err)
			}
		}
	}
	return myelin, accesses, nil
}
