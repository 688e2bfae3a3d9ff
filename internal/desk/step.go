package desk

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/prose"
)

// StepDone reports whether later texts mention a step that was left, so that it need not be kept. A step without content
// ("go on") counts as done.
//
// One sentence has to have the verb of the step and most of its other words: "the parser fails its test" wrote none. A step that
// is mentioned in other words is kept: better shown again than lost.
func StepDone(step string, later ...string) bool {
	if prose.KeptWords(step, "") == 1 {
		return true
	}
	s := newStep(step)
	return slices.ContainsFunc(later, func(text string) bool {
		return slices.ContainsFunc(prose.Parts(text), func(p prose.Part) bool { return slices.ContainsFunc(p.Lines, s.doneIn) })
	})
}

// stepShare is the share of what a step is about that a sentence has to name. Of two or three words it is all.
const stepShare = 0.75

// step is a step in words: what is to be done, and with what.
type step struct {
	deed  string
	about []string
}

// stepLeads stand before the deed.
var stepLeads = []string{
	"then", "do", "left", "remains", "remaining", "also", "next", "finally", "and", "to", "todo", "still", "first", "please", "we", "i",
	"should", "must", "need", "needs", "now", "maybe",
}

// stepNotDone are words of a sentence about a step that was not taken.
var stepNotDone = []string{
	"not", "never", "cannot", "can't", "won't", "don't", "doesn't", "didn't", "couldn't", "wouldn't", "shouldn't", "haven't", "hasn't", "hadn't",
	"isn't", "aren't", "wasn't", "weren't", "nobody", "skipped", "instead of", "failed to",
}

func newStep(text string) (s step) {
	words := plainStepWords(text)
	for len(words) > 1 && slices.Contains(stepLeads, words[0]) {
		words = words[1:]
	}
	if len(words) > 0 && words[0][0] < utf8.RuneSelf { // scripts without blanks have no first word
		s.deed = words[0]
	}
	for word := range prose.DistinctWords(text) {
		if word != s.deed && !slices.Contains(stepLeads, word) {
			s.about = append(s.about, word)
		}
	}
	return s
}

func plainStepWords(text string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(text), "’", "'"), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
}

// doneIn reports whether a sentence says that the step was taken, or is left once more.
func (s step) doneIn(sentence string) bool {
	words := plainStepWords(sentence)
	plain := " " + strings.Join(words, " ") + " "
	if slices.ContainsFunc(stepNotDone, func(not string) bool { return strings.Contains(plain, " "+not+" ") }) {
		return false
	}
	if s.deed != "" && !slices.ContainsFunc(words, func(w string) bool { return sameDeed(s.deed, w, len(s.about) == 0) }) {
		return false
	}
	said := prose.DistinctWords(sentence)
	matched := 0
	for _, word := range s.about {
		if said[word] || slices.ContainsFunc(words, func(w string) bool { return sameStem(word, w) }) {
			matched++
		}
	}
	return float64(matched) >= stepShare*float64(len(s.about))
}

// sameDeed knows a verb again in another form: describe and describes, write and wrote, run and ran. Where the verb is all there
// is, it must be more than its beginning.
func sameDeed(one, other string, alone bool) bool {
	if one == other || sameStem(one, other) {
		return true
	}
	if alone || other[0] != one[0] {
		return false
	}
	return consonants(one) == consonants(other)
}

// sameStem says that two words differ in their ending only: migrate and migration, parser and parsers.
func sameStem(one, other string) bool {
	const stem, ending = 3, 3
	n := 0
	for n < len(one) && n < len(other) && one[n] == other[n] {
		n++
	}
	return n >= stem && len(one)-n <= ending && len(other)-n <= ending && (n > stem || len(one) == n || len(other) == n)
}

func consonants(word string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("aeiou", r) {
			return -1
		}
		return r
	}, word)
}
