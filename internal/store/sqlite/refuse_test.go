package sqlite

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

func TestAnotherProgramsDatabaseIsRefusedUntouched(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"tables of its own":          `CREATE TABLE bookmark (url TEXT); INSERT INTO bookmark VALUES ('x')`,
		"an application id":          `PRAGMA application_id = 77; PRAGMA journal_mode = DELETE`,
		"a version":                  `PRAGMA user_version = 3`,
		"tables, in write-ahead log": `PRAGMA journal_mode = WAL; CREATE TABLE bookmark (url TEXT)`,
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "places.db")
		other := openURI(path, nil)
		must.Get(other.ExecContext(t.Context(), script))(t)
		must.Do(t, other.Close())
		before := onDisk(t, dir)
		if s, err := Open(t.Context(), testOptions(path)); !errors.Is(err, memory.ErrRefused) {
			t.Errorf("%s: got %v, %v, want a refusal", name, s, err)
		}
		if onDisk(t, dir) != before {
			t.Errorf("%s: something was written", name)
		}
	}
}

func TestWhatIsNoDatabaseIsDamagedAndUntouched(t *testing.T) {
	t.Parallel()
	_, image := closedStore(t, 50)
	for name, content := range map[string][]byte{
		"five bytes":          []byte("hello"),
		"a long text":         bytes.Repeat([]byte("Dear diary, "), 5000),
		"half a header":       image[:50],
		"a header and zeros":  append(bytes.Clone(image[:100]), make([]byte, 8000)...),
		"a zeroed first page": append(make([]byte, 4096), image[4096:]...),
		"half a store":        image[:len(image)/2/4096*4096],
		"a torn store":        image[:len(image)-5000], // its last page may hold nothing
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "hebb.db")
		writeFile(t, path, content)
		before := onDisk(t, dir)
		s, err := Open(t.Context(), testOptions(path))
		if err == nil { // what opens must at least be found by a check
			closeQuietly(s)
			if found := damage(t, path); len(found) == 0 {
				t.Errorf("%s: nobody noticed", name)
			}
			continue
		}
		if !errors.Is(err, memory.ErrDamaged) || !strings.Contains(err.Error(), "hebb backup restore") {
			t.Errorf("%s: got %v, want damage and advice", name, err)
		}
		if onDisk(t, dir) != before {
			t.Errorf("%s: something was written", name)
		}
	}
}

func TestAFolderIsNotAStore(t *testing.T) {
	t.Parallel()
	if s, err := Open(t.Context(), testOptions(t.TempDir())); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("got %v, %v", s, err)
	}
}
