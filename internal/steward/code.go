package steward

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/store"
)

// codeTime is how long the files of a project are read in one drain. After a switch to a distant
// branch the next sleeps go on.
const codeTime = 10 * time.Second

// readCode reads changed code of the projects of the last day, and marks memories about it. An error in one project does not stop the others.
func readCode(ctx context.Context, b *brain.Brain) error {
	projects, err := brain.View(ctx, b.Store, func(tx *store.Tx) ([]memory.Project, error) { return tx.Projects(ctx) })
	if err != nil {
		return err
	}
	const lately = 24 * time.Hour
	var problems error
	for _, p := range projects {
		root, here := folderOf(p)
		if !here || b.Now().Sub(p.LastAt) > lately {
			continue
		}
		_, read := learn.RefreshSnippets(ctx, b, learn.SnippetsInput{Dir: root, Longest: codeTime})
		_, doubted := statements.Doubt(ctx, b.Store, b.Numbers.Chunk, p.ID)
		problems = errors.Join(problems, read, doubted)
	}
	return problems
}

// readDocuments reads the documents of projects in which one was changed: by an agent, or by
// commits that were learned just now. The words of files, for which the whole work tree is looked
// through, are read where they are missing; else that is left to the next sleep.
func readDocuments(ctx context.Context, b *brain.Brain, in DrainInput, out *DrainResult) (err error) {
	wordless := func(id memory.ProjectID) bool { return in.Sleep && learn.Unread(b.Config.Contents(id)) }
	changed := out.documents
	for _, id := range goals.Union(out.began, out.ended...) {
		if wordless(id) {
			changed = goals.Union(changed, id)
		}
	}
	for _, id := range changed {
		p, failed := brain.View(ctx, b.Store, func(tx *store.Tx) (memory.Project, error) { return tx.Project(ctx, id) })
		root, here := folderOf(p)
		if failed == nil && here && !b.Config.Paused(id) {
			in := learn.SnippetsInput{Dir: root, Documents: true, Wordless: !wordless(id), Longest: codeTime}
			_, failed = learn.RefreshSnippets(ctx, b, in)
		}
		if !brain.IsNotFound(failed) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// readSources reads the memories that agents keep by themselves and rule files again, for the projects in which something happened
// and for the one of the working directory.
func readSources(ctx context.Context, b *brain.Brain, in DrainInput, out *DrainResult) (err error) {
	projects := goals.Union(slices.Concat(out.began, out.documents), out.ended...)
	if in.Dir != "" {
		if place, err := brain.PlaceAt(b.Config, in.Dir); err == nil {
			projects = goals.Union(projects, place.Project())
		}
	}
	for _, id := range projects {
		p, failed := brain.View(ctx, b.Store, func(tx *store.Tx) (memory.Project, error) { return tx.Project(ctx, id) })
		if failed == nil && !b.Config.Paused(id) {
			_, failed = learn.ReadSources(ctx, b.Store, b.Config.Sources, in.Sources, p)
		}
		if !brain.IsNotFound(failed) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// folderOf is the folder of a project, if it is on this machine.
func folderOf(p memory.Project) (root string, here bool) {
	root, err := memory.UnescapePath(p.Root)
	return filepath.FromSlash(root), err == nil && statements.IsFolder(root)
}
