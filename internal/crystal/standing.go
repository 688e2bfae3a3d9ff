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
	words, marks := spoken(text, most+1)
	if len(words) > most {
		return memory.Passing
	}
	preferred := memory.Passing
	for i := range words {
		begins := i == 0 || marks[i-1] != 0
		switch rest := words[i:]; {
		case begins && ordered(rest, marks[i:]), standingPhrases.begin(rest):
			return memory.Always
		case (i == 0 || !doubting.has(words[i-1])) && (prefers(rest) || preferringPhrases.begin(rest)):
			preferred = memory.Preferred
		}
	}
	return preferred
}

// ordered reports whether a sentence orders something for good: it begins with always or never, tells of nothing that happened, and
// asks nothing.
func ordered(words []string, marks []byte) bool {
	end := slices.IndexFunc(marks, func(mark byte) bool { return mark != 0 })
	if end >= 0 && marks[end] == '?' {
		return false
	}
	for len(words) > 0 && openers.has(words[0]) {
		words = words[1:]
	}
	return len(words) > 1 && (words[0] == "always" || words[0] == "never") && !happening.has(words[1])
}

// prefers reports whether somebody says "I prefer", "we would really prefer".
func prefers(words []string) bool {
	const between = 2
	if words[0] != "i" && words[0] != "we" {
		return false
	}
	for _, w := range words[1:min(len(words), between+2)] {
		if w == "prefer" || doubting.has(w) {
			return w == "prefer"
		}
	}
	return false
}

var (
	openers           = set(`please also and so but then ok okay remember note important`)
	happening         = set(`mind seen saw worked works failing failed fails had got happened happens again heard been was is knew thought`)
	doubting          = set(`not never don't didn't wouldn't should do does did if`)
	standingPhrases   = phrases(`from now on; whenever i ask; when i ask; whenever i say; whenever i request; whenever i mention; every time i ask`)
	preferringPhrases = phrases(`i'd rather; we'd rather; i would rather; we would rather; i'd prefer; we'd prefer; my preference is`)
)

// spoken are the first words of a text as they are said: in small letters, without marks around them, the apostrophe straight;
// and the mark that ends a sentence or a line behind each, 0 for none.
func spoken(text string, most int) (words []string, marks []byte) {
	for line := range strings.Lines(text) {
		for field := range strings.FieldsSeq(line) {
			word := strings.ToLower(strings.ReplaceAll(strings.Trim(field, ".,;:!?\"“”'‘’()[]*_`>#-–—"), "’", "'"))
			if word == "" {
				continue // a bullet
			}
			if len(words) == most {
				return words, marks
			}
			mark := byte(0)
			if end := strings.TrimRight(field, "\"“”'‘’)]*_`"); strings.IndexByte(".!?;", end[len(end)-1]) >= 0 {
				mark = end[len(end)-1]
			}
			words, marks = append(words, word), append(marks, mark)
		}
		if n := len(marks); n > 0 && marks[n-1] == 0 {
			marks[n-1] = '\n'
		}
	}
	return words, marks
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
