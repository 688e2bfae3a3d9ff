package code

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	fileLimit = 10 << 20  // larger files are not read for snippets (nobody writes such a file by hand)
	textLimit = 512 << 10 // larger files of no known language are data that words of a question do not lead to
	headLimit = 256 << 10 // so much of a source is read where its text is asked for
	glance    = 8000      // bytes that are enough to distinguish text from binary, as git does
	treeFiles = 200000    // files of a project beyond this are not looked at (as for names and imports)
	// A folder that is no repository may be anything: a mount of many projects, a share. So much of it is looked at.
	searchEntries = 20000
	searchBytes   = 64 << 20
	treeBytes     = 1 << 30 // of a repository, in one walk; the next one goes on
	lineLimit     = 5000    // a file more than half of which stands in longer lines is a bundle and left out (bundles have one line, data in source has a few)
)

// Reason says why a source file has no snippets.
type Reason string

const (
	Outside    Reason = "outside"    // a path that leads out of the project
	Special    Reason = "special"    // a link, a pipe, a folder of that name
	Large      Reason = "large"      // over the limit
	Made       Reason = "generated"  // written by a tool, or somebody else's
	Unreadable Reason = "unreadable" // not to be read now; what is known of it stays
	Binary     Reason = "binary"
	Encoding   Reason = "encoding" // no UTF-8
	Bundle     Reason = "bundle"   // minified
	Broken     Reason = "broken"   // reading its text failed
	Beyond     Reason = "beyond"   // the project has more files than are looked at
)

// State shows whether a file has changed. Kept from one walk to the next, it saves reading the file.
type State struct {
	Size, Modified int64 // bytes, and nanoseconds since 1970
	Hash           int64
	Skipped        Reason // it was read and has no snippets, for this reason
}

// File is a file that is new or changed.
type File struct {
	Path  string // relative to the project with forward slashes, as memory.EscapePath has it
	State State
	// Same says that only the state is new: the file was touched, its text is the one known.
	Same     bool
	Snippets []Snippet
	Short    int    // definitions of fewer lines than a snippet has
	Text     []byte // where it was asked for
}

// Options of a walk.
type Options struct {
	// Paths are the files to look at, as git lists them; nil has the walk look for itself, which knows no .gitignore. It stays on
	// the file system of the root, out of other repositories, and within bounds of files and bytes.
	Paths []string
	// Ends, if set, is asked before each file whether the time of the walk is over. What was not looked at stays as known.
	Ends func() bool
	// Documents reads the documents of the project instead of its source files.
	Documents bool
	// Texts hands over the texts of all files instead of snippets, as valid UTF-8: of a long source its beginning. Files whose names say
	// that they hold secrets or no text are not opened.
	Texts bool
	// MaxFiles are looked at, the first by path; 0 is the usual limit.
	MaxFiles int
	// Progress, if set, is called with how many files are done of how many.
	Progress func(done, of int)

	// outline is Outline, but in tests
	outline func(path string, source []byte, minLines int) (found []Snippet, short int)
}

// Walked counts what a walk found.
type Walked struct {
	Files   int            // source files, those without snippets among them
	Read    int            // opened; the others were as known
	Changed int            // handed over with their snippets
	Gone    []string       // known before and no source file of the project now, by path
	Skipped map[Reason]int // without snippets
}

// Walk hands the source files of a project that are not as known to yield, by path. Nothing outside of root is read,
// whatever the paths or links say, and no file can end the walk; only the context and an error of yield do, which is
// returned as it is. Gone is complete only without an error.
func Walk(ctx context.Context, root string, o Options, known map[string]State, yield func(File) error) (Walked, error) {
	met := Walked{Skipped: map[Reason]int{}}
	folder, err := os.OpenRoot(root)
	if err != nil {
		return met, fmt.Errorf("read the sources of %s: %w", root, err)
	}
	defer func() { _ = folder.Close() }()
	if o.outline == nil {
		o.outline = Outline
	}
	w := walker{folder: folder, options: o, known: known, met: &met, left: treeBytes}
	if o.Paths == nil {
		w.left = searchBytes
	}
	paths, err := w.list(ctx)
	if err != nil {
		return met, fmt.Errorf("read the sources of %s: %w", root, err)
	}
	here := make(map[string]bool, len(paths))
	for i, name := range paths {
		if ctx.Err() != nil {
			return met, fmt.Errorf("read the sources of %s: %w", root, context.Cause(ctx))
		}
		if o.Progress != nil {
			o.Progress(i, len(paths))
		}
		if w.left <= 0 || o.Ends != nil && o.Ends() {
			met.Skipped[Beyond]++
			here[memory.EscapePath(name)] = true
			continue
		}
		file, is := w.look(name)
		switch is {
		case stays:
			here[memory.EscapePath(name)] = true
		case isNew:
			here[file.Path] = true
			if err := yield(file); err != nil {
				return met, err
			}
		}
	}
	for name := range known {
		if !here[name] {
			met.Gone = append(met.Gone, name)
		}
	}
	slices.Sort(met.Gone)
	if o.Progress != nil {
		o.Progress(len(paths), len(paths))
	}
	return met, nil
}

