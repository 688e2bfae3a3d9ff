package statements

import (
	"slices"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// term is a word of a text, once.
type term struct {
	word   string
	weight float64 // how much it tells
	plain  bool    // it is plain English: the general table has it
}

func termsOf(text string) (list []term) {
	for _, w := range vocab.TextWords(text) {
		if slices.ContainsFunc(list, func(t term) bool { return t.word == w }) {
			continue
		}
		row := embedding.GeneralRow(w)
		list = append(list, term{w, embedding.WordWeight(w, row), row != nil})
	}
	return list
}

// Told is how much words tell together. Row gives the vector of a word, as embedding.GeneralRow.
func Told(cut []string, row func(word string) []float32) (weight float64) {
	for i, w := range cut {
		if !slices.Contains(cut[:i], w) {
			weight += embedding.WordWeight(w, row(w))
		}
	}
	return weight
}

const everyday = 1.0 // weight of a word that stands in many prompts

// tells is how much a word says about the subject of a sentence.
func (t term) tells() float64 {
	switch {
	case saying()[t.word] || ordering()[t.word]:
		return 0
	case frequent()[t.word]:
		return min(everyday, t.weight)
	}
	return t.weight
}

// saying are stems of words with which people speak of what they said, ordering of those with which they give or change an order. Neither
// is a subject. Frequent are those that stand in many prompts, whatever they are about.
var (
	saying   = stemsOf("rule rules remember memory memories said told noted forget preference")
	ordering = stemsOf("please always never ever again anymore longer instead drop scrap rid wrong correct outdated")
	frequent = stemsOf(`about add after again agent all also any as before both branch by can change changes check checkpoint claude code
		commit commits context could do does each error file files first fix following from get git go has have how if implement instead just last
		let like line look make me more my need never new no not now one only other our out plan please pr prompt repo review right run same see
		session sessions should so still test tests them then there think this too two up update use user want was we what when where which why
		will with would write you`)
)

// SameSubject reports whether two texts have a word in common that tells what they are about.
func SameSubject(a, b string) bool {
	other := termsOf(b)
	return slices.ContainsFunc(termsOf(a), func(t term) bool {
		return t.tells() > everyday && slices.ContainsFunc(other, func(o term) bool { return o.word == t.word })
	})
}

// Negates reports whether a text has a word that negates.
func Negates(text string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(strings.ReplaceAll(text, "’", "'"))), func(w string) bool {
		w = strings.Trim(w, ".,;:!?()[]{}\"'`*")
		return slices.Contains(negations, w) || strings.HasSuffix(w, "n't")
	})
}

var negations = strings.Fields("no not never without nothing none dont cannot stop")

// names counts the words of a text that say what it is about.
func names(text string) (n int) {
	for word := range strings.FieldsSeq(text) {
		if slices.ContainsFunc(termsOf(word), func(t term) bool { return t.tells() > everyday }) {
			n++
		}
	}
	return n
}

const namesLeast = 3 // words that tell something, from which on a sentence is understood although it refers to another

// pointing are words that stand for something else, as the subject of a sentence also before these verbs.
var (
	pointing      = strings.Fields("it its it's this that that's these those them they they're him her he she")
	verbs         = strings.Fields("is isn't are aren't was wasn't were has have should shouldn't must mustn't can can't could will won't would may might needs need does doesn't means")
	joining       = strings.Fields("again also and because but just or so then")   // a sentence to the one before
	places        = strings.Fields("app codebase library project repo repository") // that a session is in
	opening       = strings.Fields("remember mind decided agreed prefer so")       // what follows is a clause
	demonstrative = strings.Fields("this that that's these those")
	subjects      = strings.Fields("a an the i we you he she it they there our my your cannot do don't")
	leaning       = strings.Fields("above below else same such") // on what was said before
)

// Alone reports whether a sentence is understood by itself: none of its words stands for something that was said before it.
func Alone(text string) bool { return !refers(text) && names(text) > 0 }

// refers reports whether a word of a sentence stands for something that was said before it.
func refers(text string) bool {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(text, "’", "'")))
	for i, word := range words {
		next := ""
		words[i] = strings.Trim(word, ".,;:!?()\"'`“”")
		if i+1 < len(words) {
			next = strings.Trim(words[i+1], ".,;:!?()\"'`“”")
		}
		switch word = words[i]; {
		case i == 0 && slices.Contains(joining, word):
			return true
		case word == "this" && slices.Contains(places, next):
		case word == "that" && i > 0 && slices.Contains(opening, words[i-1]): // "we decided that"
		case word == "that" && (slices.Contains(verbs, next) || slices.Contains(subjects, next)): // "a file that is new", "so that we see"
		case slices.Contains(demonstrative, word), slices.Contains(leaning, word):
			return true
		case slices.Contains(pointing, word) && names(strings.Join(words[:i], " ")) < namesLeast-1:
			return true
		}
	}
	return false
}

// filler are words with which people begin to speak and that say nothing; those of the second list only before a comma or another sign.
var (
	filler    = strings.Fields("ok okay yeah yep hm hmm hmmm oh ah and but also btw please pls anyway actually")
	fillerCut = strings.Fields("no yes well right wait sorry so then nope sure great thanks cool nice perfect alright")
)

// ending are words with which people end a sentence politely.
var ending = []string{"please", "pls", "thanks", "thank you", "ok?", "okay?", "right?"}

// trimFiller takes the words off a sentence that say nothing: "hm, no, please", brackets around it, and thanks at its end.
func trimFiller(text string) string {
	const signs = " ,:;.!…-–"
	for {
		before := text
		text = strings.TrimSpace(text)
		if inner, ok := strings.CutPrefix(text, "("); ok && strings.IndexByte(inner, ')') == len(inner)-1 {
			text = inner[:len(inner)-1]
		}
		word, rest, _ := strings.Cut(text, " ")
		bare := strings.ToLower(strings.TrimRight(word, signs))
		if slices.Contains(filler, bare) || slices.Contains(fillerCut, bare) && (bare != strings.ToLower(word) || startsWithFiller(rest)) {
			text = strings.TrimLeft(rest, signs)
		}
		for _, end := range ending {
			if cut := strings.TrimRight(text, " .!"); len(cut) > len(end) && strings.EqualFold(cut[len(cut)-len(end):], end) {
				if kept := strings.TrimRight(cut[:len(cut)-len(end)], " "); strings.HasSuffix(kept, ",") || strings.HasSuffix(kept, ".") {
					text = strings.TrimRight(kept, ",")
				}
			}
		}
		if text == before || text == "" {
			return before
		}
	}
}

func startsWithFiller(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return slices.Contains(fillerCut, strings.ToLower(strings.TrimRight(word, ",:;.!")))
}

func stemsOf(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for _, w := range vocab.TextWords(words) {
			set[w] = true
		}
		return set
	})
}
