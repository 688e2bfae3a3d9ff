package daemon

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
)

// tree is one work tree that is watched.
type tree struct {
	WorkTree
	repo        git.Repo
	own, shared string // git's folders: of the work tree, and of the repository

	tip        string            // the commit that HEAD is at
	operations string            // what git was last seen to be in the middle of
	texts      map[string]string // hashes of the files that are not as committed, as they were last seen
	files      int

	pending  pending
	gitMoved bool   // git's folder changed
	stale    bool   // folders came
	rescan   bool   // changes were missed
	failed   bool   // the last look did, and changes may be missed
	scans    bool   // it is not watched but looked through from time to time
	limit    string // why, if a limit of the system is the reason
}

// waits reports whether there is something to look at.
func (t *tree) waits() bool { return len(t.pending) > 0 || t.gitMoved || t.stale || t.rescan }

// openTree reads how a work tree is now.
func openTree(ctx context.Context, p WorkTree) (*tree, error) {
	t := &tree{WorkTree: p, repo: git.Repo{Root: p.Root}, pending: pending{}}
	var err error
	if t.own, t.shared, err = t.repo.Folders(ctx); err != nil {
		return nil, err
	}
	if t.tip, err = t.repo.Tip(ctx); err != nil {
		return nil, err
	}
	t.operations = t.operationsNow()
	return t, t.remember(ctx)
}

// remember takes the work tree as it is for known.
func (t *tree) remember(ctx context.Context) error {
	names, err := t.uncommitted(ctx)
	t.texts = map[string]string{}
	for _, name := range names[:min(len(names), mostLooked)] {
		if now, _, ok := t.read(name); ok {
			t.texts[name] = now.hash
		}
	}
	return err
}

// uncommitted names the files that are not as committed.
func (t *tree) uncommitted(ctx context.Context) ([]string, error) {
	names, err := t.repo.Uncommitted(ctx)
	for i, name := range names {
		if names[i], err = memory.UnescapePath(name); err != nil {
			return nil, err
		}
	}
	return names, err
}

// mostLooked is how many changed files are looked at. More at a time are nobody's edits.
const mostLooked = 1000

// textLimit is the size beyond which nobody types a file.
const textLimit = 4 << 20

// glance is how much of a file shows whether it is text, as git decides it.
const glance = 8000

// read returns the text of a file and when it was written; ok is false if it is not a text.
func (t *tree) read(name string) (now text, written time.Time, ok bool) {
	file := filepath.Join(t.Root, filepath.FromSlash(name))
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > textLimit {
		return now, written, false
	}
	data, err := filesys.ReadFile(file)
	if err != nil || bytes.IndexByte(data[:min(len(data), glance)], 0) >= 0 {
		return now, written, false
	}
	const longHash = 64
	return textOf(data, len(t.tip) == longHash), info.ModTime(), true
}

// change is a file with another text than before.
type change struct {
	name    string
	text    text
	written time.Time
}

// changes are those of some files that have another text than when they were last seen, and not the committed one, which git has written.
func (t *tree) changes(ctx context.Context, names []string) (list []change, err error) {
	var asked []string
	for _, name := range names {
		if text, at, ok := t.read(name); ok && t.texts[name] != text.hash {
			asked, list = append(asked, name), append(list, change{name, text, at})
		}
	}
	committed, err := t.repo.Committed(ctx, asked)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(c change) bool {
		if c.text.is(committed[c.name]) {
			delete(t.texts, c.name)
			return true
		}
		t.texts[c.name] = c.text.hash
		return false
	}), nil
}

// notIgnored are those of some files that may be a person's: git does not ignore them, and their names do not say that a tool wrote them.
func (t *tree) notIgnored(ctx context.Context, names []string) ([]string, error) {
	names = slices.DeleteFunc(names, notByHand)
	ignored, err := t.repo.Ignored(ctx, names)
	return slices.DeleteFunc(names, func(name string) bool { return ignored[name] }), err
}

// lockAge is how old a lock of git's index is at most. An older one was left by a git that was killed.
const lockAge = 10 * time.Minute

// gitWorks reports whether git is changing the work tree now, or was until a moment ago: it locks the index first, and moves HEAD after it
// has written the index.
func (t *tree) gitWorks(quiet time.Duration, now time.Time) bool {
	younger := func(name string, than time.Duration) bool {
		info, err := os.Stat(filepath.Join(t.own, name))
		return err == nil && now.Sub(info.ModTime()) < than
	}
	return younger("index.lock", lockAge) || younger("index", quiet)
}

// operationsNow says how far the operations of git are that leave texts in the work tree which no commit has: merges, rebases, stashes. If it
// differs from before, git has been at work.
func (t *tree) operationsNow() string {
	var b strings.Builder
	for _, file := range []string{
		filepath.Join(t.own, "ORIG_HEAD"), filepath.Join(t.own, "MERGE_HEAD"), filepath.Join(t.own, "CHERRY_PICK_HEAD"), filepath.Join(t.own, "REVERT_HEAD"),
		filepath.Join(t.own, "SQUASH_MSG"), filepath.Join(t.own, "rebase-merge"), filepath.Join(t.own, "rebase-apply"), filepath.Join(t.shared, "refs", "stash"),
	} {
		if info, err := os.Stat(file); err == nil {
			fmt.Fprintf(&b, "%s %d\n", filepath.Base(file), info.ModTime().UnixNano())
		}
	}
	return b.String()
}
