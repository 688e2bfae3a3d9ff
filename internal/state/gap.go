package state

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// GapKind says how it was noticed that something is not known.
type GapKind string

const (
	GapSearch   GapKind = "search"   // looked for, and not found
	GapQuestion GapKind = "question" // asked in a note, or by a person who received no answer
)

// Gap is something that nobody knows yet.
type Gap struct {
	Kind   GapKind       `json:"kind"`
	Text   string        `json:"text"` // the question
	Times  int           `json:"times"`
	At     time.Time     `json:"at"` // last
	Origin memory.Origin `json:"origin"`
}

// Words cuts a text into words as they are compared.
type Words func(text string) []string

const (
	gapsKept    = 40  // searches without an answer kept of a project
	gapLength   = 120 // characters of a question that are kept: one line on a terminal
	gapAnswered = 0.6 // of a question's words that a text must have to answer it, as reportShare
	// GapAge is how many days of work a gap that nobody meets again stays one: two half-lives of a crystal.
	GapAge = 30 * 24 * time.Hour
)

// Miss counts a search that found no answer among those that are remembered. Two questions of the same words are one. When
// there are too many, what was asked least goes, of that the oldest. times is how often it was asked, 0 for what is no question.
func Miss(list []Gap, asked Gap, words Words) (missed []Gap, times int) {
	asked.Text = prose.Shorten(prose.OneLine(asked.Text), gapLength)
	said := wordSet(asked.Text, words)
	if gapsKept <= 0 || len(said) == 0 || prose.ForgesMark(asked.Text) {
		return list, 0
	}
	asked.Kind, asked.Times = GapSearch, 1
	list = slices.Clone(list)
	if at := slices.IndexFunc(list, func(g Gap) bool { return slices.Equal(wordSet(g.Text, words), said) }); at >= 0 {
		asked.Times = list[at].Times + 1
		list = slices.Delete(list, at, at+1)
	}
	list = append(list, asked)
	for len(list) > gapsKept {
		least := 0
		for i, g := range list[:len(list)-1] { // never what was asked just now
			if cmp.Or(cmp.Compare(g.Times, list[least].Times), g.At.Compare(list[least].At)) < 0 {
				least = i
			}
		}
		list = slices.Delete(list, least, least+1)
	}
	return list, asked.Times
}

// Hit takes a question out that found its answer.
func Hit(list []Gap, text string, words Words) []Gap {
	said := wordSet(text, words)
	return slices.DeleteFunc(slices.Clone(list), func(g Gap) bool { return slices.Equal(wordSet(g.Text, words), said) })
}

func wordSet(text string, words Words) []string {
	set := slices.Clone(words(text))
	slices.Sort(set)
	return slices.Compact(set)
}

// Answer is a text that may answer a question.
type Answer struct {
	Text string
	At   time.Time
}

// Unanswered leaves out gaps that are too old, and questions that something said since answers: a text that is no question
// itself and has most of their words.
func Unanswered(list []Gap, said []Answer, words Words, days memory.WorkDays, now time.Time) (open []Gap) {
	sets := make([]map[string]bool, len(said)) // made when they are first needed
	answers := func(i int, g Gap, asked []string) bool {
		a := said[i]
		quoted := g.Kind == GapQuestion && strings.Contains(normal(a.Text), normal(g.Text))
		if !a.At.After(g.At) || quoted || asksOnly(a.Text) {
			return false
		}
		if sets[i] == nil {
			sets[i] = map[string]bool{}
			for _, w := range words(a.Text) {
				sets[i][w] = true
			}
		}
		has := 0
		for _, w := range asked {
			if sets[i][w] {
				has++
			}
		}
		return float64(has) >= gapAnswered*float64(len(asked))
	}
	for _, g := range list {
		asks := g.Kind == GapSearch || g.Kind == GapQuestion
		asked := wordSet(g.Text, words)
		gone := days.Age(g.At, now) > GapAge || asks && len(asked) == 0
		for i := 0; asks && !gone && i < len(said); i++ {
			gone = answers(i, g, asked)
		}
		if !gone {
			open = append(open, g)
		}
	}
	return open
}

// asksOnly says that a text is a question and nothing else.
func asksOnly(text string) bool {
	questions := OpenQuestions(text)
	return len(questions) > 0 && len(strings.Join(questions, " ")) >= len(prose.OneLine(text))*9/10
}

// openSigns begin a sentence, or a clause of it, that says that something is not known.
var openSigns = []string{
	"open question", "still open", "not known why", "not known whether", "not known how", "unclear why", "unclear whether", "unclear how",
	"not clear why", "not clear whether", "not clear how", "nobody knows", "we do not know", "we don t know", "i do not know why",
	"i don t know why", "no idea why", "i wonder why", "i wonder whether", "i wonder if", "need to find out", "have to find out",
	"not sure why", "not sure whether",
}

// OpenQuestions are the sentences of a text that ask something, or say that something is not known.
func OpenQuestions(text string) (found []string) {
	for line := range strings.Lines(text) {
		for _, sentence := range prose.Sentences(prose.OneLine(line)) {
			words := normal(sentence)
			marked := slices.ContainsFunc(openSigns, func(sign string) bool { return strings.Contains(words, " "+sign+" ") })
			asks := strings.HasSuffix(sentence, "?") && len(strings.Fields(words)) >= 3
			if (marked || asks) && !slices.Contains(found, sentence) {
				found = append(found, sentence)
			}
		}
	}
	return found
}

// Wants are the few gaps that are shown: of each kind the one that was met most, questions first, then the next of each kind.
func Wants(gaps []Gap) []Gap {
	gaps = slices.Clone(gaps)
	slices.SortStableFunc(gaps, func(a, b Gap) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), b.At.Compare(a.At), cmp.Compare(a.Text, b.Text))
	})
	nth, seen := map[Gap]int{}, map[GapKind]int{}
	for _, g := range gaps {
		nth[g] = seen[g.Kind]
		seen[g.Kind]++
	}
	slices.SortStableFunc(gaps, func(a, b Gap) int {
		return cmp.Or(cmp.Compare(nth[a], nth[b]), cmp.Compare(a.Kind.order(), b.Kind.order()))
	})
	return gaps[:min(len(gaps), gapsShown)]
}

// gapsShown is how many gaps are shown: a longer list is nobody's concern.
const gapsShown = 3

// order is the place of a kind among those shown: what a person wants to know first.
func (k GapKind) order() int { return slices.Index([]GapKind{GapQuestion, GapSearch}, k) }
