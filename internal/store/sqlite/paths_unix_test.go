//go:build unix

package sqlite

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAPathOfAnyBytesOpens(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"a b?c#d%e%41", "x?mode=memory&b=c;d", "[x]*~+", "ünï\nback\\slash quo'te\"", "file:x", ":memory:",
	} {
		roundTrip(t, name)
	}
}

// roundTrip makes a store in a folder and a file of that name, copies it, and restores it.
func roundTrip(t *testing.T, name string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	o := testOptions(filepath.Join(dir, name+".db"))
	s := openStore(t, o)
	mustAdd(t, s, 0, 3)
	copied, err := s.Snapshot(t.Context(), "manual")
	if err != nil {
		t.Errorf("%q: %v", name, err)
		return
	}
	mustAdd(t, s, 3, 5)
	if err := Restore(t.Context(), o, copied); err != nil {
		t.Errorf("%q: %v", name, err)
	}
	if n := count(t, s); n != 3 {
		t.Errorf("%q: %d events after restoring, want 3", name, n)
	}
	closeStore(t, s)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 4 {
		t.Errorf("%q: %v in the folder, want the store, its backups and the locks of both (%v)", name, entries, err)
	}
}
