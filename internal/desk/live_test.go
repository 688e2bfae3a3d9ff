package desk

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/must"
)

var liveUpdate = flag.Bool("update-live", false, "write what is rendered as what is expected")

// liveExample is the page on which the layout of the seed was measured.
func liveExample() []HeatResult {
	return []HeatResult{{
		Project: "web",
		Files: []HotFile{
			{Path: "src/b.js", Heat: 2.4},
			{Path: "src/a.js", Heat: 2.4, Summary: "Exports: x", Note: "moving auth to cookies"},
			{Path: "src/c.js", Heat: 3.1},
			{Path: "src/cold.js", Heat: .9999, Summary: "gone", Note: "gone"},
		},
		Clusters: []HotPair{
			{A: "src/b.js", B: "src/c.js", Sessions: 3, Weight: .2},
			{A: "src/a.js", B: "src/b.js", Sessions: 4, Weight: .1},
			{A: "src/c.js", B: "src/a.js", Sessions: 3, Weight: .3},
			{A: "src/a.js", B: "src/d.js", Sessions: 2, Weight: 1},
		},
	}}
}

func TestTheLiveViewHasTheLayoutOfTheSeed(t *testing.T) {
	t.Parallel()
	long := HeatResult{Project: "long"}
	for i := range 40 {
		long.Files = append(long.Files, HotFile{
			Path: fmt.Sprintf("internal/package%02d/file.go", i), Heat: 1 + float64(i)/10,
			Summary: "Reads what the other one wrote and tells everybody who asked for it, " +
				"in whole sentences, one after the other, until all is told",
			Note: fmt.Sprintf("the %dth step of the move to the new layout", i),
		})
	}
	for name, blocks := range map[string][]HeatResult{
		"live.golden": liveExample(),
		"live-projects.golden": {
			{Project: "web", Files: []HotFile{{Path: "z.go", Heat: 1}, {Path: "a.go", Heat: 1.96, Note: "warm: not shown"}}},
			{Project: "nothing warm", Files: []HotFile{{Path: "x", Heat: .5}}, Clusters: []HotPair{{A: "a", B: "b", Sessions: 9}}},
			{Project: "api", Files: []HotFile{
				{Path: "two lines.go", Heat: 2.0001, Summary: "first\n second", Note: "\tone\r\n\r\ntwo  three "},
				{Path: "film [2.0].srt", Heat: 5, Summary: "a path that looks like a heat"},
				{Path: "a — b, c.md", Heat: 4},
			}, Clusters: []HotPair{{A: "two lines.go", B: "a — b, c.md", Sessions: 3}}},
		},
		"live-long.golden": {long},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Live(blocks)
			file := filepath.Join("testdata", name)
			if *liveUpdate {
				must.Do(t, os.WriteFile(file, []byte(got), 0o644))
			}
			want := must.Get(os.ReadFile(file))(t)
			if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestNothingWarmIsAnEmptyView(t *testing.T) {
	t.Parallel()
	cold := []HotFile{{Path: "x", Heat: .9999}, {Path: "y", Heat: math.NaN()}, {Path: "", Heat: 9}}
	for _, blocks := range [][]HeatResult{nil, {{Project: "a"}}, {{Project: "a", Files: cold}}} {
		if got := Live(blocks); got != "" {
			t.Errorf("%+v: %q", blocks, got)
		}
	}
}

func TestV3APairIsShownFromThreeSessionsOn(t *testing.T) {
	t.Parallel()
	files := []HotFile{{Path: "a", Heat: 2}, {Path: "b", Heat: 2}}
	for met, want := range map[int]bool{0: false, 2: false, 3: true, 30: true} {
		got := Live([]HeatResult{{Project: "p", Files: files, Clusters: []HotPair{{A: "b", B: "a", Sessions: met}}}})
		if strings.Contains(got, "  clusters: {a, b}\n") != want {
			t.Errorf("met %d: %q", met, got)
		}
	}
}

func TestAShortBudgetDropsFilesFromTheEnd(t *testing.T) {
	t.Parallel()
	block := HeatResult{
		Project: "p",
		Files: []HotFile{
			{Path: "first", Heat: 5, Note: "note one"}, {Path: "second", Heat: 4, Note: "note two"}, {Path: "third", Heat: 3},
			{Path: "fourth", Heat: 1},
		},
		Clusters: []HotPair{{A: "first", B: "third", Sessions: 4}, {A: "first", B: "fourth", Sessions: 3}},
	}
	const first, second, third, fourth = "first [5.0]", "second [4.0]", "third [3.0]", "fourth [1.0]"
	const one, two = "  > note one", "  > note two"
	const both, pair = "  clusters: {first, third} {first, fourth}", "  clusters: {first, third}"
	size := func(lines ...string) int { return len(strings.Join(lines, "\n")) + 1 }
	all := []string{first, one, second, two, third, fourth, both}
	for _, c := range []struct {
		name string
		most int
		want []string
	}{
		{"all", 1000, all},
		{"all to the byte", size(all...), all},
		{"without the least hot file", size(all...) - 1, []string{first, one, second, two, third, both}},
		{"without the two least hot", size(first, one, second, two, third, both) - 1, []string{first, one, second, two, both}},
		{"a shorter file instead of the last note", size(first, one, second, two, both) - 1, []string{first, one, second, third, both}},
		{"one file and the pairs", size(first, both), []string{first, both}},
		{"one file and a pair", size(first, pair), []string{first, pair}},
		{"one file", size(first), []string{first}},
		{"nothing", 4, nil},
	} {
		got := FileLines(block, c.most)
		if text, want := strings.Join(got, "\n"), strings.Join(c.want, "\n"); text != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, text, want)
		}
	}
}

