package state

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/prose"
)

// sectionShare is what part of a state a section is, about: one that is smaller than its part of what the guard on mass asks
// about may shrink at will.
const sectionShare = 4

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

func (w *writer) keep(l line) float64 { return l.keep(w.m.Now, FadeAfter, w.m.Mood) }

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
		aged := section == SectionActive && l.old && !l.free && w.m.Now.Sub(l.touched) > FadeAfter
		if size <= target && (!aged && !l.dropped || half > 0 && size-cost < half) {
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
			if len(topic) < pointerCrystals && prose.KeptWords(lines[i].text, lines[topic[0]].text) >= alike {
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
