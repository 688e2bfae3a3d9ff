package brain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/vault"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// ViewsReport is what became of the files for people.
type ViewsReport struct {
	Edits    int      `json:"edits,omitempty"`    // taken in
	Rebuilt  int      `json:"rebuilt,omitempty"`  // were missing
	Written  int      `json:"written,omitempty"`  // anew
	Warnings []string `json:"warnings,omitempty"` // what could not be read or written, and the mend
	// Busy says that another process looks after the files just now; nothing was done.
	Busy bool `json:"busy,omitempty"`
}

// fileView is one file for people: how it is written, and what an edit of it means.
type fileView struct {
	name   string
	render func(ctx context.Context, tx *store.Tx) (string, error)
	// takeIn gets the text that hebb knew and what a person made of it.
	takeIn func(ctx context.Context, r *recorder, base, text string) error
	// inParts takes the place of takeIn where an edit may be large: it stores as much as one look should, in transactions of
	// its own, and returns how many entries it left in the file.
	inParts func(ctx context.Context, base, text string) (left int, err error)
}

const (
	viewsLease   = "views"
	viewsPatient = time.Minute // a process that has not finished by then is taken to be dead
	viewTries    = 3           // an editor that writes without end is left to the next time
	viewSettled  = 2 * time.Second
)

// refreshViews takes in what people wrote into the files of some projects, and writes what is new. nil means those projects
// that have files. Only one process does so at a time; another leaves it to that one.
func (b *Brain) refreshViews(ctx context.Context, projects []memory.ProjectID) (ViewsReport, error) {
	return b.refreshIn(ctx, b.vault(), b.viewsOf(projects), 0)
}

// viewList lists files to look at. whole says that they are all the files of their folders, so that others there are left over.
type viewList func(ctx context.Context) (list []fileView, whole bool, err error)

// viewsOf lists the files of some projects.
func (b *Brain) viewsOf(projects []memory.ProjectID) viewList {
	return func(ctx context.Context) ([]fileView, bool, error) {
		list, err := b.views(ctx, projects)
		return list, true, err
	}
}

// refreshScratch is for a note: only the file of the notes changes by it.
func (b *Brain) refreshScratch(ctx context.Context, id memory.ProjectID) (ViewsReport, error) {
	return b.refreshIn(ctx, b.vault(), func(ctx context.Context) ([]fileView, bool, error) {
		if id == 0 {
			return []fileView{b.scratchView("", 0)}, false, nil
		}
		folders, err := b.folders(ctx, []memory.ProjectID{id})
		return []fileView{b.scratchView(folders[id], id)}, false, err
	}, 0)
}

// viewGrace is how long a replaced view is watched for late writes: an editor writes within seconds of opening it.
const viewGrace = 2 * time.Minute

func (b *Brain) vault() vault.Vault {
	return vault.Vault{Dir: b.config.Vault(), Grace: viewGrace, Now: b.now}
}

// forgetFiles writes all files anew after something was forgotten, and keeps no copy of what they said before.
func (b *Brain) forgetFiles(ctx context.Context) error {
	b.keepHouse(ctx, nil)
	v := b.vault()
	v.Grace = 0
	for range 2 { // the second look finds what the first replaced
		out, err := b.refreshIn(ctx, v, b.viewsOf(nil), 0)
		if out.Busy {
			out.Warnings = append(out.Warnings, "another process writes them just now: run hebb doctor in a minute, which writes them anew")
		}
		if err != nil || len(out.Warnings) > 0 {
			return errors.Join(err, warned(out.Warnings))
		}
	}
	return nil
}

func warned(warnings []string) error {
	if len(warnings) == 0 {
		return nil
	}
	return fmt.Errorf("the store has forgotten, the files for people may still say it: %s", strings.Join(warnings, "; "))
}

// refreshIn is refreshViews that leaves alone what was written less than so long ago: an editor may be half-way.
func (b *Brain) refreshIn(ctx context.Context, v vault.Vault, list viewList, settled time.Duration) (out ViewsReport, err error) {
	if b.carrying != nil {
		return out, nil
	}
	viewing := Cache[sync.Mutex](b, viewingKey{}) // the lease tells processes apart, not goroutines
	viewing.Lock()
	defer viewing.Unlock()
	busy, err := b.alone(ctx, b.lease(viewsLease), viewsPatient, func() error {
		out, err = b.refreshAlone(ctx, v, list, settled)
		return err
	})
	out.Busy = busy
	return out, err
}

type viewingKey struct{}

