package texts

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
)

// ComparedMost is how many bytes a text may have that is compared with others. A longer one is a document: it is known word for word when it is
// kept again, and cutting it into words for each of its neighbours would take most of a sleep.
const ComparedMost = 8 << 10

// Likeness is how alike two crystals are.
type Likeness int

const (
	Distinct  Likeness = iota
	Alike              // similar, and both kept
	Duplicate          // the same words: merge
)

// Statement is a crystal made ready for comparison.
type Statement struct {
	Crystal memory.Crystal

	hash    int64
	words   []string // what it says, in order, without filler and negations
	figures []string // numbers, paths, names in code: a difference here is a difference in fact
	denies  int      // negations
}

// NewStatement prepares a crystal.
func NewStatement(c memory.Crystal, terms Terms) Statement {
	s := Statement{Crystal: c, hash: c.Hash()}
	for i, word := range strings.Fields(c.Text) {
		word = strings.TrimFunc(word, edge)
		lower := strings.ToLower(word)
		switch {
		case lower == "" || articles.has(lower) && (i == 0 || word == lower) || filler.has(lower):
			continue
		case negations.has(lower) || strings.HasSuffix(lower, "n't") || strings.HasSuffix(lower, "n’t"):
			s.denies++
			continue
		case polar.has(lower):
			s.figures = append(s.figures, lower)
			continue
		case figure(word):
			s.figures = append(s.figures, word)
		}
		if relations.has(lower) {
			s.words = append(s.words, lower)
		} else {
			s.words = append(s.words, terms(word)...)
		}
	}
	return s
}

// Terms are the words of a statement by which texts are found.
func (s Statement) Terms() []string {
	return slices.DeleteFunc(slices.Clone(s.words), relations.has)
}

var (
	articles = set(`a an the i`)
	// filler says nothing about what is the case.
	filler = set(`user project codebase repo repository please note remember important currently really just we our is are be do does
		that this it's`)
	negations = set(`not no never none without cannot avoid neither nor nothing disallow forbid forbidden prohibit except instead`)
	// relations say how the things in a statement stand to each other; a caller's terms leave them out.
	relations = set(`from to by with into of over under than for in at as via can must should may might will would could if unless when
		while until or and but you he she they his her their your who per between through was were`)
	// polar words reverse a statement without a negation.
	polar = set(`enable disable enabled disabled on off true false allow deny allowed denied before after add remove added removed
		left right up down min max minimum maximum first last start stop open close opened closed public private sync async increase
		decrease always sometimes include exclude upper lower client server read write push pull input output source target old new
		all some only also more less`)
)

func edge(r rune) bool { return strings.ContainsRune("\"'`“”‘’«»()[]{}<>,.;:!?*", r) }

