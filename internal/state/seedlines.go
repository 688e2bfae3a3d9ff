package state

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/prose"
)

// A seed is a text that a person wrote before there was a state, adopted above hebb's block between two marks of its own.
// The second dream moves it into the state. Without its marks it is a text that hebb never touches.
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
	return fmt.Sprintf("%s: adopted from %s on %s. The second dream takes its lines in below; nothing of it is lost. -->\n%s%s\n\n",
		seedBeginMark, name, at.UTC().Format(time.DateOnly), text, seedEnd)
}

// AddSeed sets a text above the state, between the marks of a seed.
func (s *Document) AddSeed(name string, at time.Time, text string) {
	if s.Above != "" && !strings.HasSuffix(s.Above, "\n") {
		s.Above += "\n"
	}
	s.Above += SeedBlock(name, at, text)
}

// seedPattern matches an adopted text with its marks. A text whose end mark is gone is a person's own.
var seedPattern = prose.Pattern(`(?ms)^[ \t]*` + seedBeginMark + `[^\n]*-->[ \t]*\r?\n(.*?)^[ \t]*` + seedEndMark + `[^\n]*-->[ \t]*(?:\r?\n){0,2}`)

// adoptedTexts are the texts that stand above a state between marks of a seed.
func adoptedTexts(above string) (texts []string) {
	for _, found := range seedPattern().FindAllStringSubmatch(above, -1) {
		texts = append(texts, found[1])
	}
	return texts
}

// withoutSeeds is what stands above the state but for adopted texts.
func withoutSeeds(above string) string { return seedPattern().ReplaceAllLiteralString(above, "") }

// CutSeeds takes lines out of what was adopted. What stands outside of the marks stays as it is.
func CutSeeds(above string, cut func(line string) bool) string {
	return seedPattern().ReplaceAllStringFunc(above, func(seed string) string {
		text := seedPattern().FindStringSubmatch(seed)[1]
		left := slices.DeleteFunc(strings.SplitAfter(text, "\n"), cut)
		return strings.Replace(seed, text, strings.Join(left, ""), 1)
	})
}
