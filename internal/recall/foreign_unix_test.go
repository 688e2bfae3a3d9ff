//go:build unix

package recall_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/recall"
)

// foreign puts what is not hebb's into a folder: other names, names like hebb's that are no files, and names nearly like hebb's.
func foreign(t *testing.T, dir string) (names []string) {
	t.Helper()
	id := memory.ProjectID(7).String()
	for _, name := range []string{
		"thesis.docx", ".hidden", "notes.words", "my-thesis-2.past", id, id + "-letter.docx", id + ".partial", id + "-g1-12.past.old", "a.1.partial",
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o600))
		names = append(names, name)
	}
	must.Do(t, errors.Join(os.Mkdir(filepath.Join(dir, "empty"), 0o700), os.Mkdir(filepath.Join(dir, id+".words"), 0o700),
		syscall.Mkfifo(filepath.Join(dir, id+"-g0-3.past"), 0o600), os.Symlink("thesis.docx", filepath.Join(dir, id+"-g0-2.past"))))
	return append(names, "empty", id+".words", id+"-g0-3.past", id+"-g0-2.past")
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list := must.Get(os.ReadDir(dir))(t)
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// Of what stands in the folder only hebb's own files are removed.
func TestOnlyFilesThatHebbMadeAreRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	must.Do(t, os.Mkdir(dir, 0o700))
	want := foreign(t, dir)
	must.Do(t, recall.WritePast(dir, state, parts...))
	id := memory.ProjectID(7).String()
	for _, name := range []string{id + "-g0-1.past", id + "-g1-12.past.123.partial", memory.ProjectID(8).String() + ".words"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	must.Do(t, errors.Join(recall.RemovePast(dir, 7), recall.RemoveOtherPasts(dir)))
	slices.Sort(want)
	if got := entries(t, dir); !slices.Equal(got, want) {
		t.Errorf("left are\n%v, want\n%v", got, want)
	}
}

// A folder that a link leads to is somebody else's: nothing is read there, written or removed.
func TestNothingIsDoneThroughALink(t *testing.T) {
	real := t.TempDir()
	want := foreign(t, real)
	must.Do(t, os.WriteFile(filepath.Join(real, memory.ProjectID(7).String()+"-g1-12.past"), nil, 0o600))
	link := filepath.Join(t.TempDir(), "cache")
	must.Do(t, os.Symlink(real, link))
	if err := recall.WritePast(link, state, parts...); !errors.Is(err, memory.ErrRefused) {
		t.Errorf("written through a link: %v", err)
	}
	if err := errors.Join(recall.RemovePast(link, 7), recall.RemoveOtherPasts(link)); err != nil {
		t.Error(err)
	}
	if len(recall.PastVersions(link, 7)) > 0 {
		t.Error("a file behind a link is used")
	}
	if got := entries(t, real); len(got) != len(want)+1 {
		t.Errorf("left are %v", got)
	}
}
