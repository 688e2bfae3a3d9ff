package sqlite

import (
	"os"
	"os/exec"
	"testing"

	"github.com/hebb-memory/hebb/internal/store"
)

// childStore, when set, makes TestChild the other process of a test: it wants that store to be locked.
const childStore = "HEBB_TEST_CHILD_STORE"

func TestChild(t *testing.T) {
	path := os.Getenv(childStore)
	if path == "" {
		return
	}
	db := openURI(path, nil)
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(t.Context(), `BEGIN IMMEDIATE; ROLLBACK`); code(err) != codeBusy {
		t.Errorf("writing while another process writes: got %v, want busy", err)
	}
}

// SQLite's locks belong to the process and are lost when it closes any handle of the file. A store that opened and
// closed the file on its own account would let another process write while this one does. (With a write-ahead log
// SQLite notices since 3.51; with a rollback journal it cannot.)
func TestASecondStoreOfTheProcessDoesNotLoseTheLocksOfTheFirst(t *testing.T) {
	t.Parallel()
	for _, journal := range []string{"WAL", "DELETE"} {
		f := newTestFile(t)
		f.journal = journal
		s := prepared(t, f)
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			if err := store.NewFact[string]("a").Set(t.Context(), tx, "b"); err != nil {
				return err
			}
			second := newFile(f.Options)
			second.journal = journal
			if err := second.prepare(t.Context()); err != nil {
				return err
			}
			defer func() { _ = second.close() }()
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$")
			child.Env = append(os.Environ(), childStore+"="+f.Path)
			if out, err := child.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", journal, err, out)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
