package transfer_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

// Whatever is in the place of the store is put aside as it is, with the files beside it, and the backup is brought back.
func TestARestorePutsAsideWhateverIsThere(t *testing.T) {
	schema := func(version byte) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			image := readFile(t, path)
			for i := range 4 {
				image[60+i] = version // user_version
			}
			braintest.WriteFile(t, path, image)
		}
	}
	instead := func(make func(path string) error) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			must.Do(t, os.RemoveAll(path))
			must.Do(t, make(path))
		}
	}
	cases := map[string]func(t *testing.T, path string){
		"a negative schema": schema(0xff),
		"a newer schema":    schema(0x70),
		"zero bytes":        func(t *testing.T, path string) { braintest.WriteFile(t, path, nil) },
		"a folder":          instead(func(path string) error { return os.Mkdir(path, 0o700) }),
		"a link to nothing": instead(func(path string) error { return os.Symlink("nowhere", path) }),
		"a link to itself":  instead(func(path string) error { return os.Symlink(path, path) }),
		"a link to a folder": instead(func(path string) error {
			return os.Symlink(filepath.Dir(path), path)
		}),
		"another program's": func(t *testing.T, path string) {
			image := readFile(t, path)
			copy(image[68:], "else") // application_id
			braintest.WriteFile(t, path, image)
		},
	}
	for name, harm := range braintest.SpecialFiles() {
		cases[name] = instead(harm)
	}
	for name, harm := range cases {
		t.Run(name, func(t *testing.T) {
			d := braintest.NewDesk(t)
			d.Record("worth keeping")
			from := d.Backup(filepath.Join(t.TempDir(), "copy.db")).File
			d.Record("later")
			harm(t, d.Database())
			before, err := os.Lstat(d.Database())
			if err != nil {
				t.Fatal(err)
			}
			journal := []byte("what is left of a journal")
			braintest.WriteFile(t, d.Database()+"-journal", journal)
			previous := d.MustRestore(from)
			if !strings.HasPrefix(filepath.Base(previous.File), "damaged-") {
				t.Fatalf("put aside as %+v", previous)
			}
			after, err := os.Lstat(previous.File)
			if err != nil || !os.SameFile(before, after) || after.Size() != before.Size() {
				t.Errorf("what was put aside is not what was there: %v", err)
			}
			if !bytes.Equal(readFile(t, previous.File+"-journal"), journal) {
				t.Error("the journal beside it was changed")
			}
			d.Expect("worth keeping")
		})
	}
}

func TestARestoreIntoAnEmptyFolderPutsNothingAside(t *testing.T) {
	d, other := braintest.NewDesk(t), braintest.NewDesk(t)
	other.Record("elsewhere")
	previous := d.MustRestore(other.Backup("").File)
	if previous.File != "" || len(d.KeptLike(".db")) > 0 {
		t.Errorf("put aside %+v, kept %q", previous, d.Kept())
	}
	d.Expect("elsewhere")
}

func TestARestoreFromWhatIsNoFileIsRefused(t *testing.T) {
	d := braintest.NewDesk(t)
	d.Record("kept")
	for name, make := range braintest.SpecialFiles() {
		from := filepath.Join(t.TempDir(), "from")
		must.Do(t, make(from))
		if _, err := d.Restore(from); err == nil || !strings.Contains(err.Error(), "is not a file") {
			t.Errorf("%s: %v", name, err)
		}
	}
	d.Expect("kept")
}

// A restored store counts versions again that the one before has used: a file of that one would be read as the past of this one.
func TestARestoreLeavesNothingThatWasMadeFromTheOldStore(t *testing.T) {
	for _, kind := range []string{"backup", "export"} {
		t.Run(kind, func(t *testing.T) {
			d := braintest.NewDesk(t)
			var project memory.ProjectID
			generation := func() (mark string) {
				d.With(func(b *brain.Brain) error {
					return b.Store.View(t.Context(), func(tx *store.Tx) error {
						projects, err := tx.Projects(t.Context())
						if err != nil || len(projects) != 1 {
							t.Fatalf("projects %v, %v", projects, err)
						}
						project = projects[0].ID
						mark, err = record.GenerationMark(project).Get(t.Context(), tx)
						return err
					})
				})
				return mark
			}
			d.Record("first")
			from := filepath.Join(t.TempDir(), "copy")
			if kind == "backup" {
				d.Backup(from)
			} else {
				d.Export(from)
			}
			d.Record("second")
			before := generation()
			state := recall.PastState{Project: project, Generation: before, Version: 1}
			must.Do(t, recall.WritePast(d.Cache(), state, []byte("a past")))
			braintest.WriteFile(t, d.Contents(project), []byte("words"))
			d.MustRestore(from)
			if left, err := os.ReadDir(d.Cache()); err != nil || len(left) > 0 {
				t.Errorf("left in the cache: %v, %v", left, err)
			}
			if after := generation(); after == "" || after == before {
				t.Errorf("generation %q, before %q", after, before)
			}
		})
	}
}
