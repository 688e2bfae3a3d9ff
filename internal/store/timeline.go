package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
	"github.com/hebb-memory/hebb/internal/store/text"
)

// Work counts what came of a session: the files it read or changed, and the commits made in its project while it ran.
func (tx *Tx) Work(ctx context.Context, s memory.Session) (files, commits int64, err error) {
	touches, err := tx.SessionTouches(ctx, s.ID, 0, 0)
	opened := map[memory.NeuronID]bool{}
	for _, t := range touches {
		if t.Kind == memory.Read || t.Kind == memory.Edit {
			opened[t.Neuron] = true
		}
	}
	files = int64(len(opened))
	if err == nil {
		err = tx.db.One(ctx, `SELECT COUNT(*) FROM event WHERE project_id = ? AND at BETWEEN ? AND ? AND kind = ?`,
			[]any{int64(s.Project), db.Millis(s.OpenedAt), db.Millis(s.LastEventAt), string(memory.Committed)}, &commits)
	}
	return files, commits, db.Wrap(err, "work of session %s", s.ID)
}

// Marker changes with every event, every change of a crystal and every durable commit. It costs three looks into indexes.
func (tx *Tx) Marker(ctx context.Context) (string, error) {
	var event, audit, flushed int64
	err := tx.db.One(ctx, `SELECT (SELECT COALESCE(MAX(seq), 0) FROM event), (SELECT COALESCE(MAX(id), 0) FROM audit), (SELECT flushed FROM totals)`,
		nil, &event, &audit, &flushed)
	return fmt.Sprintf("%d-%d-%d", event, audit, flushed), db.Wrap(err, "marker")
}

// Commit is a commit as the timeline shows it.
type Commit struct {
	Project memory.ProjectID
	At      time.Time
	Subject string
}

// errEnough ends a walk early.
var errEnough = errors.New("enough")

// WalkCommits visits the commits of a project, 0 for all, since a time, the latest first, until yield has enough. yield
// must not use the transaction: the rows are still being read.
func (tx *Tx) WalkCommits(ctx context.Context, project memory.ProjectID, since time.Time, yield func(Commit) bool) error {
	f := EventFilter{Project: project, Kind: memory.Committed, Since: since}
	w := f.where()
	err := tx.db.Each(ctx, `SELECT project_id, at, text FROM event`+w.String()+` ORDER BY at DESC, seq DESC`, w.Args, db.ForEach(func(c *Commit) []any {
		return []any{(*int64)(&c.Project), db.Time(&c.At), &c.Subject}
	}, func(c Commit) error {
		if !yield(c) {
			return errEnough
		}
		return nil
	}))
	if err != nil && !errors.Is(err, errEnough) {
		return fmt.Errorf("walk commits: %w", err)
	}
	return nil
}

// OnPurpose is one request to forget events.
type OnPurpose struct {
	At     time.Time
	Events int64
}

// ForgottenOnPurpose lists when events were forgotten on purpose, the latest first; a limit of 0 is none.
func (tx *Tx) ForgottenOnPurpose(ctx context.Context, since time.Time, limit int) ([]OnPurpose, error) {
	w := db.Where{}
	w.And(`at >= ?`, db.Millis(since))
	query := `SELECT at, COUNT(*) FROM ` + text.Buried + text.NoTrace + w.Further() + ` GROUP BY at ORDER BY at DESC` + w.Limit(limit)
	return db.All(ctx, tx.db, query, w.Args, func(d *OnPurpose) []any { return []any{db.Time(&d.At), &d.Events} })
}
