package views

// No edit of a file is lost, whatever the moment it is made at. A file is replaced by an exchange: the new file takes the
// name, and the old one comes out whole and is kept for a while as a retired copy, because an editor may still have it open.
// The name of a copy says which text hebb knew it to hold, so whatever else it holds is an edit, no matter when that was
// written and what hebb was doing. Nothing is compared and then trusted.

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// Vault is a folder of views. Its names are relative, with slashes: "projects/web/RECENT.md". It is best used by one
// process at a time, as a lease ensures. Two lose nothing either, but one may be handed what the other wrote as an edit.
type Vault struct {
	Dir   string
	Grace time.Duration    // a replaced file is kept for so long after anything was written to it
	Now   func() time.Time // must be set

	means means             // what the file system is taken to be able to do
	step  func(what string) // in tests: called before each step of a change
}

// Found is what a look at a view shows.
type Found struct {
	Text    string    // what the file holds, to be handed to Replace or Remove as seen; also if it is no edit
	At      time.Time // when it was last written. An editor may be in the middle of that: what is very new can wait
	Missing bool      // there is no file
	Edits   []Edit    // what hebb does not know, the oldest first and the file itself last
}

// Edit is a text that a person left.
type Edit struct {
	Text string    // the whole text; it need not be UTF-8
	Base string    // the text hebb knew there before; empty if none is known. A slow editor may have begun with an older one
	At   time.Time // when it was made, by the clock of the system: no program dates it back
	done func() error
}

// Done says that the text is safe. Without it the next look reports the edit again. A retired copy is then taken to hold
// what is known, and goes when nothing else was written to it for the time of grace. The view itself stays until it is
// replaced: that its text is known is said by handing it to Edits as last.
func (e Edit) Done() error {
	if e.done == nil {
		return nil
	}
	return e.done()
}

// Edits looks for what people left in a view. last is the text of it that hebb knows: what it wrote there, or imported from
// there, whichever was later; empty if it never did. Callers do well to store it together with what they import. Edits that
// came while the view was being replaced are found as well, by the next look. An empty file is no edit, it is about to be
// written or to be rebuilt; nor is what hebb put in the place of last before it was killed. So once the edits are
// imported, Text is known, and the next last. Retired copies that have served their time are removed.
func (v Vault) Edits(name, last string) (found Found, err error) {
	defer wrap(&err, "look at", name)
	w, err := v.open(name, false)
	if errors.Is(err, fs.ErrNotExist) {
		return Found{Missing: true}, nil
	}
	if err != nil {
		return Found{}, err
	}
	defer w.close()
	w.before("look")
	live, err := w.read(w.name)
	if err != nil {
		return Found{}, err
	}
	w.before("look at copies")
	entries, err := w.entries()
	if err != nil {
		return Found{}, err
	}
	copies := copiesAmong(entries)
	if err := w.acknowledge(copies, last); err != nil {
		return Found{}, err
	}
	found = Found{Text: live.text, At: live.at, Missing: !live.there}
	witness := slices.IndexFunc(copies, func(c retired) bool { return c.witnesses(last, live.text) })
	for i, c := range copies {
		edit, err := w.late(c, copies, i != witness)
		if err != nil {
			return Found{}, err
		}
		if edit.Text != "" {
			found.Edits = append(found.Edits, edit)
		}
	}
	if live.text != "" && live.text != last && witness < 0 {
		found.Edits = append(found.Edits, Edit{Text: live.text, Base: last, At: live.moved})
	}
	w.sweepLeftovers(entries, copies)
	return found, nil
}

// Replace puts next in the place of a view that holds seen, which is the Text of the latest look; it is empty for a file that is
// empty or missing. Readers see either text whole. replaced says that the view holds next now. Where the view holds something
// else by then, nothing happens; where that changes in the very last moment, the other text is kept as a retired copy.
// Either way the next look reports it. A view that holds next already is not touched.
func (v Vault) Replace(name, seen, next string) (replaced bool, err error) {
	defer wrap(&err, "replace", name)
	switch {
	case next == "":
		return false, fmt.Errorf("an empty text is no view, remove it instead: %w", memory.ErrInvalid)
	case len(next) > sizeMost:
		return false, fmt.Errorf("the new text has more than %d MB; render less: %w", sizeMost>>20, memory.ErrInvalid)
	}
	w, err := v.open(name, true)
	if err != nil {
		return false, err
	}
	defer w.close()
	w.before("read")
	live, err := w.read(w.name)
	if err != nil {
		return false, err
	}
	if live.text == next || live.text != seen {
		return live.text == next, nil
	}
	c := w.newCopy(seen, next)
	if err := w.prepare(c, seen, next, live.mode); err != nil {
		return false, err
	}
	if replaced, err = w.put(c, live.there); err != nil || !replaced {
		w.discard(c.fresh())
		return false, err
	}
	w.before("sync")
	return true, w.sync(path.Dir(w.name), w.private)
}

// Remove takes a view away that holds seen, with the same care: the file becomes a retired copy. removed says that there is
// no such file now.
func (v Vault) Remove(name, seen string) (removed bool, err error) {
	defer wrap(&err, "remove", name)
	w, err := v.open(name, false)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer w.close()
	w.before("read")
	live, err := w.read(w.name)
	if err != nil || !live.there {
		return err == nil, err
	}
	if live.text != seen {
		return false, nil
	}
	c := w.newCopy(seen, "")
	if err := w.prepare(c, seen, "", live.mode); err != nil {
		return false, err
	}
	err = w.retire(c)
	if filesys.InUse(err) {
		return false, nil // an editor keeps it open, on Windows; the next look finds it closed
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	w.before("sync")
	return true, w.sync(path.Dir(w.name), w.private)
}

// Read is the text of a view.
func (v Vault) Read(name string) (text string, err error) {
	defer wrap(&err, "read", name)
	w, err := v.open(name, false)
	if errors.Is(err, fs.ErrNotExist) {
		return "", memory.ErrNotFound
	}
	if err != nil {
		return "", err
	}
	defer w.close()
	live, err := w.read(w.name)
	if err == nil && !live.there {
		err = memory.ErrNotFound
	}
	return live.text, err
}

// List names what is in a folder of the vault and below, in order; "" is the whole vault. It names views that are gone as
// well, as long as they have retired copies: somebody should look at those. Hidden files and what is no plain file are not
// views.
func (v Vault) List(folder string) (names []string, err error) {
	if folder == "" {
		folder = "."
	}
	defer wrap(&err, "list", folder)
	if folder != "." {
		if err := checkName(folder); err != nil {
			return nil, err
		}
	}
	w, err := v.openRoot()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer w.close()
	walk := func(from string, take func(name string)) error {
		return fs.WalkDir(w.root.FS(), from, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil // gone while we looked
			case err != nil:
				return err
			case name != from && strings.HasPrefix(entry.Name(), "."):
				if entry.IsDir() {
					return fs.SkipDir
				}
			case entry.Type().IsRegular():
				take(name)
			}
			return nil
		})
	}
	err = walk(folder, func(name string) {
		if checkName(name) == nil {
			names = append(names, name)
		}
	})
	if err != nil {
		return nil, err
	}
	err = walk(path.Join(privateFolder, folder), func(name string) {
		if _, isCopy := parseRetired(path.Base(name)); isCopy {
			names = append(names, strings.TrimPrefix(path.Dir(name), privateFolder+"/"))
		}
	})
	slices.Sort(names)
	return slices.Compact(names), err
}

func wrap(err *error, action, name string) {
	if *err != nil {
		*err = fmt.Errorf("%s %q: %w", action, name, *err)
	}
}
