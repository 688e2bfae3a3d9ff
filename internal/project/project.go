// Package project answers one question: which project does this folder belong to? It runs inside
// the hook, which has a few milliseconds in all, so it takes a handful of stats and reads of tiny
// files. It never runs git, follows no variable of git's environment and writes nothing.
package project

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Resolve finds the project of a directory: the git repository around it, or the folder itself.
//
// A repository is found by its git common directory with symlinks resolved: all worktrees of a
// repository share it, clones do not, and a submodule has its own. Which project it is depends on
// its history, which the place does not say: see config.Home. Where git finds nothing the folder is
// its own project; a sub-folder of it is another. A directory that is gone is looked for from its
// nearest living parent. Names that differ by case or by Unicode form are different names, as they
// are to Linux.
func Resolve(dir string) (memory.Place, error) {
	if dir == "" {
		return memory.Place{}, fmt.Errorf("project of a folder without a name: %w", memory.ErrInvalid)
	}
	dir, err := absolute(dir)
	if err != nil {
		return memory.Place{}, fmt.Errorf("project of %q: %w", dir, err)
	}
	dir = settle(dir)
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	identity, root := discover(dir)
	place := memory.Place{Identity: text(identity), Root: text(root)}
	if identity != root {
		place.Mark = mark(identity)
	}
	return place, nil
}

// IsFolder reports whether a place is a folder without a repository. A project keeps the path of its folder as its identity when that becomes
// a repository, so that the two may be equal there too.
func IsFolder(identity, root string) bool {
	if identity != root {
		return false
	}
	now, err := Resolve(native(root))
	return err != nil || now.Mark == ""
}

// Relative turns an absolute path into the key the project knows the file by: relative to the work
// tree's root with forward slashes, escaped by memory.EscapePath. A file outside stays absolute. A
// path that is not absolute counts from the root.
//
// Symlinks among the folders are followed, so that a checkout reached by two names has one key per
// file; the file itself is not, so that a link keeps its own name and what it points to stays
// unnamed. The file need not exist.
func Relative(place memory.Place, file string) string {
	if file == "" {
		return ""
	}
	root := settle(native(place.Root))
	if !filepath.IsAbs(root) {
		root = string(filepath.Separator) // a place nobody resolved: nothing to count from, and still no way up
	}
	if !filepath.IsAbs(file) {
		file = root + string(filepath.Separator) + file
	}
	real := settleFolder(file)
	key, inside := within(root, real)
	if inside && hasDotDot(file) {
		// The kernel follows a link before it goes up from it; many programs shorten the text first. A
		// file counts as ours only if it is on both readings, so that no spelling borrows the name of a
		// file it does not open.
		_, inside = within(root, settleFolder(filepath.Clean(file)))
	}
	if !inside {
		return text(real)
	}
	return text(key)
}

// Key is Relative for a file that may also lie in another worktree of the same project, where it
// has the same key.
func Key(place memory.Place, file string) string {
	key := Relative(place, file)
	if !filepath.IsAbs(native(key)) {
		return key
	}
	other, err := Resolve(filepath.Dir(native(key)))
	if err != nil || other.Mark == "" { // no repository
		return key
	}
	// The place may have the identity of a project that was elsewhere before: the root says which
	// repository it is now.
	if here, err := Resolve(native(place.Root)); other.Identity == place.Identity || err == nil && other.Identity == here.Identity {
		return Relative(other, native(key))
	}
	return key
}

// Name proposes a display name: the base name of the root, or what the repository is called where
// it says so itself, so that every worktree proposes the same. It is escaped text for people and
// never a path: it may be "..", or hold a newline.
func Name(place memory.Place) string {
	identity := path.Base(place.Identity)
	switch r, history := memory.RepositoryOf(place.Identity); {
	case history && r.Remote != "" && !strings.HasPrefix(r.Remote, memory.FolderRemote):
		return path.Base(r.Remote)
	case history:
		return display(place.Root)
	case identity == ".git":
		return display(path.Dir(place.Identity))
	case strings.HasSuffix(identity, ".git"):
		return strings.TrimSuffix(identity, ".git")
	default:
		return display(place.Root)
	}
}

func display(root string) string {
	if name := path.Base(root); name != "." {
		return name
	}
	return "unnamed"
}

// text is how a path is stored; native is the way back.
func text(p string) string { return memory.EscapePath(filepath.ToSlash(p)) }

func native(stored string) string {
	raw, err := memory.UnescapePath(stored)
	if err != nil {
		raw = stored // not written by us; the bytes as they are say most
	}
	return filepath.FromSlash(raw)
}
