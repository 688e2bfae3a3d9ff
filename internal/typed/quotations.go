package typed

import "strings"

// documents marks long texts with headings from the first heading on, and the middle of very long
// ones: people write and paste such texts.
func (s *sheet) documents() {
	own := 0
	for _, w := range s.whose {
		if w == Own {
			own++
		}
	}
	first, last, headings := -1, -1, 0
	s.paragraphs(func(from, to int) {
		for i := from; i < to; i++ {
			if isHeading(s.lines[i].text) {
				if headings++; headings == 1 {
					first = i
				}
			}
		}
		last = from
	})
	switch {
	case own >= documentBytes && headings >= documentHeadings:
		last = len(s.lines)
	case own >= pastedBytes && last > 0:
		first = s.paragraph(0)
	default:
		return
	}
	for i := max(first, 0); i < last; i++ {
		s.markLine(i, Doubtful)
	}
}

const (
	documentBytes    = 1500 // of a text with headings that may be a document
	documentHeadings = 3
	pastedBytes      = 4000 // of one without that hardly anybody types
)

// quotations marks sentences in quotation marks. Fewer words are a name or a term.
func (s *sheet) quotations() {
	s.paragraphs(func(from, to int) {
		start, end := s.lines[from].start, s.lines[to-1].end
		text, whole := s.text[start:end], len(strings.TrimSpace(s.text))
		for at := 0; at < len(text); {
			length, inside := quotation(text[at:])
			if text[at] == '\'' && (at == 0 || strings.IndexByte(" (\n:", text[at-1]) >= 0) {
				length = apostrophes(text[at:])
				inside = text[at : at+length]
			}
			switch {
			case length == 0:
				at++
				continue
			case !isSentence(inside):
			case length == whole:
				s.mark(start+at, start+at+length, Doubtful) // some agents quote what was typed
			default:
				s.mark(start+at, start+at+length, Foreign)
			}
			at += length
		}
	})
}

// apostrophes is the length of a quotation between single quotation marks at the beginning of a
// text, 0 if there is none. One ends before something that is no letter: don't has none.
func apostrophes(text string) int {
	if len(text) < 3 || text[0] != '\'' || text[1] == ' ' {
		return 0
	}
	most := min(len(text), quotationBytes)
	for i := 2; i < most; i++ {
		switch {
		case text[i] == '\n':
			return 0
		case text[i] != '\'' || text[i-1] == ' ':
		case i+1 == len(text) || !isLetter(text[i+1]) && !isDigit(text[i+1]):
			if isSentence(text[1:i]) {
				return i + 1
			}
			return 0
		}
	}
	return 0
}

// quotation is the length of what stands between quotation marks at the beginning of a text, with
// them, and what it is; 0 if there is none. A mark that is not closed on its line or soon is none.
func quotation(text string) (length int, inside string) {
	for _, m := range [...][2]string{
		{`"""`, `"""`}, {`"`, `"`}, {"“", "”"}, {"„", "“"}, {"„", "”"}, {"«", "»"}, {"‘", "’"},
	} {
		rest, ok := strings.CutPrefix(text, m[0])
		if !ok {
			continue
		}
		rest = rest[:min(len(rest), quotationBytes)]
		if at := strings.Index(rest, m[0]); at >= 0 && m[0] != m[1] {
			rest = rest[:at] // the next one may be closed
		}
		if end := strings.Index(rest, m[1]); end >= 0 {
			return len(m[0]) + end + len(m[1]), rest[:end]
		}
	}
	return 0, ""
}

const (
	quotationBytes = 2000
	sentenceWords  = 5
	shortSentence  = 3
)

// isSentence reports whether a text is long enough for a sentence.
func isSentence(text string) bool {
	n := len(strings.Fields(text))
	return n >= sentenceWords || n >= shortSentence && ended(text)
}
