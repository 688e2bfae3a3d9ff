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

// chat marks what people wrote to each other: lines that begin with a time, the name and the time
// of the writer above a message, and several speakers who take turns.
func (s *sheet) chat() {
	for i := 0; i < len(s.lines); i++ {
		if !s.open(i) {
			continue
		}
		switch {
		case isName(s.lines[i].text) && i+1 < len(s.lines) && isTime(s.lines[i+1].text):
			s.markLine(i, Foreign)
			i++
		case !isWriter(s.lines[i].text):
			continue
		}
		s.markLine(i, Foreign)
		if i+2 < len(s.lines) && s.lines[i+1].blank() && s.open(i+2) && !lower(s.lines[i+2].text) {
			i++ // its message stands below
		}
		for ; i+1 < len(s.lines) && s.open(i+1) && !isWriter(s.lines[i+1].text); i++ {
			s.markLine(i+1, Foreign)
		}
	}
	turns := map[string]int{}
	repeats := false
	for i, l := range s.lines {
		if name := s.speaker(i); name != "" {
			turns[name]++
			marked := l.text[0] == '<' || strings.ContainsAny(name, "0123456789")
			repeats = repeats || turns[name] > 1 || len(turns) > 1 && marked
		}
	}
	for i := 0; i < len(s.lines); i++ {
		if !among(s.speaker(i), " chatgpt gpt boss reviewer customer client manager ceo cto legal vendor support ") {
			continue
		}
		for s.markLine(i, Foreign); i+1 < len(s.lines) && s.open(i+1) && !addressed(s.lines[i+1].text); i++ {
			s.markLine(i+1, Foreign)
		}
	}
	roles := turns["user"]+turns["human"]+turns["me"] > 0 &&
		turns["assistant"]+turns["ai"]+turns["claude"]+turns["chatgpt"]+turns["bot"] > 0
	if len(turns) < 2 || !repeats && !roles {
		return
	}
	for i := 0; i < len(s.lines); i++ {
		if s.speaker(i) == "" {
			continue
		}
		for s.markLine(i, Foreign); i+1 < len(s.lines) && s.open(i+1) && !addressed(s.lines[i+1].text); i++ {
			s.markLine(i+1, Foreign)
		}
	}
}

// speaker is who says a line, "" if it is no line of a conversation.
func (s *sheet) speaker(i int) string {
	if !s.open(i) {
		return ""
	}
	text := strings.TrimLeft(s.lines[i].text, "*_<@[")
	end := strings.IndexAny(text, ":>]")
	if end > 0 && text[end] == ':' && isDigit(text[end-1]) { // the time is part of it: "Bob (10:42): …"
		if more := strings.IndexByte(text[end+1:], ':'); more >= 0 {
			end += more + 1
		}
	}
	if end <= 0 || end > 24 || isItem(s.lines[i].text) || end+1 >= len(text) {
		return ""
	}
	name := strings.ToLower(strings.Trim(text[:end], "*_ "))
	if strings.IndexByte(" *_", text[end+1]) < 0 || strings.Count(name, " ") > 1 || name == "" || !isLetter(name[0]) {
		return ""
	}
	if among(name, " todo note fixme important rule warning example q a hint tip step e.g i.e ") {
		return ""
	}
	return name
}

// isTime reports whether a line is a time and nothing else.
func isTime(text string) bool {
	rest, ok := afterTime(text)
	return ok && rest == ""
}

// isName reports whether a text is the name of somebody and nothing else.
func isName(text string) bool {
	words := strings.Fields(text)
	for _, w := range words {
		if lower(w) || !isLetter(w[0]) && w[0] < 0x80 || ended(w) {
			return false
		}
	}
	return len(words) >= 1 && len(words) <= 3
}

// isWriter reports whether a line is a name and the time at which something was written, or who
// comments on a line.
func isWriter(text string) bool {
	if len(text) > 60 || isItem(text) || ended(text) {
		return false
	}
	if rest, ok := afterTime(text); ok && rest != "" || strings.HasPrefix(strings.ToLower(text), "comment on line") {
		return !ok || isName(rest)
	}
	if name, deed, _ := strings.Cut(text, " "); text[0] == '@' || len(name) > 2 && !isText(strings.ToLower(name)) {
		if verb, _, _ := strings.Cut(deed, " "); among(verb, " commented replied requested approved wrote reviewed ") {
			return true
		}
	}
	at := strings.LastIndexByte(text, ':')
	if at < 2 || !isClock(text, at) || !isLetter(text[0]) {
		return false
	}
	rest := strings.ToLower(strings.Trim(text[at+3:], " ])"))
	if rest != "" && rest != "am" && rest != "pm" && rest != "uhr" {
		return false
	}
	words := strings.FieldsFunc(text[:at], func(r rune) bool { return strings.ContainsRune(" ,[](—–-.", r) })
	apart := strings.ContainsAny(text[:at], "—–[,\t") || strings.Contains(text[:at], "  ")
	names := 0
	for _, w := range words {
		switch {
		case isDigit(w[0]):
		case w == "at" || strings.EqualFold(w, "today") || strings.EqualFold(w, "yesterday"):
		case lower(w) && (names > 0 || !apart):
			return false
		default:
			names++
		}
	}
	return names >= 1 && names <= 3
}
