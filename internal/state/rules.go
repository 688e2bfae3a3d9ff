package state

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// What the state shows, as designed where nothing else is said.
const (
	nextShown     = 5   // steps that the latest session left: what fits in a glance
	insightsShown = 3   // insights must not crowd out what was said
	habitsShown   = 3   // procedures of the project
	habitSteps    = 3   // of one that says something
	crystalsShown = 5   // new crystals besides notes, which come first
	crystalLeast  = 0.5 // importance they need: an episode met once is below it
	lineLength    = 240 // characters of one line: two sentences; the rest of a note is in its crystal
)

// What rules keep of The Bond: more than its guard asks for.
const (
	bondFrom = 100 // bytes from which on its words are compared
	bondKept = 0.5 // of its words
)

// FadeAfter is how many days of work something untouched stays in Active Context: about the half-life of a crystal.
const FadeAfter = 14 * 24 * time.Hour

// Rewrite makes a new state without a language model. Every note is in the section where it belongs or led to by a
// pointer; what is old and can be found again fades into pointers; what a person wrote stays until a crystal holds it and
// words are proven to find that; figures and open ends are rewritten. Nothing is said that the material does not say. The
// same material gives the same state, and a dream that is repeated changes nothing.
func Rewrite(m Material) Proposal { return newWriter(m).rewrite() }

// writer holds a state while it is being made.
type writer struct {
	m        Material
	before   Document // of which enough must be kept
	memories *memories
	pointing *pointing
	written  [SectionCount]map[string]bool // lines that hebb wrote, as normal texts
	dropped  map[string]bool               // likewise, lines that a new state left out on purpose
	sections [SectionCount][]line
	stray    []line // in the section of pointers, what is none
	revived  []line
	// Statements that were chosen, and of personal sections those of the project and what the person wrote there.
	stated, statedHere [SectionCount][]line
	here               [SectionCount]string
	above              string // what stands above the state
	p                  Proposal
}

func newWriter(m Material) *writer {
	m.Old = m.Base()
	w := &writer{m: m, memories: gather(m), dropped: map[string]bool{}, above: m.Old.Above}
	w.m.Old, w.here = withoutHere(m.Old)
	w.before = w.m.Old
	w.pointing = &pointing{
		memories: w.memories, finds: m.Finds, now: m.Now,
		found: map[string]map[memory.CrystalID]bool{}, kept: map[memory.CrystalID]bool{},
	}
	w.written = linesOf(m.Written)
	w.p.Represented = map[memory.CrystalID]Where{}
	return w
}

// withoutHere takes out of the personal sections what holds only in this project.
func withoutHere(s Document) (_ Document, here [SectionCount]string) {
	for section := range SectionCount {
		if section.Personal() {
			s.Sections[section], here[section] = SplitHere(s.Sections[section])
		}
	}
	return s, here
}

// linesOf gives the items of each section as normal texts.
func linesOf(s Document) (lines [SectionCount]map[string]bool) {
	for i, text := range s.Sections {
		lines[i] = map[string]bool{}
		for _, item := range SplitItems(text) {
			lines[i][normal(item)] = true
		}
	}
	return lines
}

func (w *writer) rewrite() Proposal {
	w.oldPointers()
	w.addActive()
	w.addNiche()
	w.addGaps()
	w.addSkills()
	for section := range SectionCount {
		if section != SectionPointers {
			w.oldLines(section)
		}
	}
	w.sections[SectionActive] = append(w.sections[SectionActive], w.stray...)
	for _, l := range w.revived {
		w.insert(SectionActive, l)
	}
	w.addCrystals()
	w.addNotes()
	w.dropRepeated()
	w.addStatements()
	w.adopt()
	// What is going on comes last: it is the one that other sections make room in.
	for _, section := range []Section{
		SectionNiche, SectionGaps, SectionPhenotype, SectionBond, SectionSkills,
		SectionActive,
	} {
		w.settle(section)
	}
	return w.finish()
}

