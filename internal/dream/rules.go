package dream

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// Rewrite makes a new state without a language model. Every note is told in the section where it belongs or led to by a
// pointer; what is old and can be found again fades into pointers; what a person wrote stays until a crystal holds it and
// words are proven to find that; figures and open ends are told anew. Nothing is said that the material does not say. The
// same material gives the same state, and a dream that is repeated changes nothing.
func Rewrite(m Material, t tuning.Dream) Proposal { return newWriter(m, t).rewrite() }

// writer holds a state while it is being made.
type writer struct {
	m        Material
	t        tuning.Dream
	before   workmem.State // of which enough must be kept
	memories *memories
	pointing *pointing
	written  [workmem.SectionCount]map[string]bool // lines that hebb wrote, as normal texts
	letGo    map[string]bool                       // likewise, lines that a new state left out on purpose
	sections [workmem.SectionCount][]line
	stray    []line // in the section of pointers, what is none
	revived  []line
	p        Proposal
}

func newWriter(m Material, t tuning.Dream) *writer {
	w := &writer{m: m, t: t, before: m.Old, memories: gather(m), letGo: map[string]bool{}}
	w.pointing = &pointing{
		t: t, memories: w.memories, finds: m.Finds, now: m.Now,
		found: emptyFound(), kept: map[memory.CrystalID]bool{},
	}
	w.written = linesOf(m.Written)
	w.p.Represented = map[memory.CrystalID]Where{}
	return w
}

// linesOf gives the items of each section as normal texts.
func linesOf(s workmem.State) (lines [workmem.SectionCount]map[string]bool) {
	for i, text := range s.Sections {
		lines[i] = map[string]bool{}
		for _, item := range workmem.SplitItems(text) {
			lines[i][normal(item)] = true
		}
	}
	return lines
}

func (w *writer) rewrite() Proposal {
	w.oldPointers()
	w.tellNow()
	w.tellNiche()
	w.tellGaps()
	w.tellSkills()
	for section := range workmem.SectionCount {
		if section != workmem.SectionPointers {
			w.oldLines(section)
		}
	}
	w.sections[workmem.SectionActive] = append(w.sections[workmem.SectionActive], w.stray...)
	for _, l := range w.revived {
		w.insert(workmem.SectionActive, l)
	}
	w.tellCrystals()
	w.tellNotes()
	w.tellUnknown()
	// What is going on comes last: it is the one that other sections make room in.
	for _, section := range []workmem.Section{
		workmem.SectionNiche, workmem.SectionGaps, workmem.SectionPhenotype, workmem.SectionBond, workmem.SectionSkills,
		workmem.SectionActive,
	} {
		w.settle(section)
	}
	return w.finish()
}

// oldPointers takes over the pointers that still lead somewhere. One that was used comes back to what is going on.
func (w *writer) oldPointers() {
	byLine := map[string]Pointer{}
	for _, x := range w.m.Pointers {
		byLine[normal(x.Topic+" → "+x.Words)] = x
	}
	for _, item := range workmem.SplitItems(w.m.Old.Sections[workmem.SectionPointers]) {
		x, ok := ParsePointer(item)
		if !ok {
			w.stray = append(w.stray, w.oldLine(item)) // what is no pointer is told with what is going on
			continue
		}
		if before, remembered := byLine[normal(x.Topic+" → "+x.Words)]; remembered {
			x.Crystals, x.Made, x.Used = before.Crystals, before.Made, before.Used
		}
		switch {
		case !x.Used.IsZero() && x.Used.After(w.m.Old.Dreamt) && w.revive(x):
			continue
		case w.pointing.search(x.Words) == nil:
			// Nobody can say whether it still leads anywhere, so it stays as it is.
		case len(x.Crystals) == 0:
			// Somebody wrote it by hand: it leads to what it finds.
			ids := w.m.Finds(x.Words)
			x.Crystals = slices.Clone(ids[:min(len(ids), w.t.PointerCrystals)])
		case !w.pointing.leadsTo(x.Words, x.Crystals):
			x = w.mend(x)
			if len(x.Crystals) == 0 {
				continue // what it led to was forgotten on purpose
			}
		}
		w.pointing.list = append(w.pointing.list, x)
	}
	// A person may write more than fit. Those that lead nowhere yet are told as text.
	for len(w.pointing.list) > w.t.PointersMost || w.pointing.bytes() > workmem.SectionBudget(workmem.SectionPointers, w.t) {
		idle := -1
		for i, x := range w.pointing.list {
			if len(x.Crystals) == 0 {
				idle = i
			}
		}
		if idle >= 0 {
			w.stray = append(w.stray, w.oldLine(w.pointing.list[idle].line))
			w.pointing.list = slices.Delete(w.pointing.list, idle, idle+1)
		} else if !w.pointing.giveWay() {
			break
		}
	}
}

