// Package sheet reads and writes the Markdown files that people edit. A line is a memory, and so is a block under a heading of its own. A short
// mark at the end of its first line, such as ^7k2m, says which one.
package sheet

import (
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/prose"
)

// Entry is a memory on a sheet, or a text that is to become one.
type Entry struct {
	ID      string // of the memory; empty for a new one
	Section string // under which it stands
	Text    string // without its mark
	Marked  bool   // its mark says which memory it is; else its words do

	from, to int // its lines
}

// Placed reports whether Read found the entry, so that Without can leave it out.
func (e Entry) Placed() bool { return e.to > 0 }

// Form says of a kind of sheet how it is cut into entries.
type Form struct {
	// Frame reports lines that hebb writes around the entries.
	Frame func(line string) bool
	// Heads reports headings that begin an entry, which ends before the next such heading.
	Heads func(line string) bool
	// Wrapped sheets have paragraphs: lines that follow each other are one entry.
	Wrapped bool
}

// Read cuts a text into entries. Other line ends and a byte order mark mean nothing.
func Read(text string, form Form) (entries []Entry, err error) {
	lines, err := prose.FileLines(text)
	for at := 0; at < len(lines); {
		line := prose.TrimBlanks(lines[at])
		if line == "" || isRule(line) || form.Frame(line) {
			at++
			continue
		}
		e := Entry{from: at, to: form.end(lines, at)}
		at = e.to
		if e.Text = form.text(lines[e.from:e.to]); e.Text != "" {
			entries = append(entries, e)
		}
	}
	return entries, err
}

// end is the line after an entry: a block goes to the next heading of its kind, code to its end, and a line has what is indented below it.
func (f Form) end(lines []string, at int) int {
	if f.Heads(prose.TrimBlanks(lines[at])) {
		next := slices.IndexFunc(lines[at+1:], func(line string) bool { return f.Heads(prose.TrimBlanks(line)) })
		if next < 0 {
			return len(lines)
		}
		return at + 1 + next
	}
	end := max(f.codeEnd(lines, at), at+1)
	if end > at+1 && !f.Wrapped {
		return end
	}
	for i := end; i < len(lines); i = max(i+1, end) {
		below := strings.HasPrefix(lines[i], indent) || strings.HasPrefix(lines[i], "\t")
		switch {
		case prose.TrimBlanks(lines[i]) == "": // it belongs to the entry if another indented line follows
			continue
		case !below && (!f.Wrapped || i > end || begins(lines[i]) || strings.HasPrefix(lines[i-1], "#")):
			return end
		}
		end = i + 1
		if f.Wrapped {
			end = max(f.codeEnd(lines, i), end)
		}
	}
	return end
}

// begins reports whether a line begins an entry where there are paragraphs.
func begins(line string) bool { return IsItem(line) || strings.HasPrefix(line, "#") }

var item = prose.Pattern(`^(?:[-*+][ \t]|[0-9]+[.)] )`)

// IsItem reports whether a line begins an entry of a list.
func IsItem(line string) bool { return item().MatchString(line) }

// Items cuts a text into its entries with all that stands between them: joined by line ends they are the text.
func Items(text string, form Form) (items []string) {
	lines := strings.Split(text, "\n")
	for at := 0; at < len(lines); {
		end := at
		for end < len(lines) && prose.TrimBlanks(lines[end]) == "" {
			end++
		}
		switch last := len(items) - 1; {
		case end < len(lines):
			end = form.end(lines, end)
			items = append(items, strings.Join(lines[at:end], "\n"))
		case last >= 0: // empty lines at the end
			items[last] += "\n" + strings.Join(lines[at:], "\n")
		case text != "":
			items = []string{text}
		}
		at = end
	}
	return items
}

const indent = "  " // of the further lines of an entry

const codeMost = 300 // lines of a block of code: a fence without an end costs no more

// codeEnd is the line after a block of code that begins here, or 0. A fence around lines with marks is none.
func (f Form) codeEnd(lines []string, at int) int {
	fence := lines[at]
	if f.Wrapped {
		fence = prose.TrimBlanks(fence)
	}
	if !isFence(fence) {
		return 0
	}
	for i := at + 1; i < min(len(lines), at+codeMost) && !lastMarks().MatchString(lines[i]); i++ {
		if prose.TrimBlanks(lines[i]) == fence[:3] {
			return i + 1
		}
	}
	return 0
}

// text is what the lines of an entry say.
func (f Form) text(lines []string) string {
	block := f.Heads(prose.TrimBlanks(lines[0]))
	said := []string{prose.TrimBlanks(lines[0])}
	for _, line := range lines[1:] {
		switch {
		case block && f.Frame(prose.TrimBlanks(line)):
			continue
		case block || isFence(lines[0]):
		case strings.HasPrefix(line, indent):
			line = line[len(indent):]
		default:
			line = strings.TrimPrefix(line, "\t")
		}
		said = append(said, line)
	}
	for last := len(said) - 1; block && last > 0; last-- {
		if line := prose.TrimBlanks(said[last]); line != "" && !isRule(line) {
			break
		}
		said = said[:last]
	}
	return prose.Tidy(strings.Join(said, "\n"))
}

func isFence(line string) bool {
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// isRule reports whether a line only separates what is around it.
func isRule(line string) bool {
	return len(line) >= 3 && strings.Trim(line, line[:1]) == "" && strings.Contains("-*_", line[:1])
}

// Indented is a text as an entry of a list says it: none of its further lines can be taken for an entry of its own.
func Indented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i > 0 && line != "" {
			lines[i] = indent + line
		}
	}
	return strings.Join(lines, "\n")
}

// Without is a text without the lines of some entries that were read from it.
func Without(text string, entries []Entry) string {
	if len(entries) == 0 {
		return text
	}
	lines := strings.Split(prose.LineEnds(text), "\n")
	for _, e := range slices.Backward(entries) {
		lines = slices.Delete(lines, e.from, e.to)
	}
	return strings.Join(lines, "\n")
}

// Change is what somebody made of a sheet.
type Change struct {
	New    []Entry
	Edited []Entry // memories with another text, or in another section
	Gone   []Entry // memories that are not there any more, as they stood
	At     time.Time
	many   bool
}

// Many reports that so many memories are gone that nobody may have meant it: more than three, or a fifth. One is always meant.
func (c Change) Many() bool { return c.many }

// Compare finds what is different between two readings of a sheet. A memory that is there twice is a new one the second time. A text
// without a mark that stood there before, as often as it did, is not new: hebb wrote it.
func Compare(before, after []Entry, now time.Time) (c Change) {
	c.At = now
	type words struct{ section, text string }
	was, is, loose := map[string]Entry{}, map[string]bool{}, map[words]int{}
	for _, e := range before {
		if e.ID == "" {
			loose[words{e.Section, e.Text}]++
		} else {
			was[e.ID] = e
		}
	}
	for _, e := range after {
		old, known := was[e.ID]
		this := words{e.Section, e.Text}
		switch {
		case known && !is[e.ID]:
			if is[e.ID] = true; old.Section != e.Section || old.Text != e.Text {
				c.Edited = append(c.Edited, e)
			}
		case !known && loose[this] > 0:
			loose[this]--
		default:
			e.ID = ""
			c.New = append(c.New, e)
		}
	}
	for _, e := range before {
		if e.ID != "" && !is[e.ID] {
			is[e.ID] = true
			c.Gone = append(c.Gone, e)
		}
	}
	gone := len(c.Gone)
	c.many = gone > 1 && (gone > 3 || 5*gone > len(was))
	return c
}
