package typed

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fences marks fenced blocks of both kinds. One that is not closed goes on to the end.
func (s *sheet) fences() {
	var sign byte
	length := 0
	for i, l := range s.lines {
		n := 0
		for n < len(l.text) && (l.text[n] == '`' || l.text[n] == '~') && l.text[n] == l.text[0] {
			n++
		}
		switch {
		case length > 0:
			s.markLine(i, Foreign)
			if n >= length && l.text[0] == sign && n == len(l.text) {
				length = 0
			}
		case n >= fenceLength && (l.text[0] == '~' || strings.IndexByte(l.text[n:], '`') < 0):
			sign, length = l.text[0], n
			s.markLine(i, Foreign)
		}
	}
}

const fenceLength = 3

// quoteMarks marks lines that begin with >, and those that go on with the last sentence of one.
func (s *sheet) quoteMarks() {
	whose := Doubtful // if nothing else was typed
	for i, l := range s.lines {
		if s.open(i) && !isQuote(l.text) {
			whose = Foreign
		}
	}
	for i := 0; i < len(s.lines); i++ {
		if !s.open(i) || !isQuote(s.lines[i].text) {
			continue
		}
		s.markLine(i, whose)
		quoted := strings.TrimLeft(s.lines[i].text, "> ")
		if i+1 == len(s.lines) || quoted == "" || ended(quoted) {
			continue
		}
		next := s.lines[i+1]
		if s.open(i+1) && lower(next.text) && !isQuote(next.text) && !isItem(next.text) &&
			!replies(next.text) {
			s.markLine(i+1, Doubtful)
		}
	}
}

// delimited marks what stands between two lines that are drawn across the page: people put a text
// between them that they speak of, and programs the files that a prompt names.
func (s *sheet) delimited() {
	from := -1
	for i, l := range s.lines {
		switch {
		case !s.open(i) || !isDelimiter(l.text):
		case from < 0:
			from = i
		default:
			for ; from <= i; from++ {
				if s.open(from) {
					s.markLine(from, Doubtful)
				}
			}
			from = -1
		}
	}
}

// isDelimiter reports whether a line is drawn across the page, with or without words in it.
func isDelimiter(text string) bool {
	return isRule(text) || begins(text, "--- ", "=== ") && strings.HasSuffix(text, text[:3])
}

// isQuote reports whether a line is quoted. A > that is compared with another operator is none.
func isQuote(text string) bool {
	if item := afterItem(text); strings.HasPrefix(item, "> ") {
		text = item
	}
	if text == "" || text[0] != '>' || strings.HasPrefix(text, ">=") {
		return false
	}
	for _, operator := range [...]string{" < ", " <= ", " >= ", " == "} {
		if strings.Contains(text, operator) {
			return false
		}
	}
	return true
}

// indented marks indented blocks that belong to no list and go on with no paragraph.
func (s *sheet) indented() {
	base, list := s.base(), -1 // columns of the text of the list item above
	after := true              // a blank line, a lead-in, or nothing before
	block := false
	for i, l := range s.lines {
		indent := l.indent - base
		switch {
		case l.blank():
			after = true
			continue
		case !s.open(i):
			after, block = true, false
			continue
		case isItem(l.text) && (indent < codeColumns || !block):
			list, block = l.indent+len(l.text)-len(afterItem(l.text)), false
		case indent < codeColumns || list >= 0 && l.indent < list+codeColumns:
			if block = false; indent <= 0 {
				list = -1
			}
		case after || block:
			s.markLine(i, Foreign)
			block = true
		}
		after = strings.HasSuffix(l.text, ":")
	}
}

const codeColumns = 4 // of indentation, as Markdown has it

// base is the least indentation of a line: what a person pastes from their editor may be indented
// as a whole.
func (s *sheet) base() int {
	base := -1
	for _, l := range s.lines {
		if !l.blank() && (base < 0 || l.indent < base) {
			base = l.indent
		}
	}
	return max(base, 0)
}

