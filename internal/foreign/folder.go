package foreign

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	// maxFiles is ten times the largest vault that people write about.
	maxFiles = 100_000
	// maxDepth is deeper than any folder a person keeps.
	maxDepth = 64
)

// folder is a folder that reading does not leave: the system call refuses links that point out of it.
type folder struct{ *os.Root }

func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	return &folder{root}, notFound(err)
}

// fileAt is the first of some files that is in a folder, or the file itself.
func (r *reading) fileAt(path string, names ...string) (string, error) {
	dir, err := isFolder(path)
	if err != nil || !dir {
		return path, err
	}
	for _, name := range names {
		file := filepath.Join(path, filepath.FromSlash(name))
		if _, err := os.Stat(file); err == nil {
			return file, nil
		}
	}
	return "", fmt.Errorf("%s holds none of %s: %w", path, strings.Join(names, ", "), memory.ErrNotFound)
}

// done closes the folder.
func (f *folder) done() { _ = f.Close() }

// eachNote calls do for the notes at a path: that file, or those that list returns for the folder. lacking says what a folder
// without any lacks; "" is no problem.
func (r *reading) eachNote(path, lacking string, list func(*folder) ([]string, error), do func(note)) error {
	dir, err := isFolder(path)
	if err != nil {
		return err
	}
	var names []string
	if !dir {
		// The file was named by the person, so a link is followed here and nowhere else.
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
		path, names = filepath.Dir(path), []string{filepath.Base(path)}
	}
	f, err := openFolder(path)
	if err != nil {
		return err
	}
	defer f.done()
	if dir {
		if names, err = list(f); err != nil {
			return err
		}
		if len(names) == 0 && lacking != "" {
			r.problem(path, "holds %s", lacking)
		}
	}
	for _, name := range names {
		if n, ok := r.note(f, name); ok {
			do(n)
		}
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

// allNotes lists every note of a folder.
func (r *reading) allNotes(f *folder) ([]string, error) { return r.notes(f, ".") }

// among lists those of some files that are there, and the notes below those of some folders that are there.
func (r *reading) among(f *folder, files, folders []string) ([]string, error) {
	names := slices.DeleteFunc(slices.Clone(files), func(name string) bool { return !f.has(name) })
	for _, dir := range folders {
		if !f.isFolder(dir) {
			continue
		}
		found, err := r.notes(f, dir)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// has reports whether a plain file lies at the slashed path.
func (f *folder) has(name string) bool {
	info, err := f.Stat(filepath.FromSlash(name))
	return err == nil && info.Mode().IsRegular()
}

func (f *folder) isFolder(name string) bool {
	info, err := f.Stat(filepath.FromSlash(name))
	return err == nil && info.IsDir()
}

// text reads a note.
func (f *folder) text(name string) (string, error) {
	in, err := filesys.OpenIn(f.Root, filepath.FromSlash(name))
	if err != nil {
		return "", err
	}
	defer in.Close()
	return noteText(name, in)
}

// notes lists the Markdown files below a folder, sorted. Folders whose name begins with a dot are skipped, and links are not
// followed.
func (r *reading) notes(f *folder, below string) ([]string, error) {
	var names []string
	err := fs.WalkDir(f.FS(), below, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case r.ctx.Err() != nil:
			return r.ctx.Err()
		case err != nil && name == below:
			return err
		case err != nil:
			r.problem(name, "%v", Reason(err))
		case entry.IsDir():
			hidden := strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules"
			if name != below && hidden || strings.Count(name, "/") > maxDepth {
				return fs.SkipDir
			}
		case isNote(name) && entry.Type().IsRegular():
			names = append(names, name)
		case isNote(name):
			r.problem(name, "is not a plain file and is not followed")
		}
		if len(names) > maxFiles {
			return fmt.Errorf("holds more than %d notes; import its folders one by one: %w", maxFiles, memory.ErrRefused)
		}
		return nil
	})
	slices.Sort(names)
	return names, err
}

func isNote(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".markdown"
}

// stem is the name of a note as links write it.
func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// Reason is a file error without operation and path.
func Reason(err error) error {
	var where *fs.PathError
	if errors.As(err, &where) {
		return where.Err
	}
	return err
}
