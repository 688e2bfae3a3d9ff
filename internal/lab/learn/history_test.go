package learn_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
)

func TestAHistoryIsLearnedAtTheFirstSessionAndSaidOnce(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 3)
		if shown := g.Begin("shop", "one"); shown != "" || g.Commits("shop") != 3 {
			g.T.Errorf("the first session was shown %q and %d commits are learned, want nothing and 3", shown, g.Commits("shop"))
		}
		const line = "hebb learned 3 commits of this repository's history"
		if shown := g.Begin("shop", "two"); !strings.Contains(shown, line) {
			g.T.Errorf("the second session was shown %q, want %q", shown, line)
		}
		if shown := g.Begin("shop", "three"); strings.Contains(shown, line) {
			g.T.Errorf("the third session was shown it again: %q", shown)
		}
	})
}

func TestNewCommitsAreLearnedOnceWithoutInit(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 2)
		braintest.Must(g.Lab, learn.LearnHistory, learn.LearnInput{Dir: g.Path("shop")})
		g.Background(g.Spooled(memory.SessionStarted, "shop", "one"))
		for i, c := range []struct {
			what string
			do   func()
			want int // learned by the next drain
		}{
			{"nothing new", func() {}, 0},
			{"two commits", func() { g.Commit("shop"); g.Commit("shop") }, 2},
			{"one that was amended", func() { g.Git("shop", "commit", "-q", "--amend", "-m", "reworded") }, 1},
			{"a branch from the past", func() { g.Git("shop", "switch", "-q", "-c", "side", "HEAD~2"); g.Commit("shop") }, 1},
			{"back to the first branch", func() { g.Git("shop", "switch", "-q", "main") }, 0},
			{"a merge of both", func() { g.Git("shop", "merge", "-q", "-s", "ours", "-m", "join", "side") }, 0},
			{"a branch without a past", func() { g.Git("shop", "switch", "-q", "--orphan", "pages"); g.Commit("shop") }, 1},
			{"back again", func() { g.Git("shop", "switch", "-q", "main") }, 0},
			{"a worktree", func() { g.Git("shop", "worktree", "add", "-q", g.Path("tree"), "-b", "tree") }, 0},
			{"a commit in the worktree", func() { g.Commit("tree") }, 1},
			{"history rewritten", func() { g.Git("shop", "reset", "-q", "--hard", "HEAD~2"); g.Commit("shop") }, 1},
		} {
			c.do()
			where := "shop"
			if strings.Contains(c.what, "worktree") {
				where = "tree"
			}
			out := g.Background(g.Spooled(memory.TurnEnded, where, fmt.Sprint("run ", i)))
			if out.Commits != c.want {
				g.T.Errorf("%s: %d commits learned, want %d", c.what, out.Commits, c.want)
			}
		}
		if n := g.Commits("shop"); n != 9 {
			g.T.Errorf("%d commits are known, want 9", n)
		}
	})
}

func TestCommitsSayInWhichProjectsADocumentChanged(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 2)
		learned := braintest.Must(g.Lab, learn.LearnHistory, learn.LearnInput{Dir: g.Path("shop")})
		for _, c := range []struct {
			what string
			do   func()
			want int // projects
		}{
			{"code", func() { g.Commit("shop") }, 0},
			{"a document", func() {
				braintest.WriteFile(g.T, filepath.Join(g.Path("shop"), "README.md"), []byte("# Shop\n"))
				g.Git("shop", "add", "README.md")
				g.Git("shop", "commit", "-q", "-m", "explain")
			}, 1},
			{"a document that goes", func() {
				g.Git("shop", "rm", "-q", "README.md")
				g.Git("shop", "commit", "-q", "-m", "explain less")
			}, 1},
		} {
			c.do()
			commits, documents, err := learn.LearnHistories(g.T.Context(), g.Brain, []memory.ProjectID{learned.Project})
			if err != nil || commits != 1 || len(documents) != c.want {
				g.T.Errorf("%s: %d commits, documents changed in %v, want %d: %v", c.what, commits, documents, c.want, err)
			}
		}
	})
}

