package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
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

// Folders are where git keeps the state of a work tree, and what all work trees of the repository share.
type Folders struct{ Own, Shared string }

// Folders returns those of the work tree.
func (g Repo) Folders(ctx context.Context) (f Folders, err error) {
	out, err := g.ask(ctx, nil, "rev-parse", "--absolute-git-dir", "--git-common-dir")
	if err != nil {
		return f, err
	}
	own, shared, _ := strings.Cut(strings.TrimRight(out, "\r\n"), "\n")
	f = Folders{Own: filepath.FromSlash(own), Shared: filepath.FromSlash(shared)}
	if !filepath.IsAbs(f.Shared) {
		f.Shared = filepath.Join(g.Root, f.Shared)
	}
	return f, nil
}

// lockAge is how old a lock of git's index is at most. An older one was left by a git that was killed.
const lockAge = 10 * time.Minute

// Works reports whether git is changing the work tree now, or was until a moment ago: it locks the index first, and moves HEAD after it
// has written the index.
func (f Folders) Works(quiet time.Duration, now time.Time) bool {
	younger := func(name string, than time.Duration) bool {
		info, err := os.Stat(filepath.Join(f.Own, name))
		return err == nil && now.Sub(info.ModTime()) < than
	}
	return younger("index.lock", lockAge) || younger("index", quiet)
}

// Operations says how far the operations of git are that leave texts in the work tree which no commit has: merges, rebases, stashes. If it
// differs from before, git has been at work.
func (f Folders) Operations() string {
	var b strings.Builder
	note := func(file string) {
		if info, err := os.Stat(file); err == nil {
			fmt.Fprintf(&b, "%s %d\n", filepath.Base(file), info.ModTime().UnixNano())
		}
	}
	for _, name := range []string{
		"ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "SQUASH_MSG", "rebase-merge", "rebase-apply",
	} {
		note(filepath.Join(f.Own, name))
	}
	note(filepath.Join(f.Shared, "refs", "stash"))
	return b.String()
}
