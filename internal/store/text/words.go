package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// longestWord is how many bytes of a word count.
const longestWord = 200

// searchable normalizes words for the full text of both databases: no blanks, no signs, ASCII in lower case.
func searchable(words []string) []string {
	for i, w := range words {
		if plain(w) {
			continue
		}
		clean := append(make([]string, 0, len(words)), words[:i]...)
		for _, w := range words[i:] {
			if w = searchableWord(w); w != "" {
				clean = append(clean, w)
			}
		}
		return clean
	}
	return words
}

func plain(word string) bool {
	for i := range len(word) {
		if c := word[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return word != "" && len(word) <= longestWord
}

func searchableWord(word string) string {
	if !utf8.ValidString(word) {
		return word // it will be refused by name
	}
	word = strings.Map(func(r rune) rune {
		switch {
		case r >= utf8.RuneSelf && !unicode.IsSpace(r), r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, word)
	return prose.Beginning(word, longestWord)
}

// wordHash is by what a word of a group is counted (FNV-1a).
func wordHash(group memory.Group, word string) int64 {
	h := uint64(14695981039346656037)
	for _, part := range [...]string{string(group), " ", word} {
		for i := range len(part) {
			h = (h ^ uint64(part[i])) * 1099511628211
		}
	}
	return int64(h) //nolint:gosec // its bits are meant
}

// indexed is a name that every database can look up. One that is too long is known by its beginning and its fingerprint.
func indexed(name string) string {
	const most = 1000
	if len(name) <= most {
		return name
	}
	return prose.Beginning(name, most-20) + "…" + memory.NeuronID(memory.ContentHash(name)).String()
}

func searchableExpression(e Expression) Expression {
	e.All, e.Any = searchable(e.All), searchable(e.Any)
	phrases := make([][]string, 0, len(e.Phrases))
	for _, p := range e.Phrases {
		if p = searchable(p); len(p) > 0 {
			phrases = append(phrases, p)
		}
	}
	e.Phrases = phrases
	return e
}
