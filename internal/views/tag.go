package views

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// TagInput names a project.
type TagInput struct {
	brain.Scope
	Name string `json:"name" arg:"1"`
}

// TagProject gives a project a name of its own, which then works in every command.
var TagProject = brain.Operation[TagInput, memory.Project]{
	Name: "tag-project",
	Run: func(ctx context.Context, b *brain.Brain, in TagInput) (memory.Project, error) {
		name := scrub.Line(scrub.Clean(in.Name))
		if name == "" {
			return memory.Project{}, fmt.Errorf("project name %q: must not be empty: %w", in.Name, memory.ErrInvalid)
		}
		if utf8.RuneCountInString(name) > brain.LongestProjectName {
			return memory.Project{}, fmt.Errorf("project name: at most %d characters: %w", brain.LongestProjectName, memory.ErrInvalid)
		}
		if _, err := memory.ParseProjectID(name); err == nil {
			return memory.Project{}, fmt.Errorf("project name %q: looks like an ID: %w", name, memory.ErrInvalid)
		}
		return brain.Update(ctx, b, func(tx *store.Tx) (memory.Project, error) {
			id, err := brain.Resolve(ctx, tx, b.Config, in.Scope)
			if err != nil {
				return memory.Project{}, err
			}
			if err := tx.NameProject(ctx, id, name); err != nil {
				return memory.Project{}, err
			}
			return tx.Project(ctx, id)
		})
	},
}
