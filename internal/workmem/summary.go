package workmem

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/prose"
)

// Facts are what is known about a session that ended.
type Facts struct {
	Intent      string   // what it was about
	Prompts     []string // in order
	Edited      []string // files, the most telling first
	Read        []string
	Commits     []string // subjects
	Fixed       []Fix
	Failing     []string // errors that are still open
	Notes       []string
	LastMessage string   // of the agent
	Earlier     []string // messages that ended earlier turns, in order; what they left to do is left until it is done
	Minutes     int
	Recovered   bool // nobody closed it
}

// Fix is an error that went away, and the files that were changed for it.
type Fix struct {
	Error string
	Files []string
}

// Summary is what is said about a session.
type Summary struct{ Happened, Learned, Next string }

const (
	sumIntentMost = 64 // characters of what was asked: a line of SUMMARY.md then has room for what came of it
	sumTurns      = 8  // earlier turns whose steps are looked at
	sumPrompts    = 3  // last prompts that may say what is left; what an earlier one put off was mostly done since
	sumTrivial    = 3  // words; a shorter prompt ("yes", "go on") says nothing about what was wanted
	// Agents hand a plan on with these words, and its title says what is wanted.
	sumPlanFollows = "Implement the following plan: "
	sumRecovered   = "(recovered: the session was not closed)"
	sumAgentSaid   = "The agent ended with: "
)

// SummaryLength is how many characters of a session SUMMARY.md shows, as the shelves were designed.
const SummaryLength = 120

// Summarise tells a session by rules. Happened begins with a sentence that can stand alone. Every clause comes from a fact;
// texts of people and agents are quoted as lines without shape. Together the three texts are at most so many characters
// long, and name at most list files, commits, errors or notes each. Facts that tell nothing give nothing.
func Summarise(f Facts, most, list int) Summary {
	f = sumFacts(f)
	most, list = max(most, 0), max(list, 0)
	said := sumParts(f.LastMessage)
	next := sumNext(f, said)

	// Lessons and loose ends have their share; what they leave is for what happened.
	var told Summary
	each := most / 6
	told.Learned = sumItems(sumLearned(f, each), each, most/3, list)
	told.Next = sumItems(next, each, most/4, list)
	room := most - sumLength(told.Learned) - sumLength(told.Next)
	if f.Recovered {
		room -= len(sumRecovered) + 1
	}

	sentence := sumOutcome(f, room)
	room -= sumLength(sentence)
	if took := " It took " + sumCount(f.Minutes, "minute") + "."; f.Minutes > 0 && sentence != "" && len(took) <= room {
		sentence += took
		room -= len(took)
	}
	words := sumWords(said, min(most/3, room-len("\n\n")), list)
	if room -= sumLength(words); words != "" {
		room -= len("\n\n")
	}
	paragraphs := []string{sentence, sumLists(f, room-len("\n\n"), list), words}
	paragraphs = slices.DeleteFunc(paragraphs, func(p string) bool { return p == "" })
	told.Happened = strings.Join(paragraphs, "\n\n")
	if f.Recovered && told != (Summary{}) {
		if with := strings.TrimSpace(told.Happened + "\n" + sumRecovered); sumLength(with+told.Learned+told.Next) <= most {
			told.Happened = with
		}
	}
	return told
}

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
	f.Edited, f.Read = each(f.Edited, sumPath), each(f.Read, sumPath)
	f.Commits = each(f.Commits, prose.OneLine)
	f.Failing, f.Notes = each(f.Failing, sumLine), each(f.Notes, sumLine)
	fixed := f.Fixed
	f.Fixed = nil
	for _, fix := range fixed {
		fix = Fix{sumLine(fix.Error), each(fix.Files, sumPath)}
		if fix.Error != "" && !slices.ContainsFunc(f.Fixed, func(known Fix) bool { return known.Error == fix.Error }) {
			f.Fixed = append(f.Fixed, fix)
		}
	}
	return f
}

// sumOutcome is one sentence: what was wanted and what came of it. Names give way to counts where there is no room, for half
// a path would be another one.
func sumOutcome(f Facts, room int) string {
	intent := prose.Shorten(sumIntent(f), sumIntentMost)
	for _, named := range []bool{true, false} {
		if sentence := sumJoin(intent, sumClauses(f, named)); sumLength(sentence) <= room {
			return sentence
		}
	}
	frame := sumLength(sumJoin("x", nil)) - 1
	if intent = prose.Shorten(intent, room-frame); intent == "" {
		return ""
	}
	return sumJoin(intent, nil)
}

func sumJoin(intent string, clauses []string) string {
	switch {
	case len(clauses) == 0 && intent == "":
		return ""
	case len(clauses) == 0:
		return fmt.Sprintf(`Asked "%s".`, intent)
	case intent == "":
		return strings.ToUpper(clauses[0][:1]) + strings.Join(clauses, "; ")[1:] + "."
	}
	return fmt.Sprintf(`"%s": %s.`, intent, strings.Join(clauses, "; "))
}

