package learn_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/project"
)

// TestRebuildingARepositoryChangesNothing learns a repository as hebb init does, works in it with commits that are learned in the background, sleeps, and
// rebuilds: every figure that can be shown is the same.
func TestRebuildingARepositoryChangesNothing(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 5)
		braintest.Must(g.Lab, learn.LearnHistory, learn.LearnInput{Dir: g.Path("shop")})
		place := must.Get(project.Resolve(g.Path("shop")))(t)
		place = g.Config.Home(place)
		r := rand.New(rand.NewPCG(7, 7))
		for day := range 6 {
			g.Clock = braintest.Start.Add(time.Duration(day+1) * 24 * time.Hour)
			minutes := g.Clock.Sub(braintest.Start).Minutes()
			g.Begin("shop", fmt.Sprint("run ", day))
			events := g.SomeSession(r, place, fmt.Sprint("run ", day), minutes+1)
			events = append(events, g.Touch(fmt.Sprint("run ", day), minutes+4, memory.Edit, "a.go"), g.Touch(fmt.Sprint("run ", day), minutes+4.5, memory.Edit, "b.go"))
			for i := range events {
				events[i].Place = place
			}
			g.Clock = g.Clock.Add(5 * time.Minute)
			g.Background(events...)
			g.Commit("shop")
			g.Background(g.Spooled(memory.TurnEnded, "shop", fmt.Sprint("run ", day)))
		}
		before := g.Figures(place)
		if len(before.Links) == 0 || len(before.Recalled) == 0 {
			t.Fatalf("too little was learned: %d links", len(before.Links))
		}
		g.LearnAnew(place)
		if what := before.Differ(g.Figures(place)); what != "" {
			t.Errorf("rebuilding changed %s", what)
		}
	})
}
