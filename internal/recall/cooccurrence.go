package recall

import (
	"math"
	"slices"
	"time"
)

// Source: hebb-bench replay.
const (
	lastHalfLife    = 2.0           // the latest commits of an open file: each count half after this many
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
	for _, n := range m.byFile[open] {
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
		e := &m.episodes[n]
		if len(e.Files) < 2 {
			continue
		}
		others := math.Pow(float64(len(e.Files)-1), m.params.SizePower)
		old := m.old[m.age(n)]
		latest := fade(times-1-float64(i), lastHalfLife) / math.Sqrt(others)
		like := 0.0
		if m.closest > 0 {
			like = m.near[n] / m.closest
		}
		for _, f := range e.Files {
			if f == open {
				continue
			}
			m.terms[Together].add(f, factor*old/others/times)
			m.terms[Likeness].add(f, factor*old/math.Sqrt(times*float64(len(m.byFile[f]))))
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
		e := &m.episodes[n]
		for d := -reach; d <= reach; d++ {
			at := int(m.briefs[n].rank) + d
			if d == 0 || at < 0 || at >= len(order) {
				continue
			}
			o := &m.episodes[order[at]]
			if o.At.Sub(e.At).Abs() > alongsideWithin {
				continue
			}
			share := factor * fade(math.Abs(float64(d)), 1) * m.old[m.age(n)] /
				math.Sqrt(float64(max(1, len(o.Files)))*float64(len(commits)))
			for _, f := range o.Files {
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
	for _, n := range sessions {
		e := &m.episodes[n]
		old := fade(float64(m.age(n)), m.params.OpenedHalfLife)
		distinct := 0
		for i, f := range e.Files {
			if !slices.Contains(e.Files[:i], f) {
				distinct++
			}
		}
		since := -1 // files opened after the open one; -1 before it
		for i, f := range e.Files {
			if f == open {
				since = 0
				continue
			}
			if !slices.Contains(e.Files[:i], f) {
				m.terms[OpenedTogether].add(f, factor*old/float64(max(1, distinct-1))/times)
			}
			if since >= 0 {
				m.terms[OpenedNext].add(f, factor*fade(float64(since), nextReach)/(1+times))
				since++
			}
		}
	}
}

// folderCoOccurrence scores the files that the open file's folder was changed with: a new file has no past of its own.
func (m *measure) folderCoOccurrence(open FileNo, factor float64) {
	m.seen = grown(m.seen, len(m.episodes))
	clear(m.seen)
	var commits []uint32
	for _, f := range m.dirs[m.files[open].dir].files {
		for _, n := range m.byFile[f] {
			if m.briefs[n].kind == CommitEpisode && !m.seen[n] {
				m.seen[n] = true
				commits = append(commits, n)
			}
		}
	}
	for _, n := range commits {
		e := &m.episodes[n]
		if len(e.Files) < 2 {
			continue
		}
		share := factor * fade(float64(m.age(n)), m.params.FolderHalfLife) / math.Pow(float64(len(e.Files)-1), m.params.SizePower) / float64(1+len(commits))
		for _, f := range e.Files {
			if f != open {
				m.terms[FolderTogether].add(f, share)
			}
		}
	}
}

// likePlaces scores files with similar paths: same folder, near folder, same stem.
func (m *measure) likePlaces(open FileNo, factor float64) {
	mine := &m.files[open]
	for _, d := range m.tops[m.dirs[mine.dir].parts[0]] { // others have nothing in common
		near := nearness(m.dirs[mine.dir].parts, m.dirs[d].parts)
		if d == mine.dir {
			near++
		}
		if near < placeLeast {
			continue
		}
		for _, f := range m.dirs[d].files {
			m.terms[Place].add(f, factor*near)
		}
	}
	for _, f := range m.ofStem(Stem(mine.Path)) {
		m.terms[Place].add(f, factor*stemBonus)
	}
}

// nearness is the share of folders two paths begin with alike.
func nearness(a, b []string) float64 {
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	return float64(same) / float64(max(len(a), len(b)))
}
