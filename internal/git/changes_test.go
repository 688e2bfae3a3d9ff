package git

import (
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestChangesOfABranchACommitAndTheWorkTree(t *testing.T) {
	r := newRepo(t)
	r.commit("first", nil, "a.go", "b.go", "dir/c.go", "gone.go")
	r.git("checkout", "-q", "-b", "work")
	r.write("b.go", "many\nmore\nlines\n")
	r.commit("second", nil, "a.go")
	r.commit("third", nil, "dir/new ö.go")
	git := Repo{Root: filepath.Join(r.dir, "dir")}
	r.expect("the branch", []string{"b.go", "a.go", "dir/new ö.go"})(git.ChangedOnBranch(t.Context()))
	r.expect("the last commit", []string{"dir/new ö.go"})(git.ChangedIn(t.Context(), "HEAD"))
	r.expect("an earlier one", []string{"b.go", "a.go"})(git.ChangedIn(t.Context(), r.git("rev-parse", "--short", "HEAD~1")))
	r.expect("a clean work tree", nil)(git.Uncommitted(t.Context()))

	r.git("config", "log.diffMerges", "remerge")
	r.git("config", "merge.evil.driver", "touch "+filepath.Join(r.dir, "..", "ran"))
	r.write(".git/info/attributes", "* merge=evil\n")
	r.git("checkout", "-q", "-b", "other", "HEAD~1")
	r.commit("fourth", nil, "b.go")
	r.git("checkout", "-q", "work")
	r.commit("fifth", nil, "b.go")
	r.git("-c", "user.name=a", "-c", "user.email=a@b", "merge", "-q", "-s", "ours", "-m", "merged", "other")
	r.expect("a merge", nil)(git.ChangedIn(t.Context(), "HEAD"))
	if _, err := os.Stat(filepath.Join(r.dir, "..", "ran")); err == nil {
		t.Error("a program of the repository was run")
	}
	r.git("reset", "-q", "--hard", "HEAD~1")

	r.write("new.go", "1\n")
	r.write("staged.go", "1\n")
	r.git("add", "staged.go")
	r.write(".git/info/exclude", "ignored.go\n")
	r.write("ignored.go", "1\n")
	r.write("dir/c.go", "1\n2\n")
	must.Do(t, os.Remove(filepath.Join(r.dir, "gone.go")))
	for i, name := range []string{"new.go", "dir/c.go", "staged.go"} { // the latest first
		at := time.Unix(r.clock, 0).Add(-time.Duration(i) * time.Minute)
		must.Do(t, os.Chtimes(filepath.Join(r.dir, name), at, at))
	}
	r.expect("the work tree", []string{"new.go", "dir/c.go", "staged.go"})(git.Uncommitted(t.Context()))

	r.git("checkout", "-q", "-f", "main")
	r.expect("the main branch", nil)(git.ChangedOnBranch(t.Context()))
	if _, err := git.ChangedIn(t.Context(), "0123abc"); err == nil {
		t.Error("a commit that is not there is answered")
	}
}

func (r *repo) expect(what string, want []string) func([]string, error) {
	return func(got []string, err error) {
		r.t.Helper()
		if err != nil || !slices.Equal(got, want) {
			r.t.Errorf("%s: %q, %v, want %q", what, got, err, want)
		}
	}
}
