package transfer_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/desk"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/transfer"
)

func TestAMovedRepositoryKeepsItsMemory(t *testing.T) {
	t.Parallel()
	braintest.OnBothEngines(t, func(g *braintest.Ground) {
		g.Repository("shop", 3)
		id := g.Worked("shop")
		g.Move("shop", "store")
		g.Commit("store")
		g.Begin("store", "first there") // its hook does not know of the move yet
		if got := g.ProjectOf("store"); got != id {
			g.T.Fatalf("the project of store is %s, want %s", got, id)
		}
		shown := g.Begin("store", "second there")
		for _, want := range []string{"pin of shop", "the till of shop counts nickels", "hebb recognised this repository, which was at " + g.Path("shop")} {
			if !strings.Contains(shown, want) {
				g.T.Errorf("a session there is shown %q, want %q in it", shown, want)
			}
		}
		if shown := g.Begin("store", "third there"); strings.Contains(shown, "recognised") {
			g.T.Errorf("shown again: %q", shown)
		}
		if names := g.Projects(); !g.Finds("store", "shop") || g.Commits("store") != 4 || !slices.Equal(names, []string{"shop"}) {
			g.T.Errorf("search finds %v, %d commits of projects %v, want true, 4 and only shop", g.Finds("store", "shop"), g.Commits("store"), names)
		}
		braintest.Must(g.Lab, desk.PauseProject, desk.PauseInput{Scope: brain.Scope{Dir: g.Path("store")}, Pause: true})
		if e := g.Spooled(memory.Prompted, "store", "paused"); !g.Config.Paused(e.Place.Project()) {
			g.T.Error("the hook does not know that the project is paused at its new place")
		}
		braintest.Must(g.Lab, desk.PauseProject, desk.PauseInput{Scope: brain.Scope{Dir: g.Path("store")}, Pause: false})

		// It moves once more, and a reading command comes there first.
		g.Move("store", "market")
		braintest.Must(g.Lab, steward.Drain, steward.DrainInput{Wait: true, Dir: g.Path("market")})
		if got := g.ProjectOf("market"); got != id || !g.Finds("market", "shop") {
			g.T.Errorf("after the second move the project is %s, want %s", got, id)
		}

		// The first place comes back, as a drive that was away for a while.
		g.Git(".", "clone", "-q", "market", "shop")
		g.Begin("shop", "back")
		if got := g.ProjectOf("shop"); got != id || !g.Finds("shop", "shop") || !g.Finds("market", "shop") {
			g.T.Errorf("the old place belongs to %s, want %s, and both find everything", got, id)
		}
	})
}

