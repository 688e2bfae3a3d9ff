package crystal

import (
	"slices"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/memory"
)

// StandingOf tells whether what a person says holds beyond the moment: "always run the tests first", "when I ask about dates,
// name the day", "I prefer tabs". A text of more words than most is a document that somebody quotes, not a wish.
func StandingOf(text string, most int) memory.Standing {
	words, begins := spoken(text, most+1)
	if len(words) > most {
		return memory.Passing
	}
	preferred := memory.Passing
	for i, w := range words {
		rest := words[i:]
		switch {
		case begins[i] && ordered(rest), standingPhrases.begin(rest):
			return memory.Always
		case (w == "i" || w == "we") && prefers(rest[1:]), preferringPhrases.begin(rest):
			preferred = memory.Preferred
		}
	}
	return preferred
}

// ordered reports whether a sentence orders something for good: it begins with always or never.
func ordered(sentence []string) bool {
	for len(sentence) > 0 && openers.has(sentence[0]) {
		sentence = sentence[1:]
	}
	return len(sentence) > 1 && (sentence[0] == "always" || sentence[0] == "never" && sentence[1] != "mind")
}

// prefers reports whether words go on with "prefer", "would really prefer".
func prefers(words []string) bool {
	const between = 2
	for i, w := range words {
		if i > between {
			break
		}
		if w == "prefer" {
			return true
		}
	}
	return false
}

var (
	openers           = set(`please also and so but then ok okay remember note important`)
	standingPhrases   = phrases(`from now on; whenever i ask; when i ask; whenever i say; whenever i request; whenever i mention; every time i ask`)
	preferringPhrases = phrases(`i'd rather; we'd rather; i would rather; we would rather; i'd prefer; we'd prefer; my preference is`)
)

// spoken are the first words of a text as they are said: in small letters, without marks around them, the apostrophe straight;
// and which of them begin a sentence or a line.
func spoken(text string, most int) (words []string, begins []bool) {
	for line := range strings.Lines(text) {
		fresh := true
		for field := range strings.FieldsSeq(line) {
			if len(words) == most {
				return words, begins
			}
			word := strings.ToLower(strings.ReplaceAll(strings.Trim(field, ".,;:!?\"“”'‘’()[]*_`>#-–—"), "’", "'"))
			if word == "" {
				continue // a bullet
			}
			words, begins = append(words, word), append(begins, fresh)
			fresh = strings.ContainsAny(field[len(field)-1:], ".!?:;")
		}
	}
	return words, begins
}

// phraseSet is a list of phrases, by their first words, built when it is first asked.
type phraseSet func() map[string][][]string

// phrases reads phrases that a semicolon sets apart.
func phrases(list string) phraseSet {
	return sync.OnceValue(func() map[string][][]string {
		all := map[string][][]string{}
		for p := range strings.SplitSeq(list, ";") {
			words := strings.Fields(p)
			all[words[0]] = append(all[words[0]], words)
		}
		return all
	})
}

// begin reports whether words begin with one of the phrases.
func (s phraseSet) begin(words []string) bool {
	for _, p := range s()[words[0]] {
		if len(words) >= len(p) && slices.Equal(words[:len(p)], p) {
			return true
		}
	}
	return false
}
