package brain

import (
	"context"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// Pause is a time in which a project was paused. Nothing of it is ever learned, whatever is read later.
type Pause struct {
	Project memory.ProjectID `json:"project"`
	From    time.Time        `json:"from"`
	To      time.Time        `json:"to,omitzero"` // zero while it lasts
}

// Pauses are all of them.
var Pauses = store.NewFact[[]Pause]("pauses")

// Covers reports whether a project was paused at some time. Agents may note whole seconds.
func Covers(pauses []Pause, id memory.ProjectID, at time.Time) bool {
	return slices.ContainsFunc(pauses, func(p Pause) bool {
		return p.Project == id && !at.Before(p.From.Truncate(time.Second)) && (p.To.IsZero() || !at.After(p.To.Add(time.Second)))
	})
}

// NotePause notes that a project is paused from now on, or that its pause ends. since is when that began, should nobody have noted it.
func NotePause(ctx context.Context, tx *store.Tx, id memory.ProjectID, pause bool, since time.Time) error {
	all, err := Pauses.Get(ctx, tx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(p Pause) bool { return p.Project == id && p.To.IsZero() })
	if i < 0 {
		all, i = append(all, Pause{Project: id, From: since}), len(all)
	}
	if !pause {
		all[i].To = tx.Now
	}
	return Pauses.Set(ctx, tx, all)
}

// MovePauses gives the pauses of a project to another.
func MovePauses(ctx context.Context, tx *store.Tx, from, into memory.ProjectID) error {
	all, err := Pauses.Get(ctx, tx)
	if err != nil || len(all) == 0 {
		return err
	}
	for i := range all {
		if all[i].Project == from {
			all[i].Project = into
		}
	}
	return Pauses.Set(ctx, tx, all)
}
