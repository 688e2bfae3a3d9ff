package brain

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

// worked makes a repository in which a session has ended and something was remembered, and returns its project.
func (g *ground) worked(name string) memory.ProjectID {
	g.t.Helper()
	g.begin(name, "work in "+name)
	edit := g.spooled(memory.ToolUsed, name, "work in "+name)
	edit.Tool, edit.Touches = "Edit", []memory.Touch{{Kind: memory.Edit, Path: "a.go"}}
	prompt := g.spooled(memory.Prompted, name, "work in "+name)
	prompt.Text = "please repair the drawer of " + name
	must(g.lab, Remember, RememberInput{Scope: Scope{Dir: g.path(name)}, Text: "the till of " + name + " counts nickels"})
	must(g.lab, PinText, PinInput{Scope: Scope{Dir: g.path(name)}, Title: "pin of " + name, Text: "never touch the till of " + name})
	g.background(prompt, edit, g.spooled(memory.SessionEnded, name, "work in "+name))
	return g.projectOf(name)
}

func (g *ground) projectOf(name string) memory.ProjectID {
	g.t.Helper()
	place, err := g.placeAt(g.path(name))
	if err != nil {
		g.t.Fatal(err)
	}
	return place.Project()
}

// finds reports whether a search in a repository finds what was remembered in one of a name.
func (g *ground) finds(in, of string) bool {
	g.t.Helper()
	out := must(g.lab, SearchTexts, SearchInput{Scope: Scope{Dir: g.path(in)}, Query: "till nickels " + of})
	return slices.ContainsFunc(out.Found, func(f Found) bool { return strings.Contains(f.Text, "the till of "+of+" counts") })
}

func (g *ground) projects() (names []string) {
	g.t.Helper()
	for _, p := range must(g.lab, Projects, struct{}{}) {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return names
}

func TestAMovedRepositoryKeepsItsMemory(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(g *ground) {
		g.repository("shop", 3)
		id := g.worked("shop")
		g.move("shop", "store")
		g.commit("store")
		g.begin("store", "first there") // its hook does not know of the move yet
		if got := g.projectOf("store"); got != id {
			g.t.Fatalf("the project of store is %s, want %s", got, id)
		}
		shown := g.begin("store", "second there")
		for _, want := range []string{"pin of shop", "the till of shop counts nickels", "hebb recognised this repository, which was at " + g.path("shop")} {
			if !strings.Contains(shown, want) {
				g.t.Errorf("a session there is shown %q, want %q in it", shown, want)
			}
		}
		if shown := g.begin("store", "third there"); strings.Contains(shown, "recognised") {
			g.t.Errorf("shown again: %q", shown)
		}
		if names := g.projects(); !g.finds("store", "shop") || g.commits("store") != 4 || !slices.Equal(names, []string{"shop"}) {
			g.t.Errorf("search finds %v, %d commits of projects %v, want true, 4 and only shop", g.finds("store", "shop"), g.commits("store"), names)
		}
		must(g.lab, PauseProject, PauseInput{Scope: Scope{Dir: g.path("store")}, Pause: true})
		if e := g.spooled(memory.Prompted, "store", "paused"); !g.config.Paused(e.Place.Project()) {
			g.t.Error("the hook does not know that the project is paused at its new place")
		}
		must(g.lab, PauseProject, PauseInput{Scope: Scope{Dir: g.path("store")}, Pause: false})

		// It moves once more, and a reading command comes there first.
		g.move("store", "market")
		must(g.lab, Drain, DrainInput{Wait: true, Dir: g.path("market")})
		if got := g.projectOf("market"); got != id || !g.finds("market", "shop") {
			g.t.Errorf("after the second move the project is %s, want %s", got, id)
		}

		// The first place comes back, as a drive that was away for a while.
		g.git(".", "clone", "-q", "market", "shop")
		g.begin("shop", "back")
		if got := g.projectOf("shop"); got != id || !g.finds("shop", "shop") || !g.finds("market", "shop") {
			g.t.Errorf("the old place belongs to %s, want %s, and both find everything", got, id)
		}
	})
}

func TestEventsOfAPausedProjectThatMovedAreNotKept(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(g *ground) {
		g.repository("shop", 1)
		g.worked("shop")
		must(g.lab, PauseProject, PauseInput{Scope: Scope{Dir: g.path("shop")}, Pause: true})
		before := len(g.events())
		g.move("shop", "store")
		g.begin("store", "quiet")
		if after := len(g.events()); after != before {
			g.t.Errorf("%d events, want %d: the project is paused", after, before)
		}
	})
}

