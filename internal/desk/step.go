package desk

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// StepDone reports whether later texts mention a step that was left, so that it need not be kept: one sentence, without a word that
// says that it was not taken, has all its words. A step that is mentioned in other words is kept: better shown again than lost. One
// without content ("go on") counts as done.
func StepDone(step string, later ...string) bool {
	if prose.KeptWords(step, "") == 1 {
		return true
	}
	wanted := slices.DeleteFunc(vocab.TextWords(step), func(w string) bool { return slices.Contains(stepLeads, w) })
	done := func(sentence string) bool {
		said := vocab.TextWords(sentence)
		plain := " " + strings.ReplaceAll(strings.ToLower(sentence), "’", "'") + " "
		return !slices.ContainsFunc(stepNotDone, func(not string) bool { return strings.Contains(plain, not) }) &&
			!slices.ContainsFunc(wanted, func(w string) bool { return !slices.ContainsFunc(said, func(s string) bool { return sameWord(w, s) }) })
	}
	return slices.ContainsFunc(later, func(text string) bool {
		return slices.ContainsFunc(prose.Parts(text), func(p prose.Part) bool { return slices.ContainsFunc(p.Lines, done) })
	})
}

// stepLeads stand before what is to be done.
var stepLeads = []string{"then", "left", "remain", "also", "next", "final", "todo", "still", "first", "please", "need", "now", "maybe"}

// stepNotDone are parts of a sentence about a step that was not taken.
var stepNotDone = []string{" not ", "never ", "cannot ", "n't ", "nobody ", "skipped ", "instead of ", "failed to "}

// sameWord knows a word again in another form: describe and describes, write and wrote, run and ran.
func sameWord(one, other string) bool {
	return one == other || one[0] == other[0] && one[0] < utf8.RuneSelf && consonants(one) == consonants(other)
}

// consonants are those of a word, without repetition.
func consonants(word string) string {
	return string(slices.Compact([]rune(strings.NewReplacer("a", "", "e", "", "i", "", "o", "", "u", "").Replace(word))))
}
