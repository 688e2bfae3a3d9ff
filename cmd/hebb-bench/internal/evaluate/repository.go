package evaluate

import (
	"context"
	"iter"
	"os"
	"path/filepath"

	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/replay"
)

// commitsOf yields the commits of a history file, or of the git repository a folder is in.
func commitsOf(ctx context.Context, path string) iter.Seq2[Commit, error] {
	if !isFolder(path) {
		return ReadCommits(path)
	}
	return replay.History(ctx, git.Repo{Root: path})
}

// countCommits counts what commitsOf yields.
func countCommits(ctx context.Context, path string) (int, error) {
	if isFolder(path) {
		return git.Repo{Root: path}.Count(ctx, "")
	}
	return countLines(path)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// absolute names a folder by its full path, so that "." has a name too.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil && isFolder(path) {
		return full
	}
	return path
}
