package project

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
)

// smallFile bounds what is read of git's pointer files; a path does not get longer.
const smallFile = 32 << 10

// discover walks up from a settled directory to the git repository around it, the way git does.
func discover(dir string) (identity, root string) {
	for d := dir; ; {
		if identity, root, ok := repositoryAt(d); ok {
			return identity, root
		}
		up := filepath.Dir(d)
		if up == d {
			return dir, dir
		}
		d = up
	}
}

// repositoryAt says whether a folder is the top of a work tree, or a git directory itself.
func repositoryAt(d string) (identity, root string, ok bool) {
	dotGit := filepath.Join(d, ".git")
	info, err := os.Stat(dotGit)
	switch {
	case err == nil && info.IsDir():
		// A .git folder that holds no repository is passed over, as git passes it over. One that a link leads to is another folder's.
		if common, ok := commonDir(dotGit); ok {
			if isLink(dotGit) && !pointsBack(settle(dotGit), d) {
				return d, d, true
			}
			return common, d, true
		}
	case err == nil || isLink(dotGit):
		// A .git file is the mark of a work tree's top. Where it leads nowhere (written half, unreadable,
		// its repository gone) git stops with an error; here the folder stands for itself, and its
		// sub-folders with it.
		if common, ok := pointedTo(d, dotGit); ok {
			return common, d, true
		}
		return d, d, true
	}
	if common, ok := commonDir(d); ok {
		if filepath.Base(d) == ".git" {
			return common, filepath.Dir(d), true // inside .git: still that work tree, and "config" is not its file
		}
		return common, d, true // bare
	}
	return "", "", false
}

// pointedTo follows a .git file to the common directory of its repository.
func pointedTo(d, dotGit string) (string, bool) {
	line, ok := readSmall(dotGit)
	if !ok {
		return "", false
	}
	target, ok := strings.CutPrefix(line, "gitdir: ")
	if !ok || target == "" {
		return "", false
	}
	gitDir := from(d, target)
	common, ok := commonDir(gitDir)
	return common, ok && pointsBack(settle(gitDir), d)
}

// pointsBack reports whether a git directory that a folder points to has that folder as its work tree. Anybody can write a .git file that names
// the repository of another folder: what was learned there must not be shown here.
func pointsBack(gitDir, d string) bool {
	if tree, ok := readSmall(filepath.Join(gitDir, "gitdir")); ok { // a linked work tree
		tree = from(gitDir, tree)
		return settle(filepath.Dir(tree)) == d || !exists(tree) // or it was moved, and nobody else is there
	}
	if exists(filepath.Join(gitDir, "commondir")) {
		return false
	}
	bare, tree := coreOf(gitDir)
	switch _, within := within(d, gitDir); {
	case tree != "": // a submodule
		return settle(from(gitDir, tree)) == d
	case filepath.Base(gitDir) == ".git":
		return filepath.Dir(gitDir) == d
	default: // kept elsewhere by git init --separate-git-dir, which leaves no way back; a bare repository has no work tree
		return within || !bare
	}
}

// coreOf reads bare and worktree of [core] from the settings of a repository.
func coreOf(gitDir string) (bare bool, worktree string) {
	text, _ := readSmall(filepath.Join(gitDir, "config")) // what cannot be read says nothing
	core := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			core = strings.EqualFold(line, "[core]")
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.Trim(strings.TrimSpace(value), `"`)
		switch {
		case core && strings.EqualFold(key, "bare"):
			bare = strings.EqualFold(value, "true")
		case core && strings.EqualFold(key, "worktree"):
			worktree = value
		}
	}
	return bare, worktree
}

// commonDir returns the settled directory that all worktrees of a git directory share. ok is false
// where gitDir is none.
func commonDir(gitDir string) (common string, ok bool) {
	if !exists(filepath.Join(gitDir, "HEAD")) {
		return "", false
	}
	common = gitDir
	if line, ok := readSmall(filepath.Join(gitDir, "commondir")); ok && line != "" {
		common = from(gitDir, line)
	}
	if !exists(filepath.Join(common, "objects")) || !exists(filepath.Join(common, "refs")) {
		return "", false
	}
	return settle(common), true
}

// from reads a path that git wrote down relative to base, or absolute.
func from(base, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(base, path)
}

// exists does not follow links: git's HEAD may be a dangling one in a young repository.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// readSmall reads one of git's pointer files without its line end. Only plain files: opening a pipe
// would wait for ever.
func readSmall(path string) (string, bool) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > smallFile {
		return "", false
	}
	f, err := filesys.Open(path, os.O_RDONLY, 0)
	if err != nil {
		return "", false
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, smallFile))
	if err != nil {
		return "", false
	}
	return strings.TrimRight(string(raw), "\r\n"), true
}

// mark tells a repository from another one that lay at the same path before or comes there later.
// Git writes description once, when it makes the repository, and never again. Where a template
// lacks it, the number of the folder has to do. A mark that changes without need costs one look at
// the history.
func mark(common string) string {
	for _, name := range []string{"description", filepath.Join("info", "exclude")} {
		if info, err := os.Lstat(filepath.Join(common, name)); err == nil {
			return strconv.FormatInt(info.ModTime().UnixNano(), 36)
		}
	}
	return "n:" + strconv.FormatUint(folderNumber(common), 36)
}

// UsedBefore reports whether something in a folder was there, unchanged, before a repository was made in it and when hebb saw it last: then
// git init made a repository of a folder that was in use, or made its repository anew. Of a folder that was removed and came back, as a clone
// or by hand, nothing is as old.
func UsedBefore(root, mark string, last time.Time) bool {
	if made, err := strconv.ParseInt(mark, 36, 64); err != nil {
		return false
	} else if at := time.Unix(0, made); at.Before(last) {
		last = at
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return false
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || e.Name() == ".git" {
			continue
		}
		if at, ok := filesys.Changed(info); ok && at.Before(last) {
			return true
		}
	}
	return false
}

// MadeBefore reports whether a mark shows that its repository was made before a time.
func MadeBefore(mark string, at time.Time) bool {
	made, err := strconv.ParseInt(mark, 36, 64)
	return err == nil && time.Unix(0, made).Before(at)
}
