package state

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/sheet"
)

// Section is a part of the state, in the order of MEMORY.md.
type Section int

const (
	SectionPhenotype Section = iota // who the agent is here: how it is to work
	SectionBond                     // who the person is
	SectionNiche                    // team, projects, agents, earnings
	SectionActive                   // what is going on
	SectionPointers                 // where deep memories lie
	SectionGaps                     // what is not known
	SectionSkills                   // what is done again and again
	SectionCount                    // how many there are
)

// String is the title of the section.
func (s Section) String() string {
	return sectionRows[s].title
}

// Personal says that a section follows the person into every project; the others belong to one project.
func (s Section) Personal() bool {
	return s == SectionPhenotype || s == SectionBond || s == SectionSkills
}

// Document is what MEMORY.md says. The texts between hebb's two marks go through the file as those of an Entry do; what stands
// outside of them is a person's and is never changed, but that its last line gets a line end.
type Document struct {
	Above string // all before hebb's block, byte for byte
	Below string // all after it
	Lead  string // text in the block before the first section

	Dreamt time.Time // when it was last rewritten, to the second
	// Sections holds the text of each. A heading that hebb does not know belongs to the text in which it stands.
	Sections [SectionCount]string
	// Absent marks, of a state that was read, the sections that had no heading. They are written all the same.
	Absent [SectionCount]bool
}

// Empty says that nothing was ever dreamt: there is at most a person's text around the block.
func (s Document) Empty() bool { return s.Size() == 0 }

// Size is how many characters the state says, without titles.
func (s Document) Size() int {
	n := utf8.RuneCountInString(s.Lead)
	for _, text := range s.Sections {
		n += utf8.RuneCountInString(text)
	}
	return n
}

const (
	stateBegin     = "<!-- hebb:state begins: hebb rewrites what stands from here to its end mark, and keeps what you write there. -->"
	stateEnd       = "<!-- hebb:state ends: what stands outside of the two marks is yours. -->"
	stateBeginMark = "<!-- hebb:state begins"
	stateEndMark   = "<!-- hebb:state ends"
	stateMarkClose = "-->"
	stateTitle     = "Working Memory State"
	stateDreamt    = "Last dream:"
	stateNever     = "never"
	stateBOM       = "\uFEFF"
)

// RenderState writes MEMORY.md.
func RenderState(s Document) string {
	s = statePlain(s)
	var b strings.Builder
	b.WriteString(s.Above)
	b.WriteString(stateBegin + "\n" + StateDocument(s) + "\n" + stateEnd + "\n")
	b.WriteString(s.Below)
	return b.String()
}

// StateDocument is the state without hebb's marks and what stands outside of them: what an agent is shown and asked for.
func StateDocument(s Document) string {
	s = statePlain(s)
	dreamt := stateNever
	if !s.Dreamt.IsZero() {
		dreamt = s.Dreamt.Format(time.RFC3339)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n_%s %s_\n", stateTitle, stateDreamt, dreamt)
	if s.Lead != "" {
		fmt.Fprintf(&b, "\n%s\n", prose.EscapeLines(s.Lead, stateMark))
	}
	for section, text := range s.Sections {
		fmt.Fprintf(&b, "\n## %s\n", Section(section))
		if text == "" {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n\n%s\n", sectionRows[section].hint, prose.EscapeLines(text, stateMark))
	}
	return b.String()
}

// statePlain is a state as it comes out of the file.
func statePlain(s Document) Document {
	if s.Above != "" && !strings.HasSuffix(s.Above, "\n") {
		s.Above += "\n"
	}
	s.Lead = prose.Tidy(s.Lead)
	if !s.Dreamt.IsZero() {
		s.Dreamt = s.Dreamt.UTC().Truncate(time.Second)
	}
	for i, text := range s.Sections {
		s.Sections[i] = prose.Tidy(text)
	}
	s.Absent = [SectionCount]bool{}
	return s
}

// ParseState reads MEMORY.md as hebb wrote it or as people left it: with other line ends, sections in another order, twice,
// or missing, one mark or both gone. A file without a state is a person's text alone.
func ParseState(text string) (Document, error) {
	s, err := parseMarked(text)
	for section, text := range s.Sections {
		s.Sections[section] = sheet.Bare(text)
	}
	return s, err
}

// parseMarked is ParseState with the marks at the ends of lines.
func parseMarked(text string) (Document, error) {
	above, block, below, found, err := stateSplit(text)
	if err != nil {
		return Document{}, err
	}
	s := Document{Above: above, Below: below}
	for i := range s.Absent {
		s.Absent[i] = true
	}
	if !found {
		return s, nil
	}
	lines, err := prose.FileLines(block)
	if err != nil {
		return Document{}, fmt.Errorf("hebb's block: %w", err)
	}
	section, from := SectionCount, 0 // SectionCount stands for the text before the first section
	for i := 0; i <= len(lines); i++ {
		next, begins := SectionCount, i == len(lines)
		if !begins {
			if next, begins = stateHeading(prose.TrimBlanks(lines[i])); !begins {
				continue
			}
			s.Absent[next] = false
		}
		if section == SectionCount {
			s.stateReadHead(lines[from:i])
		} else {
			said := prose.TrimLines(lines[from:i])
			// Somebody may have written above the hint. Of a text that says the same, RenderState escapes the line.
			said = slices.DeleteFunc(slices.Clone(said), func(line string) bool {
				return prose.TrimBlanks(line) == sectionRows[section].hint
			})
			// A section that is there twice goes on.
			s.Sections[section] = prose.Tidy(s.Sections[section] + "\n\n" + prose.UnescapeLines(prose.Tidy(strings.Join(said, "\n")), stateMark))
		}
		section, from = next, i+1
	}
	return s, nil
}

// stateReadHead reads what stands above the first section: title, header, and whatever somebody wrote there.
func (s *Document) stateReadHead(lines []string) {
	title, header := false, false
	var lead []string
	for _, line := range lines {
		bare := prose.TrimBlanks(line)
		switch {
		case !title && stateIsTitle(bare):
			title = true
		case !header && stateIsHeader(bare):
			header = true
			at, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(bare[1:len(bare)-1]), stateDreamt), "|")
			if dreamt, err := time.Parse(time.RFC3339, strings.TrimSpace(at)); err == nil {
				s.Dreamt = dreamt.UTC().Truncate(time.Second)
			}
		default:
			lead = append(lead, line)
		}
	}
	s.Lead = prose.UnescapeLines(prose.Tidy(strings.Join(lead, "\n")), stateMark)
}

