package transfer_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transfer"
)

// later is after everything in the stores and exports below.
func later() time.Time { return time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC) }

// A store and an export that the program of the first schema made: one prompt, one edit, the end of a turn, a memory and a pin.
func TestStoreAndExportOfTheFirstSchemaAreRead(t *testing.T) {
	t.Parallel()
	const commit = "2e10564"
	at := emptyFolder(t)
	image := unzipped(t, commit+".db.gz")
	image[18], image[19] = 2, 2 // its log was emptied to make the file small; programs write with one
	braintest.WriteFile(t, at.Database(), image)
	b, err := brain.Open(t.Context(), at, later)
	if err != nil {
		t.Fatal(err)
	}
	expectOlder(t, b)

	if b, err = brain.Open(t.Context(), emptyFolder(t), later); err != nil {
		t.Fatal(err)
	}
	in := transfer.ImportInput{From: bytes.NewReader(unzipped(t, commit+".jsonl.gz")), Mine: true}
	must.Get(transfer.Import(t.Context(), b, in))(t)
	expectOlder(t, b)
}

// A store and an export that the program before the table of memories made, of everything that can be said: both say the same afterwards.
func TestStoreAndExportOfBeforeTheTableOfMemoriesAreRead(t *testing.T) {
	t.Parallel()
	const commit = "4441e29"
	there := emptyFolder(t)
	braintest.WriteFile(t, there.Database(), unzipped(t, commit+".db.gz"))
	opened := must.Get(brain.Open(t.Context(), there, later))(t)
	if copies := must.Get(filepath.Glob(filepath.Join(filepath.Dir(there.Database()), "backups", "*before-schema*")))(t); len(copies) != 1 {
		t.Errorf("copies of the store as it was: %q, want one", copies)
	}
	imported := must.Get(brain.Open(t.Context(), emptyFolder(t), later))(t)
	before := unzipped(t, commit+".jsonl.gz")
	must.Get(transfer.Import(t.Context(), imported, transfer.ImportInput{From: bytes.NewReader(before), Mine: true}))(t)
	exports := map[string]string{}
	for name, b := range map[string]*brain.Brain{"opened": opened, "imported": imported} {
		var out bytes.Buffer
		must.Get(transfer.Export(t.Context(), b.Store, &out))(t)
		exports[name] = strings.ReplaceAll(out.String(), `"links":{},`, "") // the same as none
		must.Do(t, b.Store.View(t.Context(), func(tx *store.Tx) error {
			_, damage, err := tx.CheckRows(t.Context())
			if len(damage) > 0 {
				t.Errorf("%s: damage: %+v", name, damage)
			}
			return err
		}))
		must.Do(t, b.Close())
	}
	if exports["opened"] != exports["imported"] {
		t.Errorf("opened\n%s\nimported\n%s", exports["opened"], exports["imported"])
	}
	holdsTexts(t, exports["opened"], string(before))
}

// holdsTexts checks that each text that an export of before had, of whatever kind, is in the one of now.
func holdsTexts(t *testing.T, now, before string) {
	t.Helper()
	for line := range strings.Lines(before) {
		for _, found := range regexp.MustCompile(`"(?:text|title|note|why|name|skill|summary|keys)":\[?("(?:[^"\\]|\\.)+")`).FindAllStringSubmatch(line, -1) {
			if !strings.Contains(now, strings.Trim(found[1], `"`)) {
				t.Errorf("lost: %s of %s", found[1], line)
			}
		}
	}
}

func emptyFolder(t *testing.T) config.Config {
	t.Helper()
	dir := t.TempDir()
	return must.Get(config.Load(func(name string) string { return map[string]string{config.EnvHome: dir}[name] }))(t)
}

func unzipped(t *testing.T, name string) []byte {
	t.Helper()
	file := must.Get(os.Open(filepath.Join("..", "..", "transfer", "testdata", "older", name)))(t)
	defer file.Close()
	from := must.Get(gzip.NewReader(file))(t)
	return must.Get(io.ReadAll(from))(t)
}

// expectOlder looks for what the earlier programs were told, and closes the memory.
func expectOlder(t *testing.T, b *brain.Brain) {
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
		if len(kept) != 2 {
			t.Errorf("%d texts, want 2: %+v", len(kept), kept)
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
