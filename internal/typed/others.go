package typed

import "strings"

// others marks as unsure what a person may have pasted without any mark: what stands below or behind a colon, below a line that nobody types
// among sentences, and every paragraph of several that does not begin as people speak to an agent.
func (s *sheet) others() {
	paragraphs := 0
	s.paragraphs(func(int, int) { paragraphs++ })
	first, below := true, false
	s.paragraphs(func(from, to int) {
		pasted := false // the rest of the paragraph
		for i := from; i < to; i++ {
			text := s.lines[i].text
			switch {
			case isDrawn(text), begins(text, "You are "), i == from && paragraphs > 1 && !addressed(text) && !isItem(text) && !(first && s.orders(from, to)):
				below = true
			case i == from && !first && addressed(text) && firstWord(text) != "we":
				below = false
			}
			pasted = pasted || i > from && !lower(text) && !isItem(text) && !ended(s.lines[i-1].text)
			if below || pasted {
				s.markLine(i, Unsure)
				continue
			}
			if at := strings.Index(text, ": "); at > 0 && len(strings.Fields(text[:at])) > 2 {
				s.mark(s.lines[i].first+at+2, s.lines[i].end, Unsure)
			}
			below = strings.HasSuffix(text, ":")
		}
		first = false
	})
}

// orders reports whether a paragraph begins with a rule and ends above a blank line.
func (s *sheet) orders(from, to int) bool {
	return among(firstWord(s.lines[from].text), " always never from use please ") && (to == len(s.lines) || s.lines[to].blank())
}

// isDrawn reports whether a line is one that a page or a program drew.
func isDrawn(text string) bool {
	return isHeading(text) || isRule(text) || strings.Contains(text, "[Pasted ") || strings.ContainsAny(text, "\t·")
}