type walker struct {
	folder  *os.Root
	options Options
	known   map[string]State
	met     *Walked
	left    int64 // bytes that may still be read
}

// list returns the source files, sorted, each once.
func (w *walker) list(ctx context.Context) ([]string, error) {
	paths := w.options.Paths
	if paths == nil {
		var err error
		if paths, err = w.search(ctx); err != nil {
			return nil, err
		}
	}
	var sources []string
	if w.options.Documents {
		sources = w.documents(slices.DeleteFunc(slices.Clone(paths), func(name string) bool { return !IsDocument(name) }))
		w.met.Files = len(sources)
		return sources, nil
	}
	for _, name := range paths {
		if lang := LanguageOf(name); w.options.Texts && !bearsSecrets(name) || !w.options.Texts && lang != Unknown && lang != Markdown {
			sources = append(sources, name)
		}
	}
	slices.Sort(sources)
	sources = slices.Compact(sources)
	if limit := cmp.Or(w.options.MaxFiles, treeFiles); len(sources) > limit {
		w.met.Skipped[Beyond] += len(sources) - limit
		sources = sources[:limit]
	}
	w.met.Files = len(sources)
	return sources, nil
}

// search looks through the folders, but not into hidden ones, those of package managers, other repositories and other file
// systems, which may be a share or the kernel's.
func (w *walker) search(ctx context.Context) ([]string, error) {
	var found []string
	top, err := w.folder.Stat(".")
	if err != nil {
		return nil, err
	}
	entries := 0
	err = fs.WalkDir(w.folder.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			w.met.Skipped[Unreadable]++
			return nil
		case entries > searchEntries || w.options.Ends != nil && w.options.Ends():
			w.met.Skipped[Beyond]++
			return fs.SkipAll
		case !entry.IsDir():
			found = append(found, name)
		case name != "." && (strings.HasPrefix(entry.Name(), ".") || Generated(path.Join(name, "x")) || w.foreign(name, entry, top)):
			return fs.SkipDir
		}
		entries++
		return nil
	})
	return found, err
}

// foreign reports whether a folder is a repository of its own or on another file system than the top.
func (w *walker) foreign(name string, entry fs.DirEntry, top fs.FileInfo) bool {
	if _, err := w.folder.Lstat(filepath.Join(filepath.FromSlash(name), ".git")); err == nil {
		return true
	}
	info, err := entry.Info()
	return err != nil || !filesys.SameDevice(info, top)
}

// fate is what becomes of a file on a walk.
type fate byte

const (
	leaves fate = iota // what is known of it goes
	stays              // and here it stays
	isNew
)

