package state

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/prose"
)

// Adoption of text written by hand.
const (
	seedLines = 8    // in one dream, but the first: a page is adopted within a dozen dreams
	seedFill  = 0.75 // of a section that it may fill: what is new needs the rest
	// SeedImportance is the importance of such a text, as designed.
	SeedImportance = 0.75
)

// adopt moves a few lines of adopted text into the sections where they belong, word for word, as far as those have room. A line that
// means something only where it stands (code, tables, steps, quotations, entries with others below them, lists that a sentence
// introduces) stays there.
func (w *writer) adopt() {
	if !w.m.TakesSeeds {
		return
	}
	parts := SplitSeeds(w.m.Old.Above)
	for i, part := range parts {
		if !part.Seed {
			continue
		}
		heading, section, led := "", SectionActive, false
		end := "\n"
		if strings.Contains(part.Text, "\r\n") {
			end = "\r\n"
		}
		items := slices.DeleteFunc(SplitItems(strings.ReplaceAll(part.Text, end, "\n")), func(item string) bool {
			bare := strings.TrimSpace(item)
			if title, level := prose.Heading(bare); level > 0 {
				heading, section, led = title, SectionActive, false
				if s, ok := stateHeading(bare); ok && s != SectionPointers { // a state of another tool names its sections as this one does
					section = s
				}
				if level == 1 || section != SectionActive {
					heading = ""
				}
				return false
			}
			entry := len(bare) > 1 && strings.ContainsRune("-*+", rune(bare[0])) && bare[1] == ' '
			if !entry {
				led = strings.HasSuffix(bare, ":") || strings.Contains(bare, "~~~")
			}
			return !led && len(w.p.Adopted) < seedLines && standsAlone(bare, entry) && w.adoptLine(section, heading, bare)
		})
		text := strings.Join(items, "\n")
		if len(items) > 0 && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		parts[i].Text = strings.ReplaceAll(text, "\n", end)
	}
	w.above = JoinSeeds(parts)
}

// standsAlone says whether an item is an entry of a list or prose that makes sense elsewhere.
func standsAlone(item string, entry bool) bool {
	first, below, _ := strings.Cut(item, "\n")
	switch {
	case strings.Trim(first, "-*+_= ") == "", strings.HasSuffix(item, ":"), strings.Contains(item, "```"), !utf8.ValidString(item):
		return false
	case entry && strings.HasPrefix(item[2:], "[x]"), !entry && (strings.ContainsAny(item[:1], "|><=[{!") || stateBullet().MatchString(item)):
		return false // done, a table, a quotation, mark-up, a numbered step
	}
	for line := range strings.Lines(below) {
		if line = strings.TrimSpace(line); stateBullet().MatchString(line) || strings.Trim(line, "-=") == "" { // an entry of its own, or a title
			return false
		}
	}
	return true
}

// adoptLine adds one line of the seed, unless it would not be recognised there, or there is no room.
func (w *writer) adoptLine(section Section, heading, item string) bool {
	text := prose.TrimBullet(prose.OneLine(item))
	if heading != "" {
		text = heading + between + text
	}
	item = bullet + text
	label, says := split(item)
	// What looks like a line that dreams rebuild would be taken for one, and what is cut short can not come back whole.
	if label != "" || says != prose.OneLine(text) || strings.Contains(text, seen) || strings.Contains(text, prose.CutMark) || utf8.RuneCountInString(text) > lineLength {
		return false
	}
	if prose.ForgesMark(text) || len(SplitItems(item)) != 1 || strings.TrimSpace(normal(text)) == "" {
		return false
	}
	if _, pointer := ParsePointer(item); pointer {
		return false
	}
	if w.find(section, keyOf(item)) == nil {
		lines := slices.Concat(w.sections[section], []line{{text: item}})
		if float64(len(join(lines))) > seedFill*float64(SectionBudget(section)) {
			return false
		}
		w.sections[section] = append(w.sections[section], line{
			text: item, key: keyOf(item), touched: w.m.Now, weight: SeedImportance, old: true, stays: true,
		})
	}
	w.p.Adopted = append(w.p.Adopted, Cut{Section: section, Text: item})
	return true
}

// SeedOpen says whether a text that was adopted then may be adopted by a dream over a state that was last dreamt at another
// time: the first dream after the adoption lets it be.
func SeedOpen(adopted, dreamt time.Time) bool {
	return !adopted.IsZero() && dreamt.After(adopted.Truncate(time.Second))
}
