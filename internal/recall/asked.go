package recall

import (
	"math"
	"math/bits"
	"path"
	"slices"
	"strings"
	"unicode"
)

// askNames looks for files that the question names: parser.go, or src/parser.go, not a word that happens to be one.
func (m *measure) askNames(text string) {
	named := 0
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("`\"'()[]{}<>,;@", r) }) {
		word = strings.TrimPrefix(strings.TrimRight(word, ".:!?"), "./")
		if !strings.ContainsAny(word, "./") || named == mostWords {
			continue
		}
		named++
		base := hash(path.Base(word))
		for i := range m.files {
			f := &m.files[i]
			if f.base == base && (f.Path == word || strings.HasSuffix(f.Path, "/"+word)) {
				m.terms[Named].raise(FileNo(i), float64(1+strings.Count(word, "/")))
			}
		}
	}
}

// askPaths compares the question with paths and names.
func (m *measure) askPaths() {
	lex := newLexicon(m.words)
	m.inPath, m.inNames = grown(m.inPath, len(m.files)), grown(m.inNames, len(m.files))
	var found [mostWords]float64
	var alive, length float64
	nameShare := m.rules.NameShare
	for i := range m.files {
		f := &m.files[i]
		m.inPath[i], m.inNames[i] = lex.mask(f.Words), lex.mask(f.Names)
		if f.Gone {
			continue
		}
		alive++
		length += float64(len(f.Words)) + nameShare*float64(len(f.Names))
		eachBit(m.inPath[i]|m.inNames[i], func(w int) { found[w]++ })
	}
	usual := length / max(alive, 1)
	whole := m.rarest(alive)
	rare := m.rarities(alive, &found)
	for i := range m.files {
		f := &m.files[i]
		if f.Gone || m.inPath[i]|m.inNames[i] == 0 {
			continue
		}
		length := float64(len(f.Words)) + nameShare*float64(len(f.Names))
		sum := 0.0
		eachBit(m.inPath[i]|m.inNames[i], func(w int) {
			times := float64(m.inPath[i]>>w&1) + nameShare*float64(m.inNames[i]>>w&1)
			sum += rare[w] * saturated(times, length, usual, m.rules.PathLength, m.rules)
		})
		m.terms[PathWords].add(FileNo(i), sum/whole)
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

// extended makes a list of zeros as long as it must be, in one step: a fresh process has only one question.
func extended[T any](s []T, n int) []T {
	if len(s) < n {
		s = append(s, make([]T, n-len(s))...)
	}
	return s
}

func grown[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// askEpisodes compares the question with the words of past work of a kind.
func (m *measure) askEpisodes(kind EpisodeKind) {
	order := m.byKind[kind]
	if len(order) == 0 {
		return
	}
	lex := newLexicon(m.words)
	m.asked, m.near = grown(m.asked, len(m.episodes)), grown(m.near, len(m.episodes))
	var foundAny [mostWords]float64
	with := make([][]uint32, len(m.words))
	var length float64
	paths := make([]uint64, len(order))
	for i, n := range order {
		e := &m.episodes[n]
		said := lex.mask(e.Words)
		m.asked[n] = said
		if kind == CommitEpisode {
			for _, f := range e.Files {
				paths[i] |= m.inPath[f]
			}
		}
		length += m.textLength(e)
		eachBit(said, func(w int) { with[w] = append(with[w], n) })
		eachBit(said|paths[i], func(w int) { foundAny[w]++ })
	}
	all := float64(len(order))
	usual, rare := length/all, m.rarities(all, &foundAny)
	whole := m.rarest(all)
	for i, n := range order {
		m.near[n] = m.resemblance(n, paths[i], usual, &rare) / whole
	}
	m.askHistory(kind, with)
	m.vote(kind, order)
	if kind == CommitEpisode {
		m.askPhrases(order, lex)
		m.askScope(order)
	}
}

// textLength is the length of an episode as a text; the words of its paths count less than those of its subject.
func (m *measure) textLength(e *Episode) float64 {
	if e.Kind == SessionEpisode {
		return float64(len(e.Words))
	}
	return float64(len(e.Words)) + m.rules.PathShare*float64(e.PathWords)
}

// resemblance is how like the question an episode is. An old one counts less, yet never nothing.
func (m *measure) resemblance(n uint32, paths uint64, usual float64, rare *[mostWords]float64) float64 {
	if m.asked[n]|paths == 0 {
		return 0
	}
	e := &m.episodes[n]
	length, sum := m.textLength(e), 0.0
	eachBit(m.asked[n]|paths, func(w int) {
		times := float64(m.asked[n]>>w&1) + m.rules.PathShare*float64(paths>>w&1)
		sum += rare[w] * saturated(times, length, usual, m.rules.PathLength, m.rules)
	})
	return sum * m.freshness(e)
}

func (m *measure) freshness(e *Episode) float64 { return m.fresh[m.age(e)] }

// askHistory compares the question with all that was said about a file, and about its folder.
func (m *measure) askHistory(kind EpisodeKind, with [][]uint32) {
	about := SubjectWords
	if kind == SessionEpisode {
		about = PromptWords
	}
	lengths, known := m.said[kind].words, m.said[kind].files
	usual := m.said[kind].total / max(known, 1)
	folders := make([]float64, len(m.dirs))
	folderLength := make([]float64, len(m.dirs))
	folderTimes := make([]float64, len(m.dirs))
	var folderKnown, folderTotal float64
	for i, l := range lengths {
		folderLength[m.files[i].dir] += l
		folderTotal += l
	}
	for _, l := range folderLength {
		if l > 0 {
			folderKnown++
		}
	}
	whole, folderWhole := m.rarest(known), m.rarest(folderKnown)
	for _, episodes := range with {
		m.one.reset(len(m.files))
		for _, n := range episodes {
			e := &m.episodes[n]
			for i, f := range e.Files {
				if kind == CommitEpisode || !slices.Contains(e.Files[:i], f) {
					m.one.add(f, m.freshness(e))
				}
			}
		}
		rare := rarity(known, float64(len(m.one.files)))
		for _, f := range m.one.files {
			times := m.one.value[f]
			m.terms[about].add(f, rare*saturated(times, lengths[f], usual, m.rules.HistoryLength, m.rules)/whole)
			folderTimes[m.files[f].dir] += times
		}
		if kind != CommitEpisode {
			continue
		}
		told := 0.0
		for _, t := range folderTimes {
			if t > 0 {
				told++
			}
		}
		rare = rarity(folderKnown, told)
		for d, times := range folderTimes {
			if times > 0 {
				folders[d] += rare * saturated(times, folderLength[d], folderTotal/folderKnown, m.rules.HistoryLength, m.rules) / folderWhole
				folderTimes[d] = 0
			}
		}
	}
	if kind != CommitEpisode {
		return
	}
	for d, v := range folders {
		if v > 0 {
			for _, f := range m.dirs[d].files {
				m.terms[FolderWords].add(f, v)
			}
		}
	}
}

// vote lets the episodes most like the question speak for their files.
func (m *measure) vote(kind EpisodeKind, order []uint32) {
	term, most, power := NearCommits, int(m.rules.NearCommits), m.rules.NearPower
	if kind == SessionEpisode {
		term, most, power = NearSessions, int(m.rules.NearSessions), m.rules.NearSessionPower
	}
	var like []uint32
	for _, n := range order {
		if m.near[n] > 0 {
			like = append(like, n)
		}
	}
	nearest := best(like, most, func(a, b uint32) bool {
		if m.near[a] != m.near[b] {
			return m.near[a] > m.near[b]
		}
		return a > b
	})
	for _, n := range nearest {
		e := &m.episodes[n]
		share := math.Pow(m.near[n], power) / math.Sqrt(float64(len(e.Files)))
		for _, f := range e.Files {
			m.terms[term].add(f, share)
		}
	}
}

// askPhrases looks for two words in a row: what they name together is rarer than either.
func (m *measure) askPhrases(order []uint32, lex *lexicon) {
	with := make(map[uint64][]uint32, len(m.words))
	for i := 1; i < len(m.words); i++ {
		with[pair(m.words[i-1], m.words[i])] = nil
	}
	for _, n := range order {
		if bits.OnesCount64(m.asked[n]) < 2 {
			continue
		}
		words := m.episodes[n].Words
		for i := 1; i < len(words); i++ {
			if !lex.may(words[i-1]) || !lex.may(words[i]) {
				continue
			}
			p := pair(words[i-1], words[i])
			if list, asked := with[p]; asked {
				with[p] = append(list, n)
			}
		}
	}
	for i := 1; i < len(m.words); i++ {
		episodes := with[pair(m.words[i-1], m.words[i])]
		rare := rarity(float64(len(order)), float64(len(episodes)))
		for _, n := range episodes {
			e := &m.episodes[n]
			share := rare / (float64(len(episodes)) + m.rules.PhraseDamping) * m.freshness(e) / math.Sqrt(float64(len(e.Files)))
			for _, f := range e.Files {
				m.terms[Phrase].add(f, share)
			}
		}
	}
}

// askScope looks at the latest commits that begin with the same word: in many projects it names the part at work.
func (m *measure) askScope(order []uint32) {
	age := 0.0
	for i := len(order) - 1; i >= 0 && age < m.rules.ScopeWindow; i-- {
		e := &m.episodes[order[i]]
		if len(e.Words) == 0 || e.Words[0] != m.words[0] {
			continue
		}
		share := fade(age, m.rules.ScopeHalfLife) / math.Sqrt(float64(len(e.Files)))
		for _, f := range e.Files {
			m.terms[Scope].add(f, share)
		}
		age++
	}
}
