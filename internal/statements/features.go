package statements

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Feature is something that a sentence has. Features of one group share the group's weight, so that a long sentence does not
// count for more than a short one.
type Feature struct {
	Hash  uint32
	Value float64
	Own   bool // of the sentence's words, not of its letters or of what is around it
}

// The groups of features, with their share in the judgement. The shares were chosen by cross-validation.
const (
	shareWord     = 1.0 // words
	sharePair     = 1.0 // neighbouring words, and words with one between them
	shareSkeleton = 1.0 // runs of two to four frequent words; what stands between them is a gap
	shareLetters  = 1.0 // three to five neighbouring letters of a word: sloppy spelling has most of them
	shareForm     = 1.0 // position, length, list mark, question, names
	shareBeside   = 0.3 // words of the sentences before and after
	sharePrompt   = 0.7 // words of the whole prompt
)

const (
	begin = "^"
	end   = "$"
	gap   = "_"
)

// group collects the features of one group; a feature counts once.
type group struct {
	seen map[uint32]struct{}
	list []uint32
}

func (g *group) add(parts ...string) {
	h := hash(parts...)
	if _, ok := g.seen[h]; !ok {
		g.seen[h] = struct{}{}
		g.list = append(g.list, h)
	}
}

func (g *group) flush(share float64, own bool, found func(Feature)) {
	value := share / math.Sqrt(float64(len(g.list)))
	for _, h := range g.list {
		found(Feature{Hash: h, Value: value, Own: own})
	}
	clear(g.seen)
	g.list = g.list[:0]
}

// hash is FNV-1a over the parts, with a byte between them.
func hash(parts ...string) uint32 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for _, part := range parts {
		for i := range len(part) {
			h = (h ^ uint64(part[i])) * prime
		}
		h = (h ^ 0xff) * prime
	}
	return uint32(h>>32) ^ uint32(h)
}

// Features calls found with every feature of sentence i. Frequent are the words that the skeleton keeps.
func (t *Text) Features(i int, frequent map[string]bool, found func(Feature)) {
	s := t.Sentences[i]
	g := group{seen: map[uint32]struct{}{}}
	for _, w := range s.words {
		g.add("word", w)
	}
	g.flush(shareWord, true, found)
	padded := append(append([]string{begin}, s.words...), end)
	for k := 1; k < len(padded); k++ {
		g.add("pair", padded[k-1], padded[k])
		if k > 2 {
			g.add("apart", padded[k-2], padded[k])
		}
	}
	g.flush(sharePair, true, found)
	skeleton := skeletonOf(padded, frequent)
	for n := 2; n <= 4; n++ {
		for k := 0; k+n <= len(skeleton); k++ {
			g.add(append([]string{"skeleton"}, skeleton[k:k+n]...)...)
		}
	}
	g.flush(shareSkeleton, true, found)
	for _, w := range s.words {
		if len(w) <= 2 || isClass(w) {
			continue
		}
		w = gap + w + gap
		for n := 3; n <= 5; n++ {
			for k := 0; k+n <= len(w); k++ {
				g.add("letters", w[k:k+n])
			}
		}
	}
	g.flush(shareLetters, false, found)
	t.form(i, &g)
	g.flush(shareForm, true, found)
	t.beside(i, &g)
	g.flush(shareBeside, false, found)
	if t.all == nil {
		for _, other := range t.Sentences {
			for _, w := range other.words {
				g.add("prompt", w)
			}
		}
		t.all = slices.Clone(g.list)
	}
	g.list = append(g.list[:0], t.all...)
	g.flush(sharePrompt, false, found)
}

func skeletonOf(words []string, frequent map[string]bool) (skeleton []string) {
	for _, w := range words {
		switch {
		case len(w) == 1 || isClass(w) || frequent[w]:
			skeleton = append(skeleton, w)
		case len(skeleton) == 0 || skeleton[len(skeleton)-1] != gap:
			skeleton = append(skeleton, gap)
		}
	}
	return skeleton
}

func (t *Text) form(i int, g *group) {
	s, count := t.Sentences[i], len(t.Sentences)
	flag := func(name string, is bool) {
		if is {
			g.add("form", name)
		}
	}
	bucket := func(name string, n int, bounds ...int) {
		k := 0
		for k < len(bounds) && n > bounds[k] {
			k++
		}
		g.add("form", name, string(rune('0'+k)))
	}
	first, _ := utf8.DecodeRuneInString(t.Text[s.Start:])
	flag("first", i == 0)
	flag("last", i == count-1)
	flag("capital", unicode.IsUpper(first))
	flag("bullet", s.bullet)
	flag("question", strings.HasSuffix(t.Text[s.Start:s.End], "?"))
	bucket("sentences", count, 1, 2, 3, 5, 8)
	bucket("position", i, 0, 1, 2, 4, 8)
	bucket("words", len(s.words), 3, 5, 8, 12, 18, 25, 40)
	bucket("prompt bytes", len(t.Text), 40, 80, 160, 300)
	bucket("prompt in session", t.Index, 0, 1, 3, 8)
	bucket("lines", t.lines, 0, 1, 3, 8)
	for _, w := range s.words {
		if isClass(w) {
			g.add("form", "has", w)
		}
	}
}

func (t *Text) beside(i int, g *group) {
	add := func(name string, k int, edge string) {
		if k < 0 || k == len(t.Sentences) {
			g.add(name, edge)
			return
		}
		for _, w := range t.Sentences[k].words {
			g.add(name, w)
		}
	}
	add("before", i-1, begin)
	add("after", i+1, end)
}
