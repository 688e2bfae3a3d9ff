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
	"github.com/hebb-memory/hebb/internal/must"
)

const program = "/opt/it's hebb/hebb"

// repository is a fresh one of git's, with no settings of the person's.
func repository(t *testing.T) string {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
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
	must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), mode), os.Chmod(name, mode)))
}

func content(t *testing.T, name string) string {
	t.Helper()
	text := must.Get(os.ReadFile(name))(t)
	return string(text)
}

func add(t *testing.T, dir string) Hook {
	t.Helper()
	return must.Get(AddHook(t.Context(), dir, program))(t)
}

func remove(t *testing.T, dir string) Hook {
	t.Helper()
	return must.Get(RemoveHook(t.Context(), dir))(t)
}

func TestAHookThatHebbWroteIsRemoved(t *testing.T) {
	dir := repository(t)
	file := filepath.Join(dir, ".git", "hooks", "post-commit")
	must.Do(t, os.RemoveAll(filepath.Dir(file)))
	if h := add(t, dir); h.File != file || !h.Changed || h.Add != "" || !strings.Contains(content(t, file), `in hebb '/opt/it'\''s hebb/hebb'; do`) {
		t.Errorf("%+v:\n%s", h, content(t, file))
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
		t.Errorf("git will not run it: %v, %v", info.Mode(), err)
	}
	if again := add(t, dir); again.Changed || again.Add != "" || !again.Calls {
		t.Errorf("added twice: %+v", again)
	}
	if h := remove(t, dir); !h.Changed {
		t.Errorf("removed: %+v", h)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	if again := remove(t, dir); again.Changed || again.Calls {
		t.Errorf("removed twice: %+v", again)
	}
}

// Whatever is there is somebody's. hebb says which line to add, and deletes nothing that is not all its own.
func TestAHookOfOthersStays(t *testing.T) {
	for name, hook := range map[string]string{
		"plain": "#!/bin/sh\necho done\n", "empty": "", "python": "#!/usr/bin/env python3\nprint(1)\n", "odd bytes": "\x7fELF\xff\x00",
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t)
			file := filepath.Join(dir, ".git", "hooks", "post-commit")
			write(t, file, hook, 0o644)
			if h := add(t, dir); h.Changed || h.Calls || h.Add != `('/opt/it'\''s hebb/hebb' init --from-git-hook </dev/null >/dev/null 2>&1 &)` {
				t.Errorf("added: %+v", h)
			}
			if h := remove(t, dir); h.Changed || h.Calls || content(t, file) != hook {
				t.Errorf("removed: %+v, %q", h, content(t, file))
			}
		})
	}
	t.Run("more lines since", func(t *testing.T) {
		dir := repository(t)
		file := filepath.Join(dir, ".git", "hooks", "post-commit")
		add(t, dir)
		changed := content(t, file) + "echo mine\n"
		write(t, file, changed, 0o755)
		if h := remove(t, dir); h.Changed || !h.Calls || content(t, file) != changed {
			t.Errorf("removed: %+v, %q", h, content(t, file))
		}
	})
	t.Run("lines of an earlier hebb", func(t *testing.T) {
		dir := repository(t)
		file := filepath.Join(dir, ".git", "hooks", "post-commit")
		hook := "#!/bin/sh\n# >>> hebb learns >>>\nhebb init --from-git-hook\n# <<< hebb <<<\necho mine\n"
		write(t, file, hook, 0o755)
		if h := add(t, dir); h.Changed || !h.Calls || h.Add != "" {
			t.Errorf("added: %+v", h)
		}
		if h := remove(t, dir); h.Changed || !h.Calls || content(t, file) != hook {
			t.Errorf("removed: %+v", h)
		}
	})
	t.Run("a link that leads nowhere", func(t *testing.T) {
		dir := repository(t)
		file, target := filepath.Join(dir, ".git", "hooks", "post-commit"), filepath.Join(t.TempDir(), "none")
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.Symlink(target, file)))
		if _, err := AddHook(t.Context(), dir, program); !errors.Is(err, fs.ErrExist) {
			t.Errorf("got %v", err)
		}
		if _, err := os.Stat(target); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("written through the link: %v", err)
		}
	})
}

func TestTheFolderOfTheHooks(t *testing.T) {
	t.Run("a folder below", func(t *testing.T) {
		dir := repository(t)
		below := filepath.Join(dir, "a", "b")
		write(t, filepath.Join(below, "x"), "", 0o644)
		if h := add(t, below); h.File != filepath.Join(dir, ".git", "hooks", "post-commit") || !h.Changed {
			t.Errorf("%+v", h)
		}
	})
	t.Run("core.hooksPath", func(t *testing.T) {
		dir := repository(t)
		git(t, dir, "config", "core.hooksPath", ".githooks")
		below, file := filepath.Join(dir, "a"), filepath.Join(dir, ".githooks", "post-commit")
		write(t, filepath.Join(below, "x"), "", 0o644)
		if h := add(t, below); h.File != file || h.Changed || !strings.HasPrefix(h.Add, "(hebb init") {
			t.Errorf("%+v", h)
		}
		write(t, file, strings.TrimSuffix(hookBegin, " ")+hookEnd, 0o755) // as an earlier hebb did
		if h := remove(t, below); h.File != file || !h.Changed {
			t.Errorf("%+v", h)
		}
	})
	t.Run("core.hooksPath names the own folder", func(t *testing.T) {
		dir := repository(t)
		git(t, dir, "config", "core.hooksPath", ".git/hooks")
		if h := add(t, dir); !h.Changed {
			t.Errorf("%+v", h)
		}
	})
	t.Run("a link to a shared folder", func(t *testing.T) {
		dir, shared := repository(t), t.TempDir()
		hooks := filepath.Join(dir, ".git", "hooks")
		must.Do(t, errors.Join(os.RemoveAll(hooks), os.Symlink(shared, hooks)))
		if h := add(t, dir); h.Changed || !strings.HasPrefix(h.Add, "(hebb init") {
			t.Errorf("%+v", h)
		}
	})
	t.Run("a worktree", func(t *testing.T) {
		dir := repository(t)
		git(t, dir, "commit", "-q", "--allow-empty", "-m", "one")
		other := filepath.Join(t.TempDir(), "other")
		git(t, dir, "worktree", "add", "-q", other)
		if h := add(t, other); h.File != filepath.Join(dir, ".git", "hooks", "post-commit") || !h.Changed {
			t.Errorf("%+v", h)
		}
	})
	t.Run("no repository", func(t *testing.T) {
		t.Setenv("GIT_CEILING_DIRECTORIES", os.TempDir())
		dir := t.TempDir()
		if _, err := AddHook(t.Context(), dir, program); !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), dir) {
			t.Errorf("add: %v", err)
		}
		if h, err := RemoveHook(t.Context(), dir); err != nil || h != (Hook{}) {
			t.Errorf("remove: %+v, %v", h, err)
		}
	})
}
