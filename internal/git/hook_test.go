package git

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
)

const program = "/opt/it's hebb/hebb"

// repository is a fresh one of git's, with no settings of the person's.
func repository(t *testing.T) string {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q")
	git(t, dir, "config", "user.name", "x")
	git(t, dir, "config", "user.email", "x@example.test")
	return dir
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

func write(t *testing.T, name, content string, mode fs.FileMode) {
	t.Helper()
	err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), mode), os.Chmod(name, mode))
	if err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func install(t *testing.T, dir string) HookChange {
	t.Helper()
	c, err := PlanHook(t.Context(), dir, program)
	if err = errors.Join(err, c.Apply()); err != nil {
		t.Fatal(err)
	}
	return c
}

func remove(t *testing.T, dir string) HookChange {
	t.Helper()
	c, err := PlanHookRemoval(t.Context(), dir)
	if err = errors.Join(err, c.Apply()); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAHookThatHebbMadeIsRemoved(t *testing.T) {
	dir := repository(t)
	file := filepath.Join(dir, ".git", "hooks", "post-commit")
	if c := install(t, dir); c.File != file || !strings.HasPrefix(content(t, file), "#!/bin/sh\n# >>> hebb made this hook") {
		t.Errorf("%s:\n%s", c.File, content(t, file))
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
		t.Errorf("git will not run it: %v, %v", info.Mode(), err)
	}
	if again := install(t, dir); !again.Empty() {
		t.Errorf("installing twice changed it to\n%s", again.New)
	}
	remove(t, dir)
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	if again := remove(t, dir); !again.Empty() {
		t.Errorf("removing twice: %+v", again)
	}
}

func TestAHookOfOthersIsRestoredByteForByte(t *testing.T) {
	for name, hook := range map[string]string{
		"plain":                "#!/bin/sh\necho done\n",
		"no end of line":       "#!/bin/sh\necho done",
		"one line":             "#!/bin/sh\n",
		"one line without end": "#!/bin/sh",
		"ends with exit":       "#!/usr/bin/env bash\nset -eu\necho done\nexit 0\n",
		"options":              "#!/bin/bash -e\n\n# a comment\n",
		"env with options":     "#!/usr/bin/env -S bash -e\ntrue\n",
		"ends of Windows":      "#!/bin/sh\r\necho done\r\n",
		"odd bytes":            "#!/bin/sh\n\xff\x00",
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t)
			file := filepath.Join(dir, ".git", "hooks", "post-commit")
			write(t, file, hook, 0o750)
			install(t, dir)
			if got := content(t, file); !strings.Contains(got, hookCommand) || !strings.Contains(got, "\n"+endMark) {
				t.Errorf("installed:\n%s", got)
			}
			if again := install(t, dir); !again.Empty() {
				t.Errorf("installing twice: %q, then %q", again.Old, again.New)
			}
			remove(t, dir)
			if got := content(t, file); got != hook {
				t.Errorf("got %q, want %q", got, hook)
			}
			if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o750 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
		})
	}
}

func TestWhatWasAddedSinceStays(t *testing.T) {
	dir := repository(t)
	file := filepath.Join(dir, ".git", "hooks", "post-commit")
	install(t, dir)
	write(t, file, content(t, file)+"echo mine\n", 0o755)
	remove(t, dir)
	if got := content(t, file); got != "#!/bin/sh\necho mine\n" {
		t.Errorf("got %q", got)
	}
}

