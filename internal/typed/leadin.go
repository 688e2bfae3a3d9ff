package typed

import (
	"slices"
	"strings"
	"unicode"
)

// leadIns marks what is announced as somebody else's: after a colon on the line ("translate this:
// …") or below it ("the issue says:"), and the text below a request that points at it ("tldr this
// for me").
func (s *sheet) leadIns() {
	for i := 0; i < len(s.lines); i++ {
		if !s.open(i) {
			continue
		}
		if s.beside(i) {
			continue
		}
		whose, points := Own, false
		if clause, colon := strings.CutSuffix(s.lines[i].text, ":"); colon {
			clause = lastClause(clause)
			if whose = announces(clause, true); whose == Own && !s.lists(i+1) &&
				!ownsWhatFollows(wordsOf(clause)) {
				switch {
				case s.ends(i):
					whose = Doubtful
				case !isItem(s.lines[i].text) && !lower(s.lines[i+1].text): // else the sentence goes on
					whose = Unsure
				}
			}
		} else if s.ends(i) && !s.foreignAbove(i) {
			if whose, points = s.asksAbout(i), true; whose != Own && s.lastParagraph(i) {
				s.above(i)
			}
		}
		if whose != Own {
			i = s.below(i+1, whose, points) - 1
		}
	}
}

// beside marks what follows a lead-in on its line, and the lines that go on with it.
func (s *sheet) beside(i int) bool {
	l := s.lines[i]
	text := afterItem(l.text)
	at := 0
	for range colonsRead {
		next := strings.Index(text[at:], ": ")
		if next < 0 {
			return false
		}
		at += next + len(": ")
		whose := announces(lastClause(text[:at-len(": ")]), false)
		rest := strings.TrimSpace(text[at:])
		if length, _ := quotation(rest); whose == Own || length > 0 || !strings.Contains(rest, " ") {
			continue // nothing is announced, or a quotation, or a name
		}
		s.mark(l.first+len(l.text)-len(text)+at, l.end, whose)
		for k := i + 1; k < len(s.lines) && s.open(k); k++ {
			if text := s.lines[k].text; isItem(text) || addressed(text) {
				break
			}
			s.markLine(k, whose)
		}
		return true
	}
	return false
}

const colonsRead = 3 // on a line

// ends reports whether line i ends a paragraph.
func (s *sheet) ends(i int) bool { return i+1 == len(s.lines) || s.lines[i+1].blank() }

// lastParagraph reports whether there is nothing below line i.
func (s *sheet) lastParagraph(i int) bool {
	return strings.TrimSpace(s.text[s.lines[i].end:]) == ""
}

// above marks the document with which a text begins, as its last paragraph, which ends with line i,
// points back at it.
func (s *sheet) above(i int) {
	first := 0
	for first < len(s.lines) && s.lines[first].blank() {
		first++
	}
	for i >= 0 && !s.lines[i].blank() {
		i--
	}
	if !s.structured(first, s.paragraph(first)) {
		return
	}
	for ; i > first; i-- {
		s.markLine(i-1, Doubtful)
	}
}

// below marks the block that begins at line i or after the blank lines there, and what goes on with
// it. Where a pasted text ends is unknown: only the last paragraph is the person's again, if it
// begins as people speak. Points says that nothing but a word points at the block. It returns the
// line at which it ended.
func (s *sheet) below(i int, whose Whose, points bool) int {
	// The lead-in may be part of a list.
	itemised := i > 0 && (isItem(s.lines[i-1].text) || i > 1 && isItem(s.lines[i-2].text))
	headed := false // a heading stands above
	for first := true; i < len(s.lines); first = false {
		for i < len(s.lines) && s.lines[i].blank() {
			i++
		}
		if i == len(s.lines) || !s.open(i) && first {
			return i
		}
		if !s.open(i) {
			i++
			continue
		}
		to, text := s.paragraph(i), s.lines[i].text
		switch {
		case first && points && addressed(text) && !among(firstWord(text), " i we my i'm i'd "):
			return i
		case first && isHeading(text):
			whose = Foreign
		case first, headed, s.structured(i, to) && !(itemised && isItem(text)):
		case itemised && isItem(text), addressed(text) && s.lastParagraph(to-1):
			return i
		default:
			whose = Doubtful
		}
		headed = to == i+1 && isHeading(text)
		for ; i < to; i++ {
			s.markLine(i, whose)
		}
	}
	return i
}

// structured reports whether a paragraph is part of a document: a heading, a list, or lines below a
// title.
func (s *sheet) structured(from, to int) bool {
	text := s.lines[from].text
	title := to > from+1 && len(text) <= titleBytes && !ended(text) && !lower(text) &&
		!strings.HasSuffix(text, ",")
	return isHeading(text) || isItem(text) || isWriter(text) || isRule(text) || title
}

