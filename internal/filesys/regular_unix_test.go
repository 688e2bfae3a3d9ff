//go:build unix

package filesys

import (
	"errors"
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// Nothing but a regular file is opened, and nothing waits: without that, each of these would make the test run for ever.
func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must.Do(t, syscall.Mkfifo(at("pipe"), 0o600))
	must.Do(t, errors.Join(os.Mkdir(at("folder"), 0o700), os.Symlink(at("pipe"), at("link")), os.Symlink("/dev/zero", at("device"))))
	root := must.Get(os.OpenRoot(dir))(t)
	defer func() { _ = root.Close() }()
	for _, name := range []string{"pipe", "link", "folder", "device"} {
		if _, err := ReadFile(at(name)); !errors.Is(err, ErrSpecial) {
			t.Errorf("read %s: %v", name, err)
		}
		if name != "device" { // it leads out of the root
			if _, err := OpenIn(root, name); err == nil {
				t.Errorf("%s was opened", name)
			}
		}
	}
	if _, err := Open(at("pipe"), os.O_RDWR|os.O_CREATE, 0o600); !errors.Is(err, ErrSpecial) {
		t.Errorf("open a pipe to write: %v", err)
	}
	if err := WriteFile(at("pipe"), []byte("x"), 0o600); !errors.Is(err, ErrSpecial) {
		t.Errorf("write a pipe: %v", err)
	}
	if err := errors.Join(WriteFile(at("file"), []byte("longer"), 0o600), WriteFile(at("file"), []byte("x"), 0o600)); err != nil {
		t.Error(err)
	}
	if text, err := ReadFile(at("file")); err != nil || string(text) != "x" {
		t.Errorf("read %q, %v", text, err)
	}
}

// The files of /proc say that they are regular ones, and some never end.
func TestFilesOfTheKernelAreNotOpened(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // there are none
	}
	if _, err := ReadFile("/proc/self/status"); !errors.Is(err, ErrSpecial) {
		t.Errorf("read /proc/self/status: %v", err)
	}
	root := must.Get(os.OpenRoot("/proc/self"))(t)
	defer func() { _ = root.Close() }()
	if _, err := ReadIn(root, "status", 100); !errors.Is(err, ErrSpecial) {
		t.Errorf("read status in /proc/self: %v", err)
	}
}

func TestOnlyOwnFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	err := errors.Join(os.MkdirAll(at("folder/empty"), 0o700), os.Symlink(at("folder"), at("linked")), os.WriteFile(at("folder/a"), nil, 0o600),
		os.WriteFile(at("folder/b"), nil, 0o600), os.Symlink(at("folder/a"), at("folder/link")), syscall.Mkfifo(at("folder/pipe"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"linked/a", "folder/link", "folder/empty", "folder/pipe", "folder/gone", "folder/b"} {
		if err := RemoveOwn(at(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	left, err := filepath.Glob(at("folder/*"))
	if err != nil || len(left) != 4 { // all but b
		t.Errorf("left %v, %v", left, err)
	}
}

func TestNamesOfTemporaryFiles(t *testing.T) {
	for name, want := range map[string]string{
		"hebb.db.123.partial": "hebb.db", "hebb.db.123.partial-wal": "hebb.db", "my.partial": "", "my.partial.docx": "",
		"thesis.1.partial.docx": "", "a.12b.partial": "", "a..partial": "",
	} {
		if got, _ := IsPartial(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
