package brain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/postgres"
	"github.com/hebb-memory/hebb/internal/store/sqlite"
)

// desk is a memory that is opened and closed as commands do, on a clock that moves a second with every look.
type machine struct {
	config.Config
	t     *testing.T
	clock time.Time
}

func newDesk(t *testing.T) *machine {
	t.Helper()
	dir := t.TempDir()
	c, err := config.Load(func(name string) string { return map[string]string{config.EnvHome: dir}[name] })
	if err != nil {
		t.Fatal(err)
	}
	return &machine{Config: c, t: t, clock: start}
}

func (d *machine) now() time.Time {
	d.clock = d.clock.Add(time.Second)
	return d.clock
}

// with opens the memory for one deed.
func (d *machine) with(do func(b *Brain) error) {
	d.t.Helper()
	b, err := Open(d.t.Context(), d.Config, d.now)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := errors.Join(do(b), b.Close()); err != nil {
		d.t.Fatal(err)
	}
}

func (d *machine) record(texts ...string) {
	d.t.Helper()
	d.with(func(b *Brain) error {
		for _, text := range texts {
			in := RecordInput{Dir: d.Dir, Paths: []string{"a.go"}, Kind: memory.Edit, Text: text}
			if _, err := Run(d.t.Context(), b, RecordTouch, in); err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *machine) backup(to string) (out BackupResult) {
	d.t.Helper()
	d.with(func(b *Brain) (err error) { out, err = b.Backup(d.t.Context(), to); return err })
	return out
}

func (d *machine) export(to string) string {
	d.t.Helper()
	d.with(func(b *Brain) error { return b.exportTo(d.t.Context(), to) })
	return to
}

func (d *machine) restore(from string) (BackupResult, error) {
	d.t.Helper()
	return Restore(d.t.Context(), d.Config, d.now, from)
}

func (d *machine) mustRestore(from string) (previous BackupResult) {
	d.t.Helper()
	previous, err := d.restore(from)
	if err != nil {
		d.t.Fatal(err)
	}
	return previous
}

// texts are those of all events, newest first.
func (d *machine) texts() (out []string) {
	d.t.Helper()
	d.with(func(b *Brain) error {
		events, err := Run(d.t.Context(), b, Events, EventsInput{Scope: Scope{All: true}})
		for _, e := range events {
			out = append(out, e.Text)
		}
		return err
	})
	return out
}

func (d *machine) expect(texts ...string) {
	d.t.Helper()
	if got := d.texts(); !slices.Equal(got, texts) {
		d.t.Errorf("remembered: %.80q, want %.80q", got, texts)
	}
}

// kept are the files of the backups folder.
func (d *machine) kept() (names []string) {
	d.t.Helper()
	entries, err := os.ReadDir(d.Backups())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		d.t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func (d *machine) keptLike(part string) (names []string) {
	d.t.Helper()
	return slices.DeleteFunc(d.kept(), func(name string) bool { return !strings.Contains(name, part) })
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func writeFile(t *testing.T, path string, content []byte) string {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestARestoreNeverDeletesABackup(t *testing.T) {
	d := newDesk(t)
	d.Tuning.Store.BackupsKept = 2
	d.record("first")
	oldest := d.backup("").File
	d.record("second")
	newest := d.backup("").File
	for n := range 12 { // as many mistakes as you like
		previous := d.mustRestore(oldest)
		d.expect("first")
		if !strings.Contains(previous.File, "-before-restore.db") || previous.Bytes == 0 {
			t.Fatalf("mistake %d: copied to %+v", n, previous)
		}
	}
	if want := []string{filepath.Base(oldest), filepath.Base(newest)}; !slices.Equal(d.keptLike("-manual"), want) {
		t.Errorf("backups made by hand: %q, want %q", d.keptLike("-manual"), want)
	}
	automatic := d.keptLike("-before-restore")
	if len(automatic) != 2 {
		t.Fatalf("copies before restores: %q, want the newest 2", automatic)
	}
	d.mustRestore(filepath.Join(d.Backups(), automatic[0])) // the one that would go first
	if !slices.Contains(d.kept(), automatic[0]) {
		t.Errorf("the restored copy is gone: %q", d.kept())
	}
	d.mustRestore(newest)
	d.expect("second", "first")
}

func TestABackupToAFileLeavesTheFolderAlone(t *testing.T) {
	d := newDesk(t)
	d.Tuning.Store.BackupsKept = 1
	d.record("first")
	d.backup("")
	before := d.kept()
	to := filepath.Join(t.TempDir(), "copy.db")
	if out := d.backup(to); out.File != to || out.Bytes == 0 {
		t.Errorf("copied to %+v", out)
	}
	if !slices.Equal(d.kept(), before) {
		t.Errorf("the backups folder had %q and has %q", before, d.kept())
	}
	d.with(func(b *Brain) error {
		if _, err := b.Backup(t.Context(), to); !errors.Is(err, memory.ErrConflict) {
			t.Errorf("onto a file: %v, want a conflict", err)
		}
		return nil
	})
	d.record("second")
	d.mustRestore(to)
	d.expect("first")
}

func TestEachKindOfCopyMakesRoomAmongItsOwn(t *testing.T) {
	d := newDesk(t)
	d.Tuning.Store.BackupsKept = 2
	d.record("first")
	whole := map[string][]byte{
		".db": readFile(t, d.backup(filepath.Join(t.TempDir(), "copy.db")).File), ".jsonl": readFile(t, d.export(filepath.Join(t.TempDir(), "copy.jsonl"))),
	}
	if err := os.MkdirAll(d.Backups(), 0o700); err != nil {
		t.Fatal(err)
	}
	name := func(day int, label string) string { return fmt.Sprintf("hebb-202611%02d-080000.000-%s", day, label) }
	for _, file := range []string{
		name(1, "manual.db"), name(2, "manual.jsonl"), name(3, "manual.db"),
		name(1, "before-schema-2.db"), name(2, "before-schema-3.db"), name(3, "before-schema-4.db"), name(4, "before-restore.db"),
		"damaged-20261101-080000.000.db", "damaged-20261101-080000.000.db-wal", "hebb-mine.db", "notes.txt",
	} {
		writeFile(t, filepath.Join(d.Backups(), file), whole[filepath.Ext(file)])
	}
	if err := prune(t.Context(), d.Config, filepath.Join(d.Backups(), name(3, "manual.db"))); err != nil {
		t.Fatal(err)
	}
	want := []string{
		name(2, "manual.jsonl"), name(3, "manual.db"), name(2, "before-schema-3.db"), name(3, "before-schema-4.db"), name(4, "before-restore.db"),
		"damaged-20261101-080000.000.db", "damaged-20261101-080000.000.db-wal", "hebb-mine.db", "notes.txt", sumsFile,
	}
	slices.Sort(want)
	if !slices.Equal(d.kept(), want) {
		t.Errorf("left: %q\nwant: %q", d.kept(), want)
	}
	// The clock was wrong before and is right now: the newest copy has the oldest name and stays.
	now := writeFile(t, filepath.Join(d.Backups(), "hebb-20250101-080000.000-manual.db"), whole[".db"])
	if err := prune(t.Context(), d.Config, now); err != nil {
		t.Fatal(err)
	}
	if want := []string{filepath.Base(now), name(3, "manual.db")}; !slices.Equal(d.keptLike("manual"), want) {
		t.Errorf("left: %q, want %q", d.keptLike("manual"), want)
	}
}

// Broken files with newer names than the good ones push none of them out, and doctor names each.
func TestBrokenCopiesPushNoWholeOneOut(t *testing.T) {
	d := newDesk(t)
	d.Tuning.Store.BackupsKept = 3
	d.record(manyTexts()...)
	var good []string
	for range 3 {
		good = append(good, filepath.Base(d.backup("").File))
	}
	image := readFile(t, filepath.Join(d.Backups(), good[0]))
	for n, content := range [][]byte{nil, image[:4096], image[:len(image)/2], withHole(t, image), []byte("no database"), image[:len(image)-1]} {
		writeFile(t, filepath.Join(d.Backups(), fmt.Sprintf("hebb-2027010%d-080000.000-manual.db", n+1)), content)
	}
	writeFile(t, filepath.Join(d.Backups(), "hebb-20270108-080000.000-manual.jsonl"), []byte(`{"type":"hebb-export","version":4}`+"\n"+`{"type":"pro`))
	changed := bytes.Clone(image) // one letter of a text: SQLite itself would not notice
	changed[bytes.Index(changed, []byte(marked))] ^= 1
	writeFile(t, filepath.Join(d.Backups(), good[1]), changed)
	last := d.backup("").File
	for _, name := range []string{good[0], good[2], filepath.Base(last)} {
		if !slices.Contains(d.kept(), name) {
			t.Errorf("%s is gone: %q", name, d.kept())
		}
	}
	all, err := Backups(t.Context(), d.Config)
	if err != nil {
		t.Fatal(err)
	}
	broken := 0
	for _, b := range all {
		if b.Problem != "" {
			broken++
		} else if !slices.Contains([]string{good[0], good[2], filepath.Base(last)}, filepath.Base(b.File)) {
			t.Errorf("%s passes for whole", b.File)
		}
	}
	findings := Doctor(t.Context(), d.Config, d.now, nil, DoctorInput{})
	named := 0
	for _, f := range findings {
		if f.Name == "backups" && f.Level == Warn {
			named++
		}
	}
	if broken != 8 || named != 8 {
		t.Errorf("%d are broken, doctor names %d, want 8", broken, named)
	}
	if !slices.ContainsFunc(findings, func(f Finding) bool { return f.Level == Fine && strings.HasPrefix(f.Detail, "3 whole, the newest ") }) {
		t.Errorf("doctor: %+v", findings)
	}
}

// What a killed process left of a copy goes with the next one.
func TestTheNextBackupRemovesWhatAKilledOneLeft(t *testing.T) {
	d := newDesk(t)
	d.record("first")
	if err := os.MkdirAll(d.Backups(), 0o700); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	for _, left := range []string{
		filepath.Join(d.Backups(), "hebb-20261101-080000.000-daily.db.123.partial"), filepath.Join(d.Backups(), "hebb-20261101-080000.000-daily.db.123.partial-journal"),
		filepath.Join(elsewhere, "copy.db.99.partial"),
	} {
		writeFile(t, left, []byte("half"))
	}
	other := writeFile(t, filepath.Join(elsewhere, "other.db.99.partial"), nil)
	d.backup("")
	d.backup(filepath.Join(elsewhere, "copy.db"))
	if left := d.keptLike("partial"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	if left, err := filepath.Glob(filepath.Join(elsewhere, "*.partial")); err != nil || !slices.Equal(left, []string{other}) {
		t.Errorf("left: %q, %v", left, err)
	}
}

func TestAnExportThatFailsLeavesNoFile(t *testing.T) {
	d := newDesk(t)
	d.record("first")
	to := filepath.Join(t.TempDir(), "half.jsonl")
	d.with(func(b *Brain) error {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := b.exportTo(ctx, to); !errors.Is(err, context.Canceled) {
			t.Errorf("export: %v, want a cancellation", err)
		}
		return nil
	})
	if _, err := os.Stat(to); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half an export is left: %v", err)
	}
}

func TestWhatCannotBeRestoredIsRefusedBeforeAnythingChanges(t *testing.T) {
	d, other := newDesk(t), newDesk(t)
	d.record("kept")
	other.record(manyTexts()...)
	dir := t.TempDir()
	file := func(name string, content []byte) string { return writeFile(t, filepath.Join(dir, name), content) }
	image := readFile(t, other.backup(filepath.Join(dir, "whole.db")).File)
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
		_, err := d.restore(c.from)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(d.kept()) > 0 || !bytes.Equal(readFile(t, d.Database()), before) {
			t.Fatalf("%s: something was changed; backups %q", c.name, d.kept())
		}
	}
	d.expect("kept")
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
				d := newDesk(t)
				d.record("worth keeping")
				from := filepath.Join(t.TempDir(), "copy."+ext)
				if ext == "db" {
					d.backup(from)
				} else {
					d.export(from)
				}
				d.record(manyTexts()...)
				harmed := harm(readFile(t, d.Database()))
				writeFile(t, d.Database(), harmed)
				previous := d.mustRestore(from)
				if !strings.HasPrefix(filepath.Base(previous.File), "damaged-") || !bytes.Equal(readFile(t, previous.File), harmed) {
					t.Errorf("the damaged store is not put aside as it was: %+v", previous)
				}
				d.expect("worth keeping")
				if err := sqlite.Inspect(t.Context(), sqliteOptions(d.Config, d.now), d.Database()); err != nil {
					t.Error(err)
				}
				if left := d.kept(); slices.ContainsFunc(left, func(s string) bool { return strings.HasPrefix(s, "hebb-") }) {
					t.Errorf("half a copy is left: %q", left)
				}
			})
		}
	}
}

func TestAServerIsCopiedAndRestoredAsAnExport(t *testing.T) {
	url := os.Getenv("HEBB_TEST_POSTGRES")
	if url == "" {
		t.Skip("=== NOT RUN: backups of a PostgreSQL store, for want of a server. Run: make test, or scripts/with-postgres go test ./... ===")
	}
	d := newDesk(t)
	d.Store, d.Schema, d.Tuning.Store.BackupsKept = url, fmt.Sprintf("backup_%d", os.Getpid()), 2
	t.Cleanup(func() {
		if err := postgres.Drop(context.Background(), postgres.Options{URL: url, Schema: d.Schema}); err != nil {
			t.Error(err)
		}
	})
	d.record("first")
	oldest := d.backup("").File
	d.record("second")
	for range 4 {
		d.mustRestore(oldest)
		d.expect("first")
	}
	if manual, automatic := d.keptLike("-manual.jsonl"), d.keptLike("-before-restore.jsonl"); len(manual) != 1 || len(automatic) != 2 {
		t.Errorf("kept %q and %q, want 1 and 2", manual, automatic)
	}
	d.backup("")
	last := d.backup("").File
	if got := d.keptLike("-manual.jsonl"); len(got) != 2 || got[1] != filepath.Base(last) {
		t.Errorf("kept %q, want the newest 2", got)
	}
	database := newDesk(t)
	database.record("embedded")
	if _, err := d.restore(database.backup("").File); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "takes an export") {
		t.Errorf("a database for a server: %v", err)
	}
}
