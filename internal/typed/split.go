package typed

import (
	"slices"
	"strings"
)

// Split divides a prompt into spans that follow each other and cover it. Neighbouring spans differ.
// It takes time proportional to the length of the text.
func Split(text string) []Span {
	if text == "" {
		return nil
	}
	if By("", text) != Person {
		return []Span{{0, len(text), Foreign}}
	}
	s := newSheet(text)
	s.fences()
	s.tags()
	s.quoteMarks()
	s.diffs()
	wrapped := slices.Clone(s.whose)
	s.machineOutput()
	s.mail()
	s.chat()
	s.delimited()
	s.leadIns()
	s.indented()
	s.documents()
	s.quotations()
	s.plain(wrapped)
	return s.spans()
}

// OwnParts are the parts of a prompt that are surely the person's. A prompt that is all theirs is
// one.
func OwnParts(prompt string) []string { return parts(prompt, Own, Own) }

// UnsureParts are those of which nothing says whose they are.
func UnsureParts(prompt string) []string { return parts(prompt, Unsure, Unsure) }

// OwnWords is what a prompt says that nothing marks as somebody else's: what it is about.
func OwnWords(prompt string) string { return strings.Join(parts(prompt, Own, Unsure), "\n") }

func parts(prompt string, least, most Whose) (found []string) {
	from := -1
	for _, s := range append(Split(prompt), Span{Start: len(prompt), Whose: most + 1}) {
		switch in := s.Whose >= least && s.Whose <= most; {
		case in && from < 0:
			from = s.Start
		case !in && from >= 0:
			if part := prompt[from:s.Start]; strings.TrimSpace(part) != "" {
				found = append(found, part)
			}
			from = -1
		}
	}
	return found
}

// Task is what a prompt asks for: the person's words, or all that a program submitted.
func Task(prompt string) string {
	if By("", prompt) == Program {
		return prompt
	}
	return OwnWords(prompt)
}
