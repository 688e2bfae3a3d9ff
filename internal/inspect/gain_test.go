package inspect_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/steward"
)

func TestSearches(t *testing.T) {
	for _, c := range []struct {
		tool, input string
		want        bool
	}{
		{"Grep", "login", true}, {"Glob", "**/*.go", true}, {"grep_search", "", true}, {"Read", "", false}, {"Edit", "", false},
		{"WebSearch", "go generics", false}, {"ToolSearch", "x", false}, {"", "", false},
		{"Bash", "rg login src", true}, {"Bash", "grep -rn login .", true}, {"Bash", "find . -name '*.go'", true},
		{"Bash", "cd src && rg login", true}, {"Bash", "make; fd login", true}, {"Bash", "(cd a; grep x b)", true},
		{"Bash", "/usr/bin/grep x y", true}, {"Bash", "LC_ALL=C sudo grep x y", true}, {"Bash", "git grep login", true},
		{"Bash", "git -C sub --no-pager grep login", true}, {"Bash", "git ls-files | head", true}, {"Bash", "false || rg x", true},
		{"Bash", "git log --grep login", false}, {"Bash", "git commit -m 'grep: find less'", false},
		{"Bash", "go test ./... 2>&1 | grep FAIL", false}, {"Bash", "go test ./... | tee out | grep FAIL", false},
		{"Bash", "ls | xargs grep login", true}, {"Bash", `find . -type f | grep login`, true},
		{"Bash", `echo "grep it; find it"`, false}, {"Bash", `echo 'a | b' && make`, false}, {"Bash", `echo a\;grep b`, false},
		{"Bash", "bash -lc 'rg login'", true}, {"Bash", "bash -lc 'make grep'", false}, {"Bash", "bash script.sh grep", false},
		{"Bash", "cat > notes <<EOF\ngrep nothing\nEOF", false}, {"Bash", "make\ngrep x y", true}, {"Bash", "", false}, {"Bash", "'unclosed grep", false},
		{"Bash", "for f in *; do grep x $f; done", true}, {"PowerShell", "Select-String login *.cs", true},
	} {
		if got := inspect.Searches(c.tool, c.input); got != c.want {
			t.Errorf("%s %q searches: %v, want %v", c.tool, c.input, got, c.want)
		}
	}
}

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		taken, all int64
		low, high  float64
	}{
		{8, 10, .4902, .9433}, {0, 10, 0, .2775}, {10, 10, .7225, 1}, {1, 1, .2065, 1}, {500, 1000, .4691, .5309},
	} {
		got := brain.Wilson(c.taken, c.all, .95)
		if math.Abs(got.Low-c.low) > 1e-4 || math.Abs(got.High-c.high) > 1e-4 || got.Value != float64(c.taken)/float64(c.all) {
			t.Errorf("%d of %d: %+v, want %v to %v", c.taken, c.all, got, c.low, c.high)
		}
	}
}

// Two groups of five and of a hundred: the more there are, the narrower is the interval, and it is
// the same every time.
func TestTheIntervalOfADifference(t *testing.T) {
	if less := brain.NewSampler().Difference([]float64{1, 1, 1, 1, 2}, []float64{5, 5, 5, 5, 6}); less.Value != 4 || less.Low <= 0 || less.High > 9 {
		t.Errorf("clearly less: %+v", less)
	}
	var few, many [2][]float64
	for i := range 200 {
		many[i%2] = append(many[i%2], float64(i/2%5))
		if i < 20 {
			few[i%2] = append(few[i%2], float64(i/2%5))
		}
	}
	narrow, wide := brain.NewSampler().Difference(many[0], many[1]), brain.NewSampler().Difference(few[0], few[1])
	if narrow.Value != 0 || narrow.Low >= 0 || narrow.High <= 0 || wide.High-wide.Low < 2.5*(narrow.High-narrow.Low) {
		t.Errorf("of 200 %+v, of 20 %+v", narrow, wide)
	}
	// The width is that of the normal distribution: 1.96 · √2 · √(1/100 + 1/100).
	if half := 1.96 * math.Sqrt2 * math.Sqrt(.02); math.Abs(narrow.High-half) > half/10 {
		t.Errorf("half of the interval is %v, want %v", narrow.High, half)
	}
	if again := brain.NewSampler().Difference(many[0], many[1]); again != narrow {
		t.Errorf("%+v, then %+v", narrow, again)
	}
}

