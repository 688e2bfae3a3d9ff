package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// KeptWords is the share of the different words of old that next has too; 1 if old has none. Only words of more than three
// letters count. In scripts without blanks two signs that stand together are a word.
func KeptWords(old, next string) float64 {
	words := DistinctWords(old)
	if len(words) == 0 {
		return 1
	}
	kept := 0
	eachWord(next, func(word string) {
		if words[word] {
			words[word] = false
			kept++
		}
	})
	return float64(kept) / float64(len(words))
}

// guardSet is the set of words that KeptWords compares.
func DistinctWords(text string) map[string]bool {
	set := map[string]bool{}
	eachWord(text, func(word string) { set[word] = true })
	return set
}

// guardEach gives the words of a text one after the other, as often as they occur.
func eachWord(text string, use func(word string)) {
	const short = 3
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		first, _ := utf8.DecodeRuneInString(word)
		switch {
		case first >= utf8.RuneSelf && unicode.In(first, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai):
			runes := []rune(word)
			for i := range len(runes) - 1 {
				use(string(runes[i : i+2]))
			}
		case len(word) > short && utf8.RuneCountInString(word) > short:
			use(word)
		}
	}
}
