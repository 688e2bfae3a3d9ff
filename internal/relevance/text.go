// Package relevance says which of a project's statements a prompt needs, and how sure that is. Two models that were learned from pairs of
// a statement and a later prompt work together: one orders the statements by their words and meaning, the other judges from the
// prompt and from how far the first of that order stands out whether anything is needed at all. Most prompts need nothing.
package relevance

import (
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/listen"
)

// Text is a prompt or a statement as they are compared. To make one costs more than to compare it.
type Text struct {
	*listen.Said
	length int
	asks   bool
	topics map[int32]float64 // how much it has of each topic, as a vector of length 1
	of     [][]int32         // topics of each term
}

// Statement is a memory that a prompt may need.
type Statement struct {
	*Text
	Kind string // as memory.CrystalKind names it
}

// NewText prepares a text. Cut is its words without those that tell nothing, as vocab.TextWords cuts them, row the vector of a word, as
// embedding.GeneralRow gives it.
func (m *Model) NewText(text string, cut []string, row func(word string) []float32) *Text {
	t := &Text{Said: listen.NewSaid(text, cut, row), length: len(text), asks: slices.Contains([]byte(text), '?'), topics: map[int32]float64{}}
	for i := range t.Terms {
		sets := m.Topics[t.Terms[i].Word]
		t.of = append(t.of, sets)
		for _, k := range sets {
			t.topics[k] += t.Terms[i].Weight / math.Sqrt(float64(len(sets)))
		}
	}
	sum := 0.0
	for _, k := range sortedKeys(t.topics) {
		sum += t.topics[k] * t.topics[k]
	}
	for k, v := range t.topics {
		t.topics[k] = v / math.Sqrt(sum)
	}
	return t
}

// sortedKeys keeps sums the same from run to run.
func sortedKeys(topics map[int32]float64) []int32 {
	keys := make([]int32, 0, len(topics))
	for k := range topics {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func share(a, b []int32) bool {
	return slices.ContainsFunc(a, func(k int32) bool { return slices.Contains(b, k) })
}
