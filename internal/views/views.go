// Package views keeps the Markdown files for people and the store in step, in both directions.
package views

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/typed"
)

// ViewsReport is what became of the files for people.
type ViewsReport struct {
	Edits    int      `json:"edits,omitempty"`    // imported
	Rebuilt  int      `json:"rebuilt,omitempty"`  // were missing
	Written  int      `json:"written,omitempty"`  // anew
	Warnings []string `json:"warnings,omitempty"` // what could not be read or written, and the fix
	// Waiting are files with a change that is not known to be the person's.
	Waiting []string `json:"waiting,omitempty"`
	// Busy says that another process looks after the files just now; nothing was done.
	Busy bool `json:"busy,omitempty"`
}

const (
	viewsLease   = "views"
	viewsPatient = time.Minute // a process that has not finished by then is taken to be dead
	viewTries    = 3           // an editor that writes without end is left to the next time
	viewSettled  = 2 * time.Second
)

// RefreshViews imports what people wrote into the files of some projects, and writes what is new. nil means those projects
// that have files. Only one process does so at a time; another leaves it to that one.
func RefreshViews(ctx context.Context, b *brain.Brain, projects []memory.ProjectID) (ViewsReport, error) {
	f := filesOf(b)
	return f.refreshIn(ctx, f.of(projects), 0)
}

// viewList lists files to look at. whole says that they are all the files of their folders, so that others there are left over.
type viewList func(ctx context.Context) (list []desk.FileView, whole bool, err error)

// of lists the files of some projects and those of the person.
func (f files) of(projects []memory.ProjectID) viewList {
	return func(ctx context.Context) (list []desk.FileView, whole bool, err error) {
		list = append(list, liveView(f.tuning.Crystal, f.numbers), pinnedView(f.tuning.Crystal, "", 0), f.scratch("", 0))
		for _, p := range desk.Pages() {
			list = append(list, pageView(string(p), p))
		}
		folders, err := Folders(ctx, f.store, projects)
		if err != nil {
			return nil, false, err
		}
		for _, id := range slices.SortedFunc(maps.Keys(folders), func(a, z memory.ProjectID) int { return cmp.Compare(folders[a], folders[z]) }) {
			shelves, err := shelfViews(ctx, f.store, folders[id], id, f.tuning.Context.RecentSessions)
			if err != nil {
				return nil, false, err
			}
			list = append(append(list, shelves...), pinnedView(f.tuning.Crystal, folders[id], id), f.scratch(folders[id], id), state.MemoryView(folders[id], id))
		}
		return list, true, nil
	}
}

// RefreshScratch is for a note: only the file of the notes changes by it.
func RefreshScratch(ctx context.Context, b *brain.Brain, id memory.ProjectID) (ViewsReport, error) {
	f := filesOf(b)
	return f.refreshIn(ctx, func(ctx context.Context) ([]desk.FileView, bool, error) {
		if id == 0 {
			return []desk.FileView{f.scratch("", 0)}, false, nil
		}
		folders, err := Folders(ctx, f.store, []memory.ProjectID{id})
		return []desk.FileView{f.scratch(folders[id], id)}, false, err
	}, 0)
}

// viewGrace is how long a replaced view is watched for late writes: an editor writes within seconds of opening it.
const viewGrace = 2 * time.Minute

// files are the files for one person, and where the store keeps what was written into them.
type files struct {
	Vault
	id     string // of the folder, in the store
	store  *store.Store
	record func(ctx context.Context, work func(*record.Recorder) error) error // in one durable transaction
	// alone does work while no other process or goroutine looks after the files.
	alone   func(ctx context.Context, work func() error) (busy bool, err error)
	idle    bool // a replayed record writes no files, nor the name of their folder
	tuning  tuning.Tuning
	numbers brain.Numbers
	scratch func(folder string, id memory.ProjectID) desk.FileView
	// edited is the file that the person has just saved in an editor.
	edited string
}

