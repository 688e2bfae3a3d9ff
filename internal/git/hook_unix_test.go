//go:build unix

package git

import (
	"github.com/hebb-memory/hebb/internal/must"
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
	for _, name := range []string{"its own hook", "the line in a strict hook of others"} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t)
			bin := t.TempDir()
			pipe := filepath.Join(bin, "said")
			must.Do(t, syscall.Mkfifo(pipe, 0o600))
			hebb := filepath.Join(bin, "it's hebb")
			write(t, hebb, "#!/bin/sh\necho \"$@ in $PWD\" > '"+pipe+"'\nexit 1\n", 0o755)
			hook := filepath.Join(dir, ".git", "hooks", "post-commit")
			if name != "its own hook" {
				write(t, hook, "#!/bin/sh\nset -eu\n", 0o755)
			}
			h, err := AddHook(t.Context(), dir, hebb)
			if err != nil {
				t.Fatal(err)
			}
			if h.Add != "" {
				write(t, hook, content(t, hook)+h.Add+"\necho mine > mine\n", 0o755)
			}
			git(t, dir, "commit", "-q", "--allow-empty", "-m", "one")
			said := must.Get(os.Open(pipe))(t)
			defer said.Close()
			text, err := io.ReadAll(said)
			if err != nil || strings.TrimSpace(string(text)) != hookCommand+" in "+dir {
				t.Errorf("hebb was called with %q, %v", text, err)
			}
			if h.Add != "" && content(t, filepath.Join(dir, "mine")) != "mine\n" {
				t.Error("the rest of the hook did not run")
			}
		})
	}
}

func TestACommitSucceedsWithoutHebb(t *testing.T) {
	dir := repository(t)
	hook := filepath.Join(dir, ".git", "hooks", "post-commit")
	add(t, dir) // there is no such program
	if out := git(t, dir, "commit", "-q", "--allow-empty", "-m", "one"); out != "" {
		t.Errorf("git says %q", out)
	}
	write(t, hook, "#!/bin/sh\nset -e\n", 0o755)
	write(t, hook, content(t, hook)+add(t, dir).Add+"\necho mine > mine\n", 0o755)
	if out := git(t, dir, "commit", "-q", "--allow-empty", "-m", "two"); out != "" || content(t, filepath.Join(dir, "mine")) != "mine\n" {
		t.Errorf("git says %q", out)
	}
}