func TestTheSourceTextIsReadAgainOnlyIfItMayHaveChanged(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 2)
		file := filepath.Join(g.Path("shop"), "price.go")
		for _, c := range []struct {
			what string
			do   func()
			want bool
		}{
			{"the first time", func() {}, true},
			{"nothing new", func() {}, false},
			{"a new file", func() {
				braintest.WriteFile(g.T, file, []byte("package shop\n"))
				g.Git("shop", "add", "price.go")
			}, true},
			{"a longer one", func() { braintest.WriteFile(g.T, file, []byte("package shop\n\nfunc Price() {}\n")) }, true},
			{"nothing new again", func() {}, false},
			{"a past that was made anew", func() {
				must.Do(g.T, g.Store.Update(g.T.Context(), func(tx *store.Tx) error {
					return record.NewGeneration(g.T.Context(), tx, g.ProjectOf("shop"))
				}))
			}, true},
		} {
			c.do()
			if out := braintest.Must(g.Lab, learn.LearnHistory, learn.LearnInput{Dir: g.Path("shop")}); (out.Files > 0) != c.want {
				g.T.Errorf("%s: %d files were read", c.what, out.Files)
			}
		}
	})
}

func TestALongHistoryIsLearnedInSeveralRuns(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Config.Tuning.Store.BatchMax = 10 // the first batch has one event
		g.Repository("shop", 5)
		g.Git("shop", "switch", "-q", "-c", "side", "HEAD~3")
		for range 3 {
			g.Commit("shop")
		}
		g.Git("shop", "switch", "-q", "main")
		g.Git("shop", "merge", "-q", "-s", "ours", "-m", "join", "side")
		g.Commit("shop")
		runs, added := 0, 0
		for left := true; left && runs < 20; runs++ {
			out := braintest.Must(g.Lab, learn.LearnHistory, learn.LearnInput{Dir: g.Path("shop"), Most: 2})
			left, added = out.Left, added+out.Added
			if out.Added > 4 { // one batch may lie across the bound, and batches grow to twice their size
				g.T.Errorf("run %d learned %d commits, want about 2", runs, out.Added)
			}
		}
		if runs < 3 || added != 9 || g.Commits("shop") != 9 {
			g.T.Errorf("%d runs learned %d commits and %d are known, want several runs and 9", runs, added, g.Commits("shop"))
		}
		if out := braintest.Must(g.Lab, learn.LearnHistory, learn.LearnInput{Dir: g.Path("shop"), Again: true}); out.Commits != 0 {
			g.T.Errorf("%d commits are read again, want none", out.Commits)
		}
	})
}

func TestARunThatIsInterruptedIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Config.Tuning.Store.BatchMax = 10
		g.Repository("shop", 6)
		ctx, cancel := context.WithCancel(g.T.Context())
		_, err := steward.Run(ctx, g.Brain, learn.LearnHistory, learn.LearnInput{Dir: g.Path("shop"), Progress: func(done, _ int) {
			if done >= 5 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			g.T.Fatalf("got %v, want the interruption", err)
		}
		out := braintest.Must(g.Lab, learn.LearnHistory, learn.LearnInput{Dir: g.Path("shop")})
		if n := g.Commits("shop"); n != 6 || out.Links == 0 {
			g.T.Errorf("%d commits and %d links, want 6 commits and a.go linked to b.go", n, out.Links)
		}
	})
}

