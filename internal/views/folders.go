package views

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

var (
	folderOf    = store.NewFact[string]("vault/folder")           // of a project
	folderTaken = store.NewFact[memory.ProjectID]("vault/taken")  // about a folder: the project it belongs or once belonged to
	folderMoves = store.NewFact[map[string]string]("vault/moves") // folders that got another name
)

// Folders names the folders of projects, the same until somebody names the project anew: one that comes later under a name that
// is taken gets its ID as well. nil asks for those that have one.
func Folders(ctx context.Context, st *store.Store, projects []memory.ProjectID) (map[memory.ProjectID]string, error) {
	folders := map[memory.ProjectID]string{}
	err := st.Update(ctx, func(tx *store.Tx) error {
		known, err := tx.Projects(ctx)
		if err != nil {
			return err
		}
		clear(folders)
		for _, p := range known {
			folder, err := folderOf.Of(p.ID).Get(ctx, tx)
			if err != nil {
				return err
			}
			if folder == "" && slices.Contains(projects, p.ID) {
				if folder, err = takeFolder(ctx, tx, p); err != nil {
					return err
				}
			}
			if folder != "" && (projects == nil || slices.Contains(projects, p.ID)) {
				folders[p.ID] = folder
			}
		}
		return nil
	})
	return folders, err
}

// takeFolder gives a project the folder of its name.
func takeFolder(ctx context.Context, tx *store.Tx, p memory.Project) (folder string, err error) {
	folder = path.Join(projectsFolder, folderName(p.Name))
	other, err := folderTaken.About(folder).Get(ctx, tx)
	if err != nil {
		return "", err
	}
	if other != 0 && other != p.ID {
		folder += "-" + p.ID.String()
	}
	return folder, errors.Join(folderOf.Of(p.ID).Set(ctx, tx, folder), folderTaken.About(folder).Set(ctx, tx, p.ID))
}

// renameFolder has the folder of a project follow its name. The files move when they are next looked after: several people may
// share the store, each with a vault of their own.
func renameFolder(ctx context.Context, tx *store.Tx, p memory.Project) (moves bool, err error) {
	before, err := folderOf.Of(p.ID).Get(ctx, tx)
	if err != nil || before == "" {
		return false, err
	}
	after, err := takeFolder(ctx, tx, p)
	if err != nil || after == before {
		return false, err
	}
	all, err := movedFolders(ctx, tx)
	if err != nil {
		return false, err
	}
	delete(all, after)
	all[before] = after
	return true, folderMoves.Set(ctx, tx, all)
}

// movedFolders maps folders to what they were called next.
func movedFolders(ctx context.Context, tx *store.Tx) (map[string]string, error) {
	moves, err := folderMoves.Get(ctx, tx)
	if moves == nil {
		moves = map[string]string{}
	}
	return moves, err
}

// moveFolders gives folders their new names, with all that lies in them: an editor that has a file open there goes on writing
// into it. What hebb last wrote is known under the new name.
func (f files) moveFolders(ctx context.Context, out *ViewsReport) error {
	moves, err := brain.View(ctx, f.store, func(tx *store.Tx) (map[string]string, error) { return movedFolders(ctx, tx) })
	if err != nil {
		return err
	}
	for from, to := range moves {
		for range len(moves) { // named anew more than once
			if next, again := moves[to]; again && next != from {
				to = next
			}
		}
		moved, err := f.RenameFolder(from, to)
		if err != nil {
			out.Warnings = append(out.Warnings, scrub.Line(err.Error()))
			continue
		}
		if !moved {
			continue
		}
		err = f.store.Update(ctx, func(tx *store.Tx) error {
			names, err := tx.WrittenNames(ctx, f.id)
			if err != nil {
				return err
			}
			for _, name := range names {
				rest, inside := strings.CutPrefix(name, from+"/")
				if !inside {
					continue
				}
				text, err := tx.Written(ctx, f.id, name)
				if err := errors.Join(err, tx.SetWritten(ctx, f.id, to+"/"+rest, text), tx.SetWritten(ctx, f.id, name, "")); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// folderName is a project's name as any file system takes it.
func folderName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r) {
			return unicode.ToLower(r)
		}
		return '-'
	}, name)
	if clean = strings.Trim(clean, ".-"); clean == "" {
		return "project"
	}
	return clean
}
