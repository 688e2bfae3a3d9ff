package desk

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

// ShelfEntry is a closed session on a shelf.
type ShelfEntry struct {
	ID       string // 8 hex digits, the label
	Agent    string
	At       time.Time // when it closed
	Happened string
	Learned  string
	Next     string
	By       memory.Origin // whose words they are; prose.SaidBy says how that is shown
}

const (
	shelfDay     = "January 02, 2006"
	shelfMonth   = "January 2006"
	shelfUnknown = "Unknown"
	shelfUndated = "undated"

	shelfRecentHead  = "# RECENT — Hot Memory\n\n*The latest sessions, newest first. hebb writes this file: hebb sessions wrapup changes the words.*\n\n---\n"
	shelfSummaryHead = "# SUMMARY — Warm Memory\n\n*One line for each session, newest first. hebb writes this file: hebb sessions wrapup changes the words.*\n\n" +
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

// ArchiveViews renders the archive by month: name of the file to its text, oldest session first.
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
	if label := strings.TrimSpace(prose.OneLine(e.Agent) + " " + e.ID); label != "" {
		fmt.Fprintf(b, " (%s)", label)
	}
	b.WriteString("\n")
	for i, text := range [...]string{e.Happened, e.Learned, e.Next} {
		if text = prose.SaidLines(e.By, prose.Tidy(text)); text != "" {
			fmt.Fprintf(b, "\n### %s\n\n%s\n", shelfSections[i], text)
		} else if i == 0 {
			fmt.Fprintf(b, "\n### %s\n", shelfSections[i])
		}
	}
	b.WriteString("\n---\n")
}
