package learn

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sources"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// SourcesResult is what was read of the memories that agents keep by themselves and of rule files.
type SourcesResult struct {
	statements.FilesKept
	Lines    int      `json:"lines"`
	Problems []string `json:"problems,omitempty"` // files that were not read, or not to their end
}

// ReadSources brings what is kept of the files of agents about a project in step with the files. It costs a look at each
// file where nothing has changed. root is the project's main checkout.
func ReadSources(ctx context.Context, st *store.Store, off config.Sources, m sources.Machine, p memory.Project) (out SourcesResult, err error) {
	root, err := memory.UnescapePath(p.Root)
	if err != nil || !statements.IsFolder(root) {
		return out, nil // its files are elsewhere
	}
	root = filepath.FromSlash(root)
	fingerprint := sources.Fingerprint(m, root, off.Off)
	var before statements.FilesRead
	if err := st.View(ctx, func(tx *store.Tx) (err error) {
		before, err = statements.FilesReadOf(p.ID).Get(ctx, tx)
		return err
	}); err != nil || before.Fingerprint == fingerprint {
		return out, err
	}
	lines, problems := sources.Read(ctx, m, root, off.Off)
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	for _, one := range problems {
		if one.Again {
			fingerprint = ""
		}
		out.Problems = append(out.Problems, scrub.Line(scrub.Clean(fmt.Sprintf("%s: %s", one.File, one.What))))
	}
	out.Lines = len(lines)
	var here, everywhere []statements.FileLine
	for _, line := range lines {
		kept := statements.FileLine{Source: memory.FileSource{File: line.File, Readers: line.Readers}, Text: line.Text, At: line.At}
		if line.Noted {
			kept.Source.By = line.Agent
		}
		kept.Source.For = strings.Join(line.Globs, ", ")
		if line.User {
			everywhere = append(everywhere, kept)
		} else {
			here = append(here, kept)
		}
	}
	err = st.UpdateDurable(ctx, func(tx *store.Tx) error {
		all, err := statements.KeepFiles(ctx, tx, 0, everywhere, fingerprint)
		if err != nil {
			return err
		}
		out.FilesKept, err = statements.KeepFiles(ctx, tx, p.ID, here, fingerprint)
		out.Added, out.Ended, out.Heard = out.Added+all.Added, out.Ended+all.Ended, out.Heard+all.Heard
		return err
	})
	return out, err
}
