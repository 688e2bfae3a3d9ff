package steward

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

// readCode reads changed code of the projects of the last day, marks memories about it, and computes missing vectors of texts. An error
// in one project does not stop the others.
func readCode(ctx context.Context, b *brain.Brain) error {
	projects, err := brain.View(ctx, b, func(tx *store.Tx) ([]memory.Project, error) { return tx.Projects(ctx) })
	if err != nil {
		return err
	}
	const lately = 24 * time.Hour
	var problems error
	for _, p := range projects {
		root, err := memory.UnescapePath(p.Root)
		if err != nil || b.Now().Sub(p.LastAt) > lately {
			continue
		}
		if !statements.IsFolder(root) {
			continue
		}
		_, read := learn.RefreshSnippets(ctx, b, learn.SnippetsInput{Dir: filepath.FromSlash(root)})
		_, doubted := statements.Doubt(ctx, b, p.ID)
		problems = errors.Join(problems, read, doubted)
	}
	_, filled := texts.Backfill(ctx, b, texts.BackfillMost)
	return errors.Join(problems, filled)
}
