package brain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/postgres"
)

// ground is a lab with a folder in which real repositories are made.
type ground struct {
	*lab
	base  string
	ticks int
}

// onBothEngines runs a test on SQLite and on PostgreSQL.
func onBothEngines(t *testing.T, test func(g *ground)) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(newGround(t, newLab(t)))
	})
	t.Run("postgres", func(t *testing.T) {
		url := os.Getenv("HEBB_TEST_POSTGRES")
		if url == "" {
			t.Skip("=== NOT RUN: histories and moves on PostgreSQL, for want of a server. Run: scripts/with-postgres go test ./internal/brain ===")
		}
		t.Parallel()
		l := &lab{t: t, clock: start}
		dir := t.TempDir()
		c, err := config.Load(func(name string) string { return map[string]string{config.EnvHome: dir}[name] })
		if err != nil {
			t.Fatal(err)
		}
		c.Store, c.Schema = url, "brain_"+memory.NewProjectID(dir).String()
		if l.Brain, err = Open(t.Context(), c, func() time.Time { return l.clock }); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_, damage, err := l.checkRows()
			if len(damage) > 0 {
				t.Errorf("damage: %v", damage)
			}
			if err := errors.Join(err, l.Close(), postgres.Drop(context.Background(), postgres.Options{URL: url, Schema: c.Schema})); err != nil {
				t.Error(err)
			}
		})
		test(newGround(t, l))
	})
}

func newGround(t *testing.T, l *lab) *ground {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &ground{lab: l, base: base}
}

func (g *ground) path(name string) string { return filepath.Join(g.base, name) }

// git runs git in a repository with nobody's settings.
func (g *ground) git(name string, args ...string) string {
	g.t.Helper()
	g.ticks++
	at := start.Add(time.Duration(g.ticks-100_000) * time.Minute).Format(time.RFC3339)
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = g.path(name)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org", "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.t.Fatalf("git %v in %s: %v: %s", args, name, err, out)
	}
	return strings.TrimSpace(string(out))
}

// repository makes a repository with so many commits, each of which changes a.go and b.go.
func (g *ground) repository(name string, commits int) {
	g.t.Helper()
	if err := os.MkdirAll(g.path(name), 0o755); err != nil {
		g.t.Fatal(err)
	}
	g.git(name, "init", "-q", "-b", "main")
	for range commits {
		g.commit(name)
	}
}

func (g *ground) commit(name string) {
	g.t.Helper()
	for _, file := range []string{"a.go", "b.go"} {
		writeFile(g.t, filepath.Join(g.path(name), file), fmt.Appendf(nil, "package %s // %d\n", name, g.ticks))
	}
	g.git(name, "add", ".")
	g.git(name, "commit", "-qm", fmt.Sprintf("change %d of %s", g.ticks, name))
}

func (g *ground) move(from, to string) {
	g.t.Helper()
	if err := os.Rename(g.path(from), g.path(to)); err != nil {
		g.t.Fatal(err)
	}
}

func (g *ground) remove(name string) {
	g.t.Helper()
	if err := os.RemoveAll(g.path(name)); err != nil {
		g.t.Fatal(err)
	}
}

// spooled is an event of a run in a repository, as the hook spools it now.
func (g *ground) spooled(kind memory.EventKind, name, run string) memory.Event {
	g.t.Helper()
	place, err := project.Resolve(g.path(name))
	if err != nil {
		g.t.Fatal(err)
	}
	e := g.event(kind, 0)
	e.At, e.AgentSession, e.Place, e.Input = g.clock, run, g.config.Home(place), "startup"
	return e
}

// background spools events and drains them as a hook's drain does, a minute later.
func (g *ground) background(events ...memory.Event) DrainResult {
	g.t.Helper()
	for _, e := range events {
		if err := g.spool.Append(e); err != nil {
			g.t.Fatal(err)
		}
	}
	g.clock = g.clock.Add(time.Minute)
	return must(g.lab, Drain, DrainInput{Sleep: true})
}

// begin begins a session in a repository and returns what it is shown; the drain in the background follows.
func (g *ground) begin(name, run string) string {
	g.t.Helper()
	e := g.spooled(memory.SessionStarted, name, run)
	shown := must(g.lab, SessionStart, e)
	g.background(e)
	return shown
}

