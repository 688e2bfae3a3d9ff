package brain

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// tend looks after the projects that were worked in of late, in the background: their code is read again where it has
// changed, what is remembered of it is compared with it, and texts get a direction in the space of the configured model.
// One project that cannot be read holds up no other.
func (b *Brain) tend(ctx context.Context) error {
	projects, err := viewed(ctx, b, func(tx *store.Tx) ([]memory.Project, error) { return tx.Projects(ctx) })
	if err != nil {
		return err
	}
	const lately = 24 * time.Hour
	var problems error
	for _, p := range projects {
		root, err := memory.UnescapePath(p.Root)
		if err != nil || b.now().Sub(p.LastAt) > lately {
			continue
		}
		if !isFolder(root) {
			continue
		}
		_, read := b.readSnippets(ctx, SnippetsInput{Dir: filepath.FromSlash(root)})
		_, doubted := b.doubt(ctx, p.ID)
		problems = errors.Join(problems, read, doubted)
	}
	_, filled := b.backfill(ctx, backfillMost)
	return errors.Join(problems, filled)
}
