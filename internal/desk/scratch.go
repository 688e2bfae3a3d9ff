package desk

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/prose"
)

// ScratchEntry is a note that waits in scratch.md for the next dream. Its text goes through the file as that of an Entry does,
// without blanks at its beginning.
type ScratchEntry struct {
	At         time.Time // to the second in the file; zero if the file does not say
	Importance float64   // 0 to 1, in tenths
	Text       string
	// ByHand says that a person wrote it without time and importance: both are zero, and the caller sets them.
	ByHand bool
}

const (
	scratchTitle  = "# Scratch Buffer (Working Memory WAL)"
	scratchNotice = "Unsynthesized notes — will be consumed by next dream cycle."
	scratchIndent = "  " // of the further lines of a note
	scratchTime   = "2006-01-02T15:04:05Z07:00"
)

// ScratchView renders scratch.md: three lines of header, then one line for each note and none between.
//
//	# Scratch Buffer (Working Memory WAL)
//
//	Unsynthesized notes — will be consumed by next dream cycle.
//	- [2026-03-12T14:30:00Z] (importance: 0.8) User's name is Douglas, prefers tabs over spaces
//
// Further lines of a note are indented, so none of them can be taken for a note of its own.
func RenderScratch(entries []ScratchEntry) string {
	var b strings.Builder
	b.WriteString(scratchTitle + "\n\n" + scratchNotice + "\n")
	for _, e := range entries {
		b.WriteString(ScratchBlock(e))
	}
	return b.String()
}

// ScratchBlock is one note as it is appended to scratch.md; a note that says nothing is none.
func ScratchBlock(e ScratchEntry) string {
	e = scratchPlain(e)
	if e.Text == "" {
		return ""
	}
	lines := strings.Split(e.Text, "\n")
	for i, line := range lines {
		if i > 0 && line != "" {
			lines[i] = scratchIndent + line
		}
	}
	at := ""
	if !e.At.IsZero() {
		at = "[" + e.At.Format(scratchTime) + "] "
	}
	return fmt.Sprintf("- %s(importance: %.1f) %s\n", at, e.Importance, strings.Join(lines, "\n"))
}

// scratchPlain is a note as it comes out of the file.
func scratchPlain(e ScratchEntry) ScratchEntry {
	e.At = e.At.UTC().Truncate(time.Second)
	e.Importance = scratchTenths(e.Importance)
	e.Text = strings.TrimLeft(prose.Tidy(e.Text), " \t")
	return e
}

// scratchTenths is an importance as the file says it; what is no number is none.
func scratchTenths(importance float64) float64 {
	if math.IsNaN(importance) {
		return 0
	}
	return math.Round(min(max(importance, 0), 1)*10) / 10
}

// ScratchLines counts the physical lines of scratch.md, on which the pressure to dream depends.
func ScratchLines(text string) int {
	text = prose.LineEnds(text)
	lines := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		lines++
	}
	return lines
}

// ScratchEdit is what a person added to scratch.md, handed out in parts.
type ScratchEdit struct {
	lines []string
	added []scratchPart // that were not handed out yet
}

// NewScratchEdit finds the entries that after has and before has not. What stands there twice counts twice, so each note is
// stored exactly once, however often it was moved. A note that was changed is a new one.
func NewScratchEdit(before, after string) (*ScratchEdit, error) {
	old, _, err := scratchRead(before)
	if err != nil {
		return nil, err
	}
	now, lines, err := scratchRead(after)
	if err != nil {
		return nil, err
	}
	stored := map[ScratchEntry]int{}
	for _, e := range old {
		stored[e.ScratchEntry]++
	}
	edit := &ScratchEdit{lines: lines}
	for _, e := range now {
		if stored[e.ScratchEntry] > 0 {
			stored[e.ScratchEntry]--
			continue
		}
		edit.added = append(edit.added, e)
	}
	return edit, nil
}

// Next returns the next new entries in the order of the file, at most the given number; none at the end.
func (s *ScratchEdit) Next(most int) (entries []ScratchEntry) {
	n := min(most, len(s.added))
	for _, e := range s.added[:n] {
		entries = append(entries, e.ScratchEntry)
	}
	s.added = s.added[n:]
	return entries
}

// Left counts the entries that Next has not returned.
func (s *ScratchEdit) Left() int { return len(s.added) }

