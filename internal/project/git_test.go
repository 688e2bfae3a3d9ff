package project

import (
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// git runs the real program with nobody's settings.
func git(t testing.TB, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q in %s: %v\n%s", args, dir, err, out)
	}
}

// tempDir is a temporary folder by its one true name: on macOS t.TempDir lies behind a symlink.
func tempDir(t testing.TB) string {
	t.Helper()
	return must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
}

// repository makes a repository with one commit at base/name and returns its path.
func repository(t testing.TB, base, name string) string {
	t.Helper()
	dir := folder(t, base, name)
	git(t, dir, "init", "-q", "-b", "main")
	write(t, filepath.Join(dir, "src", "a.go"), "package a\n")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "first")
	return dir
}

func folder(t testing.TB, elements ...string) string {
	t.Helper()
	dir := filepath.Join(elements...)
	must.Do(t, os.MkdirAll(dir, 0o755))
	return dir
}

func write(t testing.TB, file, content string) {
	t.Helper()
	folder(t, filepath.Dir(file))
	must.Do(t, os.WriteFile(file, []byte(content), 0o644))
}

func link(t testing.TB, target, name string) string {
	t.Helper()
	must.Do(t, os.Symlink(target, name))
	return name
}

func remove(t testing.TB, path string) {
	t.Helper()
	must.Do(t, os.RemoveAll(path))
}
