package sources

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

const (
	maxImports    = 5    // how deep imports follow each other, as in Claude Code
	maxTargets    = 50   // imports of one file
	maxSubfolders = 100  // of the project that are looked at for files of their own
	maxDepth      = 8    // of a folder of rules
	maxFound      = 2000 // files among which those to read are chosen
)

// file is a file that is there.
type file struct {
	folder
	form    form
	agent   memory.Agent   // who owns it
	readers []memory.Agent // who reads it
	path    string         // as the agent names it
	real    string         // without links
	shown   string         // for people
	size    int64
	changed time.Time
	text    string // if it has been read already
}

// finder collects the files that agents read in a project.
type finder struct {
	home, root string // without links
	folders    map[string][]folder
	files      []*file
	byReal     map[string]*file
	problems   []Problem
}

// find returns the files that agents read in a project, those of people before those of agents.
func find(m Machine, root string, off func(memory.Agent) bool) *finder {
	f := &finder{home: withoutLinks(m.Home), root: withoutLinks(root), byReal: map[string]*file{}}
	f.folders = foldersOf(m, f.home, f.root)
	nested := f.subfolders()
	for _, reader := range reads {
		for _, p := range reader.places {
			folders := f.folders[p.in]
			if p.nested {
				folders = append(slices.Clone(folders), nested...)
			}
			for _, in := range folders {
				if f.hidden(p, in) {
					continue
				}
				for _, name := range matches(in.path, p.name, p.except) {
					f.add(reader.agent, in, p.form, name, p.imports, 0)
				}
			}
		}
	}
	f.files = slices.DeleteFunc(f.files, func(found *file) bool { return off(found.agent) })
	f.limit()
	return f
}

// limit orders the files and leaves out what is too much: the notes that were not changed for
// longest.
func (f *finder) limit() {
	people := func(a, b *file) int {
		switch {
		case a.noted == b.noted:
			return 0
		case b.noted:
			return -1
		}
		return 1
	}
	slices.SortStableFunc(f.files, people)
	if len(f.files) <= maxFiles {
		return
	}
	slices.SortStableFunc(f.files, func(a, b *file) int {
		return cmp.Or(people(a, b), b.changed.Compare(a.changed))
	})
	f.problem(f.files[maxFiles].shown, fmt.Sprintf("%d files; at most %d are read", len(f.files), maxFiles), false)
	f.files = f.files[:maxFiles]
}

func (f *finder) problem(file, what string, again bool) {
	if p := (Problem{File: file, What: what, Again: again}); !slices.Contains(f.problems, p) {
		f.problems = append(f.problems, p)
	}
}

// hidden reports whether a file stands there because of which the agent does not read the place.
func (f *finder) hidden(p place, in folder) bool {
	return slices.ContainsFunc(p.unless, func(name string) bool {
		path := in.path
		if other, rest, ok := strings.Cut(name, ":"); ok {
			if len(f.folders[other]) == 0 {
				return false
			}
			path, name = f.folders[other][0].path, rest
		}
		_, err := os.Stat(filepath.Join(path, name))
		return err == nil
	})
}

// add adds a file for one reader, and the files that it imports.
func (f *finder) add(reader memory.Agent, in folder, how form, name string, imports bool, depth int) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return // a link to nothing, or to itself
	}
	info, err := os.Stat(real)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.problem(f.show(name), err.Error(), true)
	}
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	if _, ok := inside(in.base, real); !ok {
		f.problem(f.show(name), "lies outside "+f.show(in.base)+" and is not read", false)
		return
	}
	found := f.byReal[real]
	if found == nil {
		if len(f.files) == maxFound {
			return
		}
		found = &file{
			folder: in, form: how, agent: reader, path: name, real: real, shown: f.show(name),
			size: info.Size(), changed: info.ModTime(),
		}
		f.byReal[real] = found
		f.files = append(f.files, found)
	}
	if slices.Contains(found.readers, reader) {
		return
	}
	if reader != shared {
		found.readers = union(found.readers, []memory.Agent{reader})
	}
	if !imports || depth == maxImports {
		return
	}
	text, err := found.read()
	if err != nil {
		return // Read reports it
	}
	found.text = text
	targets := importsOf(text)
	for _, target := range targets[:min(len(targets), maxTargets)] {
		if path := f.imported(name, target); path != "" {
			f.add(reader, in, markdown, path, true, depth+1)
		}
	}
}

