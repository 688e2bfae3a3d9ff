package crystal

import (
	"cmp"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/tuning"
)

// Search is how a question leads to texts.
type Search struct{ t tuning.Search }

// NewSearch binds it to one set of numbers.
func NewSearch(t tuning.Search) Search { return Search{t} }

// Collection is how common words are among all texts.
type Collection struct {
	Texts int64
	Words int64            // of all texts together
	In    map[string]int64 // texts with a word; one that no text has is missing
}

// Lead is how a search begins: with texts that hold all of All or, if it is empty, one of Any.
type Lead struct{ All, Any []string }

// Lead chooses the terms that lead to few enough texts to look at each: the rarest of them. If even the rarest is in too
// many, texts must hold several at once. Terms that no text has lead nowhere. No term is lost: all of them score.
func (s Search) Lead(c Collection, terms []string) Lead {
	known := slices.DeleteFunc(distinct(terms), func(t string) bool { return c.In[t] == 0 })
	slices.SortStableFunc(known, func(a, b string) int { return cmp.Compare(c.In[a], c.In[b]) })
	if len(known) == 0 {
		return Lead{}
	}
	room := int64(s.t.LeadTexts)
	n, sum := 0, int64(0)
	for n < len(known) && n < s.t.LeadTerms && sum+c.In[known[n]] <= room {
		sum += c.In[known[n]]
		n++
	}
	if n > 0 {
		return Lead{Any: known[:n]}
	}
	// Were words strewn at random, so many texts would hold all of the first so many.
	expected := float64(c.In[known[0]])
	for n = 1; n < len(known) && expected > float64(room); n++ {
		expected *= float64(c.In[known[n]]) / float64(max(c.Texts, 1))
	}
	return Lead{All: known[:n]}
}

// distinct returns terms once each, in their order.
func distinct(terms []string) []string {
	seen := make(map[string]bool, len(terms))
	out := make([]string, 0, len(terms))
	for _, t := range terms {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// BM25 is how well the words of a text answer terms, with those around it counting less.
func (s Search) BM25(c Collection, terms, words, around []string) float64 {
	wanted := make(map[string]float64, len(terms)) // how often the text has it
	for _, t := range terms {
		wanted[t] = 0
	}
	hit := false
	count := func(list []string, weight float64) {
		for _, w := range list {
			if n, asked := wanted[w]; asked {
				wanted[w] = n + weight
				hit = true
			}
		}
	}
	count(words, 1)
	count(around, s.t.AroundWeight)
	if !hit {
		return 0
	}
	usual := math.Max(1, float64(c.Words)/math.Max(1, float64(c.Texts)))
	length := float64(len(words)) / usual
	score := 0.0
	for _, t := range distinct(terms) {
		if n := wanted[t]; n > 0 {
			score += c.rarity(t) * n * (s.t.WordSaturation + 1) / (n + s.t.WordSaturation*(1-s.t.LengthShare+s.t.LengthShare*length))
		}
	}
	return score
}

// rarity is how much a term tells.
func (c Collection) rarity(term string) float64 {
	n := float64(c.In[term])
	return math.Log(1 + (math.Max(float64(c.Texts), n)-n+0.5)/(n+0.5))
}

// Known is the share of what the terms tell that a text answers, 0 to 1: unlike a score it means the same for every
// question.
func (c Collection) Known(terms, words []string) float64 {
	has := make(map[string]bool, len(words))
	for _, w := range words {
		has[w] = true
	}
	answered, all := 0.0, 0.0
	for _, t := range distinct(terms) {
		rare := c.rarity(t)
		all += rare
		if has[t] {
			answered += rare
		}
	}
	if all == 0 {
		return 0
	}
	return answered / all
}

// Answers reports whether anything speaks for a candidate but a meaning that is not near.
func (s Search) Answers(scores Scores) bool {
	return finite(scores[Words]) > 0 || finite(scores[Graph]) > 0 || finite(scores[Title]) > 0 || finite(scores[Meaning]) >= s.t.NearLeast
}
