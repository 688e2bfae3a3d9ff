package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/store"
)

// Not parallel: the umask is the whole process's.
func TestEverythingIsPrivateWhateverTheUmask(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	for _, journal := range []string{"WAL", "DELETE"} {
		dir := filepath.Join(t.TempDir(), "home")
		o := testOptions(filepath.Join(dir, "hebb.db"))
		f := newFile(o.withDefaults())
		f.journal = journal
		s := prepared(t, f)
		mustAdd(t, s, 0, 10)
		copied, err := s.Snapshot(t.Context(), "manual")
		if err != nil {
			t.Fatal(err)
		}
		again := filepath.Join(dir, "elsewhere", "hebb.db")
		must.Do(t, Restore(t.Context(), testOptions(again), copied))
		seen := map[string]bool{}
		err = s.Update(t.Context(), func(tx *store.Tx) error { // now the journal is there too
			if err := store.NewFact[string]("a").Set(t.Context(), tx, "b"); err != nil {
				return err
			}
			return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := entry.Info()
				if err == nil && info.Mode().Perm()&0o077 != 0 {
					t.Errorf("%s has mode %v", path, info.Mode())
				}
				seen[strings.TrimPrefix(path, dir+"/")] = true
				return err
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]string{"WAL": {"hebb.db-wal", "hebb.db-shm"}, "DELETE": {"hebb.db-journal"}}[journal]
		for _, name := range append(want, "hebb.db", "hebb.db.lock", "backups", "elsewhere/hebb.db") {
			if !seen[name] {
				t.Errorf("%s: %s was not there to be looked at", journal, name)
			}
		}
	}
}

func TestAPathThatIsNoTextOpens(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"\xff\xfe", "caf\xe9", "\x01"} {
		roundTrip(t, name)
	}
}

// withoutRights runs fn as somebody who may read the folder and not write it. For root that takes another identity,
// which Linux gives to a single thread; the thread ends with fn.
func withoutRights(t *testing.T, dir string, fn func()) {
	t.Helper()
	for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
		must.Do(t, os.Chmod(d, 0o555))
	}
	t.Cleanup(func() {
		for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
			_ = os.Chmod(d, 0o755) // so that the folder can be removed
		}
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked
		if os.Geteuid() == 0 {
			if err := unix.Setfsuid(65534); err != nil {
				t.Error(err)
				return
			}
		}
		fn()
	}()
	<-done
}

func TestAStoreInAFolderThatCannotBeWrittenIsReadAndNotWritten(t *testing.T) {
	t.Parallel()
	path, _ := closedStore(t, 10)
	must.Do(t, os.Chmod(path, 0o444))
	before := onDisk(t, filepath.Dir(path))
	withoutRights(t, filepath.Dir(path), func() {
		s, err := Open(t.Context(), testOptions(path))
		if err != nil {
			t.Errorf("open: %v", err)
			return
		}
		defer closeStore(t, s)
		if n := count(t, s); n != 10 {
			t.Errorf("%d events can be read, want 10", n)
		}
		if err := add(t, s, 10, 11); !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "cannot be written") {
			t.Errorf("writing: got %v, want a refusal", err)
		}
		if _, err := s.Snapshot(t.Context(), "manual"); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("snapshot: got %v, want an error that names the permission", err)
		}
	})
	if onDisk(t, filepath.Dir(path)) != before {
		t.Error("something was written")
	}
}

func TestALogLeftBehindInAFolderThatCannotBeWrittenIsRead(t *testing.T) {
	t.Parallel()
	from := filepath.Join(t.TempDir(), "hebb.db")
	s := openStore(t, testOptions(from))
	mustAdd(t, s, 0, 10)
	path := filepath.Join(t.TempDir(), "hebb.db") // as a crash leaves it: all that is new stands in the log
	for _, suffix := range []string{"", "-wal", "-shm"} {
		content := must.Get(os.ReadFile(from + suffix))(t)
		must.Do(t, os.WriteFile(path+suffix, content, 0o444))
	}
	withoutRights(t, filepath.Dir(path), func() {
		s, err := Open(t.Context(), testOptions(path))
		if err != nil {
			t.Errorf("open: %v", err)
			return
		}
		defer closeStore(t, s)
		if n := count(t, s); n != 10 {
			t.Errorf("%d events can be read, want 10: the log was passed over", n)
		}
		if err := add(t, s, 10, 11); !errors.Is(err, memory.ErrRefused) {
			t.Errorf("writing: got %v, want a refusal", err)
		}
	})
}

func TestNoStoreCanBeMadeInAFolderThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	withoutRights(t, dir, func() {
		for _, path := range []string{filepath.Join(dir, "hebb.db"), filepath.Join(dir, "new", "hebb.db")} {
			if s, err := Open(t.Context(), testOptions(path)); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v, %v, want the path and the reason", s, err)
			}
		}
	})
}
