package layers

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Limits of the plan. The length of cli waits until there are fewer commands.
const (
	longestRoom    = 2500
	longestPackage = 4500
	widestCycle    = 12
)

func TestPackagesStaySmall(t *testing.T) {
	sizes, err := Measure(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sizes {
		longest := longestPackage
		if level(s.Package) >= 0 {
			longest = longestRoom
		}
		if s.Lines > longest && s.Package != "internal/cli" {
			t.Errorf("%s has %d lines, more than %d: cut it down or split it", s.Package, s.Lines, longest)
		}
		if s.Cycle > widestCycle {
			t.Errorf("%s: %d of its files depend on each other in a circle, more than %d", s.Package, s.Cycle, widestCycle)
		}
	}
}

// TestTheTableOfSizesIsTrue allows a tenth of difference, so that not every change has to renew the table.
func TestTheTableOfSizesIsTrue(t *testing.T) {
	sizes, err := Measure(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", Page))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]int{}
	for line := range strings.Lines(string(page)) {
		var pkg string
		var lines, files, cycle int
		if n, _ := fmt.Sscanf(line, "| %s | %d | %d | %d |", &pkg, &lines, &files, &cycle); n == 4 {
			shown[pkg] = lines
		}
	}
	for _, s := range sizes {
		if lines, ok := shown[s.Package]; !ok || max(lines, s.Lines)-min(lines, s.Lines) > 50+s.Lines/10 {
			t.Errorf("%s has %d lines, %s says %d: run go run ./internal/layers/size -write", s.Package, s.Lines, Page, lines)
		}
		delete(shown, s.Package)
	}
	for pkg := range shown {
		t.Errorf("%s lists %s, which does not exist: run go run ./internal/layers/size -write", Page, pkg)
	}
}

func TestTheLargestCycleIsFound(t *testing.T) {
	graph := func(edges ...string) map[string]map[string]bool {
		g := map[string]map[string]bool{}
		for _, e := range edges {
			from, to := e[:1], e[1:]
			if g[from] == nil {
				g[from] = map[string]bool{}
			}
			if g[to] == nil {
				g[to] = map[string]bool{}
			}
			g[from][to] = true
		}
		return g
	}
	for _, c := range []struct {
		edges []string
		want  int
	}{
		{[]string{"ab", "bc"}, 1},
		{[]string{"ab", "ba", "bc"}, 2},
		{[]string{"ab", "bc", "ca", "cd", "de", "ed"}, 3},
		{[]string{"ab", "bc", "ca", "cd", "dc"}, 4},
	} {
		if got := largestCycle(graph(c.edges...)); got != c.want {
			t.Errorf("%v: %d, want %d", c.edges, got, c.want)
		}
	}
}
