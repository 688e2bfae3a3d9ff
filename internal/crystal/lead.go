package crystal

import (
	"cmp"
	"math"
	"slices"
	"strings"

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
	slices.SortStableFunc(known, func(a, b string) int {
		return cmp.Or(cmp.Compare(asks(a), asks(b)), cmp.Compare(c.In[a], c.In[b]))
	})
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
	answered, all := 0.0, 0.0
	const few = 16 // up to so many a look through the words is cheaper than a table of them
	has := func(t string) bool { return slices.Contains(words, t) }
	met := func(i int) bool { return slices.Contains(terms[:i], terms[i]) }
	if len(terms) > few {
		terms, met = distinct(terms), func(int) bool { return false }
		table := make(map[string]bool, len(words))
		for _, w := range words {
			table[w] = true
		}
		has = func(t string) bool { return table[t] }
	}
	for i, t := range terms {
		if met(i) {
			continue
		}
		rare := c.rarity(t)
		all += rare
		if has(t) {
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
	for _, source := range [...]Source{Words, WordsNear, Graph, Title, Path} {
		if finite(scores[source]) > 0 {
			return true
		}
	}
	return finite(scores[Meaning]) >= s.t.NearLeast
}

// Strong reports whether a text is worth being shown beside the best: what speaks for it, as a share of what speaks for the
// best, and the share of the question that its own words hold are together enough, or its meaning is near. The best always is.
func (s Search) Strong(share, known, cos float64) bool {
	return share+known >= s.t.StrongLeast || cos >= s.t.NearLeast
}

// Question is the terms of a question, ready to be looked for in many texts. One goroutine uses it at a time.
type Question struct {
	t     tuning.Search
	Terms []string // once each
	tells []float64
	all   float64
	place map[string]int
	maybe [1 << 8]bool // a word that begins and ends so may be one of them; most words are told apart by this alone
	room  []uint16     // for counts, of several texts at a time
}

// Ask reads the terms of a question. Those that only ask tell less than others as rare.
func (s Search) Ask(c Collection, terms []string) *Question {
	q := &Question{t: s.t, Terms: distinct(terms), place: make(map[string]int, len(terms))}
	q.tells = make([]float64, len(q.Terms))
	for i, t := range q.Terms {
		q.tells[i] = c.rarity(t)
		if asks(t) > 0 {
			q.tells[i] *= s.t.AskingWeight
		}
		q.all += q.tells[i]
		q.place[t] = i
		if t != "" {
			q.maybe[shape(t)] = true
		}
	}
	return q
}

func shape(word string) byte { return word[0]<<3 ^ word[len(word)-1] ^ byte(len(word)<<5) }

// Subject are the terms that say what the question is about: all of them, if all only ask.
func (q *Question) Subject() []string {
	if about := slices.DeleteFunc(slices.Clone(q.Terms), func(t string) bool { return asks(t) > 0 }); len(about) > 0 {
		return about
	}
	return q.Terms
}

// Count is how often a text, and what stands around it, have the terms of a question.
type Count struct {
	own, near, asked []uint16
	beside           []uint16 // above 0: the text has the term right behind the one before it in the question
	named            bool     // the question names who speaks
	Length, Around   int      // in words
	Asked            int      // of those around
}

// Hit reports whether the text or what stands around it has any of them.
func (c Count) Hit() bool { return c.own != nil }

// Count looks for the terms in words that stand with a blank between them. The first so many words around ask what the text answers, the
// first so many of its own name who speaks.
func (q *Question) Count(words, around string, asked, named int) (c Count) {
	last := -1 // the term that stands right before
	for word := ""; words != ""; {
		if word, words = firstWord(words); word == "" {
			continue
		}
		c.Length++
		at := q.find(word)
		if at >= 0 {
			q.make(&c)
			c.own[at] += oneMore(c.own[at])
			if at > 0 && last == at-1 {
				c.beside[at] = 1
			}
			c.named = c.named || c.Length <= named
		}
		last = at
	}
	for word := ""; around != ""; {
		if word, around = firstWord(around); word == "" {
			continue
		}
		c.Around++
		at := q.find(word)
		if at < 0 {
			continue
		}
		q.make(&c)
		c.near[at] += oneMore(c.near[at])
		if c.Around <= asked {
			c.asked[at] += oneMore(c.asked[at])
		}
	}
	c.Asked = min(asked, c.Around)
	return c
}

// firstWord cuts at the first blank.
func firstWord(words string) (first, rest string) {
	if i := strings.IndexByte(words, ' '); i >= 0 {
		return words[:i], words[i+1:]
	}
	return words, ""
}

// find is the place of a word among the terms, or -1.
func (q *Question) find(word string) int {
	if !q.maybe[shape(word)] {
		return -1
	}
	if at, asked := q.place[word]; asked {
		return at
	}
	return -1
}

// make finds room for counts.
func (q *Question) make(c *Count) {
	if c.own != nil {
		return
	}
	n := len(q.Terms)
	if len(q.room) < 4*n {
		q.room = make([]uint16, 128*n)
	}
	c.own, c.near, c.asked, c.beside = q.room[:n:n], q.room[n:2*n:2*n], q.room[2*n:3*n:3*n], q.room[3*n:4*n:4*n]
	q.room = q.room[4*n:]
}

// oneMore counts up to where it stays.
func oneMore(n uint16) uint16 {
	if n == math.MaxUint16 {
		return 0
	}
	return 1
}

// Usual is how long texts of a kind are, what stands around them, and the questions that they answer, in words.
type Usual struct{ Length, Around, Asked float64 }

// Words is how well the words of a text itself answer: BM25.
func (q *Question) Words(c Count, u Usual) float64 {
	return q.score(c, float64(c.Length)/math.Max(1, u.Length), func(i int) float64 { return float64(c.own[i]) })
}

// Window is how well a text answers together with what stands around it.
func (q *Question) Window(c Count, u Usual) float64 {
	length := float64(c.Length+c.Around) / math.Max(1, u.Length+u.Around)
	return q.score(c, length, func(i int) float64 { return float64(c.own[i]) + float64(c.near[i]) })
}

// Asked is how well the question that a text answers fits this one.
func (q *Question) Asked(c Count, u Usual) float64 {
	return q.score(c, float64(c.Asked)/math.Max(1, u.Asked), func(i int) float64 { return float64(c.asked[i]) })
}

// Phrase is what the terms tell that stand side by side in a text as they do in the question.
func (q *Question) Phrase(c Count) (score float64) {
	for i, beside := range c.beside {
		if beside > 0 && asks(q.Terms[i]) == 0 && asks(q.Terms[i-1]) == 0 {
			score += math.Min(q.tells[i], q.tells[i-1])
		}
	}
	return score
}

// Named reports whether the question names who says a text.
func (q *Question) Named(c Count) bool { return c.named }

func (q *Question) score(c Count, length float64, times func(i int) float64) (score float64) {
	if !c.Hit() {
		return 0
	}
	held := q.t.WordSaturation * (1 - q.t.LengthShare + q.t.LengthShare*length)
	for i, tells := range q.tells {
		if n := times(i); n > 0 {
			score += tells * n * (q.t.WordSaturation + 1) / (n + held)
		}
	}
	return score
}

// Known is the share of what the terms tell that a text itself has, 0 to 1.
func (q *Question) Known(c Count) float64 {
	if !c.Hit() || q.all == 0 {
		return 0
	}
	answered := 0.0
	for i, n := range c.own {
		if n > 0 {
			answered += q.tells[i]
		}
	}
	return math.Min(1, answered/q.all) // sums of the same numbers in another order may differ
}

// asks is 1 for words that questions have because they ask, not because of what they ask for.
func asks(term string) int { return asking[term] }

// asking has them as recall.Words cuts them.
var asking = func() map[string]int {
	words := map[string]int{}
	for w := range strings.FieldsSeq(`about across after again along anyth aspect been befor being between both bring brought chat convers
		could detail did different discuss doing don dur each ever explain few get giv go got had hav he her him his includ item just key
		kind know let list many may ment might most much must onc one only order other our over overview own pleas provid recall relat
		rememb remind said sam say shall she sinc someon someth such summaris summariz summary tell their them thing through throughout
		tim too typ until us very walk way went whil whom whos`) {
		words[w] = 1
	}
	return words
}()