func (b *Brain) refreshAlone(ctx context.Context, v vault.Vault, list viewList, settled time.Duration) (out ViewsReport, err error) {
	if err := b.moveFolders(ctx, v, &out); err != nil {
		return out, err
	}
	views, whole, err := list(ctx)
	if err != nil {
		return out, err
	}
	for _, one := range views { // each for itself: one that fails holds up no other
		if err := b.refresh(ctx, v, one, settled, &out); err != nil {
			if ctx.Err() != nil {
				return out, err
			}
			out.Warnings = append(out.Warnings, scrub.Line(err.Error()))
		}
	}
	if !whole {
		return out, nil
	}
	return out, b.removeLeftovers(ctx, v, views, &out)
}

// removeLeftovers removes files that hebb wrote and that nothing stands behind any more: a month whose sessions are forgotten, a
// project that is. One that a person changed stays.
func (b *Brain) removeLeftovers(ctx context.Context, v vault.Vault, list []fileView, out *ViewsReport) error {
	names, err := viewed(ctx, b, func(tx *store.Tx) ([]string, error) { return tx.WrittenNames(ctx, b.vaultID()) })
	if err != nil {
		return err
	}
	kept, err := v.List(projectsFolder) // also files that are gone, of which there are copies
	if err != nil {
		return err
	}
	for _, name := range kept {
		if slices.Contains(names, name) {
			continue
		}
		if _, err := v.Read(name); isNotFound(err) { // else it is a file of the person's own
			names = append(names, name)
		}
	}
	folders, err := b.folders(ctx, nil)
	if err != nil {
		return err
	}
	current := map[string]bool{} // folders that were looked at now, and what belongs there
	for _, one := range list {
		current[one.name] = true
		current[projectFolder(one.name)] = true
	}
	exists := map[string]bool{}
	for _, folder := range folders {
		exists[folder] = true
	}
	for _, name := range names {
		folder := projectFolder(name)
		if current[name] || folder == "" || exists[folder] && !current[folder] {
			continue
		}
		nothing := fileView{
			name: name, render: func(context.Context, *store.Tx) (string, error) { return "", nil },
			takeIn: func(context.Context, *recorder, string, string) error {
				return fmt.Errorf("nothing is known any more of what it tells; delete it, or keep it elsewhere: %w", memory.ErrConflict)
			},
		}
		if err := b.refresh(ctx, v, nothing, 0, out); err != nil {
			out.Warnings = append(out.Warnings, scrub.Line(err.Error()))
		}
	}
	return nil
}

// projectFolder is the folder of the project that a file belongs to; "" for one of the person's own.
func projectFolder(name string) string {
	parts := strings.SplitN(name, "/", 3)
	if len(parts) < 3 || parts[0] != projectsFolder {
		return ""
	}
	return path.Join(parts[0], parts[1])
}

const projectsFolder = "projects"

// refresh takes in what people wrote into one file, then writes it as the store has it now.
func (b *Brain) refresh(ctx context.Context, v vault.Vault, one fileView, settled time.Duration, out *ViewsReport) error {
	secret := false
	for range viewTries {
		last, err := b.lastWritten(ctx, one)
		if err != nil {
			return err
		}
		found, err := v.Edits(one.name, last)
		if err != nil {
			return err
		}
		if age := b.now().Sub(found.At); len(found.Edits) > 0 && age >= 0 && age < settled {
			return nil
		}
		for _, edit := range found.Edits {
			base := orElse(edit.Base, last)
			left, err := b.takeInEdit(ctx, one, base, edit.Text)
			for left > 0 && err == nil && base != last { // a retired copy is stored whole: the next look would begin again
				if base, err = b.lastWritten(ctx, one); err == nil {
					left, err = b.takeInEdit(ctx, one, base, edit.Text)
				}
			}
			if err != nil {
				return err
			}
			if left > 0 { // the file stays as it is until all of it is stored
				out.Warnings = append(out.Warnings, fmt.Sprintf("%s: too much is new for one go; %d entries wait in the file and are stored the next times", b.viewPath(one.name), left))
				return nil
			}
			if err := edit.Done(); err != nil {
				return err
			}
			last = edit.Text
			secret = secret || scrub.Clean(edit.Text) != edit.Text
			out.Edits++
		}
		next, err := viewed(ctx, b, func(tx *store.Tx) (string, error) { return one.render(ctx, tx) })
		if err != nil {
			return err
		}
		if next == found.Text && !found.Missing || next == "" && found.Missing {
			return b.written(ctx, one.name, last, next)
		}
		var put bool
		if next == "" {
			put, err = v.Remove(one.name, found.Text)
		} else {
			put, err = v.Replace(one.name, found.Text, next)
		}
		if err != nil {
			return err
		}
		if !put {
			continue // somebody wrote in between
		}
		out.Written++
		if found.Missing && last != "" {
			out.Rebuilt++
		}
		if secret { // nor in a copy
			v.Grace = 0
			if _, err := v.Edits(one.name, next); err != nil {
				return err
			}
		}
		return b.written(ctx, one.name, last, next)
	}
	return nil
}

