package views

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hebb-memory/hebb/internal/filesys"
)

func TestAnEditorThatHasAFileOpenIsNoticed(t *testing.T) {
	dir, err := os.MkdirTemp("", "hebb-vault-") // and not t.TempDir: Wine 8 knows no os.RemoveAll
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "copy")
	t.Cleanup(func() { _, _ = os.Remove(file), os.Remove(dir) }) // only a leftover of this test
	editor, err := filesys.Open(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f, err := root.Open("copy")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !heldForWriting(f) {
		t.Error("an editor has the file open for writing, and nobody knows")
	}
	if err := editor.Close(); err != nil {
		t.Fatal(err)
	}
	if heldForWriting(f) {
		t.Error("held after the editor closed it")
	}
}
