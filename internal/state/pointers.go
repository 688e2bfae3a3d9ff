package state

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Pointer leads to a memory that has no line in the state: the words find it.
type Pointer struct {
	Topic   string
	Words   string
	Crystal memory.CrystalID
}

const (
	// PointersMost is how many pointers a state may have: more mean that current work was dropped.
	PointersMost = 20
	pointerPast  = "Past: "
	pointerArrow = " → search: `"
	pointerLine  = 160 // characters
	pointerFrame = len(bullet) + len(pointerPast) + len(" → search: ``")
	pointerWords = 3 // as in the source's examples: one alone is easily met elsewhere
	pointerMore  = 6 // where the three rarest do not find it
)

// String is the pointer as a line of the state.
func (p Pointer) String() string {
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
	return Pointer{Topic: topic, Words: words}, closed && strings.TrimSpace(words) != ""
}

// pointers lead to the first of a list of memories, as many as there is room for. Each is proven: its words find the memory by the search
// that agents use. Words that a line of the old state had are tried first, so that a pointer stays as it is while it leads somewhere.
func (m Material) pointers(list []placed, most, room int) (made []Pointer) {
	if m.Finds == nil {
		return nil
	}
	known := map[memory.CrystalID]string{}
	for _, item := range SplitItems(m.Old.Sections[SectionPointers]) {
		x, ok := ParsePointer(item)
		at := slices.IndexFunc(m.Told, func(t Told) bool { return t.Pointer && t.Line == lineHash(item) })
		if ok && at >= 0 {
			known[m.Told[at].Crystal] = x.Words
		}
	}
	often := map[string]int{} // how many entries have a word
	for _, e := range m.Entries {
		words := strings.Fields(normal(e.Text))
		slices.Sort(words)
		for _, word := range slices.Compact(words) {
			often[word]++
		}
	}
	tries, pieces := 0, 0
	for _, p := range list {
		if len(made) == most || tries == 2*PointersMost {
			break
		}
		if p.Kind == kindPiece {
			if pieces++; pieces > p.row.most {
				continue
			}
		}
		tries++
		x := Pointer{Crystal: p.ID, Topic: topic(p.Entry)}
		for _, words := range append([]string{known[p.ID]}, wordings(p.Text, often)...) {
			// Words alone can read like an instruction too, and the guards would refuse them.
			if words != "" && !prose.LooksLikeInstruction(pointerPast+words) && slices.Contains(m.Finds(words), p.ID) {
				x.Words = words
				break
			}
		}
		if cost := size(x.String()); x.Words != "" && cost <= room {
			made = append(made, x)
			room -= cost
		}
	}
	return made
}

// wordings are words that may find a text: the rarest that it has, of two as rare a name, then the longer; and the first.
func wordings(text string, often map[string]int) []string {
	inOrder := terms(text)
	count := func(word string) int { // one of several parts, such as the name of a file, is as rare as its rarest part
		least := math.MaxInt
		for part := range strings.FieldsSeq(normal(word)) {
			least = min(least, often[part])
		}
		return least
	}
	named := func(word string) int {
		if strings.IndexFunc(word[1:], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) >= 0 {
			return 1 // as in code
		}
		return 0
	}
	rarest := slices.SortedFunc(slices.Values(inOrder), func(a, b string) int {
		return cmp.Or(cmp.Compare(count(a), count(b)), cmp.Compare(named(b), named(a)), cmp.Compare(len(b), len(a)),
			cmp.Compare(strings.ToLower(a), strings.ToLower(b)))
	})
	const most = (pointerLine - pointerFrame) / 2
	return []string{fitWords(rarest, pointerWords, most), fitWords(inOrder, pointerMore, most)}
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

// topic is what a pointer says it leads to: the beginning of its memory, labelled if the person did not say it. What is
// withheld (see prose.Withheld) is not quoted.
func topic(e Entry) string {
	const most = (pointerLine - pointerFrame) / 2
	text := prose.OneLine(e.Text)
	if _, rest, more := strings.Cut(strings.TrimSpace(e.Text), "\n"); more && e.Kind == kindPiece { // it may begin within a line
		text = prose.OneLine(strings.TrimSpace(rest))
	}
	if !e.proven() && prose.Withheld(e.Origin, text) {
		return "a text (" + e.Origin.Name() + ") that reads like an instruction"
	}
	// The signs that shape a pointer would cut the topic short when it is read again.
	text = prose.OneLine(strings.NewReplacer("`", "'", "→", "to", "<!--", "").Replace(prose.FirstSentence(text, most)))
	text = strings.TrimRight(text, ".:;,")
	around := len(prose.SaidBy(e.Origin, " ")) - len(" ")
	return prose.SaidBy(e.Origin, prose.ShortenBytes(text, most-around))
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
		if utf8.RuneCountInString(word) < 3 || len(word) > longTerm || taken[lower] || slices.Contains(common, lower) {
			continue
		}
		taken[lower] = true
		list = append(list, word)
	}
	return list
}

const (
	unspaced = 4  // signs of a script without blanks that make a term
	longTerm = 32 // the longest word that is worth its room: beyond it stand hashes and addresses
)

// common are words that find everything.
var common = strings.Fields(`about after again all also always and any are because been before being but can could did does done every for from
	had has have her here his how into its just like made make more most must never new not now off old one only our out over she should some
	such than that the their them then there these they this those two use used user very was were what when where which while who why will
	with would you your`)