// mend words a pointer anew whose words no longer find all that it led to. What no words find is told as text again; what is
// not even at hand was forgotten.
func (w *writer) mend(x Pointer) Pointer {
	if words, ok := w.pointing.words(x.Crystals, []Pointer{x}); ok {
		x.Words, x.line = words, ""
		return x
	}
	set := w.pointing.search(x.Words)
	var found []memory.CrystalID
	for _, id := range x.Crystals {
		if set[id] {
			found = append(found, id)
		} else if !w.revive(Pointer{Crystals: []memory.CrystalID{id}, Used: w.m.Now}) {
			w.pointing.released = append(w.pointing.released, id)
		}
	}
	x.Crystals = found
	return x
}

// revive tells again what a pointer led to, if all of it is at hand.
func (w *writer) revive(x Pointer) bool {
	var back []line // tells what faded; it is fresh again
	for _, id := range x.Crystals {
		at, ok := w.memories.byID[id]
		if !ok {
			return false
		}
		k := w.memories.all[at]
		text := write("", k.touched, k.text, k.origin, id, w.t.LineLength)
		back = append(back, line{
			text: text, behind: []memory.CrystalID{id}, touched: x.Used, weight: max(k.importance, restWeight), valence: k.valence,
		})
	}
	for _, l := range back {
		w.p.Revived = append(w.p.Revived, l.text)
	}
	w.revived = append(w.revived, back...)
	return len(back) > 0
}

// restWeight is the importance of a line of which none is known: that of a note of which nobody said how important it is.
const restWeight = 0.7

// tellNow tells the latest sessions and what they left, frictions and breakthroughs.
func (w *writer) tellNow() {
	active := workmem.SectionActive
	sessions := slices.Clone(w.m.Sessions)
	slices.SortStableFunc(sessions, func(a, b Session) int { return b.At.Compare(a.At) })
	told := sessions[:min(len(sessions), w.t.SessionsShown)]
	for i, s := range told {
		// The older of the shown sessions goes first when room is short.
		weight := 1 - float64(i)/float64(2*max(1, w.t.SessionsShown))
		l := line{touched: s.At, weight: weight, free: true}
		if s.Crystal != "" {
			l.behind = []memory.CrystalID{s.Crystal}
		}
		if s.Happened != "" {
			l.text = write(labelSession, s.At, s.Happened, agentUnless(s.Origin), s.Crystal, w.t.LineLength)
			w.add(active, l)
		}
		if s.Learned != "" {
			l.text, l.behind = write(labelLearned, s.At, s.Learned, agentUnless(s.Origin), s.Crystal, w.t.LineLength), nil
			w.add(active, l)
		}
	}
	if i := slices.IndexFunc(sessions, func(s Session) bool { return oneLine(s.Next) != "" }); i >= 0 {
		for _, step := range steps(sessions[i].Next, w.t.NextShown) {
			text := write(labelNext, time.Time{}, step, agentUnless(sessions[i].Origin), "", w.t.LineLength)
			w.add(active, line{text: text, touched: sessions[i].At, weight: 1, free: true})
		}
	}
	moments := func(label string, list []Moment, valence float64) {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b Moment) int { return b.At.Compare(a.At) })
		for _, x := range list {
			text := write(label, x.At, x.Text, x.Origin, x.Crystal, w.t.LineLength)
			l := line{text: text, touched: x.At, weight: restWeight, valence: valence}
			if l.stays = x.Crystal == ""; !l.stays {
				l.behind = []memory.CrystalID{x.Crystal}
			}
			if !w.pointed(x.Crystal) && oneLine(x.Text) != "" {
				w.add(active, l)
			}
		}
	}
	if w.m.Mood.Reward > w.m.Mood.Stress {
		moments(labelBreakthrough, w.m.Breakthroughs, 1)
		moments(labelFriction, w.m.Frictions, -1)
	} else {
		moments(labelFriction, w.m.Frictions, -1)
		moments(labelBreakthrough, w.m.Breakthroughs, 1)
	}
}

