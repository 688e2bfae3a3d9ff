//go:build unix

package code

import (
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAPipeMakesNobodyWait(t *testing.T) {
	w := newWork(t)
	must.Do(t, syscall.Mkfifo(filepath.Join(w.dir, "pipe.go"), 0o600))
	if met := w.walk(); met.Skipped[Special] != 1 || len(w.files) != 2 {
		t.Errorf("got %+v, %v", met, w.files)
	}
}

func TestWhatCannotBeReadNowStaysKnown(t *testing.T) {
	w := newWork(t)
	w.walk()
	w.write("main.go", function("other"))
	err := os.Chmod(filepath.Join(w.dir, "main.go"), 0)
	for dir := w.dir; err == nil && dir != os.TempDir(); dir = filepath.Dir(dir) {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	asNobody(t)
	if met := w.walk(); met.Skipped[Unreadable] != 1 || len(met.Gone) != 0 || len(w.files) != 0 {
		t.Errorf("got %+v, %v", met, w.files)
	}
}