func (w *walker) look(name string) (File, fate) {
	skip := func(r Reason) (File, fate) {
		w.met.Skipped[r]++
		return File{}, leaves
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return skip(Outside)
	}
	if Generated(name) {
		return skip(Made)
	}
	if w.options.Texts && hasBinaryName(name) {
		return skip(Binary)
	}
	most, limit := int64(fileLimit), int64(fileLimit) // bytes it may have, and bytes that are read
	if w.options.Texts {
		most = textLimit
		if LanguageOf(name) != Unknown {
			most, limit = math.MaxInt64, headLimit
		}
	}
	info, err := w.folder.Lstat(filepath.FromSlash(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.met.Files-- // git still lists what was deleted
		return File{}, leaves
	case err != nil:
		w.met.Skipped[Unreadable]++
		return File{}, stays
	case !info.Mode().IsRegular():
		return skip(Special)
	case info.Size() > most:
		return skip(Large)
	}
	file := File{
		Path:  memory.EscapePath(name),
		State: State{Size: info.Size(), Modified: info.ModTime().UnixNano()},
	}
	before, isKnown := w.known[file.Path]
	if isKnown && before.Size == file.State.Size && before.Modified == file.State.Modified {
		if before.Skipped != "" {
			w.met.Skipped[before.Skipped]++
		}
		return File{}, stays
	}
	w.met.Read++
	text, err := w.read(name, limit)
	w.left -= int64(len(text))
	if err != nil {
		w.met.Skipped[Unreadable]++
		return File{}, stays
	}
	file.State.Hash = memory.ContentHash(string(text))
	if w.options.Texts {
		text = bytes.ToValidUTF8(text, []byte(string(utf8.RuneError)))
	}
	if isKnown && before.Hash == file.State.Hash {
		file.Same, file.State.Skipped = true, before.Skipped
	} else {
		w.met.Changed++
		file.Snippets, file.Short, file.State.Skipped = w.snippets(file.Path, text)
		if w.options.Texts && file.State.Skipped == "" {
			file.Text = text
		}
	}
	if file.State.Skipped != "" {
		w.met.Skipped[file.State.Skipped]++
	}
	return file, isNew
}

// read reads the beginning of a file that is neither a link nor anything that could make the reader wait; of a binary file only the first
// block. The root refuses every path that leads out of it, also through a folder that was replaced by a link.
func (w *walker) read(name string, limit int64) ([]byte, error) {
	f, err := filesys.OpenIn(w.folder, filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	buffer := bytes.NewBuffer(make([]byte, 0, min(info.Size(), limit)+bytes.MinRead))
	_, err = buffer.ReadFrom(io.LimitReader(f, glance))
	if err == nil && !isBinary(buffer.Bytes()) {
		_, err = buffer.ReadFrom(io.LimitReader(f, limit-glance))
	}
	return buffer.Bytes(), err
}

func isBinary(text []byte) bool { return bytes.IndexByte(text[:min(len(text), glance)], 0) >= 0 }

// snippets outlines a text that may be anything.
func (w *walker) snippets(path string, text []byte) (found []Snippet, short int, why Reason) {
	if why := unsuited(text); why != "" && (why != Made || !w.options.Documents) { // a generated reference explains too
		return nil, 0, why
	}
	defer func() {
		if recover() != nil {
			found, short, why = nil, 0, Broken
		}
	}()
	if w.options.Documents {
		return Sections(path, text), 0, ""
	}
	if w.options.Texts {
		return nil, 0, ""
	}
	found, short = w.options.outline(path, text, minLines)
	return found, short, ""
}

// unsuited says why a text is not worth outlining.
func unsuited(text []byte) Reason {
	switch {
	case isBinary(text):
		return Binary
	case !utf8.Valid(text):
		return Encoding
	case saysGenerated(text):
		return Made
	}
	long := 0
	for line := range bytes.Lines(text) {
		if len(line) > lineLimit {
			long += len(line)
		}
	}
	if 2*long > len(text) {
		return Bundle
	}
	return ""
}

// saysGenerated looks for what generators write into the comment at the top of a file.
func saysGenerated(text []byte) bool {
	const top = 20 // lines
	n := 0
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if n++; n > top {
			return false
		}
		if len(line) == 0 || bytes.IndexByte([]byte("/#*<;-"), line[0]) < 0 {
			continue
		}
		line = bytes.ToLower(line)
		if bytes.Contains(line, []byte("@generated")) || bytes.Contains(line, []byte("<auto-generated")) ||
			bytes.Contains(line, []byte("generated")) && bytes.Contains(line, []byte("do not edit")) {
			return true
		}
	}
	return false
}

// documents chooses the documents to read: those in the upper folders first, within the limits on their number and size.
func (w *walker) documents(paths []string) []string {
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(strings.Count(a, "/")-strings.Count(b, "/"), cmp.Compare(a, b)) })
	paths = slices.Compact(paths)
	left := int64(documentBytes)
	chosen := paths[:0]
	for _, name := range paths {
		info, err := w.folder.Lstat(filepath.FromSlash(name))
		if err == nil {
			left -= min(info.Size(), documentLimit)
		}
		if left < 0 || len(chosen) == documentFiles {
			w.met.Skipped[Beyond] += len(paths) - len(chosen)
			break
		}
		chosen = append(chosen, name)
	}
	return chosen
}
