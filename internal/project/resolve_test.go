package project

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// want is a place below the test's folder.
type want struct{ identity, root string }

func TestResolveFindsTheRepositoryAroundAFolder(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(t *testing.T, base string) (dir string, w want)
	}{
		{"the top of a checkout", func(t *testing.T, base string) (string, want) {
			return repository(t, base, "app"), want{"app/.git", "app"}
		}},
		{"a folder deep inside", func(t *testing.T, base string) (string, want) {
			return folder(t, repository(t, base, "app"), "src", "x", "y"), want{"app/.git", "app"}
		}},
		{"a linked worktree shares the identity and has its own root", func(t *testing.T, base string) (string, want) {
			git(t, repository(t, base, "app"), "worktree", "add", "-q", "../feature")
			return filepath.Join(base, "feature", "src"), want{"app/.git", "feature"}
		}},
		{"a worktree of a bare repository", func(t *testing.T, base string) (string, want) {
			repository(t, base, "app")
			git(t, base, "clone", "-q", "--bare", "app", "store.git")
			git(t, filepath.Join(base, "store.git"), "worktree", "add", "-q", "../feature", "main")
			return filepath.Join(base, "feature"), want{"store.git", "feature"}
		}},
		{"a bare repository, from a folder inside it", func(t *testing.T, base string) (string, want) {
			git(t, base, "init", "-q", "--bare", "store.git")
			return filepath.Join(base, "store.git", "hooks"), want{"store.git", "store.git"}
		}},
		{"a hidden bare repository behind a .git file", func(t *testing.T, base string) (string, want) {
			git(t, base, "init", "-q", "--bare", "app/.bare")
			write(t, filepath.Join(base, "app", ".git"), "gitdir: ./.bare\n")
			return filepath.Join(base, "app"), want{"app/.bare", "app"}
		}},
		{"a submodule is a project of its own", func(t *testing.T, base string) (string, want) {
			app := repository(t, base, "app")
			git(t, app, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repository(t, base, "lib"), "deps/lib")
			return filepath.Join(app, "deps", "lib", "src"), want{"app/.git/modules/deps/lib", "app/deps/lib"}
		}},
		{"a clone is another project", func(t *testing.T, base string) (string, want) {
			repository(t, base, "app")
			git(t, base, "clone", "-q", "app", "fork")
			return filepath.Join(base, "fork"), want{"fork/.git", "fork"}
		}},
		{"a git directory kept elsewhere", func(t *testing.T, base string) (string, want) {
			git(t, base, "init", "-q", "--separate-git-dir", "kept", "app")
			return filepath.Join(base, "app"), want{"kept", "app"}
		}},
		{"a checkout reached through a symlink", func(t *testing.T, base string) (string, want) {
			return filepath.Join(link(t, repository(t, base, "app"), filepath.Join(base, "alias")), "src"), want{"app/.git", "app"}
		}},
		{"a worktree that was moved by hand", func(t *testing.T, base string) (string, want) {
			git(t, repository(t, base, "app"), "worktree", "add", "-q", "../feature")
			must.Do(t, os.Rename(filepath.Join(base, "feature"), filepath.Join(base, "moved")))
			return filepath.Join(base, "moved"), want{"app/.git", "moved"}
		}},
		{"the inside of .git belongs to the work tree", func(t *testing.T, base string) (string, want) {
			return filepath.Join(repository(t, base, "app"), ".git", "hooks"), want{"app/.git", "app"}
		}},
		{"a repository without a commit", func(t *testing.T, base string) (string, want) {
			git(t, base, "init", "-q", "app")
			return filepath.Join(base, "app"), want{"app/.git", "app"}
		}},
		{"a deleted folder inside a checkout", func(t *testing.T, base string) (string, want) {
			return filepath.Join(repository(t, base, "app"), "gone", "deeper"), want{"app/.git", "app"}
		}},
		{"a file names the folder it is in", func(t *testing.T, base string) (string, want) {
			return filepath.Join(repository(t, base, "app"), "src", "a.go"), want{"app/.git", "app"}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := tempDir(t)
			dir, w := c.build(t, base)
			check(t, base, dir, w)
		})
	}
}

