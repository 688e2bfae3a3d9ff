package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// proseOf is n lines that belong to one file and resemble no other's.
func proseOf(about string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s says %d of %s\n", about, i*i, strings.Repeat(about, 1+i%3))
	}
	return b.String()
}

func (r *repo) remove(name string) {
	r.t.Helper()
	must.Do(r.t, os.Remove(filepath.Join(r.dir, name)))
}

func TestHistoryFollowsRenames(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(r *repo)
		want  []string // after the first commit
	}{
		{"a rename", func(r *repo) {
			r.git("mv", "one", "new")
			r.commit("move", nil)
		}, []string{"move: R one -> new"}},
		{"a rename with an edit", func(r *repo) {
			r.remove("one")
			r.write("dir/new", proseOf("one", 30)+"and more\n")
			r.commit("move", nil)
		}, []string{"move: R one -> dir/new"}},
		{"a rename with so much edited that it is another file", func(r *repo) {
			r.remove("one")
			r.write("new", proseOf("one", 5)+proseOf("new", 30))
			r.commit("move", nil)
		}, []string{"move: A new, D one"}},
		{"a chain of renames", func(r *repo) {
			r.git("mv", "one", "b")
			r.commit("first", nil)
			r.git("mv", "b", "c")
			r.commit("second", nil)
			r.git("mv", "c", "one")
			r.commit("back", nil)
		}, []string{"first: R one -> b", "second: R b -> c", "back: R c -> one"}},
		{"two names swapped are two edits", func(r *repo) {
			r.write("one", proseOf("two", 30))
			r.write("two", proseOf("one", 30))
			r.commit("swap", nil)
		}, []string{"swap: M one, M two"}},
		{"a folder moved", func(r *repo) {
			r.git("mv", "sub", "lib")
			r.commit("move", nil)
		}, []string{"move: R sub/x -> lib/x, R sub/y -> lib/y"}},
		{"a copy is an addition", func(r *repo) {
			r.git("config", "diff.renames", "copies")
			r.write("copy", proseOf("one", 30))
			r.commit("copy", nil)
		}, []string{"copy: A copy"}},
		{"a file copied and gone is renamed once", func(r *repo) {
			r.write("copy1", proseOf("one", 30))
			r.write("copy2", proseOf("one", 30))
			r.remove("one")
			r.commit("split", nil)
		}, []string{"split: R one -> copy1, A copy2"}},
		{"settings against renames change nothing", func(r *repo) {
			r.git("config", "diff.renames", "false")
			r.git("config", "diff.renameLimit", "1")
			r.git("mv", "one", "new")
			r.commit("move", nil)
		}, []string{"move: R one -> new"}},
		{"empty files are not followed", func(r *repo) {
			r.git("mv", "empty", "other")
			r.commit("move", nil)
		}, []string{"move: D empty, A other"}},
		{"a deletion", func(r *repo) {
			r.git("rm", "-q", "one")
			r.commit("drop", nil)
		}, []string{"drop: D one"}},
		{"names with newline, tab and bytes that look like a status", func(r *repo) {
			r.git("mv", "one", "R100")
			r.git("mv", "two", "new\nline\t")
			r.commit("odd", nil)
		}, []string{"odd: R one -> R100, R two -> new\nline\t"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepo(t)
			for _, name := range []string{"one", "two", "sub/x", "sub/y"} {
				r.write(name, proseOf(name, 30))
			}
			r.write("empty", "")
			r.commit("begin", nil)
			c.build(r)
			if got := lines(history(t, Repo{Root: r.dir}, "")); !slices.Equal(got[1:], c.want) {
				t.Errorf("\n got %q\nwant %q", got[1:], c.want)
			}
		})
	}
}

// Beyond the limit no two files are compared, but those that kept content or name are still found.
func TestAVastMoveIsFollowedWhereThatIsCheap(t *testing.T) {
	r := newRepo(t)
	const n = 250
	for i := range n {
		r.write(fmt.Sprintf("a/same%d", i), proseOf(fmt.Sprint("same", i), 6))
		r.write(fmt.Sprintf("a/edited%d", i), proseOf(fmt.Sprint("edited", i), 6))
		r.write(fmt.Sprintf("a/stranger%d", i), proseOf(fmt.Sprint("gone", i), 6))
	}
	r.commit("begin", nil)
	r.git("mv", "a", "b")
	for i := range n {
		r.write(fmt.Sprintf("b/edited%d", i), proseOf(fmt.Sprint("edited", i), 6)+"more\n")
		r.remove(fmt.Sprintf("b/stranger%d", i))
		r.write(fmt.Sprintf("b/newcomer%d", i), proseOf(fmt.Sprint("come", i), 6))
	}
	r.commit("move", nil)
	count := map[byte]int{}
	for _, f := range history(t, Repo{Root: r.dir}, "")[1].Files {
		count[f.Status]++
	}
	if count['R'] != 2*n || count['A'] != n || count['D'] != n {
		t.Errorf("got %d renames, %d additions, %d deletions", count['R'], count['A'], count['D'])
	}
}

func TestAPartialCloneWithoutFilesStillHasItsHistory(t *testing.T) {
	r := newRepo(t)
	for _, name := range []string{"one", "two"} {
		r.write(name, proseOf(name, 30))
	}
	r.commit("begin", nil)
	r.git("mv", "one", "moved")
	r.commit("move", nil)
	r.remove("two")
	r.write("edited", proseOf("two", 30)+"more\n")
	r.commit("move and edit", nil)
	r.commit("end", nil, "last")
	r.git("config", "uploadpack.allowFilter", "true")
	clone := filepath.Join(t.TempDir(), "clone")
	r.git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+r.dir, clone)
	want := []string{"begin: A one, A two", "move: R one -> moved", "move and edit: A edited, D two", "end: A last"}
	if got := lines(history(t, Repo{Root: clone}, "")); !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

func TestALostFileCostsOnlyItsRename(t *testing.T) {
	r := newRepo(t)
	r.write("old", proseOf("old", 30))
	r.commit("begin", nil)
	lost := r.git("rev-parse", "HEAD:old")
	r.remove("old")
	r.write("new", proseOf("old", 30)+"more\n")
	r.commit("move", nil)
	r.commit("end", nil, "last")
	lose(t, r, lost)
	want := []string{"begin: A old", "move: A new, D old", "end: A last"}
	if got := lines(history(t, Repo{Root: r.dir}, "")); !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// What the caller refuses is no lack of the repository's: it must not be asked twice.
func TestARefusalThatLooksLikeDamageEndsTheReading(t *testing.T) {
	r := newRepo(t)
	r.commit("one", nil, "a")
	r.commit("two", nil, "b")
	calls := 0
	err := Repo{Root: r.dir}.History(context.Background(), "", func(Commit) error {
		calls++
		return fmt.Errorf("store: %w", memory.ErrDamaged)
	})
	if calls != 1 || !errors.Is(err, memory.ErrDamaged) {
		t.Errorf("called %d times, %v", calls, err)
	}
}
