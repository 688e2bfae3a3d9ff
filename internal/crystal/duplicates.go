package crystal

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Likeness is what two crystals are to each other.
type Likeness string

const (
	Distinct      Likeness = "distinct"
	Same          Likeness = "same"          // word for word: keep one
	Duplicate     Likeness = "duplicate"     // the same words in other clothes: merge
	Alike         Likeness = "alike"         // near, and both kept; worth a look
	Contradictory Likeness = "contradictory" // one says what the other denies; both kept
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
		case polar()[lower] != "":
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

var (
	articles = set(`a an the i`)
	// filler says nothing about what is the case.
	filler = set(`user project codebase repo repository please note remember important currently really just we our is are be do does
		that this it's`)
	negations = set(`not no never none without cannot avoid neither nor nothing disallow forbid forbidden prohibit except instead`)
	// relations say how the things in a statement stand to each other; a caller's terms leave them out.
	relations = set(`from to by with into of over under than for in at as via can must should may might will would could if unless when
		while until or and but you he she they his her their your who per between through was were`)
	// polar words turn a statement round without a negation.
	polar = pairs(`enable disable enabled disabled on off true false allow deny allowed denied before after add remove added removed
		left right up down min max minimum maximum first last start stop open close opened closed public private sync async increase
		decrease always sometimes include exclude upper lower client server read write push pull input output source target old new
		all some only also more less`)
)

// pairs maps each of two neighbours in a list to the other.
func pairs(list string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		words := strings.Fields(list)
		opposite := map[string]string{}
		for i := 0; i+1 < len(words); i += 2 {
			opposite[words[i]], opposite[words[i+1]] = words[i+1], words[i]
		}
		return opposite
	})
}

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

// Comparison is a likeness with its reason.
type Comparison struct {
	Likeness Likeness
	Why      string
}

// Merging as designed.
const (
	mergeCosine     = 0.92 // texts with the same words this near may be merged,
	mergeImportance = 0.7  // if both are this important: what nobody uses fades by itself
	hintCosine      = 0.82 // shown to each other as alike, and both kept
)

// Compare says what two crystals are to each other. cosine is that of their vectors, NaN if one has none. Only texts that
// say the same words in the same order, with the same numbers and names, are duplicates: nothing that one says and the
// other does not may go out of sight, however near their vectors are. It does not matter which comes first.
func (r Rules) Compare(a, b Statement, cosine float64) Comparison {
	switch {
	case a.Crystal.ID == b.Crystal.ID && a.Crystal.ID != "":
		return Comparison{Distinct, "one and the same crystal"}
	case a.Crystal.Project != b.Crystal.Project:
		return Comparison{Distinct, "of different projects"}
	case a.hash == b.hash && standing(a.Crystal) == standing(b.Crystal):
		return Comparison{Same, "word for word"}
	case !standing(a.Crystal) || !standing(b.Crystal):
		return Comparison{Distinct, "one belongs to the past"}
	}
	sameWords := slices.Equal(a.words, b.words) && len(a.words) > 0
	if math.IsNaN(cosine) {
		cosine = 0
		if sameWords {
			cosine = 1
		}
	}
	if sameWords && a.denies%2 != b.denies%2 {
		return Comparison{Contradictory, "one denies the other"}
	}
	if sameWords && opposite(a.figures, b.figures) {
		return Comparison{Contradictory, "one says the opposite of the other"}
	}
	if a.denies != b.denies {
		return Comparison{Distinct, "one denies something"}
	}
	if !slices.Equal(a.figures, b.figures) {
		if s := a.Crystal.Subject; sameWords && s != "" && s == b.Crystal.Subject {
			return Comparison{Contradictory, "another value for " + s}
		}
		return Comparison{Distinct, "other numbers or names"}
	}
	switch {
	case cosine < hintCosine:
		return Comparison{Distinct, "not near"}
	case !sameWords:
		return Comparison{Alike, "near, in other words"}
	case cosine < mergeCosine:
		return Comparison{Alike, "the same words, not near enough"}
	case a.Crystal.Kind != b.Crystal.Kind || !sameSubject(a.Crystal, b.Crystal):
		return Comparison{Alike, "of another kind or subject"}
	case !sameAnchors(a.Crystal, b.Crystal):
		return Comparison{Alike, "about other places in the code"}
	case min(a.Crystal.Importance, b.Crystal.Importance) < mergeImportance:
		return Comparison{Alike, "not important enough to be merged"}
	case a.Crystal.Lifecycle == memory.Frozen && b.Crystal.Lifecycle == memory.Frozen:
		return Comparison{Alike, "both are frozen"}
	case a.Crystal.Unsure != b.Crystal.Unsure:
		return Comparison{Alike, "one is in doubt"}
	}
	return Comparison{Duplicate, "the same words"}
}

// standing reports whether a crystal still holds.
func standing(c memory.Crystal) bool { return c.Lifecycle.Living() && c.ValidTo.IsZero() }

func sameSubject(a, b memory.Crystal) bool {
	return a.Subject == "" || b.Subject == "" || a.Subject == b.Subject
}

func sameAnchors(a, b memory.Crystal) bool {
	return slices.EqualFunc(a.Anchors, b.Anchors, func(x, y memory.Anchor) bool { return x.Path == y.Path && x.Symbol == y.Symbol })
}

// opposite reports whether two lists differ in one place, and there by a word and its opposite.
func opposite(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	turned := 0
	for i := range a {
		switch {
		case a[i] == b[i]:
		case polar()[a[i]] == b[i] && b[i] != "":
			turned++
		default:
			return false
		}
	}
	return turned == 1
}

// Winner says which of two duplicates stays: the frozen one, then the one from the more trusted source, then the earlier.
func Winner(a, b memory.Crystal) (winner, loser memory.Crystal) {
	rank := func(c memory.Crystal) int {
		if c.Lifecycle == memory.Frozen {
			return 0
		}
		return 1
	}
	order := cmp.Or(
		cmp.Compare(rank(a), rank(b)),
		cmp.Compare(a.Origin.Tier(), b.Origin.Tier()),
		a.SaidAt.Compare(b.SaidAt),
		cmp.Compare(a.ID, b.ID),
	)
	if order <= 0 {
		return a, b
	}
	return b, a
}

// Merge joins two duplicates: the winner takes over the uses, the loser is archived under it and can still be found there.
func (r Rules) Merge(a, b memory.Crystal) (winner, loser memory.Crystal) {
	winner, loser = Winner(a, b)
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
