package relevance

import (
	"cmp"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/listen"
)

// The features of a statement for a prompt. Words count by how much they tell and by how few statements have them; a word is met as
// well as the most similar word on the other side, by vector, spelling, related words, or by topic.
const (
	equalStatement  = iota // share of the statement's words that the prompt has
	equalPrompt            // share of the prompt's words that the statement has
	metStatement           // how well the statement's words are met
	metPrompt              // how well the prompt's words are met
	cosine                 // of the two texts
	rarestEqual            // the word that tells most among the equal ones
	secondEqual            // the one after it
	equalSum               // weight of the equal words, as a logarithm; so are the next two
	metStatementSum        // weight of the statement's words, each as well as it is met
	metPromptSum           // likewise for the prompt
	topicStatement         // how well the statement's words are met if words of one topic count as alike
	topicPrompt            // likewise for the prompt
	topicSum               // weight of that, as a logarithm
	nearest                // the statement's word that is met best without being equal
	secondNearest          // the one after it
	topicCosine            // of what the two have of each topic
	statementWords         // number of words, as a logarithm
	names                  // equal words that the table of general English does not have
	cosineLead             // cosine above the mean of all statements
	topicLead              // likewise for topicCosine
	metLead                // likewise for metStatement
	topicsShared           // number of topics that both have, as a logarithm
	firstKind              // one for each of Kinds
)

// Kinds are the kinds of statements that are told apart.
var Kinds = []string{"rule", "decision", "correction", "preference", "fact", "goal"}

// PairFeatures is the number of features of a statement for a prompt.
const PairFeatures = firstKind + 6

const (
	topicLike   = 0.4 // how alike two words of one topic are
	fullWeight  = 5.0 // of a word that is not in the table of general English: a name, as a rule
	fewest      = 50  // a smaller number of statements counts as so many
	rarityScale = 200 // how fast a word tells less when more statements have it
	leastRarity = 0.05
)

// Pair is the features of one statement for a prompt.
type Pair [PairFeatures]float64

// rarities say of each word 1 if one statement has it, and the less the more of them do.
func rarities(statements []Statement) map[string]float64 {
	rarity := map[string]float64{}
	for _, s := range statements {
		for _, t := range s.Terms {
			rarity[t.Word]++
		}
	}
	n := float64(max(fewest, len(statements)))
	for w, count := range rarity {
		rarity[w] = max(leastRarity, 1-math.Log1p(rarityScale*(count-1)/n)/math.Log1p(rarityScale))
	}
	return rarity
}

// Pairs compares a prompt with all statements.
func Pairs(prompt *Text, statements []Statement) []Pair {
	rarity := rarities(statements)
	pairs := make([]Pair, len(statements))
	leads := [][2]int{{cosineLead, cosine}, {topicLead, topicCosine}, {metLead, metStatement}}
	for i, s := range statements {
		pairs[i] = compare(prompt, s, rarity)
	}
	for _, lead := range leads {
		mean := 0.0
		for i := range pairs {
			mean += pairs[i][lead[1]] / float64(len(pairs))
		}
		for i := range pairs {
			pairs[i][lead[0]] = pairs[i][lead[1]] - mean
		}
	}
	return pairs
}

// Closest returns the indices of the n pairs that are likeliest before anything was learned: by words, vectors and topics alike.
func Closest(pairs []Pair, n int) []int {
	order := make([]int, len(pairs))
	for i := range order {
		order[i] = i
	}
	quick := func(p *Pair) float64 { return p[cosine] + 3*p[metStatement] + p[topicCosine] + p[equalSum] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(quick(&pairs[b]), quick(&pairs[a])) })
	return order[:min(n, len(order))]
}

// weightOf is how much a word tells among these statements.
func weightOf(t *listen.Term, rarity map[string]float64) float64 {
	if r, ok := rarity[t.Word]; ok {
		return t.Weight * r
	}
	return t.Weight
}

