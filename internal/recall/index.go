package recall

import (
	"math"
	"math/bits"
	"slices"

	"github.com/hebb-memory/hebb/internal/vocab"
)

// index finds what has a word: files by their paths, episodes by their subjects.
type index struct {
	base  *postings               // as packed; nil without
	lists map[vocab.Word][]uint32 // ascending, of words whose items are not those of the base; without a base nil before the first question
}

// of are the items that have a word.
func (x *index) of(w vocab.Word) []uint32 {
	if list, changed := x.lists[w]; changed || x.base == nil {
		return list
	}
	return x.base.of(w)
}

// build makes the lists of n items, unless they are there.
func (x *index) build(n int, of func(i uint32) []vocab.Word) {
	if x.base != nil || x.lists != nil {
		return
	}
	sizes, total := map[vocab.Word]int{}, 0
	for i := range uint32(n) {
		for _, w := range of(i) {
			sizes[w]++
			total++
		}
	}
	room := make([]uint32, total)
	x.lists = make(map[vocab.Word][]uint32, len(sizes))
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
func (x *index) change(item uint32, had, has []vocab.Word) {
	if x.base == nil && x.lists == nil || slices.Equal(had, has) {
		return
	}
	if x.lists == nil {
		x.lists = map[vocab.Word][]uint32{}
	}
	for _, w := range had {
		if !slices.Contains(has, w) {
			list := x.own(w)
			if i, found := slices.BinarySearch(list, item); found {
				x.lists[w] = slices.Delete(list, i, i+1)
			}
		}
	}
	for _, w := range has {
		list := x.own(w)
		if i, found := slices.BinarySearch(list, item); !found {
			x.lists[w] = slices.Insert(list, i, item)
		}
	}
}

// own is a list that may change.
func (x *index) own(w vocab.Word) []uint32 {
	list, mine := x.lists[w]
	if !mine && x.base != nil {
		list = slices.Clone(x.base.of(w))
	}
	return list
}

// seats number the few of many items that a question comes across, so that what is kept of them is as long as they are many.
type seats struct {
	of    []uint32 // by item, from 1; 0 has none
	items []uint32
}

func (s *seats) reset(n int) {
	for _, i := range s.items {
		s.of[i] = 0
	}
	s.items = s.items[:0]
	s.of = extended(s.of, n)
}

// take is the seat of an item, given at first sight.
func (s *seats) take(item uint32) (seat int, first bool) {
	if at := s.of[item]; at > 0 {
		return int(at - 1), false
	}
	s.items = append(s.items, item)
	s.of[item] = uint32(len(s.items))
	return len(s.items) - 1, true
}

// seat is the seat of an item, -1 without.
func (s *seats) seat(item uint32) int { return int(s.of[item]) - 1 }

// seated are figures by seat, zero where none was set, in pages that are made when one is first set.
type seated[T any] struct{ pages []*[pageSeats]T }

const pageSeats = 512

func (v *seated[T]) at(seat int) (none T) {
	if page := uint(seat) / pageSeats; page < uint(len(v.pages)) && v.pages[page] != nil {
		return v.pages[page][uint(seat)%pageSeats]
	}
	return none
}

// place is the figure of a seat, to be changed.
func (v *seated[T]) place(seat int) *T {
	page := uint(seat) / pageSeats
	if page >= uint(len(v.pages)) || v.pages[page] == nil {
		v.pages = extended(v.pages, int(page)+1)
		v.pages[page] = new([pageSeats]T)
	}
	return &v.pages[page][uint(seat)%pageSeats]
}

func (v *seated[T]) reset() {
	for _, page := range v.pages {
		if page != nil {
			clear(page[:])
		}
	}
}

// matches are the items that have words of a question.
type matches struct {
	*seats
	masks seated[uint64] // which words an item has
	hit   []uint32       // items that have any
	with  [][]uint32     // per word, the items that have it, ascending
	all   []float64      // per word, how many have it
	most  int            // how many of them were looked at
}

func (x *matches) reset(s *seats) {
	x.seats = s
	x.hit, x.with, x.all = x.hit[:0], x.with[:0], x.all[:0]
	x.masks.reset()
}

// mask says which words an item has.
func (x *matches) mask(item uint32) uint64 { return x.masks.at(x.seat(item)) }

func (x *matches) add(item uint32, mask uint64) {
	seat, _ := x.take(item)
	words := x.masks.place(seat)
	if *words == 0 {
		x.hit = append(x.hit, item)
	}
	*words |= mask
}

// find looks for the words, at so many items at most: where the words lead to more, the frequent ones lead only to the latest of theirs. They
// say little, and time would go into saying it. What another word leads to has all its words.
func (x *matches) find(words []vocab.Word, in *index, s *seats, most int, of func(i uint32) []vocab.Word) {
	x.reset(s)
	for _, w := range words {
		list := in.of(w)
		x.with, x.all = append(x.with, list), append(x.all, float64(len(list)))
	}
	x.most = level(x.with, most)
	cut := false
	for bit, list := range x.with {
		if len(list) > x.most {
			cut = true
			list = list[len(list)-x.most:]
			x.with[bit] = list
		}
		for _, i := range list {
			x.add(i, 1<<bit)
		}
	}
	if cut {
		lex := newLexicon(words)
		for _, i := range x.hit {
			*x.masks.place(x.seat(i)) = lex.mask(of(i))
		}
	}
}

// level is the length to which lists are cut so that they have at most so many items together: short ones stay whole.
func level[T any](lists [][]T, most int) int {
	lengths := make([]int, len(lists))
	for i, l := range lists {
		lengths[i] = len(l)
	}
	slices.Sort(lengths)
	for i, n := range lengths {
		share := most / (len(lengths) - i)
		if n > share {
			return share
		}
		most -= n
	}
	return math.MaxInt
}

// rest is how many items have a word for each one that was looked at.
func (x *matches) rest(word int) float64 {
	return max(1, x.all[word]/float64(max(1, x.most)))
}

// lexicon finds the words of a question, mostly by saying at once that a word is none of them.
type lexicon struct {
	seen [64]uint64
	bit  map[vocab.Word]int
}

func newLexicon(words []vocab.Word) *lexicon {
	l := &lexicon{bit: make(map[vocab.Word]int, len(words))}
	for i, w := range words {
		l.bit[w] = i
		l.seen[w>>6&63] |= 1 << (w & 63)
	}
	return l
}

// may is true for every word of the question, and for few others.
func (l *lexicon) may(w vocab.Word) bool { return l.seen[w>>6&63]>>(w&63)&1 != 0 }

func (l *lexicon) mask(words []vocab.Word) (mask uint64) {
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

// extended makes a list as long as it must be, with zeros at its end.
func extended[T any](s []T, n int) []T {
	if len(s) >= n {
		return s
	}
	longer := make([]T, n, max(n, 2*len(s)))
	copy(longer, s)
	return longer
}
