package recall

import (
	"math"
	"math/bits"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Question is what the work looks like now.
type Question struct {
	Text   string
	Open   []FileNo // files the work has touched, latest first
	Banned []FileNo // never an answer
	Links  []Link   // what the open files are wired to
	At     time.Time
	// InSession asks for the next file a session opens; otherwise for all that a change will touch.
	InSession bool
}

// Link is a learned connection out of an open file.
type Link struct {
	From, To FileNo
	Strength float64
}

// tally adds up figures for few of many files.
type tally struct {
	value []float64
	files []FileNo // those with a figure
}

func (t *tally) reset(n int) {
	for _, f := range t.files {
		t.value[f] = 0
	}
	t.files = t.files[:0]
	t.value = extended(t.value, n)
}

func (t *tally) add(f FileNo, v float64) {
	if v <= 0 {
		return
	}
	if t.value[f] == 0 {
		t.files = append(t.files, f)
	}
	t.value[f] += v
}

func (t *tally) raise(f FileNo, v float64) {
	if v > t.value[f] {
		if t.value[f] == 0 {
			t.files = append(t.files, f)
		}
		t.value[f] = v
	}
}

// measure takes the figures of every term for one question. It is reused: its buffers are as long as the image.
type measure struct {
	*Image
	rules   Rules
	terms   [numTerms]tally
	one     tally    // figures of one word
	words   []Word   // of the question
	inPath  []uint64 // per file, which words of the question its path has
	inNames []uint64
	asked   []uint64  // per episode, which words of the question it has
	near    []float64 // per episode, how like the question it is
	seen    []bool    // per episode
	fresh   faded     // what words keep with age
	old     faded     // what being changed together keeps
}

func (m *measure) take(q Question) {
	for t := range m.terms {
		m.terms[t].reset(len(m.files))
	}
	m.one.reset(len(m.files))
	t := m.rules
	m.old.upTo(len(m.episodes), func(age float64) float64 { return fade(age, t.TogetherHalfLife) })
	m.fresh.upTo(len(m.episodes), func(age float64) float64 { return t.OldShare + (1-t.OldShare)*fade(age, t.TextHalfLife) })
	m.past(q)
	if m.words = askedWords(q.Text); len(m.words) > 0 {
		m.askNames(q.Text)
		m.askPaths()
		m.askEpisodes(CommitEpisode)
		m.askEpisodes(SessionEpisode)
	}
	for i, f := range q.Open {
		m.company(f, m.rules.openFactor(i))
	}
	for _, l := range q.Links {
		m.terms[Wired].add(l.To, l.Strength)
	}
}

// mostWords is what fits into a mask. A longer question is mostly pasted text.
const mostWords = 64

func askedWords(text string) []Word {
	words := Terms(text)
	return words[:min(len(words), mostWords)]
}

// past takes what needs no question: what was done of late, and how often.
func (m *measure) past(q Question) {
	t := m.rules
	m.recent(CommitEpisode, t.HeatWindow, func(e *Episode, age float64) {
		heat, moment := fade(age, t.HeatHalfLife), 0.0
		if hours := q.At.Sub(e.At).Hours(); hours >= 0 && age <= t.MomentsWindow {
			moment = fade(hours, t.MomentsHalfLife) / math.Sqrt(float64(max(1, len(e.Files))))
		}
		for _, f := range e.Files {
			m.terms[Heat].add(f, heat)
			m.terms[Recency].raise(f, 1/age)
			m.terms[Moments].add(f, moment)
		}
	})
	m.recent(SessionEpisode, t.HeatWindow, func(e *Episode, age float64) {
		heat := fade(age, t.OpenedHalfLife)
		for i, f := range e.Files {
			if !slices.Contains(e.Files[:i], f) {
				m.terms[OpenedHeat].add(f, heat)
				m.terms[OpenedRecency].raise(f, 1/age)
			}
		}
	})
}

// recent hands over the latest episodes of a kind, oldest first.
func (m *measure) recent(kind EpisodeKind, most float64, each func(e *Episode, age float64)) {
	order := m.byKind[kind]
	for i := max(0, len(order)-int(most)); i < len(order); i++ {
		e := &m.episodes[order[i]]
		each(e, float64(len(order)-i))
	}
}

// fade halves with every half-life.
func fade(age, halfLife float64) float64 { return math.Exp2(-age / halfLife) }

// faded holds what is left at each age, for ages that are asked for thousands of times.
type faded []float64

// upTo makes sure that ages up to the oldest are there.
func (f *faded) upTo(oldest int, left func(age float64) float64) {
	for age := len(*f); age <= oldest; age++ {
		*f = append(*f, left(float64(age)))
	}
}

// lexicon finds the words of a question, mostly by saying at once that a word is none of them.
type lexicon struct {
	seen [64]uint64
	bit  map[Word]int
}

func newLexicon(words []Word) *lexicon {
	l := &lexicon{bit: make(map[Word]int, len(words))}
	for i, w := range words {
		l.bit[w] = i
		l.seen[w>>6&63] |= 1 << (w & 63)
	}
	return l
}

// may is true for every word of the question, and for few others.
func (l *lexicon) may(w Word) bool { return l.seen[w>>6&63]>>(w&63)&1 != 0 }

func (l *lexicon) mask(words []Word) (mask uint64) {
	for _, w := range words {
		if !l.may(w) {
			continue
		}
		if i, ok := l.bit[w]; ok {
			mask |= 1 << i
		}
	}
	return mask
}

// eachBit yields the positions of the bits set.
func eachBit(mask uint64, do func(i int)) {
	for ; mask != 0; mask &= mask - 1 {
		do(bits.TrailingZeros64(mask))
	}
}

// rarity is how much a word tells that stands in found of all texts.
func rarity(all, found float64) float64 {
	if found == 0 {
		return 0
	}
	return math.Log(1 + (all-found+.5)/(found+.5))
}

// saturated is a word's weight in a text: more of it tells ever less, and it tells less in a long text.
func saturated(times, length, usual, lengthShare float64, t Rules) float64 {
	return times * (t.Saturation + 1) / (times + t.Saturation*(1-lengthShare+lengthShare*length/max(usual, 1)))
}

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
	var found, foundAny [mostWords]float64
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
		eachBit(said, func(w int) { found[w]++; with[w] = append(with[w], n) })
		eachBit(said|paths[i], func(w int) { foundAny[w]++ })
	}
	all := float64(len(order))
	usual, rare := length/all, m.rarities(all, &foundAny)
	whole := m.rarest(all)
	for i, n := range order {
		m.near[n] = m.resemblance(n, paths[i], usual, &rare) / whole
	}
	m.askHistory(kind, with, &found)
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
func (m *measure) askHistory(kind EpisodeKind, with [][]uint32, found *[mostWords]float64) {
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

// company takes what an open file was changed and opened with. factor is its share among the open files.
func (m *measure) company(open FileNo, factor float64) {
	var commits, sessions []uint32
	for _, n := range m.byFile[open] {
		if m.episodes[n].Kind == CommitEpisode {
			commits = append(commits, n)
		} else {
			sessions = append(sessions, n)
		}
	}
	m.changedWith(open, commits, factor)
	m.changedAlongside(open, commits, factor)
	m.openedWith(open, sessions, factor)
	m.folderCompany(open, factor)
	m.likePlaces(open, factor)
}

func (m *measure) changedWith(open FileNo, commits []uint32, factor float64) {
	t := m.rules
	times := float64(len(commits))
	nearest := 0.0
	if len(m.words) > 0 {
		for _, n := range m.byKind[CommitEpisode] {
			nearest = max(nearest, m.near[n])
		}
	}
	for i, n := range commits {
		e := &m.episodes[n]
		if len(e.Files) < 2 {
			continue
		}
		others := math.Pow(float64(len(e.Files)-1), t.SizePower)
		old := m.old[m.age(e)]
		latest := fade(times-1-float64(i), t.LastHalfLife) / math.Sqrt(others)
		like := 0.0
		if nearest > 0 {
			like = m.near[n] / nearest
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

// changedAlongside looks at the commits next to those of an open file: work is often cut into several.
func (m *measure) changedAlongside(open FileNo, commits []uint32, factor float64) {
	t := m.rules
	order := m.byKind[CommitEpisode]
	reach := int(t.AlongsideReach)
	for _, n := range commits {
		e := &m.episodes[n]
		for d := -reach; d <= reach; d++ {
			at := e.rank + d
			if d == 0 || at < 0 || at >= len(order) {
				continue
			}
			o := &m.episodes[order[at]]
			if o.At.Sub(e.At).Abs() > t.AlongsideWithin {
				continue
			}
			share := factor * fade(math.Abs(float64(d)), 1) * m.old[m.age(e)] /
				math.Sqrt(float64(max(1, len(o.Files)))*float64(len(commits)))
			for _, f := range o.Files {
				if f != open {
					m.terms[Alongside].add(f, share)
				}
			}
		}
	}
}

// openedWith looks at the stretches of sessions that had the open file, and at what came after it in them.
func (m *measure) openedWith(open FileNo, sessions []uint32, factor float64) {
	t := m.rules
	times := float64(len(sessions))
	for _, n := range sessions {
		e := &m.episodes[n]
		old := fade(float64(m.age(e)), t.OpenedHalfLife)
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
				m.terms[OpenedNext].add(f, factor*fade(float64(since), t.NextReach)/(1+times))
				since++
			}
		}
	}
}

// folderCompany looks at what the open file's folder was changed with: it knows more than a file that is new.
func (m *measure) folderCompany(open FileNo, factor float64) {
	m.seen = grown(m.seen, len(m.episodes))
	clear(m.seen)
	var commits []uint32
	for _, f := range m.dirs[m.files[open].dir].files {
		for _, n := range m.byFile[f] {
			if m.episodes[n].Kind == CommitEpisode && !m.seen[n] {
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
		share := factor * fade(float64(m.age(e)), m.rules.FolderHalfLife) / math.Pow(float64(len(e.Files)-1), m.rules.SizePower) / float64(1+len(commits))
		for _, f := range e.Files {
			if f != open {
				m.terms[FolderTogether].add(f, share)
			}
		}
	}
}

// likePlaces looks at paths: same folder, near folder, same stem.
func (m *measure) likePlaces(open FileNo, factor float64) {
	mine := &m.files[open]
	for d := range m.dirs {
		near := nearness(m.dirs[mine.dir].parts, m.dirs[d].parts)
		if d == mine.dir {
			near++
		}
		if near < m.rules.PlaceLeast {
			continue
		}
		for _, f := range m.dirs[d].files {
			m.terms[Place].add(f, factor*near)
		}
	}
	for _, f := range m.ofStem(Stem(mine.Path)) {
		m.terms[Place].add(f, factor*m.rules.StemBonus)
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
