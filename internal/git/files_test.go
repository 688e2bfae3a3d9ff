package git

import (
	"context"
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAConflictListsAFileOnce(t *testing.T) {
	r := newRepo(t)
	r.commit("base", nil, "a.go")
	r.git("switch", "-q", "-c", "side")
	r.commit("side", nil, "a.go")
	r.git("switch", "-q", "main")
	r.commit("main", nil, "a.go")
	blob := r.git("rev-parse", "HEAD:a.go")
	r.git("rm", "-q", "--cached", "a.go")
	var stages strings.Builder
	for stage := 1; stage <= 3; stage++ {
		fmt.Fprintf(&stages, "100644 %s %d\ta.go\n", blob, stage)
	}
	r.run(strings.NewReader(stages.String()), nil, "update-index", "--index-info")
	if files, err := (Repo{Root: r.dir}).Tracked(context.Background()); err != nil || !slices.Equal(files, []string{"a.go"}) {
		t.Errorf("got %v, %v", files, err)
	}
}

func TestFilesAreThoseThatGitDoesNotIgnore(t *testing.T) {
	r := newRepo(t)
	r.write(".gitignore", "*.log\nbuild/\n")
	for _, name := range []string{"a.go", "x y/ü.go", "new.go", "no.log", "build/out.go", "deep/er/b.go"} {
		r.write(name, "package a\n")
	}
	r.git("add", "a.go", "x y", "deep")
	must.Do(t, os.Remove(filepath.Join(r.dir, "a.go")))
	files, err := Repo{Root: r.dir}.Files(context.Background())
	if want := []string{".gitignore", "a.go", "deep/er/b.go", "new.go", "x y/ü.go"}; err != nil || !slices.Equal(files, want) {
		t.Errorf("got %q, %v, want %q", files, err, want)
	}
	files, err = Repo{Root: filepath.Join(r.dir, "deep")}.Files(context.Background())
	if err != nil || !slices.Equal(files, []string{"er/b.go"}) {
		t.Errorf("below a folder: got %q, %v", files, err)
	}
	if files, err := (Repo{Root: newRepo(t).dir}).Files(context.Background()); err != nil || len(files) != 0 {
		t.Errorf("of an empty repository: got %q, %v", files, err)
	}
	if _, err := (Repo{Root: t.TempDir()}).Files(context.Background()); err == nil {
		t.Error("no repository, no error")
	}
}
