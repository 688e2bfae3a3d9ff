package daemon

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
)

// tree is one work tree that is watched.
type tree struct {
	WorkTree
	repo git.Repo
	git  git.Folders

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
	if t.git, err = t.repo.Folders(ctx); err != nil {
		return nil, err
	}
	if t.tip, err = t.repo.Tip(ctx); err != nil {
		return nil, err
	}
	t.operations = t.git.Operations()
	return t, t.remember(ctx)
}

// remember takes the work tree as it is for known.
func (t *tree) remember(ctx context.Context) error {
	names, err := t.uncommitted(ctx)
	t.texts = map[string]string{}
	for _, name := range names[:min(len(names), mostLooked)] {
		if now, _, ok := t.read(name); ok {
			t.texts[name] = now.Hash
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

const (
	textLimit = 4 << 20 // size beyond which nobody types a file
	glance    = 8000    // how much of a file shows whether it is text, as git decides it
	longHash  = 64      // digits of SHA-256
)

// read returns the text of a file and when it was written; ok is false if it is not a text.
func (t *tree) read(name string) (now git.Text, written time.Time, ok bool) {
	file := filepath.Join(t.Root, filepath.FromSlash(name))
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > textLimit {
		return now, written, false
	}
	data, err := filesys.ReadFile(file)
	if err != nil || bytes.IndexByte(data[:min(len(data), glance)], 0) >= 0 {
		return now, written, false
	}
	return git.TextOf(data, len(t.tip) == longHash), info.ModTime(), true
}

// change is a file with another text than before.
type change struct {
	name    string
	text    git.Text
	written time.Time
}

// changes are those of some files that have another text than when they were last seen, and not the committed one, which git has written.
func (t *tree) changes(ctx context.Context, names []string) (list []change, err error) {
	var asked []string
	for _, name := range names {
		if text, at, ok := t.read(name); ok && t.texts[name] != text.Hash {
			asked, list = append(asked, name), append(list, change{name, text, at})
		}
	}
	committed, err := t.repo.Committed(ctx, asked)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(c change) bool {
		if c.text.Is(committed[c.name]) {
			delete(t.texts, c.name)
			return true
		}
		t.texts[c.name] = c.text.Hash
		return false
	}), nil
}

// notIgnored are those of some files that may be a person's: git does not ignore them, and their names do not say that a tool wrote them.
func (t *tree) notIgnored(ctx context.Context, names []string) ([]string, error) {
	names = slices.DeleteFunc(names, notByHand)
	ignored, err := t.repo.Ignored(ctx, names)
	return slices.DeleteFunc(names, func(name string) bool { return ignored[name] }), err
}
