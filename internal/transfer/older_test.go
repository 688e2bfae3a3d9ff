package transfer_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transfer"
)

// later is after everything in the stores and exports below.
func later() time.Time { return time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC) }

// Stores and exports that the programs of earlier commits made: one prompt, one edit, the end of a turn and, where the program
// could, a memory and a pin. A store is read, or refused with the command that carries it over; an export is read.
func TestStoresAndExportsOfEarlierCommitsAreReadOrCarriedOver(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		commit string
		schema string // as its program numbered it
		older  bool   // than the first schema
		texts  int64
	}{
		{"82dab69", "2 of the first numbering", true, 0},
		{"b92ee76", "17, the last of the first numbering", true, 2},
		{"e06730e", "1, which was changed afterwards", true, 2},
		{"032d00e", "1, which was changed afterwards", true, 2},
		{"2e10564", "1, as it is", false, 2},
	} {
		t.Run(c.commit+" store", func(t *testing.T) {
			t.Parallel()
			at := emptyFolder(t)
			image := unzipped(t, c.commit+".db.gz")
			image[18], image[19] = 2, 2 // its log was emptied to make the file small; programs write with one
			braintest.WriteFile(t, at.Database(), image)
			b, err := brain.Open(t.Context(), at, later)
			if c.older {
				if !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "hebb backup restore "+at.Database()+" --yes") {
					t.Fatalf("schema %s: %v", c.schema, err)
				}
				if !bytes.Equal(readFile(t, at.Database()), image) {
					t.Error("the refused store was changed")
				}
				found := inspect.Doctor(t.Context(), at, later, nil, inspect.DoctorInput{})
				if last := found[len(found)-1]; last.Level != inspect.Fail || !strings.Contains(last.Detail, "hebb backup restore") {
					t.Errorf("doctor says %+v", last)
				}
				previous, err := transfer.Restore(t.Context(), at, later, at.Database())
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(readFile(t, previous.File), image) {
					t.Errorf("%s is not the store as it was", previous.File)
				}
				b, err = brain.Open(t.Context(), at, later)
				if err != nil {
					t.Fatal(err)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			expectOlder(t, b, c.texts)
		})
		t.Run(c.commit+" export", func(t *testing.T) {
			t.Parallel()
			b, err := brain.Open(t.Context(), emptyFolder(t), later)
			if err != nil {
				t.Fatal(err)
			}
			in := transfer.ImportInput{From: bytes.NewReader(unzipped(t, c.commit+".jsonl.gz")), Mine: true}
			if _, err := transfer.Import(t.Context(), b, in); err != nil {
				t.Fatal(err)
			}
			expectOlder(t, b, c.texts)
		})
	}
}

func emptyFolder(t *testing.T) config.Config {
	t.Helper()
	dir := t.TempDir()
	c, err := config.Load(func(name string) string { return map[string]string{config.EnvHome: dir}[name] })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func unzipped(t *testing.T, name string) []byte {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "older", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	from, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// expectOlder looks for what the earlier programs were told, and closes the memory.
func expectOlder(t *testing.T, b *brain.Brain, texts int64) {
	t.Helper()
	err := b.Store.View(t.Context(), func(tx *store.Tx) error {
		events, err := tx.Events(t.Context(), store.EventFilter{})
		if err != nil {
			return err
		}
		prompts, edits := 0, 0
		for _, e := range events {
			if e.Kind == memory.Prompted && e.Text == "Fix the rounding of prices." {
				prompts++
			}
			if len(e.Touches) == 1 && e.Touches[0].Path == "price.go" {
				edits++
			}
		}
		if len(events) != 3 || prompts != 1 || edits != 1 {
			t.Errorf("%d events, %d prompts and %d edits, want 3, 1 and 1: %+v", len(events), prompts, edits, events)
		}
		kept, err := tx.Crystals(t.Context(), store.CrystalFilter{})
		if err != nil {
			return err
		}
		if int64(len(kept)) != texts {
			t.Errorf("%d texts, want %d: %+v", len(kept), texts, kept)
		}
		_, damage, err := tx.CheckRows(t.Context())
		if len(damage) > 0 {
			t.Errorf("damage: %+v", damage)
		}
		return err
	})
	if err := errors.Join(err, b.Close()); err != nil {
		t.Error(err)
	}
}
