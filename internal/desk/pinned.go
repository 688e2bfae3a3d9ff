package desk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

const (
	pinHead   = "# PINNED — Core Memories\n\n---\n"
	pinReason = "**Why it's pinned:**"
	pinFooter = "*Pins are never let go. Add, change or delete blocks here: a pin that you delete is unpinned.*"
	pinNoName = "Untitled"
)

// NormalTitle is what makes two pins the same: case, blanks, and quotes, brackets or punctuation around a title do not
// matter. "auth." is "Auth"; "Auth v2" is another, and so are "C" and "C#", or "env" and ".env".
func NormalTitle(title string) string {
	const around = "\"'`“”‘’«»()[]{}*_ "
	folded := strings.ToLower(prose.OneLine(title))
	bare := strings.TrimRight(strings.TrimLeft(folded, around), around+".,;:!?…-–—")
	return cmp.Or(bare, folded)
}

// PinnedView renders PINNED.md, the oldest pin first. Texts go through the view as those of an Entry do; the title becomes one line.
func PinnedView(pins []memory.Pin) string {
	pins = slices.Clone(pins)
	slices.SortStableFunc(pins, func(a, b memory.Pin) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Title, b.Title)) })
	var b strings.Builder
	b.WriteString(pinHead)
	for _, p := range pins {
		b.WriteString("\n" + pinBlock(p))
	}
	b.WriteString("\n" + pinFooter + "\n")
	return b.String()
}

func pinBlock(p memory.Pin) string {
	p = pinPlain(p)
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n", cmp.Or(p.Title, pinNoName))
	if p.Text != "" {
		fmt.Fprintf(&b, "\n%s\n", prose.EscapeLines(p.Text, pinMark))
	}
	if p.Reason != "" {
		// The first line follows the mark, where nothing is read as Markdown structure.
		first, rest, more := strings.Cut(p.Reason, "\n")
		fmt.Fprintf(&b, "\n%s %s\n", pinReason, first)
		if more {
			fmt.Fprintf(&b, "%s\n", prose.EscapeLines(rest, pinMark))
		}
	}
	b.WriteString("\n---\n")
	return b.String()
}

// pinPlain is a pin as it comes out of the view, but for its time.
func pinPlain(p memory.Pin) memory.Pin {
	p.Title = prose.OneLine(p.Title)
	p.Text = prose.Tidy(p.Text)
	p.Reason = strings.TrimLeft(prose.Tidy(p.Reason), " \t")
	return p
}

// pinMark says whether a line, without blanks around it, shapes PINNED.md.
func pinMark(line string) bool {
	if _, ok := pinTitle(line); ok {
		return true
	}
	_, ok := pinWhy(line)
	return ok || prose.IsRule(line) || line == pinFooter
}

func pinTitle(line string) (string, bool) {
	title, level := prose.Heading(line)
	return prose.OneLine(title), level == 2
}

// pinWhy gives the reason after its mark. Editors like to bend the apostrophe.
func pinWhy(line string) (string, bool) {
	rest, ok := strings.CutPrefix(line, pinReason)
	if !ok {
		rest, ok = strings.CutPrefix(line, strings.Replace(pinReason, "'", "’", 1))
	}
	return prose.TrimBlanks(rest), ok
}

// ParsePinned reads PINNED.md back, in the order of the file. An empty file is an error, for it is more often the work of a
// program that failed than of a person who wants no pins; so are text outside of a pin, a pin without a title, and two
// different pins of one title.
func ParsePinned(text string) ([]memory.Pin, error) {
	lines, err := prose.FileLines(text)
	if err != nil {
		return nil, err
	}
	if len(prose.TrimLines(lines)) == 0 {
		return nil, fmt.Errorf("the file is empty: to unpin everything, leave its first line: %w", memory.ErrInvalid)
	}
	// The footer may stand anywhere: people write a new pin below it.
	lines = slices.DeleteFunc(lines, func(line string) bool { return prose.TrimBlanks(line) == pinFooter })
	above, blocks := shelfSplit(lines, func(line string) bool { _, ok := pinTitle(line); return ok })
	if err := shelfPreamble(above, "put it under a \"## \" heading that names the pin"); err != nil {
		return nil, err
	}
	seen := map[string]memory.Pin{}
	var pins []memory.Pin
	for _, block := range blocks {
		p := pinRead(block)
		if p.Title == "" {
			return nil, fmt.Errorf("a pin %q has no title: write one after its \"##\": %w",
				prose.Shorten(prose.PlainLine(p.Text), 60), memory.ErrInvalid)
		}
		key := NormalTitle(p.Title)
		if first, twice := seen[key]; twice {
			if first.Text != p.Text || first.Reason != p.Reason {
				return nil, fmt.Errorf("%q is pinned twice with different texts: keep one, or give one another title: %w",
					p.Title, memory.ErrConflict)
			}
			continue
		}
		seen[key] = p
		pins = append(pins, p)
	}
	return pins, nil
}

func pinRead(block []string) memory.Pin {
	var p memory.Pin
	p.Title, _ = pinTitle(prose.TrimBlanks(block[0]))
	text := block[1:]
	for i, line := range text {
		if first, ok := pinWhy(prose.TrimBlanks(line)); ok {
			rest := prose.UnescapeLines(strings.Join(text[i+1:], "\n"), pinMark)
			p.Reason = first + "\n" + rest
			text = text[:i]
			break
		}
	}
	p.Text = prose.UnescapeLines(prose.Tidy(strings.Join(text, "\n")), pinMark)
	return pinPlain(p)
}

// ChangedPins compares PINNED.md as it is, after, with what hebb wrote there, before. The time comes from before.
//
// A pin that is missing in after is gone: unlike the shelves the file holds all pins, none leaves it by growing old, so only
// a person can have deleted it, and deleting a block is the plain way to unpin it. What it said stays in memory.
func ChangedPins(before, after []memory.Pin) (added, changed, gone []memory.Pin) {
	known, kept := map[string]memory.Pin{}, map[string]bool{}
	for _, p := range before {
		known[NormalTitle(p.Title)] = pinPlain(p)
	}
	for _, p := range after {
		p = pinPlain(p)
		key := NormalTitle(p.Title)
		kept[key] = true
		old, ok := known[key]
		p.At = old.At
		switch {
		case !ok:
			added = append(added, p)
		case p != old:
			changed = append(changed, p)
		}
	}
	for _, p := range before {
		if !kept[NormalTitle(p.Title)] {
			gone = append(gone, p)
		}
	}
	return added, changed, gone
}

// PinBytes is what pins take in their view, without its frame.
func PinBytes(pins []memory.Pin) (bytes int) {
	for _, p := range pins {
		bytes += len(pinBlock(p))
	}
	return bytes
}
