package state

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/statements"
)

// Entry is something that holds and that MEMORY.md may tell: a memory, or, without an ID, what sessions, files, payments and searches say.
type Entry struct {
	Statement
	Label, Suffix string
	Section       Section // where somebody wrote it; SectionCount: where its kind stands
	Aside         bool    // a rewriting left it out: it is only pointed to
}

// Material is all that MEMORY.md is rendered from.
type Material struct {
	Old     Document // as MEMORY.md says it now; what stands around its sections stays
	Above   string   // of what stands above them, what is to stay
	Entries []Entry
	Told    []Told // lines of Old that tell memories, or lead to them
	Mood    statements.Mood
	Worked  memory.WorkDays
	// Finds searches as an agent would, and gives what it would be shown; nil says that it could not search. Without it nothing is pointed to.
	Finds func(words string) []memory.CrystalID
}

// Told says which memory a line of MEMORY.md tells, or leads to.
type Told struct {
	Line    int64            `json:"line"` // the hash of its text
	Crystal memory.CrystalID `json:"crystal"`
	Pointer bool             `json:"pointer,omitempty"`
	// Said: a start tells the memory by itself.
	Said bool `json:"said,omitempty"`
}

func lineHash(item string) int64 { return memory.ContentHash("statement", strings.TrimSpace(item)) }

// Rendering is a new state and what has to be known of it.
type Rendering struct {
	Document
	Told    []Told
	LeftOut []Entry // memories that are neither told nor pointed to; search finds them
}

// placed is an entry on its way into a section.
type placed struct {
	Entry
	section Section
	row     kindRow
	order   int
	worth   float64
	line    string
	said    string // normal words
	here    bool
}

const leastWorth = 0.15 // a goal that was heard once is told for a month

// place decides where an entry stands and what its line is.
func (m Material) place(e Entry, now time.Time) placed {
	p := placed{Entry: e}
	p.order, p.row = rowOf(e.Kind)
	old := m.Worked.Age(touched(e.Crystal), now) > FadeAfter
	feeling := m.Mood.Reward
	if e.Valence < 0 {
		feeling = m.Mood.Stress
	}
	p.worth = e.Strength(now) * (1 + math.Abs(e.Valence)*feeling)
	written := e.Section < SectionCount
	switch p.section = p.row.in; {
	case written && e.Section != SectionActive:
		p.section = e.Section
	case old:
		p.section = p.row.then
	}
	everywhere := e.ID != "" && (e.Project == 0 || e.Everywhere)
	if everywhere && !p.section.Personal() && p.section != SectionPointers { // what is true everywhere is true of the person
		p.section = SectionBond
	}
	ofPerson := everywhere || e.Origin == memory.OriginUser || p.section == SectionSkills // what an agent says of one project is about the work
	if !p.section.mayStand(e.Origin, e.Text) || p.section.Personal() && !ofPerson {
		if p.section = SectionActive; old {
			p.section = SectionPointers
		}
	}
	if (e.Aside || p.worth < leastWorth) && !written {
		p.section = SectionPointers
	}
	p.here, p.said = p.section.Personal() && !everywhere, normal(e.Words())
	p.line = e.line(p.section)
	if strings.HasPrefix(p.line, "#") {
		p.order += len(kindRows) // under a heading of their own: last
	}
	return p
}

// line is an entry as a section tells it.
func (e Entry) line(section Section) string {
	written := e.Section < SectionCount && e.Origin == memory.OriginUser
	switch {
	case written && (strings.Contains(e.Text, "\n") || section == SectionPointers):
		return e.Text
	case e.ID != "" && e.Suffix == "" && e.Label == "" && statements.IsStatement(e.Crystal):
		return e.String()
	}
	at, most := e.SaidAt, lineLength
	switch {
	case section.Personal(), e.ID == "" && e.Kind != kindSession && e.Kind != kindLearned:
		at = time.Time{}
	}
	if e.Kind == kindEconomics {
		most *= 2
	}
	return write(e.Label, at, e.Text, e.Origin, e.ID, most, e.proven()) + e.Suffix
}

// proven reports whether a person's words stand behind what an agent wrote down, or they confirmed it: then it is told as at a start.
func (e Entry) proven() bool { return e.Line != nil && (e.Line.Person || !e.Line.KeptAt.IsZero()) }