func TestAnEndlessPathDoesNotHideTheOthers(t *testing.T) {
	t.Parallel()
	files := []HotFile{{Path: strings.Repeat("deep/", 400), Heat: 9}, {Path: "a.go", Heat: 3}}
	got := Live([]HeatResult{{Project: "p", Files: files}})
	if want := "## Working Memory — p\na.go [3.0]\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestALongSummaryEndsAtAWord(t *testing.T) {
	t.Parallel()
	word := strings.Repeat("ü", 40)
	for _, c := range []struct{ name, summary, want string }{
		{"a hundred characters stay", strings.Repeat("ü", 100), strings.Repeat("ü", 100)},
		{"one more is cut between words", word + " " + word + " " + word, word + " " + word + "…"},
		{"a word that is too long is cut", strings.Repeat("ü", 101), strings.Repeat("ü", 99) + "…"},
		{"a cut exactly behind a word", strings.Repeat("a", 99) + " b", strings.Repeat("a", 99) + "…"},
		{"a cut one before it", strings.Repeat("a", 50) + " " + strings.Repeat("b", 49) + " c", strings.Repeat("a", 50) + "…"},
	} {
		lines := FileLines(HeatResult{Files: []HotFile{{Path: "x", Heat: 1, Summary: c.summary}}}, 1000)
		if want := "x [1.0] — " + c.want; len(lines) != 1 || lines[0] != want {
			t.Errorf("%s: %q, want %q", c.name, lines, want)
		}
	}
}

func TestALineCanBeShownWithoutItsHeat(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"a.go", "app [id]/page.tsx", "film [2.0].srt"} {
		line := FileLines(HeatResult{Files: []HotFile{{Path: path, Heat: 2.24, Summary: "see [1.0]"}}}, 1000)[0]
		got, more := CutHeat(line)
		if got != livePath(path) || more != " — see [1.0]" {
			t.Errorf("%q is divided into %q and %q", line, got, more)
		}
	}
	if path, more := CutHeat("  clusters: {a.go, b.go}"); path != "  clusters: {a.go, b.go}" || more != "" {
		t.Errorf("%q and %q", path, more)
	}
}