// diffs marks unified diffs: their headers, and as many lines after @@ as it says.
func (s *sheet) diffs() {
	left := 0 // lines of the hunk, of both sides
	for i, l := range s.lines {
		if !l.blank() && !s.open(i) {
			left = 0
			continue
		}
		raw := s.text[l.start:l.end]
		switch before, after, ok := hunk(l.text); {
		case ok:
			left = before + after
			s.markLine(i, Foreign)
		case left > 0 && l.blank():
			left -= 2
			s.markLine(i, Foreign)
		case left > 0 && (raw[0] == '+' || raw[0] == '-' || raw[0] == '\\'):
			left--
			s.markLine(i, Foreign)
		case left > 0 && (raw[0] == ' ' || raw[0] == '\t'):
			left -= 2
			s.markLine(i, Foreign)
		case isDiffHeader(l.text):
			left = 0
			s.markLine(i, Foreign)
		default:
			left = 0
		}
	}
	s.paragraphs(func(from, to int) { // parts of diffs, without headers
		added, removed := 0, 0
		for i := from; i < to; i++ {
			switch text := s.lines[i].text; {
			case text[0] == '+' && !isItem(text):
				added++
			case text[0] == '-' && !isItem(text):
				removed++
			}
		}
		whose := Foreign
		if added+removed == 0 { // items: what speaks for something and against it, or a diff of a list
			whose = Doubtful
			for i := from; i < to; i++ {
				added += strings.Count(s.lines[i].text[:1], "+")
				removed += strings.Count(s.lines[i].text[:1], "-")
			}
		}
		for i := from; i < to && (added > 0 && removed > 0 || whose == Foreign && added > 1); i++ {
			if text := s.lines[i].text; text[0] == '+' || text[0] == '-' {
				s.markLine(i, whose)
			}
		}
	})
}

func isDiffHeader(text string) bool {
	return begins(text, "diff --git ", "--- a/", "+++ b/", "--- /dev/null", "+++ /dev/null",
		"new file mode ", "deleted file mode ", "rename from ", "rename to ", "similarity index ") ||
		begins(text, "index ") && strings.Contains(text, "..")
}

// hunk reads "@@ -12,7 +12,9 @@".
func hunk(text string) (before, after int, ok bool) {
	rest, ok := strings.CutPrefix(text, "@@ -")
	if !ok {
		return 0, 0, false
	}
	old, rest, ok1 := strings.Cut(rest, " +")
	now, _, ok2 := strings.Cut(rest, " @@")
	return lineCount(old), lineCount(now), ok1 && ok2
}

func lineCount(span string) int {
	_, count, found := strings.Cut(span, ",")
	if !found {
		return 1
	}
	n := 0
	for _, c := range []byte(count[:min(len(count), 6)]) {
		if c < '0' || c > '9' {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// isItem reports whether a line is an item of a list.
func isItem(text string) bool { return len(afterItem(text)) < len(text) }

// afterItem is a line without the sign of a list before it.
func afterItem(text string) string {
	for _, sign := range [...]string{"- ", "* ", "+ ", "• ", "– ", "-\t", "*\t"} {
		if rest, ok := strings.CutPrefix(text, sign); ok {
			return strings.TrimLeft(rest, " \t")
		}
	}
	n := 0
	for n < len(text) && n < 3 && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	if n == 0 && len(text) > 0 && isLetter(text[0]) {
		if n = 1; len(text) < 2 || text[1] != ')' {
			return text
		}
	}
	if n > 0 && n+1 < len(text) && strings.IndexByte(".)", text[n]) >= 0 &&
		strings.IndexByte(" \t", text[n+1]) >= 0 {
		return strings.TrimLeft(text[n+2:], " \t")
	}
	return text
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// isHeading reports whether a line is a heading in Markdown.
func isHeading(text string) bool {
	rest := strings.TrimLeft(text, "#")
	return len(rest) < len(text) && len(text)-len(rest) <= 6 && strings.HasPrefix(rest, " ")
}

// ended reports whether a line ends a sentence.
func ended(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, "\"'”’»)]*_`"))
	return strings.ContainsRune(".!?…:;。！？", last)
}

// lower reports whether a text begins with a small letter.
func lower(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(first)
}

// firstWord is the first word of a text in lower case.
func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return strings.ToLower(strings.Trim(word, ",.!?:;\"'*_—-"))
}

// replies reports whether a line begins as an answer to what stands above it.
func replies(text string) bool {
	return among(firstWord(text), " no nope nah yes yeah yep ok okay i i'm im i'd we please pls actually sure thanks "+
		"but my dont don't ")
}

// addressed reports whether a paragraph after pasted text is what the person says of it: it begins
// as people type, or with a word that turns to the agent or to what was said before.
func addressed(text string) bool {
	text = strings.TrimLeft(text, "*_\"( ")
	if lower(text) || replies(text) {
		return true
	}
	return begins(strings.ToLower(text), "for the record", "for me") ||
		among(firstWord(text), " also and so now then btw anyway note remember can could would should will "+
			"what why how where which who is are do does did fix let's lets make start "+
			"here hmm ")
}

// begins reports whether a text begins with one of some others.
func begins(text string, heads ...string) bool {
	for _, head := range heads {
		if strings.HasPrefix(text, head) {
			return true
		}
	}
	return false
}

// among reports whether a word is in a list, whose words have blanks around them.
func among(word, list string) bool {
	return word != "" && !strings.Contains(word, " ") && strings.Contains(list, " "+word+" ")
}
