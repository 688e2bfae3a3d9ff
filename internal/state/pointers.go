package state

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Pointer leads to memories that no longer stand in the state: the words find them.
type Pointer struct {
	Topic    string
	Words    string
	Crystals []memory.CrystalID
	Made     time.Time
	Used     time.Time // when somebody last searched with its words; zero: never

	line string // as it stands in the state, if it does; people may have worded it otherwise
}

const (
	pointerPast  = "Past: "
	pointerArrow = " → search: `"
	pointerMore  = " and more"
	pointerFrame = len(bullet) + len(pointerPast) + len(pointerArrow) + len("`\n")
)

// String is the pointer as a line of the state.
func (p Pointer) String() string {
	if p.line != "" {
		return p.line
	}
	return bullet + pointerPast + p.Topic + pointerArrow + p.Words + "`"
}

// ParsePointer reads a line of the state.
func ParsePointer(text string) (Pointer, bool) {
	text = strings.Trim(text, "\n")
	inner, ok := strings.CutPrefix(prose.OneLine(text), bullet)
	topic, target, arrow := strings.Cut(inner, "→")
	words, search := strings.CutPrefix(strings.TrimSpace(target), "search:")
	words = strings.TrimSpace(words)
	if !ok || !arrow || !search || strings.Contains(text, "\n") || len(words) < 3 || words[0] != '`' {
		return Pointer{}, false
	}
	words, _, closed := strings.Cut(words[1:], "`")
	topic = strings.TrimSpace(strings.TrimPrefix(topic, pointerPast))
	return Pointer{Topic: topic, Words: words, line: text}, closed && strings.TrimSpace(words) != ""
}

// last is when somebody last had to do with a pointer.
func (p Pointer) last() time.Time {
	if p.Used.After(p.Made) {
		return p.Used
	}
	return p.Made
}

const (
	pointerCrystals = 6 // behind one pointer, all of which its words must find: fewer than a search shows
	pointerWords    = 6 // three in the design's examples; two topics that share one need more
)

// pointing keeps the pointers of a state while it is being made.
type pointing struct {
	memories  *memories
	finds     func(string) []memory.CrystalID
	found     map[string]map[memory.CrystalID]bool // by words
	frequency map[string]int                       // how often a word is met in all crystals; made when it is needed
	list      []Pointer
	kept      map[memory.CrystalID]bool // notes of this dream, which must stay pointed to
	released  []memory.CrystalID
	made      int
	now       time.Time
}

// search is what the words find, nil if that cannot be said. One wording is asked for once.
func (p *pointing) search(words string) map[memory.CrystalID]bool {
	if p.finds == nil || strings.TrimSpace(words) == "" {
		return nil
	}
	set, ok := p.found[words]
	if !ok {
		if ids := p.finds(words); ids != nil {
			set = map[memory.CrystalID]bool{}
			for _, id := range ids {
				set[id] = true
			}
		}
		p.found[words] = set
	}
	return set
}

func (p *pointing) findsAll(words string, ids []memory.CrystalID) bool {
	set := p.search(words)
	for _, id := range ids {
		if !set[id] {
			return false
		}
	}
	return len(ids) > 0
}

// room is how many bytes a line, its topic and its words may have, so that as many as are allowed fit into their section.
func (p *pointing) room() (whole, topic, words int) {
	whole = SectionBudget(SectionPointers) / max(1, PointersMost)
	rest := max(2, whole-pointerFrame)
	return whole, rest / 2, rest - rest/2
}

