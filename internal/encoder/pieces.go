package encoder

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

type piece struct {
	id    int
	score float64
}

// pieces is the vocabulary, without the reserved ids, which no text has. Each of its characters is a piece as well.
type pieces map[string]piece

const (
	reserved = 6
	unknown  = 0  // a run of characters that no piece has
	longest  = 16 // characters of a piece
	space    = "\u2581"
)

// ids cuts a text into the pieces whose scores have the largest sum. Its peculiarities are those of the program that the model
// was trained with: a sum of 0 counts as none yet, and of two equal sums the one with the shorter last piece wins.
func (p pieces) ids(text string) []int {
	if text = norm.NFKC.String(text); text == "" {
		return nil
	}
	text = space + strings.ReplaceAll(text, " ", space)
	begins := make([]int, 0, len(text)+1) // of characters, and the end
	for at := range text {
		begins = append(begins, at)
	}
	n := len(begins)
	begins = append(begins, len(text))
	sums, from, last := make([]float64, n+1), make([]int, n+1), make([]int, n+1)
	for end := 1; end <= n; end++ {
		for start := max(0, end-longest); start < end; start++ {
			found, ok := p[text[begins[start]:begins[end]]]
			if !ok && start < end-1 {
				continue
			}
			if sum := sums[start] + found.score; sums[end] == 0 || sum >= sums[end] {
				sums[end], from[end], last[end] = sum, start, found.id
			}
		}
	}
	var ids []int
	for end := n; end > 0; end = from[end] {
		if last[end] != unknown || len(ids) == 0 || ids[len(ids)-1] != unknown {
			ids = append(ids, last[end])
		}
	}
	slices.Reverse(ids)
	return ids
}

// english reports whether a text is English as far as its letters and words show: at most one letter in ten is outside ASCII,
// and two words in five are pieces as a whole. Names of programs and code are not. Of statements that people made to agents
// (bench/people) that takes 96 % of the English ones and 16 % of those in other languages with Latin letters, mostly such with
// English words in them.
func (p pieces) english(text string) bool {
	letters, foreign := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if r >= utf8.RuneSelf {
				foreign++
			}
		}
	}
	words, whole := 0, 0
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(word) >= 3 { // shorter ones are words of many languages
			words++
			if _, ok := p[space+strings.ToLower(word)]; ok {
				whole++
			}
		}
	}
	return words > 0 && 10*foreign <= letters && 5*whole >= 2*words
}