func TestEventsOfAPausedProjectThatMovedAreNotKept(t *testing.T) {
	t.Parallel()
	braintest.OnBothEngines(t, func(g *braintest.Ground) {
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

func TestOnlyTheOneRepositoryThatIsGoneIsRecognised(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		build  func(g *braintest.Ground) // leaves a repository "new" that hebb has not met
		offers []string                  // names of the projects whose memory is offered there
	}{
		"a second clone beside the first": {func(g *braintest.Ground) {
			g.Repository("shop", 2)
			g.Worked("shop")
			g.Git(".", "clone", "-q", "shop", "new")
		}, []string{"shop"}},
		"a fork with commits of its own": {func(g *braintest.Ground) {
			g.Repository("shop", 2)
			g.Worked("shop")
			g.Git(".", "clone", "-q", "shop", "new")
			g.Commit("new")
		}, []string{"shop"}},
		"two that are gone": {func(g *braintest.Ground) {
			g.Repository("shop", 2)
			g.Git(".", "clone", "-q", "shop", "other")
			g.Git(".", "clone", "-q", "shop", "new")
			g.Worked("shop")
			g.Worked("other")
			g.Remove("shop")
			g.Remove("other")
		}, []string{"other", "shop"}},
		"one that is gone and one that is there": {func(g *braintest.Ground) {
			g.Repository("shop", 2)
			g.Git(".", "clone", "-q", "shop", "other")
			g.Git(".", "clone", "-q", "shop", "new")
			g.Worked("shop")
			g.Worked("other")
			g.Remove("shop")
		}, []string{"other", "shop"}},
		"a repository that took in the one that is gone": {func(g *braintest.Ground) {
			g.Repository("shop", 2)
			g.Worked("shop")
			g.Repository("new", 1)
			g.Git("new", "fetch", "-q", g.Path("shop"), "main")
			g.Git("new", "merge", "-q", "--allow-unrelated-histories", "-s", "ours", "-m", "take in shop", "FETCH_HEAD")
			g.Remove("shop")
		}, nil},
		"another repository": {func(g *braintest.Ground) {
			g.Repository("shop", 2)
			g.Worked("shop")
			g.Remove("shop")
			g.Repository("new", 2)
		}, nil},
		"a shallow clone": {func(g *braintest.Ground) {
			g.Repository("shop", 2)
			g.Worked("shop")
			g.Git(".", "clone", "-q", "--depth", "1", "file://"+g.Path("shop"), "new")
			g.Remove("shop")
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			braintest.OnBothEngines(t, func(g *braintest.Ground) {
				c.build(g)
				g.Begin("new", "one")
				if g.Finds("new", "shop") || g.Finds("new", "other") {
					g.T.Error("it uses the memory of another project")
				}
				var offered []string
				for _, twin := range braintest.Must(g.Lab, inspect.Status, inspect.StatusInput{Scope: brain.Scope{Dir: g.Path("new")}}).Twins {
					offered = append(offered, twin.Name)
				}
				slices.Sort(offered)
				if !slices.Equal(offered, c.offers) {
					g.T.Errorf("offered %v, want %v", offered, c.offers)
				}
				if shown := g.Begin("new", "two"); strings.Contains(shown, "hebb projects merge") != (len(c.offers) > 0) {
					g.T.Errorf("the next session is shown %q", shown)
				}
				if shown := g.Begin("new", "three"); strings.Contains(shown, "hebb projects merge") {
					g.T.Errorf("shown again: %q", shown)
				}
			})
		})
	}
}

func TestACloneThatWasUsedIsNotMergedWhenTheFirstGoes(t *testing.T) {
	t.Parallel()
	braintest.OnBothEngines(t, func(g *braintest.Ground) {
		g.Repository("shop", 2)
		first := g.Worked("shop")
		g.Git(".", "clone", "-q", "shop", "fork")
		second := g.Worked("fork")
		g.Remove("shop")
		g.Begin("fork", "later")
		if g.ProjectOf("fork") != second || first == second {
			g.T.Error("the fork uses the memory of the first")
		}
	})
}

func TestRelocateUsesAnotherMemoryAndUndoEndsIt(t *testing.T) {
	t.Parallel()
	braintest.OnBothEngines(t, func(g *braintest.Ground) {
		g.Repository("shop", 2)
		id := g.Worked("shop")
		g.Git(".", "clone", "-q", "shop", "clone")
		own := g.ProjectOf("clone")
		in := transfer.RelocateInput{Dir: g.Path("clone"), Project: "shop"}
		if out := braintest.Must(g.Lab, transfer.Relocate, in); out.Applied || g.ProjectOf("clone") != own {
			g.T.Errorf("without Apply: %+v", out)
		}
		in.Apply = true
		if out := braintest.Must(g.Lab, transfer.Relocate, in); !out.Applied || g.ProjectOf("clone") != id || !g.Finds("clone", "shop") {
			g.T.Errorf("relocated: %+v, project %s", out, g.ProjectOf("clone"))
		}
		if _, err := steward.Run(g.T.Context(), g.Brain, transfer.Relocate, in); err == nil {
			g.T.Error("a second time is no error")
		}
		back := transfer.RelocateInput{Dir: g.Path("shop"), Project: id.String(), Apply: true}
		if _, err := steward.Run(g.T.Context(), g.Brain, transfer.Relocate, back); err == nil {
			g.T.Error("a project may be relocated to itself")
		}
		undo := transfer.RelocateInput{Dir: g.Path("clone"), Undo: true, Apply: true}
		if out := braintest.Must(g.Lab, transfer.Relocate, undo); !out.Applied || g.ProjectOf("clone") != own || !g.Finds("shop", "shop") {
			g.T.Errorf("undone: %+v, project %s", out, g.ProjectOf("clone"))
		}
		if _, err := steward.Run(g.T.Context(), g.Brain, transfer.Relocate, undo); err == nil {
			g.T.Error("undoing nothing is no error")
		}
	})
}

func TestMergeMovesEverythingAndIsFinishedAfterACrash(t *testing.T) {
	t.Parallel()
	for name, crash := range map[string]func(g *braintest.Ground){
		"not interrupted": func(g *braintest.Ground) {
			braintest.Must(g.Lab, transfer.Relocate, transfer.RelocateInput{Dir: g.Path("clone"), Project: "shop", Merge: true, Apply: true})
		},
		"before anything was changed": func(g *braintest.Ground) { g.Prepare() },
		"half-way": func(g *braintest.Ground) {
			g.Prepare()
			for range 3 {
				err := g.Store.Update(g.T.Context(), func(tx *store.Tx) error {
					_, err := tx.Vacate(g.T.Context(), memory.NewProjectID(g.Path("clone/.git")), 2)
					return err
				})
				if err != nil {
					g.T.Fatal(err)
				}
			}
		},
		"before the file was removed": func(g *braintest.Ground) {
			g.Prepare()
			found, err := transfer.Merges(g.Brain)
			if err != nil || len(found) != 1 {
				g.T.Fatalf("%v, %v", found, err)
			}
			text, err := os.ReadFile(found[0].File)
			if err != nil {
				g.T.Fatal(err)
			}
			braintest.Must(g.Lab, steward.Drain, steward.DrainInput{})
			braintest.WriteFile(g.T, found[0].File, text)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			braintest.OnBothEngines(t, func(g *braintest.Ground) {
				g.Repository("shop", 2)
				id := g.Worked("shop")
				g.Git(".", "clone", "-q", "shop", "clone")
				g.Worked("clone")
				g.Commit("clone")
				if _, err := steward.Run(g.T.Context(), g.Brain, transfer.Relocate, transfer.RelocateInput{Dir: g.Path("clone"), Project: "shop", Apply: true}); err == nil {
					g.T.Error("a folder with memories is relocated, and they are out of reach")
				}
				own := g.ProjectOf("clone")
				if err := os.MkdirAll(g.Config.Cache(), 0o700); err != nil {
					g.T.Fatal(err)
				}
				for _, file := range []string{own.String() + "-g-1.past", own.String() + ".words"} {
					braintest.WriteFile(g.T, filepath.Join(g.Config.Cache(), file), []byte("of the clone"))
				}
				crash(g)
				g.Begin("clone", "after") // its drain finishes what was interrupted
				if left, err := filepath.Glob(filepath.Join(g.Config.Cache(), own.String()+"*")); err != nil || len(left) > 0 {
					g.T.Errorf("left in the cache: %v, %v", left, err)
				}
				if left, err := transfer.Merges(g.Brain); err != nil || len(left) > 0 {
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
