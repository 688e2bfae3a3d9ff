package recall

import (
	"math"
	"path"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/vocab"
)

// Source: hebb-bench replay.
const (
	pathDiscount     = 0.4   // how much a long path or commit is discounted (b of BM25)
	historyDiscount  = 0.75  // how much a file with a long history is discounted (b of BM25)
	pathShare        = 0.5   // a word in a commit's paths against one in its subject
	namesShare       = 0.333 // a word in the names a file defines against one in its path
	nearCommits      = 100   // commits most like the question that speak for their files
	nearPower        = 2.5   // how much more the nearest commits say than the less near
	nearSessions     = 20    // sessions most like the question that speak for their files
	nearSessionPower = 1.0   // how much more the nearest sessions say than the less near
	phraseDamping    = 3.0   // a phrase in many commits says less; this many count as none
	scopeWindow      = 60    // latest commits with the same first word that are looked at
	scopeHalfLife    = 10.0  // of these each counts half after this many
)

const namesAsked = 256 // files that a question may name: a stack trace has many

// askNames looks for files that the question names: parser.go, src/parser.go:12, or a longer path to it, not a word that happens to be one. The more
// of a path is named the more that says.
func (m *measure) askNames(text string) {
	for _, name := range vocab.FileNames(text, namesAsked) {
		files := m.inBases.of(vocab.WordOf(path.Base(name)))
		for _, n := range files[max(len(files)-asked, 0):] {
			switch p := m.path(FileNo(n)); {
			case p == name || strings.HasSuffix(p, "/"+name):
				m.terms[Named].raise(FileNo(n), float64(1+strings.Count(name, "/")))
			case strings.HasSuffix(name, "/"+p):
				m.terms[Named].raise(FileNo(n), float64(1+strings.Count(p, "/")))
			}
		}
	}
}

// lookUp finds the words of the question, wherever they stand.
func (m *measure) lookUp() {
	m.inPaths.build(m.Files(), m.wordsOf)
	m.inNames.build(m.Files(), m.definedBy)
	m.inBases.build(m.Files(), m.baseOf)
	for kind := range m.inSpoken {
		m.inSpoken[kind].build(m.Episodes(), m.spokenIn(EpisodeKind(kind)))
	}
	m.pathsOf.find(m.words, &m.inPaths, &m.files, asked, m.wordsOf)
	m.namesOf.find(m.words, &m.inNames, &m.files, asked, m.definedBy)
}

// askPaths compares the question with paths and names.
func (m *measure) askPaths() {
	files := slices.Clone(m.pathsOf.hit)
	for _, f := range m.namesOf.hit {
		if m.pathsOf.mask(f) == 0 {
			files = append(files, f)
		}
	}
	var found [mostWords]float64
	for _, f := range files {
		if !m.gone[f] {
			eachBit(m.pathsOf.mask(f)|m.namesOf.mask(f), func(w int) { found[w]++ })
		}
	}
	m.pathsOf.atLeast(&found)
	m.namesOf.atLeast(&found)
	alive := float64(m.alive.files)
	usual := (float64(m.alive.words) + namesShare*float64(m.alive.names)) / max(alive, 1)
	whole := m.rarest(alive)
	rare := m.rarities(alive, &found)
	for _, n := range files {
		if m.gone[n] {
			continue
		}
		f := m.file(FileNo(n))
		length := float64(len(f.Words)) + namesShare*float64(len(f.Names))
		inPath, inNames, sum := m.pathsOf.mask(n), m.namesOf.mask(n), 0.0
		eachBit(inPath|inNames, func(w int) {
			times := float64(inPath>>w&1) + namesShare*float64(inNames>>w&1)
			sum += rare[w] * saturated(times, length, usual, pathDiscount)
		})
		m.terms[PathWords].add(FileNo(n), sum/whole)
	}
}

// atLeast raises the counts of words so frequent that not all was looked at.
func (x *matches) atLeast(found *[mostWords]float64) {
	for w, n := range x.all {
		if n > float64(x.most) {
			found[w] = max(found[w], n)
		}
	}
}