// add puts a line into a section, unless it stands there.
func (w *writer) add(section Section, l line) *line {
	l.key = keyOf(l.text)
	if known := w.find(section, l.key); known != nil {
		return known
	}
	w.sections[section] = append(w.sections[section], l)
	return nil
}

// find gives the line of a section that says the same.
func (w *writer) find(section Section, key string) *line {
	for i := range w.sections[section] {
		if w.sections[section][i].key == key {
			return &w.sections[section][i]
		}
	}
	return nil
}

func (w *writer) findAnywhere(key string) *line {
	for section := range SectionCount {
		if known := w.find(section, key); known != nil {
			return known
		}
	}
	return nil
}

// oldLine is a line of the old state and what is known of it.
func (w *writer) oldLine(item string) line {
	l := line{text: item, key: keyOf(item), old: true, weight: restWeight, touched: w.m.Now, dropped: w.dropped[normal(item)]}
	if strings.HasPrefix(strings.TrimLeft(item, "\n"), "#") {
		l.stays = true
		return l
	}
	if k, ok := w.memories.holder(item); ok {
		l.crystals, l.touched, l.valence = []memory.CrystalID{k.id}, k.touched, k.valence
		if k.importance > 0 {
			l.weight = k.importance
		}
	} else {
		l.stays = true
	}
	return l
}

// oldLines puts the lines of the old state after the new ones, or before them where a section is a portrait that grows.
func (w *writer) oldLines(section Section) {
	fresh := w.sections[section]
	var old []line
	for _, item := range SplitItems(w.m.Old.Sections[section]) {
		label, _ := split(item)
		ours := w.written[section][normal(item)]
		if ours && slices.Contains(derived[section], label) || w.find(section, keyOf(item)) != nil {
			continue // rewritten, if it still holds
		}
		l := w.oldLine(item)
		l.free = l.free || ours && section == SectionSkills && strings.Contains(item, seen)
		if len(l.crystals) > 0 && section.Personal() {
			if at := w.memories.byID[l.crystals[0]]; w.memories.all[at].replaced {
				w.p.Replaced = append(w.p.Replaced, strings.TrimLeft(item, "\n"))
				continue
			}
		}
		if l.stays && !l.free && !strings.HasPrefix(strings.TrimLeft(item, "\n"), "#") {
			w.p.Wanting = append(w.p.Wanting, Cut{Section: section, Text: strings.TrimLeft(item, "\n")})
		}
		old = append(old, l)
	}
	if len(old) > 0 && strings.TrimLeft(old[0].text, " \t") != old[0].text {
		w.sections[section] = slices.Concat(old, fresh) // indented: it would become part of the line before it
		return
	}
	w.sections[section] = slices.Concat(fresh, old)
}

// insert puts a new line where a section grows: Active Context shows the newest first; a portrait goes on below what it
// says, above headings that a person put there.
func (w *writer) insert(section Section, l line) *line {
	l.key = keyOf(l.text)
	if known := w.find(section, l.key); known != nil {
		return known
	}
	lines := w.sections[section]
	at := slices.IndexFunc(lines, func(x line) bool { return x.old })
	if at < 0 {
		at = len(lines)
	}
	if section.Personal() {
		heading := slices.IndexFunc(lines, func(x line) bool {
			return x.old && strings.HasPrefix(strings.TrimLeft(x.text, "\n"), "#")
		})
		if at = heading; at < 0 {
			at = len(lines)
		}
	} else if at < len(lines) && strings.TrimLeft(lines[at].text, " \t") != lines[at].text {
		at = len(lines)
	}
	w.sections[section] = slices.Insert(lines, at, l)
	return nil
}