func TestTokensAreCountedFromWhatSessionsDid(t *testing.T) {
	l := braintest.NewLab(t)
	l.Work("straight", 0).Prompt("x").Grep("a.go").Shown(false, "a.go", "b.go", "c.go").Read("a.go").Bash("rg b").Grep("c.go").Read("b.go").End()
	l.Work("again", 100).Prompt("x").Shown(false, "a.go").Prompt("y").Shown(false, "a.go").Edit("a.go").End()
	l.Work("before", 200).Read("a.go").Prompt("x").Shown(false, "a.go").Read("d.go").End()
	l.Work("withheld", 300).Prompt("x").Shown(true, "a.go").Read("a.go").End()
	l.Work("running", 400).Prompt("x").Shown(false, "e.go").Read("e.go").Pause()
	l.Work("untold", 500).Prompt("x").Read("a.go").End()

	want := inspect.TokensResult{
		Sessions: 4, Lines: 7, Tokens: 70, Files: 6, Opened: 4, Straight: 3, Unmeasured: 3,
		Moments: []inspect.Bill{{Moment: memory.AtPrompt, Sessions: 4, Lines: 7, Tokens: 70}},
	}
	expectTokens(l, inspect.GainInput{Scope: braintest.Shop}, want)
	expectTokens(l, inspect.GainInput{Scope: braintest.Shop, Since: braintest.Start.Add(350 * time.Minute)}, inspect.TokensResult{
		Sessions: 1, Lines: 1, Tokens: 10, Files: 1, Opened: 1, Straight: 1, Moments: []inspect.Bill{{Moment: memory.AtPrompt, Sessions: 1, Lines: 1, Tokens: 10}},
	})
	expectTokens(l, inspect.GainInput{Scope: brain.Scope{Dir: t.TempDir()}}, inspect.TokensResult{Moments: []inspect.Bill{}})
}

func expectTokens(l *braintest.Lab, in inspect.GainInput, want inspect.TokensResult) {
	l.T.Helper()
	got := must.Get(json.Marshal(braintest.Must(l, inspect.Roi, in).Tokens))(l.T)
	if wanted, _ := json.Marshal(want); string(got) != string(wanted) {
		l.T.Errorf("tokens %s\nwant   %s", got, wanted)
	}
}

// The text at the start of a session is part of the bill; a memory and a command name no file, and
// nothing is opened because of them.
func TestEachMomentHasItsBill(t *testing.T) {
	l := braintest.NewLab(t)
	start := memory.Suggestion{Moment: memory.AtStart, Offer: memory.OfferContext, Tokens: 900}
	l.Work("one", 0).Offer(start, memory.Suggestion{Moment: memory.AtStart, Offer: memory.OfferMemory, Crystal: "m1"}).
		Prompt("x").Shown(false, "a.go").Offer(memory.Suggestion{Moment: memory.AtEdit, Offer: memory.OfferMemory, Crystal: "m1", Path: "a.go", Tokens: 30}).
		Edit("a.go").Fail("boom").Offer(memory.Suggestion{Moment: memory.AtError, Offer: memory.OfferFix, Path: "b.go", Tokens: 40}).Read("b.go").
		Offer(memory.Suggestion{Moment: memory.AtCompact, Offer: memory.OfferContext, Tokens: 500}).End()
	l.Work("two", 100).Offer(start).Prompt("y").Shown(true, "a.go").
		Offer(memory.Suggestion{Moment: memory.AtCommand, Offer: memory.OfferCommand, Tokens: 20}, memory.Suggestion{Moment: memory.AtSubagent, Offer: memory.OfferMemory, Crystal: "m1", Tokens: 50}).
		Read("a.go").End()
	want := inspect.TokensResult{Sessions: 2, Lines: 9, Tokens: 2450, Files: 2, Opened: 2, Straight: 2, Moments: []inspect.Bill{
		{Moment: memory.AtStart, Sessions: 2, Lines: 3, Tokens: 1800}, {Moment: memory.AtCompact, Sessions: 1, Lines: 1, Tokens: 500},
		{Moment: memory.AtPrompt, Sessions: 1, Lines: 1, Tokens: 10}, {Moment: memory.AtEdit, Sessions: 1, Lines: 1, Tokens: 30},
		{Moment: memory.AtCommand, Sessions: 1, Lines: 1, Tokens: 20}, {Moment: memory.AtError, Sessions: 1, Lines: 1, Tokens: 40},
		{Moment: memory.AtSubagent, Sessions: 1, Lines: 1, Tokens: 50},
	}}
	expectTokens(l, inspect.GainInput{Scope: braintest.Shop}, want)
	// Of the files at the prompt and at the error it is known that they were used. The line about a
	// memory is not judged by the file it is about.
	if got := roiOf(l); got.Shown.Taken != 2 || got.Shown.Judged != 2 || got.Withheld.Judged != 1 {
		t.Errorf("precision %+v, withheld %+v", got.Shown, got.Withheld)
	}
	if stats := braintest.Must(l, inspect.Stats, braintest.Shop).Projects[0].Suggestions; fmt.Sprint(stats) != "map[held:1 no file:7 opened:1 used:1]" {
		t.Errorf("stats count %v", stats)
	}
}

