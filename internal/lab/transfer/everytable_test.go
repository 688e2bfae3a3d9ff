package transfer_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/store/storetest"
	"github.com/hebb-memory/hebb/internal/transfer"
)

// A project with rows in every table (storetest.EveryTable, which is checked against the schema) is merged into another one.
func TestAProjectWithRowsInEveryTableIsMerged(t *testing.T) {
	t.Parallel()
	test := func(g *braintest.Ground) {
		g.Repository("shop", 2)
		into := g.Worked("shop")
		from := storetest.EveryTable(g.T, g.Store)
		never := store.NewFact[bool]("never") // said by the person of a file
		must.Do(g.T, g.Store.Update(g.T.Context(), func(tx *store.Tx) error { return never.Of(from.Project()).About("a.go").Set(g.T.Context(), tx, true) }))
		target := must.Get(brain.View(g.T.Context(), g.Store, func(tx *store.Tx) (memory.Project, error) { return tx.Project(g.T.Context(), into) }))(g.T)
		must.Do(g.T, transfer.PrepareMerge(g.T.Context(), g.Brain, from, target))
		g.Clock = g.Clock.Add(time.Minute)
		out := braintest.Must(g.Lab, steward.Drain, steward.DrainInput{Sleep: true})
		if len(out.Failed) > 0 {
			g.T.Fatalf("failed: %+v", out.Failed)
		}
		must.Do(g.T, g.Store.View(g.T.Context(), func(tx *store.Tx) error {
			if known, err := g.KnowsProject(g.T.Context(), from.Project()); err != nil || known {
				g.T.Errorf("the project is still there: %v, %v", known, err)
			}
			moved, err := tx.Crystals(g.T.Context(), store.CrystalFilter{Projects: []memory.ProjectID{into}})
			moved = slices.DeleteFunc(moved, func(c store.Kept) bool { return c.Text != "said once" })
			if len(moved) != 1 {
				g.T.Errorf("its text is there %d times", len(moved))
			}
			if kept, err := never.Of(into).About("a.go").Get(g.T.Context(), tx); err != nil || !kept {
				g.T.Errorf("its file that is never to be shown is kept: %v, %v", kept, err)
			}
			goals, failed := tx.Goals(g.T.Context(), false, into)
			if !slices.ContainsFunc(goals, func(x memory.Goal) bool { return x.Title == "count nickels" }) {
				g.T.Errorf("its goal is not among %d: %v", len(goals), failed)
			}
			return err
		}))
	}
	braintest.OnGround(t, test)
}

// A merge that cannot be finished, here because its file is damaged, stops neither the drain nor the other merges, and the doctor
// reports it until it is done.
func TestAMergeThatFailsStopsNothingElse(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 2)
		g.Worked("shop")
		g.Git(".", "clone", "-q", "shop", "clone")
		g.OwnMemory("clone")
		g.Worked("clone")
		g.Prepare()
		found, err := unfinished(g)
		if err != nil || len(found) != 1 {
			g.T.Fatalf("%v, %v", found, err)
		}
		whole := must.Get(os.ReadFile(found[0]))(g.T)
		braintest.WriteFile(g.T, found[0], []byte("no export\n"))
		g.Repository("other", 1)
		g.Worked("other") // its drains succeed
		if !g.Finds("other", "other") {
			g.T.Error("another project was not drained")
		}
		if line := doctorOn(g, "jobs"); !strings.Contains(line, "merges fails since") {
			g.T.Errorf("the doctor says %q of the jobs", line)
		}
		braintest.WriteFile(g.T, found[0], whole)
		braintest.Must(g.Lab, steward.Drain, steward.DrainInput{})
		if line := doctorOn(g, "jobs"); line != "no background job fails" || !g.Finds("shop", "clone") {
			g.T.Errorf("afterwards the doctor says %q, and the merge is done: %v", line, g.Finds("shop", "clone"))
		}
	})
}

func doctorOn(g *braintest.Ground, name string) (detail string) {
	g.T.Helper()
	for _, f := range inspect.Doctor(g.T.Context(), g.Config, func() time.Time { return g.Clock }, nil, inspect.DoctorInput{Dir: g.Path("shop")}) {
		if f.Name == name {
			detail += f.Detail
		}
	}
	return detail
}
