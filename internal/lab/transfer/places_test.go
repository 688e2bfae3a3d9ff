package transfer_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transfer"
)

func TestEventsOfAPausedProjectThatMovedAreNotKept(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 1)
		g.Worked("shop")
		braintest.Must(g.Lab, desk.PauseProject, desk.PauseInput{Scope: brain.Scope{Dir: g.Path("shop")}, Pause: true})
		before := len(g.Events())
		g.Move("shop", "store")
		g.Begin("store", "quiet")
		if after := len(g.Events()); after != before {
			g.T.Errorf("%d events, want %d: the project is paused", after, before)
		}
	})
}

// Each case makes a repository "new" beside "shop", in which hebb was used; shared says whether it uses shop's memory.
func TestARepositoryIsKnownByItsHistory(t *testing.T) {
	t.Parallel()
	const remote = "https://example.org/ada/shop.git"
	worked := func(g *braintest.Ground) {
		g.Repository("shop", 2)
		g.Worked("shop")
	}
	cloned := func(g *braintest.Ground, url string) {
		g.Repository("shop", 2)
		g.Git("shop", "remote", "add", "origin", remote)
		g.Worked("shop")
		g.Git(".", "clone", "-q", "shop", "new")
		g.Git("new", "remote", "set-url", "origin", url)
	}
	for name, c := range map[string]struct {
		build  func(g *braintest.Ground)
		shared bool
	}{
		"a clone of a folder":             {func(g *braintest.Ground) { worked(g); g.Git(".", "clone", "-q", "shop", "new") }, true},
		"a clone with commits of its own": {func(g *braintest.Ground) { worked(g); g.Git(".", "clone", "-q", "shop", "new"); g.Commit("new") }, true},
		"a clone over another protocol":   {func(g *braintest.Ground) { cloned(g, "ssh://git@EXAMPLE.org:2222/ada/shop") }, true},
		"a clone without a remote":        {func(g *braintest.Ground) { cloned(g, "x"); g.Git("new", "remote", "remove", "origin") }, false},
		"two copies of a template": {func(g *braintest.Ground) {
			g.Repository("template", 1)
			for _, copied := range []string{"shop", "new"} {
				g.Git(".", "clone", "-q", "template", copied)
				g.Git(copied, "remote", "remove", "origin")
			}
			g.Worked("shop")
		}, false},
		"a folder whose .git file names the first": {func(g *braintest.Ground) {
			worked(g)
			must.Do(g.T, os.MkdirAll(g.Path("new"), 0o755))
			braintest.WriteFile(g.T, filepath.Join(g.Path("new"), ".git"), []byte("gitdir: "+g.Path("shop")+"/.git\n"))
		}, false},
		"a clone of a clone of a folder": {func(g *braintest.Ground) {
			worked(g)
			g.Git(".", "clone", "-q", "shop", "between")
			g.Git(".", "clone", "-q", "between", "new")
		}, true},
		"a fork":                        {func(g *braintest.Ground) { cloned(g, "git@example.org:eve/shop.git") }, false},
		"a work tree":                   {func(g *braintest.Ground) { worked(g); g.Git("shop", "worktree", "add", "-q", "../new") }, true},
		"another repository":            {func(g *braintest.Ground) { worked(g); g.Repository("new", 2) }, false},
		"a repository without a commit": {func(g *braintest.Ground) { worked(g); g.Repository("new", 0) }, false},
		"another repository of the same remote": {func(g *braintest.Ground) {
			cloned(g, remote)
			g.Remove("new")
			g.Repository("new", 1)
			g.Git("new", "remote", "add", "origin", remote)
		}, false},
		"a partial clone": {func(g *braintest.Ground) {
			worked(g)
			g.Git("shop", "config", "uploadpack.allowFilter", "true")
			g.Git(".", "clone", "-q", "--filter=blob:none", "file://"+g.Path("shop"), "new")
		}, true},
		"a shallow clone of the same remote": {func(g *braintest.Ground) {
			cloned(g, remote)
			g.Remove("new")
			g.Git(".", "clone", "-q", "--depth", "1", "file://"+g.Path("shop"), "new")
			g.Git("new", "remote", "set-url", "origin", remote)
		}, true},
		"a shallow clone of who knows what": {func(g *braintest.Ground) {
			worked(g)
			g.Git(".", "clone", "-q", "--depth", "1", "file://"+g.Path("shop"), "new")
		}, false},
		"a repository that took in the first": {func(g *braintest.Ground) {
			worked(g)
			g.Repository("new", 1)
			g.Git("new", "fetch", "-q", g.Path("shop"), "main")
			g.Git("new", "merge", "-q", "--allow-unrelated-histories", "-s", "ours", "-m", "take in shop", "FETCH_HEAD")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			braintest.OnGround(t, func(g *braintest.Ground) {
				c.build(g)
				if shown := g.Begin("new", "one"); strings.Contains(shown, "of shop") && !strings.Contains(name, "work tree") {
					g.T.Errorf("before anybody looked at it, a session is shown %q", shown)
				}
				shown := g.Begin("new", "two")
				if strings.Contains(shown, "pin of shop") != c.shared || g.Finds("new", "shop") != c.shared {
					g.T.Errorf("shares the memory of shop: %v, want %v; shown %q", g.Finds("new", "shop"), c.shared, shown)
				}
			})
		})
	}
}

