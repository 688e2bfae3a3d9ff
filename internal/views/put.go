package views

import (
	"errors"
	"io/fs"
	"path"

	"github.com/hebb-memory/hebb/internal/filesys"
)

// prepare writes what a change needs beforehand: the text that the copy is known to hold, and the file that is to become
// the view, if there is to be one. Nothing of it shows yet.
func (w *view) prepare(c retired, seen, next string, mode fs.FileMode) (err error) {
	w.before("prepare")
	defer func() {
		if err != nil {
			w.discard(c.base(), c.fresh())
		}
	}()
	for _, folder := range []string{path.Dir(w.name), w.private} {
		if err := w.root.MkdirAll(folder, folderMode); err != nil {
			return err
		}
	}
	if seen != "" {
		if _, err := w.write(w.in(c.base()), seen, fileMode); err != nil {
			return err
		}
	}
	if next == "" {
		return nil
	}
	_, err = w.write(w.in(c.fresh()), next, mode)
	return err
}

// put lets the fresh file take the place of the view. It is not replaced where somebody put another file there meanwhile.
func (w *view) put(c retired, there bool) (replaced bool, err error) {
	if there {
		err := w.exchange(c)
		if err == nil {
			return true, nil
		}
		if errors.Is(err, errors.ErrUnsupported) {
			err = w.retire(c)
		}
		if filesys.InUse(err) {
			return false, nil // an editor keeps it open, on Windows; the next look finds it closed
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		there = err == nil
	}
	if !there {
		// An empty copy stands for the file that was not there. Its name says what took its place.
		if _, err := w.write(w.in(c.name()), "", fileMode); err != nil {
			return false, err
		}
	}
	w.before("place")
	err = w.place(c.fresh())
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

// exchange gives the fresh file the name of the retired copy, and then lets the two change places. So whatever comes out of
// the view has the right name from the first moment.
func (w *view) exchange(c retired) error {
	if w.means != exchanging {
		return errors.ErrUnsupported
	}
	w.before("declare")
	if err := w.rename(w.in(c.fresh()), w.in(c.name())); err != nil {
		return err
	}
	w.before("exchange")
	err := exchangeFiles(w.root, w.in(c.name()), w.name)
	if err == nil {
		return nil
	}
	if undo := w.rename(w.in(c.name()), w.in(c.fresh())); undo != nil {
		return undo
	}
	return err
}

// retire makes a copy of the view itself. Until another file is placed there is none, which a reader may notice.
func (w *view) retire(c retired) error {
	w.before("retire")
	return w.rename(w.name, w.in(c.name()))
}

// place gives a fresh file the name of the view, if there is no file of that name.
func (w *view) place(fresh string) error {
	from := w.in(fresh)
	if w.means <= exchanging {
		if err := moveToFreeName(w.root, from, w.name); !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	if w.means <= linking {
		err := w.root.Link(from, w.name)
		if err == nil {
			w.before("unlink")
			w.discard(fresh)
		}
		if err == nil || errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return w.create(fresh)
}

// create is for file systems that neither exchange nor link, as those of memory sticks. A reader may see half a text; an edit
// is as safe as elsewhere. What could not be written whole is retired, so that nobody takes it for an edit.
func (w *view) create(fresh string) error {
	file, err := w.read(w.in(fresh))
	if err != nil {
		return err
	}
	written, err := w.write(w.name, file.text, file.mode)
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if err != nil {
		return errors.Join(err, w.retire(w.newCopy(file.text[:written], file.text)))
	}
	w.discard(fresh)
	return nil
}