// sumIntent is the first sentence of what was asked; of the first prompt that says more than "go on", if there is one.
func sumIntent(f Facts) string {
	intent := ""
	for _, text := range append([]string{f.Intent}, f.Prompts...) {
		sentence := strings.TrimRight(sumSentence(text), ".:")
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
	list("committed", "made", "commit", sumQuoted(f.Commits))
	if n := len(f.Fixed); n > 0 {
		clauses = append(clauses, "fixed "+sumCount(n, "error"))
	}
	if n := len(f.Failing); n > 0 {
		clauses = append(clauses, "left "+sumCount(n, "error")+" open")
	}
	if len(f.Notes) > 0 && len(clauses) == 0 {
		quoted := sumQuoted(f.Notes)
		quoted[0] = `"` + prose.Shorten(f.Notes[0], sumIntentMost) + `"`
		list("noted", "noted", "thing", quoted)
	}
	return clauses
}

// sumQuoted puts lines in quotation marks.
func sumQuoted(lines []string) []string {
	quoted := make([]string, len(lines))
	for i, line := range lines {
		quoted[i] = `"` + line + `"`
	}
	return quoted
}

func sumCount(n int, thing string) string { return prose.Count(n, thing, thing+"s") }

// sumLists names the files and commits that the sentence has no place for.
func sumLists(f Facts, room, list int) string {
	var lines []string
	add := func(head string, names []string) {
		for n := min(len(names), list); n > 1; n-- {
			line := head + strings.Join(names[:n], ", ")
			if more := len(names) - n; more > 0 {
				line += fmt.Sprintf(" and %d more", more)
			}
			if sumLength(line)+1 <= room {
				room -= sumLength(line) + 1
				lines = append(lines, line)
				return
			}
		}
	}
	if len(f.Edited) > 2 {
		add("Changed files: ", f.Edited)
	}
	add("Commits: ", sumQuoted(f.Commits))
	return strings.Join(lines, "\n")
}

// sumLearned gives the errors that were fixed and the notes. An error leaves room for the files that fixed it.
func sumLearned(f Facts, most int) []string {
	var items []string
	for _, fix := range f.Fixed {
		files := ""
		if len(fix.Files) > 0 {
			if files = " (" + strings.Join(fix.Files, ", ") + ")"; sumLength(files) > most/2 {
				files = " (" + sumCount(len(fix.Files), "file") + ")"
			}
		}
		if fault := prose.Shorten(fix.Error, most-sumLength(files)-len("Fixed: ")); fault != "" {
			items = append(items, "Fixed: "+fault+files)
		}
	}
	for _, note := range f.Notes {
		items = append(items, prose.Shorten(note, most))
	}
	return items
}

// sumItems is a list that fits, of items that fit: what has no place is counted.
func sumItems(items []string, each, room, list int) string {
	var lines []string
	more := 0
	for i, item := range items {
		// The last line says how many are missing; it needs its place until nothing can be.
		rest := 0
		if i < len(items)-1 || more > 0 {
			rest = len("\n- and 999 more")
		}
		item = "- " + prose.Shorten(item, each)
		if len(lines) >= list || sumLength(item)+1+rest > room {
			more++
			continue
		}
		room -= sumLength(item) + 1
		lines = append(lines, item)
	}
	if line := fmt.Sprintf("- and %d more", more); more > 0 && len(lines) > 0 && sumLength(line) <= room {
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// sumWords is the useful part of the agent's last message: its first paragraph, the list behind it if it announces one.
func sumWords(said []sumPart, room, list int) string {
	for i, part := range said {
		lines := slices.DeleteFunc(slices.Clone(part.lines), func(line string) bool { return line == "" || sumPolite(line) })
		if part.heading || part.taken || len(lines) == 0 {
			continue
		}
		if part.list {
			return sumFitting(sumAgentSaid, "", lines, room, list)
		}
		text := strings.Join(lines, " ")
		if strings.HasSuffix(text, ":") && i+1 < len(said) && said[i+1].list && !said[i+1].taken {
			return sumFitting(sumAgentSaid, text, said[i+1].lines, room, list)
		}
		if text = prose.Shorten(text, room-len(sumAgentSaid)); text == "" {
			return ""
		}
		return sumAgentSaid + text
	}
	return ""
}

// sumFitting is a line and as many items of a list as have room.
func sumFitting(head, text string, items []string, room, list int) string {
	lines := []string{strings.TrimSpace(head + prose.Shorten(text, room-len(head)))}
	room -= sumLength(lines[0])
	for _, item := range items[:min(len(items), list)] {
		if item = "- " + item; item != "- " && sumLength(item)+1 <= room {
			room -= sumLength(item) + 1
			lines = append(lines, item)
		}
	}
	if room < 0 || text == "" && len(lines) == 1 {
		return ""
	}
	return strings.Join(lines, "\n")
}
