package recall

import (
	"cmp"
	"slices"
	"time"
)

// Pair is two files that commits changed together.
type Pair struct {
	A, B    FileNo
	Commits int
	Last    time.Time // of them
}

// Pairs returns the files that commits changed together at least so often, for each file only its most frequent
// partners, and how often the most frequent pair was. Given a first episode, only pairs of commits that came in
// with or after it are looked at, though all their commits count.
func (m *Image) Pairs(from, least, perFile int) (pairs []Pair, most int) {
	counts := map[[2]FileNo]int{}
	last := map[[2]FileNo]time.Time{}
	late := map[[2]FileNo]bool{}
	for _, n := range m.byKind[CommitEpisode] {
		files, at := m.filesOf(n), m.at(n)
		for j, a := range files {
			for _, b := range files[j+1:] {
				key := [2]FileNo{min(a, b), max(a, b)}
				counts[key]++
				last[key] = at // they come in order
				most = max(most, counts[key])
				if int(n) >= from {
					late[key] = true
				}
			}
		}
	}
	of := map[FileNo][]Pair{}
	for key := range late {
		if n := counts[key]; n >= least && !m.gone[key[0]] && !m.gone[key[1]] {
			p := Pair{key[0], key[1], n, last[key]}
			of[p.A], of[p.B] = append(of[p.A], p), append(of[p.B], p)
		}
	}
	for _, partners := range of {
		slices.SortFunc(partners, func(a, b Pair) int {
			return cmp.Or(cmp.Compare(b.Commits, a.Commits), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
		})
		pairs = append(pairs, partners[:min(perFile, len(partners))]...)
	}
	slices.SortFunc(pairs, func(a, b Pair) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	return slices.Compact(pairs), most
}
