package git

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"testing"
)

func TestIgnoredBlobsAndFolders(t *testing.T) {
	ctx, r := context.Background(), newRepo(t)
	repo := Repo{Root: r.dir}
	if blobs, err := repo.Blobs(ctx, []string{"a.go"}); err != nil || blobs["a.go"] != (Blob{}) {
		t.Errorf("without a commit: %+v, %v", blobs, err)
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
	blobs, err := repo.Blobs(ctx, []string{"a.go", "two\nlines", "x ü.go", "new.go"})
	want := map[string]Blob{
		"a.go":   {Head: r.git("rev-parse", "HEAD:a.go"), Index: r.git("rev-parse", ":a.go")},
		"x ü.go": {Head: r.git("rev-parse", "HEAD:a.go"), Index: r.git("rev-parse", "HEAD:a.go")},
		"new.go": {},
	}
	if err != nil || !maps.Equal(blobs, want) {
		t.Errorf("blobs: %+v, %v, want %+v", blobs, err, want)
	}
	side := filepath.Join(t.TempDir(), "side")
	r.git("worktree", "add", "-q", side)
	own, shared, err := Repo{Root: side}.Folders(ctx)
	if err != nil || own != filepath.Join(r.dir, ".git", "worktrees", "side") || shared != filepath.Join(r.dir, ".git") {
		t.Errorf("folders: %s, %s, %v", own, shared, err)
	}
}
