package watch

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
)

// tree is one work tree that is watched.
type tree struct {
	Place
	repo        git.Repo
	own, shared string // git's folders: of the work tree, and of the repository

	tip        string            // the commit that HEAD is at
	operations string            // what git was last seen to be in the middle of
	texts      map[string]string // hashes of the files that are not as committed, as they were last seen
	ignored    map[string]bool   // what git said of files
	files      int

	pending  pending
	gitMoved time.Time // when git's folder changed, until somebody has looked; else zero
	stale    bool      // folders came, or other files are ignored now
	rescan   bool      // changes were missed
	scans    bool      // it is not watched but looked through from time to time
	limit    string    // why, if a limit of the system is the reason
}

// waits reports whether there is something to look at.
func (t *tree) waits() bool { return !t.pending.empty() || !t.gitMoved.IsZero() || t.stale || t.rescan }

// openTree reads how a work tree is now.
func openTree(ctx context.Context, p Place) (*tree, error) {
	t := &tree{Place: p, repo: git.Repo{Root: p.Root}, ignored: map[string]bool{}}
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
	for _, name := range names[:min(len(names), mostPending)] {
		if now, _, ok := t.read(name); ok {
			t.texts[name] = now.hash
		}
	}
	return err
}

func (t *tree) uncommitted(ctx context.Context) ([]string, error) {
	names, err := t.repo.Uncommitted(ctx)
	for i, name := range names {
		if names[i], err = memory.UnescapePath(name); err != nil {
			return nil, err
		}
	}
	return names, err
}

// missed are the files that may have changed while nobody watched.
func (t *tree) missed(ctx context.Context) ([]string, error) {
	names, err := t.uncommitted(ctx)
	for name := range t.texts {
		names = append(names, name)
	}
	return names, err
}

// folders are those that hold files which git does not ignore, and how many files these are.
func (t *tree) folders(ctx context.Context) (map[string][]string, int, error) {
	names, err := t.repo.Files(ctx)
	if err != nil {
		return nil, 0, err
	}
	below := map[string][]string{".": nil}
	for _, name := range names {
		folder := path.Dir(name)
		below[folder] = append(below[folder], name)
		for _, known := below[path.Dir(folder)]; !known; _, known = below[path.Dir(folder)] {
			folder = path.Dir(folder)
			below[folder] = nil
		}
	}
	return below, len(names), nil
}

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
	hash    string
	written time.Time
}

// changes are those of some files that have another text than when they were last seen, and not one that git has written.
func (t *tree) changes(ctx context.Context, names []string) (list []change, err error) {
	var asked []string
	now := map[string]text{}
	written := map[string]time.Time{}
	for _, name := range names {
		text, at, ok := t.read(name)
		if ok && t.texts[name] != text.hash {
			asked = append(asked, name)
			now[name], written[name] = text, at
		}
	}
	blobs, err := t.repo.Blobs(ctx, asked)
	if err != nil || len(asked) == 0 {
		return nil, err
	}
	var index time.Time
	if info, err := os.Stat(filepath.Join(t.own, "index")); err == nil {
		index = info.ModTime()
	}
	for _, name := range asked {
		blob, known := blobs[name]
		if now[name].is(blob.Head) {
			delete(t.texts, name)
		} else {
			t.texts[name] = now[name].hash
		}
		if known && !writtenByGit(now[name], blob, written[name], index) {
			list = append(list, change{name: name, hash: now[name].hash, written: written[name]})
		}
	}
	return list, nil
}

// notIgnored are those of some files that may be a person's: git does not ignore them, and their names do not say that a tool wrote them.
func (t *tree) notIgnored(ctx context.Context, names []string) (kept []string, err error) {
	var asked []string
	for _, name := range names {
		if _, known := t.ignored[name]; !known && !notByHand(name) {
			asked = append(asked, name)
		}
	}
	ignored, err := t.repo.Ignored(ctx, asked)
	if err != nil {
		return nil, err
	}
	if len(t.ignored) > 10*mostPending {
		clear(t.ignored)
	}
	for _, name := range asked {
		t.ignored[name] = ignored[name]
	}
	for _, name := range names {
		if ignored, known := t.ignored[name]; known && !ignored {
			kept = append(kept, name)
		}
	}
	return kept, nil
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
