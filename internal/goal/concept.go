package goal

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Concepts are the words of a text that say most about it: those it repeats, then those it says first. The most frequent
// weighs 1, one that is said once among it no less than the square root of its share: a title of different words gives
// each of them 1.
func Concepts(words []string, most int) []memory.Concept {
	count := map[string]int{}
	first := map[string]int{}
	top := 0
	for i, w := range words {
		if w == "" {
			continue
		}
		if count[w]++; count[w] == 1 {
			first[w] = i
		}
		top = max(top, count[w])
	}
	concepts := make([]memory.Concept, 0, len(count))
	for w, n := range count {
		concepts = append(concepts, memory.Concept{Word: w, Weight: math.Sqrt(float64(n) / float64(top))})
	}
	slices.SortFunc(concepts, func(a, b memory.Concept) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(first[a.Word], first[b.Word]))
	})
	return concepts[:min(len(concepts), max(most, 0))]
}

// ConceptsMost is how many words a goal is compared by: those of its title and what a few sessions add.
const ConceptsMost = 24

const (
	grownMost    = 0.5 // weight of a word that sessions added: what was said counts more than what was done
	grownStep    = 0.1 // added to it by one session; after five the word belongs to the goal
	mentionShare = 0.5 // of a goal's words that a prompt must contain to mention it; a false mention triples a goal
)

// About is what a goal is about: the words of its title, and below them those of what is said beyond it, so that a long text
// makes it no less the goal of its title.
func About(title, text string, terms Terms) []memory.Concept {
	concepts := Concepts(terms(title), ConceptsMost)
	for _, c := range Concepts(terms(text), ConceptsMost) {
		if len(concepts) < ConceptsMost && !slices.ContainsFunc(concepts, func(known memory.Concept) bool { return known.Word == c.Word }) {
			concepts = append(concepts, memory.Concept{Word: c.Word, Weight: c.Weight * grownMost})
		}
	}
	return concepts
}

// Grow adds what a session that worked on a goal was about: each word that was met grows by a step up to a limit below
// the words of the title, which keep their weight. The lightest words go when there are too many; of equals the later ones.
func Grow(g memory.Goal, session []string) memory.Goal {
	grown := slices.Clone(g.Concepts)
	place := map[string]int{}
	for i, c := range grown {
		place[c.Word] = i
	}
	met := map[string]bool{}
	for _, w := range session {
		if w == "" || met[w] {
			continue
		}
		met[w] = true
		i, known := place[w]
		if !known {
			i, place[w] = len(grown), len(grown)
			grown = append(grown, memory.Concept{Word: w})
		}
		if c := &grown[i]; c.Weight < grownMost {
			c.Weight = min(c.Weight+grownStep, grownMost)
		}
	}
	slices.SortStableFunc(grown, func(a, b memory.Concept) int { return cmp.Compare(b.Weight, a.Weight) })
	g.Concepts = grown[:min(len(grown), ConceptsMost)]
	return g
}

// Mentions reports whether words of a person speak of a goal: enough of what it is about is among them, and not by one
// common word. A goal of a single word is meant when that word is said.
func Mentions(prompt []string, g memory.Goal) bool {
	said := map[string]bool{}
	for _, w := range prompt {
		said[w] = true
	}
	shared, whole, hits, own := 0.0, 0.0, 0, 0
	for _, c := range g.Concepts {
		// What sessions added is too wide to show that somebody means this goal.
		if c.Weight <= grownMost {
			continue
		}
		own++
		whole += c.Weight
		if said[c.Word] {
			shared += c.Weight
			hits++
		}
	}
	return hits >= min(own, 2) && hits > 0 && shared >= mentionShare*whole
}

