package answer

import (
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/encoder"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// The features of a statement for a prompt. A word counts by how much it tells and by how few of the statements have it.
const (
	overlap = iota // weight of the words in common with the nearest sentence of the prompt, as a share of the words of both; its root
	phrase         // weight of the neighbouring words in common with it, as a logarithm: names, commands, paths
	meaning        // cosine of the statement and the nearest sentence, above what is usual; 0 if one is not English
	featureCount
)

// Features are those of one statement.
type Features [featureCount]float64

const (
	fewest        = 50   // a smaller number of statements counts as so many where words are weighed
	mostRepeated  = 0.8  // of a statement's words that a prompt may have: with more it says the same itself
	usual         = 0.55 // cosine of two sentences that share some words
	likeMeaning   = 0.3  // the meaning of a statement that is very like the sentence: few are more so
	mostSentences = 30   // of a prompt: what follows is a text that somebody pasted
)

// Fit is a statement beside a prompt.
type Fit struct {
	features           Features // but for the meaning
	repeated           bool     // the prompt says it itself
	statement, nearest string   // and the nearest sentence of the prompt
	vectors            map[string]*encoder.Vector
}

// words are a text as it is compared.
type words struct {
	text     string
	order    []string
	distinct []string // sorted
	weight   float64  // of the distinct words
}

func cut(text string) words {
	t := words{text: text, order: vocab.TextWords(text)}
	t.distinct = slices.Clone(t.order)
	slices.Sort(t.distinct)
	t.distinct = slices.Compact(t.distinct)
	return t
}

// weights has the weight of each word.
type weights map[string]float64

// Compare looks at the words that a prompt has in common with each of the statements.
func Compare(prompt string, lines []string, row func(word string) []float32) []Fit {
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
					weight[w] = statements.Told([]string{w}, row) * max(0, 1-math.Log(2*float64(count[w])+1)/all)
				}
				some[i].weight += weight[w]
			}
		}
	}
	fits, vectors := make([]Fit, len(list)), map[string]*encoder.Vector{}
	for i := range list {
		fits[i] = weight.compare(&list[i], sentences)
		fits[i].vectors = vectors
	}
	return fits
}

// compare looks for the nearest of the sentences of a prompt. The first one is the whole prompt.
func (w weights) compare(statement *words, sentences []words) Fit {
	f, nearest, best := Fit{statement: statement.text}, &sentences[0], 0.0
	for i := range sentences {
		s := &sentences[i]
		shared := w.shared(statement, s)
		f.repeated = f.repeated || shared > mostRepeated*statement.weight
		if share := 2 * shared / (statement.weight + s.weight + 1); share > best {
			best, nearest = share, s
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
	f.nearest, f.features[overlap], f.features[phrase] = nearest.text, math.Sqrt(best), math.Log1p(together)
	return f
}

// shared is the weight of the words that two texts have in common.
func (w weights) shared(a, b *words) (sum float64) {
	for _, word := range a.distinct {
		if _, ok := slices.BinarySearch(b.distinct, word); ok {
			sum += w[word]
		}
	}
	return sum
}

// Features are all of the statement's. To compare the meaning costs some milliseconds.
func (f *Fit) Features() Features {
	out := f.features
	if a, b := f.vector(f.statement), f.vector(f.nearest); a != nil && b != nil {
		out[meaning] = a.Cos(b) - usual
	}
	return out
}

// vector is the meaning of a sentence; nil if it is not English.
func (f *Fit) vector(text string) *encoder.Vector {
	known, ok := f.vectors[text]
	if !ok {
		if v, english := encoder.Encode(text); english {
			known = &v
		}
		f.vectors[text] = known
	}
	return known
}
