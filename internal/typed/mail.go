package typed

import "strings"

// mail marks messages and tickets with a head of fields, and what belongs to it: up to a greeting
// at the end, a line across, or the first paragraph in which the person speaks.
func (s *sheet) mail() {
	greeting := -1
	for i, l := range s.lines {
		if isGreeting(l.text) {
			greeting = i
		}
	}
	for i := 0; i < len(s.lines); i++ {
		if !s.open(i) {
			continue
		}
		if i > 0 && isSalutation(s.lines[i].text) && !s.foreignOnly(i) {
			i = s.letter(i, greeting) - 1
			continue
		}
		head, to := 0, i
		text := s.lines[i].text
		for to < len(s.lines) && s.open(to) && (isField(s.lines[to].text) || isForward(s.lines[to].text)) {
			to++
		}
		if head = to - i; head < 2 && !(head == 1 && (isForward(text) || fields(text) > 1)) {
			i += max(head-1, 0)
			continue
		}
		if fields(text) > 1 || !s.isLetter(i, to) { // a ticket: its paragraph
			from := i
			for from > 0 && s.open(from-1) {
				from--
			}
			for to = s.paragraph(from); from < to; from++ {
				s.markLine(from, Foreign)
			}
			i = to - 1
			continue
		}
		for ; i < to; i++ {
			s.markLine(i, Foreign)
		}
		i = s.letter(to, greeting) - 1
	}
}

// foreignOnly reports whether there is nothing above line i: then the person greets.
func (s *sheet) foreignOnly(i int) bool { return strings.TrimSpace(s.text[:s.lines[i].start]) == "" }

// isSalutation reports whether a line begins a letter.
func isSalutation(text string) bool {
	return strings.HasSuffix(text, ",") && len(strings.Fields(text)) <= 4 &&
		among(firstWord(text), " hi hello dear hey liebe lieber hallo bonjour hola ")
}

// letter marks the text of a message from line i and returns where it ends. Greeting is the last
// line that greets.
func (s *sheet) letter(i, greeting int) int {
	for paragraphs := 0; i < len(s.lines); paragraphs++ {
		for i < len(s.lines) && s.lines[i].blank() {
			i++
		}
		if i == len(s.lines) || !s.open(i) {
			return i
		}
		to := s.paragraph(i)
		first := s.lines[i].text
		if isRule(first) {
			return i
		}
		closes := false
		for k := i; k < to; k++ {
			closes = closes || isGreeting(s.lines[k].text)
		}
		if paragraphs > 1 && !closes && addressed(first) && greeting < to {
			return i
		}
		for ; i < to; i++ {
			s.markLine(i, Foreign)
		}
		if closes {
			for i < len(s.lines) && s.open(i) && (strings.HasPrefix(s.lines[i].text, "--")) {
				s.markLine(i, Foreign)
				i++
			}
			return i
		}
	}
	return i
}

// isLetter reports whether the head of a message or a commit is among some lines.
func (s *sheet) isLetter(from, to int) bool {
	for i := from; i < to; i++ {
		if begins(strings.ToLower(s.lines[i].text), "from:", "subject:", "author:", "date:", "sent:", "von:",
			"betreff:", "----") {
			return true
		}
	}
	return false
}

// isField reports whether a line is a field of a message, a commit or a ticket.
func isField(text string) bool {
	name, value, found := strings.Cut(text, ":")
	if !found || len(name) > 20 || strings.TrimSpace(value) == "" {
		return strings.HasPrefix(text, "commit ") && len(text) >= 40 && !strings.Contains(text[7:], ".")
	}
	name = strings.ToLower(name)
	return name == "pr title" || name == "pr author" ||
		among(name, " from to cc bcc date sent subject reply-to author commit merge von an betreff "+
			"gesendet datum de à objet type priority reporter assignee status labels "+
			"milestone severity component sprint created updated ")
}

// fields counts the fields that stand beside each other on a line.
func fields(text string) (n int) {
	for part := range strings.SplitSeq(text, "  ") {
		if part = strings.TrimSpace(part); part != "" && isField(part) {
			n++
		}
	}
	return n
}

func isForward(text string) bool {
	return begins(strings.TrimLeft(text, "- "), "Forwarded message", "Original Message",
		"Ursprüngliche Nachricht") && begins(text, "---")
}

// isRule reports whether a line is drawn across the page.
func isRule(text string) bool {
	return len(text) >= 3 && strings.IndexByte("-=_*", text[0]) >= 0 && strings.Trim(text, text[:1]) == ""
}

// isGreeting reports whether a line ends a letter.
func isGreeting(text string) bool {
	text = strings.ToLower(strings.TrimRight(text, ",.! "))
	return strings.HasSuffix(text, " regards") || strings.HasSuffix(text, " grüße") ||
		begins(text, "mit freundlichen", "thank you", "many thanks") && len(text) < 40 ||
		among(text, " best thanks cheers regards sincerely yours thx br mfg gruß lg cordialement saludos ")
}
