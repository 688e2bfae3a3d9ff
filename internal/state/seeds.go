package state

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
	"github.com/hebb-memory/hebb/internal/store"
)

// seedRecord is what is known of what a project adopted.
type SeedRecord struct {
	At     int64      `json:"at"` // when something was last adopted, unix ms
	Files  []SeedFile `json:"files"`
	Pieces int        `json:"pieces"` // crystals that hold the texts
}

type SeedFile struct {
	Path   string `json:"path"`
	Hash   string `json:"hash"`
	Backup string `json:"backup"`
	Others bool   `json:"others,omitempty"` // lines of others did not become the person's word
}

// Has says that a text was adopted as it is, or all of it as the person's, which leaves nothing to add.
func (r SeedRecord) Has(h HandWritten) bool {
	part, whole := h.Hash(), h.wholeHash()
	return slices.ContainsFunc(r.Files, func(f SeedFile) bool { return f.Hash == part || f.Hash == whole })
}

func SeedFact(id memory.ProjectID) store.Fact[SeedRecord] {
	return store.NewFact[SeedRecord]("dream/seed").Of(id)
}

// adoptedSource begins the source of a crystal that holds part of an adopted text.
const AdoptedSource = "adopted "

const (
	adoptedLine    = AdoptedSource + "line" // of earlier versions
	seedImportance = 0.75
)

// AdoptedCrystal holds part of an adopted text. It is a lesson, because that kind makes no claim that a later one could end.
func AdoptedCrystal(id memory.ProjectID, name, text string, by memory.Origin, said, now time.Time) memory.Crystal {
	return memory.Crystal{
		Project: id, Kind: memory.Lesson, Text: text, Origin: by, Source: AdoptedSource + name, Lifecycle: memory.Consolidated,
		Importance: seedImportance, SaidAt: said, LastAt: now, Accesses: 1,
	}
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

// SeedOpen says whether a text that was adopted then may be taken in by a dream over a state that was last dreamt at another
// time: the first dream after the adoption lets it be.
func SeedOpen(adopted, dreamt time.Time) bool {
	return !adopted.IsZero() && dreamt.After(adopted.Truncate(time.Second))
}

// handWritten is the text of a file, without what hebb put there, and where it is backed up.
type HandWritten struct {
	Path, Text string
	At         time.Time // when it was last changed
	Cleaned    bool      // a secret was left out
	Backup     string
	Raw        string          // the file as it is
	ours       map[string]bool // lines that are the person's, where others wrote in the file too; nil: all of them
	Mine       bool            // the person stands for every line
}

// FindAuthors asks git which lines are somebody else's.
func (h *HandWritten) FindAuthors(ctx context.Context) error {
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
const ByteOrderMark = "\uFEFF"

func bareLine(line string) string { return strings.TrimSpace(strings.TrimPrefix(line, ByteOrderMark)) }

// passage is part of a text that either the person or somebody else wrote.
type passage struct {
	Text   string
	Origin memory.Origin
}

// Passages cuts a text where its writer changes. Blank lines belong to what stands before them.
func (h HandWritten) Passages(text string) (list []passage) {
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

// Own is what the person wrote of a text.
func (h HandWritten) Own(text string) string {
	var b strings.Builder
	for _, p := range h.Passages(text) {
		if p.Origin == memory.OriginUser {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Fresh is what the person says in a file that was not adopted as theirs before, all of it the first time.
func (h HandWritten) Fresh(record SeedRecord) string {
	i := slices.IndexFunc(record.Files, func(f SeedFile) bool { return f.Path == h.Path })
	if i < 0 {
		return h.Own(h.Text)
	}
	before, err := filesys.ReadFile(record.Files[i].Backup)
	if err != nil {
		return h.Own(h.Text)
	}
	known := HandWritten{Text: string(before), ours: h.ours, Mine: !record.Files[i].Others}
	return newLines(known.Own(known.Text), h.Own(h.Text))
}

func (h HandWritten) Hash() string {
	if own := h.Own(h.Text); own != h.Text { // the same text is another one once the person stands for all of it
		return fmt.Sprintf("%016x", uint64(memory.ContentHash("seed", h.Text, own)))
	}
	return h.wholeHash()
}

// wholeHash is the hash of the text where the person stands for all of it.
func (h HandWritten) wholeHash() string {
	return fmt.Sprintf("%016x", uint64(memory.ContentHash("seed", h.Text)))
}