// Likeness is the weighted Jaccard of two lists of concepts: what both weigh of what either weighs, 0 to 1.
func Likeness(a, b []memory.Concept) float64 {
	weights := map[string][2]float64{}
	for i, list := range [...][]memory.Concept{a, b} {
		for _, c := range list {
			w := weights[c.Word]
			w[i] = max(w[i], unit(c.Weight))
			weights[c.Word] = w
		}
	}
	both, either := 0.0, 0.0
	for _, word := range slices.Sorted(maps.Keys(weights)) { // sums of floating-point numbers depend on the order
		w := weights[word]
		both += min(w[0], w[1])
		either += max(w[0], w[1])
	}
	if either == 0 {
		return 0
	}
	return both / either
}

// Two goals are the same from these similarities on; calibrated on tables of pairs and public session traces.
const (
	sameWords     = 0.75 // of their words
	sameWordsNear = 0.4  // of their words, if their embeddings are near
	sameCosine    = 0.88 // from which on embeddings are near
)

// Same reports whether two goals are one by meaning. cosine gives that of their vectors and whether both have one; it may be
// nil. Words alone need to agree almost whole, and one goal only adds to the other; fewer are enough where the meanings are
// near. Meaning alone is not enough: vectors of short texts are near for all that speak of one trade.
func Same(a, b memory.Goal, cosine func(a, b memory.Goal) (float64, bool)) bool {
	if a.Project != b.Project || opposed(a.Title, b.Title) {
		return false
	}
	if t := oneLine(a.Title); t != "" && strings.EqualFold(t, oneLine(b.Title)) {
		return true
	}
	// What sessions added would make goals of one piece of work the same.
	x, y := own(a), own(b)
	beyondX, beyondY := beyond(y, x), beyond(x, y)
	if beyondX == 1 && beyondY == 1 {
		return false // one word stands in place of another: "add retries to the client", "add timeouts to the client"
	}
	words := Likeness(x, y)
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
func beyond(a, b []memory.Concept) (n int) {
	for _, c := range a {
		if !slices.ContainsFunc(b, func(known memory.Concept) bool { return known.Word == c.Word }) {
			n++
		}
	}
	return n
}

// own are the concepts that a goal was stated with.
func own(g memory.Goal) []memory.Concept {
	return slices.DeleteFunc(slices.Clone(g.Concepts), func(c memory.Concept) bool { return c.Weight <= grownMost })
}

// union is a list with what another has beyond it, in order.
func union[T comparable](a, b []T) []T {
	joined := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(joined, x) {
			joined = append(joined, x)
		}
	}
	return joined
}

var (
	// denials turn a wish round; terms of texts leave most of them out.
	denials = set(`not no never without stop avoid cannot don't doesn't shouldn't won't can't isn't remove delete drop disable
		revert undo forbid`)
	// opposites are words of which a goal means one and not the other, two by two.
	opposites = pairs(`enable disable add remove before after read write reader writer client server input output push pull import
		export importer exporter encode decode encoder decoder increase decrease upload download open close start stop lock unlock
		left right min max minimum maximum upgrade downgrade encrypt decrypt compress decompress show hide install uninstall`)
)

// pairs maps each of two neighbours in a list to the other.
func pairs(list string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		words := strings.Fields(list)
		opposite := map[string]string{}
		for i := 0; i+1 < len(words); i += 2 {
			opposite[words[i]], opposite[words[i+1]] = words[i+1], words[i]
		}
		return opposite
	})
}

// opposed reports whether two titles differ in a denial, in a number or version, or in that one says the opposite of a word of
// the other: then they are different goals, however alike their other words are.
func opposed(a, b string) bool {
	turns := func(x, y []string) bool {
		return slices.ContainsFunc(x, func(w string) bool {
			turned := denials.has(w) || strings.ContainsAny(w, "0123456789") || slices.Contains(y, opposites()[w])
			return turned && !slices.Contains(y, w)
		})
	}
	x, y := plainWords(a), plainWords(b)
	return turns(x, y) || turns(y, x)
}

// plainWords are the words of a line in small letters, without the signs around them.
func plainWords(line string) []string {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(line, "’", "'")))
	for i, w := range words {
		words[i] = strings.Trim(w, edges)
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// edges are signs that stand around a word and are no part of it.
const edges = ".,;:!?()[]{}<>\"'`*_…—–“”‘’«»"
