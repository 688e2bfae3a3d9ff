package transfer_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
	"github.com/hebb-memory/hebb/internal/transfer"
)

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(path))(t)
}

func TestARestoreNeverDeletesABackup(t *testing.T) {
	d := braintest.NewDesk(t)
	d.Tuning.Store.BackupsKept = 2
	d.Record("first")
	oldest := d.Backup("").File
	d.Record("second")
	newest := d.Backup("").File
	for n := range 12 { // as many mistakes as you like
		previous := d.MustRestore(oldest)
		d.Expect("first")
		if !strings.Contains(previous.File, "-before-restore.db") || previous.Bytes == 0 {
			t.Fatalf("mistake %d: copied to %+v", n, previous)
		}
	}
	if want := []string{filepath.Base(oldest), filepath.Base(newest)}; !slices.Equal(d.KeptLike("-manual"), want) {
		t.Errorf("backups made by hand: %q, want %q", d.KeptLike("-manual"), want)
	}
	automatic := d.KeptLike("-before-restore")
	if len(automatic) != 2 {
		t.Fatalf("copies before restores: %q, want the newest 2", automatic)
	}
	d.MustRestore(filepath.Join(d.Backups(), automatic[0])) // the one that would go first
	if !slices.Contains(d.Kept(), automatic[0]) {
		t.Errorf("the restored copy is gone: %q", d.Kept())
	}
	d.MustRestore(newest)
	d.Expect("second", "first")
}

func TestABackupToAFileLeavesTheFolderAlone(t *testing.T) {
	d := braintest.NewDesk(t)
	d.Tuning.Store.BackupsKept = 1
	d.Record("first")
	d.Backup("")
	before := d.Kept()
	to := filepath.Join(t.TempDir(), "copy.db")
	if out := d.Backup(to); out.File != to || out.Bytes == 0 {
		t.Errorf("copied to %+v", out)
	}
	if !slices.Equal(d.Kept(), before) {
		t.Errorf("the backups folder had %q and has %q", before, d.Kept())
	}
	d.With(func(b *brain.Brain) error {
		if _, err := transfer.Backup(t.Context(), b, to); !errors.Is(err, memory.ErrConflict) {
			t.Errorf("onto a file: %v, want a conflict", err)
		}
		return nil
	})
	d.Record("second")
	d.MustRestore(to)
	d.Expect("first")
}

func TestEachKindOfCopyMakesRoomAmongItsOwn(t *testing.T) {
	d := braintest.NewDesk(t)
	d.Tuning.Store.BackupsKept = 2
	d.Record("first")
	whole := map[string][]byte{
		".db": readFile(t, d.Backup(filepath.Join(t.TempDir(), "copy.db")).File), ".jsonl": readFile(t, d.Export(filepath.Join(t.TempDir(), "copy.jsonl"))),
	}
	must.Do(t, os.MkdirAll(d.Backups(), 0o700))
	name := func(day int, label string) string { return fmt.Sprintf("hebb-202611%02d-080000.000-%s", day, label) }
	for _, file := range []string{
		name(1, "manual.db"), name(2, "manual.jsonl"), name(3, "manual.db"),
		name(1, "before-schema-2.db"), name(2, "before-schema-3.db"), name(3, "before-schema-4.db"), name(4, "before-restore.db"),
		"damaged-20261101-080000.000.db", "damaged-20261101-080000.000.db-wal", "hebb-mine.db", "notes.txt",
	} {
		braintest.WriteFile(t, filepath.Join(d.Backups(), file), whole[filepath.Ext(file)])
	}
	made := filepath.Base(d.Backup("").File)
	want := []string{
		name(3, "manual.db"), made, name(2, "before-schema-3.db"), name(3, "before-schema-4.db"), name(4, "before-restore.db"),
		"damaged-20261101-080000.000.db", "damaged-20261101-080000.000.db-wal", "hebb-mine.db", "notes.txt", "SHA256SUMS",
	}
	slices.Sort(want)
	if !slices.Equal(d.Kept(), want) {
		t.Errorf("left: %q\nwant: %q", d.Kept(), want)
	}
	// The clock was wrong before and is right now: the newest copy has the oldest name and stays.
	d.Clock = time.Date(2025, time.January, 1, 8, 0, 0, 0, time.UTC)
	now := filepath.Base(d.Backup("").File)
	if want := []string{now, made}; !slices.Equal(d.KeptLike("manual"), want) {
		t.Errorf("left: %q, want %q", d.KeptLike("manual"), want)
	}
}

