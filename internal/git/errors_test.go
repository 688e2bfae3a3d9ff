package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

func TestErrorsNameTheirFix(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(t *testing.T) Repo
		since string
		kind  error
		says  string
	}{
		{"no repository", func(t *testing.T) Repo { return Repo{Root: t.TempDir()} }, "", memory.ErrNotFound, "git init"},
		{"no folder", func(t *testing.T) Repo { return Repo{Root: filepath.Join(t.TempDir(), "gone")} }, "", memory.ErrNotFound, "gone"},
		{"a file", func(t *testing.T) Repo {
			r := newRepo(t)
			r.write("f", "")
			return Repo{Root: filepath.Join(r.dir, "f")}
		}, "", memory.ErrNotFound, "no such folder"},
		{"no git on PATH", func(t *testing.T) Repo {
			r := newRepo(t)
			t.Setenv("PATH", t.TempDir())
			return Repo{Root: r.dir}
		}, "", memory.ErrNotFound, "install git"},
		{"no git where it was said to be", func(t *testing.T) Repo {
			return Repo{Root: newRepo(t).dir, Binary: filepath.Join(t.TempDir(), "git")}
		}, "", memory.ErrNotFound, "install git"},
		{"since is a branch", func(t *testing.T) Repo { return Repo{Root: newRepo(t).dir} }, "main", memory.ErrInvalid, "full commit hash"},
		{"since is an option", func(t *testing.T) Repo { return Repo{Root: newRepo(t).dir} }, "--output=/tmp/x", memory.ErrInvalid, "full commit hash"},
		{"the newest commit is lost", func(t *testing.T) Repo {
			r := newRepo(t)
			hash := r.commit("one", nil, "a")
			lose(t, r, hash)
			return Repo{Root: r.dir}
		}, "", memory.ErrDamaged, "git fsck"},
		{"an old commit is lost", func(t *testing.T) Repo {
			r := newRepo(t)
			hash := r.commit("one", nil, "a")
			r.commit("two", nil, "b")
			lose(t, r, hash)
			return Repo{Root: r.dir}
		}, "", memory.ErrDamaged, "git fsck"},
		{"a tree is lost", func(t *testing.T) Repo {
			r := newRepo(t)
			r.commit("one", nil, "a")
			r.commit("two", nil, "d/b")
			lose(t, r, r.git("rev-parse", "HEAD:d"))
			return Repo{Root: r.dir}
		}, "", memory.ErrDamaged, "git fsck"},
		{"a partial clone without trees asks no network", func(t *testing.T) Repo {
			r := newRepo(t)
			r.commit("one", nil, "d/a")
			r.git("config", "uploadpack.allowFilter", "true")
			clone := filepath.Join(t.TempDir(), "clone")
			r.git("clone", "-q", "--no-checkout", "--filter=tree:0", "file://"+r.dir, clone)
			return Repo{Root: clone}
		}, "", memory.ErrNotFound, "--filter=blob:none"},
		{"a bare repository that the settings refuse", func(t *testing.T) Repo {
			r := newRepo(t)
			r.git("init", "-q", "--bare", "store.git")
			settings := filepath.Join(t.TempDir(), "config")
			must.Do(t, os.WriteFile(settings, []byte("[safe]\n\tbareRepository = explicit\n"), 0o644))
			t.Setenv("GIT_CONFIG_GLOBAL", settings)
			return Repo{Root: filepath.Join(r.dir, "store.git")}
		}, "", memory.ErrRefused, "safe.bareRepository"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := c.build(t)
			err := g.History(context.Background(), c.since, func(Commit) error { return nil })
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v\nwant %q in it and the kind %q", err, c.says, c.kind)
			}
		})
	}
}

// lose takes one loose object out of a repository.
func lose(t *testing.T, r *repo, hash string) {
	t.Helper()
	must.Do(t, os.Remove(filepath.Join(r.dir, ".git", "objects", hash[:2], hash[2:])))
}
