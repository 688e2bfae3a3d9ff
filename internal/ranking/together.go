package ranking

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// Together is two files of which a commit that changes B mostly changes A as well.
type Together struct {
	A    string `json:"a"`
	B    string `json:"b"`
	Both int    `json:"both"` // commits that changed both
	Of   int    `json:"of"`   // commits that changed B
}

const (
	togetherLeast  = 4   // commits: fewer are chance
	togetherShare  = 0.6 // of the commits of one of the files
	togetherFiles  = 10  // a commit with more files says nothing of a pair
	togetherCommon = 0.2 // of all commits: a file that so many change goes with everything
)

// MostTogether finds the pair of files that past commits changed together most surely, of those that do not share their name
// (parser.go and parser_test.go surprise nobody).
func MostTogether(commits []PastCommit) (best Together, found bool) {
	times, pairs := map[string]int{}, map[[2]string]int{}
	for _, c := range commits {
		if len(c.Files) > togetherFiles {
			continue
		}
		there := slices.DeleteFunc(slices.Clone(c.Files), func(f string) bool { return slices.Contains(c.Gone, f) })
		for i, a := range there {
			times[a]++
			for _, b := range there[i+1:] {
				pairs[[2]string{min(a, b), max(a, b)}]++
			}
		}
	}
	common := max(togetherLeast, int(togetherCommon*float64(len(commits))))
	for _, p := range slices.SortedFunc(maps.Keys(pairs), func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }) {
		t := Together{A: p[0], B: p[1], Both: pairs[p], Of: times[p[1]]}
		if times[t.A] < t.Of {
			t.A, t.B, t.Of = t.B, t.A, times[p[0]]
		}
		usual := t.Both < togetherLeast || float64(t.Both) < togetherShare*float64(t.Of) || times[t.A] > common || sameName(t.A, t.B)
		if !usual && (!found || t.Both*best.Of > best.Both*t.Of || t.Both*best.Of == best.Both*t.Of && t.Both > best.Both) {
			best, found = t, true
		}
	}
	return best, found
}

// sameName reports whether one file's name, without its ending, begins with the other's.
func sameName(a, b string) bool {
	stem := func(file string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(path.Base(file), "test_"), ".")
		return strings.ToLower(name)
	}
	one, other := stem(a), stem(b)
	return strings.HasPrefix(one, other) || strings.HasPrefix(other, one)
}