// Broken files with newer names than the good ones push none of them out, and doctor names each.
func TestBrokenCopiesPushNoWholeOneOut(t *testing.T) {
	d := braintest.NewDesk(t)
	d.Tuning.Store.BackupsKept = 3
	d.Record(manyTexts()...)
	var good []string
	for range 3 {
		good = append(good, filepath.Base(d.Backup("").File))
	}
	image := readFile(t, filepath.Join(d.Backups(), good[0]))
	for n, content := range [][]byte{nil, image[:4096], image[:len(image)/2], withHole(t, image), []byte("no database"), image[:len(image)-1]} {
		braintest.WriteFile(t, filepath.Join(d.Backups(), fmt.Sprintf("hebb-2027010%d-080000.000-manual.db", n+1)), content)
	}
	braintest.WriteFile(t, filepath.Join(d.Backups(), "hebb-20270108-080000.000-manual.jsonl"), []byte(`{"type":"hebb-export","version":1}`+"\n"+`{"type":"pro`))
	changed := bytes.Clone(image) // one letter of a text: SQLite itself would not notice
	changed[bytes.Index(changed, []byte(marked))] ^= 1
	braintest.WriteFile(t, filepath.Join(d.Backups(), good[1]), changed)
	d.Clock = time.Date(2027, time.February, 1, 8, 0, 0, 0, time.UTC)
	last := d.Backup("").File
	for _, name := range []string{good[0], good[2], filepath.Base(last)} {
		if !slices.Contains(d.Kept(), name) {
			t.Errorf("%s is gone: %q", name, d.Kept())
		}
	}
	all := must.Get(transfer.Backups(t.Context(), d.Config))(t)
	broken := 0
	for _, b := range all {
		if b.Problem != "" {
			broken++
		} else if !slices.Contains([]string{good[0], good[2], filepath.Base(last)}, filepath.Base(b.File)) {
			t.Errorf("%s passes for whole", b.File)
		}
	}
	findings := inspect.Doctor(t.Context(), d.Config, d.Now, nil, inspect.DoctorInput{})
	named := 0
	for _, f := range findings {
		if f.Name == "backups" && f.Level == inspect.Warn {
			named++
		}
	}
	if broken != 8 || named != 8 {
		t.Errorf("%d are broken, doctor names %d, want 8", broken, named)
	}
	if !slices.ContainsFunc(findings, func(f inspect.Finding) bool {
		return f.Level == inspect.Fine && strings.HasPrefix(f.Detail, "3 whole, the newest ")
	}) {
		t.Errorf("doctor: %+v", findings)
	}
}