// A second repository at a path has nothing of the first, and the first keeps its memory wherever it went.
func TestAnEventOfARepositoryThatIsGoneGoesToNoOther(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 2)
		first := g.Worked("shop")
		g.Remove("shop")
		g.Repository("shop", 2)
		e := g.Spooled(memory.Prompted, "shop", "at once") // before a drain has looked at it
		g.Remove("shop")
		g.Background(e)
		if e.Place.Project() == first || slices.ContainsFunc(g.Events(), func(s memory.StoredEvent) bool { return s.ID == e.ID && s.Project == first }) {
			g.T.Error("an event of the second repository is in the memory of the first")
		}
	})
}

// A store of a version that knew projects by their paths goes on with the same projects: no row of it is rewritten.
func TestProjectsKnownByTheirPathAreRecognised(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		for _, name := range []string{"shop", "reused"} {
			g.Repository(name, 2)
		}
		g.Git(".", "clone", "-q", "shop", "twin")
		old := map[string]memory.ProjectID{}
		for _, name := range []string{"shop", "reused", "twin"} { // as that version wrote them: the path, and a file with the roots
			identity := g.Path(name) + "/.git"
			roots := strings.Fields(g.Git(name, "rev-list", "--max-parents=0", "HEAD"))
			must.Do(g.T, g.Config.SavePlace(config.Place{Identity: identity, Repository: memory.Repository{Roots: roots}}))
			e := g.Event(memory.Prompted, 0)
			e.At, e.Place, e.Text = g.Clock, memory.Place{Identity: identity, Root: g.Path(name)}, "please repair "+name
			braintest.Must(g.Lab, steward.Observe, []memory.Event{e})
			old[name] = e.Place.Project()
		}
		g.Remove("reused")
		g.Repository("reused", 1)
		before := len(g.Events())
		for _, name := range []string{"shop", "reused", "twin"} {
			g.Begin(name, "after "+name)
			if same := g.ProjectOf(name) == old[name]; same != (name != "reused") {
				g.T.Errorf("%s has its project: %v", name, same)
			}
		}
		if after := len(g.Events()); after < before+3 {
			g.T.Errorf("%d events, want %d at least", after, before+3)
		}
		twins := braintest.Must(g.Lab, inspect.Status, inspect.StatusInput{Scope: brain.Scope{Dir: g.Path("shop")}}).Twins
		if len(twins) != 1 || twins[0].ID != old["twin"] {
			g.T.Errorf("offered to merge %+v, want twin", twins)
		}
		g.Git(".", "clone", "-q", "shop", "third")
		if g.Begin("third", "one"); g.ProjectOf("third") != old["shop"] && g.ProjectOf("third") != old["twin"] {
			g.T.Error("a new clone uses neither of the two memories")
		}
	})
}

// What the version before knew by equal first commits alone goes on as it was: two clones without a remote share their memory where they are,
// also where the data folder has lost what it knew of places. A third one is asked about.
func TestClonesThatSharedAMemoryKeepIt(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 2)
		for _, name := range []string{"twin", "third"} {
			g.Git(".", "clone", "-q", "shop", name)
			g.Git(name, "remote", "remove", "origin")
		}
		known := memory.Repository{Roots: strings.Fields(g.Git("shop", "rev-list", "--max-parents=0", "HEAD"))}
		for _, name := range []string{"twin", "shop"} { // as that version wrote them
			place := must.Get(project.Resolve(g.Path(name)))(g.T)
			must.Do(g.T, g.Config.SavePlace(config.Place{Identity: place.Identity, Mark: place.Mark, Repository: known, Project: known.NewIdentity()}))
			e := g.Event(memory.Prompted, 0)
			e.At, e.Place, e.Text = g.Clock, memory.Place{Identity: known.NewIdentity(), Root: g.Path(name)}, "please repair "+name
			braintest.Must(g.Lab, steward.Observe, []memory.Event{e})
		}
		old := memory.NewProjectID(known.NewIdentity())
		for _, name := range []string{"twin", "shop"} {
			if g.Begin(name, "after "+name); g.ProjectOf(name) != old {
				g.T.Errorf("%s has lost its memory", name)
			}
		}
		if g.Begin("third", "third"); g.ProjectOf("third") == old {
			g.T.Error("a copy without a remote uses the memory of another folder")
		}
		must.Do(g.T, os.RemoveAll(filepath.Join(g.Config.Dir, "places")))
		if g.Begin("shop", "without places"); g.ProjectOf("shop") != old {
			g.T.Error("the folder last worked in has lost its memory")
		}
	})
}

