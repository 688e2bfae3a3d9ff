package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/git"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// shop makes a repository in which orders and billing are two concerns, with so many commits.
func shop(t *testing.T, commits int) string {
	t.Helper()
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=T", "-c", "user.email=t@example.org"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git("init", "-q")
	for n := range commits {
		subject, files := "round the totals of an order", []string{"shop/order.go", "shop/order_test.go"}
		if n%2 == 1 {
			subject, files = "send the invoice", []string{"billing/invoice.go", "billing/mail.go"}
		}
		for _, f := range files {
			name := filepath.Join(dir, f)
			must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, fmt.Append(nil, n), 0o600)))
		}
		git("add", "-A")
		git("commit", "-q", "-m", subject)
	}
	return dir
}

func TestARepositoryIsReplayed(t *testing.T) {
	dir, done := shop(t, 24), []int(nil)
	in := Input{Root: filepath.Join(dir, "shop"), Commits: 20, Tuning: tuning.Default(), Progress: func(n, total int) {
		if done = append(done, n); total != 20 {
			t.Errorf("%d commits in all, want the latest 20", total)
		}
	}}
	report := must.Get(Repository(t.Context(), in))(t)
	// The first commit of each concern in the bound adds nothing that could be asked for: 18 can be, of which 10 only teach.
	if report.Commits != 20 || len(done) != 20 || len(report.Rows) != 3 {
		t.Fatalf("%+v, progress %v", report, done)
	}
	for i, given := range []string{"the subject", "the subject and one file", "one file"} {
		r := report.Rows[i]
		if r.Given != given || r.Questions != 8 || r.Hebb != 100 || r.Simple != 100 || r.Method == "" {
			t.Errorf("%+v, want all files of 8 commits found, given %s", r, given)
		}
	}
	if _, err := Repository(t.Context(), Input{Root: shop(t, 1), Commits: 20, Tuning: tuning.Default()}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a history without a question: %v", err)
	}
	if _, err := Repository(t.Context(), Input{Root: t.TempDir(), Commits: 20, Tuning: tuning.Default()}); err == nil {
		t.Error("a folder without a repository was replayed")
	}
}

// change is a commit of these files.
func change(n int, subject string, files ...git.Change) Commit {
	return Commit{Hash: fmt.Sprint(n), At: time.Unix(int64(n), 0), Subject: subject, Files: files, FileCount: len(files)}
}

func TestSimpleMethods(t *testing.T) {
	s := NewSimple()
	for _, c := range []Commit{
		change(1, "fix login", git.Change{Path: "auth/login.go", Status: 'A'}, git.Change{Path: "auth/token.go", Status: 'A'}),
		change(2, "draw charts", git.Change{Path: "ui/chart.go", Status: 'A'}, git.Change{Path: "gone.go", Status: 'A'}),
		change(3, "fix login again", git.Change{Path: "auth/login.go", Status: 'M'}, git.Change{Path: "store/users.go", Status: 'A'}),
		change(4, "tidy", git.Change{Path: "gone.go", Status: 'D'}, git.Change{Path: "ui/graph.go", Status: 'R', Old: "ui/chart.go"}),
	} {
		must.Do(t, s.Commit(context.Background(), c))
	}
	got := map[string][]string{}
	rankings, err := s.Rank(t.Context(), Question{Text: "login charts", HasText: true, Open: []string{"auth/login.go"}})
	for _, r := range rankings {
		got[r.Ranker] = r.Paths
	}
	for method, want := range map[string][]string{
		// One commit has the rarer word; of the two others the later comes first, and the file of both has two votes.
		"similar commits":  {"auth/login.go", "ui/graph.go", "store/users.go", "auth/token.go"},
		"changed together": {"auth/login.go", "store/users.go", "auth/token.go"},
	} {
		if !slices.Equal(got[method], want) || err != nil {
			t.Errorf("%s: %v, want %v (%v)", method, got[method], want, err)
		}
	}
}