func TestAnOlderBlockIsRenewed(t *testing.T) {
	dir := repository(t)
	file := filepath.Join(dir, ".git", "hooks", "post-commit")
	write(t, file, "#!/bin/sh\n# >>> hebb of another year >>>\nhebb remember\n# <<< hebb <<<\necho mine\n", 0o755)
	install(t, dir)
	if got := content(t, file); strings.Contains(got, "remember") || strings.Count(got, endMark) != 1 || !strings.HasSuffix(got, "echo mine\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestHooksThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		name, hook string
		mode       fs.FileMode
		want       string
		kind       error
	}{
		{"python", "#!/usr/bin/env python3\nprint(1)\n", 0o755, `is not a shell script (its first line is "#!/usr/bin/env python3")`, memory.ErrRefused},
		{"a program", "\x7fELF\x02", 0o755, "is not a shell script", memory.ErrRefused},
		{"no first line", "echo done\n", 0o755, "is not a shell script", memory.ErrRefused},
		{"empty", "", 0o755, "is not a shell script", memory.ErrRefused},
		{"switched off", "#!/bin/sh\n", 0o644, "is not executable", memory.ErrRefused},
		{"a part without end", "#!/bin/sh\n# >>> hebb\n", 0o755, "without its end", memory.ErrInvalid},
	} {
		if runtime.GOOS == "windows" && c.mode == 0o644 {
			continue // it knows no executable bit
		}
		t.Run(c.name, func(t *testing.T) {
			dir := repository(t)
			file := filepath.Join(dir, ".git", "hooks", "post-commit")
			write(t, file, c.hook, c.mode)
			_, err := PlanHook(t.Context(), dir, program)
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), file) ||
				!strings.Contains(err.Error(), `let it run "hebb init --from-git-hook" instead`) {
				t.Errorf("got %v", err)
			}
			if content(t, file) != c.hook {
				t.Error("the hook has changed")
			}
		})
	}
}

func TestALinkIsRefused(t *testing.T) {
	dir := repository(t)
	shared := filepath.Join(t.TempDir(), "shared")
	write(t, shared, "#!/bin/sh\n", 0o755)
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, ".git", "hooks"), 0o755), os.Symlink(shared, filepath.Join(dir, ".git", "hooks", "post-commit"))); err != nil {
		t.Fatal(err)
	}
	if _, err := PlanHook(t.Context(), dir, program); !errors.Is(err, memory.ErrRefused) || !strings.Contains(err.Error(), "is a link") {
		t.Errorf("got %v", err)
	}
}

func TestTheFolderOfTheHooks(t *testing.T) {
	t.Run("a folder below", func(t *testing.T) {
		dir := repository(t)
		below := filepath.Join(dir, "a", "b")
		write(t, filepath.Join(below, "x"), "", 0o644)
		if c := install(t, below); c.File != filepath.Join(dir, ".git", "hooks", "post-commit") {
			t.Errorf("in %s", c.File)
		}
	})
	t.Run("core.hooksPath", func(t *testing.T) {
		dir := repository(t)
		git(t, dir, "config", "core.hooksPath", ".githooks")
		below := filepath.Join(dir, "a")
		write(t, filepath.Join(below, "x"), "", 0o644)
		c := install(t, below)
		if c.File != filepath.Join(dir, ".githooks", "post-commit") || strings.Contains(string(c.New), "/opt/") {
			t.Errorf("in %s, for others too:\n%s", c.File, c.New)
		}
	})
	t.Run("a worktree", func(t *testing.T) {
		dir := repository(t)
		git(t, dir, "commit", "-q", "--allow-empty", "-m", "one")
		other := filepath.Join(t.TempDir(), "other")
		git(t, dir, "worktree", "add", "-q", other)
		c := install(t, other)
		if c.File != filepath.Join(dir, ".git", "hooks", "post-commit") || !strings.Contains(string(c.New), `'/opt/it'\''s hebb/hebb'`) {
			t.Errorf("in %s:\n%s", c.File, c.New)
		}
	})
	t.Run("no repository", func(t *testing.T) {
		t.Setenv("GIT_CEILING_DIRECTORIES", os.TempDir())
		dir := t.TempDir()
		if _, err := PlanHook(t.Context(), dir, program); !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), dir) {
			t.Errorf("install: %v", err)
		}
		if c, err := PlanHookRemoval(t.Context(), dir); err != nil || !c.Empty() {
			t.Errorf("remove: %+v, %v", c, err)
		}
	})
}

func TestAHookThatChangedSinceThePlanIsNotChanged(t *testing.T) {
	dir := repository(t)
	c, err := PlanHook(t.Context(), dir, program)
	if err != nil {
		t.Fatal(err)
	}
	write(t, c.File, "#!/bin/sh\n", 0o755)
	if err := c.Apply(); !errors.Is(err, memory.ErrConflict) || content(t, c.File) != "#!/bin/sh\n" {
		t.Errorf("got %v", err)
	}
}