// rarities are those of all words of the question.
func (m *measure) rarities(all float64, found *[mostWords]float64) (rare [mostWords]float64) {
	for w := range m.words {
		rare[w] = rarity(all, found[w])
	}
	return rare
}

// rarest is what a text would score that has every word of the question, each as rare as can be.
func (m *measure) rarest(all float64) float64 {
	return max(1, float64(len(m.words))) * max(1, rarity(all, 1))
}

// askEpisodes compares the question with the words of past work of a kind.
func (m *measure) askEpisodes(kind EpisodeKind) {
	all := float64(len(m.byKind[kind]))
	if all == 0 {
		return
	}
	said := &m.spoken[kind]
	said.find(m.words, &m.inSpoken[kind], &m.episodes, asked, m.spokenIn(kind))
	m.like[kind] = append(m.like[kind], said.hit...)
	m.through.reset(&m.episodes)
	if kind == CommitEpisode {
		m.askPathsOfCommits()
	}
	var found, through [mostWords]float64
	for _, n := range m.like[kind] {
		says := said.mask(n)
		eachBit(says, func(w int) { found[w]++ })
		eachBit(m.through.mask(n)&^says, func(w int) { through[w]++ })
	}
	said.atLeast(&found)
	for w := range m.words {
		found[w] = min(all, found[w]+through[w]*m.pathsOf.rest(w))
	}
	length := float64(m.texts[kind].words)
	if kind == CommitEpisode {
		length += pathShare * float64(m.texts[kind].pathWords)
	}
	rare, whole := m.rarities(all, &found), m.rarest(all)
	for _, n := range m.like[kind] {
		*m.nearBy.place(m.episodes.seat(n)) = m.resemblance(n, said.mask(n), m.through.mask(n), length/all, &rare) / whole
	}
	if kind == CommitEpisode {
		for _, n := range m.like[kind] {
			m.closest = max(m.closest, m.near(n))
		}
	}
	m.askHistory(kind)
	m.vote(kind)
	if kind == CommitEpisode {
		m.askPhrases()
		m.askScope()
	}
}

// askPathsOfCommits finds the commits on files whose paths have words of the question.
func (m *measure) askPathsOfCommits() {
	said := &m.spoken[CommitEpisode]
	of := make([][]uint32, len(m.pathsOf.hit))
	for i, f := range m.pathsOf.hit {
		of[i] = m.Of(FileNo(f))
	}
	most := level(of, askedThrough)
	for i, f := range m.pathsOf.hit {
		mask := m.pathsOf.mask(f)
		for _, n := range of[i][max(0, len(of[i])-most):] {
			if m.briefs[n].kind != CommitEpisode {
				continue
			}
			if said.mask(n) == 0 && m.through.mask(n) == 0 {
				m.like[CommitEpisode] = append(m.like[CommitEpisode], n)
			}
			m.through.add(n, mask)
		}
	}
}

// length is that of an episode as a text; the words of its paths count less than those of its subject.
func (b brief) length() float64 {
	if b.kind == SessionEpisode {
		return float64(b.words)
	}
	return float64(b.words) + pathShare*float64(b.pathWords)
}

// resemblance is how like the question an episode is. An old one counts less, yet never nothing.
func (m *measure) resemblance(n uint32, said, paths uint64, usual float64, rare *[mostWords]float64) float64 {
	length, sum := m.briefs[n].length(), 0.0
	eachBit(said|paths, func(w int) {
		times := float64(said>>w&1) + pathShare*float64(paths>>w&1)
		sum += rare[w] * saturated(times, length, usual, pathDiscount)
	})
	return sum * m.freshness(n)
}

// freshness is what the words of an episode keep with age.
func (m *measure) freshness(n uint32) float64 {
	return oldShare + (1-oldShare)*fade(float64(m.age(n)), textHalfLife)
}

// bond is what being changed together keeps.
func (m *measure) bond(n uint32) float64 { return fade(float64(m.age(n)), m.params.TogetherHalfLife) }

