package state

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Seeds is what a dream knows of an adopted text. The text itself stands above the state, between marks of its own.
type Seeds struct {
	// Open says that one dream has left the text alone, so that this one may adopt lines.
	Open bool
	// Held are the crystals of lines that earlier dreams adopted. Each is in the state, or words are proven to find it; where a dream
	// would leave it with neither, its line goes back above the state.
	Held map[memory.CrystalID]bool
}

// Adoption of text written by hand.
const (
	seedLines = 8    // in one dream, but the first: a page is adopted within a dozen dreams
	seedFill  = 0.75 // of a section that it may fill: what is new needs the rest
	// SeedImportance is the importance of such a text, as designed.
	SeedImportance = 0.75
)

// adopt takes a few lines of the seed into the sections where they belong, word for word, as far as those have room. What it
// takes leaves the seed, and everything else there stays byte for byte.
func (w *writer) adopt() {
	if !w.m.Seeds.Open {
		return
	}
	parts := SplitSeeds(w.m.Old.Above)
	left := seedLines
	for i, part := range parts {
		if !part.Seed {
			continue
		}
		kept, from := strings.Builder{}, 0
		for _, l := range SeedLines(part.Text) {
			if left == 0 || !w.adoptLine(l) {
				continue
			}
			left--
			kept.WriteString(part.Text[from:l.From])
			from = l.To
		}
		kept.WriteString(part.Text[from:])
		parts[i].Text = kept.String()
	}
	w.above = JoinSeeds(parts)
}

// adoptLine adds one line of the seed, unless it would not be recognised there, or there is no room.
func (w *writer) adoptLine(l SeedLine) bool {
	section := SectionActive
	if l.Section != SectionCount && l.Section != SectionPointers {
		section = l.Section // a state of another tool names its sections as this one does
	}
	text := l.Text
	if l.Heading != "" {
		text = l.Heading + between + text
	}
	item := bullet + text
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

// returnSeeds puts lines that the old state had or pointed to, and the new one does neither, back above the state. There they
// are a person's own text again, and no dream touches them.
func (w *writer) returnSeeds(next Document) string {
	var back []string
	var before, after []string
	for section := range SectionCount {
		before, after = append(before, normal(w.before.Sections[section])), append(after, normal(next.Sections[section]))
	}
	after = append(after, normal(w.above))
	contains := func(texts []string, want string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, want) })
	}
	for id := range w.m.Seeds.Held {
		at, ok := w.memories.byID[id]
		if !ok {
			continue // forgotten on purpose
		}
		k := w.memories.all[at]
		had := contains(before, k.normal) || slices.ContainsFunc(w.m.Pointers, func(p Pointer) bool { return slices.Contains(p.Crystals, id) })
		if had && !contains(after, k.normal) && !w.pointed(id) {
			back = append(back, bullet+prose.OneLine(k.text)+"\n")
		}
	}
	if len(back) == 0 {
		return w.above
	}
	slices.Sort(back) // a map has no order
	above := w.above
	if above != "" && !strings.HasSuffix(above, "\n") {
		above += "\n"
	}
	return above + strings.Join(back, "") + "\n"
}

// heldLine says whether a line of the old state is one that was adopted: it may not be replaced by other words.
func (k *memories) heldLine(item string, held map[memory.CrystalID]bool) bool {
	if len(held) == 0 {
		return false
	}
	found, ok := k.holder(item)
	return ok && held[found.id]
}

// SeedOpen says whether a text that was adopted then may be adopted by a dream over a state that was last dreamt at another
// time: the first dream after the adoption lets it be.
func SeedOpen(adopted, dreamt time.Time) bool {
	return !adopted.IsZero() && dreamt.After(adopted.Truncate(time.Second))
}
