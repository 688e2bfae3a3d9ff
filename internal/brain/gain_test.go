package brain

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
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
		if got := searches(c.tool, c.input); got != c.want {
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
		got := wilson(c.taken, c.all, .95)
		if math.Abs(got.Low-c.low) > 1e-4 || math.Abs(got.High-c.high) > 1e-4 || got.Value != float64(c.taken)/float64(c.all) {
			t.Errorf("%d of %d: %+v, want %v to %v", c.taken, c.all, got, c.low, c.high)
		}
	}
}

// The interval of a mean shrinks with the root of the number of sessions, and is the same every time.
func TestBootstrapIntervals(t *testing.T) {
	l := newLab(t)
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
		got := l.sampler().mean(c.seen)
		if got.Value != 2 || math.Abs(got.High-2-c.half) > c.half/5 || math.Abs(2-got.Low-c.half) > c.half/5 {
			t.Errorf("%s: %+v, want 2 ± %.2f", c.name, got, c.half)
		}
		if again := l.sampler().mean(c.seen); again != got {
			t.Errorf("%s: %+v, then %+v", c.name, got, again)
		}
	}
	if same := l.sampler().mean([]float64{3, 3, 3, 3, 3}); same != (Interval{Value: 3, Low: 3, High: 3}) {
		t.Errorf("five alike: %+v", same)
	}
	if less := l.sampler().difference([]float64{1, 1, 1, 1, 2}, []float64{5, 5, 5, 5, 6}); less.Value != 4 || less.Low < 3 || less.High > 5 {
		t.Errorf("difference %+v", less)
	}
}

func TestTokensAreCountedFromWhatSessionsDid(t *testing.T) {
	l := newLab(t)
	l.work("straight", 0).prompt("x").grep("a.go").shown(false, "a.go", "b.go", "c.go").read("a.go").bash("rg b").grep("c.go").read("b.go").end()
	l.work("again", 100).prompt("x").shown(false, "a.go").prompt("y").shown(false, "a.go").edit("a.go").end()
	l.work("before", 200).read("a.go").prompt("x").shown(false, "a.go").read("d.go").end()
	l.work("withheld", 300).prompt("x").shown(true, "a.go").read("a.go").end()
	l.work("running", 400).prompt("x").shown(false, "e.go").read("e.go").pause()
	l.work("untold", 500).prompt("x").read("a.go").end()

	want := TokensResult{Sessions: 4, Lines: 7, Tokens: 70, Files: 6, Opened: 4, Straight: 3, Unmeasured: 3}
	if got := must(l, Tokens, TokensInput{Scope: shop}); got != want {
		t.Errorf("tokens %+v, want %+v", got, want)
	}
	want = TokensResult{Sessions: 1, Lines: 1, Tokens: 10, Files: 1, Opened: 1, Straight: 1}
	if got := must(l, Tokens, TokensInput{Scope: shop, Since: start.Add(350 * time.Minute)}); got != want {
		t.Errorf("of late: %+v, want %+v", got, want)
	}
	if got := must(l, Tokens, TokensInput{Scope: Scope{Dir: t.TempDir()}}); got != (TokensResult{}) {
		t.Errorf("nowhere: %+v", got)
	}
}

func TestTheSizeOfASearchIsMeasured(t *testing.T) {
	l := newLab(t)
	l.work("one", 0).prompt("x").grep("a.go").sized(40).bash("rg b").sized(0).read("a.go").sized(4000).fail("no such file").sized(12).pause()
	l.work("two", 100).grep("a.go").bash("make").sized(900).bash("rg c").sized(80).end()
	// Three searches returned 40, 0 and 80 bytes: 10 tokens of four bytes each. Of one nobody knows.
	want := TokensResult{Searches: 3, SearchTokens: 10, Unmeasured: 1, searchBytes: 120}
	if got := must(l, Tokens, TokensInput{Scope: shop}); got != want {
		t.Errorf("tokens %+v, want %+v", got, want)
	}
}

// session works with so many searches and re-reads.
func (w *work) searching(searches, rereads int) *work {
	for range searches {
		w.grep("login.go")
	}
	w.read("login.go")
	for range rereads {
		w.read("login.go")
	}
	return w
}

