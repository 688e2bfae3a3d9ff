package state

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/sheet"
)

// Guard names what a new state is examined for.
type Guard string

const (
	GuardMass     Guard = "mass drop"
	GuardEviction Guard = "eviction runaway"
	GuardEmpty    Guard = "empty synthesis"
	GuardBond     Guard = "bond drift"
	GuardStranger Guard = "another text" // hardly a word of the old state is left: another language, or something else altogether
	GuardOversize Guard = "oversize"
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
)

// Judge examines a state that is to take the place of another: a rendering, a model's, or a person's edit. It does not ask who said what:
// that is decided where a memory is told.
func Judge(old, next Document) (v Verdict) {
	old, next = statePlain(old), statePlain(next)
	find := func(guard Guard, format string, args ...any) {
		v = append(v, Finding{guard, fmt.Sprintf(format, args...)})
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
	return v
}

func stateText(s Document) string { return s.Lead + "\n" + strings.Join(s.Sections[:], "\n") }

// guardSubstance counts the characters of lines that are no heading, emphasis or rule.
func guardSubstance(s Document) int {
	n := 0
	for line := range strings.SplitSeq(stateText(s), "\n") {
		line = prose.TrimBlanks(line)
		_, level := prose.Heading(line)
		if level > 0 || prose.IsItalic(line) && !sheet.IsItem(line) || prose.IsRule(line) {
			continue
		}
		n += utf8.RuneCountInString(line)
	}
	return n
}
