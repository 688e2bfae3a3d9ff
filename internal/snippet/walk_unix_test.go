//go:build unix

package snippet

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAPipeMakesNobodyWait(t *testing.T) {
	w := newWork(t)
	if err := syscall.Mkfifo(filepath.Join(w.dir, "pipe.go"), 0o600); err != nil {
		t.Skip(err)
	}
	if met := w.walk(); met.Skipped[Special] != 1 || len(w.files) != 2 {
		t.Errorf("got %+v, %v", met, w.files)
	}
}

func TestWhatCannotBeReadNowStaysKnown(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	w := newWork(t)
	w.walk()
	w.write("main.go", function("other"))
	if err := os.Chmod(filepath.Join(w.dir, "main.go"), 0); err != nil {
		t.Fatal(err)
	}
	if met := w.walk(); met.Skipped[Unreadable] != 1 || len(met.Gone) != 0 || len(w.files) != 0 {
		t.Errorf("got %+v, %v", met, w.files)
	}
}
