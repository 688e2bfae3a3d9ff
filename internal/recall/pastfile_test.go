package recall_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/recall"
)

var (
	state = recall.PastState{Project: 7, Generation: "g1", Version: 12, Form: 3}
	parts = [][]byte{[]byte("the past"), {}, []byte("words of another length"), bytes.Repeat([]byte{1, 2, 3}, 4000)}
)

func written(t *testing.T) (dir, file string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "cache")
	must.Do(t, recall.WritePast(dir, state, parts...))
	return dir, only(t, dir)
}

func only(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v: want one file", entries, err)
	}
	return filepath.Join(dir, entries[0].Name())
}

func TestAFileIsReadAsItWasWritten(t *testing.T) {
	dir, _ := written(t)
	if v := recall.PastVersions(dir, 7)["g1"]; v != 12 {
		t.Errorf("version %d, want 12", v)
	}
	f, err := recall.OpenPast(dir, state)
	if err != nil || !f.Intact() || len(f.Parts) != len(parts) {
		t.Fatalf("opened %+v: %v", f, err)
	}
	for i, p := range parts {
		if !bytes.Equal(f.Parts[i], p) {
			t.Errorf("part %d: %q, want %q", i, f.Parts[i], p)
		}
	}
}

func TestANewerStateTakesThePlaceOfAllOthersOfItsProject(t *testing.T) {
	dir, file := written(t)
	opened := must.Get(recall.OpenPast(dir, state))(t)
	// What a killed process left goes too.
	must.Do(t, os.WriteFile(file+".1.partial", []byte("half"), 0o600))
	next := state
	next.Generation, next.Version = "g2", 3
	must.Do(t, recall.WritePast(dir, next, []byte("rebuilt")))
	only(t, dir)
	if a, b := recall.PastVersions(dir, 7)["g1"], recall.PastVersions(dir, 7)["g2"]; a != 0 || b != 3 {
		t.Errorf("versions %d and %d, want 0 and 3", a, b)
	}
	if !opened.Intact() {
		t.Error("a process that has the old file mapped reads something else now")
	}
	must.Do(t, recall.RemovePast(dir, 7))
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left after Remove: %v", left)
	}
}

func TestWhatIsNotWhatItsNameSaysIsRefused(t *testing.T) {
	dir, file := written(t)
	whole := must.Get(os.ReadFile(file))(t)
	replace := func(b []byte) {
		must.Do(t, os.WriteFile(file, b, 0o600))
	}
	for _, size := range []int{0, 1, 200, 255, 256, 257, 300, len(whole) - 8, len(whole) - 1} {
		replace(whole[:size])
		if _, err := recall.OpenPast(dir, state); !errors.Is(err, memory.ErrDamaged) {
			t.Errorf("the first %d of %d bytes: %v", size, len(whole), err)
		}
	}
	for at := range 256 {
		changed := bytes.Clone(whole)
		changed[at] ^= 0x40
		replace(changed)
		if _, err := recall.OpenPast(dir, state); !errors.Is(err, memory.ErrDamaged) {
			t.Errorf("byte %d of the header changed: %v", at, err)
		}
	}
	replace(append(bytes.Clone(whole), 0))
	if _, err := recall.OpenPast(dir, state); !errors.Is(err, memory.ErrDamaged) {
		t.Errorf("a byte too many: %v", err)
	}
	changed := bytes.Clone(whole)
	changed[len(changed)-100] ^= 1
	replace(changed)
	if f, err := recall.OpenPast(dir, state); err != nil || f.Intact() {
		t.Errorf("a part changed, and nobody notices: %v", err)
	}
	replace(whole)
	for name, other := range map[string]recall.PastState{
		"another form": {Project: 7, Generation: "g1", Version: 12, Form: 4},
		"not there":    {Project: 7, Generation: "g1", Version: 13, Form: 3},
	} {
		if _, err := recall.OpenPast(dir, other); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
}

func TestAFolderWithTheSignsOfAPatternInItsNameIsKeptClean(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data [old]", "cache *?")
	if err := recall.RemovePast(dir, state.Project); err != nil {
		t.Errorf("without a folder: %v", err)
	}
	for _, version := range []int64{12, 13} {
		newer := state
		newer.Version = version
		must.Do(t, recall.WritePast(dir, newer, parts...))
	}
	only(t, dir)
	if v := recall.PastVersions(dir, state.Project)[state.Generation]; v != 13 {
		t.Errorf("version %d, want 13", v)
	}
	must.Do(t, recall.RemovePast(dir, state.Project))
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestOnlyTheFilesOfProjectsToKeepStay(t *testing.T) {
	dir, file := written(t)
	words := filepath.Join(dir, state.Project.String()+".words")
	for _, name := range []string{words, filepath.Join(dir, memory.ProjectID(8).String()+".words"), filepath.Join(dir, memory.ProjectID(8).String()+"-g1-2.past")} {
		must.Do(t, os.WriteFile(name, []byte("x"), 0o600))
	}
	must.Do(t, recall.RemoveOtherPasts(dir, state.Project))
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 2 || !slices.Contains(left, file) || !slices.Contains(left, words) {
		t.Errorf("left: %q, %v", left, err)
	}
	must.Do(t, recall.RemoveOtherPasts(dir))
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
