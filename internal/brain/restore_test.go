package brain

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever is in the place of the store is put aside as it is, with the files beside it, and the backup is brought back.
func TestARestorePutsAsideWhateverIsThere(t *testing.T) {
	schema := func(version byte) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			image := readFile(t, path)
			for i := range 4 {
				image[60+i] = version // user_version
			}
			writeFile(t, path, image)
		}
	}
	instead := func(make func(path string) error) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			if err := make(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	cases := map[string]func(t *testing.T, path string){
		"a negative schema": schema(0xff),
		"a newer schema":    schema(0x70),
		"zero bytes":        func(t *testing.T, path string) { writeFile(t, path, nil) },
		"a folder":          instead(func(path string) error { return os.Mkdir(path, 0o700) }),
		"a link to nothing": instead(func(path string) error { return os.Symlink("nowhere", path) }),
		"a link to itself":  instead(func(path string) error { return os.Symlink(path, path) }),
		"a link to a folder": instead(func(path string) error {
			return os.Symlink(filepath.Dir(path), path)
		}),
		"another program's": func(t *testing.T, path string) {
			image := readFile(t, path)
			copy(image[68:], "else") // application_id
			writeFile(t, path, image)
		},
	}
	for name, harm := range specialFiles() {
		cases[name] = instead(harm)
	}
	for name, harm := range cases {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.record("worth keeping")
			from := d.backup(filepath.Join(t.TempDir(), "copy.db")).File
			d.record("later")
			harm(t, d.Database())
			before, err := os.Lstat(d.Database())
			if err != nil {
				t.Fatal(err)
			}
			journal := []byte("what is left of a journal")
			writeFile(t, d.Database()+"-journal", journal)
			previous := d.mustRestore(from)
			if !strings.HasPrefix(filepath.Base(previous.File), asidePrefix) {
				t.Fatalf("put aside as %+v", previous)
			}
			after, err := os.Lstat(previous.File)
			if err != nil || !os.SameFile(before, after) || after.Size() != before.Size() {
				t.Errorf("what was put aside is not what was there: %v", err)
			}
			if !bytes.Equal(readFile(t, previous.File+"-journal"), journal) {
				t.Error("the journal beside it was changed")
			}
			d.expect("worth keeping")
		})
	}
}

func TestARestoreIntoAnEmptyFolderPutsNothingAside(t *testing.T) {
	d, other := newDesk(t), newDesk(t)
	other.record("elsewhere")
	previous := d.mustRestore(other.backup("").File)
	if previous.File != "" || len(d.keptLike(".db")) > 0 {
		t.Errorf("put aside %+v, kept %q", previous, d.kept())
	}
	d.expect("elsewhere")
}

func TestARestoreFromWhatIsNoFileIsRefused(t *testing.T) {
	d := newDesk(t)
	d.record("kept")
	for name, make := range specialFiles() {
		from := filepath.Join(t.TempDir(), "from")
		if err := make(from); err != nil {
			t.Fatal(err)
		}
		if _, err := d.restore(from); err == nil || !strings.Contains(err.Error(), "is not a file") {
			t.Errorf("%s: %v", name, err)
		}
	}
	d.expect("kept")
}
