package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

func TestHistoryYieldsWhatEachCommitChanged(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(r *repo)
		want  []string
	}{
		{"oldest first, the first commit included", func(r *repo) {
			r.commit("one", nil, "a", "b")
			r.commit("two", nil, "a")
			r.commit("three", nil, "c/d")
		}, []string{"one: A a, A b", "two: M a", "three: A c/d"}},
		{"merges are left out, both sides are in, in the order of time", func(r *repo) {
			r.commit("base", nil, "a")
			r.git("switch", "-q", "-c", "side")
			r.commit("side", nil, "b")
			r.git("switch", "-q", "main")
			r.commit("main", nil, "c")
			r.git("merge", "-q", "--no-ff", "-m", "merge", "side")
		}, []string{"base: A a", "side: A b", "main: A c"}},
		{"no commit comes before its parent, whatever its date", func(r *repo) {
			r.commit("late", []string{"GIT_COMMITTER_DATE=2000000000 +0000"}, "a")
			r.commit("early", nil, "a")
		}, []string{"late: A a", "early: M a"}},
		{"a file that becomes a link changes its type", func(r *repo) {
			r.commit("add", nil, "f")
			must.Do(r.t, os.Remove(filepath.Join(r.dir, "f")))
			must.Do(r.t, os.Symlink("g", filepath.Join(r.dir, "f")))
			r.commit("link", nil)
		}, []string{"add: A f", "link: T f"}},
		{"an empty commit has no files, wherever it stands", func(r *repo) {
			r.commit("none", nil)
			r.commit("some", nil, "a")
			r.commit("none again", nil)
		}, []string{"none: ", "some: A a", "none again: "}},
		{"names with newline, tab and quotes", func(r *repo) {
			r.commit("odd", nil, "new\nline", "tab\there", `"quoted"`, "é", `\`)
		}, []string{"odd: A \"quoted\", A \\, A new\nline, A tab\there, A é"}},
		{"a file called like a status or a hash", func(r *repo) {
			r.commit("odd", nil, "A", "\nM", strings.Repeat("a", 40))
		}, []string{"odd: A \nM, A A, A " + strings.Repeat("a", 40)}},
		{"a subject made of separators", func(r *repo) {
			r.commit("%x00\nA\tfile\n\nbody", nil, "a")
			r.commit("\x01\x1e\x1f|||", nil, "b")
		}, []string{"%x00 A\tfile: A a", "\x01\x1e\x1f|||: A b"}},
		{"no subject at all", func(r *repo) { r.commit("", nil, "a") }, []string{": A a"}},
		{"a submodule is not a file", func(r *repo) {
			r.commit("base", nil, "a")
			r.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",lib")
			r.git("commit", "-q", "-m", "lib")
		}, []string{"base: A a", "lib: "}},
		{"settings for people change nothing", func(r *repo) {
			for k, v := range map[string]string{
				"log.showSignature": "true", "log.follow": "true", "log.date": "relative", "diff.relative": "true",
				"diff.orderFile": "/nowhere", "diff.noprefix": "true", "diff.external": "false", "core.quotePath": "true",
				"core.pager": "false", "i18n.logOutputEncoding": "latin1", "color.ui": "always", "format.pretty": "oneline",
			} {
				r.git("config", k, v)
			}
			r.commit("é", nil, "é")
		}, []string{"é: A é"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepo(t)
			c.build(r)
			if got := lines(history(t, Repo{Root: r.dir}, "")); !slices.Equal(got, c.want) {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestHistoryGoesOnWhereItStopped(t *testing.T) {
	r := newRepo(t)
	r.commit("one", nil, "a")
	since := r.commit("two", nil, "b")
	r.commit("three", nil, "c")
	g := Repo{Root: r.dir}
	if got := lines(history(t, g, since)); !slices.Equal(got, []string{"three: A c"}) {
		t.Errorf("after two: %q", got)
	}
	tip := must.Get(g.Tip(context.Background()))(t)
	if got := lines(history(t, g, tip)); len(got) != 0 {
		t.Errorf("after the tip: %q", got)
	}
}

func TestRewrittenHistoryIsReadAgain(t *testing.T) {
	r := newRepo(t)
	r.commit("one", nil, "a")
	gone := r.commit("two", nil, "b")
	r.git("commit", "-q", "--amend", "-m", "two, better")
	g := Repo{Root: r.dir}
	want := []string{"two, better: A b"}
	if got := lines(history(t, g, gone)); !slices.Equal(got, want) {
		t.Errorf("while the old commit is still stored: got %q, want %q", got, want)
	}
	r.git("reflog", "expire", "--expire=now", "--all")
	r.git("gc", "-q", "--prune=now")
	want = []string{"one: A a", "two, better: A b"}
	if got := lines(history(t, g, gone)); !slices.Equal(got, want) {
		t.Errorf("when it is gone: got %q, want %q", got, want)
	}
	tree := r.git("rev-parse", "HEAD^{tree}")
	if got := lines(history(t, g, tree)); !slices.Equal(got, want) {
		t.Errorf("a hash that is no commit: got %q, want %q", got, want)
	}
}

func TestAShallowCloneHasNoCommitAtItsEdge(t *testing.T) {
	r := newRepo(t)
	for _, s := range []string{"one", "two", "three"} {
		r.commit(s, nil, s)
	}
	for depth, want := range map[string][]string{"1": nil, "2": {"three: A three"}} {
		clone := filepath.Join(t.TempDir(), "clone")
		r.git("clone", "-q", "--depth", depth, "file://"+r.dir, clone)
		if got := lines(history(t, Repo{Root: clone}, "")); !slices.Equal(got, want) {
			t.Errorf("depth %s: got %q, want %q", depth, got, want)
		}
	}
	clone := filepath.Join(t.TempDir(), "clone")
	r.git("clone", "-q", "--depth", "1", "file://"+r.dir, clone)
	stale := strings.Repeat("a", 40) + "\n"
	must.Do(t, os.WriteFile(filepath.Join(clone, ".git", "shallow"), []byte(r.git("rev-parse", "HEAD")+"\n"+stale), 0o644))
	if got := lines(history(t, Repo{Root: clone}, "")); got != nil {
		t.Errorf("with a stale edge: got %q", got)
	}
}

func TestPathsCountFromTheTopOfTheRepository(t *testing.T) {
	r := newRepo(t)
	r.commit("one", nil, "top", "sub/below")
	r.git("worktree", "add", "-q", "../feature")
	want := []string{"one: A sub/below, A top"}
	for _, root := range []string{"sub", "../feature", "../feature/sub", ".git"} {
		if got := lines(history(t, Repo{Root: filepath.Join(r.dir, root)}, "")); !slices.Equal(got, want) {
			t.Errorf("from %s: got %q, want %q", root, got, want)
		}
	}
}

func TestARepositoryWithoutCommitsHasAnEmptyHistory(t *testing.T) {
	r := newRepo(t)
	g := Repo{Root: r.dir}
	if got := history(t, g, strings.Repeat("a", 40)); got != nil {
		t.Errorf("got %v", got)
	}
	if tip, err := g.Tip(context.Background()); tip != "" || err != nil {
		t.Errorf("tip %q, %v", tip, err)
	}
}

func TestASurroundingGitHookDoesNotLeadAstray(t *testing.T) {
	r, other := newRepo(t), newRepo(t)
	r.commit("mine", nil, "a")
	other.commit("theirs", nil, "b")
	for name, value := range map[string]string{
		"GIT_DIR": filepath.Join(other.dir, ".git"), "GIT_WORK_TREE": other.dir, "GIT_INDEX_FILE": "/nowhere",
		"GIT_OBJECT_DIRECTORY": "/nowhere", "GIT_EXTERNAL_DIFF": "false", "GIT_CONFIG_COUNT": "bad", "GIT_PREFIX": "x/",
	} {
		t.Setenv(name, value)
	}
	if got := lines(history(t, Repo{Root: r.dir}, "")); !slices.Equal(got, []string{"mine: A a"}) {
		t.Errorf("got %q", got)
	}
}

func TestAForgedTreeCannotNameFilesOutside(t *testing.T) {
	r := newRepo(t)
	blob := r.run(strings.NewReader("x"), nil, "hash-object", "-w", "--stdin")
	tree := func(name string) string {
		return r.run(strings.NewReader("100644 blob "+blob+"\t"+name+"\x00"), nil, "mktree", "-z")
	}
	up := r.run(strings.NewReader("040000 tree "+tree("authorized_keys")+"\t..\x00100644 blob "+blob+"\tgood\x00"), nil, "mktree", "-z")
	r.git("update-ref", "HEAD", r.git("commit-tree", "-m", "forged", up))
	got := history(t, Repo{Root: r.dir}, "")
	if want := []string{"forged: A good"}; !slices.Equal(lines(got), want) || got[0].FileCount != 2 {
		t.Errorf("got %q with %d files", lines(got), got[0].FileCount)
	}
}

func TestALongHistoryStreams(t *testing.T) {
	const n = 2000
	g := Repo{Root: synthesise(t, n).dir}
	seen, stop := 0, errors.New("enough")
	err := g.History(context.Background(), "", func(c Commit) error {
		if len(c.Files) == 0 {
			t.Fatalf("commit %d has no files", seen)
		}
		seen++
		return nil
	})
	if err != nil || seen != n {
		t.Fatalf("saw %d, %v", seen, err)
	}
	for _, last := range []int{1, 10, n} {
		seen = 0
		err := g.History(context.Background(), "", func(Commit) error {
			if seen++; seen == last {
				return stop
			}
			return nil
		})
		if !errors.Is(err, stop) || seen != last {
			t.Errorf("stopped at %d: saw %d, %v", last, seen, err)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	seen = 0
	err = g.History(ctx, "", func(Commit) error {
		if seen++; seen == 10 {
			cancel(stop)
		}
		return nil
	})
	if !errors.Is(err, stop) || seen != 10 {
		t.Errorf("cancelled at 10: saw %d, %v", seen, err)
	}
	if _, err := g.Count(ctx, ""); !errors.Is(err, stop) {
		t.Errorf("counting after the end: %v", err)
	}
}

func TestAtUnescapesTheRoot(t *testing.T) {
	if g, err := At(memory.Place{Root: `/src/\xff`}); err != nil || g.Root != filepath.FromSlash("/src/\xff") {
		t.Errorf("got %q, %v", g.Root, err)
	}
	if _, err := At(memory.Place{Root: `/src/\y`}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
}