const titleBytes = 60

// foreignAbove reports whether the text above the paragraph of line i is somebody else's: then
// "this" is that.
func (s *sheet) foreignAbove(i int) bool {
	for ; i >= 0 && !s.lines[i].blank() && s.whose[s.lines[i].first] == Own; i-- {
	}
	for ; i >= 0 && s.lines[i].blank(); i-- {
	}
	return i >= 0 && s.whose[s.lines[i].first] != Own
}

// paragraphText is the paragraph that ends with line i, as far as it is short: a long one is no
// request.
func (s *sheet) paragraphText(i int) string {
	from := i
	for from > 0 && s.open(from-1) && i-from < 3 {
		from--
	}
	return s.text[s.lines[from].start:s.lines[i].end]
}

// lastClause is what follows the last end of a sentence in a text.
func lastClause(text string) string {
	text = text[max(0, len(text)-clauseBytes):]
	for _, end := range [...]string{". ", "? ", "! ", "; ", " - ", " – ", " — "} {
		if at := strings.LastIndex(text, end); at >= 0 {
			text = text[at+len(end):]
		}
	}
	return text
}

const clauseBytes = 200

// wordsOf are the words of a clause in lower case, without what stands in parentheses at its end.
func wordsOf(clause string) []string {
	clause = strings.TrimSpace(clause)
	if at := strings.LastIndexByte(clause, '('); at > 0 && strings.HasSuffix(clause, ")") {
		clause = clause[:at]
	}
	clause = strings.ToLower(strings.ReplaceAll(clause, "’", "'"))
	words := strings.FieldsFunc(clause, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",\"“”()*_`", r)
	})
	return words
}

// announces says whose what follows a clause and a colon is. Block says that it stands below.
func announces(clause string, block bool) Whose {
	words := wordsOf(clause)
	if len(words) == 0 {
		return Own
	}
	last := words[len(words)-1]
	if block && len(words) <= 4 && len(words) > 1 && theirs(words[len(words)-2]) {
		return Foreign
	}
	if slices.ContainsFunc(words, isKeeping) {
		return Own
	}
	points, reads := false, false
	for i, w := range words {
		if isPointer(w) {
			points = true
			reads = reads || pointed(words[i+1:]) && slices.ContainsFunc(words[max(0, i-3):i], isReading)
		}
	}
	said := slices.IndexFunc(words, isSaying)
	if said > 0 && (said+1 == len(words) || isFiller(words[said+1])) {
		if among(words[said-1], " i we i've we've just to you ") {
			return Own
		}
		return Foreign
	}
	switch {
	case among(words[0], " according quote quoting "), strings.Contains(clause, "pasted"),
		len(words) > 1 && words[0] == "per" && words[1] == "the",
		len(words) > 2 && isText(words[0]) && among(words[1], " by from of "),
		len(words) <= 4 && among(words[0], " translate proofread summarize rephrase reword tldr "),
		block && among(strings.TrimSuffix(last, "s"), " output log error trace traceback diff stderr "):
		return Foreign
	case points && slices.ContainsFunc(words, isInserting):
		return Doubtful
	case reads:
		return Foreign
	case block && isText(last) && len(words) <= 6 && (len(words) == 1 || others(words[len(words)-2])):
		return Foreign
	case slices.Contains(words, "my") || slices.Contains(words, "i"):
		return Own
	case presents(words) && slices.ContainsFunc(words, isText):
		return Foreign
	}
	return Own
}

// pointed reports whether "this" before some words stands for a text, and is not "this button".
func pointed(after []string) bool {
	if len(after) == 0 || isText(after[0]) {
		return true
	}
	return among(after[0], " to into for in as so when while from with by sound please pls and again after on at "+
		"now during shorter better one back ")
}

// theirs reports whether a word before a noun says that it is of a person who is neither the
// speaker nor the agent.
func theirs(word string) bool {
	name, possessive := strings.CutSuffix(word, "'s")
	return among(word, " his her their ") || possessive && !among(name, " let here it that what today there who ")
}

// others reports whether a word before a noun says that it is of somebody else.
func others(word string) bool {
	switch word {
	case "the", "this", "his", "her", "their", "original", "full", "following":
		return true
	}
	return strings.HasSuffix(word, "'s")
}

