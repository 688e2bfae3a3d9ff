package answer_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
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
		if got := answer.Searches(c.tool, c.input); got != c.want {
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

// The interval of a mean shrinks with the root of the number of sessions, and is the same every time.
func TestBootstrapIntervals(t *testing.T) {
	l := braintest.NewLab(t)
	var few, many []float64
	for i := range 400 {
		many = append(many, float64(i%5))
		if i < 25 {
			few = append(few, float64(i%5))
		}
	}
	for _, c := range []struct {
		name string
		seen []float64
		half float64
	}{{"25 sessions", few, 1.96 * math.Sqrt2 / 5}, {"400 sessions", many, 1.96 * math.Sqrt2 / 20}} {
		got := l.Sampler().Mean(c.seen)
		if got.Value != 2 || math.Abs(got.High-2-c.half) > c.half/5 || math.Abs(2-got.Low-c.half) > c.half/5 {
			t.Errorf("%s: %+v, want 2 ± %.2f", c.name, got, c.half)
		}
		if again := l.Sampler().Mean(c.seen); again != got {
			t.Errorf("%s: %+v, then %+v", c.name, got, again)
		}
	}
	if same := l.Sampler().Mean([]float64{3, 3, 3, 3, 3}); same != (brain.Interval{Value: 3, Low: 3, High: 3}) {
		t.Errorf("five alike: %+v", same)
	}
	if less := l.Sampler().Difference([]float64{1, 1, 1, 1, 2}, []float64{5, 5, 5, 5, 6}); less.Value != 4 || less.Low < 3 || less.High > 5 {
		t.Errorf("difference %+v", less)
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

	want := answer.TokensResult{Sessions: 4, Lines: 7, Tokens: 70, Files: 6, Opened: 4, Straight: 3, Unmeasured: 3}
	if got := braintest.Must(l, answer.Tokens, answer.TokensInput{Scope: braintest.Shop}); got != want {
		t.Errorf("tokens %+v, want %+v", got, want)
	}
	want = answer.TokensResult{Sessions: 1, Lines: 1, Tokens: 10, Files: 1, Opened: 1, Straight: 1}
	if got := braintest.Must(l, answer.Tokens, answer.TokensInput{Scope: braintest.Shop, Since: braintest.Start.Add(350 * time.Minute)}); got != want {
		t.Errorf("of late: %+v, want %+v", got, want)
	}
	if got := braintest.Must(l, answer.Tokens, answer.TokensInput{Scope: brain.Scope{Dir: t.TempDir()}}); got != (answer.TokensResult{}) {
		t.Errorf("nowhere: %+v", got)
	}
}

func TestTheSizeOfASearchIsMeasured(t *testing.T) {
	l := braintest.NewLab(t)
	l.Work("one", 0).Prompt("x").Grep("a.go").Sized(40).Bash("rg b").Sized(0).Read("a.go").Sized(4000).Fail("no such file").Sized(12).Pause()
	l.Work("two", 100).Grep("a.go").Bash("make").Sized(900).Bash("rg c").Sized(80).End()
	// Three searches returned 40, 0 and 80 bytes: 10 tokens of four bytes each. Of one nobody knows.
	want := answer.TokensResult{Searches: 3, SearchTokens: 10, Unmeasured: 1, SearchBytes: 120}
	if got := braintest.Must(l, answer.Tokens, answer.TokensInput{Scope: braintest.Shop}); got != want {
		t.Errorf("tokens %+v, want %+v", got, want)
	}
}

func TestRoiComparesSessions(t *testing.T) {
	l := braintest.NewLab(t)
	minute := 0.0
	session := func(name string, i int) *braintest.Work {
		minute += 100
		return l.Work(fmt.Sprint(name, i), minute).Prompt("fix the login")
	}
	for i := range 6 {
		session("before", i).Searching(6+i%2, 3).End()
	}
	if got := braintest.Must(l, answer.Roi, braintest.Shop); got.Groups[2].Sessions != 6 || got.Groups[2].Searches == nil || len(got.Saved) > 0 || got.Shown.Share != nil {
		t.Errorf("before any suggestion: %+v", got)
	}
	for i := range 4 {
		session("with", i).Shown(false, "login.go").Searching(1+i%2, 0).End()
	}
	few := braintest.Must(l, answer.Roi, braintest.Shop)
	if g := few.Groups[0]; g.Sessions != 4 || g.Searches != nil || g.Rereads != nil || len(few.Saved) > 0 {
		t.Errorf("four sessions are not enough: %+v", few)
	}
	session("with", 5).Shown(false, "login.go", "other.go").Searching(1, 0).End()
	session("untold", 0).Searching(20, 20).End()                           // nothing good was found for it: another kind of task
	session("talk", 0).Shown(false, "login.go").End()                      // opened nothing
	session("running", 0).Shown(false, "login.go").Searching(9, 9).Pause() // not finished
	for i := range 5 {
		session("held", i).Shown(true, "login.go").Searching(4, 2).End()
	}
	got := braintest.Must(l, answer.Roi, braintest.Shop)
	var sizes []int
	for _, g := range got.Groups {
		sizes = append(sizes, g.Sessions)
	}
	if fmt.Sprint(sizes) != "[5 5 6]" {
		t.Fatalf("groups of %v", sizes)
	}
	if s := got.Groups[0].Searches; math.Abs(s.Value-1.4) > 1e-9 || s.Low < 1 || s.High > 2 || s.Low >= s.High {
		t.Errorf("searches with suggestions %+v", s)
	}
	if len(got.Saved) != 2 || got.Saved[0].Against != "held" || got.Saved[1].Against != "before" {
		t.Fatalf("saved %+v", got.Saved)
	}
	if s := got.Saved[0]; math.Abs(s.Searches.Value-2.6) > 1e-9 || s.Searches.Low < 2 || s.Rereads != (brain.Interval{Value: 2, Low: 2, High: 2}) {
		t.Errorf("against those withheld: %+v, want 2.6 searches and 2 re-reads less", s)
	}
	// Five of six judged lines led to their file; the session that opened nothing and the one that runs do not count.
	if p := got.Shown; p.Taken != 5 || p.Judged != 6 || math.Abs(p.Share.Low-.4365) > 1e-3 {
		t.Errorf("precision %+v, %+v", p, p.Share)
	}
	if p := got.Withheld; p.Taken != 5 || p.Judged != 5 {
		t.Errorf("withheld %+v", p)
	}
	if got.Tokens.Lines != 8 || got.Tokens.Tokens != 80 || got.Tokens.Straight != 0 {
		t.Errorf("tokens %+v", got.Tokens)
	}
	if again := braintest.Must(l, answer.Roi, braintest.Shop); *again.Groups[0].Searches != *got.Groups[0].Searches {
		t.Error("the same sessions give another interval")
	}
	if all := braintest.Must(l, answer.Roi, brain.Scope{All: true}); all.Groups[0].Sessions != 5 {
		t.Errorf("over all projects: %+v", all.Groups)
	}
}

// Two groups of five sessions, each with its figures: what is said must be what can be computed by hand.
func TestRoiComparesTokens(t *testing.T) {
	l := braintest.NewLab(t)
	minute := 0.0
	session := func(name string, i int) *braintest.Work {
		minute += 100
		return l.Work(fmt.Sprint(name, i), minute).Prompt("fix the login")
	}
	for i := range 5 {
		// One search of 400 bytes or 480 bytes, one re-read of 200: 150 or 170 tokens; two lines of ten tokens each.
		session("with", i).Shown(false, "login.go", "other.go").Grep("login.go").Sized(int64(400 + 80*(i%2))).
			Read("login.go").Sized(8000).Read("login.go").Sized(200).End()
	}
	for i := range 6 {
		session("held", i).Shown(true, "login.go").Grep("login.go").Sized(1000).Bash("rg login").Sized(600).
			Read("login.go").Sized(8000).Read("login.go").Sized(400).Read("login.go").Sized(0).End()
	}
	// Of these the size of something that counts is not known, or nothing at all is known.
	session("held", 6).Shown(true, "login.go").Grep("login.go").Read("login.go").Sized(8).End()
	session("held", 7).Shown(true, "login.go").Grep("login.go").Sized(8).Read("login.go").Sized(8).Read("login.go").End()
	session("held", 8).Shown(true, "login.go").Read("login.go").End()
	// The size of a first read is not known, and does not count.
	session("held", 9).Shown(true, "login.go").Grep("login.go").Sized(2000).Read("login.go").Edit("login.go").End()

	got := braintest.Must(l, answer.Roi, braintest.Shop)
	with, held := got.Groups[0], got.Groups[1]
	if with.Sessions != 5 || with.Measured != 5 || held.Sessions != 10 || held.Measured != 7 {
		t.Fatalf("%d of %d and %d of %d sessions are measured", with.Measured, with.Sessions, held.Measured, held.Sessions)
	}
	// Searches (400·3 + 480·2) / 5 / 4 = 108 tokens, re-reads 50, lines 20.
	if g := with.Tokens; g.Searches.Value != 108 || g.Searches.Low < 100 || g.Searches.High > 120 || g.Rereads != (brain.Interval{Value: 50, Low: 50, High: 50}) || g.Shown != (brain.Interval{Value: 20, Low: 20, High: 20}) {
		t.Errorf("with suggestions %+v", g)
	}
	// Searches (1600·6 + 2000) / 7 / 4, re-reads 400·6 / 7 / 4.
	if g := held.Tokens; !near(g.Searches.Value, 11600./28) || !near(g.Rereads.Value, 2400./28) || g.Shown != (brain.Interval{}) {
		t.Errorf("withheld %+v", g)
	}
	if len(got.Saved) != 1 || got.Saved[0].Tokens == nil {
		t.Fatalf("saved %+v", got.Saved)
	}
	// All seven control sessions read 500 tokens, those with suggestions 158 and 20 more for the lines.
	s := got.Saved[0].Tokens
	if s.Saved.Value != 342 || s.Net.Value != 322 || s.Spent != (brain.Interval{Value: 20, Low: 20, High: 20}) || !near(s.Searches.Value, 11600./28-108) || !near(s.Rereads.Value, 2400./28-50) {
		t.Errorf("saved %+v", s)
	}
	if s.Saved.Low < 330 || s.Saved.High > 350 || s.Saved.Low >= s.Saved.High || s.Net.Low < 310 || s.Net.High > 330 {
		t.Errorf("saved %+v, net %+v", s.Saved, s.Net)
	}
	if again := braintest.Must(l, answer.Roi, braintest.Shop); *again.Saved[0].Tokens != *s {
		t.Error("the same sessions give another interval")
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestTokensAreNotComparedBeforeEnoughIsMeasured(t *testing.T) {
	for _, c := range []struct {
		name       string
		with, held int // measured sessions of six
		want       [2]bool
	}{
		{"old sessions", 0, 0, [2]bool{}}, {"too few with", 4, 6, [2]bool{false, true}}, {"too few without", 6, 4, [2]bool{true, false}},
		{"enough", 5, 5, [2]bool{true, true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := braintest.NewLab(t)
			for i := range 6 {
				for _, held := range []bool{false, true} {
					w := l.Work(fmt.Sprint(held, i), float64(100*i)).Prompt("x").Shown(held, "a.go").Grep("a.go")
					if held && i < c.held || !held && i < c.with {
						w.Sized(4)
					}
					w.Read("a.go").End()
				}
			}
			got := braintest.Must(l, answer.Roi, braintest.Shop)
			if has := [2]bool{got.Groups[0].Tokens != nil, got.Groups[1].Tokens != nil}; has != c.want {
				t.Errorf("tokens of groups: %v, want %v", has, c.want)
			}
			if len(got.Saved) != 1 || (got.Saved[0].Tokens != nil) != (c.want[0] && c.want[1]) {
				t.Errorf("saved %+v", got.Saved)
			}
			if got.Groups[0].Measured != c.with || got.Groups[1].Measured != c.held {
				t.Errorf("measured %d and %d", got.Groups[0].Measured, got.Groups[1].Measured)
			}
		})
	}
}

func TestRemindersOfFadingFilesAreNoPredictions(t *testing.T) {
	l := braintest.NewLab(t)
	l.Work("one", 0).Prompt("x").Offer(memory.Suggestion{Offer: memory.OfferStale, Path: "old.go", Tokens: 7}).Read("a.go").End()
	if got := braintest.Must(l, answer.Roi, braintest.Shop); got.Shown.Judged != 0 || got.Tokens.Tokens != 7 {
		t.Errorf("roi %+v", got)
	}
}

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