// pointed says whether a pointer leads to a crystal already, so that what has faded does not come back by itself.
func (w *writer) pointed(id memory.CrystalID) bool {
	return id != "" && slices.ContainsFunc(w.pointing.list, func(p Pointer) bool { return slices.Contains(p.Crystals, id) })
}

// steps are the lines of what is to be done next.
func steps(next string, most int) []string {
	var list []string
	for text := range strings.SplitSeq(next, "\n") {
		text = oneLine(text)
		for _, sign := range []string{"- ", "* ", "+ ", "[ ] "} {
			text = strings.TrimPrefix(text, sign)
		}
		if text != "" && len(list) < most {
			list = append(list, text)
		}
	}
	return list
}

// tellNiche tells the team, its projects and agents, and what was earned.
func (w *writer) tellNiche() {
	facts := func(label string, list []string) {
		var names []string
		for _, name := range list {
			if name = oneLine(name); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			text := write(label, time.Time{}, strings.Join(names, ", "), memory.OriginAgent, "", w.t.LineLength)
			w.add(workmem.SectionNiche, line{text: text, touched: w.m.Now, weight: 1, free: true})
		}
	}
	facts(labelTeam, w.m.Team)
	facts(labelProjects, w.m.Projects)
	facts(labelAgents, w.m.Agents)
	ledger := w.m.Ledger
	if ledger == nil {
		return
	}
	text := fmt.Sprintf("earned %s USDC, spent %s, net %s; last 7 days %s, the 7 before %s; %s, %s",
		amount(ledger.Earned), amount(ledger.Spent), amount(ledger.Earned-ledger.Spent), amount(ledger.Week), amount(ledger.WeekBefore),
		plural(ledger.Skills, "skill on offer", "skills on offer"), plural(ledger.Buyers, "buyer", "buyers"))
	var top []string
	for _, e := range ledger.Top {
		top = append(top, shorten(oneLine(e.Skill), 40)+" "+amount(e.Earned))
	}
	if len(top) > 0 {
		text += "; top: " + strings.Join(top, ", ")
	}
	text = write(labelEconomics, time.Time{}, text, memory.OriginAgent, "", 2*w.t.LineLength)
	w.add(workmem.SectionNiche, line{text: text, touched: w.m.Now, weight: 1, free: true})
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// tellGaps tells what nobody knows yet.
func (w *writer) tellGaps() {
	gaps := workmem.SectionGaps
	open := func(label, counted string, list []Open, code bool) {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b Open) int { return cmp.Or(cmp.Compare(b.Times, a.Times), b.At.Compare(a.At)) })
		for _, o := range list[:min(len(list), w.t.GapsShown)] {
			text := shorten(oneLine(o.Text), w.t.LineLength)
			if text == "" {
				continue
			}
			if code && trusted(o.Origin) {
				text = "`" + strings.ReplaceAll(text, "`", "'") + "`"
			}
			text = write(label, time.Time{}, text, o.Origin, "", w.t.LineLength+len("``"))
			if o.Times > 1 {
				text += fmt.Sprintf(" (%s %d times)", counted, o.Times)
			}
			w.add(gaps, line{text: text, touched: o.At, weight: restWeight, free: true})
		}
	}
	open(labelError, "seen", w.m.Errors, true)
	open(labelSearch, "asked", w.m.Searches, true)
	open(labelQuestion, "asked", w.m.Questions, false)
	sessions := slices.Clone(w.m.Sessions)
	slices.SortStableFunc(sessions, func(a, b Session) int { return b.At.Compare(a.At) })
	latest, left := true, 0
	for _, s := range sessions {
		if oneLine(s.Next) == "" {
			continue
		}
		for _, step := range steps(s.Next, w.t.GapsShown-left) {
			if latest {
				break // stands in what is going on
			}
			text := write(labelLeft, s.At, step, agentUnless(s.Origin), "", w.t.LineLength)
			w.add(gaps, line{text: text, touched: s.At, weight: restWeight / 2, free: true})
			left++
		}
		latest = false
	}
}

