package state

import (
	"slices"

	"github.com/hebb-memory/hebb/internal/memory"
)

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
			x.Crystals = slices.Clone(ids[:min(len(ids), pointerCrystals)])
		case !w.pointing.findsAll(x.Words, x.Crystals):
			x = w.reword(x)
			if len(x.Crystals) == 0 {
				continue // what it led to was forgotten on purpose
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

// reword finds new words for a pointer whose words no longer find all that it led to. What no words find becomes text again;
// what is not in the material was forgotten.
func (w *writer) reword(x Pointer) Pointer {
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
