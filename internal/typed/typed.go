// Package typed decides what of a prompt the person typed. A prompt may be submitted by a program,
// and one that a person submits may hold what others wrote: quotes, documents, logs, mail. By says
// who submitted a prompt; Split divides its text. Both go by structure, not by the subject.
//
// The hook uses the package: nothing is built at start, and there are no regular expressions.
package typed

import (
	"strings"
	"unicode"
)

// Whose says whose words a part of a prompt is.
type Whose uint8

const (
	Own      Whose = iota // the person's
	Unsure                // nothing says whose it is, and it does not look typed
	Doubtful              // the person's or somebody else's
	Foreign               // somebody else's, or a program's
)

// Span is a part of a text.
type Span struct {
	Start, End int
	Whose      Whose
}

// sheet is a text being divided: its lines, and for each byte whose it is.
type sheet struct {
	text  string
	lines []line
	whose []Whose
}

type line struct {
	start, end int
	first      int    // where its words begin
	text       string // without white space around it
	indent     int    // columns before it; a tab goes to the next multiple of 4
}

func (l line) blank() bool { return l.text == "" }

func newSheet(text string) *sheet {
	s := &sheet{text: text, whose: make([]Whose, len(text))}
	at := 0
	for raw := range strings.Lines(text) {
		l := line{start: at, end: at + len(raw), text: strings.TrimSpace(raw)}
		l.first = l.end - len(strings.TrimLeftFunc(raw, unicode.IsSpace))
		for i := 0; i < len(raw) && (raw[i] == ' ' || raw[i] == '\t'); i++ {
			if l.indent++; raw[i] == '\t' {
				l.indent = (l.indent + tabColumns - 1) / tabColumns * tabColumns
			}
		}
		s.lines = append(s.lines, l)
		at += len(raw)
	}
	return s
}

const tabColumns = 4

// mark says whose a part of the text is; what is surely somebody else's stays that.
func (s *sheet) mark(start, end int, whose Whose) {
	for i := start; i < end; i++ {
		s.whose[i] = max(s.whose[i], whose)
	}
}

func (s *sheet) markLine(i int, whose Whose) { s.mark(s.lines[i].start, s.lines[i].end, whose) }

// open reports whether line i has words and nothing is said of its beginning yet.
func (s *sheet) open(i int) bool {
	l := s.lines[i]
	return !l.blank() && s.whose[l.first] == Own
}

// paragraph is the end of the lines that follow line i without a blank one between them, and that
// are open.
func (s *sheet) paragraph(i int) int {
	for i < len(s.lines) && s.open(i) {
		i++
	}
	return i
}

// paragraphs calls do with the first line of every paragraph and the line after its last.
func (s *sheet) paragraphs(do func(from, to int)) {
	for i := 0; i < len(s.lines); {
		if !s.open(i) {
			i++
			continue
		}
		to := s.paragraph(i)
		do(i, to)
		i = to
	}
}

func (s *sheet) spans() (spans []Span) {
	for i := 0; i < len(s.whose); {
		from := i
		for i < len(s.whose) && s.whose[i] == s.whose[from] {
			i++
		}
		spans = append(spans, Span{from, i, s.whose[from]})
	}
	return spans
}
