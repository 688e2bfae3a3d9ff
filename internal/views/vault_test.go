package views

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

const view1 = "projects/web/RECENT.md"

func put(t *testing.T, v vault, name, seen, next string, want bool) {
	t.Helper()
	found := must.Get(v.read(name))(t)
	found.text, found.there = seen, seen != ""
	if done, err := v.put(name, found, next); done != want || err != nil {
		t.Fatalf("put %q for %q: %v, %v", next, seen, done, err)
	}
}

func TestAFileIsReplacedOnlyIfItHoldsWhatWasSeen(t *testing.T) {
	v := vault(filepath.Join(t.TempDir(), "vault"))
	if found, err := v.read(view1); err != nil || found.there {
		t.Errorf("no folder yet: %+v, %v", found, err)
	}
	put(t, v, view1, "", "one", true)
	must.Do(t, os.Chmod(v.path(view1), 0o640))
	must.Do(t, os.WriteFile(v.path(fresh), []byte("left by a killed process"), 0o600))
	put(t, v, view1, "one", "two", true)
	if info, err := os.Stat(v.path(view1)); err != nil || info.Mode().Perm() != 0o640 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info, err)
	}
	must.Do(t, os.WriteFile(v.path(view1), []byte("mine"), 0o600))
	put(t, v, view1, "two", "three", false)
	put(t, v, view1, "two", "", false)
	put(t, v, view1, "", "three", false)
	if found, err := v.read(view1); err != nil || found.text != "mine" {
		t.Errorf("%+v, %v", found, err)
	}
	put(t, v, view1, "mine", "", true)
	if left := must.Get(filepath.Glob(v.path("*/*/*")))(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if left := must.Get(os.ReadDir(string(v)))(t); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

func TestLinksAndWhatIsNoFileAreRefused(t *testing.T) {
	v, outside := vault(t.TempDir()), t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(outside, "a.md"), []byte("outside"), 0o600))
	must.Do(t, os.WriteFile(v.path("a.md"), []byte("inside"), 0o600))
	must.Do(t, os.WriteFile(v.path("large.md"), make([]byte, sizeMost+1), 0o600))
	must.Do(t, os.Mkdir(v.path("folder.md"), 0o700))
	refused := []string{"folder.md", "large.md"}
	if os.PathSeparator == '/' { // elsewhere not everybody may make links
		for name, to := range map[string]string{"out.md": filepath.Join(outside, "a.md"), "in.md": "a.md", "nowhere.md": "none", "out": outside} {
			must.Do(t, os.Symlink(to, v.path(name)))
		}
		refused = append(refused, "out.md", "in.md", "nowhere.md", "out/a.md", "out/new.md", "../a.md")
	}
	for _, name := range refused {
		_, err := v.read(name)
		done, err2 := v.put(name, content{mode: fileMode}, "hebb's")
		if err == nil || err2 == nil || done || !strings.Contains(name, "/") && !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v, %v", name, err, err2)
		}
	}
	if text, err := os.ReadFile(filepath.Join(outside, "a.md")); string(text) != "outside" || err != nil {
		t.Errorf("outside: %q, %v", text, err)
	}
}
