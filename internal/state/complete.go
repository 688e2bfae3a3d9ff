package state

import (
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Complete takes a state that a language model or the agent made of the material, and that the guards accepted, and adds what
// it left out: notes that no line reports and no pointer leads to, and lines of the old state that are gone without a
// pointer. Those fade at once if they can be found again; else they stay, for a synthesis may drop nothing that only
// the state holds.
func Complete(m Material, made Document) Proposal {
	old, here := withoutHere(m.Base())
	made, _ = withoutHere(m.Unstated(made))
	next := made
	next.Above, next.Below, next.Lead = old.Above, old.Below, old.Lead
	dropped := map[string]bool{}
	text := strings.Join(made.Sections[:], "\n")
	written := linesOf(m.Written)
	for section, before := range old.Sections {
		var gone []line
		for _, item := range SplitItems(before) {
			label, _ := split(item)
			ours := written[section][normal(item)] && (slices.Contains(derived[section], label) || strings.Contains(item, seen))
			if ours || reports(text, item) || section == int(SectionPointers) && leads(m, made, item) {
				continue
			}
			gone = append(gone, line{text: item})
			dropped[normal(item)] = true
		}
		if len(gone) > 0 {
			kept := line{text: made.Sections[section]}
			if kept.text != "" {
				gone = append([]line{kept}, gone...)
			}
			next.Sections[section] = join(gone)
		}
	}
	// Only notes and old lines are examined again; figures and open ends stay as the synthesis has them.
	rest := Material{
		Old: next, Statements: m.Statements, Crystals: m.Crystals, Insights: nil, Pointers: m.Pointers, Habits: m.Habits, Mood: m.Mood, Finds: m.Finds, Now: m.Now, Worked: m.Worked,
		TakesSeeds: m.TakesSeeds,
	}
	rest.Crystals = append(rest.Crystals[:len(rest.Crystals):len(rest.Crystals)], m.Insights...)
	rest.Crystals = append(rest.Crystals, m.Preferences...)
	// None of them is new to a state that was just made.
	rest.Old.Dreamt = m.Now
	reported := map[int]bool{}
	for i, n := range m.Notes {
		if reported[i] = reports(text, n.Text); !reported[i] {
			rest.Notes = append(rest.Notes, n)
		}
	}
	w := newWriter(rest)
	w.dropped, w.before, w.here = dropped, old, here
	p := w.rewrite()
	for i, n := range m.Notes {
		if !reported[i] {
			continue
		}
		if at, ok := where(p, n); ok {
			p.Represented[n.ID] = at
		} else {
			p.Waiting = append(p.Waiting, n.ID)
		}
	}
	return p
}

// ByAgent prepares a state that an agent wrote: the sections that say who the person is and how to work stay as they are in the
// old state, because whatever an agent changed there would be its words in the person's name. Complete adds the notes that belong
// there as rules do. It counts the lines that it left out.
func ByAgent(old, made Document) (_ Document, leftOut int) {
	for section := range SectionCount {
		if !section.Personal() {
			continue
		}
		known := SplitItems(old.Sections[section])
		for _, item := range SplitItems(made.Sections[section]) {
			if !slices.Contains(known, item) {
				leftOut++
			}
		}
		made.Sections[section] = old.Sections[section]
	}
	return made, leftOut
}

// reports says whether one item of a text reports another text: it has most of its words and every figure.
func reports(text, of string) bool {
	return slices.ContainsFunc(SplitItems(text), func(item string) bool { return itemReports(item, of) })
}

// reportShare of the words of a note make a line report it: a sentence reworded keeps its names and nouns.
const reportShare = 0.6

func itemReports(item, of string) bool {
	said, want := normal(item), normal(of)
	if strings.Contains(said, want) {
		return true
	}
	if prose.KeptWords(of, "") == 1 || prose.KeptWords(of, item) < reportShare {
		return false
	}
	for word := range strings.FieldsSeq(want) {
		if strings.ContainsAny(word, "0123456789") && !strings.Contains(said, " "+word+" ") {
			return false
		}
	}
	return true
}

// where finds the line that reports a note, or the pointer that leads to it.
func where(p Proposal, n Note) (Where, bool) {
	for section, said := range p.New.Sections {
		for _, item := range SplitItems(said) {
			if itemReports(item, n.Text) {
				return Where{Section(section), strings.TrimLeft(item, "\n")}, true
			}
		}
	}
	for _, x := range p.Pointers {
		if slices.Contains(x.Crystals, n.ID) {
			return Where{SectionPointers, x.String()}, true
		}
	}
	return Where{}, false
}

// leads says whether a pointer of the old state may go: another one finds all that it led to.
func leads(m Material, made Document, item string) bool {
	old, ok := ParsePointer(item)
	if !ok || m.Finds == nil {
		return false
	}
	for _, x := range m.Pointers {
		if normal(x.Topic+x.Words) == normal(old.Topic+old.Words) {
			old.Crystals = x.Crystals
		}
	}
	if len(old.Crystals) == 0 {
		old.Crystals = m.Finds(old.Words)
	}
	p := &pointing{finds: m.Finds, found: map[string]map[memory.CrystalID]bool{}}
	for _, next := range SplitItems(made.Sections[SectionPointers]) {
		if x, ok := ParsePointer(next); ok && p.findsAll(x.Words, old.Crystals) {
			return true
		}
	}
	return len(old.Crystals) == 0
}
