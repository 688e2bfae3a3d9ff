package state

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Source is a text that a new state was made from, and its origin.
type Source struct {
	Text   string
	Origin memory.Origin
}

// Guard names what a new state is examined for.
type Guard string

const (
	GuardMissing     Guard = "missing section"
	GuardMass        Guard = "mass drop"
	GuardEviction    Guard = "eviction runaway"
	GuardEmpty       Guard = "empty synthesis"
	GuardBond        Guard = "bond drift"
	GuardStranger    Guard = "another text" // hardly a word of the old state is left: another language, or something else altogether
	GuardOversize    Guard = "oversize"
	GuardMarker      Guard = "forged marker"
	GuardOrigin      Guard = "origin"
	GuardInstruction Guard = "instruction"
)

// Finding is why one guard rejects a state.
type Finding struct {
	Guard Guard
	Text  string
}

func (f Finding) String() string { return string(f.Guard) + ": " + f.Text }

// Verdict is what all guards found; nothing for a state that is accepted.
type Verdict []Finding

// Err is nil for a state that is accepted, else it lists every reason to reject it.
func (v Verdict) Err() error {
	var reasons []string
	for _, f := range v {
		reasons = append(reasons, f.String())
	}
	if len(reasons) == 0 {
		return nil
	}
	return fmt.Errorf("new state: %s: %w", strings.Join(reasons, "; "), memory.ErrRefused)
}

// Guards against a collapse of the state, as designed where nothing else is said.
const (
	MassFrom       = 2000 // characters from which on a state may not shrink at once
	massLeft       = 0.5  // share that must be left
	substanceLeast = 50   // characters other than headings, emphasis and rules
	bondCompared   = 100  // characters of The Bond above which its words are compared
	bondReject     = 0.3  // refused if fewer of its words are kept
	keptFrom       = 200  // characters of a state from which on its words are compared
	keptLeast      = 0.1  // of them that must be kept; a text in another language keeps fewer
	taintShare     = 0.5  // of the words of a line that make a text its source: half a sentence taken over
)

// Judge examines a state that is to take the place of another. The sources are what it was made from.
//
// The origin guard does not ask what a text means, because filters on meaning fail. A line that is new has its source where
// most of its words stand; if that is a text that neither a person nor their agent said, and nobody trusted says as much of
// it, the line may not stand in a section that instructs the agent who it is and how to work (The Phenotype, The Bond, Emerging
// Skills). In the other sections it may, as long as it does not read like an instruction; see LooksLikeInstruction. A line that
// only agents said may stand in The Bond and Emerging Skills if it is labelled as theirs; see guardAgent.
func Judge(old, next Document, sources []Source) Verdict {
	old, next = guardPlain(old), guardPlain(next)
	var v Verdict
	find := func(guard Guard, format string, args ...any) {
		v = append(v, Finding{guard, fmt.Sprintf(format, args...)})
	}
	var missing []string
	for section, absent := range next.Absent {
		if absent {
			missing = append(missing, Section(section).String())
		}
	}
	if len(missing) > 0 {
		find(GuardMissing, "%d of %d have no heading: %s", len(missing), int(SectionCount), strings.Join(missing, ", "))
	}
	before, after := old.Size(), next.Size()
	if ratio := float64(after) / float64(max(1, before)); before >= MassFrom && ratio < massLeft {
		find(GuardMass, "%d of %d characters are left, a share of %.2f, and at least %.2f must be", after, before, ratio, massLeft)
	}
	// What a person wrote into the old state may be more than fits. It is not held against the next one.
	if after > max(Whole, before) {
		find(GuardOversize, "%d characters, and a state may have %d", after, Whole)
	}
	pointers := 0
	for line := range strings.SplitSeq(next.Sections[SectionPointers], "\n") {
		if strings.HasPrefix(line, "- ") {
			pointers++
		}
	}
	if pointers > PointersMost {
		find(GuardEviction, "%d pointers, and %d are the most", pointers, PointersMost)
	}
	if substance := guardSubstance(next); substance < substanceLeast {
		find(GuardEmpty, "%d characters say something, and at least %d must", substance, substanceLeast)
	}
	oldBond := old.Sections[SectionBond]
	if kept := prose.KeptWords(oldBond, next.Sections[SectionBond]); utf8.RuneCountInString(oldBond) > bondCompared && kept < bondReject {
		find(GuardBond, "a share of %.2f of its words is kept; below %.2f it is refused", kept, bondReject)
	}
	if kept := prose.KeptWords(stateText(old), stateText(next)); before >= keptFrom && kept < keptLeast {
		find(GuardStranger, "a share of %.2f of the words of the old state is kept, and at least %.2f must be", kept, keptLeast)
	}
	return append(v, guardOrigins(old, next, sources)...)
}

// guardPlain cleans the texts and leaves the rest.
func guardPlain(s Document) Document {
	absent := s.Absent
	s = statePlain(s)
	s.Absent = absent
	return s
}

func stateText(s Document) string { return s.Lead + "\n" + strings.Join(s.Sections[:], "\n") }