// tellSkills tells what is done again and again, the surest first.
func (w *writer) tellSkills() {
	list := slices.Clone(w.m.Skills)
	slices.SortStableFunc(list, func(a, b Evidence) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(b.Times, a.Times), cmp.Compare(a.Name, b.Name))
	})
	for _, e := range list {
		name := shorten(oneLine(strings.ReplaceAll(e.Name, seen, " ")), w.t.LineLength)
		if name == "" || !trusted(e.Origin) || workmem.ForgesMark(name) {
			continue // what is not trusted may not teach
		}
		confidence := strconv.FormatFloat(math.Round(e.Confidence*100)/100, 'f', -1, 64)
		text := bullet + name + seen + plural(e.Times, "time", "times") + " (" + confidence + ")"
		w.add(workmem.SectionSkills, line{text: text, touched: w.m.Now, weight: e.Confidence, free: true})
	}
}

// add puts a line into a section, unless it stands there.
func (w *writer) add(section workmem.Section, l line) *line {
	l.key = keyOf(l.text)
	if known := w.find(section, l.key); known != nil {
		return known
	}
	w.sections[section] = append(w.sections[section], l)
	return nil
}

// find gives the line of a section that says the same.
func (w *writer) find(section workmem.Section, key string) *line {
	for i := range w.sections[section] {
		if w.sections[section][i].key == key {
			return &w.sections[section][i]
		}
	}
	return nil
}

// oldLine is a line of the old state and what is known of it.
func (w *writer) oldLine(item string) line {
	l := line{text: item, key: keyOf(item), old: true, weight: restWeight, touched: w.m.Now, letGo: w.letGo[normal(item)]}
	if strings.HasPrefix(strings.TrimLeft(item, "\n"), "#") {
		l.stays = true
		return l
	}
	if k, ok := w.memories.holder(item); ok {
		l.behind, l.touched, l.valence = []memory.CrystalID{k.id}, k.touched, k.valence
		if k.importance > 0 {
			l.weight = k.importance
		}
	} else {
		l.stays = true
	}
	return l
}

// oldLines puts the lines of the old state behind the new ones, or before them where a section is a portrait that grows.
func (w *writer) oldLines(section workmem.Section) {
	fresh := w.sections[section]
	var old []line
	for _, item := range workmem.SplitItems(w.m.Old.Sections[section]) {
		label, _ := split(item)
		ours := w.written[section][normal(item)]
		if ours && slices.Contains(derived[section], label) || w.find(section, keyOf(item)) != nil {
			continue // told anew, if it still holds
		}
		l := w.oldLine(item)
		l.free = l.free || ours && section == workmem.SectionSkills && strings.Contains(item, seen)
		if len(l.behind) > 0 && section.Personal() {
			if at := w.memories.byID[l.behind[0]]; w.memories.all[at].replaced {
				w.p.Replaced = append(w.p.Replaced, strings.TrimLeft(item, "\n"))
				continue
			}
		}
		if l.stays && !l.free && !strings.HasPrefix(strings.TrimLeft(item, "\n"), "#") {
			w.p.Wanting = append(w.p.Wanting, workmem.Cut{Section: section, Text: strings.TrimLeft(item, "\n")})
		}
		old = append(old, l)
	}
	if len(old) > 0 && strings.TrimLeft(old[0].text, " \t") != old[0].text {
		w.sections[section] = slices.Concat(old, fresh) // indented: it would become part of the line before it
		return
	}
	w.sections[section] = slices.Concat(fresh, old)
}

