package views

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

var (
	folderOf    = store.NewFact[string]("vault/folder")          // of a project
	folderTaken = store.NewFact[memory.ProjectID]("vault/taken") // about a folder: the project it belongs or once belonged to
)

// Folders names the folders of projects, which keep the names that they begin with: one that comes later under a name that is
// taken gets its ID as well. nil asks for those that have one.
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
