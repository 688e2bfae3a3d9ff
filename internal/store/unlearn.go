package store

import (
	"context"
	"errors"
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// TreeBlock is the kind of the blocks that Unlearn leaves: they hold, while a project is relearned, what no event says.
const TreeBlock = 5

// What is left of neurons and of the heat of files that are relearned. What people and agents said of files stays.
const (
	unmet = `myelin = -1e300, activation = -1e300, ignored = 0, standing = 1, gone = 0, peak = -1e300, reviews = 0, boosted = 0,
		damped = 0`
	coolFiles = `UPDATE heat SET heat = -1e300, touches = 0, session_id = 0`
)

// Statements that take figures back, each for a limited number of rows that have any.
const (
	unlearnOrds    = `UPDATE session SET learned_ord = 0 WHERE id IN (SELECT id FROM session WHERE project_id = ? AND learned_ord <> 0 LIMIT ?)`
	unlearnFigures = `UPDATE neuron SET ` + unmet + ` WHERE id IN (SELECT id FROM neuron WHERE project_id = ? AND (myelin > -1e300
		OR activation > -1e300 OR ignored <> 0 OR standing <> 1 OR gone <> 0 OR peak > -1e300 OR reviews <> 0 OR boosted <> 0
		OR damped <> 0) LIMIT ?)`
	unlearnSuggestions = `DELETE FROM suggestion WHERE id IN (SELECT id FROM suggestion WHERE project_id = ? LIMIT ?)`
	unlearnGone        = `DELETE FROM forgotten WHERE (a, b) IN (SELECT a, b FROM forgotten WHERE project_id = ? AND b = 0 LIMIT ?)`
	unlearnForgotten   = `UPDATE forgotten SET data = '' WHERE (a, b) IN (SELECT a, b FROM forgotten WHERE project_id = ? AND data <> '' LIMIT ?)`
)

// Unlearn removes what was derived from a project's events, so that it can be made again: its past, and up to a number of other rows.
// It reports whether there is more to remove. Every call leaves a store without contradictions. What sleep forgot of the project
// cannot be brought back any more: that came from all events, and some may be forgotten now. A link that sleep forgot stays
// known as such, or it would be made again too.
func (tx *Tx) Unlearn(ctx context.Context, project memory.ProjectID, most int) (more bool, err error) {
	if err := tx.UnlearnPast(ctx, project); err != nil {
		return false, err
	}
	for _, step := range []func(context.Context, memory.ProjectID, int) (int, error){tx.unlink, tx.unmeetErrors} {
		n, err := step(ctx, project, most)
		if most -= n; err != nil || most <= 0 {
			return true, err
		}
	}
	more, err = tx.limited(ctx, project, most, unlearnSuggestions, unlearnGone, unlearnForgotten, unlearnFigures, unlearnOrds)
	if err != nil || more {
		return more, err
	}
	return tx.cool(ctx, project, max(most/2, 1)) // and their checksums
}

// UnlearnPast removes the past of a project: all blocks but those of TreeBlock.
func (tx *Tx) UnlearnPast(ctx context.Context, project memory.ProjectID) error {
	return tx.db.Run(ctx, `DELETE FROM block WHERE project_id = ? AND kind <> ?`, int64(project), TreeBlock)
}

// UnlearnSome removes up to where sessions were learned and, where heat says so, the heat of all files; up to a number of rows. It
// reports whether there is more to remove.
func (tx *Tx) UnlearnSome(ctx context.Context, project memory.ProjectID, heat bool, most int) (more bool, err error) {
	if more, err = tx.limited(ctx, project, most, unlearnOrds); err == nil && !more && heat {
		more, err = tx.cool(ctx, project, max(most/2, 1)) // and their checksums
	}
	return more, db.Wrap(err, "unlearn %s", project)
}

// cool resets the heat of up to a number of files, and reports whether there may be more.
func (tx *Tx) cool(ctx context.Context, project memory.ProjectID, most int) (more bool, err error) {
	ids, err := tx.db.Ids(ctx, `SELECT neuron_id FROM heat WHERE project_id = ? AND (heat > -1e300 OR touches <> 0 OR session_id <> 0) LIMIT ?`,
		[]any{int64(project), most})
	for some := range slices.Chunk(ids, db.AtOnce) {
		in, args := db.List(some)
		in = `neuron_id IN ` + in
		if err == nil {
			_, err = tx.db.Exec(ctx, coolFiles+` WHERE `+in, args...)
		}
		err = tx.db.Rehashed(ctx, err, checkedHeat, in, args...)
	}
	return len(ids) == most, err
}

// limited runs statements of a project until a number of rows is changed, and reports whether there may be more.
func (tx *Tx) limited(ctx context.Context, project memory.ProjectID, most int, statements ...string) (more bool, err error) {
	for _, statement := range statements {
		n, err := tx.db.Exec(ctx, statement, int64(project), most)
		if most -= int(n); err != nil || most <= 0 {
			return true, err
		}
	}
	return false, nil
}

// unlink deletes synapses and counts them off their ends. It counts two rows for each.
func (tx *Tx) unlink(ctx context.Context, project memory.ProjectID, most int) (rows int, err error) {
	pairs, err := tx.pairs(ctx, `SELECT a, b FROM synapse WHERE project_id = ? LIMIT ?`, []any{int64(project), (most + 1) / 2})
	if err != nil {
		return 0, err
	}
	less := map[memory.NeuronID]int64{}
	for _, p := range pairs {
		less[p[0]]--
		less[p[1]]--
	}
	return 2 * len(pairs), errors.Join(tx.execPairs(ctx, deleteSynapses, pairs), tx.countLinks(ctx, less))
}

// unmeetErrors deletes accesses to errors, and the errors that have none left.
func (tx *Tx) unmeetErrors(ctx context.Context, project memory.ProjectID, most int) (rows int, err error) {
	for rows < most {
		ids, err := tx.db.Ids(ctx, `SELECT id FROM neuron WHERE project_id = ? AND kind = ? LIMIT 1`, []any{int64(project), string(memory.ErrorNeuron)})
		if err != nil || len(ids) == 0 {
			return rows, err
		}
		n, err := tx.db.Exec(ctx, `DELETE FROM access WHERE (event_seq, n) IN (SELECT event_seq, n FROM access WHERE neuron_id = ? LIMIT ?)`, ids[0], most-rows)
		if err != nil {
			return rows, err
		}
		if _, err := tx.recountNeuron(ctx, ids[0]); err != nil {
			return rows, err
		}
		rows += int(n) + 1
	}
	return rows, nil
}
