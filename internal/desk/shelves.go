package desk

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// Entry is a closed session on a shelf.
//
// Texts go through a view and back unchanged but for this: line ends become \n, blanks and tabs at the end of a line and
// empty lines at the start and the end of a text are dropped, what is no UTF-8 text (a NUL too) becomes U+FFFD, and in
// words that are not the person's curly quotation marks become straight ones.
type ShelfEntry struct {
	ID       string // 8 hex digits, the label; empty for one that a person wrote by hand
	Agent    string
	At       time.Time // when it closed; parsed from a view, the day it names at midnight UTC
	Happened string
	Learned  string
	Next     string
	// By says whose words they are; see SaidBy for how a view shows that. Parsing leaves it empty.
	By memory.Origin
}

const (
	shelfDay     = "January 02, 2006"
	shelfMonth   = "January 2006"
	shelfUnknown = "Unknown"
	shelfUndated = "undated"

	shelfRecentHead  = "# RECENT — Hot Memory\n\n*The latest sessions, newest first. Your changes here are imported.*\n\n---\n"
	shelfSummaryHead = "# SUMMARY — Warm Memory\n\n*One line for each session, newest first. Your changes here are imported.*\n\n" +
		"| Date | What happened |\n|---|---|\n"
)

// shelfSections are the headings of a block, in the order of the fields that they fill.
var shelfSections = [...]string{"What Happened", "What I Learned", "Next"}

// RecentView renders RECENT.md: the given number of latest sessions, newest first. Days are those of the time zone that
// each At carries.
func RecentView(entries []ShelfEntry, most int) string {
	newest := shelfOrder(entries)
	var b strings.Builder
	b.WriteString(shelfRecentHead)
	for _, e := range newest[:min(max(most, 0), len(newest))] {
		shelfBlock(&b, e)
	}
	return b.String()
}

// ArchiveViews renders the archive by month: name of the file → its text, oldest session first.
func ArchiveViews(entries []ShelfEntry) map[string]string {
	months := map[string]*strings.Builder{}
	oldest := shelfOrder(entries)
	slices.Reverse(oldest)
	for _, e := range oldest {
		name, title := shelfUndated+".md", "Undated"
		if !e.At.IsZero() {
			name, title = e.At.Format("2006-01")+".md", e.At.Format(shelfMonth)
		}
		b := months[name]
		if b == nil {
			b = &strings.Builder{}
			fmt.Fprintf(b, "# Archive — %s\n\n---\n", title)
			months[name] = b
		}
		shelfBlock(b, e)
	}
	views := make(map[string]string, len(months))
	for name, b := range months {
		views[name] = b.String()
	}
	return views
}