func TestResolveFallsBackToTheFolder(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(t *testing.T, base string) (dir string, w want)
	}{
		{"a plain folder is its own project", func(t *testing.T, base string) (string, want) {
			return folder(t, base, "notes"), want{"notes", "notes"}
		}},
		{"its sub-folder is another", func(t *testing.T, base string) (string, want) {
			return folder(t, base, "notes", "2026"), want{"notes/2026", "notes/2026"}
		}},
		{"a deleted plain folder keeps its name", func(t *testing.T, base string) (string, want) {
			return filepath.Join(base, "gone", "deeper"), want{"gone/deeper", "gone/deeper"}
		}},
		{"a deleted folder behind a symlink is found by its true name", func(t *testing.T, base string) (string, want) {
			link(t, folder(t, base, "real"), filepath.Join(base, "alias"))
			return filepath.Join(base, "alias", "gone"), want{"real/gone", "real/gone"}
		}},
		{"a .git file that is no pointer", func(t *testing.T, base string) (string, want) {
			write(t, filepath.Join(base, "app", ".git"), "what?\n")
			return folder(t, base, "app", "src"), want{"app", "app"}
		}},
		{"an empty .git file", func(t *testing.T, base string) (string, want) {
			write(t, filepath.Join(base, "app", ".git"), "")
			return filepath.Join(base, "app"), want{"app", "app"}
		}},
		{"a .git file as large as a disk image", func(t *testing.T, base string) (string, want) {
			write(t, filepath.Join(base, "app", ".git"), "gitdir: "+strings.Repeat("x", smallFile))
			return filepath.Join(base, "app"), want{"app", "app"}
		}},
		{"a .git link that leads nowhere", func(t *testing.T, base string) (string, want) {
			link(t, "/nowhere/at/all", filepath.Join(folder(t, base, "app"), ".git"))
			return filepath.Join(base, "app"), want{"app", "app"}
		}},
		{"an empty .git folder is passed over", func(t *testing.T, base string) (string, want) {
			app := repository(t, base, "app")
			folder(t, app, "src", ".git")
			return filepath.Join(app, "src"), want{"app/.git", "app"}
		}},
		{"a worktree whose repository vanished", func(t *testing.T, base string) (string, want) {
			app := repository(t, base, "app")
			git(t, app, "worktree", "add", "-q", "../feature")
			remove(t, app)
			return filepath.Join(base, "feature", "src"), want{"feature", "feature"}
		}},
		{"a worktree that its repository no longer knows", func(t *testing.T, base string) (string, want) {
			app := repository(t, base, "app")
			git(t, app, "worktree", "add", "-q", "../feature")
			remove(t, filepath.Join(app, ".git", "worktrees"))
			return filepath.Join(base, "feature"), want{"feature", "feature"}
		}},
		{"a .git file that names the repository of another folder", func(t *testing.T, base string) (string, want) {
			write(t, filepath.Join(base, "evil", ".git"), "gitdir: "+filepath.Join(repository(t, base, "app"), ".git")+"\n")
			return folder(t, base, "evil", "src"), want{"evil", "evil"}
		}},
		{"a .git file that names a worktree of another folder", func(t *testing.T, base string) (string, want) {
			app := repository(t, base, "app")
			git(t, app, "worktree", "add", "-q", "../feature")
			write(t, filepath.Join(base, "evil", ".git"), "gitdir: "+filepath.Join(app, ".git", "worktrees", "feature")+"\n")
			return filepath.Join(base, "evil"), want{"evil", "evil"}
		}},
		{"a .git file that names a submodule of another folder", func(t *testing.T, base string) (string, want) {
			app := repository(t, base, "app")
			git(t, app, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repository(t, base, "lib"), "deps/lib")
			write(t, filepath.Join(base, "evil", ".git"), "gitdir: ../app/.git/modules/deps/lib\n")
			return filepath.Join(base, "evil"), want{"evil", "evil"}
		}},
		{"a .git file that names a bare repository", func(t *testing.T, base string) (string, want) {
			git(t, base, "init", "-q", "--bare", "store.git")
			write(t, filepath.Join(base, "evil", ".git"), "gitdir: ../store.git\n")
			return filepath.Join(base, "evil"), want{"evil", "evil"}
		}},
		{"a .git that is a link to the repository of another folder", func(t *testing.T, base string) (string, want) {
			app := repository(t, base, "app")
			link(t, filepath.Join(app, ".git"), filepath.Join(folder(t, base, "other"), ".git"))
			return filepath.Join(base, "other"), want{"other", "other"}
		}},
		{"a submodule whose git directory vanished", func(t *testing.T, base string) (string, want) {
			app := repository(t, base, "app")
			write(t, filepath.Join(app, "lib", ".git"), "gitdir: ../.git/modules/lib\n")
			return filepath.Join(app, "lib"), want{"app/lib", "app/lib"}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := tempDir(t)
			dir, w := c.build(t, base)
			check(t, base, dir, w)
		})
	}
}

