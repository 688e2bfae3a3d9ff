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
type folder struct {
	*os.Root
	path string
}

func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, notFound(err)
	}
	return &folder{root, dir}, nil
}

// done closes the folder.
func (f *folder) done() { _ = f.Close() }

// openAround opens a folder, or the folder of a file; names then holds that file alone.
func openAround(name string) (f *folder, names []string, err error) {
	dir, err := isFolder(name)
	if err != nil {
		return nil, nil, err
	}
	if dir {
		f, err = openFolder(name)
		return f, nil, err
	}
	// The file was named by the person, so a link is followed here and nowhere else.
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return nil, nil, err
	}
	f, err = openFolder(filepath.Dir(real))
	return f, []string{filepath.Base(real)}, err
}

// eachNote calls do for the notes at a path: that file, or those that list returns for the folder.
func (r *reading) eachNote(path string, list func(*folder) ([]string, error), do func(*folder, note)) error {
	f, names, err := openAround(path)
	if err != nil {
		return err
	}
	defer f.done()
	if names == nil {
		if names, err = list(f); err != nil {
			return err
		}
	}
	for _, name := range names {
		if n, ok := r.note(f, name); ok {
			do(f, n)
		}
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

// allNotes lists every note of a folder.
func (r *reading) allNotes(f *folder) ([]string, error) { return r.notes(f, ".", nil) }

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
	info, err := f.Stat(filepath.FromSlash(name))
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("is not a plain file: %w", memory.ErrInvalid)
	}
	in, err := filesys.OpenIn(f.Root, filepath.FromSlash(name))
	if err != nil {
		return "", err
	}
	defer in.Close()
	return noteText(name, in)
}

// notes lists the Markdown files below a folder, sorted. Folders whose name begins with a dot, and those for which skip
// returns true, are skipped, and links are not followed.
func (r *reading) notes(f *folder, below string, skip func(dir string) bool) ([]string, error) {
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
			if name != below && (hidden || skip != nil && skip(name)) || strings.Count(name, "/") > maxDepth {
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
