package desk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/fault"
	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Facts are what is known about a session that ended.
type Facts struct {
	Intent      string   // what it was about
	Prompts     []string // in order
	Edited      []string // files as they are shown, the most touched first
	Read        []string
	Commits     []string // subjects
	Fixed       []Fix
	Notes       []Noted
	LastMessage string // of the agent
	Answered    bool   // the person said something after the last message, so what it left to do may no longer be wanted
	Minutes     int
	Recovered   bool // nobody closed it
	Plan        goals.Plan
}

// Noted is what was said during a session, and by whom.
type Noted struct {
	Text   string
	Origin memory.Origin
}

// Fix is an error that went away, and the files that were changed for it.
type Fix struct {
	Error string
	Files []string
}

// Summary is what is said about a session.
type Summary struct{ Happened, Learned, Next string }

// Lengths of a summary, in characters.
const (
	sumIntentMost  = 64  // of what was asked: a line of SUMMARY.md then has room for what came of it
	sumOutcomeMost = 240 // of the first sentence with the names of files and commits; a longer one counts them
	sumNamesMost   = 200 // of a line that names files or commits
	sumItemMost    = 200 // of one lesson or step
	sumMessageMost = 320 // of the agent's last message, and of the items that follow it
	sumLearnedMost = 400
	sumNextMost    = 300
	sumListMost    = 8                                // files, commits, lessons or steps that are named
	sumTrivial     = 3                                // words; a shorter prompt ("yes", "go on") says nothing about what was wanted
	sumPlanFollows = "Implement the following plan: " // agents hand a plan on with these words; its title says what is wanted
	sumRecovered   = "(recovered: the session was not closed)"
	sumAgentSaid   = "The agent ended with: "
)

// SummaryLength is how many characters of a session SUMMARY.md shows, as the shelves were designed.
const SummaryLength = 120

// Summarise describes a session by rules. Happened begins with a sentence that can stand alone. Every clause comes from a fact. What
// others said stands in quotation marks that nothing inside can close, and orders to whoever reads it are left out. Facts that say
// nothing give nothing.
func Summarise(f Facts) (s Summary) {
	f = sumFacts(f)
	said := prose.Parts(f.LastMessage)
	s.Next = sumItems(sumNext(f, said), sumNextMost) // marks what it takes of said
	s.Learned = sumItems(sumLearned(f), sumLearnedMost)
	sentence := sumOutcome(f)
	if sentence != "" && f.Minutes > 0 {
		sentence += " It took " + sumCount(f.Minutes, "minute") + "."
	}
	paragraphs := slices.DeleteFunc([]string{sentence, sumNames(f), sumMessage(said)}, func(p string) bool { return p == "" })
	s.Happened = strings.Join(paragraphs, "\n\n")
	if f.Recovered && s != (Summary{}) {
		s.Happened = strings.TrimSpace(s.Happened + "\n" + sumRecovered)
	}
	return s
}

const noteBytes = 2 << 10 // of a note: a summary has a line of it