func TestTheSizeOfASearchIsMeasured(t *testing.T) {
	l := braintest.NewLab(t)
	l.Work("one", 0).Prompt("x").Grep("a.go").Sized(40).Bash("rg b").Sized(0).Read("a.go").Sized(4000).Fail("no such file").Sized(12).Pause()
	l.Work("two", 100).Grep("a.go").Bash("make").Sized(900).Bash("rg c").Sized(80).End()
	// Three searches returned 40, 0 and 80 bytes: 10 tokens of four bytes each. Of one nobody knows.
	expectTokens(l, inspect.GainInput{Scope: braintest.Shop}, inspect.TokensResult{Searches: 3, SearchTokens: 10, Unmeasured: 1, Moments: []inspect.Bill{}})
}

func roiOf(l *braintest.Lab) inspect.RoiResult {
	l.T.Helper()
	return braintest.Must(l, inspect.Roi, inspect.GainInput{Scope: braintest.Shop})
}

func comparedIn(r inspect.RoiResult) map[inspect.Figure]inspect.Compared {
	found := map[inspect.Figure]inspect.Compared{}
	for _, c := range r.Compared {
		found[c.What] = c
	}
	return found
}

// Prompts with lines and prompts whose lines were withheld, in the same sessions: what is said must
// be what can be computed by hand.
func TestRoiComparesWhatFollowedPrompts(t *testing.T) {
	l := braintest.NewLab(t)
	l.Config.Tuning.Hook.HoldoutAfter = 2
	l.Work("newcomer", 0).Prompt("x").Shown(false, "a.go").Grep("a.go").Sized(80000).Bash("rg a").Sized(9).End() // nothing could have been held out yet
	l.Work("second", 50).Prompt("x").Shown(false, "a.go").Read("a.go").Sized(8).End()
	for i := range 10 {
		// With lines one search of 400 bytes; without them two of 1000 and 600 bytes, and a file read
		// once more.
		l.Work(fmt.Sprint("run", i), float64(100+100*i)).Prompt("x").Shown(false, "a.go", "b.go").Grep("a.go").Sized(400).Read("a.go").Sized(8000).
			Prompt("y").Grep("z.go").Sized(4_000_000). // there was nothing to show
			Prompt("z").Shown(true, "c.go").Grep("c.go").Sized(1000).Bash("rg c").Sized(600).Read("a.go").Sized(400).
			Prompt("bye").End()
		if few := roiOf(l); i < 9 && (len(few.Compared) > 0 || few.Held != i+1 || few.Prompts != 2*(i+1) || few.Least != 10) {
			t.Fatalf("after %d held-out prompts: %+v", i+1, few)
		}
	}
	l.Work("running", 2000).Prompt("x").Shown(true, "a.go").Searching(90, 9).Pause() // its turn is not over
	got := roiOf(l)
	if got.Prompts != 20 || got.Held != 10 || len(got.Compared) != 5 {
		t.Fatalf("compared %+v", got)
	}
	found := comparedIn(got)
	for figure, want := range map[inspect.Figure][2]float64{
		inspect.FigureSearches: {1, 2}, inspect.FigureRereads: {0, 1}, inspect.FigureTokens: {100, 500}, inspect.FigureNet: {120, 500}, inspect.FigureOpened: {1, 0},
	} {
		c := found[figure]
		if c.With != want[0] || c.Without != want[1] || !near(c.Less.Value, want[1]-want[0]) || c.Shown != 10 || c.Held != 10 {
			t.Errorf("%s: %+v, want %v with and %v without", figure, c, want[0], want[1])
		}
		if clear := c.Less.Low > 0 || c.Less.High < 0; !clear {
			t.Errorf("%s: a difference in every session is not clear: %+v", figure, c.Less)
		}
	}
	if again := roiOf(l); !reflect.DeepEqual(again, got) {
		t.Error("the same sessions give another interval")
	}
	l.Config.Tuning.Hook.Holdout = 0
	if off := roiOf(l); len(off.Compared) > 0 {
		t.Errorf("prompts that cannot be held out are compared: %+v", off)
	}
}