// Render writes MEMORY.md anew: each section holds the best of what stands there now, in characters of the budget, and what found no room or
// has faded leaves a pointer, if words are proven to find it. The same material makes the same bytes.
func Render(m Material, budget int, now time.Time) Rendering {
	r := Rendering{Document: m.Old, Told: []Told{}}
	r.Above = m.Above
	r.Sections, r.Absent = [SectionCount]string{}, [SectionCount]bool{}
	r.Dreamt = now.UTC().Truncate(time.Second)
	var all []placed
	better := map[memory.CrystalID]bool{} // what the person said, and a line of knowledge says better: it stands for both
	for _, e := range m.Entries {
		if p := m.place(e, now); strings.TrimSpace(p.said) != "" && !prose.ForgesMark(p.line) {
			all = append(all, p)
		}
	}
	for i, p := range all {
		if p.Line == nil || p.section == SectionPointers {
			continue
		}
		if at := slices.IndexFunc(all, func(s placed) bool { return s.ID != "" && s.ID == p.Line.Said }); at >= 0 {
			all[i].worth, better[p.Line.Said] = max(p.worth, all[at].worth), true
		}
	}
	all = slices.DeleteFunc(all, func(p placed) bool {
		return p.ID != "" && better[p.ID] && !p.section.Personal() && p.Section == SectionCount
	})
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(b.worth, a.worth), b.SaidAt.Compare(a.SaidAt), cmp.Compare(a.ID, b.ID))
	})
	f := filling{told: map[memory.CrystalID]bool{}}
	frame := Document{Lead: m.Old.Lead, Dreamt: r.Dreamt}
	for section := range SectionCount {
		frame.Sections[section] = "-"
	}
	budget -= utf8.RuneCountInString(StateDocument(frame))
	room := 0 // in characters
	for _, section := range filled {
		room += int(float64(budget) * sectionRows[section].share)
		chosen := f.fill(section, room, slices.DeleteFunc(slices.Clone(all), func(p placed) bool { return p.section != section || section == SectionPointers && p.Section != section }))
		var everywhere, here []string
		for _, p := range chosen {
			if p.here {
				here = append(here, p.line)
			} else {
				everywhere = append(everywhere, p.line)
			}
			if p.ID != "" {
				r.Told = append(r.Told, Told{Line: lineHash(p.line), Crystal: p.ID, Said: statements.IsStatement(p.Crystal) || p.Line != nil})
			}
		}
		room -= size(JoinHere(joinItems(everywhere), joinItems(here)))
		if section == SectionPointers {
			var left []placed
			for _, p := range all {
				if p.ID != "" && !f.told[p.ID] {
					left = append(left, p)
				}
			}
			slices.SortStableFunc(left, func(a, b placed) int { return cmp.Compare(b.worth, a.worth) })
			made := m.pointers(left, PointersMost-len(chosen), room)
			for _, x := range made {
				everywhere = append(everywhere, x.String())
				r.Told = append(r.Told, Told{Line: lineHash(x.String()), Crystal: x.Crystal, Pointer: true})
			}
			for _, p := range left {
				if !slices.ContainsFunc(made, func(x Pointer) bool { return x.Crystal == p.ID }) {
					r.LeftOut = append(r.LeftOut, p.Entry)
				}
			}
		}
		r.Sections[section] = JoinHere(joinItems(everywhere), joinItems(here))
	}
	return r
}

func size(line string) int { return utf8.RuneCountInString(line) + len("\n") }

// filling is what the sections tell so far.
type filling struct {
	chosen []placed
	told   map[memory.CrystalID]bool // or said by another line
}

// fill chooses the lines of a section: each kind has its share first, then the rest goes to whoever comes first. Nothing is told twice; what
// only an agent says does not stand for the person's own words.
func (f *filling) fill(section Section, room int, list []placed) (chosen []placed) {
	used, lines, of := map[memory.CrystalKind]int{}, map[memory.CrystalKind]int{}, map[int]bool{}
	titled := false
	for _, first := range []bool{true, false} {
		for i, p := range list {
			cost := size(p.line)
			if p.here && !titled {
				cost += size(hereTitle) + len("\n\n")
			}
			switch {
			case of[i], lines[p.Kind] == p.row.most && p.Section != section, cost > room:
				continue
			case first && float64(used[p.Kind]+cost) > p.row.share*float64(room+used[p.Kind]):
				continue
			case section == SectionPointers && len(chosen) == PointersMost:
				continue
			case slices.ContainsFunc(f.chosen, func(o placed) bool { return o.Origin.Tier() <= p.Origin.Tier() && sameWords(o.said, p.said) }):
				f.told[p.ID] = true
				continue
			}
			of[i], titled, f.told[p.ID] = true, titled || p.here, true
			used[p.Kind] += cost
			lines[p.Kind]++
			room -= cost
			f.chosen = append(f.chosen, p)
		}
	}
	for i, p := range list {
		if of[i] {
			chosen = append(chosen, p)
		}
	}
	slices.SortStableFunc(chosen, func(a, b placed) int {
		if a.row.newest && b.row.newest {
			return b.SaidAt.Compare(a.SaidAt)
		}
		return cmp.Compare(a.order, b.order)
	})
	return chosen
}

// joinItems sets lines below each other so that each is found again as an item of its own.
func joinItems(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteString("\n")
			if !strings.HasPrefix(line, bullet) && len(SplitItems(lines[i-1]+"\n"+line)) < 2 {
				b.WriteString("\n") // a paragraph below an entry of a list would become part of it
			}
		}
		b.WriteString(line)
	}
	return b.String()
}
