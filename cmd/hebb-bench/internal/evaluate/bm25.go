package evaluate

import (
	"cmp"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/vocab"
)

// vocabulary numbers words.
type vocabulary map[string]int32

// learn returns the numbers of the words of a text, repetitions included.
func (v vocabulary) learn(text string) []int32 {
	words := vocab.Words(text)
	numbers := make([]int32, len(words))
	for i, word := range words {
		numbers[i] = v.number(word)
	}
	return numbers
}

func (v vocabulary) number(word string) int32 {
	n, ok := v[word]
	if !ok {
		n = int32(len(v))
		v[word] = n
	}
	return n
}

// known returns each word of a text that has a number, once.
func (v vocabulary) known(text string) []int32 {
	var numbers []int32
	for _, word := range vocab.Words(text) {
		if n, ok := v[word]; ok && !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// corpus holds documents as weighted words, to be ranked by BM25.
type corpus struct {
	postings [][]posting // by word, sorted by document
	length   []float64   // by document; 0: not there
	docs     int
	total    float64 // of all lengths
}

type posting struct {
	doc    int32
	weight float64
}

func (c *corpus) add(doc, word int32, weight float64) {
	c.postings = grown(c.postings, word)
	c.length = grown(c.length, doc)
	if c.length[doc] == 0 {
		c.docs++
	}
	c.length[doc] += weight
	c.total += weight
	list := c.postings[word]
	at, ok := slices.BinarySearchFunc(list, doc, func(p posting, doc int32) int { return cmp.Compare(p.doc, doc) })
	if !ok {
		list = slices.Insert(list, at, posting{doc: doc})
		c.postings[word] = list
	}
	list[at].weight += weight
}

// remove takes a document out that consists of these words.
func (c *corpus) remove(doc int32, words []int32) {
	if int(doc) >= len(c.length) || c.length[doc] == 0 {
		return
	}
	for _, word := range words {
		c.postings[word] = slices.DeleteFunc(c.postings[word], func(p posting) bool { return p.doc == doc })
	}
	c.docs--
	c.total -= c.length[doc]
	c.length[doc] = 0
}

// saturation is BM25's k1: how soon a word said again adds nothing.
const saturation = 1.2

// score adds up BM25 for all documents that hold one of the words. b is how much a document is discounted for its
// length.
func (c *corpus) score(s *scores, words []int32, b float64) {
	s.fit(len(c.length))
	docs := float64(c.docs)
	average := c.total / docs
	for _, word := range words {
		if int(word) >= len(c.postings) || len(c.postings[word]) == 0 {
			continue
		}
		having := float64(len(c.postings[word]))
		rarity := math.Log(1 + (docs-having+0.5)/(having+0.5))
		for _, p := range c.postings[word] {
			s.add(p.doc, rarity*p.weight*(saturation+1)/(p.weight+saturation*(1-b+b*c.length[p.doc]/average)))
		}
	}
}

// scores adds up a number for some of many things, and knows which.
type scores struct {
	of      []float64
	touched []int32
}

// fit makes room for n things.
func (s *scores) fit(n int) {
	if n > 0 {
		s.of = grown(s.of, int32(n-1))
	}
}

func (s *scores) add(thing int32, value float64) {
	if value <= 0 {
		return
	}
	if s.of[thing] == 0 {
		s.touched = append(s.touched, thing)
	}
	s.of[thing] += value
}

func (s *scores) clear() {
	for _, thing := range s.touched {
		s.of[thing] = 0
	}
	s.touched = s.touched[:0]
}

// grown returns the slice made long enough to hold place at.
func grown[T any](list []T, at int32) []T {
	if missing := int(at) + 1 - len(list); missing > 0 {
		list = append(list, make([]T, missing)...)
	}
	return list
}