func compare(p *Text, s Statement, rarity map[string]float64) (f Pair) {
	best, bestTopic := make([]float64, len(p.Terms)), make([]float64, len(p.Terms))
	var equal, met, topical, all float64
	for i := range s.Terms {
		t, most, topic := &s.Terms[i], 0.0, 0.0
		for k := range p.Terms {
			like := t.Like(&p.Terms[k])
			most, best[k] = max(most, like), max(best[k], like)
			if like < topicLike && share(s.of[i], p.of[k]) {
				like = topicLike
			}
			topic, bestTopic[k] = max(topic, like), max(bestTopic[k], like)
		}
		w := weightOf(t, rarity)
		if most == 1 {
			equal += w
			if t.Row == nil {
				f[names]++
			}
			f[secondEqual] = max(f[secondEqual], min(f[rarestEqual], w/fullWeight))
			f[rarestEqual] = max(f[rarestEqual], w/fullWeight)
		} else {
			f[secondNearest] = max(f[secondNearest], min(f[nearest], most*w/fullWeight))
			f[nearest] = max(f[nearest], most*w/fullWeight)
		}
		met, topical, all = met+most*w, topical+topic*w, all+w
	}
	f[equalStatement], f[metStatement], f[topicStatement] = equal/max(1, all), met/max(1, all), topical/max(1, all)
	f[equalSum], f[metStatementSum], f[topicSum] = math.Log1p(equal), math.Log1p(met), math.Log1p(topical)
	equal, met, topical, all = 0, 0, 0, 0
	for k := range p.Terms {
		w := weightOf(&p.Terms[k], rarity)
		if best[k] == 1 {
			equal += w
		}
		met, topical, all = met+best[k]*w, topical+bestTopic[k]*w, all+w
	}
	f[equalPrompt], f[metPrompt], f[topicPrompt], f[metPromptSum] = equal/max(1, all), met/max(1, all), topical/max(1, all), math.Log1p(met)
	f[cosine] = p.Cosine(s.Said)
	f[statementWords] = math.Log1p(float64(len(s.Terms)))
	for _, k := range sortedKeys(p.topics) {
		if w := s.topics[k]; w > 0 {
			f[topicCosine] += p.topics[k] * w
			f[topicsShared]++
		}
	}
	f[topicsShared] = math.Log1p(f[topicsShared])
	if k := slices.Index(Kinds, s.Kind); k >= 0 {
		f[firstKind+k] = 1
	}
	return f
}

// The features from which it is judged whether a prompt needs anything: how the best statement stands out, and the prompt itself. Its
// words and neighbouring words count beside them.
const (
	bestScore    = iota // log-odds of the best statement
	aboveMean           // how far it is above the mean of all
	aboveSecond         // and above the second
	aboveFourth         // and above the fourth
	crowd               // how many statements are about as good, as a logarithm
	promptWords         // number of words that tell something, as a logarithm
	promptWeight        // how much they tell together, as a logarithm
	promptKnown         // share of that which some statement has
	promptNames         // number of words that the table of general English does not have, as a logarithm
	promptLength        // in bytes, as a logarithm
	promptAsks          // it has a question mark
	NeedFeatures        // the number of these features
)

// NeedOf describes a prompt, given the scores of all statements.
func NeedOf(p *Text, statements []Statement, scores []float64) (f [NeedFeatures]float64) {
	order := slices.Clone(scores)
	slices.Sort(order)
	slices.Reverse(order)
	for _, z := range order {
		f[aboveMean] += (order[0] - z) / float64(len(order))
		f[crowd] += math.Exp(z - order[0])
	}
	f[bestScore], f[crowd] = order[0], math.Log(f[crowd])
	f[aboveSecond], f[aboveFourth] = order[0]-order[min(1, len(order)-1)], order[0]-order[min(3, len(order)-1)]
	seen := map[string]bool{}
	for _, s := range statements {
		for _, t := range s.Terms {
			seen[t.Word] = true
		}
	}
	all, known := 0.0, 0.0
	for _, t := range p.Terms {
		all += t.Weight
		if seen[t.Word] {
			known += t.Weight
		}
		if t.Row == nil {
			f[promptNames]++
		}
	}
	f[promptNames], f[promptWords], f[promptWeight] = math.Log1p(f[promptNames]), math.Log1p(float64(len(p.Terms))), math.Log1p(all)
	f[promptKnown], f[promptLength] = known/max(1, all), math.Log1p(float64(p.length))
	if p.asks {
		f[promptAsks] = 1
	}
	return f
}
