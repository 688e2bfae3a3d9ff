package evaluate

import (
	"context"
	"iter"
	"os"
	"path/filepath"

	"github.com/hebb-memory/hebb/internal/bootstrap"
)

// commitsOf yields the commits of a history file, or of the git repository a folder is in.
func commitsOf(ctx context.Context, path string) iter.Seq2[Commit, error] {
	if !isFolder(path) {
		return ReadCommits(path)
	}
	return func(yield func(Commit, error) bool) {
		git := bootstrap.Git{Root: path}
		stopped := false
		err := git.History(ctx, "", func(c bootstrap.Commit) error {
			if !yield(fromGit(c), nil) {
				stopped = true
				return context.Canceled
			}
			return nil
		})
		if err != nil && !stopped {
			yield(Commit{}, err)
		}
	}
}

// countCommits counts what commitsOf yields.
func countCommits(ctx context.Context, path string) (int, error) {
	if isFolder(path) {
		return bootstrap.Git{Root: path}.Count(ctx, "")
	}
	return countLines(path)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func fromGit(c bootstrap.Commit) Commit {
	out := Commit{Hash: c.Hash, At: c.At, Bot: c.Bot, Subject: c.Subject}
	for _, f := range c.Files {
		out.Files = append(out.Files, Change{Path: f.Path, Status: Status(f.Status), Old: f.Old})
	}
	for len(out.Files) < min(c.FileCount, LargestCommit+1) { // more than were kept: it stays a large one
		out.Files = append(out.Files, Change{Status: Added})
	}
	return out
}

// absolute names a folder by its full path, so that "." has a name too.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil && isFolder(path) {
		return full
	}
	return path
}