// tellCrystals tells preferences where they belong, and of what is new the most important.
func (w *writer) tellCrystals() {
	for _, c := range w.m.Preferences {
		if section := placeHere(c.Kind, c.Text, c.Origin, c.Project != 0); section.Personal() && c.ValidTo.IsZero() {
			w.offer(section, "", c, true)
		}
	}
	byWorth := func(list []memory.Crystal, most int) []memory.Crystal {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b memory.Crystal) int {
			return cmp.Or(cmp.Compare(b.Importance, a.Importance), b.SaidAt.Compare(a.SaidAt), cmp.Compare(a.ID, b.ID))
		})
		return list[:min(len(list), most)]
	}
	for _, c := range byWorth(w.m.Insights, w.t.InsightsShown) {
		w.offer(workmem.SectionActive, labelInsight, c, false)
	}
	isNote := map[memory.CrystalID]bool{}
	for _, n := range w.m.Notes {
		isNote[n.ID] = true
	}
	fresh := slices.DeleteFunc(slices.Clone(w.m.Crystals), func(c memory.Crystal) bool {
		return isNote[c.ID] || !c.SaidAt.After(w.m.Old.Dreamt) || c.SaidAt.Before(w.m.Now.Add(-w.t.FadeAfter)) ||
			c.Importance < w.t.CrystalLeast || !c.Lifecycle.Living() || !c.ValidTo.IsZero() || c.Kind == memory.Insight
	})
	for _, c := range byWorth(fresh, w.t.CrystalsShown) {
		w.offer(placeHere(c.Kind, c.Text, c.Origin, c.Project != 0), "", c, false)
	}
}

// offer tells a crystal if there is room: it need not be told, for it can be found.
func (w *writer) offer(section workmem.Section, label string, c memory.Crystal, undated bool) {
	if w.pointed(c.ID) || oneLine(c.Text) == "" {
		return
	}
	at := c.SaidAt
	if undated || section.Personal() {
		at = time.Time{}
	}
	text := write(label, at, c.Text, c.Origin, c.ID, w.t.LineLength)
	w.insert(section, line{
		text: text, behind: []memory.CrystalID{c.ID}, touched: c.SaidAt, weight: c.Importance, valence: c.Valence, free: true,
	})
}

// insert puts a new line where a section grows: what is going on tells the newest first; a portrait goes on below what it
// says, above headings that a person put there.
func (w *writer) insert(section workmem.Section, l line) *line {
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

// tellNotes tells each new note, unless a line says it already.
func (w *writer) tellNotes() {
	notes := slices.Clone(w.m.Notes)
	// Inserted one behind the other, so the newest comes first.
	slices.SortStableFunc(notes, func(a, b Note) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID)) })
	for _, n := range notes {
		section := placeHere(n.Kind, n.Text, n.Origin, n.Here)
		at := n.At
		if section.Personal() {
			at = time.Time{}
		}
		if oneLine(n.Text) == "" {
			w.p.Represented[n.ID] = Where{Section: workmem.SectionActive} // says nothing
			continue
		}
		w.pointing.kept[n.ID] = true
		text := write("", at, n.Text, n.Origin, n.ID, w.t.LineLength)
		l := line{text: text, behind: []memory.CrystalID{n.ID}, notes: []memory.CrystalID{n.ID}, touched: n.At, weight: n.Importance}
		known := w.findAnywhere(keyOf(text))
		if known == nil {
			if w.pointed(n.ID) {
				continue // an earlier dream got as far as this
			}
			known = w.insert(section, l)
		}
		if known != nil {
			known.behind, known.notes, known.stays = union(known.behind, l.behind), union(known.notes, l.notes), false
			known.free = false
			if n.At.After(known.touched) {
				known.touched = n.At
			}
		}
	}
}

func (w *writer) findAnywhere(key string) *line {
	for section := range workmem.SectionCount {
		if known := w.find(section, key); known != nil {
			return known
		}
	}
	return nil
}

// placeHere is place for a text of one project: it does not follow the person into others, whatever it says.
func placeHere(kind memory.CrystalKind, text string, origin memory.Origin, here bool) workmem.Section {
	if section := place(kind, text, origin); !here || !section.Personal() {
		return section
	}
	return workmem.SectionActive
}