// guardSubstance counts the characters of lines that are no heading, emphasis or rule.
func guardSubstance(s Document) int {
	n := 0
	for line := range strings.SplitSeq(stateText(s), "\n") {
		line = prose.TrimBlanks(line)
		_, level := prose.Heading(line)
		if level > 0 || prose.IsItalic(line) && !stateBullet().MatchString(line) || prose.IsRule(line) {
			continue
		}
		n += utf8.RuneCountInString(line)
	}
	return n
}

// guardItem is an item of a new state that the old one did not have.
type guardItem struct {
	place   string
	text    string
	directs bool
	words   int
	// Words that the best source of each sort has: the person and the old state, agents, all others.
	trusted, agent, low int
}

func guardOrigins(old, next Document, sources []Source) Verdict {
	known := map[string]bool{}
	var before []string
	for _, text := range append([]string{old.Lead}, old.Sections[:]...) {
		for _, item := range SplitItems(text) {
			known[prose.OneLine(item)] = true
			before = append(before, item)
		}
	}
	var items []guardItem
	// What stood there before has been examined when it was new, or a person put it there.
	fresh := func(place string, directs bool, text string) {
		for _, item := range SplitItems(text) {
			if line := prose.OneLine(item); !known[line] && line != hereTitle {
				items = append(items, guardItem{place: place, text: item, directs: directs})
			}
		}
	}
	fresh("above the sections", true, next.Lead)
	for section, text := range next.Sections {
		fresh(Section(section).String(), Section(section).Personal(), text)
	}
	guardCompare(items, before, sources)
	var v Verdict
	for _, item := range items {
		quote := prose.Shorten(prose.OneLine(item.text), 60)
		if prose.ForgesMark(item.text) { // whatever its origin
			v = append(v, Finding{GuardMarker, fmt.Sprintf("%s, %q: only hebb writes its marks", item.place, quote)})
		}
		share := float64(item.low) / float64(max(1, item.words))
		backed := float64(max(item.trusted, item.agent)) / float64(max(1, item.words))
		// A model may make one up. Pointers are made of the words of memories, and proven by what they find.
		invented := item.words > 0 && share < taintShare && backed < taintShare && item.place != SectionPointers.String()
		if invented && prose.LooksLikeInstruction(item.text) {
			v = append(v, Finding{GuardInstruction, fmt.Sprintf("%s, %q: reads like an instruction, and nobody says it", item.place, quote)})
		}
		if item.words > 0 && item.agent > item.trusted && item.agent >= item.low && backed >= taintShare {
			v = append(v, guardAgent(item, quote)...)
			continue
		}
		if item.words == 0 || share < taintShare || max(item.trusted, item.agent) >= item.low {
			continue
		}
		if item.directs {
			v = append(v, Finding{GuardOrigin, fmt.Sprintf(
				"%s, %q: a share of %.2f of it is said only by sources that are not trusted to direct the agent", item.place, quote, share)})
		}
		if prose.LooksLikeInstruction(item.text) {
			v = append(v, Finding{GuardInstruction, fmt.Sprintf(
				"%s, %q: reads like an instruction, and only sources that are not trusted say it", item.place, quote)})
		}
	}
	return v
}

// guardAgent examines a line that only agents said. In a section that directs the agent it must say so, and it may not say how the
// agent is to work, nor give a standing order anywhere.
func guardAgent(item guardItem, quote string) (v Verdict) {
	said := prose.UnsaidBy(guardBullet(item.text))
	if item.directs && (item.place == SectionPhenotype.String() || said == guardBullet(item.text)) {
		v = append(v, Finding{GuardOrigin, fmt.Sprintf(
			"%s, %q: only an agent said it: write it as \"- (agent): “…”\", and not in %s", item.place, quote, SectionPhenotype)})
	}
	if prose.Withheld(memory.OriginAgent, said) {
		v = append(v, Finding{GuardInstruction, fmt.Sprintf("%s, %q: reads like an instruction, and only an agent said it", item.place, quote)})
	}
	return v
}

func guardBullet(line string) string { return strings.TrimLeft(line, " \t-*+\n") }

// guardCompare counts how many words of each item its best source of each sort has.
func guardCompare(items []guardItem, before []string, sources []Source) {
	holders := map[string][]int{} // the items that have a word
	for i := range items {
		for word := range prose.DistinctWords(items[i].text) {
			holders[word] = append(holders[word], i)
			items[i].words++
		}
	}
	sources = slices.Clone(sources)
	for _, text := range before {
		sources = append(sources, Source{text, memory.OriginUser})
	}
	for _, s := range sources {
		shared := map[int]int{}
		for word := range prose.DistinctWords(s.Text) {
			for _, i := range holders[word] {
				shared[i]++
			}
		}
		for i, n := range shared {
			best := &items[i].low
			switch s.Origin {
			case memory.OriginUser:
				best = &items[i].trusted
			case memory.OriginAgent:
				best = &items[i].agent
			}
			*best = max(*best, n)
		}
	}
}
