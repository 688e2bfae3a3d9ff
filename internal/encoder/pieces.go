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
	if text = normalize(text); text == "" {
		return nil
	}
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

func normalize(text string) string {
	if text = norm.NFKC.String(text); text == "" {
		return ""
	}
	return space + strings.ReplaceAll(text, " ", space)
}

// english reports whether a text may be English: at most one letter in ten is outside ASCII.
func english(text string) bool {
	letters, foreign := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if r >= utf8.RuneSelf {
				foreign++
			}
		}
	}
	return 10*foreign <= letters
}