func TestResolveTakesNoHintFromTheEnvironment(t *testing.T) {
	base := tempDir(t)
	app, other := repository(t, base, "app"), repository(t, base, "other")
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	t.Setenv("GIT_CEILING_DIRECTORIES", app)
	check(t, base, filepath.Join(app, "src"), want{"app/.git", "app"})
}

func TestResolveCountsARelativeFolderFromTheWorkingDirectory(t *testing.T) {
	base := tempDir(t)
	t.Chdir(repository(t, base, "app"))
	check(t, base, "src/../src", want{"app/.git", "app"})
}

func TestAFolderWithoutANameIsRefused(t *testing.T) {
	if _, err := Resolve(""); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
}

func TestNameIsTheSameFromEveryWorktree(t *testing.T) {
	for _, c := range []struct {
		name  string
		place memory.Place
		want  string
	}{
		{"a checkout is called after its folder", memory.Place{Identity: "/src/app/.git", Root: "/src/app"}, "app"},
		{"a worktree is called after its repository", memory.Place{Identity: "/src/app/.git", Root: "/tmp/fix-1"}, "app"},
		{"a bare repository loses its suffix", memory.Place{Identity: "/srv/app.git", Root: "/tmp/fix-1"}, "app"},
		{"a submodule is called after its folder", memory.Place{Identity: "/src/app/.git/modules/x", Root: "/src/app/lib"}, "lib"},
		{"a plain folder", memory.Place{Identity: "/home/ada", Root: "/home/ada"}, "ada"},
		{"the top of the disk", memory.Place{Identity: "/", Root: "/"}, "/"},
		{"a hostile name is only text", memory.Place{Identity: "/x/..", Root: "/x/.."}, ".."},
		{"nothing known", memory.Place{}, "unnamed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Name(c.place); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func check(t *testing.T, base, dir string, w want) {
	t.Helper()
	got := must.Get(Resolve(dir))(t)
	if (got.Mark != "") != (w.identity != w.root) {
		t.Errorf("Resolve(%q) has the mark %q: only repositories have one", dir, got.Mark)
	}
	got.Mark = ""
	exp := memory.Place{Identity: text(filepath.Join(base, w.identity)), Root: text(filepath.Join(base, w.root))}
	if got != exp {
		t.Errorf("Resolve(%q)\n got %+v\nwant %+v", dir, got, exp)
	}
}

// What git does with a repository leaves its mark; another repository at the same path has another
// one.
func TestAMarkTellsRepositoriesAtOnePathApart(t *testing.T) {
	base := tempDir(t)
	markOf := func() string {
		t.Helper()
		place := must.Get(Resolve(filepath.Join(base, "app")))(t)
		return place.Mark
	}
	app := repository(t, base, "app")
	first := markOf()
	for _, args := range [][]string{
		{"commit", "-q", "--allow-empty", "-m", "more"}, {"init", "-q"}, {"gc", "-q"}, {"remote", "add", "origin", "https://example.org/x"},
		{"switch", "-q", "-c", "other"}, {"worktree", "add", "-q", "../tree"},
	} {
		if git(t, app, args...); markOf() != first {
			t.Errorf("git %v changed the mark", args)
		}
	}
	must.Do(t, os.Rename(app, filepath.Join(base, "moved")))
	if moved, err := Resolve(filepath.Join(base, "moved")); err != nil || moved.Mark != first {
		t.Errorf("moved: %+v, %v, want the mark %s", moved, err, first)
	}
	if repository(t, base, "app"); markOf() == first {
		t.Error("another repository has the same mark")
	}
}