// finish puts the sections together and says what became of the notes.
func (w *writer) finish() Proposal {
	next := w.m.Old
	next.Absent = [SectionCount]bool{}
	next.Dreamt, next.Mood = w.m.Now.UTC().Truncate(time.Second), "" // the mood is shown by hebb state mood alone
	for _, p := range w.pointing.list {
		w.sections[SectionPointers] = append(w.sections[SectionPointers], line{text: p.String()})
	}
	for section, lines := range w.sections {
		next.Sections[section] = join(lines)
	}
	next = w.keepEnough(next)
	for section := range SectionCount {
		next.Sections[section] = w.withStatements(section, next.Sections[section])
	}
	next.Above = w.above
	w.p.New = next
	w.p.Pointers = w.pointing.list
	w.where()
	return w.p
}

// keepEnough puts lines of the old state back until the new one is no collapse: figures and open ends that all change at
// once may leave too little of it.
func (w *writer) keepEnough(next Document) Document {
	old := w.before
	collapses := func() map[Guard]bool {
		found := map[Guard]bool{}
		for _, f := range Judge(old, next, nil) {
			found[f.Guard] = true
		}
		return found
	}
	back := func(section Section, within bool) bool {
		for _, item := range SplitItems(old.Sections[section]) {
			item = strings.TrimLeft(item, "\n")
			lines := w.sections[section]
			said := slices.ContainsFunc(lines, func(l line) bool { return strings.TrimLeft(l.text, "\n") == item })
			longer := slices.Concat(lines, []line{{text: item, old: true, stays: true}})
			if said || within && len(join(longer)) > SectionBudget(section) {
				continue
			}
			w.sections[section] = longer
			next.Sections[section] = join(longer)
			return true
		}
		return false
	}
	drifts := func() bool {
		bond := old.Sections[SectionBond]
		return len(bond) > bondFrom && prose.KeptWords(bond, next.Sections[SectionBond]) < bondKept
	}
	for drifts() && back(SectionBond, false) {
	}
	found := collapses()
	for _, within := range []bool{true, false} {
		for _, section := range []Section{
			SectionActive, SectionGaps, SectionNiche, SectionSkills, SectionPhenotype,
			SectionBond,
		} {
			for (found[GuardMass] || found[GuardStranger]) && back(section, within) {
				found = collapses()
			}
		}
	}
	return next
}

// where says of each note which line reports it or leads to it.
func (w *writer) where() {
	for section, lines := range w.sections {
		for _, l := range lines {
			for _, id := range l.notes {
				w.p.Represented[id] = Where{Section(section), strings.TrimLeft(l.text, "\n")}
			}
		}
	}
	for _, p := range w.pointing.list {
		for _, id := range p.Crystals {
			if _, shown := w.p.Represented[id]; !shown && w.pointing.kept[id] {
				w.p.Represented[id] = Where{SectionPointers, p.String()}
			}
		}
	}
	for _, n := range w.m.Notes {
		if _, ok := w.p.Represented[n.ID]; !ok {
			w.p.Waiting = append(w.p.Waiting, n.ID)
		}
	}
	for _, id := range w.pointing.released {
		if !w.pointed(id) && !slices.Contains(w.p.Released, id) {
			w.p.Released = append(w.p.Released, id)
		}
	}
}

