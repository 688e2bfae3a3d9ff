package typed

import (
	"cmp"
	"slices"
	"strings"
)

// tag is the beginning of an element.
type tag struct {
	name       string
	start, end int // of the tag itself
	first      bool
}

// tags marks what stands between a tag and its end: documents, files, reminders of the agent, HTML.
// A few words between tags are the person's, who speaks of the tag. Of a tag that is not closed
// only those that agents write go on to the end.
func (s *sheet) tags() {
	s.context()
	var open []tag
	var found []Span
	for at := 0; at < len(s.text); {
		next := strings.IndexByte(s.text[at:], '<')
		if next < 0 {
			break
		}
		at += next
		if s.whose[at] != Own {
			at++
			continue
		}
		if strings.HasPrefix(s.text[at:], "<!--") {
			end := strings.Index(s.text[at:], "-->")
			if end < 0 {
				end = len(s.text) - at - len("-->")
			}
			s.mark(at, at+end+len("-->"), Foreign)
			at += end + len("-->")
			continue
		}
		t, closes, ok := s.tagAt(at)
		switch {
		case !ok:
			at++
			continue
		case closes:
			for i := len(open) - 1; i >= max(len(open)-tagDepth, 0); i-- {
				if open[i].name == t.name {
					if encloses(s.text[open[i].end:t.start]) || isEnvelope(t.name) {
						found = append(found, Span{open[i].start, t.end, tagWhose(t.name)})
					}
					open = open[:i]
					break
				}
			}
		case s.text[t.end-2] != '/':
			open = append(open, t)
		}
		at = t.end
	}
	for _, t := range open {
		switch {
		case isEnvelope(t.name) && t.first:
			found = append(found, Span{t.start, len(s.text), tagWhose(t.name)})
		case isHTML(t.name) && t.first:
			end := strings.IndexByte(s.text[t.start:], '\n')
			if end < 0 {
				end = len(s.text) - t.start
			}
			found = append(found, Span{t.start, t.start + end, Foreign})
		}
	}
	slices.SortFunc(found, func(a, b Span) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	marked := [Foreign + 1]int{}
	for _, f := range found { // of nested ones the outermost
		if from := max(f.Start, marked[f.Whose]); from < f.End {
			s.mark(from, f.End, f.Whose)
			marked[f.Whose] = f.End
		}
	}
}

const (
	tagDepth = 64  // of nested elements that are looked at
	tagBytes = 400 // of a tag with its attributes
)

// context marks what Codex in an editor puts above the request of the person.
func (s *sheet) context() {
	const request = "## my request for codex:"
	for _, l := range s.lines {
		if len(l.text) >= len(request) && strings.EqualFold(l.text[:len(request)], request) {
			s.mark(0, l.first+len(request), Foreign)
			return
		}
	}
}

// tagAt reads the tag at a <, or its end.
func (s *sheet) tagAt(at int) (t tag, closes, ok bool) {
	i := at + 1
	if i < len(s.text) && s.text[i] == '/' {
		closes = true
		i++
	}
	doctype := i < len(s.text) && (s.text[i] == '!' || s.text[i] == '?')
	if doctype {
		i++
	}
	from := i
	for i < len(s.text) &&
		(isLetter(s.text[i]) || i > from && strings.IndexByte("_-.:0123456789", s.text[i]) >= 0) {
		i++
	}
	inside := at > 0 && (isLetter(s.text[at-1]) || isDigit(s.text[at-1]) || s.text[at-1] == '`')
	if i == from || !closes && inside {
		return t, false, false
	}
	t = tag{name: strings.ToLower(s.text[from:i]), start: at}
	if doctype && t.name != "doctype" && t.name != "xml" {
		return t, false, false
	}
	most := min(len(s.text), i+tagBytes)
	end := strings.IndexAny(s.text[i:most], "<>")
	if end < 0 || s.text[i+end] != '>' || end > 0 && strings.IndexByte(" \t\n/", s.text[i]) < 0 {
		return t, false, false
	}
	t.end = i + end + 1
	before := strings.TrimRight(s.text[max(0, at-tagBytes):at], " \t>")
	t.first = before == "" || strings.HasSuffix(before, "\n")
	if doctype {
		s.mark(t.start, t.end, Foreign)
	}
	return t, closes, !doctype
}

// encloses reports whether there is more between two tags than a name: several lines or words.
func encloses(content string) bool {
	const words = 4
	return len(content) > tagBytes || strings.Contains(content, "\n") ||
		len(strings.Fields(content)) >= words
}

// isEnvelope reports whether a tag is one with which programs wrap what they hand to a model.
func isEnvelope(name string) bool {
	return strings.ContainsAny(name, "-_") || among(name, " document documents document_content file attachment context reminder hook "+
		"source content email mail page html body ")
}

// isHTML reports whether a tag is one of a page.
func isHTML(name string) bool {
	return among(name, " p div li ul ol td tr table h1 h2 h3 h4 blockquote pre br body html head section "+
		"article span script style details summary ")
}

// tagWhose says whose the words in an element are: people who write for models name their own
// paragraphs so.
func tagWhose(name string) Whose {
	if among(name, " instructions instruction rules rule task request requirements constraints "+
		"goal guidelines important prompt query question user_query ") {
		return Doubtful
	}
	return Foreign
}