// place is the section in which a text belongs. How the agent is to work is its phenotype, who the person is the bond, how
// things are done a skill, and everything else is going on. Who may not direct the agent is told of there as well.
func place(kind memory.CrystalKind, text string, origin memory.Origin) workmem.Section {
	if !trusted(origin) || workmem.ForgesMark(text) {
		return workmem.SectionActive
	}
	switch kind {
	case memory.Preference:
		if directs(text) {
			return workmem.SectionPhenotype
		}
		return workmem.SectionBond
	case memory.Relationship:
		return workmem.SectionBond
	case memory.Skill, memory.TaskPattern, memory.Procedure:
		return workmem.SectionSkills
	case memory.Fact, memory.Episode, "":
		if aboutPerson(text) {
			return workmem.SectionBond
		}
	}
	return workmem.SectionActive
}

// directs says whether a preference tells the agent what to do, rather than what the person is like.
func directs(text string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(normal(text)), " ")
	return slices.Contains([]string{
		"always", "never", "use", "prefer", "avoid", "don", "dont", "do", "keep", "run", "write", "no", "please", "make", "ask", "answer",
		"speak", "only", "commit", "test", "name", "put", "format", "explain", "show", "start", "stop",
	}, first)
}

// aboutPerson says whether a text tells something of the person, by the few ways in which people and agents say that.
func aboutPerson(text string) bool {
	words := normal(text)
	for _, phrase := range []string{
		"user s name", "user is a", "user is an", "user prefers", "user likes", "user dislikes", "user hates", "user works", "user lives",
		"user wants", "user asked to", "user explicitly", "user speaks", "user s birthday", "my name is", "call me", "i prefer", "i like",
		"i hate", "i work as", "i live in", "i m a", "i am a", "i am an",
	} {
		if strings.Contains(words, " "+phrase+" ") {
			return true
		}
	}
	return false
}

// sectionShare is what part of a state a section is, about: one that is smaller than its part of what the guard on mass asks
// about may shrink at will.
const sectionShare = 4

// settle makes a section fit. What has not been touched for long fades from what is going on; then the least worth keeping
// leaves until the section is within its budget. At most half of it goes at once, so that a state never collapses.
func (w *writer) settle(section workmem.Section) {
	lines := w.sections[section]
	before := len(w.m.Old.Sections[section])
	half := 0
	if before >= w.t.MassFrom/sectionShare {
		half = (before + 1) / 2
	}
	target := max(workmem.SectionBudget(section, w.t), half)
	for {
		leaving := w.leaving(section, lines, half, target)
		if len(leaving) == 0 {
			break
		}
		gone := map[int]bool{}
		var fading []int
		for _, i := range leaving {
			if lines[i].free && len(lines[i].notes) == 0 && !w.wantsPointer(lines[i]) {
				gone[i] = true
			} else {
				fading = append(fading, i)
			}
		}
		for _, topic := range w.topics(lines, fading) {
			w.fade(lines, topic, gone)
		}
		var left []line
		for i, l := range lines {
			if !gone[i] {
				left = append(left, l)
			}
		}
		lines = left
	}
	// What could not be pointed to and is too much waits for the next dream, or is told again by it.
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

func (w *writer) keep(l line) float64 { return l.keep(w.m.Now, w.t.FadeAfter, w.m.Mood) }

// wantsPointer says whether a line that may go without a pointer has been in the state before: a session that leaves it is
// worth a pointer, a crystal that found no room is not.
func (w *writer) wantsPointer(l line) bool { return l.old && len(l.behind) > 0 }

// leaving chooses the lines that are to go, those of least worth first.
func (w *writer) leaving(section workmem.Section, lines []line, half, target int) []int {
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
		aged := section == workmem.SectionActive && l.old && !l.free && w.m.Now.Sub(l.touched) > w.t.FadeAfter
		if size <= target && (!aged && !l.letGo || half > 0 && size-cost < half) {
			continue
		}
		leaving = append(leaving, i)
		size -= cost
	}
	return leaving
}

