package views

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/state"
)

// handWritten is the text of a file, without what hebb put there, and where it is backed up.
type handWritten struct {
	Path, Text string
	At         time.Time // when it was last changed
	Cleaned    bool      // a secret was left out
	Backup     string
	Raw        string          // the file as it is
	ours       map[string]bool // lines that are the person's, where others wrote in the file too; nil: all of them
	Mine       bool            // the person stands for every line
}

// findAuthors asks git which lines are somebody else's.
func (h *handWritten) findAuthors(ctx context.Context) error {
	others, err := git.ByOthers(ctx, h.Path, h.Raw)
	if err != nil && !h.Mine {
		return fmt.Errorf("adopt: %w (--mine adopts every line as yours)", err)
	}
	if !slices.Contains(others, true) {
		return nil
	}
	h.ours = map[string]bool{}
	i := 0
	for line := range strings.Lines(h.Raw) {
		for _, said := range []string{bareLine(line), bareLine(scrub.Clean(line))} {
			if known, is := h.ours[said]; !is || known { // what both wrote is the others'
				h.ours[said] = !others[i]
			}
		}
		i++
	}
	return nil
}

// byteOrderMark may begin a file, and is no part of its text.
const byteOrderMark = "\uFEFF"

func bareLine(line string) string { return strings.TrimSpace(strings.TrimPrefix(line, byteOrderMark)) }

// passage is part of a text that either the person or somebody else wrote.
type passage struct {
	Text   string
	Origin memory.Origin
}

// passages cuts a text where its writer changes. Blank lines belong to what stands before them.
func (h handWritten) passages(text string) (list []passage) {
	for line := range strings.Lines(text) {
		origin := memory.OriginUser
		if !h.Mine && h.ours != nil && !h.ours[bareLine(line)] {
			origin = memory.OriginRepo
		}
		last := len(list) - 1
		if last >= 0 && (strings.TrimSpace(line) == "" || list[last].Origin == origin) {
			list[last].Text += line
			continue
		}
		list = append(list, passage{line, origin})
	}
	return list
}

// own is what the person wrote of a text.
func (h handWritten) own(text string) string {
	var b strings.Builder
	for _, p := range h.passages(text) {
		if p.Origin == memory.OriginUser {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// fresh is what the person says in a file that was not adopted as theirs before, all of it the first time.
func (h handWritten) fresh(record state.SeedRecord) string {
	i := slices.IndexFunc(record.Files, func(f state.SeedFile) bool { return f.Path == h.Path })
	if i < 0 {
		return h.own(h.Text)
	}
	before, err := filesys.ReadFile(record.Files[i].Backup)
	if err != nil {
		return h.own(h.Text)
	}
	known := handWritten{Text: string(before), ours: h.ours, Mine: !record.Files[i].Others}
	return newLines(known.own(known.Text), h.own(h.Text))
}

func (h handWritten) hash() string {
	if own := h.own(h.Text); own != h.Text { // the same text is another one once the person stands for all of it
		return fmt.Sprintf("%016x", uint64(memory.ContentHash("seed", h.Text, own)))
	}
	return h.wholeHash()
}

// wholeHash is the hash of the text where the person stands for all of it.
func (h handWritten) wholeHash() string {
	return fmt.Sprintf("%016x", uint64(memory.ContentHash("seed", h.Text)))
}

// adoptedBefore says that a text was adopted as it is, or all of it as the person's, which leaves nothing to add.
func adoptedBefore(r state.SeedRecord, h handWritten) bool {
	part, whole := h.hash(), h.wholeHash()
	return slices.ContainsFunc(r.Files, func(f state.SeedFile) bool { return f.Hash == part || f.Hash == whole })
}

// newLines is a text without the lines that an earlier version of it has, as often as it has them.
func newLines(before, text string) string {
	known := map[string]int{}
	for line := range strings.Lines(before) {
		known[strings.TrimSpace(line)]++
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if bare := strings.TrimSpace(line); bare != "" && known[bare] > 0 {
			known[bare]--
			continue
		}
		b.WriteString(line)
	}
	if strings.TrimSpace(b.String()) == "" {
		return ""
	}
	return b.String()
}

// seedChunks cuts a text into pieces of the given size in characters, each of which repeats the end of the one before it, so that a
// sentence that is not longer than that stands whole in one of them. 1 600 and 320 make one piece of 1 600 characters, two
// of 1 601 to 2 880, and six of 8 000.
func seedChunks(text string, size, overlap int) (chunks []string) {
	runes := []rune(text)
	step := max(1, size-overlap)
	for at := 0; at < len(runes); at += step {
		end := min(at+size, len(runes))
		chunks = append(chunks, string(runes[at:end]))
		if end == len(runes) {
			break
		}
	}
	return chunks
}
