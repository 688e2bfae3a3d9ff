package evaluate

import (
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/replay"
)

// tree numbers the files of a repository, so that what is learned about them fits into arrays. A number stays with its
// file through renames, and a path that comes back after its deletion gets its number again.
type tree struct {
	words   vocabulary
	stems   vocabulary
	numbers map[string]int32 // by path
	files   []treeFile
	folders folders
	paths   corpus // the words in the paths of files that exist
}

type treeFile struct {
	path   string
	alive  bool
	folder int32
	stem   int32
	words  []int32
}

// folders numbers folders and keeps their names apart.
type folders struct {
	numbers vocabulary
	parts   [][]string
}

func newTree() *tree {
	t := &tree{words: vocabulary{}, stems: vocabulary{}, numbers: map[string]int32{}}
	t.folders.numbers = vocabulary{}
	t.stems.number("") // 0: a name that is all affix resembles nothing
	return t
}

// commit follows a commit and returns the numbers of the files it touched. Deleted files exist until bury.
func (t *tree) commit(c Commit) []int32 {
	touched := make([]int32, 0, len(c.Files))
	for _, change := range c.Files {
		if change.Status == replay.Renamed {
			t.rename(change.Old, change.Path)
		}
		n, ok := t.alive(change.Path)
		if change.Status != replay.Deleted {
			n, ok = t.ensure(change.Path), true
		}
		if ok && !slices.Contains(touched, n) {
			touched = append(touched, n)
		}
	}
	return touched
}

// bury ends the files that a commit deletes.
func (t *tree) bury(c Commit) {
	for _, change := range c.Files {
		if change.Status == replay.Deleted {
			t.remove(change.Path)
		}
	}
}

func (t *tree) alive(path string) (int32, bool) {
	n, ok := t.numbers[path]
	return n, ok && t.files[n].alive
}

// ensure returns the number of a path, which exists from now on.
func (t *tree) ensure(path string) int32 {
	n, ok := t.numbers[path]
	if !ok {
		n = int32(len(t.files))
		t.files = append(t.files, treeFile{})
		t.place(n, path)
	}
	if !t.files[n].alive {
		t.files[n].alive = true
		t.index(n)
	}
	return n
}

func (t *tree) remove(path string) {
	if n, ok := t.alive(path); ok {
		t.files[n].alive = false
		t.paths.remove(n, t.files[n].words)
	}
}

// rename moves a file with all that is known about it, unless the new path is taken: then that file goes on.
func (t *tree) rename(old, path string) {
	n, ok := t.alive(old)
	if !ok {
		return
	}
	t.remove(old)
	if _, taken := t.alive(path); taken {
		return
	}
	delete(t.numbers, old)
	t.place(n, path)
	t.files[n].alive = true
	t.index(n)
}

func (t *tree) place(n int32, name string) {
	t.numbers[name] = n
	f := &t.files[n]
	f.path, f.words, f.stem = name, t.words.learn(name), t.stems.number(stemOf(name))
	folder := path.Dir(name)
	f.folder = t.folders.numbers.number(folder)
	if int(f.folder) == len(t.folders.parts) {
		t.folders.parts = append(t.folders.parts, strings.Split(folder, "/"))
	}
}

func (t *tree) index(n int32) {
	for _, word := range t.files[n].words {
		t.paths.add(n, word, 1)
	}
}

// stemOf returns what a file shares with its test: the name up to the first dot, without test and spec.
func stemOf(name string) string {
	stem := strings.ToLower(path.Base(name))
	if dot := strings.IndexByte(stem, '.'); dot > 0 {
		stem = stem[:dot]
	}
	for _, affix := range []string{"_test", "test_", "_tests", "tests", "test", "-test", "_spec", "spec"} {
		stem = strings.TrimSuffix(strings.TrimPrefix(stem, affix), affix)
	}
	return strings.Trim(stem, "_-")
}

// similarPaths scores files by their place beside a seed: 2 for the same stem, 1 for the same folder, and the share of
// folder names the two have in common from the root.
func (t *tree) similarPaths(s *scores, seed int32, factor float64) {
	s.fit(len(t.files))
	from := t.files[seed]
	near := make([]float64, len(t.folders.parts))
	for folder, parts := range t.folders.parts {
		near[folder] = commonShare(t.folders.parts[from.folder], parts)
	}
	near[from.folder]++
	for n, f := range t.files {
		if !f.alive {
			continue
		}
		score := near[f.folder]
		if f.stem != 0 && f.stem == from.stem {
			score += 2
		}
		s.add(int32(n), factor*score)
	}
}

func commonShare(a, b []string) float64 {
	common := 0
	for common < len(a) && common < len(b) && a[common] == b[common] {
		common++
	}
	return float64(common) / float64(max(len(a), len(b)))
}