// commits counts those that are known of a project.
func (g *ground) commits(name string) int {
	g.t.Helper()
	place, err := g.placeAt(g.path(name))
	if err != nil {
		g.t.Fatal(err)
	}
	n, err := viewed(g.t.Context(), g.Brain, func(tx *store.Tx) (int64, error) {
		return tx.CountEvents(g.t.Context(), store.EventFilter{Project: place.Project(), Kind: memory.Committed})
	})
	if err != nil {
		g.t.Fatal(err)
	}
	return int(n)
}

func TestAHistoryIsLearnedAtTheFirstSessionAndSaidOnce(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(g *ground) {
		g.repository("shop", 3)
		if shown := g.begin("shop", "one"); shown != "" || g.commits("shop") != 3 {
			g.t.Errorf("the first session was shown %q and %d commits are learned, want nothing and 3", shown, g.commits("shop"))
		}
		const line = "hebb learned 3 commits of this repository's history"
		if shown := g.begin("shop", "two"); !strings.Contains(shown, line) {
			g.t.Errorf("the second session was shown %q, want %q", shown, line)
		}
		if shown := g.begin("shop", "three"); strings.Contains(shown, line) {
			g.t.Errorf("the third session was shown it again: %q", shown)
		}
	})
}

func TestNewCommitsAreLearnedOnceWithoutInit(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(g *ground) {
		g.repository("shop", 2)
		must(g.lab, LearnHistory, LearnInput{Dir: g.path("shop")})
		g.background(g.spooled(memory.SessionStarted, "shop", "one"))
		for i, c := range []struct {
			what string
			do   func()
			want int // learned by the next drain
		}{
			{"nothing new", func() {}, 0},
			{"two commits", func() { g.commit("shop"); g.commit("shop") }, 2},
			{"one that was amended", func() { g.git("shop", "commit", "-q", "--amend", "-m", "reworded") }, 1},
			{"a branch from the past", func() { g.git("shop", "switch", "-q", "-c", "side", "HEAD~2"); g.commit("shop") }, 1},
			{"back to the first branch", func() { g.git("shop", "switch", "-q", "main") }, 0},
			{"a merge of both", func() { g.git("shop", "merge", "-q", "-s", "ours", "-m", "join", "side") }, 0},
			{"a branch without a past", func() { g.git("shop", "switch", "-q", "--orphan", "pages"); g.commit("shop") }, 1},
			{"back again", func() { g.git("shop", "switch", "-q", "main") }, 0},
			{"a worktree", func() { g.git("shop", "worktree", "add", "-q", g.path("tree"), "-b", "tree") }, 0},
			{"a commit in the worktree", func() { g.commit("tree") }, 1},
			{"history rewritten", func() { g.git("shop", "reset", "-q", "--hard", "HEAD~2"); g.commit("shop") }, 1},
		} {
			c.do()
			where := "shop"
			if strings.Contains(c.what, "worktree") {
				where = "tree"
			}
			out := g.background(g.spooled(memory.TurnEnded, where, fmt.Sprint("run ", i)))
			if out.Commits != c.want {
				g.t.Errorf("%s: %d commits learned, want %d", c.what, out.Commits, c.want)
			}
		}
		if n := g.commits("shop"); n != 9 {
			g.t.Errorf("%d commits are known, want 9", n)
		}
	})
}

func TestALongHistoryIsLearnedInSeveralRuns(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(g *ground) {
		g.config.Tuning.Store.BatchMax = 10 // the first batch has one event
		g.repository("shop", 5)
		g.git("shop", "switch", "-q", "-c", "side", "HEAD~3")
		for range 3 {
			g.commit("shop")
		}
		g.git("shop", "switch", "-q", "main")
		g.git("shop", "merge", "-q", "-s", "ours", "-m", "join", "side")
		g.commit("shop")
		runs, added := 0, 0
		for left := true; left && runs < 20; runs++ {
			out := must(g.lab, LearnHistory, LearnInput{Dir: g.path("shop"), Most: 2})
			left, added = out.Left, added+out.Added
			if out.Added > 4 { // one batch may lie across the bound, and batches grow to twice their size
				g.t.Errorf("run %d learned %d commits, want about 2", runs, out.Added)
			}
		}
		if runs < 3 || added != 9 || g.commits("shop") != 9 {
			g.t.Errorf("%d runs learned %d commits and %d are known, want several runs and 9", runs, added, g.commits("shop"))
		}
		if out := must(g.lab, LearnHistory, LearnInput{Dir: g.path("shop"), Again: true}); out.Commits != 0 {
			g.t.Errorf("%d commits are read again, want none", out.Commits)
		}
	})
}

func TestARunThatIsInterruptedIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(g *ground) {
		g.config.Tuning.Store.BatchMax = 10
		g.repository("shop", 6)
		ctx, cancel := context.WithCancel(g.t.Context())
		_, err := Run(ctx, g.Brain, LearnHistory, LearnInput{Dir: g.path("shop"), Progress: func(done, _ int) {
			if done >= 5 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			g.t.Fatalf("got %v, want the interruption", err)
		}
		out := must(g.lab, LearnHistory, LearnInput{Dir: g.path("shop")})
		if n := g.commits("shop"); n != 6 || out.Links == 0 {
			g.t.Errorf("%d commits and %d links, want 6 commits and a.go linked to b.go", n, out.Links)
		}
	})
}

func TestAHistoryThatIsNotToBeLearnedIsOfferedOnce(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(g *ground) {
		g.config.Learn.History = config.GateAsk
		g.repository("shop", 3)
		g.begin("shop", "one")
		const line = "hebb has not learned this repository's history; `hebb init` learns it"
		if shown := g.begin("shop", "two"); !strings.Contains(shown, line) || g.commits("shop") != 0 {
			g.t.Errorf("shown %q with %d commits, want %q and none", shown, g.commits("shop"), line)
		}
		if shown := g.begin("shop", "three"); strings.Contains(shown, line) {
			g.t.Errorf("shown again: %q", shown)
		}
		must(g.lab, LearnHistory, LearnInput{Dir: g.path("shop")})
		if n := g.commits("shop"); n != 3 {
			g.t.Errorf("hebb init learned %d commits, want 3", n)
		}
	})
}

func TestWhatGitCannotReadStopsNothing(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(g *ground) {
		g.repository("origin", 3)
		g.repository("empty", 0)
		g.repository("broken", 2)
		g.remove("broken/.git/objects")
		if err := os.Mkdir(g.path("broken/.git/objects"), 0o755); err != nil {
			g.t.Fatal(err)
		}
		g.git(".", "clone", "-q", "--depth", "1", "file://"+g.path("origin"), "shallow")
		g.repository("outer", 1)
		g.git("outer", "submodule", "--quiet", "add", g.path("origin"), "inner")
		if err := os.Mkdir(g.path("plain"), 0o755); err != nil {
			g.t.Fatal(err)
		}
		for name, want := range map[string]int{"empty": 0, "broken": 0, "shallow": 0, "outer/inner": 3, "plain": 0} {
			g.begin(name, "run in "+name) // fails on an error
			if n := g.commits(name); n != want {
				g.t.Errorf("%s: %d commits, want %d", name, n, want)
			}
		}
		d := &doctor{config: g.config, now: g.clock}
		d.history(g.t.Context(), g.Brain, g.path("broken"))
		d.history(g.t.Context(), g.Brain, g.path("empty"))
		d.history(g.t.Context(), g.Brain, g.path("outer/inner"))
		d.history(g.t.Context(), g.Brain, g.path("plain"))
		if len(d.findings) != 3 || d.findings[0].Level != Warn || d.findings[1].Detail != "no commits yet" || !strings.HasPrefix(d.findings[2].Detail, "learned up to ") {
			g.t.Errorf("the doctor says %+v", d.findings)
		}
	})
}

func TestWithoutGitASessionGoesOn(t *testing.T) {
	g := newGround(t, newLab(t))
	g.repository("shop", 2)
	t.Setenv("PATH", "")
	g.begin("shop", "one") // fails on an error
	d := &doctor{config: g.config, now: g.clock}
	d.history(t.Context(), g.Brain, g.path("shop"))
	if len(d.findings) != 1 || !strings.Contains(d.findings[0].Detail, "install git") {
		t.Errorf("the doctor says %+v", d.findings)
	}
}

func TestARepositoryOfAnotherUserIsLeftOut(t *testing.T) {
	if os.Getuid() != 0 {
		t.Log("only root can give a repository away; the same path is tested with a broken one")
		return
	}
	t.Parallel()
	g := newGround(t, newLab(t))
	g.repository("shop", 2)
	for _, name := range []string{"shop", "shop/.git"} {
		if err := os.Chown(g.path(name), 4711, 4711); err != nil {
			t.Fatal(err)
		}
	}
	g.begin("shop", "one")
	d := &doctor{config: g.config, now: g.clock}
	d.history(t.Context(), g.Brain, g.path("shop"))
	if g.commits("shop") != 0 || len(d.findings) != 1 || !strings.Contains(d.findings[0].Detail, "safe.directory") {
		t.Errorf("%d commits, the doctor says %+v", g.commits("shop"), d.findings)
	}
}
