//go:build unix

package git

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A commit calls hebb and waits for nothing: what stands in for hebb here is held until somebody reads what it says,
// which the test does only after the commit is made.
func TestACommitCallsHebbAndWaitsForNothing(t *testing.T) {
	for name, hook := range map[string]string{
		"no hook before": "",
		"a strict hook":  "#!/bin/sh\nset -eu\necho mine >> \"$PWD/mine\"\nexit 0\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t)
			bin := t.TempDir()
			pipe := filepath.Join(bin, "said")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(bin, "hebb"), "#!/bin/sh\necho \"$@ in $PWD\" > '"+pipe+"'\nexit 1\n", 0o755)
			t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			if hook != "" {
				write(t, filepath.Join(dir, ".git", "hooks", "post-commit"), hook, 0o755)
			}
			install(t, dir)
			git(t, dir, "commit", "-q", "--allow-empty", "-m", "one")
			said, err := os.Open(pipe)
			if err != nil {
				t.Fatal(err)
			}
			defer said.Close()
			text, err := io.ReadAll(said)
			if err != nil || strings.TrimSpace(string(text)) != hookCommand+" in "+dir {
				t.Errorf("hebb was called with %q, %v", text, err)
			}
			if hook != "" && content(t, filepath.Join(dir, "mine")) != "mine\n" {
				t.Error("the hook that was there did not run")
			}
		})
	}
}

func TestACommitSucceedsWithoutHebb(t *testing.T) {
	dir := repository(t)
	write(t, filepath.Join(dir, ".git", "hooks", "post-commit"), "#!/bin/sh\nset -e\necho mine >> \"$PWD/mine\"\n", 0o755)
	install(t, dir)
	if out := git(t, dir, "commit", "-q", "--allow-empty", "-m", "one"); out != "" {
		t.Errorf("git says %q", out)
	}
	if content(t, filepath.Join(dir, "mine")) != "mine\n" {
		t.Error("the hook that was there did not run")
	}
}
