package recall

import (
	"math/bits"
	"slices"
)

// index finds what has a word: files by their paths, episodes by their subjects. The first question of a process is
// answered by looking at everything once; a hook asks no second one. From the second on there are lists, kept up to date
// with every change.
type index struct {
	lists map[Word][]uint32 // ascending; nil before the second question
}

// build makes the lists of n items.
func (x *index) build(n int, of func(i uint32) []Word) {
	sizes, total := map[Word]int{}, 0
	for i := range uint32(n) {
		for _, w := range of(i) {
			sizes[w]++
			total++
		}
	}
	room := make([]uint32, total)
	x.lists = make(map[Word][]uint32, len(sizes))
	for w, size := range sizes {
		x.lists[w], room = room[:0:size], room[size:]
	}
	for i := range uint32(n) {
		for _, w := range of(i) {
			x.lists[w] = append(x.lists[w], i)
		}
	}
}

// change moves an item from the words it had to those it has.
func (x *index) change(item uint32, had, has []Word) {
	if x.lists == nil || slices.Equal(had, has) {
		return
	}
	for _, w := range had {
		if i, found := slices.BinarySearch(x.lists[w], item); found {
			x.lists[w] = slices.Delete(x.lists[w], i, i+1)
		}
	}
	for _, w := range has {
		if i, found := slices.BinarySearch(x.lists[w], item); !found {
			x.lists[w] = slices.Insert(x.lists[w], i, item)
		}
	}
}

// matches are the items that have words of a question.
type matches struct {
	mask []uint64   // per item, which words it has
	hit  []uint32   // items that have any
	with [][]uint32 // per word, the items that have it, ascending
	all  []float64  // per word, how many have it
}

func (x *matches) reset(n int) {
	for _, i := range x.hit {
		x.mask[i] = 0
	}
	x.hit, x.with, x.all = x.hit[:0], x.with[:0], x.all[:0]
	x.mask = extended(x.mask, n)
}

func (x *matches) add(item uint32, mask uint64) {
	if x.mask[item] == 0 {
		x.hit = append(x.hit, item)
	}
	x.mask[item] |= mask
}

// find looks for the words among n items. A word that more than most have leads only to the latest of them: it says
// little, and time would go into saying it. What another word leads to has all its words.
func (x *matches) find(words []Word, in *index, n, most int, of func(i uint32) []Word) {
	x.reset(n)
	lex := newLexicon(words)
	if in.lists == nil {
		x.with = append(x.with, make([][]uint32, len(words))...)
		for i := range uint32(n) {
			eachBit(lex.mask(of(i)), func(w int) { x.with[w] = append(x.with[w], i) })
		}
	} else {
		for _, w := range words {
			x.with = append(x.with, in.lists[w])
		}
	}
	cut := false
	for bit, list := range x.with {
		x.all = append(x.all, float64(len(list)))
		if len(list) > most {
			cut = true
			list = list[len(list)-most:]
			x.with[bit] = list
		}
		for _, i := range list {
			x.add(i, 1<<bit)
		}
	}
	if cut {
		for _, i := range x.hit {
			x.mask[i] = lex.mask(of(i))
		}
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

// extended makes a list of zeros as long as it must be, in one step: a fresh process has only one question.
func extended[T any](s []T, n int) []T {
	if len(s) < n {
		s = append(s, make([]T, n-len(s))...)
	}
	return s
}

func grown[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }
