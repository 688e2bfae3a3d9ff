package steward

import (
	"context"
	"path/filepath"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transfer"
)

// carryingOver bounds how long one drain asks git about projects that an earlier version knew by
// their paths.
const carryingOver = time.Minute

// carryOver finds out what the repositories are known by whose projects an earlier version knew by
// their paths, so that hooks know them at once. The store is copied first, although no row is
// rewritten. When all are known, it does nothing.
func carryOver(ctx context.Context, b *brain.Brain) error {
	projects, err := brain.View(ctx, b, func(tx *store.Tx) ([]memory.Project, error) { return tx.Projects(ctx) })
	if err != nil {
		return err
	}
	var left []string
	for _, p := range projects {
		root, err := memory.UnescapePath(p.Root)
		root = filepath.FromSlash(root)
		if err != nil || p.Identity == p.Root {
			continue
		}
		place, err := project.Resolve(root)
		if err == nil && place.Identity == p.Identity && b.Config.Home(place).Mark != "" {
			left = append(left, root)
		}
	}
	if len(left) == 0 {
		return nil
	}
	if _, err := transfer.Backup(ctx, b, ""); err != nil {
		return err
	}
	began := b.Now()
	return brain.EachAlone(ctx, left, func(root string) error {
		if b.Now().Sub(began) > carryingOver {
			return nil // the next drain goes on
		}
		return b.Recognise(ctx, root)
	})
}