// add makes pointers lead to the crystals of a topic, or says that it cannot: then the text has to stay.
func (p *pointing) add(lines []line) bool {
	var ids []memory.CrystalID
	for _, l := range lines {
		for _, id := range l.crystals {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 || len(ids) > pointerCrystals {
		return false
	}
	for i, known := range p.list {
		all := union(known.Crystals, ids)
		if len(all) <= pointerCrystals && p.findsAll(known.Words, all) {
			p.list[i].Crystals, p.list[i].Made = all, p.now
			return true
		}
	}
	if p.made >= PointersMost {
		return false // more would push out what this dream has just pointed to
	}
	words, ok := p.words(ids, nil)
	if !ok {
		return false
	}
	most, _, _ := p.room()
	for len(p.list) >= PointersMost || p.bytes() > SectionBudget(SectionPointers)-most {
		if !p.removeOne() {
			return false
		}
	}
	p.list = slices.Insert(p.list, 0, Pointer{Topic: p.topic(ids), Words: words, Crystals: ids, Made: p.now})
	p.made++
	return true
}

func (p *pointing) bytes() int {
	n := 0
	for _, x := range p.list {
		n += len(x.String()) + len("\n")
	}
	return n
}

// removeOne makes one pointer less of them. The one that nobody had to do with for longest goes if the words of another find
// its crystals; else two become one, if there are words that find both, and best two that lead to little; else it leaves,
// and what it led to is released.
func (p *pointing) removeOne() bool {
	order := make([]int, len(p.list))
	for i := range order {
		order[i] = i
	}
	// Of those of one age the one that stands last in the section.
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(p.list[a].last().Compare(p.list[b].last()), cmp.Compare(b, a))
	})
	for _, i := range order {
		for _, j := range order {
			if i == j || !p.findsAll(p.list[j].Words, p.list[i].Crystals) {
				continue
			}
			all := union(p.list[j].Crystals, p.list[i].Crystals)
			if len(all) > pointerCrystals && p.keeps(p.list[i].Crystals) {
				continue
			}
			fit := min(len(all), pointerCrystals)
			p.list[j].Crystals, p.released = all[:fit], append(p.released, all[fit:]...)
			p.list = slices.Delete(p.list, i, i+1)
			return true
		}
	}
	const most = 16 // pairs that are tried; each is a search or a few
	for _, whole := range []bool{true, false} {
		tries := 0
		for _, i := range order {
			others := slices.DeleteFunc(slices.Clone(order), func(j int) bool { return j == i })
			slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(p.alike(i, b), p.alike(i, a)) })
			for _, j := range others {
				if fits := len(union(p.list[i].Crystals, p.list[j].Crystals)) <= pointerCrystals; fits != whole || tries == most {
					continue
				}
				tries++
				if p.merge(i, j) {
					return true
				}
			}
		}
	}
	for _, i := range order {
		if !p.keeps(p.list[i].Crystals) {
			p.released = append(p.released, p.list[i].Crystals...)
			p.list = slices.Delete(p.list, i, i+1)
			return true
		}
	}
	return false
}

func (p *pointing) keeps(ids []memory.CrystalID) bool {
	return slices.ContainsFunc(ids, func(id memory.CrystalID) bool { return p.kept[id] })
}

// alike is how much two pointers have in common.
func (p *pointing) alike(i, j int) float64 {
	a, b := p.list[i], p.list[j]
	return prose.KeptWords(a.Topic+" "+a.Words, b.Topic+" "+b.Words)
}

