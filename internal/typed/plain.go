package typed

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain marks as unsure what stands in a text that nobody types as a whole. People type sentences,
// and lists of them. They paste what has titles and fields, what a page or a program drew, and what
// they point at. Where such a text ends is unknown: of the paragraphs above it those are the
// person's that begin as people speak, below it none is surely. Wrapped is whose the bytes are by
// fences, tags and other marks, which say where a text ends.
func (s *sheet) plain(wrapped []Whose) {
	if s.isRole() {
		s.unsure(0, len(s.lines))
		return
	}
	s.beneath(wrapped)
	first := s.firstDrawn()
	if first < len(s.lines) {
		s.unsure(s.top(first), len(s.lines))
		s.paragraphs(func(from, to int) {
			if !speaks(s.lines[from].text) {
				s.unsure(from, to)
			}
		})
	}
	s.spokenOf()
}

// unsure marks the lines of which nothing else is known.
func (s *sheet) unsure(from, to int) {
	for i := from; i < to; i++ {
		if s.open(i) {
			s.markLine(i, Unsure)
		}
	}
}

// top is the first line of the paragraph of line i.
func (s *sheet) top(i int) int {
	for i > 0 && !s.lines[i-1].blank() {
		i--
	}
	return i
}

// beneath marks what stands in one paragraph with lines that a program or somebody else wrote.
func (s *sheet) beneath(wrapped []Whose) {
	for from := 0; from < len(s.lines); {
		to, foreign := from, false
		for to < len(s.lines) && !s.lines[to].blank() {
			first := s.lines[to].first
			foreign = foreign || s.whose[first] == Foreign && wrapped[first] == Own
			to++
		}
		for i := from; i < to && foreign; i++ {
			if text := s.lines[i].text; s.open(i) && !speaks(text) && !isItem(text) {
				s.markLine(i, Unsure)
			}
		}
		from = max(to, from+1)
	}
}

// firstDrawn is the first line that nobody types among sentences, the number of lines if there is
// none.
func (s *sheet) firstDrawn() int {
	blank, words := 0, false
	for i, l := range s.lines {
		if l.blank() {
			blank++
			continue
		}
		if words && blank > 1 || s.open(i) && s.isDrawn(i) {
			return i
		}
		blank, words = 0, true
	}
	return len(s.lines)
}

// isDrawn reports whether a line is a title, a field, or one that a page or a program drew.
func (s *sheet) isDrawn(i int) bool {
	text := s.lines[i].text
	return isHeading(text) || isRule(text) || isPlaceholder(text) || strings.ContainsAny(text, "\t·") ||
		isSign(text) || isSalutation(text) && strings.Contains(text, " ") || isLabel(text) && s.more(i) && !s.announcesOwn(i) || s.isTitle(i)
}

// isPlaceholder reports whether a line has the mark of an agent for a text that was pasted.
func isPlaceholder(text string) bool { return strings.Contains(text, "[Pasted ") }

// isSign reports whether a line begins with a sign that is on no key: a star, a tick, a picture; or
// with a box.
func isSign(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return first >= utf8.RuneSelf && unicode.Is(unicode.So, first) || begins(afterItem(text), "[ ] ", "[x] ", "[X] ")
}

// more reports whether there are other words than those of line i.
func (s *sheet) more(i int) bool {
	return strings.TrimSpace(s.text[:s.lines[i].start]) != "" || !s.lastParagraph(i)
}

// isLabel reports whether a line begins with a name and a colon, as a field does. What people say of
// their own words is none.
func isLabel(text string) bool {
	name, value, found := strings.Cut(text, ":")
	if !found || isItem(text) || len(name) > labelBytes || lower(name) || value != "" && !unicode.IsSpace(rune(value[0])) {
		return false
	}
	words := wordsOf(name)
	return len(words) > 0 && len(words) <= 3 && !ownsWhatFollows(words) && !speaks(name)
}

// announcesOwn reports whether line i ends with a colon above a list, which people count up, or above
// a text that is marked already.
func (s *sheet) announcesOwn(i int) bool {
	if !strings.HasSuffix(s.lines[i].text, ":") {
		return false
	}
	for i++; i < len(s.lines) && s.lines[i].blank(); i++ {
	}
	return i < len(s.lines) && (isItem(s.lines[i].text) || !s.open(i))
}

