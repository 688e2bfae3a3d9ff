package git

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Ignored reports which of some files git ignores. They are named as Files names them. What is tracked is not ignored.
func (g Repo) Ignored(ctx context.Context, names []string) (map[string]bool, error) {
	ignored := map[string]bool{}
	if len(names) == 0 {
		return ignored, nil
	}
	out, err := g.ask(ctx, strings.NewReader(strings.Join(names, "\x00")+"\x00"), "check-ignore", "-z", "--stdin")
	if saidNo(err) {
		return ignored, nil
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		ignored[name] = true
	}
	return ignored, err
}

// Committed returns the hashes of the texts that some files have in the last commit. They are named as Files names them; those that are not in it,
// and names with line breaks, are missing.
func (g Repo) Committed(ctx context.Context, names []string) (map[string]string, error) {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return strings.Contains(name, "\n") })
	if len(names) == 0 {
		return nil, nil
	}
	questions := "HEAD:./" + strings.Join(names, "\nHEAD:./") + "\n"
	out, err := g.ask(ctx, strings.NewReader(questions), "cat-file", "--batch-check=%(objectname)")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != len(names) {
		return nil, fmt.Errorf("look up %d files in %s: git answered %d lines: %w", len(names), g.Root, len(lines), memory.ErrInvalid)
	}
	found := map[string]string{}
	for i, name := range names {
		if isHash(lines[i]) { // else it is missing
			found[name] = lines[i]
		}
	}
	return found, nil
}

// Folders are where git keeps the state of this work tree, and what all work trees of the repository share.
func (g Repo) Folders(ctx context.Context) (own, shared string, err error) {
	out, err := g.ask(ctx, nil, "rev-parse", "--absolute-git-dir", "--git-common-dir")
	if err != nil {
		return "", "", err
	}
	own, shared, _ = strings.Cut(strings.TrimRight(out, "\r\n"), "\n")
	if own, shared = filepath.FromSlash(own), filepath.FromSlash(shared); !filepath.IsAbs(shared) {
		shared = filepath.Join(g.Root, shared)
	}
	return own, shared, nil
}
