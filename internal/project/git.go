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
		// A .git folder that holds no repository is passed over, as git passes it over.
		if common, ok := commonDir(dotGit); ok {
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
	if common, ok := commonDir(gitDir); ok {
		return common, true
	}
	// A worktree whose entry was pruned: the repository it was taken from is still there, and so is
	// what was learned.
	if worktrees := filepath.Dir(gitDir); filepath.Base(worktrees) == "worktrees" {
		return commonDir(filepath.Dir(worktrees))
	}
	return "", false
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

// MadeBefore reports whether a mark shows that its repository was made before a time.
func MadeBefore(mark string, at time.Time) bool {
	made, err := strconv.ParseInt(mark, 36, 64)
	return err == nil && time.Unix(0, made).Before(at)
}
