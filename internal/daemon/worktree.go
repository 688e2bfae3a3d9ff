package daemon

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
)

// tree is one work tree that is watched.
type tree struct {
	WorkTree
	repo git.Repo
	git  git.Folders

	tip        string    // the commit that HEAD is at
	operations string    // what git was last seen to be in the middle of
	moved      time.Time // when git was last seen to have changed the work tree
	looked     time.Time // when the files that are not as committed were last looked through
	files      int
	recorded   map[string]time.Time // when files were written that have an edit

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
func openTree(ctx context.Context, p WorkTree, now time.Time) (*tree, error) {
	t := &tree{WorkTree: p, repo: git.Repo{Root: p.Root}, pending: pending{}, looked: now, recorded: map[string]time.Time{}}
	var err error
	if t.git, err = t.repo.Folders(ctx); err != nil {
		return nil, err
	}
	t.operations = t.git.Operations()
	t.tip, err = t.repo.Tip(ctx)
	return t, err
}

// missed names the files that are not as committed and were written since the last time.
func (t *tree) missed(ctx context.Context, now time.Time) (names []string, err error) {
	uncommitted, err := t.repo.Uncommitted(ctx)
	for _, name := range uncommitted {
		if name, err = memory.UnescapePath(name); err != nil {
			return nil, err
		}
		info, err := os.Lstat(filepath.Join(t.Root, filepath.FromSlash(name)))
		if err == nil && info.ModTime().After(t.looked.Add(-coarse)) {
			names = append(names, name)
		}
	}
	t.looked = now
	return names, err
}

// mostLooked is how many changed files are looked at. More at a time are nobody's edits.
const mostLooked = 1000

const (
	textLimit = 4 << 20               // size beyond which nobody types a file
	coarse    = 20 * time.Millisecond // the clocks of file systems are
)

// written are those of some files that somebody has written since git did and since they were asked for last, and when.
func (t *tree) written(names []string, now time.Time) map[string]time.Time {
	found := map[string]time.Time{}
	for _, name := range names {
		info, err := os.Lstat(filepath.Join(t.Root, filepath.FromSlash(name)))
		if err != nil || !info.Mode().IsRegular() || info.Size() > textLimit || info.ModTime().Before(t.moved) || info.ModTime().Equal(t.recorded[name]) {
			continue
		}
		found[name], t.recorded[name] = info.ModTime(), info.ModTime()
		if age := now.Sub(info.ModTime()); age < 0 || age > time.Minute { // a copy may have the time of what it is a copy of
			found[name] = now
		}
	}
	return found
}

// notIgnored are those of some files that may be a person's: git does not ignore them, and their names do not say that a tool wrote them.
func (t *tree) notIgnored(ctx context.Context, names []string) ([]string, error) {
	names = slices.DeleteFunc(names, notByHand)
	ignored, err := t.repo.Ignored(ctx, names)
	return slices.DeleteFunc(names, func(name string) bool { return ignored[name] }), err
}
