package recall

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/vocab"
)

// Source: hebb-bench replay.
const (
	lastHalfLife    = 2.0           // the latest commits and sessions of an open file: each count half after this many
	alongsideReach  = 3             // commits before and after one that count as the same work
	alongsideWithin = 6 * time.Hour // neighbouring commits further apart in time are different work
	nextReach       = 1.0           // what was opened after a file counts half after this many further files
	stemBonus       = 2.0           // what the same stem adds to the likeness of paths; the same folder adds 1
	placeLeast      = 0.5           // share of folders two paths must begin with alike to count as near
)

// coOccurrence scores the files that were changed and opened together with an open file. factor is its share among the open
// files.
func (m *measure) coOccurrence(open FileNo, factor float64) {
	var commits, sessions []uint32
	for _, n := range m.Of(open) {
		if m.briefs[n].kind == CommitEpisode {
			commits = append(commits, n)
		} else {
			sessions = append(sessions, n)
		}
	}
	m.changedWith(open, commits, factor)
	m.changedAlongside(open, commits, factor)
	m.openedWith(open, sessions, factor)
	m.folderCoOccurrence(open, factor)
	m.likePlaces(open, factor)
	m.pathLikes(open, factor)
}

func (m *measure) changedWith(open FileNo, commits []uint32, factor float64) {
	times := float64(len(commits))
	for i, n := range commits {
		files := m.filesOf(n)
		if len(files) < 2 {
			continue
		}
		others := math.Pow(float64(len(files)-1), m.params.SizePower)
		old := m.bond(n)
		latest := fade(times-1-float64(i), lastHalfLife) / math.Sqrt(others)
		like := 0.0
		if m.closest > 0 {
			like = m.near(n) / m.closest
		}
		for _, f := range files {
			if f == open {
				continue
			}
			m.terms[Together].add(f, factor*old/others/times)
			m.terms[Likeness].add(f, factor*old/math.Sqrt(times*float64(len(m.Of(f)))))
			m.terms[LastTogether].add(f, factor*latest)
			m.terms[Intent].add(f, factor*like*like/others)
		}
	}
}

// changedAlongside scores files of the commits next to those of an open file: one piece of work is often several commits.
func (m *measure) changedAlongside(open FileNo, commits []uint32, factor float64) {
	order := m.byKind[CommitEpisode]
	reach := alongsideReach
	for _, n := range commits {
		at := m.at(n)
		for d := -reach; d <= reach; d++ {
			next := int(m.briefs[n].rank) + d
			if d == 0 || next < 0 || next >= len(order) || m.at(order[next]).Sub(at).Abs() > alongsideWithin {
				continue
			}
			files := m.filesOf(order[next])
			share := factor * fade(math.Abs(float64(d)), 1) * m.bond(n) /
				math.Sqrt(float64(max(1, len(files)))*float64(len(commits)))
			for _, f := range files {
				if f != open {
					m.terms[Alongside].add(f, share)
				}
			}
		}
	}
}

// openedWith scores files of the session segments that had the open file, and those opened after it.
func (m *measure) openedWith(open FileNo, sessions []uint32, factor float64) {
	times := float64(len(sessions))
	for nth, n := range sessions {
		files := m.filesOf(n)
		latest := fade(times-1-float64(nth), lastHalfLife)
		old := fade(float64(m.age(n)), m.params.OpenedHalfLife)
		distinct := 0
		for i, f := range files {
			if !slices.Contains(files[:i], f) {
				distinct++
			}
		}
		since := -1 // files opened after the open one; -1 before it
		for i, f := range files {
			if f == open {
				since = 0
				continue
			}
			if !slices.Contains(files[:i], f) {
				m.terms[OpenedTogether].add(f, factor*old/float64(max(1, distinct-1))/times)
			}
			if since >= 0 {
				soon := factor * fade(float64(since), nextReach)
				m.terms[OpenedNext].add(f, soon/(1+times))
				m.terms[NextLately].add(f, soon*latest)
				since++
			}
		}
	}
}

// folderCoOccurrence scores the files that the open file's folder was changed with: a new file has no past of its own.
func (m *measure) folderCoOccurrence(open FileNo, factor float64) {
	m.seen.reset(m.Episodes())
	var commits []uint32
	for _, f := range m.inDir(m.dirOf(open)) {
		for _, n := range m.Of(f) {
			if m.briefs[n].kind != CommitEpisode {
				continue
			}
			if _, first := m.seen.take(n); first {
				commits = append(commits, n)
			}
		}
	}
	for _, n := range commits {
		files := m.filesOf(n)
		if len(files) < 2 {
			continue
		}
		share := factor * fade(float64(m.age(n)), m.params.FolderHalfLife) / math.Pow(float64(len(files)-1), m.params.SizePower) / float64(1+len(commits))
		for _, f := range files {
			if f != open {
				m.terms[FolderTogether].add(f, share)
			}
		}
	}
}

// likePlaces scores files with similar paths: same folder, near folder, same stem.
func (m *measure) likePlaces(open FileNo, factor float64) {
	mine := m.dirOf(open)
	name := m.dirName(mine)
	for _, d := range m.under(top(name)) { // others have nothing in common
		near := nearness(name, m.dirName(d))
		if d == mine {
			near++
		}
		if near < placeLeast {
			continue
		}
		for _, f := range m.inDir(d) {
			m.terms[Place].add(f, factor*near)
		}
	}
	for _, f := range m.ofStem(vocab.Stem(m.path(open))) {
		m.terms[Place].add(f, factor*stemBonus)
	}
}

// nearness is the share of folders two paths begin with alike.
func nearness(a, b string) float64 {
	same, longest := 0, 1+max(strings.Count(a, "/"), strings.Count(b, "/"))
	for more := true; more; same++ {
		x, restA, moreA := strings.Cut(a, "/")
		y, restB, moreB := strings.Cut(b, "/")
		if x != y {
			break
		}
		a, b, more = restA, restB, moreA && moreB
	}
	return float64(same) / float64(longest)
}

// pathLikes scores files whose paths share words with that of an open file: siblings in its folder, and its counterpart in a parallel
// folder. A word that many paths have says little.
func (m *measure) pathLikes(open FileNo, factor float64) {
	mine := m.file(open).Words
	asked := mine[:min(len(mine), mostWords)]
	m.inPaths.build(m.Files(), m.wordsOf)
	m.kin.find(asked, &m.inPaths, &m.files, askedKin, m.wordsOf)
	all, whole := float64(m.alive.files), 0.0
	var rare [mostWords]float64
	for w := range asked {
		rare[w] = rarity(all, min(all, m.kin.all[w]))
		whole += rare[w]
	}
	if whole == 0 {
		return
	}
	for _, n := range m.kin.hit {
		if FileNo(n) == open || m.gone[n] {
			continue
		}
		shared, count := 0.0, 0.0
		eachBit(m.kin.mask(n), func(w int) { shared, count = shared+rare[w], count+1 })
		m.terms[PathLike].add(FileNo(n), factor*shared/whole*2*count/float64(len(mine)+len(m.file(FileNo(n)).Words)))
	}
}

// ListedFit is how much a search that printed some files says about each: less the more often the session has gone on to another file since,
// and the more it printed.
func ListedFit(since, printed int) float64 {
	return 1 / (float64(1+since) * math.Sqrt(float64(max(printed, 1))))
}