// sumFacts makes each fact one line, once.
func sumFacts(f Facts) Facts {
	each := func(texts []string, clean func(string) string) []string {
		var lines []string
		for _, text := range texts {
			if line := clean(text); line != "" && !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
		return lines
	}
	f.Edited, f.Read = each(f.Edited, prose.OneLine), each(f.Read, prose.OneLine)
	f.Commits = each(f.Commits, cited)
	notes := f.Notes
	f.Notes = nil
	for _, n := range notes {
		if n.Text = prose.PlainLine(prose.ShortenBytes(n.Text, noteBytes)); n.Text != "" && !prose.Withheld(n.Origin, n.Text) && !slices.Contains(f.Notes, n) {
			f.Notes = append(f.Notes, n)
		}
	}
	fixed := f.Fixed
	f.Fixed = nil
	for _, fix := range fixed {
		fix = Fix{cited(fix.Error), each(fix.Files, prose.OneLine)}
		if fix.Error != "" && !slices.ContainsFunc(f.Fixed, func(known Fix) bool { return known.Error == fix.Error }) {
			f.Fixed = append(f.Fixed, fix)
		}
	}
	return f
}

// sumOutcome is one sentence: what was wanted and what came of it. Names give way to counts where there is no room, for half
// a path would be another one.
func sumOutcome(f Facts) string {
	intent := prose.Shorten(sumIntent(f), sumIntentMost)
	sentence := sumJoin(intent, sumClauses(f, true))
	if sumLength(sentence) > sumOutcomeMost {
		sentence = sumJoin(intent, sumClauses(f, false))
	}
	return sentence
}

func sumJoin(intent string, clauses []string) string {
	switch {
	case len(clauses) == 0 && intent == "":
		return ""
	case len(clauses) == 0:
		return "Asked " + prose.Quoted(intent) + "."
	case intent == "":
		return strings.ToUpper(clauses[0][:1]) + strings.Join(clauses, "; ")[1:] + "."
	}
	return "Asked " + prose.Quoted(intent) + ": " + strings.Join(clauses, "; ") + "."
}

// sumIntent is the first sentence of what was asked; of the first prompt that says more than "go on", if there is one.
func sumIntent(f Facts) string {
	intent := ""
	for _, text := range append([]string{f.Intent}, f.Prompts...) {
		sentence := strings.TrimRight(prose.Opening(text), ".:")
		if plan, ok := strings.CutPrefix(sentence, sumPlanFollows); ok {
			sentence = strings.TrimPrefix(plan, "Plan: ")
		}
		if len(strings.Fields(sentence)) >= sumTrivial {
			return sentence
		}
		intent = cmp.Or(intent, sentence)
	}
	return intent
}

func sumClauses(f Facts, named bool) (clauses []string) {
	list := func(verb, counting, thing string, names []string) {
		n, clause := len(names), ""
		switch {
		case n == 0:
			return
		case !named:
			clause = counting + " " + sumCount(n, thing)
		case n == 1:
			clause = verb + " " + names[0]
		case thing == "file" && n == 2:
			clause = verb + " " + names[0] + " and " + names[1]
		case thing == "file":
			clause = fmt.Sprintf("%s %s and %d more files", verb, names[0], n-1)
		default:
			clause = fmt.Sprintf("%s %s and %d more", verb, names[0], n-1)
		}
		clauses = append(clauses, clause)
	}
	if list("changed", "changed", "file", f.Edited); len(f.Edited) == 0 {
		list("read", "read", "file", f.Read)
	}
	list("committed", "made", "commit", f.Commits)
	if n := len(f.Fixed); n > 0 {
		clauses = append(clauses, "fixed "+sumCount(n, "error"))
	}
	if len(f.Notes) > 0 && len(clauses) == 0 {
		quoted := make([]string, len(f.Notes))
		quoted[0] = prose.Quoted(prose.Shorten(f.Notes[0].Text, sumIntentMost))
		list("noted", "noted", "thing", quoted)
	}
	return clauses
}

// cited is a text that a tool or another author wrote, in quotation marks; empty if it gives an order.
func cited(text string) string {
	if text = prose.PlainLine(text); text == "" || prose.Withheld(memory.OriginAgent, text) {
		return ""
	}
	return prose.Quoted(prose.Shorten(text, sumItemMost))
}

func sumCount(n int, thing string) string { return prose.Count(n, thing, thing+"s") }

// sumNames names the files and commits that the sentence has no place for.
func sumNames(f Facts) string {
	var lines []string
	add := func(head string, names []string) {
		for n := min(len(names), sumListMost); n > 1; n-- {
			line := head + strings.Join(names[:n], ", ")
			if more := len(names) - n; more > 0 {
				line += fmt.Sprintf(" and %d more", more)
			}
			if sumLength(line) <= sumNamesMost {
				lines = append(lines, line)
				return
			}
		}
	}
	if len(f.Edited) > 2 {
		add("Changed files: ", f.Edited)
	}
	add("Commits: ", f.Commits)
	return strings.Join(lines, "\n")
}

// sumLearned gives the errors that were fixed and the notes.
func sumLearned(f Facts) (items []string) {
	for _, fix := range f.Fixed {
		items = append(items, sumFixed(fix))
	}
	for _, n := range f.Notes {
		items = append(items, prose.SaidBy(n.Origin, prose.Shorten(n.Text, sumItemMost-len("(agent): “”"))))
	}
	return items
}

// sumFixed says what went wrong and where it was fixed: a test by its name, any other error in its own words, which leave room for the
// files.
func sumFixed(fix Fix) string {
	where := ""
	if len(fix.Files) > 0 {
		if where = " in " + strings.Join(fix.Files, ", "); sumLength(where) > sumItemMost/2 {
			where = " in " + sumCount(len(fix.Files), "file")
		}
	}
	if test := fault.FailedTest(strings.Trim(fix.Error, prose.QuoteOpen+prose.QuoteClose)); test != "" {
		return test + " failed; fixed" + where
	}
	end := "; fixed" + where
	return recited(fix.Error, sumItemMost-sumLength(end)) + end
}

// recited is a cited text with at most so many characters.
func recited(text string, most int) string {
	if sumLength(text) <= most {
		return text
	}
	return prose.Quoted(prose.Shorten(strings.Trim(text, prose.QuoteOpen+prose.QuoteClose), most-sumLength(prose.QuoteOpen+prose.QuoteClose)))
}

// sumItems is a list of at most the given number of characters. Items that have no place are counted.
func sumItems(items []string, room int) string {
	var lines []string
	for _, item := range items {
		line := "- " + item
		if room -= sumLength(line) + 1; room < 0 || len(lines) == sumListMost {
			break
		}
		lines = append(lines, line)
	}
	if more := len(items) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("- and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// sumMessage is the useful part of the agent's last message: its first paragraph, and the list that this announces.
func sumMessage(said []prose.Part) string {
	reports := func(lines []string) []string {
		return slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
			return line == "" || prose.IsPolite(line) || prose.Withheld(memory.OriginAgent, line)
		})
	}
	for i, part := range said {
		lines := reports(part.Lines)
		if part.Heading || part.Taken || len(lines) == 0 {
			continue
		}
		text := strings.Join(lines, " ")
		if part.List {
			text = strings.Join(lines, "; ")
		}
		if strings.HasSuffix(text, ":") && i+1 < len(said) && said[i+1].List && !said[i+1].Taken {
			text += " " + strings.Join(reports(said[i+1].Lines), "; ")
		}
		return sumAgentSaid + prose.Quoted(prose.Shorten(text, sumMessageMost))
	}
	return ""
}

// sumNext gives what is left to do: what the agent left, and what fails. What the person put off is a goal. It marks in said what it took from there.
func sumNext(f Facts, said []prose.Part) []string {
	var items []string
	add := func(text string) {
		if text != "" && !slices.ContainsFunc(items, func(known string) bool { return strings.Contains(known, text) }) {
			items = append(items, text)
		}
	}
	for _, text := range goals.StepsLeft(said) {
		if !f.Answered && !prose.Withheld(memory.OriginAgent, text) {
			add(prose.SaidBy(memory.OriginAgent, prose.Shorten(prose.WithoutLabel(text, "next"), sumItemMost)))
		}
	}
	return items
}