func TestOnlyTheOneRepositoryThatIsGoneIsRecognised(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		build  func(g *ground) // leaves a repository "new" that hebb has not met
		offers []string        // names of the projects whose memory is offered there
	}{
		"a second clone beside the first": {func(g *ground) {
			g.repository("shop", 2)
			g.worked("shop")
			g.git(".", "clone", "-q", "shop", "new")
		}, []string{"shop"}},
		"a fork with commits of its own": {func(g *ground) {
			g.repository("shop", 2)
			g.worked("shop")
			g.git(".", "clone", "-q", "shop", "new")
			g.commit("new")
		}, []string{"shop"}},
		"two that are gone": {func(g *ground) {
			g.repository("shop", 2)
			g.git(".", "clone", "-q", "shop", "other")
			g.git(".", "clone", "-q", "shop", "new")
			g.worked("shop")
			g.worked("other")
			g.remove("shop")
			g.remove("other")
		}, []string{"other", "shop"}},
		"one that is gone and one that is there": {func(g *ground) {
			g.repository("shop", 2)
			g.git(".", "clone", "-q", "shop", "other")
			g.git(".", "clone", "-q", "shop", "new")
			g.worked("shop")
			g.worked("other")
			g.remove("shop")
		}, []string{"other", "shop"}},
		"a repository that took in the one that is gone": {func(g *ground) {
			g.repository("shop", 2)
			g.worked("shop")
			g.repository("new", 1)
			g.git("new", "fetch", "-q", g.path("shop"), "main")
			g.git("new", "merge", "-q", "--allow-unrelated-histories", "-s", "ours", "-m", "take in shop", "FETCH_HEAD")
			g.remove("shop")
		}, nil},
		"another repository": {func(g *ground) {
			g.repository("shop", 2)
			g.worked("shop")
			g.remove("shop")
			g.repository("new", 2)
		}, nil},
		"a shallow clone": {func(g *ground) {
			g.repository("shop", 2)
			g.worked("shop")
			g.git(".", "clone", "-q", "--depth", "1", "file://"+g.path("shop"), "new")
			g.remove("shop")
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBothEngines(t, func(g *ground) {
				c.build(g)
				g.begin("new", "one")
				if g.finds("new", "shop") || g.finds("new", "other") {
					g.t.Error("it uses the memory of another project")
				}
				var offered []string
				for _, twin := range must(g.lab, Status, StatusInput{Scope: Scope{Dir: g.path("new")}}).Twins {
					offered = append(offered, twin.Name)
				}
				slices.Sort(offered)
				if !slices.Equal(offered, c.offers) {
					g.t.Errorf("offered %v, want %v", offered, c.offers)
				}
				if shown := g.begin("new", "two"); strings.Contains(shown, "hebb projects merge") != (len(c.offers) > 0) {
					g.t.Errorf("the next session is shown %q", shown)
				}
				if shown := g.begin("new", "three"); strings.Contains(shown, "hebb projects merge") {
					g.t.Errorf("shown again: %q", shown)
				}
			})
		})
	}
}

func TestACloneThatWasUsedIsNotMergedWhenTheFirstGoes(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(g *ground) {
		g.repository("shop", 2)
		first := g.worked("shop")
		g.git(".", "clone", "-q", "shop", "fork")
		second := g.worked("fork")
		g.remove("shop")
		g.begin("fork", "later")
		if g.projectOf("fork") != second || first == second {
			g.t.Error("the fork uses the memory of the first")
		}
	})
}

