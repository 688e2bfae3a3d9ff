package desk

import (
	"context"
	"fmt"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// ShelfInput asks for the sessions on the shelves.
type ShelfInput struct {
	brain.Scope
	Limit int `json:"limit,omitempty"` // 0: as many as the recent shelf holds
}

// Shelf lists what is left of the latest sessions.
var Shelf = brain.Operation[ShelfInput, []memory.Session]{
	Name: "recent", Files: brain.ReadFiles | brain.WriteAllFiles,
	Run: func(ctx context.Context, b *brain.Brain, in ShelfInput) ([]memory.Session, error) {
		_, _, unfinished := Shelve(ctx, b)
		if in.Limit <= 0 {
			in.Limit = b.Config.Tuning.Context.RecentSessions
		}
		out, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.Session, error) {
			id, err := b.Resolve(ctx, tx, in.Scope)
			if err != nil {
				return nil, err
			}
			if id != 0 {
				return tx.ShelvedSessions(ctx, id, in.Limit)
			}
			projects, err := tx.Projects(ctx)
			var all []memory.Session
			for _, p := range projects {
				some, err := tx.ShelvedSessions(ctx, p.ID, in.Limit)
				if err != nil {
					return nil, err
				}
				all = append(all, some...)
			}
			slices.SortFunc(all, func(x, y memory.Session) int { return y.LastEventAt.Compare(x.LastEventAt) })
			return all[:min(len(all), in.Limit)], err
		})
		if err == nil && len(out) == 0 {
			err = unfinished
		}
		if out == nil {
			out = []memory.Session{}
		}
		return out, err
	},
}

// PauseInput chooses the project in which hebb is to pause, or to go on.
type PauseInput struct {
	brain.Scope
	Pause bool `json:"pause"`
}

// PauseResult says what is so now.
type PauseResult struct {
	Project memory.ProjectID `json:"project"`
	Paused  bool             `json:"paused"`
	Changed bool             `json:"changed"`
}

// PauseProject makes hebb neither watch nor speak in a project, until it is resumed.
var PauseProject = brain.Operation[PauseInput, PauseResult]{
	Name: "pause",
	Run: func(ctx context.Context, b *brain.Brain, in PauseInput) (out PauseResult, err error) {
		if in.All {
			return out, fmt.Errorf("pause one project at a time: %w", memory.ErrInvalid)
		}
		out.Paused = in.Pause
		out.Project, err = brain.View(ctx, b.Store, func(tx *store.Tx) (memory.ProjectID, error) { return b.Resolve(ctx, tx, in.Scope) })
		if err != nil {
			return out, err
		}
		out.Changed, err = b.Config.Pause(out.Project, in.Pause)
		return out, err
	},
}
