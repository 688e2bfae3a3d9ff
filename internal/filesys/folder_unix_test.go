//go:build unix

package filesys

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hebb-memory/hebb/internal/must"
)

func TestAFolderGoesWithAllInItAndNothingElse(t *testing.T) {
	base := t.TempDir()
	folder, kept := filepath.Join(base, "folder"), filepath.Join(base, "kept")
	must.Do(t, os.MkdirAll(filepath.Join(folder, "a", "b"), 0o700))
	must.Do(t, os.WriteFile(filepath.Join(folder, "a", "file"), []byte("x"), 0o600))
	must.Do(t, os.WriteFile(kept, []byte("x"), 0o600))
	_ = os.Symlink(base, filepath.Join(folder, "link")) // where links can be made
	for range 2 {
		must.Do(t, RemoveFolder(folder))
	}
	if _, err := os.Lstat(folder); !os.IsNotExist(err) {
		t.Errorf("the folder is there: %v", err)
	}
	if _, err := os.Lstat(kept); err != nil {
		t.Errorf("what lay beside it: %v", err)
	}
}
