package statements

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/prose"
)

// Kind says what sort of statement it is.
type Kind string

const (
	Preference Kind = "preference" // how the person likes to work or to be answered
	Rule       Kind = "rule"       // what always or never holds in this project
	Decision   Kind = "decision"   // what was chosen, dropped or renamed
	Fact       Kind = "fact"       // what the code alone does not say
)

// A form is a plain way to say what holds from then on. There are at most twenty, and they are English: what is said in other words is for
// the scribe to find, or for hebb remember.
type form struct {
	kind Kind
	// says are the words of the sentence in their order, from its first to its last. "…" stands for one word or more, and a|b for a or b.
	says string
}

var forms = []form{
	{Rule, "always …"},
	{Rule, "never …"},
	{Rule, "we always|never …"},
	{Rule, "… must|should always|never …"},
	{Rule, "every|each … must|should|needs …"},
	{Rule, "don't ever …"},
	{Rule, "don't … anymore"},
	{Rule, "from now on …"},
	{Rule, "… from now on"},
	{Rule, "rule: …"},
	{Rule, "use … instead of …"},
	{Decision, "we decided|agreed …"},
	{Decision, "decision: …"},
	{Decision, "we no longer …"},
	{Decision, "we don't … anymore"},
	{Preference, "i prefer …"},
	{Preference, "i always|never|don't want …"},
	{Fact, "remember that|to …"},
	{Fact, "remember: …"},
	{Fact, "keep in mind …"},
}

const (
	formLeast = 3   // words of a statement
	formTerms = 2   // of these that are about something
	formMost  = 240 // bytes; a longer sentence is no plain form
)

// Plain reads a sentence that the person typed. It returns the sentence without the words around it that say nothing if it has one of the
// forms and is understood by itself.
func Plain(sentence string) (kind Kind, text string, ok bool) {
	text = trimFiller(prose.OneLine(sentence))
	words := formWords(text)
	if len(words) < formLeast || len(text) > formMost || strings.Contains(text, "?") || strings.HasSuffix(text, ":") || slices.Contains(asking, words[0]) || refers(text) || fleeting(text) || len(termsOf(text)) < formTerms {
		return "", "", false
	}
	first := formWords(clause(text))
	for _, f := range forms {
		if says := strings.Fields(f.says); matches(says, words) || matches(says, first) {
			return f.kind, text, true
		}
	}
	return "", "", false
}

// soon is a time that ends by itself, in words that only the day of the sentence explains.
var soon = prose.Pattern(`(?i)\b(tonight|tomorrow|(until|till?|through|by|this|next|for) (the )?(end of|next|now|time being|weekend|week|month|sprint|(mon|tues|wednes|thurs|fri|satur|sun)day)|for (a|one|two|three|\d+) (day|week|month)s?)\b`)

// fleeting reports whether a sentence speaks of such a time: it would be told long after that.
func fleeting(text string) bool { return soon().MatchString(text) }

// asking are words with which a question begins that has no question mark.
var asking = strings.Fields("what how why when where who which should can could would will do does did is are")

// clause is the first clause of a sentence.
func clause(text string) string {
	first, _, _ := strings.Cut(strings.ReplaceAll(text, ";", ","), ",")
	return first
}

// formWords are the words of a sentence as forms have them.
func formWords(sentence string) []string {
	lower := strings.NewReplacer("’", "'", "dont ", "don't ", "do not ", "don't ", "any more", "anymore", "any longer", "anymore").Replace(strings.ToLower(sentence))
	words := strings.Fields(lower)
	for i, w := range words {
		words[i] = strings.Trim(w, ".,;!()\"'`*“”")
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// matches reports whether words are those of a form. After always and never it tells a report of what happens from an order.
func matches(form, words []string) bool {
	if len(form) == 0 || len(words) == 0 {
		return len(form) == len(words)
	}
	if form[0] == "…" {
		return slices.ContainsFunc(tails(words[1:]), func(rest []string) bool { return matches(form[1:], rest) })
	}
	if word := words[0]; !slices.Contains(strings.Split(form[0], "|"), word) && !slices.Contains(strings.Split(form[0], "|"), strings.TrimRight(word, ":")) ||
		(word == "always" || word == "never") && len(words) > 1 && reports(words[1]) {
		return false
	}
	return matches(form[1:], words[1:])
}

// tails are words from each of them on, and none.
func tails(words []string) (list [][]string) {
	for i := range len(words) + 1 {
		list = append(list, words[i:])
	}
	return list
}

// reports tells a report from an order by the word after always or never: "always shows", "never got", "always the same".
func reports(word string) bool {
	return slices.Contains(reporting, word) || strings.HasSuffix(word, "ed") || strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss")
}

var reporting = strings.Fields("mind the a an is this that it been seen get got had have see saw found happen fail knew")

// undone is what a sentence says in plain words no longer holds: the Y of "use X instead of Y", the X of "we don't X any more" and of
// "we no longer X". It is empty if it says no such thing.
func undone(sentence string) string {
	if _, text, ok := Plain(sentence); ok {
		words := formWords(clause(text))
		if len(words) < formLeast {
			return ""
		}
		switch at := slices.Index(words, "instead"); {
		case words[0] == "use" && at > 0:
			return strings.Join(words[min(at+2, len(words)):], " ")
		case len(words) > 3 && words[0] == "we" && words[1] == "no" && words[2] == "longer":
			return strings.Join(words[3:], " ")
		case words[len(words)-1] == "anymore" && slices.Contains(words[:2], "don't"):
			return strings.Join(words[slices.Index(words, "don't")+1:len(words)-1], " ")
		}
	}
	return ""
}
