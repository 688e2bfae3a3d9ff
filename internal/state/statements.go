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

// statementFade is the time of work in which a statement loses half of its strength, by kind: what is decided and to be done changes sooner
// than how somebody works.
func statementFade(kind memory.CrystalKind) time.Duration {
	const day = 24 * time.Hour
	switch kind {
	case memory.Intention:
		return 14 * day
	case memory.Decision, memory.Fact:
		return 180 * day
	}
	return 365 * day
}

// statementWorth is what a statement counts by its kind: a rule that is not known costs more than a fact, which the code shows too.
func statementWorth(kind memory.CrystalKind) float64 {
	switch kind {
	case memory.Rule, memory.Correction:
		return 1.2
	case memory.Preference:
		return 1.1
	case memory.Fact, memory.Intention:
		return 0.8
	}
	return 1
}

// Strength is how much a statement counts now: how general it is, how surely it was understood, how important it has become, how long ago it
// was last said or used, and most of all how often it was said. A repetition in a session for which it was remembered counts twice: it should have been
// shown, or shown earlier. Praise counts as half a repetition. All that at most makes it saidMost times as strong; each session in which the person
// said otherwise takes half. It orders statements, the strongest first.
func (s Statement) Strength(now time.Time) float64 {
	sure := s.Heard
	if sure <= 0 {
		sure = 1 // said on purpose
	}
	touched := s.SaidAt
	if s.LastAt.After(touched) {
		touched = s.LastAt
	}
	age := s.Worked.Age(touched, now)
	left := math.Exp2(-age.Hours() / statementFade(s.Kind).Hours())
	again := min(1+math.Log2(float64(max(s.Times+s.Missed, 1))), saidMost)
	general := statementWorth(s.Kind)
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

// SortStatements orders statements: the strongest first, of equals the latest.
func SortStatements(list []Statement, strength func(Statement) float64) {
	slices.SortStableFunc(list, func(a, b Statement) int {
		return cmp.Or(cmp.Compare(strength(b), strength(a)), b.SaidAt.Compare(a.SaidAt), cmp.Compare(a.ID, b.ID))
	})
}

// statementLength is how many characters of a statement are shown. The point of what was heard is no longer than that; what was kept on
// purpose may be.
const statementLength = 240

// Words are the words of a statement as they are shown: on one line, cut after a sentence or a clause where they are many.
func (s Statement) Words() string {
	return strings.TrimRight(prose.Clause(prose.OneLine(s.Text), statementLength), " .,;:")
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

// Base is the old state without the lines of statements, which each dream writes anew: one that no longer holds is gone by that. Guards
// compare the rest.
func (m Material) Base() Document { return m.Unstated(m.Old) }

// Unstated is a state without the lines of statements that dreams wrote.
func (m Material) Unstated(s Document) Document {
	for section, text := range s.Sections {
		items := SplitItems(text)
		left := slices.DeleteFunc(slices.Clone(items), func(item string) bool { return m.Stated.Has(item) })
		if len(left) < len(items) {
			s.Sections[section] = strings.Trim(strings.Join(left, "\n"), "\n")
		}
		if Section(section).Personal() {
			s.Sections[section] = JoinHere(SplitHere(s.Sections[section])) // no title without lines
		}
	}
	return s
}

// Stated are the fingerprints of lines of statements that dreams wrote, the latest last. Only these are rewritten or taken out: a line
// that a person or a model wrote stays, whatever it looks like.
type Stated []int64

// Has says whether a line is one of them.
func (s Stated) Has(item string) bool { return slices.Contains(s, statedHash(item)) }

func statedHash(item string) int64 {
	return memory.ContentHash("statement", strings.TrimLeft(item, "\n"))
}

// statedKept are the lines that are remembered: an earlier state that is brought back may hold older ones.
const statedKept = 200

// With is the list with more lines.
func (s Stated) With(lines Stated) Stated {
	s = slices.DeleteFunc(slices.Clone(s), func(old int64) bool { return slices.Contains(lines, old) })
	s = append(s, lines...)
	return s[max(len(s)-statedKept, 0):]
}

// Statements in a section, at most: as many as somebody reads.
const (
	statementsShown = 12
	statementLeast  = 0.15 // strength: a goal that was heard once is shown for a month
)

// sectionOf is where a statement stands: wishes in The Bond, rules and corrections that say what to do in The Phenotype, what was decided
// lately and what is to be done in Active Context, what is so and what was decided long ago in The Niche.
func (w *writer) sectionOf(s Statement) Section {
	switch {
	case s.Kind == memory.Preference:
		return SectionBond
	case s.Kind == memory.Rule, s.Kind == memory.Correction && directs(s.Text):
		return SectionPhenotype
	case s.Kind == memory.Intention, s.Kind == memory.Decision && w.m.Worked.Age(s.SaidAt, w.m.Now) <= FadeAfter:
		return SectionActive
	}
	return SectionNiche
}

// directs reports whether a text says what is to be done, not only what is so.
func directs(text string) bool {
	words := normal(text)
	return prose.LooksLikeInstruction(text) || slices.ContainsFunc([]string{
		" should ", " must ", " always ", " never ", " don t ", " do not ", " need to ", " needs to ", " have to ", " make sure ", " instead of ",
	}, func(phrase string) bool { return strings.Contains(words, phrase) })
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

// addStatements chooses the statements of each section, the strongest first, unless a line says the same already. They leave at
// least half of a section to other lines, two thirds of what is going on.
func (w *writer) addStatements() {
	list := slices.Clone(w.m.Statements)
	SortStatements(list, func(s Statement) float64 { return s.Strength(w.m.Now) })
	list = Distinct(list)
	var said []string
	for _, lines := range w.sections {
		for _, l := range lines {
			quoted := strings.Contains(l.text, "): “") // an agent that repeats the person's words does not speak for them
			if label, text := split(l.text); label == "" && !quoted {
				said = append(said, normal(text))
			}
		}
	}
	for _, text := range w.here {
		said = append(said, normal(text))
	}
	for _, s := range list {
		words := normal(s.Words())
		if s.Strength(w.m.Now) < statementLeast || w.pointed(s.ID) || prose.ForgesMark(s.Text) {
			continue
		}
		if slices.ContainsFunc(said, func(line string) bool { return strings.Contains(line, words) }) {
			continue
		}
		section := w.sectionOf(s)
		budget, share := SectionBudget(section), 2
		if section == SectionActive {
			share = 3
		}
		l := line{text: s.String()}
		room := max(budget/share, budget-len(join(w.sections[section]))) - len(w.here[section]) - w.statedBytes(section)
		if len(l.text)+len("\n") > room || len(w.stated[section])+len(w.statedHere[section]) == statementsShown {
			continue
		}
		if !s.Everywhere && section.Personal() {
			w.statedHere[section] = append(w.statedHere[section], l)
		} else {
			w.stated[section] = append(w.stated[section], l)
		}
		if s.Everywhere && section.Personal() {
			w.p.StatedEverywhere = append(w.p.StatedEverywhere, statedHash(l.text))
		} else {
			w.p.Stated = append(w.p.Stated, statedHash(l.text))
		}
		said = append(said, words)
	}
}

func (w *writer) statedBytes(section Section) (n int) {
	for _, l := range slices.Concat(w.stated[section], w.statedHere[section]) {
		n += len(l.text) + len("\n")
	}
	return n
}

// withStatements is the text of a section with its statements: in what is going on below the sessions, else above other lines; what
// holds only in this project comes last.
func (w *writer) withStatements(section Section, text string) string {
	var lines []line
	for _, item := range SplitItems(text) {
		lines = append(lines, line{text: item})
	}
	at := 0
	if section == SectionActive {
		for i, l := range lines {
			if label, _ := split(l.text); slices.Contains(derived[section], label) {
				at = i + 1
			}
		}
	}
	if at < len(lines) && strings.TrimLeft(lines[at].text, " \t") != lines[at].text {
		at = len(lines) // indented: it would become part of the line before it
	}
	if len(w.stated[section]) > 0 {
		text = join(slices.Insert(lines, at, w.stated[section]...))
	}
	here := w.here[section]
	if len(w.statedHere[section]) > 0 {
		here = strings.TrimRight(join(w.statedHere[section])+"\n"+here, "\n")
	}
	return JoinHere(text, here)
}
