// Package vocab cuts texts, identifiers and paths into the words that are compared: split, folded, stemmed, without stop words.
package vocab

import (
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/russian"
	"golang.org/x/text/unicode/norm"
)

// Words cuts text into the terms that are compared: lower-case words and the parts of identifiers (camelCase, letters
// against digits, punctuation), each identifier of several parts also as a whole, without accents, stemmed, without stop
// words and without numbers. Scripts that are written without blanks, and Hangul, whose particles are joined to the word,
// become pairs of characters. Paths, commit subjects and prompts go through the same function, so they match.
func Words(text string) []string { return tokenize(text, false) }

// TextWords is Words for texts that people search: numbers count (a port, a version, a year), and so do single letters,
// unless they only end a word (Ann's, don't).
func TextWords(text string) []string { return tokenize(text, true) }

func tokenize(text string, whole bool) []string {
	var words []string
	keep := func(word string) {
		word = fold(strings.ToLower(word))
		if !whole && (len(word) < 2 || word[0] >= '0' && word[0] <= '9') || stopWords[word] {
			return
		}
		words = append(words, Stemmed(word))
	}
	text = norm.NFKC.String(text)
	if whole {
		text = withoutEndings(text)
	}
	for name := range strings.FieldsFuncSeq(text, separates) {
		if lowerCase(name) { // most are: one part, of letters that need no folding
			keep(name)
			continue
		}
		for run, unspaced := range scriptRuns(name) {
			if unspaced {
				words = appendBigrams(words, run)
				continue
			}
			parts := 0
			for part := range identifierParts(run) {
				keep(part)
				parts++
			}
			if parts > 1 {
				keep(run)
			}
		}
	}
	return words
}

// separates reports whether a character stands between words. Marks belong to their letter: accents, Indic vowel signs.
func separates(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

func lowerCase(name string) bool {
	for i := range len(name) {
		if name[i] < 'a' || name[i] > 'z' {
			return false
		}
	}
	return true
}

// withoutEndings removes the endings that an apostrophe joins to an English word: Ann's, don't, we'll.
func withoutEndings(text string) string {
	if !strings.ContainsAny(text, "'’") {
		return text
	}
	var out strings.Builder
	for {
		at := strings.IndexAny(text, "'’")
		if at < 0 {
			out.WriteString(text)
			return out.String()
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		out.WriteString(text[:at])
		out.WriteByte(' ')
		text = text[at+size:]
		if !unicode.IsLetter(before) {
			continue
		}
		end := strings.IndexFunc(text, separates)
		if end < 0 {
			end = len(text)
		}
		switch strings.ToLower(text[:end]) {
		case "s", "t", "d", "m", "ll", "re", "ve":
			text = text[end:]
		}
	}
}

// scriptRuns cuts a name where a script written without blanks begins or ends, and reports for each run whether it is one.
func scriptRuns(name string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		start, before := 0, false
		for i, r := range name {
			here := isUnspaced(r) || before && unicode.IsMark(r)
			if i > start && here != before {
				if !yield(name[start:i], before) {
					return
				}
				start = i
			}
			before = here
		}
		yield(name[start:], before)
	}
}

// isUnspaced reports whether a character belongs to a script whose words are not separated by spaces.
func isUnspaced(r rune) bool {
	const prolonged = 'ー' // of Katakana, which Unicode counts to no script
	return r == prolonged || r >= '\u0e00' && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// appendBigrams appends each pair of neighbouring characters; one alone stays one.
func appendBigrams(words []string, run string) []string {
	runes := []rune(run)
	for i := range max(len(runes)-1, 1) {
		words = append(words, string(runes[i:min(i+2, len(runes))]))
	}
	return words
}

// identifierParts yields the words inside a name: HTTPServer2 is HTTP, Server, 2.
func identifierParts(name string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		runes := []rune(name)
		start := 0
		for i := 1; i < len(runes); i++ {
			before, here := runes[i-1], runes[i]
			border := unicode.IsLower(before) && unicode.IsUpper(here) ||
				unicode.IsDigit(before) != unicode.IsDigit(here) ||
				unicode.IsUpper(before) && unicode.IsUpper(here) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if !border {
				continue
			}
			if !yield(string(runes[start:i])) {
				return
			}
			start = i
		}
		if start < len(runes) {
			yield(string(runes[start:]))
		}
	}
}

// fold removes accents from lower-case Latin and Greek letters, so that cafe finds café. In other scripts a mark makes
// another letter (й, が) and stays.
func fold(word string) string {
	ascii := true
	for i := range len(word) {
		ascii = ascii && word[i] < utf8.RuneSelf
	}
	if ascii {
		return word
	}
	folds := false
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			if folds {
				return -1
			}
			return r
		}
		folds = unicode.In(r, unicode.Latin, unicode.Greek)
		return r
	}, norm.NFD.String(word))
	return plainLetters.Replace(norm.NFC.String(bare))
}