func TestMergeMovesEverythingAndIsFinishedAfterACrash(t *testing.T) {
	t.Parallel()
	for name, crash := range map[string]func(g *braintest.Ground){
		"not interrupted": func(g *braintest.Ground) {
			braintest.Must(g.Lab, transfer.Merge, transfer.MergeInput{Dir: g.Path("clone"), Project: "shop", Apply: true})
		},
		"before anything was changed": func(g *braintest.Ground) { g.Prepare() },
		"half-way": func(g *braintest.Ground) {
			from := g.ProjectOf("clone")
			g.Prepare()
			for range 3 {
				must.Do(g.T, g.Store.Update(g.T.Context(), func(tx *store.Tx) error {
					_, err := tx.Vacate(g.T.Context(), from, 2)
					return err
				}))
			}
		},
		"before the file was removed": func(g *braintest.Ground) {
			g.Prepare()
			found, err := unfinished(g)
			if err != nil || len(found) != 1 {
				g.T.Fatalf("%v, %v", found, err)
			}
			text := must.Get(os.ReadFile(found[0]))(g.T)
			braintest.Must(g.Lab, steward.Drain, steward.DrainInput{})
			braintest.WriteFile(g.T, found[0], text)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			braintest.OnGround(t, func(g *braintest.Ground) {
				g.Repository("shop", 2)
				id := g.Worked("shop")
				g.Git(".", "clone", "-q", "shop", "clone")
				g.OwnMemory("clone")
				g.Worked("clone")
				g.Commit("clone")
				own := g.ProjectOf("clone")
				must.Do(g.T, os.MkdirAll(g.Config.Cache(), 0o700))
				for _, file := range []string{own.String() + "-g-1.past", own.String() + ".words"} {
					braintest.WriteFile(g.T, filepath.Join(g.Config.Cache(), file), []byte("of the clone"))
				}
				crash(g)
				g.Begin("clone", "after") // its drain finishes what was interrupted
				if left, err := filepath.Glob(filepath.Join(g.Config.Cache(), own.String()+"*")); err != nil || len(left) > 0 {
					g.T.Errorf("left in the cache: %v, %v", left, err)
				}
				if left, err := unfinished(g); err != nil || len(left) > 0 {
					g.T.Errorf("not finished: %v, %v", left, err)
				}
				for _, in := range []string{"shop", "clone"} {
					if g.ProjectOf(in) != id || !g.Finds(in, "shop") || !g.Finds(in, "clone") {
						g.T.Errorf("%s belongs to %s and finds %v and %v", in, g.ProjectOf(in), g.Finds(in, "shop"), g.Finds(in, "clone"))
					}
				}
				if names := g.Projects(); !slices.Equal(names, []string{"shop"}) || g.Commits("clone") != 3 {
					g.T.Errorf("projects %v with %d commits, want shop with 3", names, g.Commits("clone"))
				}
				if pins := braintest.Must(g.Lab, desk.Pins, brain.Scope{Dir: g.Path("shop")}).Pins; len(pins) != 2 {
					g.T.Errorf("pins %+v, want those of both", pins)
				}
				prompts := 0
				for _, e := range g.Events() {
					if e.Kind == memory.Prompted && e.Project == id && strings.HasPrefix(e.Text, "please repair the drawer") {
						prompts++
					}
				}
				if prompts != 2 {
					g.T.Errorf("%d prompts, want one of each clone", prompts)
				}
			})
		})
	}
}

// unfinished are the files of merges that are not finished.
func unfinished(g *braintest.Ground) ([]string, error) {
	return filepath.Glob(filepath.Join(g.Config.Dir, "merges", "*.jsonl"))
}
