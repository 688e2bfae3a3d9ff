package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	hookName = "post-commit"
	hookMode = 0o755
	dirMode  = 0o755
	executes = 0o111
)

// HookChange is one edit of a hook, planned and not made.
type HookChange struct {
	File string
	Old  []byte // nil: there is no hook
	New  []byte // nil: the hook is removed
}

// Empty reports whether there is nothing to do.
func (c HookChange) Empty() bool {
	return bytes.Equal(c.Old, c.New) && (c.Old == nil) == (c.New == nil)
}

// PlanHook plans the edit that makes the repository around dir call hebb after each commit. program is used if hebb is not on PATH.
// Planning it again after Apply gives an empty change.
func PlanHook(ctx context.Context, dir, program string) (HookChange, error) {
	c, private, err := read(ctx, dir)
	if err != nil {
		return HookChange{}, err
	}
	if !private {
		program = "" // a shared folder must not contain paths of this machine
	}
	if c.Old == nil {
		c.New = join(newHook, block(madeMark, program), "")
		return c, nil
	}
	if err := c.check(); err != nil {
		return HookChange{}, err
	}
	before, mark, after, ok := split(c.Old)
	if !ok {
		return HookChange{}, c.wrong("has a part of hebb without its end", memory.ErrInvalid)
	}
	if mark == "" { // after the first line: a hook may end with exit or exec
		end := strings.IndexByte(before, '\n') + 1
		if end == 0 {
			end = len(before)
		}
		before, mark, after = before[:end], addedMark, before[end:]
	}
	c.New = join(before, block(mark, program), after)
	return c, nil
}

// PlanHookRemoval plans the edit that removes hebb again. Where nothing else has changed since, the hook is restored byte for byte, and a
// hook that hebb made is deleted. Without a repository around dir the change is empty.
func PlanHookRemoval(ctx context.Context, dir string) (HookChange, error) {
	c, _, err := read(ctx, dir)
	if errors.Is(err, memory.ErrNotFound) {
		return HookChange{}, nil
	}
	if err != nil || c.Old == nil {
		return c, err
	}
	before, mark, after, ok := split(c.Old)
	switch {
	case !ok:
		return HookChange{}, c.wrong("has a part of hebb without its end", memory.ErrInvalid)
	case mark == "":
		c.New = c.Old
	case mark == madeMark && before+after == newHook:
		c.New = nil
	default:
		c.New = []byte(before + after)
	}
	return c, nil
}

// read finds the hook of a repository. private: it is in the repository's own folder, not in one that core.hooksPath names.
func read(ctx context.Context, dir string) (c HookChange, private bool, err error) {
	top, err := ask(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return c, false, err
	}
	common, err := ask(ctx, top, "rev-parse", "--git-common-dir")
	if err != nil {
		return c, false, err
	}
	folder, err := hooksPath(ctx, top)
	if err != nil {
		return c, false, err
	}
	own := filepath.Join(within(top, common), "hooks")
	if folder == "" {
		folder = own
	}
	c.File = filepath.Join(within(top, folder), hookName) // core.hooksPath is relative to the top
	private = within(top, folder) == own
	if c.Old, err = filesys.ReadFile(c.File); errors.Is(err, fs.ErrNotExist) {
		return c, private, nil
	}
	return c, private, err
}

// hooksPath returns core.hooksPath without the last value, which gitcmd sets.
func hooksPath(ctx context.Context, top string) (string, error) {
	out, err := ask(ctx, top, "config", "--type=path", "--get-all", "core.hooksPath")
	if err != nil {
		return "", err
	}
	values := strings.Split(out, "\n")
	if len(values) < 2 {
		return "", nil
	}
	return strings.TrimSpace(values[len(values)-2]), nil
}

func within(top, path string) string {
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(top, path)
	}
	return filepath.Clean(path)
}

// ask runs git and returns its output without the line end.
func ask(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := Command(ctx, "", dir, args...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("git hook: there is no git program: %w", memory.ErrNotFound)
	case err != nil && strings.Contains(complaint.String(), "not a git repository"):
		return "", fmt.Errorf("git hook: no git repository in %s or above: %w", dir, memory.ErrNotFound)
	case err != nil:
		return "", fmt.Errorf("git hook: git %s in %s: %s: %w", args[0], dir, strings.TrimSpace(complaint.String()), err)
	}
	return strings.TrimRight(string(out), "\r\n"), nil
}

// check refuses a hook that is not an editable shell script.
func (c HookChange) check() error {
	info, err := os.Lstat(c.File)
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(c.Old), "\n")
	switch {
	case !info.Mode().IsRegular():
		return c.wrong("is a link, and its target may be used elsewhere", memory.ErrRefused)
	case runtime.GOOS != "windows" && info.Mode().Perm()&executes == 0:
		return c.wrong("is not executable, so git does not run it", memory.ErrRefused)
	case !isShell(first):
		return c.wrong(fmt.Sprintf("is not a shell script (its first line is %q)", cut(first)), memory.ErrRefused)
	}
	return nil
}

// wrong is an error that names the alternative.
func (c HookChange) wrong(what string, kind error) error {
	return fmt.Errorf("git hook: %s %s; let it run %q instead: %w", c.File, what, "hebb "+hookCommand, kind)
}

// cut shortens a line for an error.
func cut(line string) string {
	const most = 60
	return strings.ToValidUTF8(line[:min(len(line), most)], "")
}

// isShell recognises the first line of a shell script: #!/bin/sh -e, #!/usr/bin/env bash.
func isShell(first string) bool {
	command, ok := strings.CutPrefix(first, "#!")
	if !ok {
		return false
	}
	words := strings.Fields(command)
	if len(words) > 1 && filepath.Base(words[0]) == "env" {
		words = words[1:]
		if len(words) > 1 && words[0] == "-S" {
			words = words[1:]
		}
	}
	return len(words) > 0 && slices.Contains([]string{"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh"}, filepath.Base(words[0]))
}

// Apply makes the edit atomically. It fails if the hook has changed since the plan.
func (c HookChange) Apply() error {
	if c.Empty() {
		return nil
	}
	if err := c.apply(); err != nil {
		return fmt.Errorf("git hook: %s: %w", c.File, err)
	}
	return nil
}

func (c HookChange) apply() error {
	mode := fs.FileMode(hookMode)
	now, err := filesys.ReadFile(c.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !bytes.Equal(now, c.Old) || (err == nil) != (c.Old != nil) {
		return fmt.Errorf("changed since the plan: %w", memory.ErrConflict)
	}
	if c.New == nil {
		return filesys.Remove(c.File)
	}
	if info, err := os.Stat(c.File); err == nil {
		mode = info.Mode().Perm()
	}
	return replace(c.File, c.New, mode)
}

// replace writes a temporary file and renames it.
func replace(name string, content []byte, mode fs.FileMode) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), dirMode); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), hookName+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = filesys.Remove(f.Name()) // the first error counts
		}
	}()
	_, err = f.Write(content)
	if err = errors.Join(err, f.Chmod(mode), f.Close()); err != nil {
		return err
	}
	return filesys.Rename(f.Name(), name)
}
