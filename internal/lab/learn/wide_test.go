package learn_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/must"
)

// The home folder is no project: nothing of it is read, and what was read of it before is dropped. A folder in it is one.
func TestTheHomeFolderIsNotRead(t *testing.T) {
	home := t.TempDir()
	code := "package a\n\nfunc sum() int {\n\ta := 1\n\tb := 2\n\tc := 3\n\treturn a + b + c\n}\n"
	must.Do(t, os.Mkdir(filepath.Join(home, "app"), 0o700))
	for _, name := range []string{"a.go", "NOTES.md", "app/b.go"} {
		braintest.WriteFile(t, filepath.Join(home, name), []byte(code))
	}
	l := braintest.NewLab(t)
	read := func(dir string) learn.SnippetsResult {
		t.Helper()
		return must.Get(learn.RefreshSnippets(t.Context(), l.Brain, learn.SnippetsInput{Dir: dir}))(t)
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("USERPROFILE", os.Getenv("HOME"))
	if out := read(home); out.Files != 2 || out.Documents != 1 {
		t.Errorf("some folder: %+v", out)
	}
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	if out := read(home); out.Files+out.Documents != 0 || out.Gone != 2 {
		t.Errorf("the home folder: %+v", out)
	}
	if out := read(filepath.Join(home, "app")); out.Files != 1 {
		t.Errorf("a folder in it: %+v", out)
	}
	if out := read(string(filepath.Separator)); out.Files+out.Documents != 0 {
		t.Errorf("the whole machine: %+v", out)
	}
}
