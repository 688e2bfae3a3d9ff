package desk_test

import (
	"math"
	"testing"

	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/desk"
)

// Attention heats: what was changed, read or named by the person. What a search lists does not, and files that only stood beside each
// other in its answers form no cluster.
func TestHeatComesFromAttentionNotFromSearches(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.Work("first", 0).Read("api.go").Edit("named.go").End()
	for i, run := range []string{"one", "two", "three"} {
		l.Work(run, float64(100*(i+1))).Prompt("look at named.go, please").Grep("a.go", "b.go", "c.go").Edit("login.go").Read("api.go").End()
	}
	found := braintest.Must(l, desk.Warmth, desk.HeatInput{Scope: braintest.Shop, Cold: true})
	heat := map[string]float64{}
	for _, f := range found.Files {
		heat[f.Path] = f.Heat
	}
	want := map[string]float64{"login.go": 1.952, "named.go": 1.3856, "api.go": .70848} // .8 of each session's heat is left with every session
	for path, w := range want {
		if math.Abs(heat[path]-w) > 1e-6 {
			t.Errorf("%s has heat %v, want %v", path, heat[path], w)
		}
		delete(heat, path)
	}
	if len(heat) > 0 {
		t.Errorf("heat of files that were never opened or named: %v", heat)
	}
	for _, c := range found.Clusters {
		if c.A != "api.go" || c.B != "login.go" {
			t.Errorf("cluster of %s and %s", c.A, c.B)
		}
	}
	if len(found.Clusters) != 1 {
		t.Errorf("%d clusters, want that of the two files that were worked on together", len(found.Clusters))
	}
}
