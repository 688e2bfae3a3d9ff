package sheet

import (
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
)

const (
	markLeast = 4  // signs of a mark
	markMost  = 12 // of the whole code, whose beginnings are marks
	letters   = "abcdefghjkmnpqrstvwxyz"
)

// code is what marks of a memory are the beginning of: a digit and a letter by turns, as words never are.
func code(id string) string {
	n := uint64(memory.ContentHash("mark", id))
	var b strings.Builder
	for b.Len() < markMost {
		b.WriteByte('0' + byte(n%10))
		n /= 10
		b.WriteByte(letters[n%uint64(len(letters))])
		n /= uint64(len(letters))
	}
	return b.String()
}

// Marks are the memories of a sheet by the beginnings of their codes; what two of them share leads to none.
type Marks map[string]string

// MarksOf makes the marks of some memories.
func MarksOf[T any](memories []T, idOf func(T) string) Marks {
	m := Marks{}
	for _, one := range memories {
		id := idOf(one)
		for n := markLeast; n <= markMost; n += 2 {
			short := code(id)[:n]
			if other, taken := m[short]; taken && other != id {
				m[short] = ""
			} else {
				m[short] = id
			}
		}
	}
	return m
}

// On sets the mark of a memory at the end of the first line of a text: the shortest that is its own.
func (m Marks) On(id, text string) string {
	if _, known := m[code(id)]; id == "" || !known {
		return text
	}
	n := markLeast
	for n < markMost && m[code(id)[:n]] != id {
		n += 2
	}
	first, rest, more := strings.Cut(text, "\n")
	if first += " ^" + code(id)[:n]; more {
		return first + "\n" + rest
	}
	return first
}

// marks matches a mark, wherever somebody has typed on behind it; lastMarks one at the end of a line.
var (
	marks     = prose.Pattern(`(?m)(?:^|[ \t]+)\^(?:[0-9][` + letters + `]){2,6}(?:[ \t]|$)`)
	lastMarks = prose.Pattern(`(?m)[ \t]+\^(?:[0-9][` + letters + `]){2,6}[ \t]*$`)
)

// Bare is a text without marks.
func Bare(text string) string { return lastMarks().ReplaceAllLiteralString(text, "") }

// Resolve says of entries which memories they are: by their marks, wherever in the text they stand now, else by what of says of an entry without
// one. A mark that means nothing here is dropped.
func Resolve(entries []Entry, m Marks, of func(Entry) string) []Entry {
	seen := map[string]bool{}
	for i := range entries {
		e := &entries[i]
		e.Text = prose.Tidy(Bare(marks().ReplaceAllStringFunc(e.Text, func(mark string) string {
			id := m[strings.Trim(mark, " \t^")]
			if id == "" {
				return mark
			}
			if e.ID == "" {
				e.ID, e.Marked, seen[id] = id, true, true
			}
			return " "
		})))
	}
	for i := range entries {
		if e := &entries[i]; e.ID == "" {
			if id := of(*e); id != "" && !seen[id] {
				e.ID, seen[id] = id, true
			}
		}
	}
	return entries
}
