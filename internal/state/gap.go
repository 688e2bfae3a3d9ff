package state

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// GapKind says how it was noticed that something is not known.
type GapKind string

const (
	GapSearch   GapKind = "search"   // looked for, and not found
	GapQuestion GapKind = "question" // asked in a note
)

// Gap is something that nobody knows yet.
type Gap struct {
	// Project is whose memory was searched.
	Project memory.ProjectID `json:"-"`

	Kind   GapKind       `json:"kind"`
	Text   string        `json:"text"` // the question
	Times  int           `json:"times"`
	At     time.Time     `json:"at"` // last
	Origin memory.Origin `json:"origin"`
}

const (
	gapsKept    = 40  // searches without an answer kept of a project
	gapLength   = 120 // characters of a question that are kept: one line on a terminal
	gapAnswered = 0.6 // of a question's words that a text must have to answer it, as reportShare
	// GapAge is how many days of work a gap that nobody meets again stays one: two half-lives of a crystal.
	GapAge = 30 * 24 * time.Hour
)

// Miss counts a search that found no answer among those that are remembered. Two questions of the same words are one. When
// there are too many, what was asked least goes, of that the oldest. times is how often it was asked, 0 for what is no question.
func Miss(list []Gap, asked Gap) (missed []Gap, times int) {
	asked.Text = prose.Shorten(prose.OneLine(asked.Text), gapLength)
	if len(wordSet(asked.Text)) == 0 || prose.ForgesMark(asked.Text) {
		return list, 0
	}
	asked.Kind, asked.Times = GapSearch, 1
	missed = Hit(list, asked.Text)
	for _, g := range list {
		if !slices.Contains(missed, g) {
			asked.Times += g.Times
		}
	}
	for len(missed) >= gapsKept {
		least := slices.MinFunc(missed, func(a, b Gap) int { return cmp.Or(cmp.Compare(a.Times, b.Times), a.At.Compare(b.At)) })
		missed = slices.DeleteFunc(missed, func(g Gap) bool { return g == least })
	}
	return append(missed, asked), asked.Times
}

// Hit takes a question out that found its answer.
func Hit(list []Gap, text string) []Gap {
	said := wordSet(text)
	return slices.DeleteFunc(slices.Clone(list), func(g Gap) bool { return slices.Equal(wordSet(g.Text), said) })
}

func wordSet(text string) []string {
	set := slices.Clone(vocab.TextWords(text))
	slices.Sort(set)
	return slices.Compact(set)
}

// Answer is a text that may answer a question.
type Answer struct {
	Text string
	At   time.Time
}

// Unanswered leaves out gaps that are too old, and questions that something said since answers: a text that has most of their words and is
// no question itself.
func Unanswered(list []Gap, said []Answer, days memory.WorkDays, now time.Time) []Gap {
	words := make([][]string, len(said))
	for i, a := range said {
		if asks := strings.Join(OpenQuestions(a.Text), " "); asks == "" || len(asks) < len(prose.OneLine(a.Text))*9/10 {
			words[i] = wordSet(a.Text)
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(g Gap) bool {
		asked := wordSet(g.Text)
		for i, a := range said {
			has := slices.DeleteFunc(slices.Clone(asked), func(w string) bool { return !slices.Contains(words[i], w) })
			if a.At.After(g.At) && float64(len(has)) >= gapAnswered*float64(len(asked)) {
				return true
			}
		}
		return len(asked) == 0 || days.Age(g.At, now) > GapAge
	})
}

// openSigns stand in a sentence that says that something is not known.
var openSigns = []string{
	"open question", "still open", "not known why", "not known whether", "not known how", "unclear why", "unclear whether", "not clear why",
	"not clear whether", "nobody knows", "we do not know", "we don t know", "i don t know why", "no idea why", "i wonder", "need to find out", "not sure why",
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

// Wants are the few gaps that are shown: a question first, which a person wants to know, then those met most.
func Wants(gaps []Gap) []Gap {
	gaps = slices.Clone(gaps)
	slices.SortStableFunc(gaps, func(a, b Gap) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), b.At.Compare(a.At), cmp.Compare(a.Text, b.Text))
	})
	if i := slices.IndexFunc(gaps, func(g Gap) bool { return g.Kind == GapQuestion }); i > 0 {
		question := gaps[i]
		gaps = slices.Insert(slices.Delete(gaps, i, i+1), 0, question)
	}
	return gaps[:min(len(gaps), gapsShown)]
}

// gapsShown is how many gaps are shown: a longer list is nobody's concern.
const gapsShown = 3
