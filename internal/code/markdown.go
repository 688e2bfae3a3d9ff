package code

import (
	"slices"
	"strings"
)

// headings are those of a Markdown file in both spellings, each once; none out of a block of code.
func headings(source []byte) (names []string) {
	add := func(title string) {
		title = strings.TrimRight(strings.ToValidUTF8(title, "\uFFFD"), "# \t")
		title = shorten(strings.Trim(strings.ReplaceAll(title, "`", ""), " \t*_"), nameLimit)
		if title != "" && len(names) < namesLimit && !slices.Contains(names, title) {
			names = append(names, title)
		}
	}
	fence, before := "", ""
	for line := range strings.Lines(string(source)) {
		line = strings.TrimRight(line, "\r\n")
		text := strings.TrimLeft(line, " ")
		title := strings.TrimLeft(text, "#")
		switch {
		case fence != "":
			if strings.HasPrefix(text, fence) {
				fence = ""
			}
			text = ""
		case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
			fence, text = text[:3], ""
		case len(line)-len(text) > 3: // code by indentation
			text = ""
		case len(title) < len(text):
			if len(text)-len(title) <= 6 && strings.HasPrefix(title, " ") {
				add(title)
			}
			text = ""
		case len(text) >= 3 && strings.Trim(text, "= ") == "":
			add(before)
		}
		before = text
	}
	return names
}