// figure reports whether a word is a number, a path, a flag or a name in code.
func figure(word string) bool {
	lower := false
	for i, r := range word {
		if unicode.IsDigit(r) || strings.ContainsRune(`/\._-@#$%=:~^+|`, r) || i > 0 && lower && unicode.IsUpper(r) {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return !lower && strings.ToUpper(word) == word || len(word) == 1 // API, plan B
}

// Merging as designed.
const (
	mergeCosine     = 0.92 // texts with the same words this near may be merged,
	mergeImportance = 0.7  // if both are this important: what nobody uses fades anyway
	hintCosine      = 0.82 // shown to each other as alike, and both kept
)

// Compare reports how alike two crystals are. cosine is that of their vectors, NaN if one has none. Only texts with the same
// words in the same order, the same numbers, names and negations are duplicates: merging must hide nothing that only one of
// them says, however near their vectors are. It is symmetric.
func Compare(a, b Statement, cosine float64) Likeness {
	x, y := a.Crystal, b.Crystal
	switch {
	case x.ID == y.ID && x.ID != "" || x.Project != y.Project:
		return Distinct
	case a.hash == b.hash && standing(x) == standing(y):
		return Duplicate
	case !standing(x) || !standing(y):
		return Distinct
	case a.denies != b.denies || !slices.Equal(a.figures, b.figures):
		return Distinct
	}
	sameWords := slices.Equal(a.words, b.words) && len(a.words) > 0
	if math.IsNaN(cosine) {
		cosine = 0
		if sameWords {
			cosine = 1
		}
	}
	switch {
	case cosine < hintCosine:
		return Distinct
	case !sameWords || cosine < mergeCosine,
		x.Kind != y.Kind || x.Subject != "" && y.Subject != "" && x.Subject != y.Subject,
		!sameAnchors(x, y),
		min(x.Importance, y.Importance) < mergeImportance,
		x.Lifecycle == memory.Frozen && y.Lifecycle == memory.Frozen,
		x.Unsure != y.Unsure:
		return Alike
	}
	return Duplicate
}

// SaidAgain reports whether two crystals have the same words up to capitals, punctuation and what stands around them in a sentence
// without saying anything ("ok, so …"). Of one prompt, two parts that overlap by half of the longer one are the same sentence, cut differently.
// Kinds may differ.
func SaidAgain(a, b Statement) bool {
	x, y := plainWords(a.Crystal.Text), plainWords(b.Crystal.Text)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) == 0 || a.denies != b.denies || !strings.Contains(" "+strings.Join(y, " ")+" ", " "+strings.Join(x, " ")+" ") {
		return false
	}
	if a.Crystal.Session != 0 && a.Crystal.Session == b.Crystal.Session && a.Crystal.Source == b.Crystal.Source {
		return 2*len(x) >= len(y)
	}
	return slices.Equal(a.words, b.words) && slices.Equal(a.figures, b.figures)
}

func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// standing reports whether a crystal still holds.
func standing(c memory.Crystal) bool { return c.Lifecycle.Living() && c.ValidTo.IsZero() }

// sameAnchors reports whether two crystals speak of the same places.
func sameAnchors(a, b memory.Crystal) bool {
	return slices.EqualFunc(spokenOf(a), spokenOf(b), func(x, y memory.Anchor) bool { return x.Path == y.Path && x.Symbol == y.Symbol })
}

// spokenOf are the places that the text of a crystal speaks of.
func spokenOf(c memory.Crystal) []memory.Anchor {
	return slices.DeleteFunc(slices.Clone(c.Anchors), func(a memory.Anchor) bool { return a.AtHand })
}

// ranked puts first which of two duplicates stays: the frozen one, then the one from the more trusted source, then the earlier.
func ranked(a, b memory.Crystal) (winner, loser memory.Crystal) {
	frozen := func(c memory.Crystal) int {
		if c.Lifecycle == memory.Frozen {
			return 1
		}
		return 0
	}
	if cmp.Or(cmp.Compare(frozen(b), frozen(a)), cmp.Compare(a.Origin.Tier(), b.Origin.Tier()), a.SaidAt.Compare(b.SaidAt), cmp.Compare(a.ID, b.ID)) <= 0 {
		return a, b
	}
	return b, a
}

// Merge joins two duplicates: the winner takes over the uses, the loser is archived under it and can still be found there.
func Merge(a, b memory.Crystal) (winner, loser memory.Crystal) {
	winner, loser = ranked(a, b)
	loser.Lifecycle = memory.Archived
	loser.Parents = append(slices.Clone(loser.Parents), winner.ID)
	if gaps := max(a.Accesses-1, 0) + max(b.Accesses-1, 0); gaps > 0 {
		sum := a.GapHours*float64(max(a.Accesses-1, 0)) + b.GapHours*float64(max(b.Accesses-1, 0))
		winner.GapHours = sum / float64(gaps)
	}
	winner.Accesses = max(a.Accesses, 0) + max(b.Accesses, 0)
	winner.Importance = max(a.Importance, b.Importance)
	if loser.LastAt.After(winner.LastAt) {
		winner.LastAt = loser.LastAt
	}
	return winner, loser
}
