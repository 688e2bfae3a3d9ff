package layers

import (
	"flag"
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const widestCycle = 6

var update = flag.Bool("update", false, "renew the table of sizes in ARCHITECTURE.md")

// TestTheSourceOnlyGetsSmaller holds the lines to the numbers in the file most.txt: lower them with what a change removes, or raise
// them in the commit that gives the reason.
func TestTheSourceOnlyGetsSmaller(t *testing.T) {
	text := must.Get(os.ReadFile("most.txt"))(t)
	have := must.Get(Totals(filepath.Join("..", "..")))(t)
	for line := range strings.Lines(string(text)) {
		var part string
		var most int
		if _, err := fmt.Sscan(line, &part, &most); err != nil || have[part] == 0 {
			t.Fatalf("most.txt says %q: %v", line, err)
		}
		if have[part] > most {
			t.Errorf("%s: %d lines, more than the %d in most.txt: remove as much as you add, or raise the number and say why in the commit",
				part, have[part], most)
		}
		delete(have, part)
	}
	for part := range have {
		t.Errorf("most.txt has no line for %s", part)
	}
}

func TestFilesDoNotDependOnEachOtherInLargeCircles(t *testing.T) {
	sizes := must.Get(Measure(filepath.Join("..", "..")))(t)
	for _, s := range sizes {
		if s.Cycle > widestCycle {
			t.Errorf("%s: %d of its files depend on each other in a circle, more than %d", s.Package, s.Cycle, widestCycle)
		}
	}
}

// TestTheTableOfSizesIsTrue allows a tenth of difference, so that not every change has to renew the table.
func TestTheTableOfSizesIsTrue(t *testing.T) {
	sizes := must.Get(Measure(filepath.Join("..", "..")))(t)
	document := filepath.Join("..", "..", Page)
	page := must.Get(os.ReadFile(document))(t)
	if *update {
		text, err := WithTable(string(page), sizes)
		if err == nil {
			err = os.WriteFile(document, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
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
			t.Errorf("%s has %d lines, %s says %d: go test ./internal/layers -update renews it", s.Package, s.Lines, Page, lines)
		}
		delete(shown, s.Package)
	}
	for pkg := range shown {
		t.Errorf("%s lists %s, which does not exist: go test ./internal/layers -update renews it", Page, pkg)
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