// stateMark says whether a line, without blanks around it, shapes the state.
func stateMark(line string) bool {
	if _, ok := stateHeading(line); ok {
		return true
	}
	hint := slices.ContainsFunc(sectionRows[:], func(r sectionRow) bool { return r.hint == line })
	return hint || stateIsTitle(line) || stateIsHeader(line) || stateIsBegin(line) || stateIsEnd(line)
}

// stateHeading gives the section that a line begins. A remark in parentheses after the title does not matter.
func stateHeading(line string) (Section, bool) {
	title, level := prose.Heading(line)
	if level != 2 {
		return SectionCount, false
	}
	if open := strings.IndexByte(title, '('); open >= 0 && strings.HasSuffix(title, ")") {
		title = title[:open]
	}
	title = strings.Trim(title, " \t*_:")
	for s, row := range sectionRows {
		if strings.EqualFold(title, row.title) || strings.EqualFold(title, strings.TrimPrefix(row.title, "The ")) {
			return Section(s), true
		}
	}
	return SectionCount, false
}

func stateIsTitle(line string) bool {
	title, level := prose.Heading(line)
	return level == 1 && strings.EqualFold(title, stateTitle)
}

func stateIsHeader(line string) bool {
	return prose.IsItalic(line) && strings.HasPrefix(strings.TrimSpace(line[1:]), stateDreamt)
}

func stateIsBegin(line string) bool {
	return strings.HasPrefix(line, stateBeginMark) && strings.HasSuffix(line, stateMarkClose)
}

func stateIsEnd(line string) bool {
	return strings.HasPrefix(line, stateEndMark) && strings.HasSuffix(line, stateMarkClose)
}

// stateSplit finds hebb's block. Without marks it begins with the title of the state, but not with one that a person quotes
// as code.
func stateSplit(text string) (above, block, below string, found bool, err error) {
	// Where the lines of the marks begin and end; title is the first title outside of code.
	const none = -1
	begin, beginsAt, end, endsAt, title := none, none, none, none, none
	fenced := false
	at := 0
	for raw := range strings.Lines(text) {
		line := prose.TrimBlanks(strings.TrimRight(raw, "\r\n"))
		if at == 0 {
			line = prose.TrimBlanks(strings.TrimPrefix(line, stateBOM))
		}
		switch {
		case stateIsBegin(line) && begin != none, stateIsEnd(line) && end != none:
			return "", "", "", false, fmt.Errorf("hebb's block begins or ends twice: keep one block, with one line %q: %w", line, memory.ErrConflict)
		case stateIsBegin(line):
			begin, beginsAt = at, at+len(raw)
		case stateIsEnd(line):
			end, endsAt = at, at+len(raw)
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case title == none && !fenced && stateIsTitle(line):
			title = at
		}
		at += len(raw)
	}
	if begin == none && title == none && end == none {
		return text, "", "", false, nil
	}
	if begin == none {
		begin, beginsAt = title, title
	}
	if begin == none || end != none && end < beginsAt {
		return "", "", "", false, fmt.Errorf(
			"hebb's block ends (%q) and does not begin before that: put %q above it, or remove the line: %w", stateEndMark, stateBegin, memory.ErrInvalid)
	}
	if end == none {
		end, endsAt = len(text), len(text)
	}
	above = text[:begin]
	if above == stateBOM {
		above = "" // it belongs to the file, not to a text
	}
	return above, text[beginsAt:end], text[endsAt:], true, nil
}

// SplitItems cuts the text of a section into what belongs together: an entry of a list with all that is indented below it, a
// paragraph, a heading, a piece of code. An item carries the empty lines before it, so joined by line ends they are the text.
func SplitItems(text string) []string {
	return sheet.Items(text, sheet.Form{Wrapped: true, Heads: func(string) bool { return false }})
}
