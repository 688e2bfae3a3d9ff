package transfer

import (
	"context"
	"slices"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/foreign"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/store"
)

// MoveOutInput says whose texts and knowledge to hand out.
type MoveOutInput struct {
	brain.Scope
	// Everywhere hands out the person's own instead of a project's.
	Everywhere bool `json:"everywhere,omitempty"`
}

// MoveOut returns what was remembered and what is known, history included, for files that other tools read.
var MoveOut = brain.Operation[MoveOutInput, foreign.Memory]{
	Name: "move-out",
	Run: func(ctx context.Context, b *brain.Brain, in MoveOutInput) (foreign.Memory, error) {
		return brain.View(ctx, b.Store, func(tx *store.Tx) (out foreign.Memory, err error) {
			filter := store.CrystalFilter{OldestFirst: true, Projects: []memory.ProjectID{0}}
			graphs := []memory.ProjectID{0}
			switch {
			case in.Everywhere:
			case in.All && in.Project == "":
				filter.Projects = nil
				graphs, err = tx.KnowledgeProjects(ctx)
			default:
				graphs, err = ranking.Scoped(ctx, b.Config, tx, in.Scope)
				filter.Projects = graphs
			}
			if err != nil {
				return out, err
			}
			crystals, err := tx.Crystals(ctx, filter)
			if err != nil {
				return out, err
			}
			for _, c := range crystals {
				out.Crystals = append(out.Crystals, c.Crystal)
			}
			for _, id := range graphs {
				if err := handOut(ctx, tx, id, &out); err != nil {
					return out, err
				}
			}
			return out, nil
		})
	},
}

// handOut adds the knowledge of a project. Other tools know an entity by its name alone, so entities of one name are joined.
func handOut(ctx context.Context, tx *store.Tx, id memory.ProjectID, out *foreign.Memory) error {
	entities, err := tx.Entities(ctx, id)
	if err != nil {
		return err
	}
	known := make(map[string]int, len(out.Entities))
	for i, e := range out.Entities {
		known[e.Name] = i
	}
	for _, e := range entities {
		i, found := known[e.Name]
		if !found {
			out.Entities = append(out.Entities, e)
			continue
		}
		for _, o := range e.Observations {
			if !slices.ContainsFunc(out.Entities[i].Observations, func(other memory.Observation) bool { return other.Text == o.Text }) {
				out.Entities[i].Observations = append(out.Entities[i].Observations, o)
			}
		}
	}
	relations, err := tx.Relations(ctx, id)
	out.Relations = append(out.Relations, relations...)
	return err
}
