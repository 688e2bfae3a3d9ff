package statements

import (
	"github.com/hebb-memory/hebb/internal/vocab"

	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/embedding"
	"github.com/hebb-memory/hebb/internal/encoder"
)

// Whether a new statement replaces an earlier one is one choice among the earlier statements and "none". The log-odds of an earlier one are
// a sum over its features and over a few units that see all of them; those of "none" follow from what the new statement means and the words
// that it has (some sound like a change) and from how many earlier ones there are. Two earlier statements that fit alike take probability from each other.

// Replacing is the weights of that choice, as `hebb-bench said --train` learned them.
type Replacing struct {
	Sure   float64     `json:"sure"`   // probability from which a statement is replaced
	Likely float64     `json:"likely"` // probability from which it may be outdated and somebody should decide
	Pair   []float64   `json:"pair"`   // for each feature of a pair
	Units  [][]float64 `json:"units"`  // what a unit adds to the log-odds, its constant, and its weight for each feature of a pair
	None   []float64   `json:"none"`   // for each feature of "none"
	// Cues has what words and pairs of neighbouring words of the new statement add to the log-odds of "none".
	Cues map[string]float64 `json:"cues"`
	// Related has sets of words that have to do with each other in software and that a table of general English does not know or
	// does not have together: the numbers of the sets of each word.
	Related map[string][]int `json:"related"`
}

//go:embed replaces.json
var embeddedReplacing []byte

var replacing = sync.OnceValue(func() *Replacing {
	m := &Replacing{}
	if err := json.Unmarshal(embeddedReplacing, m); err != nil {
		panic(err) // a test reads it
	}
	return m
})

// BuiltinReplacing is the model that comes with the program.
func BuiltinReplacing() *Replacing { return replacing() }

// Term is a word of a statement, once.
type Term struct {
	Word    string
	bit     uint64  // one of 64, by the word: most unequal words differ in it
	Weight  float64 // how much it tells
	related []int
	Row     []float32 // its vector, of length 1; nil if unknown
}

const (
	near          = 0.35 // cosine of two words up to which they have nothing to do with each other
	relatedLike   = 0.7  // how alike two words of one set are
	closest       = 16   // earlier statements that are compared word by word
	rarityScale   = 1000 // how fast a word tells less when more statements have it
	leastRarity   = 0.05
	fewest        = 50   // a smaller number of earlier statements counts as so many where words are weighed
	alikeSpelling = 0.75 // share of equal letters at both ends from which two words may be one
)

// NewSaid prepares a statement. Cut is its words without those that tell nothing, as vocab.TextWords cuts them, row the vector of a
// word, the longer the more it tells, as embedding.GeneralRow gives it. Without vectors only the words themselves are compared.
func NewSaid(text string, cut []string, row func(word string) []float32) *Said {
	return replacing().NewSaid(text, cut, row)
}

// NewSaid prepares a statement with the related words of a model.
func (m *Replacing) NewSaid(text string, cut []string, row func(word string) []float32) *Said {
	s := &Said{text: text, negative: Negates(text)}
	for _, w := range cut {
		if slices.ContainsFunc(s.Terms, func(t Term) bool { return t.Word == w }) {
			continue
		}
		t := Term{Word: w, bit: 1 << (hash(w) % 64), related: m.Related[w], Row: slices.Clone(row(w))}
		if t.Row != nil {
			if s.mean == nil {
				s.mean = make([]float32, len(t.Row))
			}
			for i, x := range t.Row {
				s.mean[i] += x
			}
		}
		if t.Weight = told(w, t.Row); isNumber(w) {
			s.numbers = append(s.numbers, w)
		}
		s.Terms = append(s.Terms, t)
		s.weight, s.bits = s.weight+t.Weight, s.bits|t.bit
	}
	toUnit(s.mean)
	slices.Sort(s.numbers)
	return s
}

// Negates reports whether a text has a word that negates.
func Negates(text string) bool {
	return slices.ContainsFunc(words(text), func(w string) bool { return negations[w] || strings.HasSuffix(w, "n't") })
}

var negations = map[string]bool{
	"no": true, "not": true, "never": true, "without": true, "nothing": true, "none": true, "dont": true, "cannot": true, "stop": true,
}

// Replaced returns which of the earlier statements a new one is likely to replace, -1 if none or if they are not
// English, and how likely that is.
func Replaced(newer *Said, older []*Said) (index int, probability float64) {
	m := replacing()
	for i, o := range slices.Backward(older) {
		if otherNumbers(newer.text, o.text) {
			return i, m.Likely
		}
	}
	pairs := Pairs(newer, older)
	index, probability = m.ChooseAmong(pairs, None(newer, pairs, len(older)), newer.Cues())
	for _, p := range pairs {
		subject := p.Features[rarestEqual] > 0 || p.Features[meaning] >= oneSubject
		if p.Index != index || newer.meaning() == nil && older[index].meaning() == nil {
			continue // the model has learned from English alone
		}
		if probability >= m.Likely && subject && !counted(newer.text, older[index].text) {
			return index, probability
		}
	}
	return -1, 0
}

