package recall

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words cuts text into the terms that are compared: lower-case words and the parts of identifiers (camelCase, letters
// against digits, punctuation), each identifier of several parts also as a whole, stemmed, without stop words and
// without numbers. Paths, commit subjects and prompts go through the same function, so they meet.
func Words(text string) []string { return cut(text, false) }

// FormerTextWords are the words of a text as TextWords cut them before it knew their roots. What was written down then is found by them.
func FormerTextWords(text string) (words []string) {
	for name := range strings.FieldsFuncSeq(strings.ToLower(text), separates) {
		if formerly := stem(name); formerly != stem(root(name)) {
			words = append(words, formerly)
		}
	}
	return words
}

// TextWords is Words for texts that people search: numbers count (a port, a version, a year), single letters too, unless they only end
// a word (Ann's, don't), and what is written without blanks is cut into pairs of characters, as nobody can tell its words.
func TextWords(text string) []string { return cut(text, true) }

func cut(text string, whole bool) []string {
	var words []string
	keep := func(word string) {
		word = strings.ToLower(word)
		if !whole && (len(word) < 2 || word[0] >= '0' && word[0] <= '9') || stopWords[word] {
			return
		}
		if whole {
			word = root(word)
		}
		words = append(words, stem(word))
	}
	if whole {
		text = withoutEndings(text)
	}
	for name := range strings.FieldsFuncSeq(text, separates) {
		if lowerCase(name) { // most are: one part, of letters that are as they should be
			keep(name)
			continue
		}
		if whole && unspaced(name) {
			runes := []rune(name)
			for i := range max(len(runes)-1, 1) {
				words = append(words, string(runes[i:min(i+2, len(runes))]))
			}
			continue
		}
		parts := 0
		for part := range identifierParts(name) {
			keep(part)
			parts++
		}
		if parts > 1 {
			keep(name)
		}
	}
	return words
}

func separates(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func lowerCase(name string) bool {
	for i := range len(name) {
		if name[i] < 'a' || name[i] > 'z' {
			return false
		}
	}
	return true
}

// withoutEndings leaves out what an apostrophe joins to a word and that says nothing by itself: Ann's, don't, we'll.
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

// unspaced reports whether a name is in a script that is written without blanks.
func unspaced(name string) bool {
	for _, r := range name {
		if r >= '\u0e00' && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			return true
		}
	}
	return false
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

// suffixes are cut from the end of a word if enough of it is left; the first that fits goes.
var suffixes = []struct {
	text string
	left int
}{{"ing", 3}, {"ed", 3}, {"ation", 3}, {"ion", 4}, {"er", 4}, {"ly", 4}}

// stem is a light English stemmer. It need not be right, only the same for the forms of a word.
func stem(word string) string {
	switch n := len(word); {
	case strings.HasSuffix(word, "ies") && n > 4:
		word = word[:n-3] + "y"
	case strings.HasSuffix(word, "sses"):
		word = word[:n-2]
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && n > 3:
		word = word[:n-1]
	}
	for _, s := range suffixes {
		if strings.HasSuffix(word, s.text) && len(word)-len(s.text) >= s.left {
			word = word[:len(word)-len(s.text)]
			break
		}
	}
	if n := len(word); n > 3 && word[n-1] == 'e' {
		word = word[:n-1]
	}
	// Of letters alone: two like bytes may be half of a character.
	if n := len(word); n > 3 && word[n-1] == word[n-2] && word[n-1] < utf8.RuneSelf && word[n-1] != 's' && word[n-1] != 'l' {
		word = word[:n-1]
	}
	return word
}

// root is the word that others are forms of without sharing its beginning. Forms that mean something else as often (left, saw, bit) stay.
func root(word string) string {
	switch word { // no table: nothing is made when the program starts
	case "became":
		return "become"
	case "began", "begun":
		return "begin"
	case "broke", "broken":
		return "break"
	case "brought":
		return "bring"
	case "built":
		return "build"
	case "bought":
		return "buy"
	case "caught":
		return "catch"
	case "chose", "chosen":
		return "choose"
	case "came":
		return "come"
	case "dealt":
		return "deal"
	case "drew", "drawn":
		return "draw"
	case "drank":
		return "drink"
	case "drove", "driven":
		return "drive"
	case "ate", "eaten":
		return "eat"
	case "fallen":
		return "fall"
	case "felt":
		return "feel"
	case "fought":
		return "fight"
	case "found":
		return "find"
	case "flew", "flown":
		return "fly"
	case "forgot", "forgotten":
		return "forget"
	case "froze", "frozen":
		return "freeze"
	case "got", "gotten":
		return "get"
	case "gave", "given":
		return "give"
	case "went", "gone":
		return "go"
	case "grew", "grown":
		return "grow"
	case "heard":
		return "hear"
	case "hid", "hidden":
		return "hide"
	case "held":
		return "hold"
	case "kept":
		return "keep"
	case "knew", "known":
		return "know"
	case "led":
		return "lead"
	case "lent":
		return "lend"
	case "lost":
		return "lose"
	case "meant":
		return "mean"
	case "met":
		return "meet"
	case "paid":
		return "pay"
	case "rode", "ridden":
		return "ride"
	case "ran":
		return "run"
	case "sold":
		return "sell"
	case "sent":
		return "send"
	case "shook", "shaken":
		return "shake"
	case "sang", "sung":
		return "sing"
	case "sat":
		return "sit"
	case "slept":
		return "sleep"
	case "spoke", "spoken":
		return "speak"
	case "spent":
		return "spend"
	case "stood":
		return "stand"
	case "stole", "stolen":
		return "steal"
	case "stuck":
		return "stick"
	case "swam":
		return "swim"
	case "took", "taken":
		return "take"
	case "taught":
		return "teach"
	case "told":
		return "tell"
	case "thought":
		return "think"
	case "threw", "thrown":
		return "throw"
	case "understood":
		return "understand"
	case "woke", "woken":
		return "wake"
	case "wore", "worn":
		return "wear"
	case "won":
		return "win"
	case "wrote", "written":
		return "write"
	case "children":
		return "child"
	case "feet":
		return "foot"
	case "men":
		return "man"
	case "mice":
		return "mouse"
	case "people":
		return "person"
	case "teeth":
		return "tooth"
	case "women":
		return "woman"
	}
	if n := len(word); n > 3 && strings.HasSuffix(word, "ie") {
		return word[:n-2] + "y" // movie, like movies
	}
	return word
}

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
