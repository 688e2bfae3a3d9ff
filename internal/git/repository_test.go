package git

import (
	"bufio"
	"context"
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain takes the person's git settings out of every test, those of the code under test included.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull,
		"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
		"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
	} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// repo is a real repository in a temporary folder. Each commit is a minute younger than the one before.
type repo struct {
	t     testing.TB
	dir   string
	clock int64
}

func newRepo(t testing.TB) *repo {
	t.Helper()
	r := &repo{t: t, dir: filepath.Join(t.TempDir(), "app"), clock: 1_700_000_000}
	must.Do(t, os.Mkdir(r.dir, 0o755))
	r.git("init", "-q", "-b", "main")
	return r
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	return r.run(nil, nil, args...)
}

func (r *repo) run(stdin io.Reader, env []string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin, cmd.Env = r.dir, stdin, append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n")
}

func (r *repo) write(name, content string) {
	r.t.Helper()
	file := filepath.Join(r.dir, name)
	must.Do(r.t, os.MkdirAll(filepath.Dir(file), 0o755))
	must.Do(r.t, os.WriteFile(file, []byte(content), 0o644))
}

// commit writes the named files and commits everything; env comes last, so it may set other names and dates.
func (r *repo) commit(subject string, env []string, files ...string) string {
	r.t.Helper()
	r.clock += 60
	for _, f := range files {
		r.write(f, fmt.Sprint(subject, r.clock))
	}
	r.git("add", "-A")
	date := fmt.Sprintf("%d +0000", r.clock)
	dated := append([]string{"GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date}, env...)
	r.run(strings.NewReader(subject), dated, "commit", "-q", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "-F", "-")
	return r.git("rev-parse", "HEAD")
}

// history collects all commits of a repository and checks that Count agrees.
func history(t testing.TB, g Repo, since string) []Commit {
	t.Helper()
	var all []Commit
	must.Do(t, g.History(context.Background(), since, func(c Commit) error {
		all = append(all, c)
		return nil
	}))
	n := must.Get(g.Count(context.Background(), since))(t)
	if n != len(all) {
		t.Errorf("Count says %d, History gave %d", n, len(all))
	}
	return all
}

// lines writes commits as "subject: A one, D two, R old -> new".
func lines(commits []Commit) []string {
	var out []string
	for _, c := range commits {
		var files []string
		for _, f := range c.Files {
			name := f.Path
			if f.Old != "" {
				name = f.Old + " -> " + f.Path
			}
			files = append(files, fmt.Sprintf("%c %s", f.Status, name))
		}
		out = append(out, c.Subject+": "+strings.Join(files, ", "))
	}
	return out
}

// synthesise fills a repository with a straight history of n commits, three files each, by fast-import.
func synthesise(t testing.TB, n int) *repo {
	t.Helper()
	r := newRepo(t)
	pr, pw := io.Pipe()
	go func() {
		w := bufio.NewWriterSize(pw, 1<<20)
		for i := range n {
			subject := fmt.Sprintf("change %d", i)
			fmt.Fprintf(w, "commit refs/heads/main\nmark :%d\ncommitter Ada <ada@example.org> %d +0000\ndata %d\n%s\n",
				i+1, 1_400_000_000+i*60, len(subject), subject)
			if i > 0 {
				fmt.Fprintf(w, "from :%d\n", i)
			}
			for j := range 3 {
				k := (i*7 + j*131) % 1000
				content := fmt.Sprint(i)
				fmt.Fprintf(w, "M 100644 inline pkg%d/sub%d/file%d.go\ndata %d\n%s\n", k%20, k%50, k, len(content), content)
			}
		}
		pw.CloseWithError(w.Flush())
	}()
	r.run(pr, nil, "fast-import", "--quiet")
	return r
}
