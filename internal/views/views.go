// Package views keeps the Markdown files for people and the store in step, in both directions.
package views

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/sheet"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/typed"
)

// ViewsReport is what became of the files for people.
type ViewsReport struct {
	Edits    int      `json:"edits,omitempty"`    // imported
	Rebuilt  int      `json:"rebuilt,omitempty"`  // were missing
	Written  int      `json:"written,omitempty"`  // anew
	Warnings []string `json:"warnings,omitempty"` // what could not be read or written, and the fix
	// Waiting are files with a change that is not imported.
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
	return f.refreshIn(ctx, projects, viewMoment)
}

// of lists the files of some projects and those of the person. nil means those projects that have files.
func (f files) of(ctx context.Context, projects []memory.ProjectID) (list []desk.FileView, err error) {
	list = append(list, liveView(f.b.Numbers), desk.PinnedView(f.b.Config.Tuning.Crystal, "", 0), desk.ScratchView(f.b.Config.Tuning.Crystal, "", 0))
	for _, p := range desk.Pages() {
		list = append(list, pageView(string(p), p))
	}
	folders, err := Folders(ctx, f.b.Store, projects)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.SortedFunc(maps.Keys(folders), func(a, z memory.ProjectID) int { return cmp.Compare(folders[a], folders[z]) }) {
		shelves, err := shelfViews(ctx, f.b.Store, folders[id], id, f.b.Config.Tuning.Context.RecentSessions)
		if err != nil {
			return nil, err
		}
		list = append(append(list, shelves...), desk.PinnedView(f.b.Config.Tuning.Crystal, folders[id], id), desk.ScratchView(f.b.Config.Tuning.Crystal, folders[id], id),
			state.MemoryView(f.b.Config.Tuning.Crystal, folders[id], id))
	}
	return list, nil
}

// files are the files for one person, and where the store keeps what was written into them.
type files struct {
	vault
	b  *brain.Brain
	id string // of the folder, in the store
	// edited is the file that the person has just saved in an editor.
	edited string
	// forgets says that no copy of a file may be left, because it may say what is forgotten.
	forgets bool
}

func filesOf(b *brain.Brain) files {
	f := files{vault: vault(b.Config.Vault()), b: b}
	if b.Carrying == nil { // a replayed record writes no files, nor the name of their folder
		f.id = b.VaultID()
	}
	return f
}

