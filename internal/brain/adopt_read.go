package brain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/bootstrap"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/wiring"
	"github.com/hebb-memory/hebb/internal/workmem"
)

// handWritten is the text of a file, without what hebb put there, and where it is backed up.
type handWritten struct {
	path, text string
	at         time.Time // when it was last changed
	cleaned    bool      // a secret was left out
	backup     string
	raw        string          // the file as it is
	ours       map[string]bool // lines that are the person's, where others wrote in the file too; nil: all of them
	mine       bool            // the person stands for every line
}

// tellApart asks git which lines are somebody else's.
func (h *handWritten) tellApart(ctx context.Context) error {
	others, err := bootstrap.ByOthers(ctx, h.path, h.raw)
	if err != nil && !h.mine {
		return fmt.Errorf("adopt: %w (--mine adopts every line as yours)", err)
	}
	if !slices.Contains(others, true) {
		return nil
	}
	h.ours = map[string]bool{}
	i := 0
	for line := range strings.Lines(h.raw) {
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
	text   string
	origin memory.Origin
}

// passages cuts a text where its writer changes. Blank lines belong to what stands before them.
func (h handWritten) passages(text string) (list []passage) {
	for line := range strings.Lines(text) {
		origin := memory.OriginUser
		if !h.mine && h.ours != nil && !h.ours[bareLine(line)] {
			origin = memory.OriginRepo
		}
		last := len(list) - 1
		if last >= 0 && (strings.TrimSpace(line) == "" || list[last].origin == origin) {
			list[last].text += line
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
		if p.origin == memory.OriginUser {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// Adoption of a hand-written memory, as designed.
const (
	seedTokens  = 400     // of one piece that is kept as a crystal
	seedOverlap = 80      // of it that the next one repeats
	seedMost    = 1 << 20 // bytes of a file: five times the longest that people write
)

// adoptedPieces are the crystals that hold the text.
func (b *Brain) adoptedPieces(id memory.ProjectID, h handWritten, now time.Time) (pieces []memory.Crystal) {
	said := h.at
	if said.After(now) {
		said = now
	}
	for _, p := range h.passages(h.text) {
		for _, chunk := range workmem.SeedChunks(p.text, seedTokens*bytesPerToken, seedOverlap*bytesPerToken) {
			if chunk = strings.TrimSpace(chunk); chunk != "" {
				pieces = append(pieces, b.adoptedCrystal(id, filepath.Base(h.path), chunk, p.origin, said, now))
			}
		}
	}
	return pieces
}

// fresh is what the person says in a file that was not adopted as theirs before, all of it the first time.
func (h handWritten) fresh(record seedRecord) string {
	i := slices.IndexFunc(record.Files, func(f seedFile) bool { return f.Path == h.path })
	if i < 0 {
		return h.own(h.text)
	}
	before, err := os.ReadFile(record.Files[i].Backup)
	if err != nil {
		return h.own(h.text)
	}
	known := handWritten{text: string(before), ours: h.ours, mine: !record.Files[i].Others}
	return newLines(known.own(known.text), h.own(h.text))
}

// countLines counts lines that say something.
func countLines(text string) (n int) {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// wouldAdopt tells what adopting would do.
func (b *Brain) wouldAdopt(ctx context.Context, id memory.ProjectID, texts []handWritten) (AdoptResult, error) {
	return viewed(ctx, b, func(tx *store.Tx) (AdoptResult, error) {
		out := AdoptResult{Files: []AdoptedFile{}, Dry: true}
		record, err := b.seedRecord(ctx, tx, id)
		if err != nil {
			return out, err
		}
		for _, h := range texts {
			one := AdoptedFile{Path: h.path, Cleaned: h.cleaned, Known: record.has(h), Others: countLines(h.text) - countLines(h.own(h.text))}
			if !one.Known {
				one.Pieces, one.Lines = len(b.adoptedPieces(id, h, tx.Now)), countLines(h.fresh(record))
			}
			for line := range strings.Lines(h.text) {
				if line = strings.TrimSpace(line); workmem.LooksLikeInstruction(line) {
					one.Orders = append(one.Orders, scrub.Line(line))
				}
			}
			out.Files = append(out.Files, one)
		}
		return out, nil
	})
}

func (h handWritten) hash() string {
	if own := h.own(h.text); own != h.text { // the same text is another one once the person stands for all of it
		return fmt.Sprintf("%016x", uint64(memory.ContentHash("seed", h.text, own)))
	}
	return h.wholeHash()
}

// wholeHash is the hash of the text where the person stands for all of it.
func (h handWritten) wholeHash() string {
	return fmt.Sprintf("%016x", uint64(memory.ContentHash("seed", h.text)))
}

// readHandWritten reads a file that is to be adopted.
func (b *Brain) readHandWritten(path string) (h handWritten, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return h, fmt.Errorf("adopt %s: no such file: %w", path, memory.ErrNotFound)
	}
	if err != nil {
		return h, fmt.Errorf("adopt: %w", err)
	}
	switch {
	case !info.Mode().IsRegular():
		return h, fmt.Errorf("adopt %s: is no file: name the text file itself: %w", path, memory.ErrInvalid)
	case info.Size() > seedMost:
		return h, fmt.Errorf("adopt %s: has %d KB and may have %d; split it, or adopt the part that matters: %w",
			path, info.Size()>>10, seedMost>>10, memory.ErrInvalid)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return h, fmt.Errorf("adopt: %w", err)
	}
	raw := string(data)
	data, err = wiring.WithoutSnippet(bytes.TrimPrefix(data, []byte(byteOrderMark)))
	if err != nil {
		return h, fmt.Errorf("adopt %s: %w", path, err)
	}
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return h, fmt.Errorf("adopt %s: is not UTF-8: save it as UTF-8: %w", path, memory.ErrInvalid)
	}
	if workmem.ForgesMark(string(data)) {
		return h, fmt.Errorf("adopt %s: holds marks of hebb (<!-- hebb:…): it is a file that hebb writes, and what you write there stays anyway: %w",
			path, memory.ErrInvalid)
	}
	text := scrub.Clean(string(data))
	return handWritten{path: path, raw: raw, text: text, at: info.ModTime(), cleaned: text != string(data)}, nil
}

// backUp keeps a copy of the text in the data folder, once for each version of it: the text itself may change tomorrow.
func (b *Brain) backUp(id memory.ProjectID, h handWritten) (string, error) {
	if strings.TrimSpace(h.text) == "" {
		return "", nil
	}
	dir := filepath.Join(b.seedFolder(), id.String())
	file := filepath.Join(dir, filepath.Base(h.path)+"."+h.hash()+".seed-backup")
	if known, err := os.ReadFile(file); err == nil && string(known) == h.text {
		return file, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("back up %s: %w", h.path, err)
	}
	temporary := file + ".new"
	if err := os.WriteFile(temporary, []byte(h.text), 0o600); err != nil {
		return "", fmt.Errorf("back up %s: %w", h.path, err)
	}
	return file, filesys.Rename(temporary, file)
}
