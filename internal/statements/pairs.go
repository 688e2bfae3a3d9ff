package statements

import (
	"cmp"
	"math"
	"slices"

	"github.com/hebb-memory/hebb/internal/embedding"

	"github.com/hebb-memory/hebb/internal/encoder"
)

// Pair is an earlier statement beside a new one.
type Pair struct {
	Index    int // among the earlier ones
	Features [PairFeatures]float64
	quick    float64
}

// The features of a pair. Words count by how much they tell and by how few earlier statements have them; a word is met as well as the
// most similar word on the other side, by vector, spelling or related words.
const (
	equalOlder  = iota // share of the older statement's words that the newer has
	equalNewer         // share of the newer statement's words that the older has
	metOlder           // how well the older one's words are met
	metNewer           // how well the newer one's words are met
	cosine             // of the two statements
	rarestEqual        // the word that tells most among the equal ones
	secondEqual        // the one after it
	swapped            // the older one's word that tells most and has only a similar one in the newer
	polarity           // only one of the two has a negation
	otherNumber        // both have numbers, and not the same ones
	again              // nearly all words are equal, and so are the numbers: said again rather than changed
	olderWords         // number of words, as a logarithm; so are the following
	equalSum           // weight of the equal words
	metOlderSum        // weight of the older one's words, each as well as it is met
	metNewerSum        // likewise for the newer one
	meaning            // cosine of the meanings of the two sentences
	ahead              // by how much that is more than for any other earlier statement
	restCosine         // cosine of the words that only one of the two has
	ownOlder           // the word that tells most among those that only the older one has
	ownNewer           // likewise for the newer one
	ownNames           // how many names each has that the other lacks: they may be about two things
	firstOlder         // the first word of the older one is equal to one of the newer
	firstNewer         // likewise for the newer one
	sameNumber         // both have numbers, and the same ones
	PairFeatures
)

// Pairs returns the earlier statements that are closest to a new one, with their features.
func Pairs(newer *Said, older []*Said) []Pair {
	rarity := newer.rarity(older)
	pairs := make([]Pair, len(older))
	for i, o := range older {
		shared := 0.0
		for k := range o.Terms {
			if t := &o.Terms[k]; t.bit&newer.bits != 0 {
				shared += t.Weight * rarity[t.Word]
			}
		}
		pairs[i] = Pair{Index: i, quick: product(newer.mean, o.mean) + 3*shared/max(1, o.weight)}
	}
	if len(pairs) > closest {
		slices.SortFunc(pairs, func(a, b Pair) int { return cmp.Or(cmp.Compare(b.quick, a.quick), cmp.Compare(a.Index, b.Index)) })
		pairs = pairs[:closest]
	}
	most, second := 0.0, 0.0
	for i := range pairs {
		p := &pairs[i]
		p.compare(newer, older[p.Index], rarity)
		p.Features[meaning] = newer.alike(older[p.Index])
		most, second = max(most, p.Features[meaning]), max(second, min(most, p.Features[meaning]))
	}
	for i := range pairs {
		f := &pairs[i].Features
		if f[ahead] = f[meaning] - most; f[ahead] == 0 && len(pairs) > 1 {
			f[ahead] = most - second
		}
	}
	return pairs
}

// None are the features of the case that none of the earlier statements is replaced: a constant, how many there are, how close the closest
// is, and what the new statement means.
func None(newer *Said, pairs []Pair, count int) []float64 {
	f := make([]float64, NoneFeatures)
	f[0], f[1] = 1, math.Log1p(float64(count))-4
	for _, p := range pairs {
		f[2] = max(f[2], p.Features[meaning])
	}
	if v := newer.meaning(); v != nil {
		for i, x := range v {
			f[NoneFeatures-len(v)+i] = meaningScale * float64(x)
		}
	}
	return f
}

const (
	meaningScale = 20 // makes the numbers of a vector about as large as the other features
	NoneFeatures = 3 + len(encoder.Vector{})
)

// rarity is, for each word of a statement, 1 if no earlier statement has it, and the less the more of them do.
func (s *Said) rarity(older []*Said) map[string]float64 {
	rarity := make(map[string]float64, len(s.Terms))
	for _, t := range s.Terms {
		rarity[t.Word] = 0
	}
	for _, o := range older {
		for k := range o.Terms {
			if t := &o.Terms[k]; t.bit&s.bits != 0 {
				if n, ok := rarity[t.Word]; ok {
					rarity[t.Word] = n + 1
				}
			}
		}
	}
	for w, n := range rarity {
		rarity[w] = max(leastRarity, 1-math.Log1p(rarityScale*n/float64(max(fewest, len(older))))/math.Log1p(rarityScale))
	}
	return rarity
}