// asksAbout says whose the text below a paragraph is that ends with line i: perhaps somebody else's
// if it points at a text ("do these notes make sense"), or asks a question above more than a
// paragraph of plain words.
func (s *sheet) asksAbout(i int) Whose {
	paragraph := s.paragraphText(i)
	words := wordsOf(paragraph)
	if len(words) > 40 || slices.ContainsFunc(words, isKeeping) || slices.ContainsFunc(words, isPlace) {
		return Own
	}
	if slices.ContainsFunc(words, isPointer) || strings.HasSuffix(paragraph, "?") && s.isDocument(i+1) {
		return Doubtful
	}
	return Own
}

// lists reports whether the next text at line i or below is a list: after a colon, people count up
// what they want.
func (s *sheet) lists(i int) bool {
	for i < len(s.lines) && s.lines[i].blank() {
		i++
	}
	return i < len(s.lines) && isItem(s.lines[i].text)
}

// isDocument reports whether what follows line i is more than one paragraph of plain words.
func (s *sheet) isDocument(i int) bool {
	for i < len(s.lines) && s.lines[i].blank() {
		i++
	}
	if i == len(s.lines) || !s.open(i) {
		return false
	}
	to := s.paragraph(i)
	for k := i; k < to; k++ {
		if s.structured(k, to) {
			return true
		}
	}
	return !s.lastParagraph(to - 1)
}

// ownsWhatFollows reports whether a clause says that what follows is the person's: "my rules".
func ownsWhatFollows(words []string) bool {
	return slices.ContainsFunc(words, isKeeping) || slices.Contains(words, "my") || slices.Contains(words, "i")
}

// isPlace reports whether a word says where something is: "this" is that then.
func isPlace(word string) bool {
	return strings.ContainsAny(word, "/\\") || strings.HasPrefix(word, "@")
}

// presents reports whether a clause shows something: "here is the readme", "from the docs".
func presents(words []string) bool {
	if among(words[0], " from here here's heres this these below see attached fyi following ") {
		return true
	}
	for i, w := range words {
		shows := i+1 < len(words) && (words[i+1] == "is" || words[i+1] == "are")
		if shows && (w == "here" || w == "this") || w == "here's" || w == "heres" {
			return true
		}
	}
	return false
}

// isSaying reports whether a word says that somebody or some text says something.
func isSaying(word string) bool {
	return among(word, " says said say wrote writes written states stated reads reported asks asked mentions "+
		"mentioned told tells claims claimed suggests suggested replied answered commented "+
		"posted noted goes sent prints printed returns returned shows complained recommends complains warns warned insists "+
		"schrieb schreibt sagt sagte meint meinte écrit dit répond escribió dice dijo ")
}

// isFiller reports whether a word may stand between the verb and the colon.
func isFiller(word string) bool {
	return among(word, " this that the following me us him her them back today yesterday here below as "+
		"follows verbatim just now to in slack chat something like it up line ")
}

// isPointer reports whether a word points at a text.
func isPointer(word string) bool {
	switch strings.Trim(word, ".?!:;") {
	case "this", "these", "following", "below", "dies", "diesen", "diese", "ceci", "esto", "daraus":
		return true
	}
	return false
}

// isReading reports whether a word asks for something to be done with a text, or says that one was
// received.
func isReading(word string) bool {
	return among(strings.Trim(word, ".?!:;"), " translate summarize summarise summary tldr tl;dr proofread rephrase rewrite "+
		"reword improve shorten paraphrase polish simplify explain analyze analyse "+
		"review answer reply respond extract turn convert make sound correct read "+
		"parse compare got getting get received found übersetze übersetz traduis "+
		"traduce ")
}

// isInserting reports whether a word asks for a text to be put somewhere.
func isInserting(word string) bool {
	return among(word, " add put paste insert append save store include copy use ")
}

// isKeeping reports whether a word says that what follows holds: the person speaks.
func isKeeping(word string) bool {
	return among(strings.Trim(word, ".?!:;"), " remember rule rules always never mind note prefer decided agreed preference "+
		"preferences convention conventions follow obey respect merk ")
}

// isText reports whether a word names a text that people paste.
func isText(word string) bool {
	word = strings.Trim(word, ".?!:;'")
	_, ending, _ := strings.Cut(word, ".")
	return among(ending, " md txt json yml yaml toml rst html log csv ") ||
		among(strings.TrimSuffix(word, "s"), " readme issue ticket email e-mail mail message thread log output error trace "+
			"traceback stacktrace diff patch article post page doc document documentation "+
			"spec specification rfc transcript comment review feedback changelog report "+
			"text snippet response reply answer quote paragraph description license "+
			"licence policy guide manual letter proposal blog tweet conversation chat "+
			"discord slack excerpt passage section prompt file config announcement "+
			"bug-report handbook memo minute ")
}

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
