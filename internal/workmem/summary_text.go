package workmem

import (
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/prose"
)

// sumPart is a heading, a paragraph in sentences or a list in items.
type sumPart struct {
	heading, list bool
	lines         []string
	taken         bool // is listed as left to do
}

// sumParts reads a message as Markdown is read, roughly. Code, tables and rules are left out: they are no sentences.
func sumParts(text string) []sumPart {
	var parts []sumPart
	var paragraph, items []string
	flush := func() {
		if len(paragraph) > 0 {
			parts = append(parts, sumPart{lines: prose.Sentences(sumLine(strings.Join(paragraph, " ")))})
		}
		if len(items) > 0 {
			for i := range items {
				items[i] = sumLine(items[i])
			}
			parts = append(parts, sumPart{list: true, lines: items})
		}
		paragraph, items = nil, nil
	}
	code := false
	for _, line := range strings.Split(shelfClean(text), "\n") {
		bare := shelfBare(line)
		if strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~") {
			code = !code
			continue
		}
		_, level := shelfHeading(bare)
		switch {
		case code, strings.HasPrefix(bare, "|"), shelfRule(bare):
			flush()
		case bare == "":
			if len(paragraph) > 0 {
				flush()
			}
		case level > 0 && level < 7 && strings.HasPrefix(bare[level:], " "), sumBoldLine(bare):
			flush()
			parts = append(parts, sumPart{heading: true, lines: []string{sumLine(bare)}})
		case prose.TrimMarks(bare) != bare:
			if len(paragraph) > 0 {
				flush()
			}
			items = append(items, bare)
		case len(items) > 0 && line != bare:
			items[len(items)-1] += " " + bare // indented: the item goes on
		default:
			if len(items) > 0 {
				flush()
			}
			paragraph = append(paragraph, bare)
		}
	}
	flush()
	return parts
}

// sumBoldLine says whether a line is bold as a whole, which is how a heading is written by those who do not like marks.
func sumBoldLine(line string) bool {
	inside, ok := strings.CutPrefix(strings.TrimSuffix(line, ":"), "**")
	inside, end := strings.CutSuffix(inside, "**")
	return ok && end && inside != "" && !strings.Contains(inside, "**")
}

// sumSentence is the first sentence of a text, in one line. One that only announces something ("do this:") takes the next
// part with it.
func sumSentence(text string) string {
	first := ""
	for _, part := range sumParts(text) {
		for _, line := range part.lines {
			if first = strings.TrimSpace(first + " " + line); first != "" && !strings.HasSuffix(first, ":") {
				return first
			}
		}
	}
	return first
}

// sumLine is a text as one line of prose: no marks of a heading, a quote or an item before it, no bold.
func sumLine(text string) string {
	line := prose.TrimMarks(prose.OneLine(text))
	if !strings.Contains(line, "**") {
		return line
	}
	words := strings.Fields(line)
	for i, word := range words {
		// Marks that touch a letter are bold; those of a glob (**/*.go) touch a slash.
		if inside, ok := strings.CutPrefix(word, "**"); ok && inside != "" && !strings.ContainsAny(inside[:1], "/*.") {
			word = inside
		}
		if at := strings.LastIndex(word, "**"); at > 0 && !strings.ContainsAny(word[at-1:at], "/*") {
			if after := word[at+2:]; strings.Trim(after, ".,;:!?)") == "" {
				word = word[:at] + after
			}
		}
		words[i] = word
	}
	return strings.Join(words, " ")
}

func sumLength(text string) int { return utf8.RuneCountInString(text) }
