package state

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/prose"
)

// A seed is a text that a person wrote before there was a state, adopted above hebb's block between two marks of its own.
// Dreams move it into the state, piece by piece. Without its marks it is a text that hebb never touches.
const (
	seedBeginMark = "<!-- hebb:seed begins"
	seedEndMark   = "<!-- hebb:seed ends"
	seedEnd       = seedEndMark + " -->"
)

// SeedBlock sets a text between the marks of a seed. Its bytes stay, but that its last line gets a line end.
func SeedBlock(name string, at time.Time, text string) string {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	name = strings.NewReplacer("--", "- -", ">", " ", "<", " ").Replace(prose.OneLine(name))
	return fmt.Sprintf("%s: adopted from %s on %s. Dreams take it in below, line by line; nothing of it is lost. -->\n%s%s\n\n",
		seedBeginMark, name, at.UTC().Format(time.DateOnly), text, seedEnd)
}

// AddSeed sets a text above the state, between the marks of a seed.
func (s *Document) AddSeed(name string, at time.Time, text string) {
	if s.Above != "" && !strings.HasSuffix(s.Above, "\n") {
		s.Above += "\n"
	}
	s.Above += SeedBlock(name, at, text)
}

// SeedPart is a part of what stands above hebb's block. All of them joined are that text.
type SeedPart struct {
	Text string
	Seed bool // adopted; the marks are parts of their own
}

// SplitSeeds finds what was adopted. A seed whose end is gone is a person's own text.
func SplitSeeds(above string) (parts []SeedPart) {
	from, open := 0, -1
	for at := 0; at < len(above); {
		length, whole := stateLine(above[at:])
		line := prose.TrimBlanks(above[at : at+length])
		switch {
		case strings.HasPrefix(line, seedBeginMark) && strings.HasSuffix(line, stateMarkClose):
			open = at + whole
		case strings.HasPrefix(line, seedEndMark) && strings.HasSuffix(line, stateMarkClose) && open >= 0:
			parts = append(parts, SeedPart{Text: above[from:open]}, SeedPart{Text: above[open:at], Seed: true})
			from, open = at, -1
		}
		at += whole
	}
	return append(parts, SeedPart{Text: above[from:]})
}

// JoinSeeds is the text that SplitSeeds cut.
func JoinSeeds(parts []SeedPart) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// CutSeeds takes lines out of what was adopted. What stands outside of the marks stays as it is.
func CutSeeds(above string, cut func(line string) bool) string {
	parts := SplitSeeds(above)
	for i, p := range parts {
		if !p.Seed {
			continue
		}
		var left strings.Builder
		for line := range strings.Lines(p.Text) {
			if !cut(line) {
				left.WriteString(line)
			}
		}
		parts[i].Text = left.String()
	}
	return JoinSeeds(parts)
}

// hasSeed reports whether an adopted text stands above the state.
func hasSeed(above string) bool {
	return slices.ContainsFunc(SplitSeeds(above), func(p SeedPart) bool { return p.Seed })
}

// withoutSeeds is what stands above the state but for adopted texts and their marks.
func withoutSeeds(above string) string {
	var b strings.Builder
	for line := range strings.Lines(CutSeeds(above, func(string) bool { return true })) {
		if bare := prose.TrimBlanks(line); !strings.HasPrefix(bare, seedBeginMark) && !strings.HasPrefix(bare, seedEndMark) {
			b.WriteString(line)
		}
	}
	return b.String()
}
