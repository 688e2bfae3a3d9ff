package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
)

// Names of the facts about all that is kept. They stand next to each other, to be read at once.
const (
	weightRegister = "balance/weight"
	myelinRegister = "balance/myelin"
	rates          = "balance/rates"
)

// Balance returns what a store says about all it keeps.
func (tx *Tx) Balance(ctx context.Context) (plasticity.Balance, error) {
	if tx.balance != nil {
		return *tx.balance, nil
	}
	var b plasticity.Balance
	err := tx.each(ctx, `SELECT name, value FROM meta WHERE name IN (?, ?, ?)`, []any{weightRegister, myelinRegister, rates},
		func(rows *sql.Rows) error {
			var name, value string
			if err := rows.Scan(&name, &value); err != nil {
				return err
			}
			var err error
			switch name {
			case weightRegister:
				_, err = fmt.Sscan(value, &b.Weight)
			case myelinRegister:
				_, err = fmt.Sscan(value, &b.Myelin)
			case rates:
				_, err = fmt.Sscan(value, &b.Rates.Weight, &b.Rates.Myelin, &b.Rates.Activation)
			}
			if err != nil {
				return fmt.Errorf("%s is %q: %w", name, value, memory.ErrDamaged)
			}
			return nil
		})
	if err != nil {
		return b, fmt.Errorf("balance: %w", err)
	}
	tx.balance = &b
	return b, nil
}

// SetBalance writes it: this, and no row, is how everything is scaled.
func (tx *Tx) SetBalance(ctx context.Context, b plasticity.Balance) error {
	tx.balance = nil
	for name, value := range map[string]string{
		weightRegister: fmt.Sprint(float64(b.Weight)), myelinRegister: fmt.Sprint(float64(b.Myelin)),
		rates: fmt.Sprint(b.Rates.Weight, b.Rates.Myelin, b.Rates.Activation),
	} {
		if err := tx.SetMeta(ctx, name, value); err != nil {
			return err
		}
	}
	return nil
}

// Shift adds to every weight, myelin and activation, Nothing excepted. A rate that was retuned needs it, once.
func (tx *Tx) Shift(ctx context.Context, weight, myelin, activation plasticity.Stored) error {
	for _, s := range []struct {
		statement string
		args      []any
	}{
		{`UPDATE synapse SET ab = ab + ?, ba = ba + ?`, []any{float64(weight), float64(weight)}},
		{`UPDATE neuron SET myelin = myelin + ?, peak = peak + ?, activation = activation + ?`,
			[]any{float64(myelin), float64(myelin), float64(activation)}},
	} {
		if _, err := tx.exec(ctx, s.statement, s.args...); err != nil {
			return fmt.Errorf("shift what fades: %w", err)
		}
	}
	return tx.shiftForgotten(ctx, weight, myelin, activation)
}

// shiftForgotten does so to what can be brought back.
func (tx *Tx) shiftForgotten(ctx context.Context, weight, myelin, activation plasticity.Stored) error {
	whole, err := tx.WhatIsGone(ctx, GoneFilter{Whole: true})
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

// SampleWeights returns the weights of up to so many links, both directions, from a place on and round. IDs are hashes, so
// any stretch of them is a fair sample.
func (tx *Tx) SampleWeights(ctx context.Context, from memory.NeuronID, most int) (weights []plasticity.Stored, err error) {
	for _, where := range []string{`a >= ?`, `a < ?`} {
		if left := most - len(weights)/2; left > 0 {
			err = tx.each(ctx, `SELECT ab, ba FROM synapse WHERE `+where+` ORDER BY a, b LIMIT ?`, []any{int64(from), left},
				func(rows *sql.Rows) error {
					var ab, ba plasticity.Stored
					err := rows.Scan(&ab, &ba)
					weights = append(weights, ab, ba)
					return err
				})
			if err != nil {
				return nil, fmt.Errorf("sample weights: %w", err)
			}
		}
	}
	return weights, nil
}

// SampleFiles likewise returns the myelin and the accesses of files.
func (tx *Tx) SampleFiles(ctx context.Context, from memory.NeuronID, most int) (myelin []plasticity.Stored, accesses []int64, err error) {
	for _, where := range []string{`id >= ?`, `id < ?`} {
		if left := most - len(myelin); left > 0 {
			err = tx.each(ctx, `SELECT myelin, accesses FROM neuron WHERE `+where+` AND kind = ? AND gone = 0 ORDER BY id LIMIT ?`,
				[]any{int64(from), string(memory.FileNeuron), left}, func(rows *sql.Rows) error {
					var m plasticity.Stored
					var n int64
					err := rows.Scan(&m, &n)
					myelin, accesses = append(myelin, m), append(accesses, n)
					return err
				})
			if err != nil {
				return nil, nil, fmt.Errorf("sample files: %w", err)
			}
		}
	}
	return myelin, accesses, nil
}