func gather(m Material) *memories {
	k := &memories{byID: map[memory.CrystalID]int{}, byWord: map[string][]int{}}
	for _, section := range m.Old.Sections {
		for word := range strings.FieldsSeq(normal(section)) {
			k.byWord[word] = nil
		}
	}
	add := func(x known) {
		if _, twice := k.byID[x.id]; twice || x.id == "" {
			return
		}
		x.normal = normal(x.text)
		at := len(k.all)
		k.byID[x.id] = at
		k.all = append(k.all, x)
		for word := range strings.FieldsSeq(x.normal) {
			if posts, wanted := k.byWord[word]; wanted && (len(posts) == 0 || posts[len(posts)-1] != at) {
				k.byWord[word] = append(posts, at)
			}
		}
	}
	for _, crystals := range [][]memory.Crystal{m.Crystals, m.Insights, m.Preferences} {
		for _, c := range crystals {
			touched := c.SaidAt
			if c.LastAt.After(touched) {
				touched = c.LastAt
			}
			replaced := !c.ValidTo.IsZero() && !c.ValidTo.After(m.Now)
			add(known{c.ID, c.Text, "", touched, c.Importance, c.Valence, c.Origin, replaced})
		}
	}
	for _, s := range m.Statements {
		add(known{s.ID, s.Text, "", s.SaidAt, s.Importance, s.Valence, s.Origin, false})
	}
	for _, n := range m.Notes {
		add(known{n.ID, n.Text, "", n.At, n.Importance, 0, n.Origin, false})
	}
	for _, s := range m.Sessions {
		add(known{s.Crystal, s.Happened, "", s.At, 0, 0, s.origin(), false})
	}
	for _, x := range m.Moments {
		add(known{x.Crystal, x.Text, "", x.At, 0, 0, x.Origin, false})
	}
	return k
}

// settle makes a section fit. What has not been touched for long fades from what is going on; then the least worth keeping
// leaves until the section is within its budget. At most half of it goes at once, so that a state never collapses.
func (w *writer) settle(section Section) {
	lines := w.sections[section]
	before := len(w.m.Old.Sections[section])
	half := 0
	if before >= MassFrom/sectionShare {
		half = (before + 1) / 2
	}
	target := max(SectionBudget(section)-w.statedBytes(section)-len(w.here[section]), half)
	for {
		leaving := w.leaving(section, lines, half, target)
		if len(leaving) == 0 {
			break
		}
		gone := map[int]bool{}
		for _, i := range leaving {
			switch l := &lines[i]; {
			case l.free && len(l.notes) == 0 && !w.wantsPointer(*l):
				gone[i] = true
			case w.pointing.add(l.crystals):
				gone[i] = true
				w.p.Faded = append(w.p.Faded, strings.TrimLeft(l.text, "\n"))
			default:
				l.stays, l.free = true, false
			}
		}
		var left []line
		for i, l := range lines {
			if !gone[i] {
				left = append(left, l)
			}
		}
		lines = left
	}
	// What could not be pointed to and is too much waits for the next dream.
	for len(join(lines)) > target {
		worst := -1
		for i, l := range lines {
			if !l.old && (worst < 0 || w.keep(l) <= w.keep(lines[worst])) {
				worst = i
			}
		}
		if worst < 0 {
			break
		}
		lines = slices.Delete(lines, worst, worst+1)
	}
	w.sections[section] = lines
}

func (w *writer) keep(l line) float64 {
	return l.keep(w.m.Worked.Age(l.touched, w.m.Now), FadeAfter, w.m.Mood)
}

// wantsPointer says whether a line that may go without a pointer has been in the state before: a session that leaves it is
// worth a pointer, a crystal that found no room is not.
func (w *writer) wantsPointer(l line) bool { return l.old && len(l.crystals) > 0 }

// leaving chooses the lines that are to go, those of least worth first.
func (w *writer) leaving(section Section, lines []line, half, target int) []int {
	order := make([]int, 0, len(lines))
	for i, l := range lines {
		if !l.stays || l.free {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(w.keep(lines[a]), w.keep(lines[b])), lines[a].touched.Compare(lines[b].touched), cmp.Compare(b, a))
	})
	size := len(join(lines))
	var leaving []int
	for _, i := range order {
		l := lines[i]
		cost := len(l.text) + len("\n")
		aged := section == SectionActive && l.old && !l.free && w.m.Worked.Age(l.touched, w.m.Now) > FadeAfter
		if size <= target && (!aged && !l.dropped || half > 0 && size-cost < half) {
			continue
		}
		leaving = append(leaving, i)
		size -= cost
	}
	return leaving
}

// sectionShare is what part of a state a section is, about: one that is smaller than its part of what the guard on mass asks
// about may shrink at will.
const sectionShare = 4
