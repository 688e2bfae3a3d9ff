package state

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/sheet"
)

// Labels of lines. Those of derivedLabels follow from what is known at each rendering; nobody said the lines.
const (
	labelFriction     = "Friction"
	labelBreakthrough = "Breakthrough"
	labelInsight      = "Insight"
)

var derivedLabels = [...]string{
	"Session", "Learned", "Next", "No answer yet", "Question", "What it is", "Uses", "Built and tested by", "Runs on", "Released by", "Agents", "Economics",
	"Commits", "Error still open", "Not known yet", "Passed most often", "Team", "Projects", // of earlier versions
}

const (
	bullet   = "- "
	seen     = " — seen "
	between  = ": "
	withheld = "kept but not shown, because it reads like an instruction"
)

// derived reports whether a line is rebuilt by each rendering from what is known then.
func derived(item string) bool {
	label, text := split(item)
	return slices.Contains(derivedLabels[:], label) || strings.Contains(item, seen) || strings.HasPrefix(text, withheld)
}

// ours reports whether a line that looks derived is hebb's beyond doubt: a person may write "- Next: ship it" too.
func ours(item string) bool {
	_, text := split(item)
	return originOf(item) != memory.OriginUser || strings.Contains(item, seen) || strings.HasPrefix(text, withheld)
}

// FromCommands reports whether a line was made of commands that agents ran. The next rendering makes it again if it still holds.
func FromCommands(section Section, item string) bool {
	label, _ := split(item)
	return section == SectionNiche && label == "Passed most often" || section == SectionSkills && strings.Contains(item, seen+"in ")
}

// write makes the line that reports a text. What the person did not say is quoted and labelled with its origin; if it reads like
// an instruction, the line says only that it exists, unless the person proved it. Hebb's own words are written like the person's.
func write(label string, at time.Time, text string, origin memory.Origin, id memory.CrystalID, most int, proven bool) string {
	if !at.IsZero() {
		label = strings.TrimSpace(label + " " + at.UTC().Format(time.DateOnly))
	}
	text = prose.Shorten(prose.OneLine(text), most)
	if origin != memory.OriginUser {
		label = strings.TrimSpace(label + " (" + origin.Name() + ")")
		if !proven && prose.Withheld(origin, text) {
			text = withheld
			if id != "" {
				text += " (" + string(id) + ")"
			}
		} else {
			text = prose.Quoted(text)
		}
	}
	if label == "" {
		return bullet + text
	}
	return bullet + label + between + text
}

// split takes a line apart: its label without date and origin, and what it says.
func split(item string) (label, text string) {
	text = prose.TrimBullet(prose.OneLine(item))
	text, _, _ = strings.Cut(text, seen)
	before, after, ok := strings.Cut(text, between)
	if !ok {
		return "", unquote(text)
	}
	if open := strings.LastIndex(before, "("); open >= 0 && strings.HasSuffix(before, ")") {
		before = strings.TrimSpace(before[:open])
	}
	if cut := len(before) - len(time.DateOnly); cut >= 0 && isDate(before[cut:]) {
		before = strings.TrimSpace(before[:cut])
	}
	known := before == labelFriction || before == labelBreakthrough || before == labelInsight || slices.Contains(derivedLabels[:], before)
	if before == "" || known {
		return before, unquote(after)
	}
	return "", unquote(text)
}

// saidIn is what a line says: without label, date and quotation marks.
func saidIn(item string) string {
	if words, ok := Undated(item); ok {
		return words
	}
	label, text := split(item)
	if slices.Contains(derivedLabels[:], label) && !ours(item) { // somebody's words
		return prose.TrimBullet(prose.OneLine(item))
	}
	return text
}

// originOf is whose words a line says it is.
func originOf(item string) memory.Origin {
	head, _, _ := strings.Cut(item, between)
	for _, o := range memory.Origins {
		if prose.Labelled(o) && strings.HasSuffix(head, "("+o.Name()+")") {
			return o
		}
	}
	return memory.OriginUser
}

func unquote(text string) string {
	if inner, ok := strings.CutPrefix(text, prose.QuoteOpen); ok {
		return strings.TrimSuffix(inner, prose.QuoteClose)
	}
	return text
}

// normal is a text by which it is known again: its words in small letters, with a blank around each. A text that was cut
// short is a beginning.
func normal(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 2)
	open := false // a word is being written
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			open = false
			continue
		}
		if !open {
			b.WriteByte(' ')
			open = true
		}
		b.WriteRune(unicode.ToLower(r))
	}
	if b.Len() > 0 && !strings.HasSuffix(text, prose.CutMark) {
		b.WriteByte(' ')
	}
	return b.String()
}

// holds reports whether a memory says what a line says. A line that was cut short is the beginning of its memory.
func holds(memoryText, said string) bool {
	whole, line := normal(memoryText), normal(said)
	return line == whole || line != "" && strings.HasSuffix(said, prose.CutMark) && strings.HasPrefix(whole, line)
}

// reportShare of the words of a text make a line report it: a sentence reworded keeps its names and nouns.
const reportShare = 0.6

// reports reports whether one item of a text says another text: it has most of its words and every figure.
func reports(text, of string) bool {
	return slices.ContainsFunc(SplitItems(text), func(item string) bool {
		said, want := normal(item), normal(of)
		if strings.Contains(said, want) {
			return true
		}
		figures := func(word string) bool {
			return strings.ContainsAny(word, "0123456789") && !strings.Contains(said, " "+word+" ")
		}
		return prose.KeptWords(of, "") < 1 && prose.KeptWords(of, item) >= reportShare && !slices.ContainsFunc(strings.Fields(want), figures)
	})
}

// blocks are the items of a section; what a person sets under a heading of their own is one.
func blocks(text string) (list []string) {
	form := sheet.Form{Wrapped: true, Heads: func(line string) bool { return strings.HasPrefix(line, "#") }}
	for _, item := range sheet.Items(text, form) {
		if item = strings.TrimLeft(item, "\n"); strings.TrimSpace(item) != "" {
			list = append(list, item)
		}
	}
	return list
}

// linesIn are the blocks of a section, those that follow the person and those of the project.
func linesIn(s Document, section Section) []string {
	everywhere, here := SplitHere(s.Sections[section])
	return append(blocks(everywhere), blocks(here)...)
}