// imported returns the file that an import names, "" for one that is not read.
func (f *finder) imported(from, target string) string {
	name := filepath.FromSlash(target)
	if rest, ok := strings.CutPrefix(target, "~/"); ok {
		name = filepath.Join(f.home, filepath.FromSlash(rest))
	} else if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(from), name)
	}
	if strings.HasPrefix(strings.ToLower(filepath.Base(name)), "readme") {
		return "" // for people who use the project
	}
	return name
}

// show is a path as people write it.
func (f *finder) show(path string) string {
	if rest, ok := inside(f.root, path); ok && rest != "." {
		return filepath.ToSlash(rest)
	}
	if rest, ok := inside(f.home, path); ok {
		return filepath.ToSlash(filepath.Join("~", rest))
	}
	return filepath.ToSlash(path)
}

// subfolders returns the folders of the first two levels of a project that have files of their own
// for agents.
func (f *finder) subfolders() (folders []folder) {
	var marks []string
	for _, reader := range reads {
		for _, p := range reader.places {
			if mark, _, _ := strings.Cut(p.name, "/"); p.nested && !slices.Contains(marks, mark) {
				marks = append(marks, mark)
			}
		}
	}
	looked := 0
	level := []string{f.root}
	for range 2 {
		var next []string
		for _, parent := range level {
			for _, entry := range entries(parent) {
				if !entry.IsDir() || !ownFolder(entry.Name()) {
					continue
				}
				if looked++; looked > maxSubfolders {
					return folders
				}
				dir := filepath.Join(parent, entry.Name())
				next = append(next, dir)
				if slices.ContainsFunc(marks, func(mark string) bool {
					_, err := os.Lstat(filepath.Join(dir, mark))
					return err == nil
				}) {
					below, _ := inside(f.root, dir)
					folders = append(folders, folder{path: dir, base: f.root, below: filepath.ToSlash(below)})
				}
			}
		}
		level = next
	}
	return folders
}

// ownFolder reports whether the files of a folder are the project's own.
func ownFolder(name string) bool {
	return !strings.HasPrefix(name, ".") &&
		!slices.Contains([]string{"node_modules", "vendor", "third_party", "testdata", "dist", "build", "target"}, name)
}

// matches returns the files below a folder that a pattern means, in order.
func matches(folder, pattern string, except []string) (names []string) {
	dir, base := path.Split(pattern)
	if !strings.Contains(pattern, "*") {
		return []string{filepath.Join(folder, filepath.FromSlash(pattern))}
	}
	top, deep := strings.CutSuffix(dir, "**/")
	top = filepath.Join(folder, filepath.FromSlash(top))
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		for _, entry := range entries(dir) {
			name := entry.Name()
			if strings.HasPrefix(name, ".") || slices.Contains(except, name) || len(names) == maxFound {
				continue
			}
			if entry.IsDir() {
				if deep && depth < maxDepth {
					walk(filepath.Join(dir, name), depth+1)
				}
			} else if ok, _ := path.Match(base, name); ok {
				names = append(names, filepath.Join(dir, name))
			}
		}
	}
	walk(top, 0)
	return names
}

// unreadable is why a file cannot be read as it is.
type unreadable string

func (u unreadable) Error() string { return string(u) }

// read returns the text of a file with plain line ends.
func (f *file) read() (string, error) {
	if f.text != "" {
		return f.text, nil
	}
	if f.size > maxFile {
		return "", unreadable(fmt.Sprintf("is larger than %d KiB", maxFile>>10))
	}
	name, _ := inside(f.base, f.real)
	text, err := readBelow(f.base, name)
	var where *fs.PathError
	switch {
	case errors.As(err, &where):
		return "", where.Err
	case err != nil:
		return "", err
	case !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0:
		return "", unreadable("is not UTF-8 text")
	}
	return prose.LineEnds(strings.TrimPrefix(string(text), "\ufeff")), nil
}

// readBelow reads a file that no link leads out of a folder.
func readBelow(folder, name string) ([]byte, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // only read
	return filesys.ReadIn(root, name, maxFile)
}

// inside returns the path of a file below a folder.
func inside(folder, path string) (string, bool) {
	rest, err := filepath.Rel(folder, path)
	return rest, err == nil && filepath.IsLocal(rest)
}

// withoutLinks is the real path of a folder, or the path itself where there is none.
func withoutLinks(path string) string {
	if path == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return filepath.Clean(path)
}
