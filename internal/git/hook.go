package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// hookCommand is what the hook runs: learn new commits of a known project, silently.
const hookCommand = "init --from-git-hook"

// The hook that hebb writes, but for the path of the program that is tried after hebb. Its subshell ends at once and exits 0,
// also without hebb on this machine.
const (
	hookBegin = `#!/bin/sh
# >>> hebb made this hook, which learns new commits in the background; hebb init --undo takes it out >>>
(
	for hebb in hebb `
	hookEnd = `; do
		if command -v "$hebb" >/dev/null 2>&1; then
			"$hebb" ` + hookCommand + ` </dev/null >/dev/null 2>&1 &
			break
		fi
	done
) || :
# <<< hebb <<<
`
)

// Hook is the post-commit hook of a repository.
type Hook struct {
	File    string `json:"file,omitempty"` // empty without a repository
	Changed bool   `json:"changed"`        // it was written or deleted
	Calls   bool   `json:"calls"`          // it calls hebb
	Add     string `json:"add,omitempty"`  // the line that makes a hook of somebody else call hebb
}

// AddHook writes the hook that calls hebb after each commit; program is used if hebb is not on PATH. A hook that is there and a
// folder of hooks that others may use stay as they are.
func AddHook(ctx context.Context, dir, program string) (Hook, error) {
	h, own, err := findHook(ctx, dir)
	if err != nil {
		return h, err
	}
	text, err := filesys.ReadFile(h.File)
	switch h.Calls = strings.Contains(string(text), hookCommand); {
	case h.Calls:
		return h, nil
	case !own:
		program = "hebb" // paths of this machine are nothing to others
	case errors.Is(err, fs.ErrNotExist):
		h.Changed, h.Calls = true, true
		return h, writeHook(h.File, hookBegin+quote(program)+hookEnd)
	default:
		program = quote(program)
	}
	h.Add = "(" + program + " " + hookCommand + " </dev/null >/dev/null 2>&1 &)"
	return h, nil
}

// writeHook makes the file of a hook, unless there is one by now.
func writeHook(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("git hook: %w", err)
	}
	f, err := filesys.Open(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return fmt.Errorf("git hook: %w", err)
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// RemoveHook deletes the hook if hebb wrote all of it. Without a repository around dir it does nothing.
func RemoveHook(ctx context.Context, dir string) (Hook, error) {
	h, _, err := findHook(ctx, dir)
	if errors.Is(err, memory.ErrNotFound) {
		return Hook{}, nil
	}
	if err != nil {
		return h, err
	}
	raw, err := filesys.ReadFile(h.File)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	text := string(raw)
	begin, end := strings.TrimSuffix(hookBegin, " "), hookEnd // in a shared folder an earlier hebb wrote no path
	if strings.HasPrefix(text, begin) && strings.HasSuffix(text, end) && strings.Count(text, "\n") == strings.Count(begin+end, "\n") {
		h.Changed = true
		return h, filesys.Remove(h.File)
	}
	h.Calls = strings.Contains(text, hookCommand)
	return h, err
}

// findHook finds the file of the hook. own: it is in the repository's own folder, not in one that a setting or a link leads to.
func findHook(ctx context.Context, dir string) (h Hook, own bool, err error) {
	here := Repo{Root: dir}
	top, err := here.ask(ctx, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return h, false, err
	}
	here.Root = filepath.FromSlash(strings.TrimRight(top, "\r\n")) // what git answers below counts from there
	common, err := here.ask(ctx, nil, "rev-parse", "--git-common-dir")
	if err != nil {
		return h, false, err
	}
	set, err := here.ask(ctx, nil, "config", "--type=path", "--get-all", "core.hooksPath")
	if err != nil {
		return h, false, err
	}
	folder := here.within(strings.TrimRight(common, "\r\n"), "hooks")
	info, err := os.Lstat(folder)
	own = err != nil || info.IsDir()
	if values := strings.Split(strings.TrimSpace(set), "\n"); len(values) > 1 { // the last one is Command's
		named := here.within(strings.TrimSpace(values[len(values)-2]))
		own, folder = own && named == folder, named
	}
	return Hook{File: filepath.Join(folder, "post-commit")}, own, nil
}

// within is a path that counts from the folder of the repository.
func (g Repo) within(path string, more ...string) string {
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(g.Root, path)
	}
	return filepath.Join(append([]string{path}, more...)...)
}

// quote quotes a path for sh. On Windows that is git's sh, which needs forward slashes.
func quote(path string) string {
	if len(path) > 1 && path[1] == ':' {
		path = strings.ReplaceAll(path, `\`, "/")
	}
	return `'` + strings.ReplaceAll(path, `'`, `'\''`) + `'`
}
