package git

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"testing"
)

func TestWhatIsIgnoredAndWhereGitKeepsItsState(t *testing.T) {
	ctx, r := context.Background(), newRepo(t)
	repo := Repo{Root: r.dir}
	r.write(".gitignore", "*.log\nbuild/\n")
	for _, name := range []string{"a.go", "kept.log", "x ü.go"} {
		r.write(name, "package a\n")
	}
	r.git("add", "-f", ".")
	r.git("commit", "-q", "-m", "first")
	r.write("a.go", "package b\n")
	r.git("add", "a.go")
	ignored, err := repo.Ignored(ctx, []string{"a.go", "new.go", "no.log", "kept.log", "build/out.go", "two\nlines.log"})
	if got := slices.Sorted(maps.Keys(ignored)); err != nil || !slices.Equal(got, []string{"build/out.go", "no.log", "two\nlines.log"}) {
		t.Errorf("ignored: %q, %v", got, err)
	}
	if ignored, err := repo.Ignored(ctx, []string{"a.go"}); err != nil || len(ignored) != 0 {
		t.Errorf("none of them: %v, %v", ignored, err)
	}
	side := filepath.Join(t.TempDir(), "side")
	r.git("worktree", "add", "-q", side)
	f, err := Repo{Root: side}.Folders(ctx)
	if err != nil || f.Own != filepath.Join(r.dir, ".git", "worktrees", "side") || f.Shared != filepath.Join(r.dir, ".git") {
		t.Errorf("folders: %+v, %v", f, err)
	}
}
