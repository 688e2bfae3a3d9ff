package project

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// absolute is filepath.Abs without its Clean: "link/.." must reach settle whole.
func absolute(path string) (string, error) {
	if filepath.IsAbs(path) {
		return path, nil
	}
	here, err := os.Getwd()
	if err != nil {
		return path, err
	}
	return here + string(filepath.Separator) + path, nil
}

// settle returns the one true name of an absolute path: symlinks resolved as far as the path
// exists, the rest as written. It cannot fail; what cannot be looked at is taken by its letters.
func settle(path string) string {
	prefix, rest := existing(path)
	if prefix == "" {
		return filepath.Clean(path)
	}
	real, err := filepath.EvalSymlinks(prefix)
	if err != nil {
		return filepath.Clean(path)
	}
	settled := filepath.Join(real, rest)
	if hasDotDot(rest) {
		return settle(settled) // going up out of what does not exist may arrive at what does; Join left no ".." in it
	}
	return settled
}

// settleFolder settles the folder a path lies in and leaves its last element as written.
func settleFolder(path string) string {
	path = strings.TrimRight(path, separators)
	folder, file := filepath.Split(path)
	if file == "" || file == "." || file == ".." {
		return settle(path + string(filepath.Separator))
	}
	return filepath.Join(settle(folder), file)
}

// existing splits a path after the longest part that exists. It bisects, because the path is
// foreign text: ten thousand folders that do not exist cost fourteen looks, not ten thousand.
func existing(path string) (prefix, rest string) {
	volume := len(filepath.VolumeName(path))
	var ends []int // where an element ends
	for i := volume + 1; i < len(path); i++ {
		if os.IsPathSeparator(path[i]) && !os.IsPathSeparator(path[i-1]) {
			ends = append(ends, i)
		}
	}
	ends = append(ends, len(path))
	n := sort.Search(len(ends), func(i int) bool {
		_, err := os.Stat(path[:ends[i]])
		return err != nil
	})
	if n == 0 {
		top := min(volume+1, len(path))
		return path[:top], path[top:]
	}
	return path[:ends[n-1]], path[ends[n-1]:]
}

// within reports the part of path below root, by whole elements.
func within(root, path string) (string, bool) {
	if path == root {
		return ".", true
	}
	if !strings.HasSuffix(root, string(filepath.Separator)) {
		root += string(filepath.Separator)
	}
	return strings.CutPrefix(path, root)
}

// separators are the characters that part elements here: a backslash is an ordinary letter of a
// name except on Windows.
var separators = func() string {
	if os.IsPathSeparator('\\') {
		return `/\`
	}
	return "/"
}()

func hasDotDot(path string) bool {
	for e := range strings.FieldsFuncSeq(path, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if e == ".." {
			return true
		}
	}
	return false
}
