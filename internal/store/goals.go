package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// SaveGoal writes a goal as it now is.
func (tx *Tx) SaveGoal(ctx context.Context, g memory.Goal) error {
	data, err := json.Marshal(g)
	if err == nil {
		err = tx.db.Put(ctx, checkedGoal, string(g.ID), int64(g.Project), string(g.Status), string(data))
	}
	return db.Wrap(err, "goal %s", g.ID)
}

// Goals returns the goals of some projects, by ID; open leaves out those that are done or dropped.
func (tx *Tx) Goals(ctx context.Context, open bool, projects ...memory.ProjectID) (goals []memory.Goal, err error) {
	for _, project := range projects {
		which := ``
		if open {
			which = ` AND status NOT IN ('` + string(memory.GoalDone) + `', '` + string(memory.GoalDropped) + `')`
		}
		err := tx.db.Each(ctx, `SELECT data FROM goal WHERE project_id = ?`+which+` ORDER BY id`,
			[]any{int64(project)}, db.ForEach(db.Column, func(data string) error {
				var g memory.Goal
				if err := json.Unmarshal([]byte(data), &g); err != nil {
					return fmt.Errorf("%w: %w", memory.ErrDamaged, err)
				}
				goals = append(goals, g)
				return nil
			}))
		if err != nil {
			return nil, fmt.Errorf("goals of %s: %w", project, err)
		}
	}
	return goals, nil
}

// DeleteGoal deletes a goal and what was connected to it.
func (tx *Tx) DeleteGoal(ctx context.Context, id memory.GoalID) error {
	return tx.db.Run(ctx, `DELETE FROM goal WHERE id = ?`, string(id))
}

// DropGoals deletes the goals of a project.
func (tx *Tx) DropGoals(ctx context.Context, project memory.ProjectID) (int64, error) {
	n, err := tx.db.Exec(ctx, `DELETE FROM goal WHERE project_id = ?`, int64(project))
	return n, db.Wrap(err, "goals of %s", project)
}

// Thought is a connection that was shown.
type Thought struct {
	ID       int64            `json:"id"`
	Project  memory.ProjectID `json:"project,omitzero"`
	Goal     memory.GoalID    `json:"goal"`
	At       time.Time        `json:"at"`
	Strength float64          `json:"strength"`
	Keys     []string         `json:"keys"`
	Why      string           `json:"why"`
	Outcome  string           `json:"outcome,omitempty"`
	ThoughtOf
}

// ThoughtOf is what a connection was made of.
type ThoughtOf struct {
	Episode string    `json:"episode,omitempty"` // one line
	Lived   time.Time `json:"lived,omitzero"`    // when it was
	Files   []string  `json:"files,omitempty"`
}

// AddThought keeps a connection.
func (tx *Tx) AddThought(ctx context.Context, t Thought) (id int64, err error) {
	data, err := json.Marshal(t.ThoughtOf)
	if err != nil {
		return 0, fmt.Errorf("connection to %s: %w", t.Goal, err)
	}
	err = tx.db.One(ctx, `INSERT INTO connection (project_id, goal_id, at, strength, keys, why, outcome, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		[]any{int64(t.Project), string(t.Goal), db.Millis(t.At), t.Strength, strings.Join(t.Keys, "\n"), t.Why, t.Outcome, string(data)}, &id)
	err = tx.db.Rehashed(ctx, err, checkedConnection, `id = ?`, id)
	return id, db.Wrap(err, "connection to %s", t.Goal)
}

// Thoughts returns the connections of a project, or of all, since a time, the latest first.
func (tx *Tx) Thoughts(ctx context.Context, project memory.ProjectID, since time.Time, most int) (list []Thought, err error) {
	var keys, data string
	w := db.Where{}
	w.When(!since.IsZero(), `at >= ?`, db.Millis(since))
	w.When(project != 0, `project_id = ?`, int64(project))
	err = tx.db.Each(ctx, `SELECT id, project_id, goal_id, at, strength, keys, why, outcome, data FROM connection`+w.String()+`
		ORDER BY at DESC, id DESC LIMIT ?`, append(w.Args, most), db.ForEach(func(t *Thought) []any {
		return []any{&t.ID, (*int64)(&t.Project), &t.Goal, db.Time(&t.At), &t.Strength, &keys, &t.Why, &t.Outcome, &data}
	}, func(t Thought) error {
		if err := json.Unmarshal([]byte(data), &t.ThoughtOf); err != nil {
			return fmt.Errorf("%w: %w", memory.ErrDamaged, err)
		}
		if keys != "" {
			t.Keys = strings.Split(keys, "\n")
		}
		list = append(list, t)
		return nil
	}))
	return list, db.Wrap(err, "connections of %s", project)
}

// JudgeThought says what became of a connection.
func (tx *Tx) JudgeThought(ctx context.Context, id int64, outcome string) error {
	err := tx.db.Change(ctx, `UPDATE connection SET outcome = ? WHERE id = ?`, outcome, id)
	err = tx.db.Rehashed(ctx, err, checkedConnection, `id = ?`, id)
	return db.Wrap(err, "connection %d", id)
}

// DeleteThought deletes a connection.
func (tx *Tx) DeleteThought(ctx context.Context, id int64) error {
	return tx.db.Run(ctx, `DELETE FROM connection WHERE id = ?`, id)
}

// LatestWork names the latest event of a project that can be thought of: what somebody said, did or wrote down. Beginnings,
// ends and commits are none. Empty: there is none.
func (tx *Tx) LatestWork(ctx context.Context, project memory.ProjectID) (id memory.EventID, at time.Time, err error) {
	const kinds = `'` + string(memory.Prompted) + `', '` + string(memory.ToolUsed) + `', '` + string(memory.ToolFailed) + `', '` +
		string(memory.TurnEnded) + `', '` + string(memory.Recorded) + `'`
	var when int64
	err = tx.db.One(ctx, `SELECT id, at FROM event WHERE project_id = ? AND kind IN (`+kinds+`) ORDER BY at DESC, seq DESC LIMIT 1`,
		[]any{int64(project)}, &id, &when)
	switch {
	case errors.Is(err, memory.ErrNotFound):
		return "", time.Time{}, nil
	case err != nil:
		return "", time.Time{}, fmt.Errorf("latest work of %s: %w", project, err)
	}
	return id, db.FromMillis(when), nil
}
