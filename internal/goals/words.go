package goals

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Terms cuts text into the terms that are compared. It belongs to the caller.
type Terms func(text string) []string

// Concepts are the words of a text that say most about it: those it repeats, then those it says first. The most frequent weighs 1, the
// others the square root of their share of it.
func Concepts(words []string, most int) []memory.Concept {
	count, top := map[string]int{}, 0
	var order []string
	for _, w := range words {
		if count[w]++; count[w] == 1 {
			order = append(order, w)
		}
		top = max(top, count[w])
	}
	concepts := make([]memory.Concept, len(order))
	for i, w := range order {
		concepts[i] = memory.Concept{Word: w, Weight: math.Sqrt(float64(count[w]) / float64(top))}
	}
	slices.SortStableFunc(concepts, func(a, b memory.Concept) int { return cmp.Compare(b.Weight, a.Weight) })
	return concepts[:min(len(concepts), max(most, 0))]
}

const (
	ConceptsMost = 24  // words that a goal is compared by
	textMost     = 0.5 // weight of a word that the title does not have
	mentionShare = 0.5 // of a goal's words that a prompt must contain to mention it; a false mention triples a goal
)

// About is what a goal is about: the words of its title, and below them those of what is said beyond it.
func About(title, text string, terms Terms) []memory.Concept {
	concepts := Concepts(terms(title), ConceptsMost)
	for _, c := range Concepts(terms(text), ConceptsMost) {
		if len(concepts) < ConceptsMost && !holds(concepts, c) {
			concepts = append(concepts, memory.Concept{Word: c.Word, Weight: c.Weight * textMost})
		}
	}
	return concepts
}

// own are the concepts of a goal's title.
func own(g memory.Goal) []memory.Concept {
	return slices.DeleteFunc(slices.Clone(g.Concepts), func(c memory.Concept) bool { return c.Weight <= textMost })
}

func holds(list []memory.Concept, one memory.Concept) bool {
	return slices.ContainsFunc(list, func(c memory.Concept) bool { return c.Word == one.Word })
}

// Mentions reports whether words of a person speak of a goal: enough of its title is among them, and more than one word if it has more.
func Mentions(prompt []string, g memory.Goal) bool {
	shared, whole, hits := 0.0, 0.0, 0
	title := own(g)
	for _, c := range title {
		whole += c.Weight
		if slices.Contains(prompt, c.Word) {
			shared += c.Weight
			hits++
		}
	}
	return hits > 0 && hits >= min(len(title), 2) && shared >= mentionShare*whole
}

// weighed is a list of concepts, and the sum of their weights.
type weighed struct {
	list    []memory.Concept
	weights map[string]float64
	whole   float64
}

func weigh(list []memory.Concept) weighed {
	w := weighed{list: list, weights: make(map[string]float64, len(list))}
	for _, c := range list {
		w.weights[c.Word] = c.Weight
		w.whole += c.Weight
	}
	return w
}

// likeness is the weighted Jaccard of two lists of concepts, what both weigh of what either weighs, and what both have.
func likeness(a, b weighed) (share float64, shared []memory.Concept) {
	both := 0.0
	for _, c := range a.list {
		if w := min(c.Weight, b.weights[c.Word]); w > 0 {
			both += w
			shared = append(shared, memory.Concept{Word: c.Word, Weight: w})
		}
	}
	if both == 0 {
		return 0, nil
	}
	return min(both/(a.whole+b.whole-both), 1), shared
}

// Two goals are the same from these similarities on; calibrated on tables of pairs and public session traces.
const (
	sameWords     = 0.75 // of their words
	sameWordsNear = 0.4  // of their words, if their embeddings are near
	sameCosine    = 0.88 // from which on embeddings are near
)

