package project

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// What only Linux lets a test build: names of any bytes, and pipes in the way.

func TestAwkwardFolderNamesSurvive(t *testing.T) {
	for _, name := range []string{
		"new\nline", strings.Repeat("é", 100), "\xff", `back\slash`, "con", "-rf", "caf\u00e9", "cafe\u0301", " ",
	} {
		t.Run(memory.EscapePath(name), func(t *testing.T) {
			base := tempDir(t)
			dir := repository(t, base, name)
			place, err := Resolve(filepath.Join(dir, "src"))
			if err != nil {
				t.Fatal(err)
			}
			root, err := memory.UnescapePath(place.Root)
			if err != nil || root != dir {
				t.Errorf("root %q comes back as %q, %v", place.Root, root, err)
			}
			if got := Name(place); got != memory.EscapePath(name) {
				t.Errorf("name %q, want %q", got, memory.EscapePath(name))
			}
		})
	}
}

func TestTheTopOfTheDiskAndHomeAreAcceptedAsTheyAre(t *testing.T) {
	for _, dir := range []string{"/", "/nowhere"} {
		if got, err := Resolve(dir); err != nil || got != (memory.Place{Identity: dir, Root: dir}) {
			t.Errorf("Resolve(%q) = %+v, %v", dir, got, err)
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		if _, err := Resolve(home); err != nil {
			t.Error(err)
		}
	}
}

func TestAPipeInThePlaceOfGitsFilesDoesNotBlock(t *testing.T) {
	base := tempDir(t)
	must.Do(t, syscall.Mkfifo(filepath.Join(folder(t, base, "app"), ".git"), 0o644))
	check(t, base, filepath.Join(base, "app"), want{"app", "app"})

	lib := repository(t, base, "lib")
	must.Do(t, syscall.Mkfifo(filepath.Join(lib, ".git", "commondir"), 0o644))
	check(t, base, lib, want{"lib/.git", "lib"})
}
