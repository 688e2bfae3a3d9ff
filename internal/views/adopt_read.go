package views

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/state"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/wiring"
)

// Adoption of a hand-written memory, as designed.
const (
	seedTokens  = 400 // of one piece that is kept as a crystal
	seedOverlap = 80  // tokens that the next one repeats
	// SeedMost are the bytes of a file: five times the longest that people write.
	SeedMost = 1 << 20
)

// adoptedPieces are the crystals that hold the text.
func adoptedPieces(id memory.ProjectID, h handWritten, now time.Time) (pieces []memory.Crystal) {
	said := h.At
	if said.After(now) {
		said = now
	}
	for _, p := range h.passages(h.Text) {
		for _, chunk := range seedChunks(p.Text, seedTokens*ranking.BytesPerToken, seedOverlap*ranking.BytesPerToken) {
			if chunk = strings.TrimSpace(chunk); chunk != "" {
				pieces = append(pieces, state.AdoptedCrystal(id, filepath.Base(h.Path), chunk, p.Origin, said, now))
			}
		}
	}
	return pieces
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

// wouldAdopt is what adopting would do.
func wouldAdopt(ctx context.Context, st *store.Store, id memory.ProjectID, texts []handWritten) (AdoptResult, error) {
	return brain.View(ctx, st, func(tx *store.Tx) (AdoptResult, error) {
		out := AdoptResult{Files: []AdoptedFile{}, Dry: true}
		record, err := state.SeedFact(id).Get(ctx, tx)
		if err != nil {
			return out, err
		}
		for _, h := range texts {
			one := AdoptedFile{Path: h.Path, Cleaned: h.Cleaned, Known: adoptedBefore(record, h), Others: countLines(h.Text) - countLines(h.own(h.Text))}
			if !one.Known {
				one.Pieces, one.Lines = len(adoptedPieces(id, h, tx.Now)), countLines(h.fresh(record))
			}
			for line := range strings.Lines(h.Text) {
				if line = strings.TrimSpace(line); prose.LooksLikeInstruction(line) {
					one.Orders = append(one.Orders, scrub.Line(line))
				}
			}
			out.Files = append(out.Files, one)
		}
		return out, nil
	})
}

// readHandWritten reads a file that is to be adopted.
func readHandWritten(path string) (h handWritten, err error) {
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
	case info.Size() > SeedMost:
		return h, fmt.Errorf("adopt %s: has %d KB and may have %d; split it, or adopt the part that matters: %w",
			path, info.Size()>>10, SeedMost>>10, memory.ErrInvalid)
	}
	data, err := filesys.ReadFile(path)
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
	if prose.ForgesMark(string(data)) {
		return h, fmt.Errorf("adopt %s: holds marks of hebb (<!-- hebb:…): it is a file that hebb writes, and what you write there stays anyway: %w",
			path, memory.ErrInvalid)
	}
	text := scrub.Clean(string(data))
	return handWritten{Path: path, Raw: raw, Text: text, At: info.ModTime(), Cleaned: text != string(data)}, nil
}

// backUp keeps a copy of the text in the data folder, once for each version of it: the text itself may change tomorrow.
func backUp(seeds string, id memory.ProjectID, h handWritten) (string, error) {
	if strings.TrimSpace(h.Text) == "" {
		return "", nil
	}
	dir := filepath.Join(seeds, id.String())
	file := filepath.Join(dir, filepath.Base(h.Path)+"."+h.hash()+".seed-backup")
	if known, err := filesys.ReadFile(file); err == nil && string(known) == h.Text {
		return file, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("back up %s: %w", h.Path, err)
	}
	temporary := file + ".new"
	if err := filesys.WriteFile(temporary, []byte(h.Text), 0o600); err != nil {
		return "", fmt.Errorf("back up %s: %w", h.Path, err)
	}
	return file, filesys.Rename(temporary, file)
}