func TestAHistoryThatIsNotToBeLearnedIsOfferedOnce(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Config.Learn.History = config.GateAsk
		g.Repository("shop", 3)
		g.Begin("shop", "one")
		const line = "hebb has not learned this repository's history; `hebb init` learns it"
		if shown := g.Begin("shop", "two"); !strings.Contains(shown, line) || g.Commits("shop") != 0 {
			g.T.Errorf("shown %q with %d commits, want %q and none", shown, g.Commits("shop"), line)
		}
		if shown := g.Begin("shop", "three"); strings.Contains(shown, line) {
			g.T.Errorf("shown again: %q", shown)
		}
		braintest.Must(g.Lab, learn.LearnHistory, learn.LearnInput{Dir: g.Path("shop")})
		if n := g.Commits("shop"); n != 3 {
			g.T.Errorf("hebb init learned %d commits, want 3", n)
		}
	})
}

func TestWhatGitCannotReadStopsNothing(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("origin", 3)
		g.Repository("empty", 0)
		g.Repository("broken", 2)
		g.Remove("broken/.git/objects")
		must.Do(g.T, os.Mkdir(g.Path("broken/.git/objects"), 0o755))
		g.Git(".", "clone", "-q", "--depth", "1", "file://"+g.Path("origin"), "shallow")
		g.Repository("outer", 1)
		g.Git("outer", "submodule", "--quiet", "add", g.Path("origin"), "inner")
		must.Do(g.T, os.Mkdir(g.Path("plain"), 0o755))
		for name, want := range map[string]int{"empty": 0, "broken": 0, "shallow": 0, "outer/inner": 3, "plain": 0} {
			g.Begin(name, "run in "+name) // fails on an error
			if n := g.Commits(name); n != want {
				g.T.Errorf("%s: %d commits, want %d", name, n, want)
			}
		}
		d := &inspect.Examination{Config: g.Config, Now: g.Clock}
		d.History(g.T.Context(), g.Store, placeAt(g, "broken"))
		d.History(g.T.Context(), g.Store, placeAt(g, "empty"))
		d.History(g.T.Context(), g.Store, placeAt(g, "outer/inner"))
		d.History(g.T.Context(), g.Store, placeAt(g, "plain"))
		if len(d.Findings) != 3 || d.Findings[0].Level != inspect.Warn || d.Findings[1].Detail != "no commits yet" || !strings.HasPrefix(d.Findings[2].Detail, "learned up to ") {
			g.T.Errorf("the doctor says %+v", d.Findings)
		}
	})
}

func TestWithoutGitASessionGoesOn(t *testing.T) {
	g := braintest.NewGround(t, braintest.NewLab(t))
	g.Repository("shop", 2)
	t.Setenv("PATH", "")
	g.Begin("shop", "one") // fails on an error
	d := &inspect.Examination{Config: g.Config, Now: g.Clock}
	d.History(t.Context(), g.Store, placeAt(g, "shop"))
	if len(d.Findings) != 1 || !strings.Contains(d.Findings[0].Detail, "install git") {
		t.Errorf("the doctor says %+v", d.Findings)
	}
}

func TestARepositoryOfAnotherUserIsLeftOut(t *testing.T) {
	if os.Getuid() != 0 {
		t.Log("only root can give a repository away; the same path is tested with a broken one")
		return
	}
	t.Parallel()
	g := braintest.NewGround(t, braintest.NewLab(t))
	g.Repository("shop", 2)
	for _, name := range []string{"shop", "shop/.git"} {
		must.Do(t, os.Chown(g.Path(name), 4711, 4711))
	}
	g.Begin("shop", "one")
	d := &inspect.Examination{Config: g.Config, Now: g.Clock}
	d.History(t.Context(), g.Store, placeAt(g, "shop"))
	if g.Commits("shop") != 0 || len(d.Findings) != 1 || !strings.Contains(d.Findings[0].Detail, "safe.directory") {
		t.Errorf("%d commits, the doctor says %+v", g.Commits("shop"), d.Findings)
	}
}

func placeAt(g *braintest.Ground, dir string) memory.Place {
	g.T.Helper()
	return must.Get(brain.PlaceAt(g.Config, g.Path(dir)))(g.T)
}
