package state

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// addCrystals puts preferences where they belong, and of what is new the most important.
func (w *writer) addCrystals() {
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
	for _, c := range byWorth(w.m.Insights, insightsShown) {
		w.offer(SectionActive, labelInsight, c, false)
	}
	isNote := map[memory.CrystalID]bool{}
	for _, n := range w.m.Notes {
		isNote[n.ID] = true
	}
	fresh := slices.DeleteFunc(slices.Clone(w.m.Crystals), func(c memory.Crystal) bool {
		return isNote[c.ID] || !c.SaidAt.After(w.m.Old.Dreamt) || w.m.Worked.Age(c.SaidAt, w.m.Now) > FadeAfter ||
			c.Importance < crystalLeast || !c.Lifecycle.Living() || !c.ValidTo.IsZero() || c.Kind == memory.Insight
	})
	for _, c := range byWorth(fresh, crystalsShown) {
		w.offer(placeHere(c.Kind, c.Text, c.Origin, c.Project != 0), "", c, false)
	}
}

// offer adds a crystal if there is room: it can be found without.
func (w *writer) offer(section Section, label string, c memory.Crystal, undated bool) {
	if w.pointed(c.ID) || prose.OneLine(c.Text) == "" || w.says(section, c.Text) {
		return
	}
	at := c.SaidAt
	if undated || section.Personal() {
		at = time.Time{}
	}
	text := write(label, at, c.Text, c.Origin, c.ID, lineLength)
	w.insert(section, line{
		text: text, crystals: []memory.CrystalID{c.ID}, touched: c.SaidAt, weight: c.Importance, valence: c.Valence, free: true,
	})
}

// addNotes adds each new note, unless a line says it already.
func (w *writer) addNotes() {
	notes := slices.Clone(w.m.Notes)
	// Inserted one after the other, so the newest comes first.
	slices.SortStableFunc(notes, func(a, b Note) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID)) })
	for _, n := range notes {
		section := placeHere(n.Kind, n.Text, n.Origin, n.Here)
		at := n.At
		if section.Personal() {
			at = time.Time{}
		}
		if prose.OneLine(n.Text) == "" {
			w.p.Represented[n.ID] = Where{Section: SectionActive} // says nothing
			continue
		}
		w.pointing.kept[n.ID] = true
		text := write("", at, n.Text, n.Origin, n.ID, lineLength)
		l := line{text: text, crystals: []memory.CrystalID{n.ID}, notes: []memory.CrystalID{n.ID}, touched: n.At, weight: n.Importance}
		known := w.findAnywhere(keyOf(text))
		if known == nil {
			known = w.findMoment(n.ID)
		}
		if known == nil {
			if w.pointed(n.ID) {
				continue // an earlier dream got as far as this
			}
			known = w.insert(section, l)
		}
		if known != nil {
			known.crystals, known.notes, known.stays = union(known.crystals, l.crystals), union(known.notes, l.notes), false
			known.free = false
			if n.At.After(known.touched) {
				known.touched = n.At
			}
		}
	}
}

// placeHere is place for a text of one project: it does not follow the person into others, whatever it says.
func placeHere(kind memory.CrystalKind, text string, origin memory.Origin, here bool) Section {
	if section := place(kind, text, origin); !here || !section.Personal() {
		return section
	}
	return SectionActive
}

// place is the section in which a text belongs: who the person is in The Bond, what else they want in The Phenotype, how things
// are done in Emerging Skills, everything else in Active Context. Texts of origins that may not direct the agent stand there too,
// and what an agent says somebody wants is no word on how to work.
func place(kind memory.CrystalKind, text string, origin memory.Origin) Section {
	if !trusted(origin) || prose.ForgesMark(text) {
		return SectionActive
	}
	switch {
	case kind == memory.Skill || kind == memory.TaskPattern || kind == memory.Procedure:
		return SectionSkills
	case origin == memory.OriginUser && (kind == memory.Rule || kind == memory.Correction || kind == memory.Preference && !aboutPerson(text)):
		return SectionPhenotype
	case kind == memory.Preference && !prose.LooksLikeInstruction(text) || kind == memory.Relationship:
		return SectionBond
	case (kind == memory.Fact || kind == memory.Episode || kind == "") && aboutPerson(text):
		return SectionBond
	}
	return SectionActive
}

