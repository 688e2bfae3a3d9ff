package desk

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/prose"
	"github.com/hebb-memory/hebb/internal/record"
)

var liveUpdate = flag.Bool("update-live", false, "write what is rendered as what is expected")

// liveExample is the page on which the layout of the seed was measured.
func liveExample() []Block {
	return []Block{{
		Project: "web",
		Files: []File{
			{Path: "src/b.js", Heat: 2.4},
			{Path: "src/a.js", Heat: 2.4, Summary: "Exports: x", Note: "moving auth to cookies"},
			{Path: "src/c.js", Heat: 3.1},
			{Path: "src/cold.js", Heat: .9999, Summary: "gone", Note: "gone"},
		},
		Clusters: []Cluster{
			{A: "src/b.js", B: "src/c.js", Met: 3, Weight: .2},
			{A: "src/a.js", B: "src/b.js", Met: 4, Weight: .1},
			{A: "src/c.js", B: "src/a.js", Met: 3, Weight: .3},
			{A: "src/a.js", B: "src/d.js", Met: 2, Weight: 1},
		},
	}}
}

func TestTheLiveViewHasTheLayoutOfTheSeed(t *testing.T) {
	t.Parallel()
	long := Block{Project: "long"}
	for i := range 40 {
		long.Files = append(long.Files, File{
			Path: fmt.Sprintf("internal/package%02d/file.go", i), Heat: 1 + float64(i)/10,
			Summary: "Reads what the other one wrote and tells everybody who asked for it, " +
				"in whole sentences, one after the other, until all is told",
			Note: fmt.Sprintf("the %dth step of the move to the new layout", i),
		})
	}
	for name, blocks := range map[string][]Block{
		"live.golden": liveExample(),
		"live-projects.golden": {
			{Project: "web", Files: []File{{Path: "z.go", Heat: 1}, {Path: "a.go", Heat: 1.96, Note: "warm: not shown"}}},
			{Project: "nothing warm", Files: []File{{Path: "x", Heat: .5}}, Clusters: []Cluster{{A: "a", B: "b", Met: 9}}},
			{Project: "api", Files: []File{
				{Path: "two lines.go", Heat: 2.0001, Summary: "first\n second", Note: "\tone\r\n\r\ntwo  three "},
				{Path: "film [2.0].srt", Heat: 5, Summary: "a path that looks like a heat"},
				{Path: "a — b, c.md", Heat: 4},
			}, Clusters: []Cluster{{A: "two lines.go", B: "a — b, c.md", Met: 3}}},
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
	cold := []File{{Path: "x", Heat: .9999}, {Path: "y", Heat: math.NaN()}, {Path: "", Heat: 9}}
	for _, blocks := range [][]Block{nil, {{Project: "a"}}, {{Project: "a", Files: cold}}} {
		if got := Live(blocks); got != "" {
			t.Errorf("%+v: %q", blocks, got)
		}
	}
}

func TestV3APairIsShownFromThreeSessionsOn(t *testing.T) {
	t.Parallel()
	files := []File{{Path: "a", Heat: 2}, {Path: "b", Heat: 2}}
	for met, want := range map[int]bool{0: false, 2: false, 3: true, 30: true} {
		got := Live([]Block{{Project: "p", Files: files, Clusters: []Cluster{{A: "b", B: "a", Met: met}}}})
		if strings.Contains(got, "  clusters: {a, b}\n") != want {
			t.Errorf("met %d: %q", met, got)
		}
	}
}

func TestAShortBudgetDropsFilesFromTheEnd(t *testing.T) {
	t.Parallel()
	block := Block{
		Project: "p",
		Files: []File{
			{Path: "first", Heat: 5, Note: "note one"}, {Path: "second", Heat: 4, Note: "note two"}, {Path: "third", Heat: 3},
			{Path: "fourth", Heat: 1},
		},
		Clusters: []Cluster{{A: "first", B: "third", Met: 4}, {A: "first", B: "fourth", Met: 3}},
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
	files := []File{{Path: strings.Repeat("deep/", 400), Heat: 9}, {Path: "a.go", Heat: 3}}
	got := Live([]Block{{Project: "p", Files: files}})
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
		lines := FileLines(Block{Files: []File{{Path: "x", Heat: 1, Summary: c.summary}}}, 1000)
		if want := "x [1.0] — " + c.want; len(lines) != 1 || lines[0] != want {
			t.Errorf("%s: %q, want %q", c.name, lines, want)
		}
	}
}

func TestALiveViewIsReadBack(t *testing.T) {
	t.Parallel()
	want := []Block{
		{Project: "web", Files: []File{
			{Path: "src/c.js", Heat: 3.1},
			{Path: "src/a.js", Heat: math.Nextafter(2.4, 3), Summary: "Exports: x", Note: "moving auth to cookies"},
		}},
		{Project: "api", Files: []File{{Path: "x y", Heat: 1, Summary: "s"}}},
	}
	const plain = "## Working Memory — web\nsrc/c.js [3.1]\nsrc/a.js [2.4] — Exports: x\n  > moving auth to cookies\n" +
		"  clusters: {src/a.js, src/c.js} {a, b}\n\n## Working Memory — api\nx y [1.0] — s\n"
	for name, text := range map[string]string{
		"as written":          plain,
		"of Windows":          "\uFEFF" + strings.ReplaceAll(plain, "\n", "\r\n"),
		"of an old Mac":       strings.ReplaceAll(plain, "\n", "\r"),
		"without a last end":  strings.TrimRight(plain, "\n"),
		"with blank lines":    "\n \n" + strings.ReplaceAll(plain, "\n", " \t\n\n"),
		"with a wrapped note": strings.ReplaceAll(plain, "moving auth", "moving\n\t>  auth"),
		"with other dashes":   strings.NewReplacer("] —", "] -", "y —", "y –").Replace(plain),
		"with other clusters": plain + "  clusters: {mine}\n",
		"without indentation": strings.NewReplacer("\n  >", "\n>", "\n  clusters", "\nclusters").Replace(plain),
		"with an empty dash":  strings.ReplaceAll(plain, "[3.1]", "[3.1] — "),
	} {
		got, err := ParseLive(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n%+v\nwant\n%+v", name, err, got, want)
		}
	}
	if got, err := ParseLive(""); got != nil || err != nil {
		t.Errorf("of nothing: %v, %v", got, err)
	}
}

func TestALineThatCannotBeReadIsNotPassedOver(t *testing.T) {
	t.Parallel()
	const head = "## Working Memory — p\na.go [2.0]\n"
	for name, c := range map[string]struct{ text, says string }{
		"a text of its own before": {"Buy milk\n" + head, `line 1, "Buy milk": put it below a line "## Working Memory — PROJECT"`},
		"a text of its own":        {head + "Buy milk", `line 3, "Buy milk": write a file as "path [1.0] — summary"`},
		"a note without a file":    {"## Working Memory — p\n  > why", `line 2, "> why": put a note below the line of its file`},
		"a line that is indented":  {head + "  why", `line 3, "why": begin a note with >`},
		"a file without a path":    {head + "[2.0] — sum", `write a file as`},
		"a heat that is too large": {head + "x [" + strings.Repeat("9", 400) + ".0]", "write a smaller heat"},
		"another heading":          {head + "## Notes", `line 3, "## Notes"`},
	} {
		got, err := ParseLive(c.text)
		if got != nil || !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// liveOdd are parts of paths and texts that look like the layout.
var liveOdd = []string{
	"a", "src/", "Ä", " ", "  ", " — ", " [2.0]", " [2.0] — ", "[", "]", " [", "{", "}", "} {", ", ", ",", ">", "  > ", "#",
	"## Working Memory", "clusters:", "\n", "\r", "\t", "\\\\", "\\xff", "\\x00", "\\\\x5b", "日本", "é",
	".go", "-", "—", "\u2028", "\uFEFF", "9", ".",
}

func liveOddText(random *rand.Rand, most int) string {
	text := ""
	for range random.IntN(most + 1) {
		text += liveOdd[random.IntN(len(liveOdd))]
	}
	return text
}

func liveRandom(random *rand.Rand) []Block {
	blocks := make([]Block, random.IntN(4))
	for i := range blocks {
		b := Block{Project: liveOddText(random, 4)}
		for j := range random.IntN(25) {
			f := File{Path: liveOddText(random, 6), Heat: random.Float64() * 4}
			f.Summary, f.Note = liveOddText(random, 40), liveOddText(random, 12)
			if random.IntN(3) == 0 {
				f.Heat = 2 + random.Float64()/10 // around where a hot one prints as a warm one
			}
			if random.IntN(3) == 0 {
				f.Summary, f.Note = "", ""
			}
			if random.IntN(2) == 0 {
				f.Path = fmt.Sprintf("%s%d", f.Path, j)
			}
			b.Files = append(b.Files, f)
		}
		for range random.IntN(6) {
			b.Clusters = append(b.Clusters, Cluster{
				A: liveOddText(random, 3), B: liveOddText(random, 3), Met: random.IntN(6), Weight: float64(random.IntN(3)),
			})
		}
		blocks[i] = b
	}
	return blocks
}

func TestAnyLiveViewSurvivesBeingReadBack(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 4))
	shownFiles, shownPairs := 0, 0
	for range 3000 {
		blocks := liveRandom(random)
		text := Live(blocks)
		for i, part := range strings.Split(text, "\n\n") {
			if got := prose.Tokens(part + "\n"); got > liveTokens {
				t.Fatalf("project %d costs %d tokens:\n%s", i, got, part)
			}
		}
		shuffled := slices.Clone(blocks)
		for _, b := range shuffled {
			random.Shuffle(len(b.Clusters), func(i, j int) { b.Clusters[i], b.Clusters[j] = b.Clusters[j], b.Clusters[i] })
		}
		if again := Live(shuffled); again != text {
			t.Fatalf("in another order\n%s\nwant\n%s", again, text)
		}
		shownPairs += strings.Count(text, livePairs+" {")
		for i := range blocks {
			blocks[i].Clusters = nil // they are not read back
		}
		text = Live(blocks)
		parsed, err := ParseLive(text)
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if again := Live(parsed); again != text {
			t.Fatalf("got\n%s\nwant\n%s", again, text)
		}
		for _, b := range parsed {
			shownFiles += len(b.Files)
			liveHolds(t, b, blocks)
		}
	}
	if shownFiles < 5000 || shownPairs < 1000 {
		t.Errorf("only %d files and %d pairs: this proves little", shownFiles, shownPairs)
	}
}

// liveHolds checks that a project as it was read back says nothing that was not there.
func liveHolds(t *testing.T, parsed Block, from []Block) {
	t.Helper()
	if len(parsed.Files) == 0 || len(parsed.Files) > LiveFiles {
		t.Fatalf("%d files", len(parsed.Files))
	}
	for i, f := range parsed.Files {
		if i > 0 && f.Heat > parsed.Files[i-1].Heat+1e-9 {
			t.Fatalf("%q is hotter than what stands before it", f.Path)
		}
		if !slices.ContainsFunc(from, func(b Block) bool {
			return prose.OneLine(b.Project) == parsed.Project && slices.ContainsFunc(b.Files, func(was File) bool {
				return was.Path == f.Path && math.Abs(was.Heat-f.Heat) < .0500001 && record.TierOf(was.Heat) != record.Cold &&
					prose.Shorten(prose.OneLine(was.Summary), liveSummary) == f.Summary &&
					(f.Note == "" || f.Note == prose.OneLine(was.Note) && record.TierOf(was.Heat) == record.Hot)
			})
		}) {
			t.Fatalf("%+v of %q was never there", f, parsed.Project)
		}
	}
}

func TestOnlyWhatTheViewEscapedIsTurnedBack(t *testing.T) {
	t.Parallel()
	for shown, want := range map[string]string{
		`plain/path.go`:     "plain/path.go",
		`film \x5b2.0].srt`: "film [2.0].srt",
		`a\x0ab`:            "a\nb",
		`a\\x5bb`:           `a\\x5bb`, // a backslash and x5b
		`a\x5cb`:            `a\x5cb`,  // a lone backslash would be no stored path
		`a\xffb`:            `a\xffb`,
		`a\x00b`:            `a\x00b`,
		`a\xzz\`:            `a\xzz\`,
		`\x5`:               `\x5`,
	} {
		if got := livePlain(shown); got != want {
			t.Errorf("%q: %q, want %q", shown, got, want)
		}
	}
}

func FuzzParseLive(f *testing.F) {
	f.Add(Live(liveExample()))
	f.Add("\uFEFF## Working Memory — x\r\n\\x20a [2.0] - b\r\n > c\r\nclusters: {a, b} {c, d}")
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := ParseLive(text)
		if err != nil {
			if !errors.Is(err, memory.ErrInvalid) {
				t.Fatal(err)
			}
			return
		}
		page := Live(parsed)
		again, err := ParseLive(page)
		if err != nil {
			t.Fatalf("%v: %q", err, page)
		}
		if got := Live(again); got != page {
			t.Fatalf("%q, want %q", got, page)
		}
		if utf8.ValidString(text) && !utf8.ValidString(page) {
			t.Fatalf("%q is no text", page)
		}
	})
}

func TestALineCanBeShownWithoutItsHeat(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"a.go", "app [id]/page.tsx", "film [2.0].srt"} {
		line := FileLines(Block{Files: []File{{Path: path, Heat: 2.24, Summary: "see [1.0]"}}}, 1000)[0]
		got, more := CutHeat(line)
		if got != livePath(path) || more != " — see [1.0]" {
			t.Errorf("%q is divided into %q and %q", line, got, more)
		}
	}
	if path, more := CutHeat("  clusters: {a.go, b.go}"); path != "  clusters: {a.go, b.go}" || more != "" {
		t.Errorf("%q and %q", path, more)
	}
}
