package filesys

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// newFolder makes a folder for the files of a test, each of which is removed by its name: Wine 8 knows no os.RemoveAll.
func newFolder(t *testing.T, names ...string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hebb-filesys-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, name := range append(names, "") {
			_ = os.Remove(filepath.Join(dir, name)) // not every test leaves every file
		}
	})
	return dir
}

func TestAFileThatIsOpenIsRenamedAndRemoved(t *testing.T) {
	dir := newFolder(t, "inbox", "sealed")
	inbox, sealed := filepath.Join(dir, "inbox"), filepath.Join(dir, "sealed")
	writer, err := Open(inbox, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := Open(inbox, os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := Rename(inbox, sealed); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := writer.WriteString("late "); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(sealed); err != nil || string(text) != "late late " {
		t.Errorf("what was appended after the rename: %q, %v", text, err)
	}
	if err := Remove(sealed); err != nil {
		t.Error(err)
	}
	if err := errors.Join(writer.Close(), reader.Close()); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(sealed); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after everybody closed it: %v", err)
	}
}

func TestAnotherProgramsHandleIsWaitedFor(t *testing.T) {
	name := filepath.Join(newFolder(t, "file"), "file")
	scanner, err := os.Create(name) // which neither a rename nor a removal is allowed beside
	if err != nil {
		t.Fatal(err)
	}
	tries := 0
	err = Retry(func() error {
		tries++
		err := os.Remove(name)
		if tries == 1 && !InUse(err) {
			t.Errorf("removed beside a plain handle: %v", err)
		}
		_ = scanner.Close() // closed again at later tries, if there are any
		return err
	})
	if err != nil || tries != 2 {
		t.Errorf("removed after %d tries: %v", tries, err)
	}
}

func TestNobodyIsWaitedForForEver(t *testing.T) {
	name := filepath.Join(newFolder(t, "file"), "file")
	holder, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := Remove(name); !InUse(err) {
		t.Errorf("removed beside a plain handle: %v", err)
	}
	if err := holder.Close(); err != nil {
		t.Error(err)
	}
}