// SummaryView renders SUMMARY.md: for each session its first sentence, of at most the given number of characters.
func SummaryView(entries []ShelfEntry, length int) string {
	var b strings.Builder
	b.WriteString(shelfSummaryHead)
	cell := strings.NewReplacer(`\`, `\\`, `|`, `\|`)
	for _, e := range shelfOrder(entries) {
		day := shelfUndated
		if !e.At.IsZero() {
			day = e.At.Format(time.DateOnly)
		}
		if e.ID != "" {
			day += " (" + e.ID + ")"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", day, cell.Replace(prose.SaidBy(e.By, prose.FirstSentence(e.Happened, length))))
	}
	return b.String()
}

// ParseSummary reads SUMMARY.md back: ID, day, and the line as Happened. Text outside of the table is an error.
func ParseSummary(text string) ([]ShelfEntry, error) {
	lines, err := prose.FileLines(text)
	if err != nil {
		return nil, err
	}
	start := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(prose.TrimBlanks(line), "|") })
	if start < 0 {
		start = len(lines)
	}
	if err := shelfPreamble(lines[:start], "put it into a row of the table"); err != nil {
		return nil, err
	}
	var entries []ShelfEntry
	for i, line := range lines[start:] {
		if line = prose.TrimBlanks(line); line == "" {
			continue
		}
		if !strings.HasPrefix(line, "|") {
			return nil, shelfStray(start+i, line, "put it into a row of the table")
		}
		cells := shelfCells(line)
		if i == 0 && strings.EqualFold(cells[0], "date") || strings.Trim(line, "|-: \t") == "" {
			continue
		}
		var e ShelfEntry
		rest := ""
		if e, rest = shelfLabel(cells[0]); rest != "" {
			cells[0] = rest // no date and no label: text that a person wrote there
		} else {
			cells = cells[1:]
		}
		// A pipe that was not escaped makes one more cell; it is part of the line.
		e.Happened = prose.UnsaidBy(strings.TrimSpace(strings.Join(cells, " | ")))
		entries = append(entries, e)
	}
	return shelfDistinct(entries)
}

// Changed gives what a person changed: the entries of after, parsed from a file as it is, that differ from before, parsed
// from what hebb wrote there; those that a person added have no ID. The agent and the time of day come from before where
// after does not say otherwise.
//
// An entry that is missing in after is not deleted. Views are short, so an entry leaves one by growing old or because
// another agent closed a session in the meantime, and a memory that is lost because of a view could not be won back. A
// session is forgotten by `hebb forget`.
func Changed(before, after []ShelfEntry) []ShelfEntry {
	known := map[string]ShelfEntry{}
	byHand := map[ShelfEntry]bool{}
	for _, e := range before {
		if e = shelfPlain(e); e.ID != "" {
			known[e.ID] = e
		} else {
			byHand[e] = true
		}
	}
	var changed []ShelfEntry
	for _, e := range after {
		e = shelfPlain(e)
		if e.ID == "" {
			if e.Happened+e.Learned+e.Next != "" && !byHand[e] {
				changed = append(changed, e)
			}
			continue
		}
		if old, ok := known[e.ID]; ok {
			if e.Agent == "" {
				e.Agent = old.Agent
			}
			if e.At.IsZero() || e.At.Format(time.DateOnly) == old.At.Format(time.DateOnly) {
				e.At = old.At
			}
			if e == old {
				continue
			}
		}
		changed = append(changed, e)
	}
	return changed
}

// shelfPlain is an entry as it comes out of a view, but for the time of day.
func shelfPlain(e ShelfEntry) ShelfEntry {
	e.ID, e.Agent = strings.ToLower(e.ID), shelfAgent(e.Agent)
	e.Happened, e.Learned, e.Next = prose.Tidy(e.Happened), prose.Tidy(e.Learned), prose.Tidy(e.Next)
	return e
}

// shelfOrder is newest first; those without a date are last.
func shelfOrder(entries []ShelfEntry) []ShelfEntry {
	entries = slices.Clone(entries)
	slices.SortStableFunc(entries, func(a, b ShelfEntry) int {
		if c := b.At.Compare(a.At); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return entries
}

func shelfBlock(b *strings.Builder, e ShelfEntry) {
	day := shelfUnknown
	if !e.At.IsZero() {
		day = e.At.Format(shelfDay)
	}
	fmt.Fprintf(b, "\n## Session: %s", day)
	if label := strings.TrimSpace(shelfAgent(e.Agent) + " " + e.ID); label != "" {
		fmt.Fprintf(b, " (%s)", label)
	}
	b.WriteString("\n")
	for i, text := range [...]string{e.Happened, e.Learned, e.Next} {
		if text = prose.SaidLines(e.By, prose.EscapeLines(prose.Tidy(text), shelfMark)); text != "" {
			fmt.Fprintf(b, "\n### %s\n\n%s\n", shelfSections[i], text)
		} else if i == 0 {
			fmt.Fprintf(b, "\n### %s\n", shelfSections[i])
		}
	}
	b.WriteString("\n---\n")
}

// shelfAgent is a name that fits between the parentheses of a title line.
func shelfAgent(agent string) string {
	return strings.NewReplacer("(", "[", ")", "]").Replace(prose.OneLine(agent))
}

// shelfMark says whether a line, without blanks around it, shapes a file of sessions.
func shelfMark(line string) bool {
	if _, ok := shelfTitle(line); ok {
		return true
	}
	_, ok := shelfSection(line)
	return ok || prose.IsRule(line)
}

// shelfTitle gives what follows "## Session:".
func shelfTitle(line string) (string, bool) {
	title, level := prose.Heading(line)
	name, rest, found := strings.Cut(title, ":")
	return strings.TrimSpace(rest), level == 2 && found && strings.EqualFold(strings.TrimSpace(name), "session")
}

// shelfSection gives the number of the section that a line begins.
func shelfSection(line string) (int, bool) {
	title, level := prose.Heading(line)
	title = strings.TrimSpace(strings.TrimRight(title, ":"))
	at := slices.IndexFunc(shelfSections[:], func(name string) bool { return strings.EqualFold(name, title) })
	return at, level == 3 && at >= 0
}

// shelfPreamble refuses text above the first block or row. One heading and one note in italics belong there.
func shelfPreamble(lines []string, fix string) error {
	title, note := false, false
	for i, line := range lines {
		line = prose.TrimBlanks(line)
		_, level := prose.Heading(line)
		switch {
		case line == "", prose.IsRule(line):
		case level == 1 && !title:
			title = true
		case prose.IsItalic(line) && !note:
			note = true
		default:
			return shelfStray(i, line, fix)
		}
	}
	return nil
}

func shelfStray(at int, line, fix string) error {
	return fmt.Errorf("line %d, %q: text outside: %s, or remove it: %w", at+1, prose.Shorten(line, 60), fix, memory.ErrInvalid)
}

// shelfSplit cuts lines into blocks: each begins with a line that the function knows and ends before the next, without the
// rules and empty lines at its end. A rule in the middle of a block is text.
func shelfSplit(lines []string, begins func(string) bool) (above []string, blocks [][]string) {
	starts := []int{}
	for i, line := range lines {
		if begins(prose.TrimBlanks(line)) {
			starts = append(starts, i)
		}
	}
	if len(starts) == 0 {
		return lines, nil
	}
	for i, start := range starts {
		end := len(lines)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		block := lines[start:end]
		for len(block) > 1 {
			last := prose.TrimBlanks(block[len(block)-1])
			if last != "" && !prose.IsRule(last) {
				break
			}
			block = block[:len(block)-1]
		}
		blocks = append(blocks, block)
	}
	return lines[:starts[0]], blocks
}

// ParseRecent reads RECENT.md or a file of the archive back, in the order of the file. Text outside of a session, and two
// different sessions under one label, are errors: they would be lost.
func ParseRecent(text string) ([]ShelfEntry, error) {
	lines, err := prose.FileLines(text)
	if err != nil {
		return nil, err
	}
	above, blocks := shelfSplit(lines, func(line string) bool { _, ok := shelfTitle(line); return ok })
	if err := shelfPreamble(above, "put it under a \"## Session:\" heading"); err != nil {
		return nil, err
	}
	var entries []ShelfEntry
	for _, block := range blocks {
		title, _ := shelfTitle(prose.TrimBlanks(block[0]))
		e, rest := shelfLabel(title)
		// Words that a person added to the title, and text before the first section, belong to what happened.
		fields := [...]*string{&e.Happened, &e.Learned, &e.Next}
		e.Happened = rest
		section, from := 0, 1
		for i := 1; i <= len(block); i++ {
			at, begins := section, i == len(block)
			if !begins {
				if at, begins = shelfSection(prose.TrimBlanks(block[i])); !begins {
					continue
				}
			}
			// A section that is there twice goes on.
			text := prose.UnescapeLines(prose.UnsaidLines(prose.Tidy(strings.Join(block[from:i], "\n"))), shelfMark)
			*fields[section] = strings.TrimPrefix(strings.TrimSuffix(*fields[section]+"\n\n"+text, "\n\n"), "\n\n")
			section, from = at, i+1
		}
		entries = append(entries, e)
	}
	return shelfDistinct(entries)
}

// shelfDistinct drops blocks that are there twice, word for word, and refuses two that share a label only.
func shelfDistinct(entries []ShelfEntry) ([]ShelfEntry, error) {
	seen := map[string]ShelfEntry{}
	var distinct []ShelfEntry
	for _, e := range entries {
		if first, twice := seen[e.ID]; twice && e.ID != "" {
			if first != e {
				return nil, fmt.Errorf("session %s is there twice and says different things: keep one, or remove the label of the other: %w",
					e.ID, memory.ErrConflict)
			}
			continue
		}
		seen[e.ID] = e
		distinct = append(distinct, e)
	}
	return distinct, nil
}

var (
	shelfParens = prose.Pattern(`\([^)]*\)`)
	shelfID     = prose.Pattern(`^[0-9a-fA-F]{8}$`)
	// shelfDates matches "Month d, yyyy", in full or abbreviated, and "yyyy-mm-dd".
	shelfDates = prose.Pattern(`(?i)\b(?:(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|` +
		`sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?[ \t]*(\d{1,2})[ \t]*,?[ \t]*(\d{4})|\d{4}-\d{2}-\d{2})\b`)
)

// shelfLabel reads day, agent and ID out of a title or a cell, and gives what else is said there.
func shelfLabel(title string) (e ShelfEntry, rest string) {
	var label []int // the first parenthesis that ends in an ID, else the first
	for _, at := range shelfParens().FindAllStringIndex(title, -1) {
		words := strings.Fields(title[at[0]+1 : at[1]-1])
		last := len(words) - 1
		isID := last >= 0 && shelfID().MatchString(words[last])
		if isID {
			e.ID, words = strings.ToLower(words[last]), words[:last]
		}
		if isID || label == nil {
			label, e.Agent = at, strings.Join(words, " ")
		}
		if isID {
			break
		}
	}
	if label != nil {
		title = title[:label[0]] + " " + title[label[1]:]
	}
	for _, m := range shelfDates().FindAllStringSubmatchIndex(title, -1) {
		layout, day := time.DateOnly, title[m[0]:m[1]]
		if m[2] >= 0 {
			layout, day = "Jan 2 2006", title[m[2]:m[2]+3]+" "+title[m[4]:m[5]]+" "+title[m[6]:m[7]]
		}
		if at, err := time.Parse(layout, day); err == nil {
			e.At, title = at, title[:m[0]]+" "+title[m[1]:]
			break
		}
	}
	rest = strings.TrimFunc(prose.OneLine(title), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:-–—·", r)
	})
	if strings.EqualFold(rest, shelfUnknown) || strings.EqualFold(rest, shelfUndated) {
		rest = ""
	}
	return e, rest
}

// shelfCells splits a row of a table at the pipes that are not escaped.
func shelfCells(line string) []string {
	var cells []string
	var cell strings.Builder
	line = strings.TrimPrefix(line, "|")
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && (line[i+1] == '|' || line[i+1] == '\\'):
			i++
			cell.WriteByte(line[i])
		case line[i] == '|':
			cells = append(cells, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	if last := strings.TrimSpace(cell.String()); last != "" || len(cells) == 0 {
		cells = append(cells, last) // the row does not end in a pipe
	}
	return cells
}

// Reworded is a text whose first sentence is said in other words. Where that sentence cannot be found, because it is a
// list or runs over lines, the whole text stays below the new words.
func Reworded(text, line string) string {
	text = prose.Tidy(text)
	rest := strings.TrimSpace(strings.TrimPrefix(text, prose.Opening(text)))
	if rest == "" {
		return line
	}
	return line + "\n\n" + rest
}
