package desk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/sheet"
)

const (
	pinTitleLine = "# PINNED — Core Memories"
	pinReason    = "**Why it's pinned:**"
	pinFooter    = "*Pins are never let go. Add, change or delete blocks here: a pin that you delete is unpinned.*"
)

// NormalTitle is what makes two pins the same: case, blanks, and quotes, brackets or punctuation around a title do not
// matter. "auth." is "Auth"; "Auth v2" is another, and so are "C" and "C#", or "env" and ".env".
func NormalTitle(title string) string {
	const around = "\"'`“”‘’«»()[]{}*_ "
	folded := strings.ToLower(prose.OneLine(title))
	bare := strings.TrimRight(strings.TrimLeft(folded, around), around+".,;:!?…-–—")
	return cmp.Or(bare, folded)
}

// renderPins renders PINNED.md, the oldest pin first.
func renderPins(pins []memory.Pin) string {
	pins = slices.Clone(pins)
	slices.SortStableFunc(pins, func(a, b memory.Pin) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Title, b.Title)) })
	marks := sheet.MarksOf(pins, pinID)
	var b strings.Builder
	b.WriteString(pinTitleLine + "\n\n---\n")
	for _, p := range pins {
		b.WriteString("\n" + marks.On(string(p.Crystal), pinBlock(p)))
	}
	b.WriteString("\n" + pinFooter + "\n")
	return b.String()
}

func pinID(p memory.Pin) string { return string(p.Crystal) }

func pinBlock(p memory.Pin) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n", cmp.Or(prose.OneLine(p.Title), "Untitled"))
	if text := prose.Tidy(p.Text); text != "" {
		fmt.Fprintf(&b, "\n%s\n", prose.EscapeLines(text, pinMark))
	}
	if reason := strings.TrimLeft(prose.Tidy(p.Reason), " \t"); reason != "" {
		// The first line follows the mark, where nothing is read as Markdown structure.
		first, rest, more := strings.Cut(reason, "\n")
		fmt.Fprintf(&b, "\n%s %s\n", pinReason, first)
		if more {
			fmt.Fprintf(&b, "%s\n", prose.EscapeLines(rest, pinMark))
		}
	}
	b.WriteString("\n---\n")
	return b.String()
}

// pinMark says whether a line, without blanks around it, shapes PINNED.md.
func pinMark(line string) bool {
	_, why := pinWhy(line)
	return why || pinHeads(line) || pinFrame(line) || prose.IsRule(line)
}

func pinFrame(line string) bool { return line == pinTitleLine || line == pinFooter } // people write a new pin below the footer

func pinHeads(line string) bool {
	_, level := prose.Heading(line)
	return level == 2
}

// pinWhy gives the reason after its mark. Editors like to bend the apostrophe.
func pinWhy(line string) (string, bool) {
	rest, ok := strings.CutPrefix(line, pinReason)
	if !ok {
		rest, ok = strings.CutPrefix(line, strings.Replace(pinReason, "'", "’", 1))
	}
	return prose.TrimBlanks(rest), ok
}

// readPins cuts PINNED.md into pins. One without a mark is the pin of its title. Two of one title that say different things are an error:
// one of them would be lost.
func readPins(text string, pins []memory.Pin) ([]sheet.Entry, error) {
	entries, err := sheet.Read(text, sheet.Form{Frame: pinFrame, Heads: pinHeads})
	titled, said := map[string]string{}, map[string]string{}
	for _, p := range pins {
		titled[NormalTitle(p.Title)] = string(p.Crystal)
	}
	entries = sheet.Resolve(entries, sheet.MarksOf(pins, pinID), func(e sheet.Entry) string { return titled[NormalTitle(pinOf(e).Title)] })
	for _, e := range entries {
		p := pinOf(e)
		title := NormalTitle(p.Title)
		if other, twice := said[title]; twice && other != e.Text {
			return nil, fmt.Errorf("%q is pinned twice with different texts: keep one, or give one another title: %w", p.Title, memory.ErrConflict)
		}
		said[title] = e.Text
	}
	return entries, err
}

// pinOf is the pin that an entry says. A line outside of a block is a pin that its title says, and a block without a title has that of its text.
func pinOf(e sheet.Entry) (p memory.Pin) {
	first, body, _ := strings.Cut(e.Text, "\n")
	title, _ := prose.Heading(first)
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		if reason, ok := pinWhy(prose.TrimBlanks(line)); ok {
			p.Reason = strings.TrimLeft(prose.Tidy(reason+"\n"+prose.UnescapeLines(strings.Join(lines[i+1:], "\n"), pinMark)), " \t")
			lines = lines[:i]
			break
		}
	}
	p.Text = prose.UnescapeLines(prose.Tidy(strings.Join(lines, "\n")), pinMark)
	p.Title = cmp.Or(prose.OneLine(title), prose.Shorten(prose.PlainLine(p.Text), 60))
	return p
}

// PinBytes is what pins take in their view, without its frame.
func PinBytes(pins []memory.Pin) (bytes int) {
	for _, p := range pins {
		bytes += len(pinBlock(p))
	}
	return bytes
}
