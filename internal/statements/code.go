package statements

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/code"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// ConventionsFact are a project's conventions for the names of files and the places of tests, as they were when its code was last read.
func ConventionsFact(id memory.ProjectID) store.Fact[code.Conventions] {
	return store.NewFact[code.Conventions]("conventions").Of(id)
}

// ScrubbedPath is a path as events name it.
func ScrubbedPath(path string) string {
	clean, _ := scrub.Secrets(path)
	return clean
}

// Code is the work tree of a project as it is now. Each place is read once.
type Code struct {
	root string // empty: it is not on this machine, or cannot be looked at
	left int64  // bytes that may still be read
	seen map[memory.Anchor]lookedAt
}

type lookedAt struct {
	hash int64
	gone bool
}

// CodeAt is the work tree below a folder, named as events name it, of which at most so many bytes are read.
func CodeAt(root string, most int64) *Code {
	c := &Code{left: most, seen: map[memory.Anchor]lookedAt{}}
	if raw, err := memory.UnescapePath(root); err == nil && raw != "" && IsFolder(raw) {
		c.root = filepath.FromSlash(raw)
	}
	return c
}

// CodeOf is the work tree of a project on this machine.
func CodeOf(c config.Config, p memory.Project, most int64) *Code {
	root, _ := brain.FolderOf(c, p)
	return CodeAt(memory.EscapePath(filepath.ToSlash(root)), most)
}

// Has reports whether a file or folder is there: a commit that removed it may not have been learned yet. All are where the work tree is not known.
func (c *Code) Has(path string) bool {
	name, err := memory.UnescapePath(path)
	if err != nil || c.root == "" {
		return true
	}
	if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
		name = filepath.Join(c.root, name)
	}
	_, err = os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// hash is the fingerprint of a place in the code, 0 if it cannot be read, and whether the place is gone.
func (c *Code) hash(a memory.Anchor) (hash int64, gone bool) {
	a.Hash = 0
	known, ok := c.seen[a]
	if !ok {
		known.hash, known.gone = c.read(a)
		c.seen[a] = known
	}
	return known.hash, known.gone
}

func (c *Code) read(a memory.Anchor) (hash int64, gone bool) {
	name, err := memory.UnescapePath(a.Path)
	if err != nil || c.root == "" {
		return 0, false
	}
	folder, err := os.OpenRoot(c.root) // links that lead out of the project are not followed
	if err != nil {
		return 0, false
	}
	defer func() { _ = folder.Close() }()
	const largest = 10 << 20
	info, err := folder.Lstat(filepath.FromSlash(name))
	if err != nil || !info.Mode().IsRegular() || info.Size() > min(c.left, largest) {
		return 0, errors.Is(err, fs.ErrNotExist) // a link is not followed
	}
	source, err := filesys.ReadIn(folder, filepath.FromSlash(name), largest)
	if err != nil {
		return 0, false
	}
	c.left -= int64(len(source))
	if a.Symbol == "" {
		return memory.ContentHash(string(source)), false
	}
	hash, there := code.SymbolHash(name, source, a.Symbol)
	return hash, !there
}

// GoneIn are the files that a text names, that the project had, and that are gone.
func (c *Code) GoneIn(ctx context.Context, tx *store.Tx, id memory.ProjectID, text string) (gone []string, err error) {
	var ids []memory.NeuronID
	for word := range strings.FieldsSeq(text) {
		if path := record.NamedPath(word); strings.ContainsAny(path, "./") && !c.Has(path) {
			ids = append(ids, memory.NewNeuronID(id, memory.FileNeuron, path))
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	known, err := tx.NeuronsByID(ctx, ids)
	for _, n := range known {
		gone = append(gone, n.Key)
	}
	slices.Sort(gone)
	return gone, err
}

// SpeaksOf reports whether a text names a file, a folder above it, or a symbol that it defines, as people write them. The base name alone is enough
// if no other file has it.
func SpeaksOf(text, file string, alone bool, symbols []string) bool {
	for word := range strings.FieldsSeq(text) {
		name := record.NamedPath(word)
		folder := strings.TrimSuffix(name, "/")
		switch {
		case name == "":
		case name == file, alone && name == path.Base(file) && (strings.Contains(name, ".") || name != strings.ToLower(name)):
			return true
		case strings.Contains(name, "/") && strings.HasSuffix(file, "/"+name):
			return true
		case strings.Contains(name, "/") && folder != "" && strings.Contains("/"+file, "/"+folder+"/"):
			return true
		case slices.Contains(symbols, strings.TrimSuffix(name, "()")):
			return true
		}
	}
	return false
}

// IsIdentifier reports whether a name can only be one of code: a word of prose has no capital or underline inside.
func IsIdentifier(name string) bool {
	return len(name) > 3 && strings.ContainsFunc(name[1:], func(r rune) bool { return unicode.IsUpper(r) || r == '_' }) && strings.ToUpper(name) != name
}

// InForce reports whether a memory may be shown to an agent that did not ask: it holds, it was surely understood, and it is no order in another's
// name. Whether the code speaks against it is for Code.Doubt to say.
func InForce(c memory.Crystal) bool {
	whoever := c
	whoever.Origin, whoever.Kind = memory.OriginUser, memory.Rule
	return (brain.BySomebody(c.Origin) || c.Origin == memory.OriginFile) && IsStatement(whoever) && !prose.Withheld(c.Origin, c.Text)
}

// anchors finds the places in the code that a text speaks of, as they are: those that are named to it, and files it names itself. The former must
// be there, where the project's files are on this machine.
func anchors(ctx context.Context, tx *store.Tx, id memory.ProjectID, text string, named []string) (found []memory.Anchor, err error) {
	add := func(path, symbol string) {
		if a := (memory.Anchor{Path: path, Symbol: symbol}); !slices.Contains(found, a) {
			found = append(found, a)
		}
	}
	for _, name := range named {
		path, symbol, _ := strings.Cut(name, "#")
		add(ScrubbedPath(path), scrub.Line(scrub.Clean(symbol)))
	}
	if id == 0 {
		return found, nil
	}
	paths, err := record.FilesNamed(ctx, tx, id, text, AnchorsMost)
	for _, path := range paths {
		add(path, "")
	}
	if err != nil || len(found) == 0 {
		return nil, err
	}
	code, err := codeOf(ctx, tx, id)
	for i, a := range found {
		if found[i].Hash, _ = code.hash(a); found[i].Hash == 0 && code.root != "" && i < len(named) {
			return nil, fmt.Errorf("%s is not in %s: name a file of the project, and of symbols a function or a type: %w", a, code.root, brain.ErrNoSuch)
		}
	}
	return found, err
}

// joined are anchors, and those of others whose file is not among them.
func joined(anchors, others []memory.Anchor) []memory.Anchor {
	all := slices.Clone(anchors)
	for _, a := range others {
		if !slices.ContainsFunc(all, func(k memory.Anchor) bool { return k.Path == a.Path }) {
			all = append(all, a)
		}
	}
	return all
}

// codeOf is the work tree of a project, if it is known where that is.
func codeOf(ctx context.Context, tx *store.Tx, id memory.ProjectID) (*Code, error) {
	p, err := tx.Project(ctx, id)
	if err := brain.IgnoreNotFound(err); err != nil || id == 0 {
		return CodeAt("", 0), err
	}
	return CodeAt(p.Root, math.MaxInt64), nil
}

// IsFolder reports whether a folder exists.
func IsFolder(path string) bool {
	info, err := os.Stat(filepath.FromSlash(path))
	return err == nil && info.IsDir()
}

const AnchorsMost = 16 // a text that names more files speaks of none