// topics puts lines together that have much in common.
func (w *writer) topics(lines []line, fading []int) [][]int {
	const alike = 0.3 // of the words of one line that the other has
	var topics [][]int
next:
	for _, i := range fading {
		for k, topic := range topics {
			if len(topic) < w.t.PointerCrystals && workmem.KeptWords(lines[i].text, lines[topic[0]].text) >= alike {
				topics[k] = append(topic, i)
				continue next
			}
		}
		topics = append(topics, []int{i})
	}
	return topics
}

// fade makes a pointer of lines, or of each of them alone; a line for which there is none stays.
func (w *writer) fade(lines []line, topic []int, gone map[int]bool) {
	var all []line
	for _, i := range topic {
		all = append(all, lines[i])
	}
	if w.pointing.add(all) {
		for _, i := range topic {
			gone[i] = true
			w.p.Faded = append(w.p.Faded, strings.TrimLeft(lines[i].text, "\n"))
		}
		return
	}
	if len(topic) > 1 {
		for _, i := range topic {
			w.fade(lines, []int{i}, gone)
		}
		return
	}
	lines[topic[0]].stays, lines[topic[0]].free = true, false
}

// finish puts the sections together and says what became of the notes.
func (w *writer) finish() Proposal {
	next := w.m.Old
	next.Absent = [workmem.SectionCount]bool{}
	next.Dreamt, next.Mood = w.m.Now.UTC().Truncate(time.Second), oneLine(w.m.Mood.Words)
	for _, p := range w.pointing.list {
		w.sections[workmem.SectionPointers] = append(w.sections[workmem.SectionPointers], line{text: p.String()})
	}
	for section, lines := range w.sections {
		next.Sections[section] = join(lines)
	}
	w.p.New = w.keepEnough(next)
	w.p.Pointers = w.pointing.list
	w.where()
	return w.p
}

// tellUnknown names the first gap of all.
func (w *writer) tellUnknown() {
	if len(w.sections[workmem.SectionBond]) == 0 {
		text := bullet + labelUnknown + between + "who the person is and how they like to work; no note says so."
		w.insert(workmem.SectionGaps, line{text: text, touched: w.m.Now, weight: 1, free: true})
	}
}

// keepEnough puts lines of the old state back until the new one is no collapse: figures and open ends that all change at
// once may leave too little of it.
func (w *writer) keepEnough(next workmem.State) workmem.State {
	old := w.before
	collapses := func() map[workmem.Guard]bool {
		found := map[workmem.Guard]bool{}
		for _, f := range workmem.Judge(old, next, nil, w.t) {
			found[f.Guard] = true
		}
		return found
	}
	back := func(section workmem.Section, within bool) bool {
		for _, item := range workmem.SplitItems(old.Sections[section]) {
			item = strings.TrimLeft(item, "\n")
			lines := w.sections[section]
			said := slices.ContainsFunc(lines, func(l line) bool { return strings.TrimLeft(l.text, "\n") == item })
			longer := slices.Concat(lines, []line{{text: item, old: true, stays: true}})
			if said || within && len(join(longer)) > workmem.SectionBudget(section, w.t) {
				continue
			}
			w.sections[section] = longer
			next.Sections[section] = join(longer)
			return true
		}
		return false
	}
	found := collapses()
	for found[workmem.GuardBond] && back(workmem.SectionBond, false) {
		found = collapses()
	}
	for _, within := range []bool{true, false} {
		for _, section := range []workmem.Section{
			workmem.SectionActive, workmem.SectionGaps, workmem.SectionNiche, workmem.SectionSkills, workmem.SectionPhenotype,
			workmem.SectionBond,
		} {
			for (found[workmem.GuardMass] || found[workmem.GuardStranger]) && back(section, within) {
				found = collapses()
			}
		}
	}
	return next
}

// where says of each note which line tells it or leads to it.
func (w *writer) where() {
	for section, lines := range w.sections {
		for _, l := range lines {
			for _, id := range l.notes {
				w.p.Represented[id] = Where{workmem.Section(section), strings.TrimLeft(l.text, "\n")}
			}
		}
	}
	for _, p := range w.pointing.list {
		for _, id := range p.Crystals {
			if _, told := w.p.Represented[id]; !told && w.pointing.kept[id] {
				w.p.Represented[id] = Where{workmem.SectionPointers, p.String()}
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