func (p *Pair) compare(n, o *Said, rarity map[string]float64) {
	best, found := make([]float64, len(n.Terms)), make([]float64, len(o.Terms)) // how well each word is met
	var equal, met, all float64
	f := &p.Features
	for i := range o.Terms {
		t, most := &o.Terms[i], 0.0
		for k := range n.Terms {
			like := t.Like(&n.Terms[k])
			most, best[k] = max(most, like), max(best[k], like)
		}
		w := t.Weight
		if found[i] = most; most == 1 {
			w *= rarity[t.Word]
			equal += w
			f[secondEqual] = max(f[secondEqual], min(f[rarestEqual], w/embedding.UnknownWeight))
			f[rarestEqual] = max(f[rarestEqual], w/embedding.UnknownWeight)
		} else {
			f[swapped] = max(f[swapped], most*w/embedding.UnknownWeight)
		}
		met, all = met+most*w, all+w
	}
	f[equalOlder], f[metOlder] = equal/max(1, all), met/max(1, all)
	f[equalSum], f[metOlderSum] = math.Log1p(equal), math.Log1p(met)
	equal, met, all = 0, 0, 0
	for k, t := range n.Terms {
		w := t.Weight * rarity[t.Word]
		if best[k] == 1 {
			equal += w
		}
		met, all = met+best[k]*w, all+w
	}
	f[equalNewer], f[metNewer], f[metNewerSum] = equal/max(1, all), met/max(1, all), math.Log1p(met)
	f[cosine] = product(n.mean, o.mean)
	newer, older := n.rest(best), o.rest(found)
	f[restCosine], f[ownOlder], f[ownNewer], f[ownNames] = product(newer.mean, older.mean), older.most, newer.most, min(newer.names, older.names)
	f[firstOlder], f[firstNewer] = older.first, newer.first
	f[olderWords] = math.Log1p(float64(len(o.Terms)))
	if n.negative != o.negative {
		f[polarity] = 1
	}
	if len(n.numbers) > 0 && len(o.numbers) > 0 && !slices.Equal(n.numbers, o.numbers) {
		f[otherNumber] = 1
	} else {
		f[sameNumber] = float64(min(1, len(n.numbers), len(o.numbers)))
		both := f[equalOlder] * f[equalNewer]
		f[again] = both * both
	}
}

// rest is what a statement says that another one does not.
type rest struct {
	mean  []float32 // of the rows, by how much they tell, of length 1
	most  float64   // how much the word tells that tells most
	names float64   // number of words without a row
	first float64   // 1 if the first word is not part of it
}

// rest leaves out the words that are met by an equal one.
func (s *Said) rest(met []float64) (r rest) {
	for i, t := range s.Terms {
		switch {
		case met[i] == 1:
			if i == 0 {
				r.first = 1
			}
			continue
		case t.Row == nil && !isNumber(t.Word):
			r.names++
		case t.Row != nil && r.mean == nil:
			r.mean = make([]float32, len(t.Row))
		}
		r.most = max(r.most, t.Weight/embedding.UnknownWeight)
		for d, x := range t.Row {
			r.mean[d] += x * float32(t.Weight)
		}
	}
	toUnit(r.mean)
	return r
}

// Like is how alike two words are: 1 if they are equal.
func (t *Term) Like(u *Term) float64 {
	if t.Word == u.Word {
		return 1
	}
	like := max(0, (product(t.Row, u.Row)-near)/(1-near), spelling(t.Word, u.Word))
	if like < relatedLike && slices.ContainsFunc(t.related, func(set int) bool { return slices.Contains(u.related, set) }) {
		return relatedLike
	}
	return min(like, 0.99)
}

// spelling is the share of letters that two words have in common at their beginning and end; 0 if it is small.
func spelling(a, b string) float64 {
	shorter := min(len(a), len(b))
	if shorter < 4 || a[0] != b[0] {
		return 0
	}
	first, last := 0, 0
	for first < shorter && a[first] == b[first] {
		first++
	}
	for last < shorter-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	if share := float64(2*(first+last)) / float64(len(a)+len(b)); share >= alikeSpelling {
		return share
	}
	return 0
}

// toUnit makes a vector one of length 1.
func toUnit(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	length := math.Sqrt(sum)
	for i := range v {
		v[i] = float32(float64(v[i]) / max(length, 1e-9))
	}
}

// product is the inner product of two vectors; 0 if one is unknown.
func product(v, w []float32) float64 {
	if len(v) != len(w) {
		return 0
	}
	var a, b, c, d float32
	i := 0
	for ; i+4 <= len(v); i += 4 {
		x, y := v[i:i+4:i+4], w[i:i+4:i+4]
		a += x[0] * y[0]
		b += x[1] * y[1]
		c += x[2] * y[2]
		d += x[3] * y[3]
	}
	for ; i < len(v); i++ {
		a += v[i] * w[i]
	}
	return float64(a + b + c + d)
}