// aboutPerson says whether a text is about the person, in the most common wordings.
func aboutPerson(text string) bool {
	words := normal(text)
	return slices.ContainsFunc([]string{
		" user s name ", " user is a ", " user is an ", " user prefers ", " user likes ", " user works ", " user wants ", " my name is ", " i prefer ", " i am a ",
	}, func(phrase string) bool { return strings.Contains(words, phrase) })
}

// says reports whether a line of a section says a text already, under whatever label.
func (w *writer) says(section Section, said string) bool {
	want := normal(prose.Shorten(prose.OneLine(said), lineLength))
	return slices.ContainsFunc(w.sections[section], func(l line) bool {
		_, text := split(l.text)
		return normal(text) == want
	})
}

// findMoment gives the friction or breakthrough that reports a crystal.
func (w *writer) findMoment(id memory.CrystalID) *line {
	lines := w.sections[SectionActive]
	for i, l := range lines {
		if label, _ := split(l.text); (label == labelFriction || label == labelBreakthrough) && slices.Contains(l.crystals, id) {
			return &lines[i]
		}
	}
	return nil
}

// dropRepeated takes questions out of the gaps that stand among what is going on: they are gaps once they have faded there.
func (w *writer) dropRepeated() {
	w.sections[SectionGaps] = slices.DeleteFunc(w.sections[SectionGaps], func(l line) bool {
		label, text := split(l.text)
		return label == labelQuestion && w.says(SectionActive, text)
	})
}

// oldPointers takes over the pointers that still lead somewhere. One that was used comes back to what is going on.
func (w *writer) oldPointers() {
	byLine := map[string]Pointer{}
	for _, x := range w.m.Pointers {
		byLine[normal(x.Topic+" → "+x.Words)] = x
	}
	for _, item := range SplitItems(w.m.Old.Sections[SectionPointers]) {
		x, ok := ParsePointer(item)
		if !ok {
			w.stray = append(w.stray, w.oldLine(item)) // what is no pointer goes into Active Context
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
			x.Crystals, x.Made = slices.Clone(ids[:min(len(ids), pointerCrystals)]), w.m.Now
		case !w.pointing.findsAll(x.Words, x.Crystals):
			if x.Crystals = w.stillFound(x); len(x.Crystals) == 0 {
				continue
			}
		}
		w.pointing.list = append(w.pointing.list, x)
	}
	// A person may write more than fit. Those that lead nowhere yet become text.
	for len(w.pointing.list) > PointersMost || w.pointing.bytes() > SectionBudget(SectionPointers) {
		idle := -1
		for i, x := range w.pointing.list {
			if len(x.Crystals) == 0 {
				idle = i
			}
		}
		if idle >= 0 {
			w.stray = append(w.stray, w.oldLine(w.pointing.list[idle].line))
			w.pointing.list = slices.Delete(w.pointing.list, idle, idle+1)
		} else if !w.pointing.removeOne() {
			break
		}
	}
}

// stillFound are the crystals that the words of a pointer find. What they no longer find becomes text again, for which the next dreams
// find other words; what is not in the material was forgotten.
func (w *writer) stillFound(x Pointer) (found []memory.CrystalID) {
	set := w.pointing.search(x.Words)
	for _, id := range x.Crystals {
		if set[id] {
			found = append(found, id)
		} else if !w.revive(Pointer{Crystals: []memory.CrystalID{id}, Used: w.m.Now}) {
			w.pointing.released = append(w.pointing.released, id)
		}
	}
	return found
}

// revive puts what a pointer led to back into the state, if the material has all of it.
func (w *writer) revive(x Pointer) bool {
	var back []line // lines that had faded; they are fresh again
	for _, id := range x.Crystals {
		at, ok := w.memories.byID[id]
		if !ok {
			return false
		}
		k := w.memories.all[at]
		text := write("", k.touched, k.text, k.origin, id, lineLength)
		back = append(back, line{
			text: text, crystals: []memory.CrystalID{id}, touched: x.Used, weight: max(k.importance, restWeight), valence: k.valence,
		})
	}
	for _, l := range back {
		w.p.Revived = append(w.p.Revived, l.text)
	}
	w.revived = append(w.revived, back...)
	return len(back) > 0
}

// pointed says whether a pointer leads to a crystal already, so that what has faded does not come back.
func (w *writer) pointed(id memory.CrystalID) bool {
	return id != "" && slices.ContainsFunc(w.pointing.list, func(p Pointer) bool { return slices.Contains(p.Crystals, id) })
}