func TestRoiComparesSessions(t *testing.T) {
	l := newLab(t)
	minute := 0.0
	session := func(name string, i int) *work {
		minute += 100
		return l.work(fmt.Sprint(name, i), minute).prompt("mend the login")
	}
	for i := range 6 {
		session("before", i).searching(6+i%2, 3).end()
	}
	if got := must(l, Roi, shop); got.Groups[2].Sessions != 6 || got.Groups[2].Searches == nil || len(got.Saved) > 0 || got.Shown.Share != nil {
		t.Errorf("before any suggestion: %+v", got)
	}
	for i := range 4 {
		session("with", i).shown(false, "login.go").searching(1+i%2, 0).end()
	}
	few := must(l, Roi, shop)
	if g := few.Groups[0]; g.Sessions != 4 || g.Searches != nil || g.Rereads != nil || len(few.Saved) > 0 {
		t.Errorf("four sessions are not enough: %+v", few)
	}
	session("with", 5).shown(false, "login.go", "other.go").searching(1, 0).end()
	session("untold", 0).searching(20, 20).end()                           // nothing good was found for it: another kind of task
	session("talk", 0).shown(false, "login.go").end()                      // opened nothing
	session("running", 0).shown(false, "login.go").searching(9, 9).pause() // not finished
	for i := range 5 {
		session("held", i).shown(true, "login.go").searching(4, 2).end()
	}
	got := must(l, Roi, shop)
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
	if s := got.Saved[0]; math.Abs(s.Searches.Value-2.6) > 1e-9 || s.Searches.Low < 2 || s.Rereads != (Interval{Value: 2, Low: 2, High: 2}) {
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
	if again := must(l, Roi, shop); *again.Groups[0].Searches != *got.Groups[0].Searches {
		t.Error("the same sessions give another interval")
	}
	if all := must(l, Roi, Scope{All: true}); all.Groups[0].Sessions != 5 {
		t.Errorf("over all projects: %+v", all.Groups)
	}
}

// Two groups of five sessions, each with its figures: what is said must be what can be computed by hand.
func TestRoiComparesTokens(t *testing.T) {
	l := newLab(t)
	minute := 0.0
	session := func(name string, i int) *work {
		minute += 100
		return l.work(fmt.Sprint(name, i), minute).prompt("mend the login")
	}
	for i := range 5 {
		// One search of 400 bytes or 480 bytes, one re-read of 200: 150 or 170 tokens; two lines of ten tokens each.
		session("with", i).shown(false, "login.go", "other.go").grep("login.go").sized(int64(400 + 80*(i%2))).
			read("login.go").sized(8000).read("login.go").sized(200).end()
	}
	for i := range 6 {
		session("held", i).shown(true, "login.go").grep("login.go").sized(1000).bash("rg login").sized(600).
			read("login.go").sized(8000).read("login.go").sized(400).read("login.go").sized(0).end()
	}
	// Of these the size of something that counts is not known, or nothing at all is known.
	session("held", 6).shown(true, "login.go").grep("login.go").read("login.go").sized(8).end()
	session("held", 7).shown(true, "login.go").grep("login.go").sized(8).read("login.go").sized(8).read("login.go").end()
	session("held", 8).shown(true, "login.go").read("login.go").end()
	// The size of a first read is not known, and does not count.
	session("held", 9).shown(true, "login.go").grep("login.go").sized(2000).read("login.go").edit("login.go").end()

	got := must(l, Roi, shop)
	with, held := got.Groups[0], got.Groups[1]
	if with.Sessions != 5 || with.Measured != 5 || held.Sessions != 10 || held.Measured != 7 {
		t.Fatalf("%d of %d and %d of %d sessions are measured", with.Measured, with.Sessions, held.Measured, held.Sessions)
	}
	// Searches (400·3 + 480·2) / 5 / 4 = 108 tokens, re-reads 50, lines 20.
	if g := with.Tokens; g.Searches.Value != 108 || g.Searches.Low < 100 || g.Searches.High > 120 || g.Rereads != (Interval{Value: 50, Low: 50, High: 50}) || g.Shown != (Interval{Value: 20, Low: 20, High: 20}) {
		t.Errorf("with suggestions %+v", g)
	}
	// Searches (1600·6 + 2000) / 7 / 4, re-reads 400·6 / 7 / 4.
	if g := held.Tokens; !near(g.Searches.Value, 11600./28) || !near(g.Rereads.Value, 2400./28) || g.Shown != (Interval{}) {
		t.Errorf("withheld %+v", g)
	}
	if len(got.Saved) != 1 || got.Saved[0].Tokens == nil {
		t.Fatalf("saved %+v", got.Saved)
	}
	// All seven control sessions read 500 tokens, those with suggestions 158 and 20 more for the lines.
	s := got.Saved[0].Tokens
	if s.Saved.Value != 342 || s.Net.Value != 322 || s.Spent != (Interval{Value: 20, Low: 20, High: 20}) || !near(s.Searches.Value, 11600./28-108) || !near(s.Rereads.Value, 2400./28-50) {
		t.Errorf("saved %+v", s)
	}
	if s.Saved.Low < 330 || s.Saved.High > 350 || s.Saved.Low >= s.Saved.High || s.Net.Low < 310 || s.Net.High > 330 {
		t.Errorf("saved %+v, net %+v", s.Saved, s.Net)
	}
	if again := must(l, Roi, shop); *again.Saved[0].Tokens != *s {
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
			l := newLab(t)
			for i := range 6 {
				for _, held := range []bool{false, true} {
					w := l.work(fmt.Sprint(held, i), float64(100*i)).prompt("x").shown(held, "a.go").grep("a.go")
					if held && i < c.held || !held && i < c.with {
						w.sized(4)
					}
					w.read("a.go").end()
				}
			}
			got := must(l, Roi, shop)
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
	l := newLab(t)
	l.work("one", 0).prompt("x").offer(memory.Suggestion{Offer: memory.OfferStale, Path: "old.go", Tokens: 7}).read("a.go").end()
	if got := must(l, Roi, shop); got.Shown.Judged != 0 || got.Tokens.Tokens != 7 {
		t.Errorf("roi %+v", got)
	}
}

func TestWhy(t *testing.T) {
	l := newLab(t)
	l.work("one", 0).prompt("mend the login").shown(false, "login.go", "session.go").edit("login.go").prompt("and the logout").end()
	l.work("two", 100).prompt("once more").shown(true, "login.go").pause()
	lines := must(l, Shown, ShownInput{Scope: shop})
	if len(lines) != 3 || lines[0].Path != "login.go" || !lines[0].Held || lines[1].Path != "login.go" || lines[2].Path != "session.go" {
		t.Fatalf("shown %+v", lines)
	}
	if of := must(l, Shown, ShownInput{Session: "one"}); len(of) != 2 {
		t.Errorf("shown to session one: %+v", of)
	}
	id := lines[1].ID
	for _, name := range []string{id, id[:len(id)-1]} {
		w, err := Run(t.Context(), l.Brain, Why, WhyInput{ID: name})
		if name != id { // the event's ID is the beginning of both its lines
			if !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), id) {
				t.Errorf("why %s: %v", name, err)
			}
			continue
		}
		if err != nil || w.Path != "login.go" || w.Prompt != "mend the login" || w.Outcome != memory.Used || w.Position != 1 ||
			w.ProjectName != "shop" || w.Agent != "claude-code" || fmt.Sprint(w.Beside) != "[session.go]" || w.Confidence != .75 || w.File == nil {
			t.Errorf("why %s: %+v, %v", name, w, err)
		}
	}
	held := must(l, Why, WhyInput{ID: lines[0].ID[:6]})
	if held.ID != lines[0].ID || held.Outcome != memory.Pending || !held.Held || held.Beside == nil {
		t.Errorf("by its beginning: %+v", held)
	}
	never := must(l, Why, WhyInput{ID: lines[2].ID})
	if never.File != nil || never.Outcome != memory.Ignored {
		t.Errorf("of a file that no session met: %+v", never)
	}
	for name, kind := range map[string]error{
		"zzzzzz": memory.ErrNotFound, "": memory.ErrInvalid, "no such": memory.ErrInvalid, "ABC": memory.ErrInvalid, "~": memory.ErrInvalid,
	} {
		if _, err := Run(t.Context(), l.Brain, Why, WhyInput{ID: name}); !errors.Is(err, kind) || !strings.Contains(err.Error(), "hebb why") {
			t.Errorf("why %q: %v", name, err)
		}
	}
}

// The ID of a first line is the beginning of the tenth's, and still means the first.
func TestTheFirstOfManyLinesHasANameOfItsOwn(t *testing.T) {
	l := newLab(t)
	var paths []string
	for i := range 11 {
		paths = append(paths, fmt.Sprintf("f%02d.go", i))
	}
	l.work("one", 0).prompt("x").shown(false, paths...).pause()
	lines := must(l, Shown, ShownInput{Scope: shop})
	if w := must(l, Why, WhyInput{ID: lines[0].ID}); w.Path != "f00.go" || len(w.Beside) != 10 {
		t.Errorf("why: %+v", w)
	}
}
