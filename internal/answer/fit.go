package answer

import (
	"cmp"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/encoder"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// How well a statement fits a prompt: the log-odds that the prompt needs it.
const (
	ofShare       = 3.567  // of the root of the share of words in common with the nearest sentence of the prompt
	ofPhrases     = 0.467  // of the logarithm of the neighbouring words in common: names, commands, paths
	ofMeaning     = 2.981  // of the cosine of both, above what is usual
	ofNothing     = -3.579 // where nothing is in common
	sure          = 0.3    // probability from which a statement is shown
	most          = 3      // statements that a prompt is shown at most
	closest       = 4      // statements whose meaning is compared: each costs some milliseconds
	fewest        = 50     // a smaller number of statements counts as so many where words are weighed
	sameText      = 0.8    // of a statement's words; a prompt with more of them says the same itself
	usual         = 0.55   // cosine of two sentences that share some words
	near          = 0.3    // few statements are nearer than that, above what is usual
	mostSentences = 30     // sentences of a prompt that are compared; what follows is a text that somebody pasted
)

// Choice is a statement that a prompt may need.
type Choice struct {
	Index       int // among the statements
	Probability float64
	odds        float64 // by the words
	nearest     string  // sentence of the prompt
}

// Needed returns the statements that a prompt needs, at most three, the likeliest first.
func Needed(prompt string, lines []string) []Choice {
	list := slices.DeleteFunc(Likeliest(prompt, lines, closest), func(c Choice) bool { return c.Probability < sure })
	return list[:min(len(list), most)]
}

// Likeliest returns the statements that a prompt is likeliest to need, up to a number. The meaning is compared only where the words are
// nearly enough. A word counts by how much it tells and by how few of the statements have it.
func Likeliest(prompt string, lines []string, number int) []Choice {
	list, sentences, count := make([]words, len(lines)), []words{cut(prompt)}, map[string]int{}
	for i, s := range lines {
		list[i] = cut(s)
		for _, w := range list[i].distinct {
			count[w]++
		}
	}
	parsed := statements.Sentences(prompt)
	for _, s := range parsed[:min(len(parsed), mostSentences)] {
		sentences = append(sentences, cut(prompt[s.Start:s.End]))
	}
	all, weight := math.Log(2*float64(max(fewest, len(lines)))), weights{}
	for _, some := range [][]words{list, sentences} {
		for i := range some {
			for _, w := range some[i].distinct {
				if _, ok := weight[w]; !ok {
					weight[w] = embedding.WordWeight(w, embedding.GeneralRow(w)) * max(0, 1-math.Log(2*float64(count[w])+1)/all)
				}
				some[i].weight += weight[w]
			}
		}
	}
	choices := make([]Choice, len(list))
	for i := range list {
		choices[i] = weight.compare(&list[i], sentences)
		choices[i].Index, choices[i].Probability = i, probability(choices[i].odds+ofMeaning*near)
	}
	descending := func(a, b Choice) int { return cmp.Compare(b.Probability, a.Probability) }
	slices.SortStableFunc(choices, descending)
	choices = choices[:min(len(choices), number)]
	for i, c := range choices {
		if c.Probability < sure {
			break
		}
		a, known := encoder.Encode(lines[c.Index])
		b, english := encoder.Encode(c.nearest)
		if known && english {
			c.odds += ofMeaning * (a.Cos(&b) - usual)
		}
		choices[i].Probability = probability(c.odds)
	}
	slices.SortStableFunc(choices, descending)
	return choices
}

func probability(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }

// words are a text as it is compared.
type words struct {
	text     string
	order    []string
	distinct []string // sorted
	weight   float64  // of the distinct words
}

func cut(text string) words {
	t := words{text: text, order: vocab.TextWords(text)}
	t.distinct = slices.Compact(slices.Sorted(slices.Values(t.order)))
	return t
}

// weights has the weight of each word.
type weights map[string]float64

// compare looks for the nearest of the sentences of a prompt. The first one is the whole prompt.
func (w weights) compare(statement *words, sentences []words) Choice {
	nearest, best := &sentences[0], 0.0
	for i := range sentences {
		shared := 0.0
		for _, word := range statement.distinct {
			if _, ok := slices.BinarySearch(sentences[i].distinct, word); ok {
				shared += w[word]
			}
		}
		if shared > sameText*statement.weight {
			return Choice{odds: math.Inf(-1)}
		}
		if share := 2 * shared / (statement.weight + sentences[i].weight + 1); share > best {
			best, nearest = share, &sentences[i]
		}
	}
	together := 0.0
	for i := 1; best > 0 && i < len(statement.order); i++ {
		a, b := statement.order[i-1], statement.order[i]
		for k := 1; a != b && k < len(nearest.order); k++ {
			if nearest.order[k-1] == a && nearest.order[k] == b {
				together += min(w[a], w[b])
				break
			}
		}
	}
	return Choice{odds: ofNothing + ofShare*math.Sqrt(best) + ofPhrases*math.Log1p(together), nearest: nearest.text}
}
