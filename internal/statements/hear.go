package statements

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Kind says what sort of statement it is.
type Kind string

const (
	Preference Kind = "preference" // how the person likes to work or to be answered
	Rule       Kind = "rule"       // what always or never holds in this project
	Decision   Kind = "decision"   // what was chosen, dropped or renamed
	Correction Kind = "correction" // what the agent had wrong
	Fact       Kind = "fact"       // what the code alone does not say
	Later      Kind = "later"      // put off
	Lesson     Kind = "lesson"     // why something failed, or does not work
)

// Kinds are those of a person's statements, ClosingKinds those of an agent's, in the order of the models.
var (
	Kinds        = []Kind{Preference, Rule, Decision, Correction, Fact, Later}
	ClosingKinds = []Kind{Decision, Lesson}
)

// Prompt is a text that a person typed.
type Prompt struct {
	Text  string
	Index int // of the prompt in its session, from 0; 0 where it does not count
}

// Statement is a sentence of a prompt that is worth keeping.
type Statement struct {
	Start, End  int // bytes of the prompt's text
	Quote       string
	Kind        Kind
	Probability float64
	Doubtful    bool // it may be somebody else's words
	Maybe       bool // it may matter later, or not: whoever says it again means it
}

// A pasted plan or log is somebody else's text for the most part: few of its sentences are taken.
const (
	pastedBytes = 1500
	pastedLines = 15
	fromPasted  = 2
	// english is the share of common words below which a sentence is in another language, or is no sentence. 2 % of the sentences of the public
	// prompts are below it when the common words are those of the made-up prompts alone. A test has sentences of seven languages.
	english = 0.4
)

// Statements returns the statements of a prompt above the threshold of the model, in the order of the text.
func Statements(p Prompt) []Statement {
	found := model().above(p)
	if len(p.Text) > pastedBytes || strings.Count(p.Text, "\n") >= pastedLines {
		found = likeliest(found, fromPasted)
	}
	return found
}

// Score judges every sentence of a prompt by the model that comes with the program.
func Score(p Prompt) []Statement { return model().score(p, askedFor) }

// likeliest are the statements with the highest probability, in the order of the text.
func likeliest(found []Statement, most int) []Statement {
	if len(found) > most {
		slices.SortStableFunc(found, func(a, b Statement) int { return cmp.Compare(b.Probability, a.Probability) })
		found = found[:most]
		slices.SortFunc(found, func(a, b Statement) int { return a.Start - b.Start })
	}
	return found
}

// above are the statements of a text above the threshold.
func (m *Model) above(p Prompt) []Statement {
	return slices.DeleteFunc(m.score(p, askedFor), func(s Statement) bool { return s.Probability < m.Threshold })
}

// Score judges every sentence of a prompt by the weights alone.
func (m *Model) Score(p Prompt) []Statement { return m.score(p, 0) }

// score judges every sentence of a prompt; one that asks to be kept has a probability of asked at least. Those below the threshold have no kind.
func (m *Model) score(p Prompt, asked float64) []Statement {
	t := Parse(p)
	scored := make([]Statement, 0, len(t.Sentences))
	for i, s := range t.Sentences {
		if m.Skips(s) {
			continue
		}
		z := m.Bias
		t.Features(i, m.Frequent, func(f Feature) {
			z += m.weight(f.Hash) * f.Value
		})
		if len(m.Vector) > 0 && z >= m.Look {
			z += m.meaning(p.Text[s.Start:s.End])
		}
		found := Statement{Start: s.Start, End: s.End, Quote: p.Text[s.Start:s.End], Probability: 1 / (1 + math.Exp(-z)), Doubtful: s.Doubtful}
		if asksToKeep(s.words) {
			found.Probability = max(found.Probability, asked)
		}
		found.Maybe = found.Probability < m.Sure
		if found.Probability >= m.Threshold {
			found.Kind = m.kind(t, i)
		}
		scored = append(scored, found)
	}
	return scored
}

// Skips reports whether a sentence is not judged: it is in another language, or names nothing and does not ask to be kept.
func (m *Model) Skips(s Sentence) bool {
	return m.unknown(s.words) || !asksToKeep(s.words) && m.empty(s.words)
}

// unknown reports whether a sentence has hardly any words that are common in English prompts.
func (m *Model) unknown(words []string) bool {
	known, all := 0, 0
	for _, w := range words {
		switch {
		case m.common[w] || w == "i" || w == "a" || isClass(w):
			known++
			all++
		case len(w) > 1 || w >= "a":
			all++
		}
	}
	return all == 0 || float64(known) < english*float64(all)
}

// empty reports whether a sentence names nothing: "no, not like that" makes no sense in another session.
func (m *Model) empty(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return isClass(w) || len(w) > 2 && !m.Frequent[w] })
}

// askedFor is the probability of a sentence that asks to be kept.
const askedFor = 0.75

// keeping are words with which people say that something holds from then on. They are plain English and were not taken from labels.
var keeping = []string{
	" from now on ", " going forward ", " in the future ", " for future reference ", " keep in mind ", " remember that ", " remember this ", " remember : ", " please remember ", " remind me to ",
}

// General reports whether a sentence says that it holds from then on, or in general, and names no code, file, address or number.
func General(sentence string) bool {
	list := words(sentence)
	return asksToKeep(list) && !slices.ContainsFunc(list, isClass)
}

// asksToKeep reports whether a sentence says that it holds from then on, or in general. A question does not.
func asksToKeep(words []string) bool {
	if slices.Contains(words, "?") || len(words) < 3 {
		return false
	}
	sentence := " " + strings.Join(words, " ") + " "
	return slices.ContainsFunc(keeping, func(w string) bool { return strings.Contains(sentence, w) }) || isGeneral(words)
}

// isGeneral reports whether a sentence has a form of a general order, preference or decision: "always run it", "we never squash", "every
// module needs a test", "I prefer tabs", "we agreed on it". "It always fails" and "never mind" are none. The
// labelled prompts hardly have such sentences, so the model cannot learn them; the forms are plain English and were not taken from labels.
func isGeneral(words []string) bool {
	for len(words) > 0 && slices.Contains(leadIns, words[0]) {
		words = words[1:]
	}
	if len(words) < 3 {
		return false
	}
	switch first, second := words[0], words[1]; first {
	case "always", "never":
		return !reports(second)
	case "don't", "dont":
		return second == "ever"
	case "i":
		return second == "prefer" || (second == "always" || second == "never") && words[2] == "want"
	case "we":
		return second == "decided" || second == "agreed" || (second == "always" || second == "never") && !reports(words[2])
	case "prefer":
		return true
	case "every", "each":
		return slices.ContainsFunc(words, func(w string) bool { return w == "must" || w == "needs" || w == "should" })
	}
	return false
}

// reports tells a report of what happens from an order by the word after always or never: "always shows", "never got", "always the same".
func reports(word string) bool {
	return slices.Contains(reporting, word) || strings.HasSuffix(word, "ed") || strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss")
}

var (
	leadIns   = []string{"please", "pls", "and", "also", "but", "so", "ok", "okay", "oh", "again", ",", ":"}
	reporting = []string{"mind", "the", "a", "an", "this", "that", "it", "been", "seen", "get", "got", "had", "have", "see", "saw", "found", "happen", "fail", "knew"}
)