// Known is the file without the entries that are left. As before of a later edit it leaves just those to find.
func (s *ScratchEdit) Known() string {
	var kept []string
	from := 0
	for _, e := range s.added {
		kept, from = append(kept, s.lines[from:e.from]...), e.to
	}
	return strings.Join(append(kept, s.lines[from:]...), "\n")
}

// scratchPart is an entry and the lines of the file that say it.
type scratchPart struct {
	ScratchEntry
	from, to int
}

// scratchRead reads everything that says something, in the order of the file, and the lines of the file.
func scratchRead(text string) (parts []scratchPart, lines []string, err error) {
	if lines, err = prose.FileLines(text); err != nil {
		return nil, nil, err
	}
	add := func(e ScratchEntry, from, to int) {
		if e = scratchPlain(e); e.Text != "" {
			parts = append(parts, scratchPart{e, from, to})
		}
	}
	open := map[string]int{} // marks of code blocks, and up to which line none of that mark ends
	for at := 0; at < len(lines); {
		line := lines[at]
		bare := prose.TrimBlanks(line)
		if bare == "" || scratchFrame(bare) {
			at++
			continue
		}
		if end := scratchFenced(lines, at, open); end > 0 {
			add(ScratchEntry{Text: strings.Join(lines[at:end], "\n"), ByHand: true}, at, end)
			at = end
			continue
		}
		e, ok := scratchEntry(bare)
		if !ok {
			e = ScratchEntry{Text: prose.TrimBullet(bare), ByHand: true}
		}
		below, end := scratchBelow(lines, at+1)
		e.Text = strings.Join(append([]string{e.Text}, below...), "\n")
		add(e, at, end)
		at = end
	}
	return parts, lines, nil
}

// scratchFrame says whether a line is part of the header, or a rule.
func scratchFrame(line string) bool {
	rule := strings.Trim(line, "-") == "" || strings.Trim(line, "*") == "" || strings.Trim(line, "_") == ""
	return line == scratchTitle || line == scratchNotice || rule && len(line) >= 3
}

// scratchBelow gives the indented lines that follow, without their indent, and where they end. Empty lines belong to them if
// another indented one follows.
func scratchBelow(lines []string, from int) (below []string, end int) {
	end = from
	var empty []string
	for i := from; i < len(lines); i++ {
		line := lines[i]
		if prose.TrimBlanks(line) == "" {
			empty = append(empty, "")
			continue
		}
		rest, ok := strings.CutPrefix(line, scratchIndent)
		if !ok {
			rest, ok = strings.CutPrefix(line, "\t")
		}
		if !ok {
			break
		}
		below = append(append(below, empty...), rest)
		empty, end = nil, i+1
	}
	return below, end
}

// scratchFenced returns the line after a block of code that begins here, or 0. A fence around notes is none: they would be
// lost in it. open remembers how far earlier searches found no end, so that many open fences cost no more than one.
func scratchFenced(lines []string, from int, open map[string]int) int {
	mark := lines[from][:min(len(lines[from]), 3)]
	if mark != "```" && mark != "~~~" || from < open[mark] {
		return 0
	}
	for i := from + 1; i < len(lines); i++ {
		if _, note := scratchEntry(lines[i]); note {
			open[mark] = i
			return 0
		}
		if strings.TrimRight(lines[i], " \t") == mark {
			return i + 1
		}
	}
	open[mark] = len(lines)
	return 0
}

// scratchForm is the first line of a note: an item with a time, which may be missing, an importance and the text.
var scratchForm = prose.Pattern(`^[-*+•] [ \t]*(?:\[([^\]]+)\][ \t]*)?\([ \t]*(?i:importance)[ \t]*:[ \t]*([-0-9.,]+)[ \t]*\)(.*)$`)

func scratchEntry(line string) (e ScratchEntry, ok bool) {
	form := scratchForm().FindStringSubmatch(line)
	if form == nil {
		return e, false
	}
	importance, err := strconv.ParseFloat(strings.Replace(form[2], ",", ".", 1), 64)
	if err != nil {
		return e, false
	}
	if stamp := prose.TrimBlanks(form[1]); form[1] != "" {
		at, err := time.Parse(time.RFC3339, stamp)
		if err != nil {
			at, err = time.Parse("2006-01-02T15:04Z07:00", stamp) // seconds may be missing
		}
		if err != nil {
			return e, false
		}
		e.At = at.UTC()
	}
	e.Importance, e.Text = importance, prose.TrimBlanks(form[3])
	return e, true
}

// LinesFull is the number of lines of notes at which the pressure is full, as designed.
const LinesFull = 50
