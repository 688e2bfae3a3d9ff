package goal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Candidate is a goal that somebody stated.
type Candidate struct {
	Kind     memory.GoalKind
	Title    string // one line, shortened if need be
	Text     string // the words it was read from, whole
	Concepts []memory.Concept
}

// FromNext reads the steps that somebody left on purpose: each line of the list is one. A line that says that nothing is left, or how
// many were left out, is none.
func FromNext(next string, terms Terms) []Candidate {
	var found []Candidate
	for line := range strings.Lines(next) {
		line = strings.TrimSpace(strings.TrimPrefix(oneLine(line), "Next:"))
		items := []string{line}
		if utf8.RuneCountInString(line) > titleMost {
			items = sentences(line)
		}
		for _, item := range items {
			item = strings.TrimSpace(withoutMark(item))
			if c, ok := NewCandidate(item, terms); ok && !nothingLeft(item) &&
				!slices.ContainsFunc(found, func(known Candidate) bool { return strings.EqualFold(known.Title, c.Title) }) {
				found = append(found, c)
			}
		}
	}
	return found
}

// NewCandidate makes a step of what somebody said. It is false for words that are about nothing.
func NewCandidate(text string, terms Terms) (Candidate, bool) {
	title := strings.TrimRight(strings.Trim(oneLine(withoutBox(text)), " *_"), ".,;: ")
	c := Candidate{Kind: memory.GoalNext, Title: title, Text: text, Concepts: Concepts(terms(title), ConceptsMost)}
	if utf8.RuneCountInString(title) > titleMost {
		c.Title = shorten(prose.Clause(title, titleMost), titleMost)
	}
	return c, title != "" && len(c.Concepts) > 0
}

// withoutMark is a line without the mark of a list in front of it.
func withoutMark(line string) string {
	for _, mark := range []string{"- ", "* ", "• ", "– ", "— "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return withoutBox(strings.TrimSpace(rest))
		}
	}
	number := strings.TrimLeft(line, "0123456789")
	if digits := len(line) - len(number); digits == 1 || digits == 2 {
		if rest := strings.TrimLeft(number, ".)"); len(rest) == len(number)-1 && strings.HasPrefix(rest, " ") {
			return withoutBox(strings.TrimSpace(rest))
		}
	}
	return withoutBox(line)
}

// withoutBox is a line without the box of a list of tasks.
func withoutBox(line string) string {
	if rest, ok := strings.CutPrefix(line, "[ ]"); ok {
		return strings.TrimSpace(rest)
	}
	return line
}

var leftovers = set(`open further remaining outstanding next todo todos follow-up follow-ups points steps tasks items issues`)

// nothingLeft reports whether a line of a list says that there is nothing, or counts what it leaves out.
func nothingLeft(line string) bool {
	words := plainWords(line)
	if len(words) == 0 {
		return true
	}
	switch words[0] {
	case "none", "nothing":
		return len(words) <= 4 // "nothing left to do"
	case "n/a", "na", "-", "nil", "done":
		return len(words) == 1
	case "no": // "no retries on 404" is something to do
		return len(words) <= 4 && slices.ContainsFunc(words[1:], leftovers.has)
	case "and":
		return len(words) == 3 && words[2] == "more"
	case "[x]":
		return true
	}
	return strings.HasPrefix(line, "[x]") || strings.HasPrefix(line, "[X]") || strings.HasPrefix(line, "~~")
}

var abbreviations = set(`e.g i.e etc vs cf approx fig resp`)

// sentences cuts a line at the ends of its sentences, which keep their signs. A dot inside a name or after an abbreviation
// ends none.
func sentences(line string) []string {
	var found []string
	start := 0
	for i := 0; i < len(line); i++ {
		if !strings.ContainsRune(".!?", rune(line[i])) || i+1 < len(line) && line[i+1] != ' ' {
			continue
		}
		last := line[start:i]
		last = strings.ToLower(last[strings.LastIndexByte(last, ' ')+1:])
		if line[i] == '.' && abbreviations.has(strings.Trim(last, "(")) {
			continue
		}
		if s := strings.TrimSpace(line[start : i+1]); s != "" {
			found = append(found, s)
		}
		start = i + 1
	}
	if s := strings.TrimSpace(line[start:]); s != "" {
		found = append(found, s)
	}
	return found
}
