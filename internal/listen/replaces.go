package listen

import (
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"
)

// Whether a new statement replaces an earlier one is one choice among the earlier statements and "none": each of them has log-odds
// that are linear in its features, "none" has those that the words of the new statement give (words such as "now" or "instead"
// speak against it). Two earlier statements that fit alike take probability from each other, so that neither is replaced by mistake.

// Replacing is the weights of that choice, as `hebb-bench said --train` learned them.
type Replacing struct {
	Threshold float64            `json:"threshold"` // probability from which a statement is replaced
	Pair      []float64          `json:"pair"`      // for each feature of a pair
	None      float64            `json:"none"`      // log-odds that nothing is replaced
	Cue       float64            `json:"cue"`       // likewise, for the sum of the cues
	Pool      float64            `json:"pool"`      // likewise, for the logarithm of the number of earlier statements
	Cues      map[string]float64 `json:"cues"`      // words and neighbouring words of statements that change something; "" is the constant
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

// Said is a statement as it is compared with others. To make one costs more than to compare it: keep those of earlier statements.
type Said struct {
	Terms    []Term
	bits     uint64    // of all terms
	weight   float64   // of all terms
	mean     []float32 // of the rows, of length 1; nil if no word has one
	tokens   []string
	negative bool
	numbers  []string // in order
}

// Term is a word of a statement, once.
type Term struct {
	Word    string
	bit     uint64  // one of 64, by the word: most unequal words differ in it
	Weight  float64 // how much it tells
	related []int
	Row     []float32 // its vector, of length 1; nil if unknown
}

const (
	unknownWeight = 5.0  // of a word that the table does not have: a name, as a rule. Known words weigh 0 to 6
	numberWeight  = 1.0  // of a number
	near          = 0.35 // cosine of two words up to which they have nothing to do with each other
	relatedLike   = 0.7  // how alike two words of one set are
	closest       = 16   // earlier statements that are compared word by word
	rarityScale   = 1000 // how fast a word tells less when more statements have it
	leastRarity   = 0.05
	fewest        = 50   // a smaller number of earlier statements counts as so many: there was no smaller one to learn from
	alikeSpelling = 0.75 // share of equal letters at both ends from which two words may be one
)

// NewSaid prepares a statement. Cut is its words without those that tell nothing, as vocab.TextWords cuts them, row the vector of a
// word, the longer the more it tells, as embedding.GeneralRow gives it. Without vectors only the words themselves are compared.
func NewSaid(text string, cut []string, row func(word string) []float32) *Said {
	return replacing().NewSaid(text, cut, row)
}

// NewSaid prepares a statement with the related words of a model.
func (m *Replacing) NewSaid(text string, cut []string, row func(word string) []float32) *Said {
	s := &Said{tokens: words(text)}
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
	s.negative = negates(s.tokens)
	return s
}

// Negates reports whether a text has a word that negates.
func Negates(text string) bool { return negates(words(text)) }

func negates(tokens []string) bool {
	return slices.ContainsFunc(tokens, func(w string) bool { return negations[w] || strings.HasSuffix(w, "n't") })
}

var negations = map[string]bool{
	"no": true, "not": true, "never": true, "without": true, "nothing": true, "none": true, "dont": true, "cannot": true, "stop": true,
}

// perhaps is the probability from which a statement may be replaced and somebody should decide. In unseen repositories it finds 15 of 40
// revisions, and something to decide for 49 of 414 other statements.
const perhaps = 0.2

// Replaced returns which of the earlier statements a new one replaces, -1 if none, and whether that is sure.
func Replaced(newer *Said, older []*Said) (index int, sure bool) {
	m := replacing()
	index, probability := m.Choose(newer, older)
	if probability < perhaps {
		return -1, false
	}
	return index, probability >= m.Threshold
}

// Overtaken reports which of some statements, the oldest first, a later one may have replaced that says so. They are kept, and not shown
// as what holds: whoever reads the later one does not miss them.
func Overtaken(said []*Said) []bool {
	overtaken := make([]bool, len(said))
	for i, newer := range said {
		if !SaysChange(newer) {
			continue
		}
		if older, _ := Replaced(newer, said[:i]); older >= 0 {
			overtaken[older] = true
		}
	}
	return overtaken
}

// A statement that does not say that something changes may list things that differ in a number ("rack 1 is in room 3"). It is never sure
// to replace another. Both figures were chosen by hand.
const (
	changes    = 1.0 // sum of the cues from which a statement says so
	mostSilent = 0.5 // probability that one which does not can have
)

// SaysChange reports whether a statement says that something changes: only such a statement surely replaces another.
func SaysChange(s *Said) bool { return replacing().CueScore(s) >= changes }

// Choose returns the earlier statement that a new one most likely replaces, however unlikely; -1 if there is none.
func (m *Replacing) Choose(newer *Said, older []*Said) (index int, probability float64) {
	index = -1
	best := math.Inf(-1)
	cue := m.CueScore(newer)
	none := m.None + m.Cue*cue + m.Pool*PoolSize(len(older))
	sum := math.Exp(none)
	for _, p := range Pairs(newer, older) {
		z := 0.0
		for k, f := range p.Features {
			z += m.Pair[k] * f
		}
		if sum += math.Exp(z); z > best {
			index, best = p.Index, z
		}
	}
	if probability = math.Exp(best) / sum; cue < changes {
		probability = min(probability, mostSilent)
	}
	return index, probability
}

// PoolSize is the feature of the number of earlier statements.
func PoolSize(n int) float64 { return math.Log(float64(max(fewest, n))) }

// CueScore is how much a statement sounds like one that changes something.
func (m *Replacing) CueScore(s *Said) float64 {
	sum, known := 0.0, 0
	for _, cue := range s.Cues() {
		if w, ok := m.Cues[cue]; ok {
			sum += w
			known++
		}
	}
	return m.Cues[""] + sum/math.Sqrt(float64(max(1, known)))
}

// Cues are the words and the pairs of neighbouring words of a statement, without punctuation.
func (s *Said) Cues() []string {
	padded := []string{begin}
	for _, w := range s.tokens {
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

// Cosine is how alike the meanings of two statements are, by the vectors of their words.
func (s *Said) Cosine(other *Said) float64 { return product(s.mean, other.mean) }

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
	weight := unknownWeight
	if row != nil {
		weight = toUnit(row)
	}
	if isNumber(word) {
		return numberWeight
	}
	return weight
}
