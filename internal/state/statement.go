package state

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Statement is something the person said that holds beyond the session in which it was said.
type Statement struct {
	memory.Crystal
	Times  int // that it was said
	Missed int // sessions in which the person had to say it again although it was remembered
	// Everywhere says that it holds in all projects of the person.
	Everywhere bool

	Contradicted int // sessions that were shown it, and in which the person said otherwise

	Worked memory.WorkDays // by which it ages
}

// Strength is how much a statement counts now: how general it is, how surely it was understood, how important it has become, how long ago it
// was last said or used, and most of all how often it was said. A repetition in a session for which it was remembered counts twice: it should
// have been shown, or shown earlier. Praise counts as half a repetition. All that at most makes it saidMost times as strong; each session in
// which the person said otherwise takes half. It orders statements, the strongest first.
func (s Statement) Strength(now time.Time) float64 {
	_, row := rowOf(s.Kind)
	sure := s.Heard
	if sure <= 0 {
		sure = 1 // said on purpose
	}
	left := math.Exp2(-s.Worked.Age(touched(s.Crystal), now).Hours() / row.half.Hours())
	again := min(1+math.Log2(float64(max(s.Times+s.Missed, 1))), saidMost)
	general := row.worth
	if s.Everywhere {
		general *= everywhereWorth
	}
	return general * sure * (1 + s.Importance) / 2 * left * again * math.Exp2(-float64(s.Contradicted))
}

// Chosen by hand.
const (
	saidMost        = 4   // reached by what was said eight times in one session, or missed in four later ones
	everywhereWorth = 1.5 // of what holds in every project
)

// touched is when a memory was last said or used.
func touched(c memory.Crystal) time.Time {
	if c.LastAt.After(c.SaidAt) {
		return c.LastAt
	}
	return c.SaidAt
}

// SortStatements orders statements: the strongest first, of equals the latest.
func SortStatements(list []Statement, strength func(Statement) float64) {
	slices.SortStableFunc(list, func(a, b Statement) int {
		return cmp.Or(cmp.Compare(strength(b), strength(a)), b.SaidAt.Compare(a.SaidAt), cmp.Compare(a.ID, b.ID))
	})
}

// lineLength is how many characters of a text a line shows: two sentences. The rest is in its memory.
const lineLength = 240

// Words are the words of a statement as they are shown: on one line, cut after a sentence or a clause where they are many.
func (s Statement) Words() string {
	return strings.TrimRight(prose.Clause(prose.OneLine(s.Text), lineLength), " .,;:")
}

// String is the line of a statement in the state: "- use tabs (2026-10-03)".
func (s Statement) String() string {
	times := ""
	if s.Times > 1 {
		times = fmt.Sprintf(", said %d times", s.Times)
	}
	return bullet + s.Words() + " (" + s.SaidAt.UTC().Format(time.DateOnly) + times + ")"
}

// Undated is what a line says that String wrote, without bullet and date; false for any other line.
func Undated(item string) (words string, ok bool) {
	label, _ := split(item)
	text := prose.TrimBullet(prose.OneLine(item))
	open := strings.LastIndex(text, " (")
	if label != "" || open <= 0 || !strings.HasSuffix(text, ")") || isDate(text) {
		return "", false
	}
	end, _, _ := strings.Cut(text[open+len(" ("):len(text)-1], ",")
	return text[:open], len(end) == len(time.DateOnly) && isDate(end)
}

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))])
	return err == nil
}

// Distinct are statements, the strongest first, without those that say what a stronger one says: the words of one stand in the other and are
// at least half of it. The longer one stays, in the place of the stronger.
func Distinct(list []Statement) (distinct []Statement) {
	var said []string
	for _, s := range list {
		words := normal(s.Words())
		at := slices.IndexFunc(said, func(other string) bool { return sameWords(words, other) })
		switch {
		case strings.TrimSpace(words) == "":
		case at < 0:
			said, distinct = append(said, words), append(distinct, s)
		case len(words) > len(said[at]):
			said[at], distinct[at] = words, s
		}
	}
	return distinct
}

// sameWords reports whether of two texts one begins with the other, or has it and denies no more.
func sameWords(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return 2*len(a) >= len(b) && (strings.HasPrefix(b, a) || strings.Contains(b, a) && denials(a) == denials(b))
}

func denials(words string) (n int) {
	for _, word := range []string{" not ", " no ", " never ", " t ", " without ", " cannot "} { // don't, can't
		n += strings.Count(words, word)
	}
	return n
}