func TestRelocateUsesAnotherMemoryAndUndoEndsIt(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(g *ground) {
		g.repository("shop", 2)
		id := g.worked("shop")
		g.git(".", "clone", "-q", "shop", "clone")
		own := g.projectOf("clone")
		in := RelocateInput{Dir: g.path("clone"), Project: "shop"}
		if out := must(g.lab, Relocate, in); out.Applied || g.projectOf("clone") != own {
			g.t.Errorf("without Apply: %+v", out)
		}
		in.Apply = true
		if out := must(g.lab, Relocate, in); !out.Applied || g.projectOf("clone") != id || !g.finds("clone", "shop") {
			g.t.Errorf("relocated: %+v, project %s", out, g.projectOf("clone"))
		}
		if _, err := Run(g.t.Context(), g.Brain, Relocate, in); err == nil {
			g.t.Error("a second time is no error")
		}
		back := RelocateInput{Dir: g.path("shop"), Project: id.String(), Apply: true}
		if _, err := Run(g.t.Context(), g.Brain, Relocate, back); err == nil {
			g.t.Error("a project may be relocated to itself")
		}
		undo := RelocateInput{Dir: g.path("clone"), Undo: true, Apply: true}
		if out := must(g.lab, Relocate, undo); !out.Applied || g.projectOf("clone") != own || !g.finds("shop", "shop") {
			g.t.Errorf("undone: %+v, project %s", out, g.projectOf("clone"))
		}
		if _, err := Run(g.t.Context(), g.Brain, Relocate, undo); err == nil {
			g.t.Error("undoing nothing is no error")
		}
	})
}

func TestMergeMovesEverythingAndIsFinishedAfterACrash(t *testing.T) {
	t.Parallel()
	for name, crash := range map[string]func(g *ground){
		"not interrupted": func(g *ground) {
			must(g.lab, Relocate, RelocateInput{Dir: g.path("clone"), Project: "shop", Merge: true, Apply: true})
		},
		"before anything was changed": func(g *ground) { g.prepare() },
		"half-way": func(g *ground) {
			g.prepare()
			for range 3 {
				err := g.store.Update(g.t.Context(), func(tx *store.Tx) error {
					_, err := tx.Vacate(g.t.Context(), memory.NewProjectID(g.path("clone/.git")), 2)
					return err
				})
				if err != nil {
					g.t.Fatal(err)
				}
			}
		},
		"before the file was removed": func(g *ground) {
			g.prepare()
			found, err := g.merges()
			if err != nil || len(found) != 1 {
				g.t.Fatalf("%v, %v", found, err)
			}
			text, err := os.ReadFile(found[0].file)
			if err != nil {
				g.t.Fatal(err)
			}
			must(g.lab, Drain, DrainInput{})
			writeFile(g.t, found[0].file, text)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBothEngines(t, func(g *ground) {
				g.repository("shop", 2)
				id := g.worked("shop")
				g.git(".", "clone", "-q", "shop", "clone")
				g.worked("clone")
				g.commit("clone")
				if _, err := Run(g.t.Context(), g.Brain, Relocate, RelocateInput{Dir: g.path("clone"), Project: "shop", Apply: true}); err == nil {
					g.t.Error("a folder with memories is relocated, and they are out of reach")
				}
				crash(g)
				g.begin("clone", "after") // its drain finishes what was interrupted
				if left, err := g.merges(); err != nil || len(left) > 0 {
					g.t.Errorf("not finished: %v, %v", left, err)
				}
				for _, in := range []string{"shop", "clone"} {
					if g.projectOf(in) != id || !g.finds(in, "shop") || !g.finds(in, "clone") {
						g.t.Errorf("%s belongs to %s and finds %v and %v", in, g.projectOf(in), g.finds(in, "shop"), g.finds(in, "clone"))
					}
				}
				if names := g.projects(); !slices.Equal(names, []string{"shop"}) || g.commits("clone") != 3 {
					g.t.Errorf("projects %v with %d commits, want shop with 3", names, g.commits("clone"))
				}
				if pins := must(g.lab, Pins, Scope{Dir: g.path("shop")}).Pins; len(pins) != 2 {
					g.t.Errorf("pins %+v, want those of both", pins)
				}
				prompts := 0
				for _, e := range g.events() {
					if e.Kind == memory.Prompted && e.Project == id && strings.HasPrefix(e.Text, "please repair the drawer") {
						prompts++
					}
				}
				if prompts != 2 {
					g.t.Errorf("%d prompts, want one of each clone", prompts)
				}
			})
		})
	}
}

// prepare is a merge of clone into shop that ends as soon as it can be finished.
func (g *ground) prepare() {
	g.t.Helper()
	plan := must(g.lab, Relocate, RelocateInput{Dir: g.path("clone"), Project: "shop", Merge: true})
	place, err := g.placeAt(g.path("clone"))
	if err != nil {
		g.t.Fatal(err)
	}
	if err := g.prepareMerge(g.t.Context(), place, plan.Into); err != nil {
		g.t.Fatal(err)
	}
}
