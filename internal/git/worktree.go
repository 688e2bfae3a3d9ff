package git

import (
	"context"
	"fmt"
	"path/filepath"
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

// Blob is a file as git has it: the hashes of its text in the last commit and in the index, empty where it is in neither.
type Blob struct{ Head, Index string }

// Blobs looks some files up, which are named as Files names them. Names with line breaks are not looked up.
func (g Repo) Blobs(ctx context.Context, names []string) (map[string]Blob, error) {
	var questions strings.Builder
	var asked []string
	for _, name := range names {
		if !strings.ContainsAny(name, "\n") {
			asked = append(asked, name)
			questions.WriteString("HEAD:./" + name + "\n:./" + name + "\n")
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	out, err := g.ask(ctx, strings.NewReader(questions.String()), "cat-file", "--batch-check=%(objectname)")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 2*len(asked) {
		return nil, fmt.Errorf("look up %d files in %s: git answered %d lines: %w", len(asked), g.Root, len(lines), memory.ErrInvalid)
	}
	found := make(map[string]Blob, len(asked))
	hash := func(line string) string {
		if isHash(line) {
			return line
		}
		return "" // "… missing"
	}
	for i, name := range asked {
		found[name] = Blob{Head: hash(lines[2*i]), Index: hash(lines[2*i+1])}
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