const labelBytes = 32

// isTitle reports whether line i stands above others as a title does: short, with a capital and
// without an end.
func (s *sheet) isTitle(i int) bool {
	const words = 8
	text := s.lines[i].text
	if len(text) > titleBytes || isItem(text) || ended(text) || strings.HasSuffix(text, ",") || s.lastParagraph(i) ||
		len(strings.Fields(text)) > words {
		return false
	}
	if isText(firstWord(text)) {
		return true
	}
	return !speaks(text) && sentenceLength(text) == len(text) && slices.ContainsFunc(strings.Fields(text), isCapital)
}

// isCapital reports whether a word has letters alone and begins with a capital.
func isCapital(word string) bool {
	return !lower(word) && strings.Trim(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz") == ""
}

// speaks reports whether a line begins as a person speaks to an agent, and not as somebody who
// speaks for many.
func speaks(text string) bool { return addressed(text) && firstWord(text) != "we" }

// isRole reports whether a text tells a model who it is: such texts are handed on.
func (s *sheet) isRole() bool {
	text := strings.ToLower(strings.TrimSpace(s.text[:min(len(s.text), labelBytes)]))
	return begins(text, "you are a ", "you are an ", "act as ", "you're a ", "you're an ")
}

// spokenOf marks what follows a sentence that speaks of a text, in its paragraph and below, but for a
// last paragraph in which the person speaks again. Where the text is marked already, it is that.
func (s *sheet) spokenOf() {
	for i, l := range s.lines {
		if !s.open(i) {
			continue
		}
		for at := l.first; at < l.end; {
			length := sentenceLength(s.text[at:l.end])
			if s.whose[at] == Own && speaksOfText(s.text[at:at+length]) {
				next := len(s.text) - len(strings.TrimLeftFunc(s.text[at+length:], unicode.IsSpace))
				if next == len(s.text) || s.whose[next] != Own {
					return
				}
				if next < l.end {
					s.mark(next, l.end, Unsure)
				}
				for i++; i < len(s.lines); i++ {
					if s.lines[i-1].blank() && s.open(i) && speaks(s.lines[i].text) && s.lastParagraph(s.paragraph(i)-1) {
						return
					}
					s.unsure(i, i+1)
				}
				return
			}
			at += length
		}
	}
}

// sentenceLength is the length of the sentence with which a text begins, or of the clause before a
// colon.
func sentenceLength(text string) int {
	for i := 0; i+1 < len(text); i++ {
		if strings.IndexByte(".!?:;", text[i]) >= 0 && (text[i+1] == ' ' || text[i+1] == '\n') {
			return i + 1
		}
	}
	return len(text)
}

// speaksOfText reports whether a sentence points at a text, or announces one with a colon.
func speaksOfText(sentence string) bool {
	clause, colon := strings.CutSuffix(strings.TrimSpace(sentence), ":")
	words := wordsOf(clause)
	if len(words) < 2 || strings.Count(clause, "(") > strings.Count(clause, ")") || ownsWhatFollows(words) && colon {
		return false
	}
	if isSumming(words[0]) || isPointer(words[len(words)-1]) && slices.ContainsFunc(words, isHanding) {
		return true
	}
	for i, w := range words {
		if !isPasted(w) {
			continue
		}
		if colon || i+1 < len(words) && among(words[i+1], " from by ") {
			return true
		}
		for _, p := range words[max(0, i-2):i] {
			if isPointer(p) || p == "above" {
				return true
			}
		}
	}
	return false
}

// isSumming reports whether a word asks for something to be done with a text.
func isSumming(word string) bool {
	return among(word, " translate proofread summarize summarise rephrase reword tldr paraphrase transcribe ")
}

// isHanding reports whether a word says that somebody says or hands over something.
func isHanding(word string) bool {
	return isSaying(word) || among(word, " sent gave forwarded shared received got ")
}

// isPasted reports whether a word names a text that people paste and do not only name.
func isPasted(word string) bool {
	word = strings.TrimSuffix(strings.Trim(word, ".?!:;'"), "s")
	if among(word, " file config page doc documentation prompt output message text section response answer reply ") {
		return false
	}
	return !strings.Contains(word, ".") && isText(word) || among(word, " note screenshot story transcription ")
}