// ForgetFiles rewrites all files after something was forgotten, and keeps no copy of what they said before.
func ForgetFiles(ctx context.Context, b *brain.Brain) error {
	Maintain(ctx, b, nil)
	f := filesOf(b)
	f.forgets = true
	out, err := f.refreshIn(ctx, nil, viewMoment)
	if out.Busy {
		out.Warnings = append(out.Warnings, "another process writes them just now: run hebb doctor --fix in a minute, which writes them anew")
	} else { // earlier versions kept replaced files in .retired
		err = errors.Join(err, os.RemoveAll(f.path(".retired")), os.RemoveAll(f.path(fresh)), f.removeCopies())
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
func (f files) refreshIn(ctx context.Context, projects []memory.ProjectID, settled time.Duration) (out ViewsReport, err error) {
	if f.b.Carrying != nil {
		return out, nil
	}
	viewing := brain.Cache[sync.Mutex](f.b, viewingKey{}) // the lease separates processes, not goroutines
	viewing.Lock()
	defer viewing.Unlock()
	busy, err := f.b.Alone(ctx, viewsLease+"/"+f.id, viewsPatient, func() error {
		out, err = f.refreshAll(ctx, projects, settled)
		return err
	})
	out.Busy = busy
	return out, err
}

type viewingKey struct{}

func (f files) refreshAll(ctx context.Context, projects []memory.ProjectID, settled time.Duration) (out ViewsReport, err error) {
	views, err := f.of(ctx, projects)
	if err != nil {
		return out, err
	}
	for _, one := range views { // each for itself: one that fails holds up no other
		if err := f.refresh(ctx, one, settled, &out); err != nil {
			if ctx.Err() != nil {
				return out, err
			}
			out.Warnings, out.Waiting = append(out.Warnings, scrub.Line(err.Error())), append(out.Waiting, one.Name)
		}
	}
	return out, f.removeLeftovers(ctx, views, &out)
}

// removeLeftovers removes files that hebb wrote and that have no source any more: a month whose sessions are forgotten, a
// project that is.
func (f files) removeLeftovers(ctx context.Context, list []desk.FileView, out *ViewsReport) error {
	names, err := brain.View(ctx, f.b.Store, func(tx *store.Tx) ([]string, error) { return tx.WrittenNames(ctx, f.id) })
	if err != nil {
		return err
	}
	folders, err := Folders(ctx, f.b.Store, nil)
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
		nothing := written(name, "What it said is no longer in the store", func(context.Context, *store.Tx) (string, error) { return "", nil })
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
		if age := f.b.Now().Sub(found.at); (!known || found.there && isBlank(found.text)) && age >= 0 && age < settled {
			if settled > viewMoment {
				return nil
			}
			time.Sleep(settled - age)
			continue
		}
		if !known && !isBlank(found.text) { // an empty file is to be rebuilt
			if taken, err := f.takeEdit(ctx, one, last, found, out); err != nil || !taken {
				return err
			}
			last = found.text
		}
		next, err := brain.View(ctx, f.b.Store, func(tx *store.Tx) (string, error) { return one.Render(ctx, tx) })
		if err != nil {
			return err
		}
		if next == found.text && (found.there || next == "") {
			if last == next && expected == "" {
				return nil
			}
			return f.written(ctx, one.Name, next)
		}
		err = f.b.Store.Update(ctx, func(tx *store.Tx) error { return coming.About(f.id+"/"+one.Name).Set(ctx, tx, digest(next)) })
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

// wait notes that a change of a file is not imported, and why.
func (out *ViewsReport) wait(name, why string) error {
	out.Warnings, out.Waiting = append(out.Warnings, why), append(out.Waiting, name)
	return nil
}

// takeEdit imports what a person left in a file. The file stays as it is where taken is false.
func (f files) takeEdit(ctx context.Context, one desk.FileView, last string, found content, out *ViewsReport) (taken bool, err error) {
	if one.Read == nil {
		return true, f.setAside(one, found, out)
	}
	by, err := f.editor(ctx, one.Name, found.changed)
	if err != nil {
		return false, err
	}
	if by != typed.ByPerson {
		return false, out.wait(one.Name, f.waits(one.Name, by))
	}
	left, waits, err := f.importEdit(ctx, one, last, found.text)
	if err != nil {
		return false, fmt.Errorf("%s was changed by hand and is left as it is: %w", f.path(one.Name), err)
	}
	if left > 0 { // the file stays as it is until all of it is stored
		waits = fmt.Sprintf("%s: too much is new for one go; %s in the file until the next times", f.path(one.Name), prose.Count(left, "entry waits", "entries wait"))
	}
	if waits != "" {
		return false, out.wait(one.Name, waits)
	}
	out.Edits++
	return true, nil
}

func isBlank(text string) bool { return strings.Trim(text, "\ufeff \t\r\n") == "" }

// besideMark stands in the name of a copy that setAside makes.
const besideMark = ".edited-"

// setAside copies a file that hebb only writes and somebody changed: nothing reads their words, and nothing overwrites them.
func (f files) setAside(one desk.FileView, found content, out *ViewsReport) error {
	if f.forgets {
		return nil
	}
	beside := strings.TrimSuffix(one.Name, ".md") + besideMark + digest(found.text)[:8] + ".md"
	known, err := f.read(beside)
	if err != nil {
		return err
	}
	if !known.there {
		if done, err := f.put(beside, known, scrub.Clean(found.text)); err != nil || !done {
			return cmp.Or(err, fmt.Errorf("%s could not be written: %w", f.path(beside), memory.ErrBusy))
		}
	}
	out.Warnings = append(out.Warnings, fmt.Sprintf("%s was changed, and hebb only writes it. The change is kept in %s; nothing reads it. %s",
		f.path(one.Name), f.path(beside), one.Instead))
	return nil
}

// removeCopies removes what setAside kept: it may say what is forgotten.
func (f files) removeCopies() error {
	return filepath.WalkDir(string(f.vault), func(file string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil || !strings.Contains(entry.Name(), besideMark):
			return err
		}
		return filesys.RemoveOwn(file)
	})
}

const (
	takenAtOnce = 200 // new memories of a file that one look stores; the others stay there for the next
	takenInOne  = 20  // transaction: others wait for it
)

// importEdit stores what a person wrote, each part with the text that is stored by then: should the process end here, it is known. It returns how
// many entries are left in the file for the next time, or what the person is asked before anything is stored.
func (f files) importEdit(ctx context.Context, one desk.FileView, base, text string) (left int, asks string, err error) {
	if !strings.HasPrefix(text, "\ufeff") && strings.ToValidUTF8(text, "") != text {
		return 0, "", fmt.Errorf("it is not UTF-8: save it as UTF-8 and hebb imports it: %w", memory.ErrInvalid)
	}
	text = scrub.Clean(text) // a secret is kept nowhere
	var c sheet.Change
	err = f.b.Store.View(ctx, func(tx *store.Tx) error {
		before, unread := one.Read(ctx, tx, base)
		after, err := one.Read(ctx, tx, text)
		if unread != nil {
			before = nil
		}
		c = sheet.Compare(before, after, tx.Now)
		return err
	})
	if err != nil {
		return 0, "", err
	}
	if c.Many() && one.Name != f.edited {
		return 0, fmt.Sprintf("%s: %d memories are gone from it, so many that it may be a mistake. Nothing is taken from the file until you put them back, delete them in "+
			"parts, or save it with `hebb memories read %s --edit`", f.path(one.Name), len(c.Gone), pageOf(one.Name)), nil
	}
	added, part := c.New, takenInOne
	if len(added) > 0 && !added[0].Placed() { // what is stored cannot be told from the rest: all of it goes at once
		part = len(added)
	}
	for stored := 0; stored == 0 || stored < takenAtOnce && len(added) > 0; stored += part {
		c.New = added[:min(part, len(added))]
		added = added[len(c.New):]
		err := record.Recording(ctx, f.b, f.b.Store.UpdateDurable, func(r *record.Recorder) error {
			if err := one.Take(ctx, r, c, text); err != nil {
				return err
			}
			return r.Tx.SetWritten(ctx, f.id, one.Name, sheet.Without(text, added))
		})
		if err != nil {
			return 0, "", err
		}
		c.Edited, c.Gone = nil, nil
	}
	return len(added), "", nil
}

// pageOf is the name under which a file is read and edited.
func pageOf(name string) string { return strings.ToLower(strings.TrimSuffix(path.Base(name), ".md")) }

// lastWritten is the text of a file that the store knows, written there or imported from there; and the digest of one that was about
// to be written.
func (f files) lastWritten(ctx context.Context, name string) (last, expected string, err error) {
	err = f.b.Store.View(ctx, func(tx *store.Tx) error {
		if last, err = tx.Written(ctx, f.id, name); err == nil {
			expected, err = coming.About(f.id+"/"+name).Get(ctx, tx)
		}
		return err
	})
	return last, expected, err
}

func (f files) written(ctx context.Context, name, next string) error {
	return f.b.Store.Update(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.SetWritten(ctx, f.id, name, next), coming.About(f.id+"/"+name).Clear(ctx, tx))
	})
}