func filesOf(b *brain.Brain) files {
	id := ""
	if b.Carrying == nil {
		id = b.VaultID()
	}
	return files{
		idle:  b.Carrying != nil,
		Vault: Vault{Dir: b.Config.Vault(), Grace: viewGrace, Now: b.Now}, id: id, store: b.Store,
		tuning: b.Config.Tuning, numbers: b.Numbers,
		scratch: func(folder string, id memory.ProjectID) desk.FileView { return desk.ScratchView(b, folder, id) },
		alone: func(ctx context.Context, work func() error) (bool, error) {
			viewing := brain.Cache[sync.Mutex](b, viewingKey{}) // the lease separates processes, not goroutines
			viewing.Lock()
			defer viewing.Unlock()
			return b.Alone(ctx, viewsLease+"/"+id, viewsPatient, work)
		},
		record: func(ctx context.Context, work func(*record.Recorder) error) error {
			return record.Recording(ctx, b, b.Store.UpdateDurable, work)
		},
	}
}

// ForgetFiles rewrites all files after something was forgotten, and keeps no copy of what they said before.
func ForgetFiles(ctx context.Context, b *brain.Brain) error {
	Maintain(ctx, b, nil)
	f := filesOf(b)
	f.Grace = 0
	for range 2 { // the second look finds what the first replaced
		out, err := f.refreshIn(ctx, f.of(nil), 0)
		if out.Busy {
			out.Warnings = append(out.Warnings, "another process writes them just now: run hebb doctor --fix in a minute, which writes them anew")
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
func (f files) refreshIn(ctx context.Context, list viewList, settled time.Duration) (out ViewsReport, err error) {
	if f.idle {
		return out, nil
	}
	busy, err := f.alone(ctx, func() error {
		out, err = f.refreshAll(ctx, list, settled)
		return err
	})
	out.Busy = busy
	return out, err
}

type viewingKey struct{}

func (f files) refreshAll(ctx context.Context, list viewList, settled time.Duration) (out ViewsReport, err error) {
	views, whole, err := list(ctx)
	if err != nil {
		return out, err
	}
	for _, one := range views { // each for itself: one that fails holds up no other
		if err := f.refresh(ctx, one, settled, &out); err != nil {
			if ctx.Err() != nil {
				return out, err
			}
			out.Warnings = append(out.Warnings, scrub.Line(err.Error()))
		}
	}
	if !whole {
		return out, nil
	}
	return out, f.removeLeftovers(ctx, views, &out)
}

// removeLeftovers removes files that hebb wrote and that have no source any more: a month whose sessions are forgotten, a
// project that is. One that a person changed stays.
func (f files) removeLeftovers(ctx context.Context, list []desk.FileView, out *ViewsReport) error {
	names, err := brain.View(ctx, f.store, func(tx *store.Tx) ([]string, error) { return tx.WrittenNames(ctx, f.id) })
	if err != nil {
		return err
	}
	kept, err := f.List(projectsFolder) // also files that are gone, of which there are copies
	if err != nil {
		return err
	}
	for _, name := range kept {
		if slices.Contains(names, name) {
			continue
		}
		if _, err := f.Read(name); brain.IsNotFound(err) { // else it is a file of the person's own
			names = append(names, name)
		}
	}
	folders, err := Folders(ctx, f.store, nil)
	if err != nil {
		return err
	}
	current := map[string]bool{} // folders that were looked at now, and what belongs there
	for _, one := range list {
		current[one.Name] = true
		current[projectFolder(one.Name)] = true
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
		nothing := desk.FileView{
			Name: name, Render: func(context.Context, *store.Tx) (string, error) { return "", nil },
			Import: func(context.Context, *record.Recorder, string, string) error {
				return fmt.Errorf("its content is no longer in the store; delete it, or keep it elsewhere: %w", memory.ErrConflict)
			},
		}
		if err := f.refresh(ctx, nothing, 0, out); err != nil {
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

// refresh imports what people wrote into one file, then writes it as the store has it now.
func (f files) refresh(ctx context.Context, one desk.FileView, settled time.Duration, out *ViewsReport) error {
	secret := false
	for range viewTries {
		last, err := f.lastWritten(ctx, one)
		if err != nil {
			return err
		}
		found, err := f.Edits(one.Name, last)
		if err != nil {
			return err
		}
		if age := f.Now().Sub(found.At); len(found.Edits) > 0 && age >= 0 && age < settled {
			return nil
		}
		for _, edit := range found.Edits {
			by, err := f.editor(ctx, one.Name, edit.At)
			if err != nil {
				return err
			}
			if by != typed.ByPerson {
				out.Warnings, out.Waiting = append(out.Warnings, f.waits(one.Name, by)), append(out.Waiting, one.Name)
				return nil
			}
			base := cmp.Or(edit.Base, last)
			left, err := f.importEdit(ctx, one, base, edit.Text)
			for left > 0 && err == nil && base != last { // a retired copy is stored whole: the next look would begin again
				if base, err = f.lastWritten(ctx, one); err == nil {
					left, err = f.importEdit(ctx, one, base, edit.Text)
				}
			}
			if err != nil {
				return err
			}
			if left > 0 { // the file stays as it is until all of it is stored
				out.Warnings = append(out.Warnings, fmt.Sprintf("%s: too much is new for one go; %s in the file until the next times", f.path(one.Name), prose.Count(left, "entry waits", "entries wait")))
				return nil
			}
			if err := edit.Done(); err != nil {
				return err
			}
			last = edit.Text
			secret = secret || scrub.Clean(edit.Text) != edit.Text
			out.Edits++
		}
		next, err := brain.View(ctx, f.store, func(tx *store.Tx) (string, error) { return one.Render(ctx, tx) })
		if err != nil {
			return err
		}
		if next == found.Text && !found.Missing || next == "" && found.Missing {
			return f.written(ctx, one.Name, last, next)
		}
		var put bool
		if next == "" {
			put, err = f.Remove(one.Name, found.Text)
		} else {
			put, err = f.Replace(one.Name, found.Text, next)
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
			f.Grace = 0
			if _, err := f.Edits(one.Name, next); err != nil {
				return err
			}
		}
		return f.written(ctx, one.Name, last, next)
	}
	return nil
}

// importEdit stores what a person wrote, with the text it was taken from: should the process end here, it is known. It returns
// how many entries are left in the file for the next time.
func (f files) importEdit(ctx context.Context, one desk.FileView, base, text string) (left int, err error) {
	if !strings.HasPrefix(text, "\ufeff") && strings.ToValidUTF8(text, "") != text {
		return 0, fmt.Errorf("%s is not UTF-8: save it as UTF-8 and hebb imports it: %w", f.path(one.Name), memory.ErrInvalid)
	}
	if one.ImportParts != nil {
		left, err = one.ImportParts(ctx, base, text)
	} else {
		err = f.record(ctx, func(r *record.Recorder) error {
			if err := one.Import(ctx, r, base, text); err != nil || scrub.Clean(text) != text { // a secret is kept nowhere
				return err
			}
			return r.Tx.SetWritten(ctx, f.id, one.Name, text)
		})
	}
	if err != nil {
		return left, fmt.Errorf("%s was changed by hand and is left as it is: %w", f.path(one.Name), err)
	}
	return left, nil
}

func (f files) path(name string) string { return f.Dir + "/" + name }

// lastWritten is the text of a view that the store knows: written there, or imported from there.
func (f files) lastWritten(ctx context.Context, one desk.FileView) (string, error) {
	return brain.View(ctx, f.store, func(tx *store.Tx) (string, error) { return tx.Written(ctx, f.id, one.Name) })
}

func (f files) written(ctx context.Context, name, last, next string) error {
	if last == next {
		return nil
	}
	return f.store.Update(ctx, func(tx *store.Tx) error { return tx.SetWritten(ctx, f.id, name, next) })
}
