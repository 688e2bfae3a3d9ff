package prose

import (
	"strings"
)

// Part is a heading, a paragraph in sentences or a list in items.
type Part struct {
	Heading, List bool
	Lines         []string
	Taken         bool // is listed as left to do
}

// Parts reads a message as Markdown is read, roughly. Code, tables and rules are left out: they are no sentences.
func Parts(text string) []Part {
	var parts []Part
	var paragraph, items []string
	flush := func() {
		if len(paragraph) > 0 {
			parts = append(parts, Part{Lines: Sentences(PlainLine(strings.Join(paragraph, " ")))})
		}
		if len(items) > 0 {
			for i := range items {
				items[i] = PlainLine(items[i])
			}
			parts = append(parts, Part{List: true, Lines: items})
		}
		paragraph, items = nil, nil
	}
	code := false
	for _, line := range strings.Split(Tidy(text), "\n") {
		bare := TrimBlanks(line)
		if strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~") {
			code = !code
			continue
		}
		_, level := Heading(bare)
		switch {
		case code, strings.HasPrefix(bare, "|"), IsRule(bare):
			flush()
		case bare == "":
			if len(paragraph) > 0 {
				flush()
			}
		case level > 0 && level < 7 && strings.HasPrefix(bare[level:], " "), isBoldLine(bare):
			flush()
			parts = append(parts, Part{Heading: true, Lines: []string{PlainLine(bare)}})
		case TrimMarks(bare) != bare:
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

// isBoldLine says whether a line is bold as a whole, which is how a heading is written by those who do not like marks.
func isBoldLine(line string) bool {
	inside, ok := strings.CutPrefix(strings.TrimSuffix(line, ":"), "**")
	inside, end := strings.CutSuffix(inside, "**")
	return ok && end && inside != "" && !strings.Contains(inside, "**")
}

// Opening is the first sentence of a text, in one line. One that only announces something ("do this:") takes the next
// part with it.
func Opening(text string) string {
	first := ""
	for _, part := range Parts(text) {
		for _, line := range part.Lines {
			if first = strings.TrimSpace(first + " " + line); first != "" && !strings.HasSuffix(first, ":") {
				return first
			}
		}
	}
	return first
}

// PlainLine is a text as one line of prose: no marks of a heading, a quote or an item before it, no bold.
func PlainLine(text string) string {
	line := TrimMarks(OneLine(text))
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

// FirstSentence is the first sentence of a text, at most length characters.
func FirstSentence(text string, length int) string {
	return withClosedQuote(Shorten(Opening(Tidy(text)), length))
}

// withClosedQuote is a shortened line whose quotation does not stay open.
func withClosedQuote(line string) string {
	if strings.LastIndex(line, QuoteOpen) > strings.LastIndex(line, QuoteClose) {
		line += QuoteClose
	}
	return line
}