// merge makes one pointer of two, if words are found that lead to both.
func (p *pointing) merge(i, j int) bool {
	a, b := p.list[i], p.list[j]
	if b.last().Before(a.last()) || b.last().Equal(a.last()) && j > i {
		a, b = b, a
	}
	// b is the newer one. Notes of this dream stay, and of both sides as much as there is room for.
	ids := slices.Concat(a.Crystals, b.Crystals)
	var first, rest []memory.CrystalID
	for _, id := range ids {
		if p.kept[id] && !slices.Contains(first, id) {
			first = append(first, id)
		}
	}
	if len(first) > pointerCrystals {
		return false
	}
	for k := range max(len(a.Crystals), len(b.Crystals)) {
		for _, side := range [][]memory.CrystalID{b.Crystals, a.Crystals} {
			if k < len(side) && !slices.Contains(first, side[k]) && !slices.Contains(rest, side[k]) {
				rest = append(rest, side[k])
			}
		}
	}
	room := pointerCrystals - len(first)
	for _, keep := range []int{room, 2} {
		keep = min(keep, room, len(rest))
		all := slices.Concat(first, rest[:keep])
		words, ok := p.words(all, []Pointer{a, b})
		if !ok {
			continue
		}
		p.released = append(p.released, rest[keep:]...)
		_, most, _ := p.room()
		topic := b.Topic + "; " + a.Topic
		if len(topic) > most {
			topic = prose.ShortenBytes(strings.TrimSuffix(b.Topic, pointerMore), most-len(pointerMore)-len("”"))
			if strings.Count(topic, "“") > strings.Count(topic, "”") {
				topic += "”" // the cut took it away
			}
			topic += pointerMore
		}
		merged := Pointer{Topic: topic, Words: words, Crystals: all, Made: b.Made, Used: b.Used}
		at := min(i, j)
		p.list = slices.Delete(p.list, max(i, j), max(i, j)+1)
		p.list[at] = merged
		return true
	}
	return false
}

