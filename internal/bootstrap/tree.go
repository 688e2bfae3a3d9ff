package bootstrap

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/outline"
)

// File is one file of the work tree.
type File struct {
	// Path is relative to the place's root with forward slashes, in the escaped form of memory.EscapePath.
	Path string
	// Names are what it defines (see outline.Names), not scrubbed.
	Names []string
	// Alike are the files of the same stem that come after it, in the form of Path. One may turn out to be no text.
	Alike []string
}

// Tree counts the files of a work tree.
type Tree struct {
	Files   int // handed over
	Skipped int // links, submodules, generated, binary or unreadable files
	Beyond  int // not read, because the tree is larger than the limits
}

const (
	// fileLimit is how much of one file is read; of a longer one, the beginning.
	fileLimit = 256 << 10
	// treeFiles and treeBytes end the reading of a tree that is larger than any project should be.
	treeFiles = 200_000
	treeBytes = 1 << 30
	// glance is how much is searched for a NUL, which makes a file binary, as in git.
	glance = 8000
)

// ReadTree hands the text files that git tracks to yield, in the order of their paths, as they are in the work tree
// now. The index of git says which they are; nothing else is looked at, and no link is followed out of the tree. An
// error of yield ends the reading and is returned as it is.
func ReadTree(ctx context.Context, place memory.Place, yield func(File) error) (Tree, error) {
	g, err := At(place)
	if err != nil {
		return Tree{}, err
	}
	return g.readTree(ctx, yield)
}

// readTree reads the files below g.Root, with paths relative to it.
func (g Git) readTree(ctx context.Context, yield func(File) error) (met Tree, err error) {
	files, err := g.tracked(ctx, &met)
	if err != nil {
		return met, err
	}
	root, err := os.OpenRoot(g.Root)
	if err != nil {
		return met, fmt.Errorf("read the files of %s: %w", g.Root, err)
	}
	defer func() { _ = root.Close() }()
	w := walker{root: root, stems: stemPairs(files), left: treeBytes}
	for _, name := range files {
		if ctx.Err() != nil {
			return met, fmt.Errorf("read the files of %s: %w", g.Root, context.Cause(ctx))
		}
		if w.left <= 0 {
			met.Beyond++
			continue
		}
		file, isText := w.file(name)
		if !isText {
			met.Skipped++
			continue
		}
		met.Files++
		if err := yield(file); err != nil {
			return met, err
		}
	}
	return met, nil
}

// TreeState tells whether the files that ReadTree would read have changed, by their names, sizes and times.
func (g Git) TreeState(ctx context.Context) (string, error) {
	files, err := g.tracked(ctx, &Tree{})
	if err != nil {
		return "", err
	}
	state := sha256.New()
	for _, name := range files {
		var size, modified int64
		if info, err := os.Lstat(filepath.Join(g.Root, filepath.FromSlash(name))); err == nil {
			size, modified = info.Size(), info.ModTime().UnixNano()
		}
		fmt.Fprintf(state, "%s\x00%d %d\n", name, size, modified)
	}
	return hex.EncodeToString(state.Sum(nil)), nil
}

// tracked lists the files of the index that are worth reading, by path. It counts the others.
func (g Git) tracked(ctx context.Context, met *Tree) ([]string, error) {
	if info, err := os.Stat(g.Root); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("read the files of %s: no such folder: %w", g.Root, memory.ErrNotFound)
	}
	var files []string
	err := g.stream(ctx, nil, func(out io.Reader) (err error) {
		if files, err = readIndex(out, met); err != nil {
			err = fmt.Errorf("read the files of %s: %w", g.Root, err)
		}
		return err
	}, "ls-files", "-z", "--stage")
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	return slices.Compact(files), nil // a conflict lists a file up to three times
}

// readIndex reads entries of "mode hash stage<tab>path".
func readIndex(in io.Reader, met *Tree) (files []string, err error) {
	for p := newParser(in, Git{}); ; {
		entry, whole, err := p.field()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		facts, name, isEntry := strings.Cut(entry, "\t")
		if !isEntry {
			return nil, fmt.Errorf("git wrote %q where a file should stand: %w", entry, memory.ErrDamaged)
		}
		switch {
		case !whole || !isLocal(name) || !strings.HasPrefix(facts, "100") || outline.Generated(name) || hasBinaryName(name):
			met.Skipped++ // links are 120000, submodules 160000
		case len(files) == treeFiles:
			met.Beyond++
		default:
			files = append(files, name)
		}
	}
}

// hasBinaryName spares reading what is never text.
func hasBinaryName(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".ico", ".icns", ".bmp", ".tiff", ".psd", ".pdf", ".zip", ".gz",
		".bz2", ".xz",
		".zst", ".7z", ".tar", ".tgz", ".jar", ".war", ".class", ".so", ".dll", ".dylib", ".exe", ".a", ".o",
		".pyc", ".wasm", ".woff",
		".woff2", ".ttf", ".otf", ".eot", ".mp3", ".mp4", ".mov", ".avi", ".wav", ".ogg", ".webm", ".sqlite", ".db",
		".parquet", ".onnx":
		return true
	}
	return false
}

// walker reads one file after the other.
type walker struct {
	root  *os.Root
	stems map[string][]string
	left  int
}

// file reads one file; what cannot be read now, or is no text, is none.
func (w *walker) file(name string) (File, bool) {
	limit := fileLimit
	if outline.LanguageOf(name) == outline.Unknown {
		limit = glance
	}
	source, err := readText(w.root, name, limit)
	if err != nil {
		return File{}, false
	}
	w.left -= len(source)
	file := File{Path: memory.EscapePath(name), Names: outline.Names(name, source)}
	for _, other := range w.stems[name] {
		file.Alike = append(file.Alike, memory.EscapePath(other))
	}
	return file, true
}

// stemPairs lists for each file those of its group that come after it.
func stemPairs(files []string) map[string][]string {
	pairs := map[string][]string{}
	for _, group := range stemGroups(files) {
		for i, name := range group {
			if rest := group[i+1:]; len(rest) > 0 {
				pairs[name] = rest
			}
		}
	}
	return pairs
}

var errNoText = errors.New("not a text file")

// readText reads the beginning of a file that is neither a link nor anything that could make the reader wait. The root
// refuses every path that leads out of it, also through a folder that was replaced by a link.
func readText(root *os.Root, name string, limit int) ([]byte, error) {
	name = filepath.FromSlash(name)
	if info, err := root.Lstat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errNoText
	}
	text, err := filesys.ReadIn(root, name, int64(limit))
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(text[:min(len(text), glance)], 0) >= 0 {
		return nil, errNoText
	}
	return text, nil
}
