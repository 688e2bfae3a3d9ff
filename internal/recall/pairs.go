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
// partners, and how often the most frequent pair of all was, 0 if there is no pair to look at. Given a first episode,
// only pairs of commits that came in with or after it are looked at, though all their commits count.
func (m *Image) Pairs(from, least, perFile int) (pairs []Pair, most int) {
	seen, partners := map[[2]FileNo]bool{}, map[FileNo][]FileNo{}
	for n := from; n < m.Episodes(); n++ {
		if m.briefs[n].kind != CommitEpisode {
			continue
		}
		files := m.filesOf(uint32(n))
		for j, a := range files {
			for _, b := range files[j+1:] {
				if key := [2]FileNo{min(a, b), max(a, b)}; !seen[key] {
					seen[key] = true
					partners[a], partners[b] = append(partners[a], b), append(partners[b], a)
				}
			}
		}
	}
	if len(partners) == 0 {
		return nil, 0
	}
	with := companions{image: m, commits: make([]int, m.Files()), last: make([]time.Time, m.Files())}
	for a, others := range partners {
		if m.gone[a] {
			continue
		}
		with.count(a)
		var of []Pair
		for _, b := range others {
			if n := with.commits[b]; n >= least && !m.gone[b] {
				of = append(of, Pair{min(a, b), max(a, b), n, with.last[b]})
			}
		}
		slices.SortFunc(of, func(a, b Pair) int {
			return cmp.Or(cmp.Compare(b.Commits, a.Commits), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
		})
		pairs = append(pairs, of[:min(perFile, len(of))]...)
	}
	slices.SortFunc(pairs, func(a, b Pair) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	return slices.Compact(pairs), with.most()
}

// companions counts the commits that changed one file together with each of the others.
type companions struct {
	image   *Image
	commits []int
	last    []time.Time // of these commits
	met     []FileNo    // the files that commits is not zero for
}

func (c *companions) count(f FileNo) {
	for _, other := range c.met {
		c.commits[other], c.last[other] = 0, time.Time{}
	}
	c.met = c.met[:0]
	for _, n := range c.image.Of(f) {
		if c.image.briefs[n].kind != CommitEpisode {
			continue
		}
		at := c.image.at(n)
		for _, other := range c.image.filesOf(n) {
			if other == f {
				continue
			}
			if c.commits[other] == 0 {
				c.met = append(c.met, other)
			}
			c.commits[other]++
			if at.After(c.last[other]) {
				c.last[other] = at
			}
		}
	}
}

// most is how often the most frequent pair was changed together. No pair is more frequent than either of its files, so
// only the most frequent files are counted.
func (c *companions) most() (most int) {
	byEpisodes := make([]FileNo, c.image.Files())
	for f := range byEpisodes {
		byEpisodes[f] = FileNo(f)
	}
	slices.SortFunc(byEpisodes, func(a, b FileNo) int { return cmp.Compare(len(c.image.Of(b)), len(c.image.Of(a))) })
	for _, f := range byEpisodes {
		if len(c.image.Of(f)) <= most {
			break
		}
		c.count(f)
		for _, other := range c.met {
			most = max(most, c.commits[other])
		}
	}
	return most
}
