package git

import (
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestChangesOfTheWorkTree(t *testing.T) {
	r := newRepo(t)
	r.commit("first", nil, "a.go", "b.go", "dir/c.go", "gone.go")
	git := Repo{Root: filepath.Join(r.dir, "dir")}
	r.expect("a clean work tree", nil)(git.Uncommitted(t.Context()))

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
}

func (r *repo) expect(what string, want []string) func([]string, error) {
	return func(got []string, err error) {
		r.t.Helper()
		if err != nil || !slices.Equal(got, want) {
			r.t.Errorf("%s: %q, %v, want %q", what, got, err, want)
		}
	}
}