// oneSubject is the cosine from which two statements without a common word may be about one subject. Unrelated ones are near 0.35; where memory
// holds next to nothing, a sentence that sounds like a change is else taken to change whatever is there.
const oneSubject = 0.55

// otherNumbers reports whether two statements differ in their numbers only: node 18 in every image, node 20 in every image.
func otherNumbers(a, b string) bool {
	x, y := strings.Fields(strings.ToLower(a)), strings.Fields(strings.ToLower(b))
	return !slices.Equal(x, y) && slices.EqualFunc(x, y, func(v, w string) bool { return v == w || isNumber(v) && isNumber(w) })
}

// countedWithin are the words within which a number names the subject of a statement.
const countedWithin = 4

// counted reports whether two statements are about different things of one sort, which have numbers for names: study 1 has …, study 2 has ….
func counted(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	for i := range min(len(x), len(y), countedWithin) - 1 {
		v, w := strings.Trim(x[i], ".,:;#()"), strings.Trim(y[i], ".,:;#()")
		if !strings.EqualFold(v, w) {
			return i > 0 && isNumber(v) && isNumber(w)
		}
	}
	return false
}

// Choose returns the earlier statement that a new one most likely replaces, however unlikely; -1 if there is none.
func (m *Replacing) Choose(newer *Said, older []*Said) (index int, probability float64) {
	pairs := Pairs(newer, older)
	return m.ChooseAmong(pairs, None(newer, pairs, len(older)), newer.Cues())
}

// ChooseAmong is Choose for features.
func (m *Replacing) ChooseAmong(pairs []Pair, none []float64, cues []string) (index int, probability float64) {
	index = -1
	best := math.Inf(-1)
	ofNone := weighted(m.None, none)
	for _, cue := range cues {
		ofNone += m.Cues[cue]
	}
	sum := math.Exp(ofNone)
	for _, p := range pairs {
		z := weighted(m.Pair, p.Features[:])
		for _, u := range m.Units {
			z += u[0] * math.Tanh(u[1]+weighted(u[2:], p.Features[:]))
		}
		if sum += math.Exp(z); z > best {
			index, best = p.Index, z
		}
	}
	return index, math.Exp(best) / sum
}

func weighted(weights, features []float64) (sum float64) {
	for k, f := range features {
		sum += weights[k] * f
	}
	return sum
}

// meaning is the vector of the statement; nil if it is not English. It is computed when it is first asked for.
func (s *Said) meaning() *encoder.Vector {
	if !s.encoded {
		s.encoded = true
		if v, ok := encoder.Encode(s.text); ok {
			s.vector = &v
		}
	}
	return s.vector
}

// alike is the cosine of what two statements mean; 0 if one is not English.
func (s *Said) alike(other *Said) float64 {
	v, w := s.meaning(), other.meaning()
	if v == nil || w == nil {
		return 0
	}
	return v.Cos(w)
}

// Cues are the words and the pairs of neighbouring words of a statement, without punctuation.
func (s *Said) Cues() []string {
	padded := []string{begin}
	for _, w := range words(s.text) {
		if len(w) > 1 || w >= "a" && w <= "z" {
			padded = append(padded, w)
		}
	}
	padded = append(padded, end)
	cues := slices.Clone(padded)
	for i := 1; i < len(padded); i++ {
		cues = append(cues, padded[i-1]+" "+padded[i])
	}
	slices.Sort(cues)
	return slices.Compact(cues)
}

// Told is how much words tell together, as in NewSaid, without reading a model.
func Told(cut []string, row func(word string) []float32) (weight float64) {
	for i, w := range cut {
		if !slices.Contains(cut[:i], w) {
			weight += told(w, slices.Clone(row(w)))
		}
	}
	return weight
}

// told is how much a word tells, and makes its vector one of length 1.
func told(word string, row []float32) float64 {
	weight := embedding.WordWeight(word, row)
	toUnit(row)
	return weight
}

// Said is a statement as it is compared with others. To make one costs more than to compare it: keep those of earlier statements.
type Said struct {
	Terms    []Term
	bits     uint64    // of all terms
	weight   float64   // of all terms
	mean     []float32 // of the rows, of length 1; nil if no word has one
	negative bool
	numbers  []string // in order
	text     string
	vector   *encoder.Vector
	encoded  bool
}

func newSaid(text string) *Said {
	return NewSaid(text, vocab.TextWords(text), embedding.GeneralRow)
}
