package goal

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Candidate is a goal that somebody stated.
type Candidate struct {
	Kind     memory.GoalKind
	Title    string // one line, shortened if need be
	Text     string // the words it was read from, whole
	Concepts []memory.Concept
}

// FromNext reads what a session left to do: each line of its list is one step. A line that says that nothing is left, or how
// many were left out, is none.
func FromNext(next string, terms Terms) []Candidate {
	var found []Candidate
	for line := range strings.Lines(next) {
		line = oneLine(line)
		if _, rest, ok := heading(line); ok {
			line = rest
		}
		items := []string{line}
		if utf8.RuneCountInString(line) > titleMost {
			items = sentences(line)
		}
		for _, item := range items {
			item = strings.TrimSpace(withoutMark(item))
			c := Candidate{Kind: memory.GoalNext, Title: item, Text: item}
			if stated, ok := intent(item); ok { // a prompt that says so states the same goal
				c = stated
			}
			found = addMarked(found, c, terms)
		}
	}
	return found
}

// FromText reads the goals that a person states in a prompt: lines after "Next:" or "TODO:", open questions, and what is put off
// ("later", "remind me", "don't forget"). It leaves alone what is pasted, quoted, asked, denied, tied to a condition or about
// nothing it could name, because most of that is no goal. What is asked for now is done, or is among what the session leaves.
func FromText(text string, terms Terms) []Candidate {
	if handedOn(text) {
		return nil
	}
	var found []Candidate
	var kind memory.GoalKind // of the heading above this line, while its list goes on
	listed := false          // the list has begun
	for _, line := range ownLines(text) {
		marked := withoutMark(line)
		if line == "" {
			if listed {
				kind = "" // an empty line ends a list, not a heading above one
			}
			continue
		}
		if k, rest, ok := heading(line); ok {
			kind, listed = k, false
			if rest != "" {
				found = addMarked(found, Candidate{Kind: k, Title: rest, Text: rest}, terms)
				kind = ""
			}
			continue
		}
		if kind != "" && marked != line {
			found = addMarked(found, Candidate{Kind: kind, Title: marked, Text: marked}, terms)
			listed = true
			continue
		}
		kind = ""
		for _, sentence := range sentences(marked) {
			if c, ok := intent(sentence); ok {
				found = add(found, c, 2, terms) // one term alone ("fix it later") could be anything
			}
		}
	}
	return found
}

// addMarked adds an item of a list or what follows a heading.
func addMarked(found []Candidate, c Candidate, terms Terms) []Candidate {
	if nothingLeft(c.Text) {
		return found
	}
	return add(found, c, 1, terms)
}

// add keeps a candidate if it is about something, once.
func add(found []Candidate, c Candidate, least int, terms Terms) []Candidate {
	title := strings.TrimRight(strings.Trim(oneLine(withoutBox(c.Title)), " *_"), ".,;: ")
	c.Concepts = Concepts(terms(title), ConceptsMost)
	if title == "" || len(c.Concepts) < least {
		return found
	}
	if slices.ContainsFunc(found, func(known Candidate) bool { return strings.EqualFold(known.Title, title) }) {
		return found
	}
	c.Title = shorten(title, titleMost)
	return append(found, c)
}

// handedOn reports whether the prompt is a document that tools or agents hand on: its sentences are nobody's wishes.
func handedOn(text string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(text)), "implement the following plan")
}

func hasAnyPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}

// ownLines are the lines that a person wrote: no blocks of code, no quotes, no output of programs, no tags. What is left out
// leaves an empty line.
func ownLines(text string) []string {
	var lines []string
	fence, tag := "", ""
	for line := range strings.Lines(text) {
		line = oneLine(line)
		switch {
		case fence != "":
			if strings.HasPrefix(line, fence) {
				fence = ""
			}
			line = ""
		case hasAnyPrefix(line, "```", "~~~"):
			fence, line = line[:3], ""
		case tag != "":
			if strings.Contains(line, "</"+tag) {
				tag = ""
			}
			line = ""
		case opensTag(line) != "":
			if name := opensTag(line); !strings.Contains(line, "</"+name) {
				tag = name
			}
			line = ""
		case pasted(line):
			line = ""
		}
		lines = append(lines, line)
	}
	return lines
}

// opensTag is the name of the tag that a line begins with, as tools put around what they add to a prompt.
func opensTag(line string) string {
	rest, ok := strings.CutPrefix(line, "<")
	if !ok {
		return ""
	}
	end := strings.IndexFunc(rest, func(c rune) bool { return !(c >= 'a' && c <= 'z' || c == '-' || c == '_') })
	if end <= 0 || rest[end] != '>' && rest[end] != ' ' {
		return ""
	}
	return rest[:end]
}

// pasted reports whether a line is a quote, a comment in code, part of a diff, a table or the output of a program. A line that
// begins with a time or a date is a log or a chat.
func pasted(line string) bool {
	rest := strings.TrimPrefix(line, "[")
	number := strings.TrimLeft(rest, "0123456789")
	return hasAnyPrefix(line, ">", "|", "//", "/*", "#!", "@@", "+", "--- ", "=== ", "$ ", "% ", "❯", "at ", "File \"", "Traceback", "FAIL",
		"PASS", "ok \t", "error:", "warning:", "Error:", "\"", "'", "“") ||
		len(rest)-len(number) >= 2 && hasAnyPrefix(number, ":", "-", "/") ||
		strings.HasSuffix(line, "{") || strings.HasSuffix(line, "};") || strings.HasSuffix(line, ");")
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

// headings mark what is left to do; a colon has to follow.
var headings = map[string]memory.GoalKind{
	"next": memory.GoalNext, "next step": memory.GoalNext, "next steps": memory.GoalNext, "next up": memory.GoalNext,
	"todo": memory.GoalNext, "todos": memory.GoalNext, "to-do": memory.GoalNext, "to do": memory.GoalNext,
	"still to do": memory.GoalNext, "left to do": memory.GoalNext, "still open": memory.GoalNext,
	"for later": memory.GoalNext, "later": memory.GoalNext, "follow-up": memory.GoalNext, "follow-ups": memory.GoalNext,
	"next session": memory.GoalNext, "next time": memory.GoalNext, "tomorrow": memory.GoalNext,
	"goal": memory.GoalAim, "goals": memory.GoalAim, "open question": memory.GoalQuestion, "open questions": memory.GoalQuestion,
}

// heading reads a line such as "Next: wire the store" or "## TODO" above a list. TODO in capitals needs no colon.
func heading(line string) (kind memory.GoalKind, rest string, ok bool) {
	line = withoutMark(line)
	title, isTitle := strings.CutPrefix(line, "#")
	bare := strings.Trim(strings.TrimLeft(title, "#"), "* ")
	label, rest, hasColon := strings.Cut(bare, ":")
	if after, todo := strings.CutPrefix(bare, "TODO "); !hasColon && todo {
		label, rest, hasColon = "todo", after, true
	}
	// "TODO(ann): close the file" names who is to do it.
	if name, owner := strings.CutSuffix(label, ")"); owner {
		label, _, _ = strings.Cut(name, "(")
	}
	kind, ok = headings[strings.ToLower(strings.Trim(label, "* _"))]
	return kind, strings.Trim(rest, " *"), ok && (hasColon || isTitle)
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
	return hasAnyPrefix(line, "[x]", "[X]", "~~")
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
