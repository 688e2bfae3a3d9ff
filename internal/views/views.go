// Package views keeps the Markdown files for people and the store in step, in both directions.
package views

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
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

	// A file that was written less than so long ago may be half-written. A look in the background leaves it to the next one, and
	// a command waits for a moment.
	viewSettled = 2 * time.Second
	viewMoment  = 50 * time.Millisecond
)

// RefreshViews imports what people wrote into the files of some projects, and writes what is new. nil means those projects
// that have files. Only one process does so at a time; another leaves it to that one.
func RefreshViews(ctx context.Context, b *brain.Brain, projects []memory.ProjectID) (ViewsReport, error) {
	f := filesOf(b)
	return f.refreshIn(ctx, f.of(projects), viewMoment)
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
			list = append(append(list, shelves...), pinnedView(f.tuning.Crystal, folders[id], id), f.scratch(folders[id], id), state.MemoryView(f.tuning.Crystal, folders[id], id))
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
	}, viewMoment)
}

// files are the files for one person, and where the store keeps what was written into them.
type files struct {
	vault
	id     string // of the folder, in the store
	now    func() time.Time
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
		vault: vault(b.Config.Vault()), id: id, now: b.Now, store: b.Store,
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
	out, err := f.refreshIn(ctx, f.of(nil), viewMoment)
	if out.Busy {
		out.Warnings = append(out.Warnings, "another process writes them just now: run hebb doctor --fix in a minute, which writes them anew")
	} else { // earlier versions kept replaced files in .retired
		err = errors.Join(err, os.RemoveAll(f.path(".retired")), os.RemoveAll(f.path(fresh)))
	}
	return errors.Join(err, warned(out.Warnings))
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
		if err := f.refresh(ctx, nothing, viewMoment, out); err != nil {
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

// coming is the digest of what hebb is about to write into a file: should it end before the store knows that it did.
var coming = store.NewFact[string]("view/coming")

func digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// refresh imports what people wrote into one file, then writes it as the store has it now.
func (f files) refresh(ctx context.Context, one desk.FileView, settled time.Duration, out *ViewsReport) error {
	for range viewTries {
		last, expected, err := f.lastWritten(ctx, one.Name)
		if err != nil {
			return err
		}
		found, err := f.read(one.Name)
		if err != nil {
			return err
		}
		known := !found.there || found.text == last || digest(found.text) == expected
		if age := f.now().Sub(found.at); (!known || found.there && found.text == "") && age >= 0 && age < settled {
			if settled > viewMoment {
				return nil
			}
			time.Sleep(settled - age)
			continue
		}
		if !known && found.text != "" { // an empty file is to be rebuilt
			if taken, err := f.takeEdit(ctx, one, last, found, out); err != nil || !taken {
				return err
			}
			last = found.text
		}
		next, err := brain.View(ctx, f.store, func(tx *store.Tx) (string, error) { return one.Render(ctx, tx) })
		if err != nil {
			return err
		}
		if next == found.text && (found.there || next == "") {
			if last == next && expected == "" {
				return nil
			}
			return f.written(ctx, one.Name, next)
		}
		err = f.store.Update(ctx, func(tx *store.Tx) error { return coming.About(f.id+"/"+one.Name).Set(ctx, tx, digest(next)) })
		if err != nil {
			return err
		}
		done, err := f.put(one.Name, found, next)
		if err != nil {
			return err
		}
		if !done {
			continue // somebody wrote in between
		}
		out.Written++
		if !found.there && last != "" {
			out.Rebuilt++
		}
		return f.written(ctx, one.Name, next)
	}
	return nil
}

// takeEdit imports what a person left in a file. The file stays as it is where taken is false.
func (f files) takeEdit(ctx context.Context, one desk.FileView, last string, found content, out *ViewsReport) (taken bool, err error) {
	by, err := f.editor(ctx, one.Name, found.changed)
	if err != nil {
		return false, err
	}
	if by != typed.ByPerson {
		out.Warnings, out.Waiting = append(out.Warnings, f.waits(one.Name, by)), append(out.Waiting, one.Name)
		return false, nil
	}
	left, err := f.importEdit(ctx, one, last, found.text)
	if err != nil {
		return false, err
	}
	if left > 0 { // the file stays as it is until all of it is stored
		out.Warnings = append(out.Warnings, fmt.Sprintf("%s: too much is new for one go; %s in the file until the next times", f.path(one.Name), prose.Count(left, "entry waits", "entries wait")))
		return false, nil
	}
	out.Edits++
	return true, nil
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

// lastWritten is the text of a file that the store knows, written there or imported from there; and the digest of one that was about
// to be written.
func (f files) lastWritten(ctx context.Context, name string) (last, expected string, err error) {
	err = f.store.View(ctx, func(tx *store.Tx) error {
		if last, err = tx.Written(ctx, f.id, name); err == nil {
			expected, err = coming.About(f.id+"/"+name).Get(ctx, tx)
		}
		return err
	})
	return last, expected, err
}

func (f files) written(ctx context.Context, name, next string) error {
	return f.store.Update(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.SetWritten(ctx, f.id, name, next), coming.About(f.id+"/"+name).Clear(ctx, tx))
	})
}
