package outline

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Section is a heading of Markdown with the first paragraph below it, as valid text that is not scrubbed.
type Section struct{ Heading, Paragraph string }

// paragraphLimit is how much of a paragraph is kept, in bytes: the first sentences say what it is about.
const paragraphLimit = 600

// Sections lists the headings of a Markdown file that a paragraph follows.
func Sections(source []byte) (sections []Section) {
	var heading string
	var lines []string
	end := func() {
		text := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
		if heading != "" && text != "" {
			sections = append(sections, Section{heading, shorten(text, paragraphLimit)})
			heading = ""
		}
		lines = lines[:0]
	}
	markdown(source, func(title []byte) bool {
		end()
		heading = headingText(title)
		return true
	}, func(line []byte, underlined bool) {
		switch {
		case underlined: // what stood above is a heading, not the paragraph of the one before
			lines = lines[:max(len(lines)-1, 0)]
		case len(bytes.TrimSpace(line)) == 0:
			end()
		default:
			lines = append(lines, strings.ToValidUTF8(string(line), "\uFFFD"))
		}
	})
	end()
	return sections
}

// markdown goes through the lines of a Markdown text: its headings in both spellings, until heading wants no more, and the lines
// between them; none out of a block of code. text is called with underlined when a line was the underlining that makes the one before a heading, before
// heading is. It may be nil.
func markdown(source []byte, heading func(title []byte) (more bool), text func(line []byte, underlined bool)) {
	if text == nil {
		text = func([]byte, bool) {}
	}
	var fence, before []byte
	for line := range bytes.Lines(source) {
		line = bytes.TrimRight(line, "\r\n")
		trimmed := bytes.TrimLeft(line, " ")
		more := true
		switch {
		case fence != nil:
			if bytes.HasPrefix(trimmed, fence) {
				fence = nil
			}
		case bytes.HasPrefix(trimmed, []byte("```")), bytes.HasPrefix(trimmed, []byte("~~~")):
			fence = trimmed[:3]
			trimmed = nil
			text(nil, false)
		case len(line)-len(trimmed) > 3: // code by indentation
			trimmed = nil
			text(nil, false)
		case bytes.HasPrefix(trimmed, []byte("#")):
			if title := bytes.TrimLeft(trimmed, "#"); len(trimmed)-len(title) <= 6 && bytes.HasPrefix(title, []byte(" ")) {
				more = heading(title)
			}
			trimmed = nil
		case len(trimmed) >= 3 && len(bytes.Trim(trimmed, "= ")) == 0:
			text(nil, true)
			more = heading(before)
		default:
			text(trimmed, false)
		}
		if !more {
			return
		}
		before = trimmed
	}
}

// headingText is a heading without its signs.
func headingText(title []byte) string {
	text := strings.TrimRight(strings.ToValidUTF8(string(title), "\uFFFD"), "# \t")
	return shorten(strings.Trim(strings.ReplaceAll(text, "`", ""), " \t*_"), nameLimit)
}

// headings are those of a Markdown file, each once.
func headings(source []byte) (names []string) {
	markdown(source, func(title []byte) bool {
		if text := headingText(title); text != "" && !slices.Contains(names, text) {
			names = append(names, text)
		}
		return len(names) < namesLimit
	}, nil)
	return names
}

// shorten cuts text to at most limit bytes, between two runes.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
