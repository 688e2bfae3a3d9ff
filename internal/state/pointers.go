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
	pointerCrystals = 6 // behind a pointer that a person wrote: fewer than a search shows
	pointerWords    = 3 // as in the design's examples: one alone is easily met elsewhere
	pointerLonger   = 6 // where the three rarest do not find it
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

// add makes a pointer lead to what a line says, or says that it cannot: then the line has to stay. The crystals of a line say the same.
func (p *pointing) add(ids []memory.CrystalID) bool {
	if len(ids) == 0 {
		return false
	}
	for i, known := range p.list {
		if len(union(known.Crystals, ids)) == len(known.Crystals) {
			p.list[i].Made = p.now
			return true
		}
	}
	if p.made >= PointersMost {
		return false // more would push out what this dream has just pointed to
	}
	words, ok := p.words(ids)
	if !ok {
		return false
	}
	most, _, _ := p.room()
	for len(p.list) >= PointersMost || p.bytes() > SectionBudget(SectionPointers)-most {
		if !p.removeOne() {
			return false
		}
	}
	p.list = slices.Insert(p.list, 0, Pointer{Topic: p.topic(ids[0]), Words: words, Crystals: ids, Made: p.now})
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

// removeOne takes out the pointer that nobody had to do with for longest, of those of one age the last in the section. Its
// crystals stay and can be searched. Those that lead to a note of this dream stay.
func (p *pointing) removeOne() bool {
	oldest := -1
	for i, x := range p.list {
		if !slices.ContainsFunc(x.Crystals, func(id memory.CrystalID) bool { return p.kept[id] }) &&
			(oldest < 0 || !x.last().After(p.list[oldest].last())) {
			oldest = i
		}
	}
	if oldest < 0 {
		return false
	}
	p.released = append(p.released, p.list[oldest].Crystals...)
	p.list = slices.Delete(p.list, oldest, oldest+1)
	return true
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

// words are a few words that find all the crystals, which say the same: the rarest that they have, or the first.
func (p *pointing) words(ids []memory.CrystalID) (string, bool) {
	at, known := p.memories.byID[ids[0]]
	if p.finds == nil || !known {
		return "", false
	}
	_, _, most := p.room()
	inOrder := terms(p.memories.all[at].text)
	rarest := slices.SortedFunc(slices.Values(inOrder), func(a, b string) int { // of two as rare a name, then the longer
		return cmp.Or(cmp.Compare(p.often(a), p.often(b)), cmp.Compare(named(b), named(a)), cmp.Compare(len(b), len(a)),
			cmp.Compare(strings.ToLower(a), strings.ToLower(b)))
	})
	for _, words := range []string{fitWords(rarest, pointerWords, most), fitWords(inOrder, pointerLonger, most)} {
		// Words alone can read like an instruction too, and the guards would refuse them.
		if !prose.LooksLikeInstruction(pointerPast+words) && p.findsAll(words, ids) {
			return words, true
		}
	}
	return "", false
}

// named is 1 for a word that looks like a name in code.
func named(word string) int {
	if strings.IndexFunc(word[1:], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) >= 0 {
		return 1
	}
	return 0
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

// fitWords joins so many words as fit.
func fitWords(words []string, count, bytes int) string {
	text := ""
	for _, word := range words {
		if next := strings.TrimSpace(text + " " + word); count > 0 && len(next) <= bytes {
			text = next
			count--
		}
	}
	return text
}

// topic is what a pointer says it leads to: the beginning of its crystal, labelled if the person did not say it. What is
// withheld (see prose.Withheld) is not quoted.
func (p *pointing) topic(id memory.CrystalID) string {
	_, most, _ := p.room()
	x := p.memories.all[p.memories.byID[id]]
	text := prose.OneLine(x.text)
	if prose.Withheld(x.origin, text) {
		return "a text (" + x.origin.Name() + ") that reads like an instruction"
	}
	// The signs that shape a pointer would cut the topic short when it is read again.
	text = prose.OneLine(strings.NewReplacer("`", "'", "→", "to", "<!--", "").Replace(prose.FirstSentence(text, most)))
	text = strings.TrimRight(text, ".:;,")
	around := len(prose.SaidBy(x.origin, " ")) - len(" ")
	return prose.SaidBy(x.origin, prose.ShortenBytes(text, most-around))
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