// Sessions in which the size of a search or a re-read is not known have no tokens; their searches
// count.
func TestTokensAreComparedWhereTheyAreMeasured(t *testing.T) {
	l := braintest.NewLab(t)
	l.Config.Tuning.Hook.HoldoutAfter = 0
	for i := range 11 {
		w := l.Work(fmt.Sprint("run", i), float64(100*i)).Prompt("x").Shown(false, "a.go").Grep("a.go")
		if i > 0 {
			w.Sized(4)
		}
		w.Prompt("y").Shown(true, "b.go").Grep("b.go").Sized(4).End()
	}
	got := comparedIn(roiOf(l))
	if got[inspect.FigureSearches].Held != 11 || got[inspect.FigureTokens].Held != 10 || got[inspect.FigureTokens].Shown != 10 {
		t.Errorf("compared %+v", got)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestWhy(t *testing.T) {
	l := braintest.NewLab(t)
	l.Work("one", 0).Prompt("fix the login").Shown(false, "login.go", "session.go").Edit("login.go").Prompt("and the logout").End()
	l.Work("two", 100).Prompt("once more").Shown(true, "login.go").Pause()
	lines := braintest.Must(l, ranking.Shown, ranking.ShownInput{Scope: braintest.Shop})
	if len(lines) != 3 || lines[0].Path != "login.go" || !lines[0].Held || lines[1].Path != "login.go" || lines[2].Path != "session.go" {
		t.Fatalf("shown %+v", lines)
	}
	if of := braintest.Must(l, ranking.Shown, ranking.ShownInput{Session: "one"}); len(of) != 2 {
		t.Errorf("shown to session one: %+v", of)
	}
	id := lines[1].ID
	for _, name := range []string{id, id[:len(id)-1]} {
		w, err := steward.Run(t.Context(), l.Brain, ranking.Why, ranking.WhyInput{ID: name})
		if name != id { // the event's ID is the beginning of both its lines
			if !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), id) {
				t.Errorf("why %s: %v", name, err)
			}
			continue
		}
		if err != nil || w.Path != "login.go" || w.Prompt != "fix the login" || w.Outcome != memory.Used || w.Position != 1 ||
			w.ProjectName != "shop" || w.Agent != "claude-code" || fmt.Sprint(w.Beside) != "[session.go]" || w.Confidence != .75 || w.File == nil {
			t.Errorf("why %s: %+v, %v", name, w, err)
		}
	}
	held := braintest.Must(l, ranking.Why, ranking.WhyInput{ID: lines[0].ID[:6]})
	if held.ID != lines[0].ID || held.Outcome != memory.Pending || !held.Held || held.Beside == nil {
		t.Errorf("by its beginning: %+v", held)
	}
	never := braintest.Must(l, ranking.Why, ranking.WhyInput{ID: lines[2].ID})
	if never.File != nil || never.Outcome != memory.Ignored {
		t.Errorf("of a file that no session met: %+v", never)
	}
	for name, kind := range map[string]error{
		"zzzzzz": memory.ErrNotFound, "": memory.ErrInvalid, "no such": memory.ErrInvalid, "ABC": memory.ErrInvalid, "~": memory.ErrInvalid,
	} {
		if _, err := steward.Run(t.Context(), l.Brain, ranking.Why, ranking.WhyInput{ID: name}); !errors.Is(err, kind) || !strings.Contains(err.Error(), "hebb why") {
			t.Errorf("why %q: %v", name, err)
		}
	}
}

// The ID of a first line is the beginning of the tenth's, and still means the first.
func TestTheFirstOfManyLinesHasANameOfItsOwn(t *testing.T) {
	l := braintest.NewLab(t)
	var paths []string
	for i := range 11 {
		paths = append(paths, fmt.Sprintf("f%02d.go", i))
	}
	l.Work("one", 0).Prompt("x").Shown(false, paths...).Pause()
	lines := braintest.Must(l, ranking.Shown, ranking.ShownInput{Scope: braintest.Shop})
	if w := braintest.Must(l, ranking.Why, ranking.WhyInput{ID: lines[0].ID}); w.Path != "f00.go" || len(w.Beside) != 10 {
		t.Errorf("why: %+v", w)
	}
}