// What a killed process left of a copy goes with the next one.
func TestTheNextBackupRemovesWhatAKilledOneLeft(t *testing.T) {
	d := braintest.NewDesk(t)
	d.Record("first")
	must.Do(t, os.MkdirAll(d.Backups(), 0o700))
	elsewhere := t.TempDir()
	for _, left := range []string{
		filepath.Join(d.Backups(), "hebb-20261101-080000.000-daily.db.123.partial"), filepath.Join(d.Backups(), "hebb-20261101-080000.000-daily.db.123.partial-journal"),
		filepath.Join(elsewhere, "copy.db.99.partial"),
	} {
		braintest.WriteFile(t, left, []byte("half"))
	}
	other := braintest.WriteFile(t, filepath.Join(elsewhere, "other.db.99.partial"), nil)
	d.Backup("")
	d.Backup(filepath.Join(elsewhere, "copy.db"))
	if left := d.KeptLike("partial"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	if left, err := filepath.Glob(filepath.Join(elsewhere, "*.partial")); err != nil || !slices.Equal(left, []string{other}) {
		t.Errorf("left: %q, %v", left, err)
	}
}

func TestWhatCannotBeRestoredIsRefusedBeforeAnythingChanges(t *testing.T) {
	d, other := braintest.NewDesk(t), braintest.NewDesk(t)
	d.Record("kept")
	other.Record(manyTexts()...)
	dir := t.TempDir()
	file := func(name string, content []byte) string {
		return braintest.WriteFile(t, filepath.Join(dir, name), content)
	}
	image := readFile(t, other.Backup(filepath.Join(dir, "whole.db")).File)
	newer := bytes.Clone(image)
	newer[63] = 99 // user_version, big-endian at 60
	before := readFile(t, d.Database())
	for _, c := range []struct {
		name, from string
		kind       error
		says       string
	}{
		{"half a store", file("half.db", image[:len(image)/2/4096*4096]), memory.ErrDamaged, "not whole"},
		{"a store with a hole", file("hole.db", withHole(t, image)), memory.ErrDamaged, "not whole"},
		{"a newer store", file("newer.db", newer), memory.ErrRefused, "schema 99"},
		{"another program's database", file("foreign.db", append(append(bytes.Clone(image[:68]), 1, 2, 3, 4), image[72:]...)), memory.ErrRefused, "no store of hebb"},
		{"the memory itself", d.Database(), memory.ErrInvalid, "the memory itself"},
		{"a newer export", file("newer.jsonl", []byte(`{"type":"hebb-export","version":99}`)), memory.ErrRefused, "upgrade hebb"},
		{"a text", file("text", []byte("hello")), memory.ErrInvalid, "neither a backup nor an export"},
		{"other JSON", file("other.json", []byte(`{"type":"x"}`)), memory.ErrInvalid, "neither a backup nor an export"},
		{"nothing", filepath.Join(dir, "missing"), memory.ErrNotFound, "missing"},
	} {
		_, err := d.Restore(c.from)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(d.Kept()) > 0 || !bytes.Equal(readFile(t, d.Database()), before) {
			t.Fatalf("%s: something was changed; backups %q", c.name, d.Kept())
		}
	}
	d.Expect("kept")
}

const marked = "a text to find in the file"

// manyTexts fill several pages.
func manyTexts() (texts []string) {
	for n := range 60 {
		texts = append(texts, fmt.Sprint(marked, n, strings.Repeat(" and more of it", 20)))
	}
	return texts
}

// withHole zeroes a page of the table of events: the file opens, but cannot be read whole.
func withHole(t *testing.T, image []byte) []byte {
	t.Helper()
	at := bytes.Index(image, []byte(marked+"30"))
	if at < 0 {
		t.Fatal("the text is not where the test looks for it")
	}
	harmed := bytes.Clone(image)
	page := at / 4096 * 4096
	clear(harmed[page : page+4096])
	return harmed
}

func TestADamagedStoreIsPutAsideWholeAndReplaced(t *testing.T) {
	for name, harm := range map[string]func(image []byte) []byte{
		"a hole in the middle": func(image []byte) []byte { return withHole(t, image) },
		"no database":          func([]byte) []byte { return []byte(strings.Repeat("this is not a database ", 500)) },
		"a newer schema": func(image []byte) []byte {
			newer := bytes.Clone(image)
			newer[63] = 99
			return newer
		},
	} {
		for _, ext := range []string{"db", "jsonl"} {
			t.Run(name+", restored from "+ext, func(t *testing.T) {
				d := braintest.NewDesk(t)
				d.Record("worth keeping")
				from := filepath.Join(t.TempDir(), "copy."+ext)
				if ext == "db" {
					d.Backup(from)
				} else {
					d.Export(from)
				}
				d.Record(manyTexts()...)
				harmed := harm(readFile(t, d.Database()))
				braintest.WriteFile(t, d.Database(), harmed)
				previous := d.MustRestore(from)
				if !strings.HasPrefix(filepath.Base(previous.File), "damaged-") || !bytes.Equal(readFile(t, previous.File), harmed) {
					t.Errorf("the damaged store is not put aside as it was: %+v", previous)
				}
				d.Expect("worth keeping")
				if err := sqlite.Inspect(t.Context(), brain.SqliteOptions(d.Config, d.Now), d.Database()); err != nil {
					t.Error(err)
				}
				if left := d.Kept(); slices.ContainsFunc(left, func(s string) bool { return strings.HasPrefix(s, "hebb-") }) {
					t.Errorf("half a copy is left: %q", left)
				}
			})
		}
	}
}
