package git

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"testing"
)

func TestWhatIsIgnoredAndCommittedAndWhereGitKeepsItsState(t *testing.T) {
	ctx, r := context.Background(), newRepo(t)
	repo := Repo{Root: r.dir}
	if texts, err := repo.Committed(ctx, []string{"a.go"}); err != nil || len(texts) != 0 {
		t.Errorf("without a commit: %v, %v", texts, err)
	}
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
	texts, err := repo.Committed(ctx, []string{"a.go", "two\nlines", "x ü.go", "new.go"})
	text := r.git("rev-parse", "HEAD:a.go")
	if want := map[string]string{"a.go": text, "x ü.go": text}; err != nil || !maps.Equal(texts, want) {
		t.Errorf("committed: %v, %v, want %v", texts, err, want)
	}
	side := filepath.Join(t.TempDir(), "side")
	r.git("worktree", "add", "-q", side)
	f, err := Repo{Root: side}.Folders(ctx)
	if err != nil || f.Own != filepath.Join(r.dir, ".git", "worktrees", "side") || f.Shared != filepath.Join(r.dir, ".git") {
		t.Errorf("folders: %+v, %v", f, err)
	}
}