// takeInEdit stores what a person wrote, with the text it was taken from: should the process end here, it is known. It returns
// how many entries are left in the file for the next time.
func (b *Brain) takeInEdit(ctx context.Context, one fileView, base, text string) (left int, err error) {
	if !strings.HasPrefix(text, "\ufeff") && strings.ToValidUTF8(text, "") != text {
		return 0, fmt.Errorf("%s is not UTF-8: save it as UTF-8 and hebb takes it in: %w", b.viewPath(one.name), memory.ErrInvalid)
	}
	if one.inParts != nil {
		left, err = one.inParts(ctx, base, text)
	} else {
		err = b.recording(ctx, b.store.UpdateDurable, func(r *recorder) error {
			if err := one.takeIn(ctx, r, base, text); err != nil || scrub.Clean(text) != text { // a secret is kept nowhere
				return err
			}
			return r.tx.SetWritten(ctx, b.vaultID(), one.name, text)
		})
	}
	if err != nil {
		return left, fmt.Errorf("%s was changed by hand and is left as it is: %w", b.viewPath(one.name), err)
	}
	return left, nil
}

type (
	vaultKey  struct{}
	vaultName struct {
		once sync.Once
		name string
	}
)

// vaultID names the folder of files for people: a store may be shared by several people, each with files of their own. It is
// kept in the folder itself.
func (b *Brain) vaultID() string {
	kept := Cache[vaultName](b, vaultKey{})
	kept.once.Do(func() {
		file := filepath.Join(b.config.Vault(), ".vault-id")
		if data, err := os.ReadFile(file); err == nil && len(strings.TrimSpace(string(data))) > 0 {
			kept.name = strings.TrimSpace(string(data))
			return
		}
		id, err := memory.NewEventID(b.now(), b.entropy)
		if err != nil {
			return
		}
		kept.name = string(id)
		if os.MkdirAll(b.config.Vault(), 0o700) == nil {
			_ = os.WriteFile(file, []byte(kept.name+"\n"), 0o600) // without it the files are taken in and written once more
		}
	})
	return kept.name
}

// lease names a lease that is about this person's files.
func (b *Brain) lease(name string) string { return name + "/" + b.vaultID() }

// pageKey is the name of a page in the store; where several people share one, each has their own pages.
func (b *Brain) pageKey(name string) string {
	if b.config.Store == "" {
		return name
	}
	return b.vaultID() + "/" + name
}

func (b *Brain) viewPath(name string) string { return b.config.Vault() + "/" + name }

// lastWritten is the text of a view that the store knows: written there, or taken in from there.
func (b *Brain) lastWritten(ctx context.Context, one fileView) (string, error) {
	return viewed(ctx, b, func(tx *store.Tx) (string, error) { return tx.Written(ctx, b.vaultID(), one.name) })
}

func (b *Brain) written(ctx context.Context, name, last, next string) error {
	if last == next {
		return nil
	}
	return b.store.Update(ctx, func(tx *store.Tx) error { return tx.SetWritten(ctx, b.vaultID(), name, next) })
}

// views lists the files of some projects and those of the person.
func (b *Brain) views(ctx context.Context, projects []memory.ProjectID) (list []fileView, err error) {
	list = append(list, b.liveView(), b.pinnedView("", 0), b.scratchView("", 0))
	for _, p := range workmem.Pages() {
		list = append(list, b.pageView(p))
	}
	folders, err := b.folders(ctx, projects)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.SortedFunc(maps.Keys(folders), func(a, z memory.ProjectID) int { return cmp.Compare(folders[a], folders[z]) }) {
		shelves, err := b.shelfViews(ctx, folders[id], id)
		if err != nil {
			return nil, err
		}
		list = append(append(list, shelves...), b.pinnedView(folders[id], id), b.scratchView(folders[id], id), b.memoryView(folders[id], id))
	}
	return list, nil
}