// Same reports whether two goals are one by meaning: their words agree almost whole, and one only adds to the other; fewer words are
// enough where the meanings are near. cosine gives that of their vectors and whether both have one; it may be nil.
func Same(a, b memory.Goal, cosine func(a, b memory.Goal) (float64, bool)) bool {
	if a.Project != b.Project || opposed(a.Title, b.Title) {
		return false
	}
	if t := prose.OneLine(a.Title); t != "" && strings.EqualFold(t, prose.OneLine(b.Title)) {
		return true
	}
	x, y := own(a), own(b)
	beyondX, beyondY := beyond(y, x), beyond(x, y)
	if beyondX == 1 && beyondY == 1 {
		return false // one word stands in place of another: "add retries to the client", "add timeouts to the client"
	}
	words, _ := likeness(weigh(x), weigh(y))
	if words >= sameWords && min(beyondX, beyondY) == 0 {
		return true
	}
	if cosine == nil || words < sameWordsNear {
		return false
	}
	near, known := cosine(a, b)
	return known && near >= sameCosine
}

// beyond counts the concepts that a has and b has not.
func beyond(a, b []memory.Concept) int {
	return len(slices.DeleteFunc(slices.Clone(a), func(c memory.Concept) bool { return holds(b, c) }))
}

// Union is a list with more that it has not yet.
func Union[T comparable](list []T, more ...T) []T {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// denials turn a wish round; terms of texts leave most of them out.
const denials = " not no never without stop avoid cannot don't doesn't shouldn't won't can't isn't remove delete drop disable revert undo forbid "

// opposed reports whether two titles differ in a denial, in a number or in a version: then they are different goals, however alike their
// other words are.
func opposed(a, b string) bool {
	turns := func(x, y []string) bool {
		return slices.ContainsFunc(x, func(w string) bool {
			return (among(denials, w) || strings.ContainsAny(w, "0123456789")) && !slices.Contains(y, w)
		})
	}
	x, y := plainWords(a), plainWords(b)
	return turns(x, y) || turns(y, x)
}

func among(list, word string) bool { return strings.Contains(list, " "+word+" ") }

// plainWords are the words of a line in small letters, without the signs around them.
func plainWords(line string) []string {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(line, "’", "'")))
	for i, w := range words {
		words[i] = strings.Trim(w, ".,;:!?()[]{}<>\"'`*_…—–“”‘’«»")
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// FromNext reads the steps that somebody left on purpose: each line of the list is one. A line that says that nothing is left, or how
// many were left out, is none.
func FromNext(next string, terms Terms) (found []memory.Goal) {
	for _, line := range prose.Items(next) {
		line = prose.TrimMarks(strings.TrimSpace(strings.TrimPrefix(line, "Next:")))
		items := []string{line}
		if utf8.RuneCountInString(line) > titleMost {
			items = prose.Sentences(line)
		}
		for _, item := range items {
			if g, ok := Step(item, terms); ok && !nothingLeft(item) &&
				!slices.ContainsFunc(found, func(known memory.Goal) bool { return strings.EqualFold(known.Title, g.Title) }) {
				found = append(found, g)
			}
		}
	}
	return found
}

// Step makes a goal of what somebody put off. It is false for words that are about nothing.
func Step(text string, terms Terms) (memory.Goal, bool) {
	title := strings.TrimRight(strings.Trim(prose.OneLine(strings.TrimPrefix(text, "[ ]")), " *_"), ".,;: ")
	g := memory.Goal{Kind: memory.GoalNext, Title: prose.Clause(title, titleMost), Text: text, Concepts: Concepts(terms(title), ConceptsMost)}
	return g, title != "" && len(g.Concepts) > 0
}

// empties are the words of a line that says that nothing is left, or how many were left out: "no open points", "and 3 more".
const empties = " none nothing n/a na nil done no and more left to do open further remaining outstanding next todo todos follow-up follow-ups points steps tasks items issues "

// nothingLeft reports whether a line of a list says no more than that there is nothing, or is ticked off.
func nothingLeft(line string) bool {
	says := slices.ContainsFunc(plainWords(line), func(w string) bool { return !among(empties, w) && strings.Trim(w, "0123456789") != "" })
	return !says || strings.HasPrefix(strings.ToLower(line), "[x]") || strings.HasPrefix(line, "~~")
}