// plainLetters are the variants that Unicode does not decompose, and ё, which Russian mostly writes as е.
var plainLetters = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i", "ς", "σ", "ё", "е")

// Stemmed reduces the forms of a word to one. The script chooses the algorithm: Russian for Cyrillic, English for Latin. A
// guess at the language would be wrong for short questions, and a text and a question that are guessed differently would
// never match. English endings cost other Latin languages little (plural s is common to many).
func Stemmed(word string) string {
	const longest = 64 // bytes; longer ones are keys and hashes, and the algorithms are quadratic
	if len(word) > longest {
		return word
	}
	recent := &stems[WordOf(word)%Word(len(stems))]
	if known := recent.Load(); known != nil && known[0] == word {
		return known[1]
	}
	env := snowballstem.NewEnv(word)
	switch first, _ := utf8.DecodeRuneInString(word); {
	case first >= 'a' && first <= 'z' || unicode.Is(unicode.Latin, first):
		english.Stem(env)
	case unicode.Is(unicode.Cyrillic, first):
		russian.Stem(env)
	}
	stemmed := env.Current()
	recent.Store(&[2]string{strings.Clone(word), strings.Clone(stemmed)})
	return stemmed
}

// stems holds recent words with their stems: most words of a text are frequent ones, and stemming takes half a microsecond.
var stems [4096]atomic.Pointer[[2]string]

var stopWords = wordSet(`a an and are as at be but by can do does for from has have how if in into is it its no not of on
	or our so than that the their then there these they this to up was we were what when where which who why will with
	would you your i my me also more some all any should make makes made use using used via now`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// Word stands for a term of Words: its hash, so that comparing needs no dictionary.
type Word uint32

// Terms are the distinct words of a text, in order.
func Terms(text string) []Word {
	var terms []Word
	for _, w := range Words(text) {
		if h := WordOf(w); !slices.Contains(terms, h) {
			terms = append(terms, h)
		}
	}
	return terms
}

// Spoken are the terms of what is said about work, a subject or a prompt, and after them the tickets it names: #1234, KEY-1234. Numbers
// alone say little, but work on one ticket belongs together.
func Spoken(text string) []Word {
	terms := Terms(text)
	for i := 0; i < len(text); i++ {
		start := i
		for i < len(text) && text[i] >= 'A' && text[i] <= 'Z' {
			i++
		}
		if i == len(text) || text[i] != '#' && (text[i] != '-' || i-start < 2) {
			continue
		}
		if text[i] == '#' {
			start = i
		}
		mark := i
		for i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9' {
			i++
		}
		if w := WordOf(text[start : i+1]); i > mark && !slices.Contains(terms, w) {
			terms = append(terms, w)
		}
	}
	return terms
}

// WordOf stands for one term of Words: its FNV-1a hash, written out because a cold start hashes every path.
func WordOf(term string) Word {
	const offset, prime = 2166136261, 16777619
	h := uint32(offset)
	for i := range len(term) {
		h = (h ^ uint32(term[i])) * prime
	}
	return Word(h)
}