func union(a, b []memory.CrystalID) []memory.CrystalID {
	all := slices.Clone(a)
	for _, id := range b {
		if !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}

// words finds a few words that find all the crystals: the rarest that they have, first one for each of them and then more,
// at last the beginning of what the first one says. The words of former pointers stand for crystals whose text is not at
// hand.
func (p *pointing) words(ids []memory.CrystalID, former []Pointer) (string, bool) {
	if p.finds == nil {
		return "", false
	}
	texts := make([][]string, len(ids))
	for i, id := range ids {
		text := ""
		if at, ok := p.memories.byID[id]; ok {
			text = p.memories.all[at].text
		} else {
			for _, pointer := range former {
				if slices.Contains(pointer.Crystals, id) {
					text = pointer.Words
				}
			}
		}
		texts[i] = terms(text)
	}
	_, _, most := p.room()
	wordings := []string{
		p.choose(texts, 1, most), p.choose(texts, 2, most), p.choose(texts, 3, most), fitWords(texts[0], pointerWords, most),
	}
	for i, words := range wordings {
		// Words alone can read like an instruction too, and the guards would refuse them.
		if !slices.Contains(wordings[:i], words) && !prose.LooksLikeInstruction(pointerPast+words) && p.findsAll(words, ids) {
			return words, true
		}
	}
	return "", false
}

// choose takes words of each text, the rarest first; one that several texts have counts for all of them.
func (p *pointing) choose(texts [][]string, each, most int) string {
	const least = 3 // words, as long as the texts have them: one alone is easily met elsewhere
	has := map[string]int{}
	for _, text := range texts {
		for _, word := range text {
			has[strings.ToLower(word)]++
		}
	}
	in := func(text []string, word string) bool {
		return slices.ContainsFunc(text, func(other string) bool { return strings.EqualFold(other, word) })
	}
	var chosen []string
	counts := make([]int, len(texts))
	take := func(i int) bool {
		best := ""
		for _, word := range texts[i] {
			longer := strings.TrimSpace(strings.Join(chosen, " ") + " " + word)
			if in(chosen, word) || len(chosen) >= pointerWords || len(longer) > most {
				continue
			}
			if best == "" || p.better(word, best, has) {
				best = word
			}
		}
		if best == "" {
			return false
		}
		chosen = append(chosen, best)
		for k, text := range texts {
			if in(text, best) {
				counts[k]++
			}
		}
		return true
	}
	for round := 1; round <= each; round++ {
		for i := range texts {
			if counts[i] < round {
				take(i)
			}
		}
	}
	for more := true; more && len(chosen) < least; {
		more = false
		for i := range texts {
			more = more || take(i)
		}
	}
	return strings.Join(chosen, " ")
}

// better says whether a word is more distinctive than another: texts of the topic that have it, against all that do. Of two that
// are equally distinctive a name comes first, then the longer one, then the first in the alphabet.
func (p *pointing) better(a, b string, has map[string]int) bool {
	la, lb := strings.ToLower(a), strings.ToLower(b)
	share := func(word string) float64 { return float64(has[word]) / float64(max(1, p.often(word))) }
	named := func(word string) int {
		if strings.IndexFunc(word[1:], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) >= 0 {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(share(lb), share(la)), cmp.Compare(has[lb], has[la]), cmp.Compare(named(b), named(a)),
		cmp.Compare(len(b), len(a)), cmp.Compare(la, lb),
	) < 0
}

// often is how often a word is met; one of several parts, such as the name of a file, as often as its rarest part.
func (p *pointing) often(word string) int {
	if p.frequency == nil {
		p.frequency = map[string]int{}
		for _, x := range p.memories.all {
			for w := range strings.FieldsSeq(x.normal) {
				p.frequency[w]++
			}
		}
	}
	least := math.MaxInt
	for part := range strings.FieldsSeq(normal(word)) {
		least = min(least, p.frequency[part])
	}
	return least
}

// fitWords joins words as long as they fit.
func fitWords(words []string, count, bytes int) string {
	text := ""
	for i, word := range words {
		next := strings.TrimSpace(text + " " + word)
		if i >= count || len(next) > bytes {
			break
		}
		text = next
	}
	return text
}

// topic is what a pointer says it leads to: the beginning of its first crystal, labelled if the person did not say it. What is
// withheld (see prose.Withheld) is not quoted.
func (p *pointing) topic(ids []memory.CrystalID) string {
	_, most, _ := p.room()
	at, ok := p.memories.byID[ids[0]]
	if !ok {
		return "older memories"
	}
	x := p.memories.all[at]
	text := prose.OneLine(x.text)
	if prose.Withheld(x.origin, text) {
		return "a text (" + x.origin.Name() + ") that reads like an instruction"
	}
	// The signs that shape a pointer would cut the topic short when it is read again.
	text = prose.OneLine(strings.NewReplacer("`", "'", "→", "to", "<!--", "").Replace(prose.FirstSentence(text, most)))
	text = strings.TrimRight(text, ".:;,")
	more := ""
	if len(ids) > 1 {
		more = pointerMore
	}
	around := len(prose.SaidBy(x.origin, " ")) - len(" ")
	return prose.SaidBy(x.origin, prose.ShortenBytes(text, most-len(more)-around)) + more
}

// terms are the words of a text that are worth searching with, each once, as they are written there.
func terms(text string) []string {
	var list []string
	taken := map[string]bool{}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./", r)
	}) {
		word = strings.Trim(word, "_-./")
		scripts := []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai}
		if runes := []rune(word); len(runes) > unspaced && unicode.In(runes[0], scripts...) {
			word = string(runes[:unspaced])
		}
		lower := strings.ToLower(word)
		if utf8.RuneCountInString(word) < 3 || len(word) > longTerm || taken[lower] || slices.Contains(common[:], lower) {
			continue
		}
		taken[lower] = true
		list = append(list, word)
	}
	return list
}

// unspaced is how many signs of a script without blanks make a term.
const unspaced = 4

// longTerm is the longest word that is worth its room: beyond it stand hashes and addresses.
const longTerm = 32

// common are words that find everything.
var common = [...]string{
	"about", "after", "again", "all", "also", "always", "and", "any", "are", "because", "been", "before", "being",
	"but", "can", "could", "did", "does", "done", "every", "for", "from", "had", "has", "have", "her", "here", "his",
	"how", "into", "its", "just", "like", "made", "make", "more", "most", "must", "never", "new", "not", "now", "off",
	"old", "one", "only", "our", "out", "over", "she", "should", "some", "such", "than", "that", "the", "their", "them",
	"then", "there", "these", "they", "this", "those", "two", "use", "used", "user", "very", "was", "were", "what",
	"when", "where", "which", "while", "who", "why", "will", "with", "would", "you", "your",
}