// askHistory compares the question with all that was said about a file, and about its folder.
func (m *measure) askHistory(kind EpisodeKind) {
	about := SubjectWords
	if kind == SessionEpisode {
		about = PromptWords
	}
	said := &m.said[kind]
	known, folders := float64(said.words.some), float64(said.folders.some)
	usual, usualFolder := said.words.usual(), said.folders.usual()
	whole, wholeFolder := m.rarest(known), m.rarest(folders)
	for w, episodes := range m.spoken[kind].with {
		rest := m.spoken[kind].rest(w)
		m.one.restart(&m.files)
		m.oneIn.restart(&m.dirs)
		for _, n := range episodes {
			files, fresh := m.filesOf(n), m.freshness(n)
			for i, f := range files {
				if kind == CommitEpisode || !slices.Contains(files[:i], f) {
					m.one.add(f, fresh)
				}
			}
		}
		rare := rarity(known, min(known, rest*float64(len(m.one.some))))
		for _, f := range m.one.some {
			m.terms[about].add(f, rare*saturated(m.one.of(f), float64(said.words.counts[f]), usual, historyDiscount)/whole)
		}
		if kind != CommitEpisode {
			continue
		}
		for _, f := range m.one.some {
			m.oneIn.add(m.dirOf(f), m.one.of(f))
		}
		rare = rarity(folders, min(folders, rest*float64(len(m.oneIn.some))))
		for _, d := range m.oneIn.some {
			m.folderFits.add(d, rare*saturated(m.oneIn.of(d), float64(said.folders.counts[d]), usualFolder, historyDiscount)/wholeFolder)
		}
	}
}

// vote lets the episodes most like the question speak for their files.
func (m *measure) vote(kind EpisodeKind) {
	term, most, power := NearCommits, nearCommits, nearPower
	if kind == SessionEpisode {
		term, most, power = NearSessions, nearSessions, nearSessionPower
	}
	for _, n := range m.nearest(kind, most) {
		m.speak(term, n, math.Pow(m.near(n), power))
	}
}

// speak lets an episode speak for its files: of many it says less of each.
func (m *measure) speak(term Term, n uint32, strength float64) {
	files := m.filesOf(n)
	for _, f := range files {
		m.terms[term].add(f, strength/math.Sqrt(float64(len(files))))
	}
}

// nearest returns the episodes of a kind that are most like the question.
func (m *measure) nearest(kind EpisodeKind, most int) []uint32 {
	return best(m.like[kind], most, func(a, b uint32) bool {
		if x, y := m.near(a), m.near(b); x != y {
			return x > y
		}
		return a > b
	})
}

// askPhrases looks for two words in a row: what they name together is rarer than either.
func (m *measure) askPhrases() {
	said := &m.spoken[CommitEpisode]
	all := float64(len(m.byKind[CommitEpisode]))
	for i := 1; i < len(m.words); i++ {
		var episodes []uint32
		rarer := i
		if said.all[i-1] < said.all[i] {
			rarer = i - 1
		}
		for _, n := range said.with[rarer] {
			if said.mask(n)>>(i-1)&3 == 3 && follows(m.wordsSaid(n), m.words[i-1], m.words[i]) {
				episodes = append(episodes, n)
			}
		}
		rare := rarity(all, float64(len(episodes)))
		for _, n := range episodes {
			m.speak(Phrase, n, rare/(float64(len(episodes))+phraseDamping)*m.freshness(n))
		}
	}
}

// follows reports whether b comes right after a.
func follows(words []vocab.Word, a, b vocab.Word) bool {
	i := slices.Index(words, b)
	return i > 0 && words[i-1] == a
}

// askScope looks at the latest commits that begin with the same word: in many projects it names the part at work.
func (m *measure) askScope() {
	var begin []uint32
	for _, n := range m.spoken[CommitEpisode].with[0] {
		if m.wordsSaid(n)[0] == m.words[0] {
			begin = append(begin, n)
		}
	}
	latest := best(begin, scopeWindow, func(a, b uint32) bool { return m.briefs[a].rank > m.briefs[b].rank })
	for age, n := range latest {
		m.speak(Scope, n, fade(float64(age), scopeHalfLife))
	}
}
