package evaluate

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// learned returns history baselines that have seen commits, each "subject: A path, M path, R old>new, D path".
func learned(t *testing.T, commits ...string) *HistoryBaselines {
	t.Helper()
	learner, err := NewHistoryBaselines(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	record(t, learner, commits...)
	return learner.(*HistoryBaselines)
}

func record(t *testing.T, learner Learner, commits ...string) {
	t.Helper()
	for i, text := range commits {
		c, err := decodeCommit([]byte(commitLine(t, i, "hash "+text)))
		if err == nil {
			err = learner.Commit(t.Context(), c)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// score lets a ranker score and returns the scores by path.
func score(tree *tree, rank func(*scores)) map[string]float64 {
	var s scores
	s.fit(len(tree.files))
	rank(&s)
	byPath := map[string]float64{}
	for _, n := range s.touched {
		byPath[tree.files[n].path] = s.of[n]
	}
	return byPath
}

func expectScores(t *testing.T, name string, got, want map[string]float64) {
	t.Helper()
	same := len(got) == len(want)
	for path, score := range want {
		same = same && near(got[path], score)
	}
	if !same {
		t.Errorf("%s: %v, want %v", name, got, want)
	}
}

// answer returns what one ranker says, nil if it does not answer.
func answersOf(t *testing.T, learner Learner, q Question, ranker string) []string {
	t.Helper()
	rankings, err := learner.Rank(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rankings {
		if r.Ranker == ranker {
			return append([]string{}, r.Paths...)
		}
	}
	return nil
}

// Three commits: a with b, a with c, a with b and d. It is time 3 then.
var threeCommits = []string{"one: A a, A b", "two: M a, A c", "three: M a, M b, A d"}

func TestHeat(t *testing.T) {
	b := learned(t, threeCommits...)
	tree, past := b.sheet.tree, b.past
	expectScores(t, "recent", score(tree, past.recent), map[string]float64{"a": 3, "b": 3, "c": 2, "d": 3})
	expectScores(t, "frequent", score(tree, past.frequent), map[string]float64{"a": 3, "b": 2, "c": 1, "d": 1})
	// A touch at time k counts 2^-((3-k)/100).
	touch := func(k float64) float64 { return math.Exp2(-(3 - k) / 100) }
	expectScores(t, "frecency", score(tree, past.frecent), map[string]float64{
		"a": touch(0) + touch(1) + touch(2), "b": touch(0) + touch(2), "c": touch(1), "d": touch(2),
	})
}

func TestAssociation(t *testing.T) {
	b := learned(t, threeCommits...)
	tree, past := b.sheet.tree, b.past
	seed := tree.numbers["a"]
	from := func(rank func(*scores, int32, float64)) map[string]float64 {
		return score(tree, func(s *scores) { rank(s, seed, 1) })
	}
	// Of the 3 commits of a, 2 touched b, 1 touched c, 1 touched d.
	expectScores(t, "rules", from(past.rules), map[string]float64{"b": 2. / 3, "c": 1. / 3, "d": 1. / 3})
	// A commit at time k counts 2^-((3-k)/500).
	at := func(k float64) float64 { return math.Exp2(-(3 - k) / 500) }
	expectScores(t, "rules-decayed", from(past.rulesDecayed), map[string]float64{
		"b": (at(0) + at(2)) / 3, "c": at(1) / 3, "d": at(2) / 3,
	})
	// The third commit had 3 files, so each of its pairs counts half.
	expectScores(t, "rules-sized", from(past.rulesSized), map[string]float64{
		"b": (at(0) + at(2)/2) / 3, "c": at(1) / 3, "d": at(2) / 2 / 3,
	})
	// a was in 3 commits, b in 2, c and d in 1.
	expectScores(t, "cosine", from(past.cosine), map[string]float64{
		"b": 2 / math.Sqrt(3*2), "c": 1 / math.Sqrt(3), "d": 1 / math.Sqrt(3),
	})
}

func TestSaturatingSpreadsTwoSteps(t *testing.T) {
	b := learned(t, "one: A a, A b", "two: M b, A c")
	// Every weight is one step from 0: 0.1/(1+e^-4) = 0.0982. From a to b, its only link; from b, which has two, to a
	// and c.
	weight := 0.1 / (1 + math.Exp(-4))
	second := 0.5 * weight * weight / math.Sqrt(2)
	got := score(b.sheet.tree, func(s *scores) { b.past.saturating(s, b.sheet.tree.numbers["a"], 1) })
	expectScores(t, "saturating", got, map[string]float64{"b": weight, "a": second, "c": second})
}

func TestBM25OnPaths(t *testing.T) {
	b := learned(t, "x: A alpha.md, A beta.md")
	byPath := func(text string) map[string]float64 {
		b.sheet.begin(Question{Text: text})
		return score(b.sheet.tree, b.sheet.byPath)
	}
	// Two documents of two words each, the average: a word scores its rarity. alpha is in one of two, ln(1+1.5/1.5);
	// md in both, ln(1+0.5/2.5).
	expectScores(t, "alpha md", byPath("alpha md"), map[string]float64{
		"alpha.md": math.Log(2) + math.Log(1.2), "beta.md": math.Log(1.2),
	})
	// One file left: alpha is in none, md in all, ln(1+0.5/1.5), and gamma came with the rename.
	record(t, b, "y: D alpha.md, R beta.md>gamma.md")
	expectScores(t, "after the rename", byPath("alpha beta md"), map[string]float64{"gamma.md": math.Log(1 + 0.5/1.5)})
}

func TestBM25OnHistoryAndNearestCommits(t *testing.T) {
	b := learned(t, "zebra: A alpha.md", "zebra yak: M alpha.md, A beta.md")
	tree, past := b.sheet.tree, b.past
	yak, beta := tree.words.known("yak unheard"), tree.words.known("beta")
	// alpha.md has the words zebra zebra yak, beta.md zebra yak: 2.5 on average; both have yak.
	record := func(length float64) float64 { return math.Log(1.2) * 2.2 / (1 + 1.2*(0.25+0.75*length/2.5)) }
	expectScores(t, "bm25-history", score(tree, func(s *scores) { past.byRecords(s, yak) }), map[string]float64{
		"alpha.md": record(3), "beta.md": record(2),
	})
	// The second of two commits has yak among its 2 words, 1.5 on average, and gives its score to its 2 files.
	var works scores
	nearest := math.Log(2) * 2.2 / (1 + 1.2*(0.6+0.4*2/1.5)) / math.Sqrt2
	expectScores(t, "knn", score(tree, func(s *scores) { past.worksNearest(s, &works, yak, 50) }), map[string]float64{
		"alpha.md": nearest, "beta.md": nearest,
	})
	// With path words at half weight the commits are 1+2/2 = 2 and 2+3/2 = 3.5 long. The second is one commit old.
	withPaths := math.Log(2) * 0.5 * 2.2 / (0.5 + 1.2*(0.6+0.4*3.5/2.75)) / math.Sqrt2
	withPaths *= 0.33 + 0.67*math.Exp2(-1./1000)
	got := score(tree, func(s *scores) { past.worksNearestByPaths(s, &works, beta, 50) })
	expectScores(t, "knn-paths", got, map[string]float64{"alpha.md": withPaths, "beta.md": withPaths})
}

func TestOnlyTheNearestCommitsCountAndOfEqualsTheLater(t *testing.T) {
	b := learned(t, "yak: A a", "yak: A b", "other: A c", "yak: A d")
	tree := b.sheet.tree
	var works scores
	got := score(tree, func(s *scores) { b.past.worksNearest(s, &works, tree.words.known("yak"), 2) })
	if len(got) != 2 || got["d"] == 0 || got["b"] == 0 {
		t.Error(got)
	}
}

func TestPathSimilarity(t *testing.T) {
	b := learned(t, "x: A src/app/parser.go, A src/app/parser_test.go, A src/app/lexer.go, A src/lib/parser.go, "+
		"A src/app/deep/x.go, A docs/y.md, A src/app/gone.go", "y: D src/app/gone.go")
	tree := b.sheet.tree
	seed := tree.numbers["src/app/parser.go"]
	got := score(tree, func(s *scores) { tree.similarPaths(s, seed, 1) })
	expectScores(t, "path", got, map[string]float64{
		"src/app/parser.go": 4, "src/app/parser_test.go": 4, // stem 2, folder 1, all folder names in common 1
		"src/app/lexer.go": 2, "src/lib/parser.go": 2.5, "src/app/deep/x.go": 2. / 3,
	})
}

func TestStems(t *testing.T) {
	for path, want := range map[string]string{
		"a/parser.go": "parser", "parser_test.go": "parser", "tests/test_views.py": "views", "Button.spec.ts": "button",
		"test.py": "", ".gitignore": ".gitignore", "x-test.js": "x",
	} {
		if got := stemOf(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestTiesGoToTheLaterTouchThenByPath(t *testing.T) {
	b := learned(t, "one: A z", "two: A b, A a", "three: A c")
	if got := answersOf(t, b, Question{Task: "T1"}, "frequent"); !slices.Equal(got, []string{"c", "a", "b", "z"}) {
		t.Error(got)
	}
}

func TestBannedDeadAndRenamedFiles(t *testing.T) {
	open := func(banned ...string) Question { return Question{Task: "T3", Open: []string{"a"}, Banned: banned} }
	b := learned(t, "one: A a, A b, A c", "two: D b, R c>d")
	if got := answersOf(t, b, open("a"), "rules"); !slices.Equal(got, []string{"d"}) {
		t.Errorf("after a deletion and a rename: %v", got)
	}
	record(t, b, "three: A b")
	if got := answersOf(t, b, open("a", "d"), "rules"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("after the deleted file came back: %v", got)
	}
	if got := answersOf(t, b, Question{Task: "T3", Open: []string{"unheard"}}, "rules"); len(got) != 0 {
		t.Errorf("from an unknown file: %v", got)
	}
	// d is taken, so a ends and d goes on with what it knows.
	record(t, b, "four: R a>d")
	if got := answersOf(t, b, Question{Task: "T1"}, "frequent"); !slices.Equal(got, []string{"d", "b"}) {
		t.Errorf("after a rename onto a file: %v", got)
	}
}

func TestLargeCommitsOnlyChangeTheFileSet(t *testing.T) {
	b := learned(t, "one: A a, A b", "import words: M a, "+manyFiles("A", 30), "sweep: R a>e, D b, "+manyFiles("M", 30))
	if got := answersOf(t, b, Question{Task: "T1"}, "frequent"); !slices.Equal(got, []string{"e"}) {
		t.Errorf("frequent %v", got)
	}
	if got := answersOf(t, b, Question{Task: "T1", Text: "words", HasText: true}, "bm25-history"); len(got) != 0 {
		t.Errorf("bm25-history %v", got)
	}
	if got := answersOf(t, b, Question{Task: "T1", Text: "file3", HasText: true}, "bm25-path"); len(got) != 30 {
		t.Errorf("bm25-path finds %d files by name", len(got))
	}
}

func TestRankersAnswerWhatTheyCan(t *testing.T) {
	heat, fused := "frecency recent frequent", "rrf fusion ltr"
	text, open := "bm25-path bm25-history knn knn-paths", "rules rules-decayed rules-sized cosine path"
	b := learned(t, threeCommits...)
	for _, c := range []struct {
		q    Question
		want string
	}{
		{Question{Task: "T1", HasText: true}, heat + " " + text + " " + fused},
		{Question{Task: "T2", HasText: true, Open: []string{"a"}}, heat + " " + text + " " + open + " " + fused},
		{Question{Task: "T3", Open: []string{"a"}}, heat + " " + open + " " + fused},
		{Question{}, heat + " " + fused},
	} {
		rankings, err := b.Rank(t.Context(), c.q)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range rankings {
			names = append(names, r.Ranker)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%+v: %s, want %s", c.q, got, c.want)
		}
	}
}

// twoLists are over the files 0, 1, 2: the first knows 0 and 1, the second 1 and 2.
func twoLists() []list {
	return []list{{"x", []place{{0, 0, 8}, {1, 0, 4}}}, {"y", []place{{1, 0, 3}, {2, 0, 3}}}}
}

func TestReciprocalRanks(t *testing.T) {
	var s scores
	s.fit(3)
	reciprocalRanks(&s, twoLists())
	for file, want := range []float64{1. / 61, 1./62 + 1./61, 1. / 62} {
		if !near(s.of[file], want) {
			t.Errorf("file %d: %v, want %v", file, s.of[file], want)
		}
	}
	long := list{files: make([]place, fusionDepth+1)}
	for i := range long.files {
		long.files[i] = place{int32(i), 0, 1}
	}
	s.clear()
	s.fit(len(long.files))
	reciprocalRanks(&s, []list{long})
	if len(s.touched) != fusionDepth {
		t.Errorf("%d files of a long list count", len(s.touched))
	}
}

func TestBlend(t *testing.T) {
	var f features
	for range 2 { // the second time in used memory
		f.fill(twoLists(), 3)
	}
	second := 10. / 11 // of a list
	rows := [][]float64{{1, 1, 0, 0, 1}, {second, 0.5, 1, 1, 1}, {0, 0, second, 1, 1}}
	for file, want := range rows {
		if got := f.of(int32(file)); !slices.Equal(got, want) {
			t.Errorf("features of %d: %v, want %v", file, got, want)
		}
	}
	sigmoid := func(z float64) float64 { return 1 / (1 + math.Exp(-z)) }
	p := []float64{sigmoid(1), sigmoid(second + 1), sigmoid(second)} // a new blend adds the ranks up
	b := newBlend(2)
	var s scores
	s.fit(3)
	b.score(&s, &f)
	for file, want := range p {
		if !near(s.of[file], want) {
			t.Errorf("probability of %d: %v, want %v", file, s.of[file], want)
		}
	}
	b.learn(&f, func(int32) bool { return false })
	if !slices.Equal(b.weights, []float64{1, 0, 1, 0, 0}) {
		t.Errorf("learned %v from an answer that no list held", b.weights)
	}
	// File 0 was right. The two others weigh 3·1/(2+1) = 1 each, so the pushes are 1-p0, -p1, -p2; the first step is
	// 0.5/√1.02.
	b.learn(&f, func(file int32) bool { return file == 0 })
	for j, before := range []float64{1, 0, 1, 0, 0} {
		gradient := (1-p[0])*rows[0][j] - p[1]*rows[1][j] - p[2]*rows[2][j]
		if want := before + 0.5/math.Sqrt(1.02)*(gradient-0.001*before); !near(b.weights[j], want) {
			t.Errorf("weight %d: %v, want %v", j, b.weights[j], want)
		}
	}
}

func TestTheLearnedFusionLearnsEachTaskApart(t *testing.T) {
	b := learned(t, "one: A a", "two: A b", "three: M b, M a")
	ask := func(task string) string {
		return answersOf(t, b, Question{Task: task, Open: []string{"a"}, Text: "one two", HasText: true}, "ltr")[0]
	}
	before := ask("T2")
	other := map[string]string{"a": "b", "b": "a"}[before]
	for range 200 {
		ask("T2")
		if err := b.Correct(t.Context(), Question{Task: "T2"}, []string{other}); err != nil {
			t.Fatal(err)
		}
	}
	if ask("T2") != other || ask("T4") != before {
		t.Errorf("T2 %s, want %s; T4 %s, want %s", ask("T2"), other, ask("T4"), before)
	}
}

func sessionsLearned(t *testing.T, sessions ...string) *SessionBaselines {
	t.Helper()
	learner, err := NewSessionBaselines(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range sessions {
		s, err := decodeSession([]byte(line))
		if err == nil {
			err = learner.(SessionLearner).Session(t.Context(), s)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return learner.(*SessionBaselines)
}

func TestChain(t *testing.T) {
	b := sessionsLearned(t,
		sessionLine(t, "s1", 0, nil, "read a", "read a", "read b", "edit a", "read c"),
		sessionLine(t, "s2", 0, nil, "read a", "read b"))
	tree := b.sheet.tree
	// a, opened in 2 sessions, was followed twice by b and once by c. A file beside itself does not count.
	got := score(tree, func(s *scores) { b.next(s, tree.numbers["a"], 1) })
	expectScores(t, "chain", got, map[string]float64{"b": 2. / 3, "c": 1. / 3})
	// An older open file counts half.
	b.sheet.begin(Question{Open: []string{"b", "a"}})
	got = score(tree, b.sheet.fromOpen(b.next, halving))
	expectScores(t, "chain from two", got, map[string]float64{"a": 1. / 3, "b": 0.5 * 2 / 3, "c": 0.5 / 3})
	q := Question{Task: "S2", Open: []string{"a"}, Banned: []string{"a"}}
	if got := answersOf(t, b, q, "chain"); !slices.Equal(got, []string{"b", "c"}) {
		t.Error(got)
	}
}

func TestSessionsAreLearnedInWindows(t *testing.T) {
	var opens []string
	for _, name := range "abcdefghijklmn" { // 14 files: a to l, and m with n
		opens = append(opens, "read "+string(name))
	}
	b := sessionsLearned(t, sessionLine(t, "s1", 0, []string{"zebra", "yak"}, opens...))
	q := Question{Task: "S2", Text: "yak", HasText: true, Open: []string{"m"}, Banned: []string{"m"}}
	if got := answersOf(t, b, q, "rules-sized-sessions"); !slices.Equal(got, []string{"n"}) {
		t.Errorf("m goes with %v", got)
	}
	if got := answersOf(t, b, q, "knn-sessions"); len(got) != 12 || slices.Contains(got, "n") {
		t.Errorf("the prompts lead to %v", got)
	}
	if got := answersOf(t, b, q, "frecency"); !slices.Equal(got[:1], []string{"n"}) || len(got) != 13 {
		t.Errorf("frecency %v", got)
	}
}

func TestSessionsAndCommitsAreKeptApart(t *testing.T) {
	b := sessionsLearned(t, sessionLine(t, "s1", 0, []string{"zebra"}, "read a", "edit draft"))
	record(t, b, "yak: M a, A c")
	q := Question{Task: "S2", Text: "zebra yak", HasText: true, Open: []string{"a"}, Banned: []string{"a"}}
	for ranker, want := range map[string]string{
		"recent": "draft", "recent-git": "c", "frequent": "draft", "frecency": "draft", "frecency-git": "c",
		"knn-git": "c", "knn-sessions": "draft", "bm25-git": "c", "bm25-sessions": "draft", "rules-git": "c",
		"rules-sized-git": "c", "rules-sized-sessions": "draft", "chain": "draft", "saturating": "draft", "path": "c draft",
		"bm25-path": "",
		// Of the lists that rrf takes c leads five and draft four; of all, c seven and draft eight.
		"rrf": "c draft", "ltr": "draft c",
	} {
		if got := strings.Join(answersOf(t, b, q, ranker), " "); got != want {
			t.Errorf("%s: %s, want %s", ranker, got, want)
		}
	}
	q.HasText = false
	if got := answersOf(t, b, q, "knn-sessions"); got != nil {
		t.Errorf("without text the prompts lead to %v", got)
	}
	record(t, b, "yak: R draft>final")
	if got := answersOf(t, b, q, "chain"); !slices.Equal(got, []string{"final"}) {
		t.Errorf("after a rename in git: %v", got)
	}
}

// benchData finds the folder with real histories and sessions. They are not part of the project.
func benchData(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("HEBB_BENCH")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "..", "shared", "bench")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("NOT TESTED on real histories: %v; set HEBB_BENCH to the folder that holds histories/ and sessions/", err)
	}
	return dir
}

// The figures were published with the data. They were met within 0.2 points once; while this test could not find its data and was
// skipped, they moved by up to 0.46 points here and 1.75 with sessions (63 questions, one is 1.6 points), most likely since words
// are stemmed otherwise (docs/adr/0016). A larger difference is a different protocol or a different ranker.
func TestFusionOnARealHistory(t *testing.T) {
	results, err := Replay(t.Context(), ReplayInput{
		Files:    []string{filepath.Join(benchData(t), "histories", "flask.jsonl.gz")},
		Learners: []NewLearner{NewHistoryBaselines},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]ReplayRow{
		"T1": {N: 3381, R5: 58.9, R10: 70.0, MAP: 49.3, MRR: 55.8},
		"T2": {N: 1330, R5: 61.9, R10: 74.9, MAP: 54.1, MRR: 64.6},
		"T3": {N: 1330, R5: 52.1, R10: 64.2, MAP: 43.0, MRR: 53.4},
		"T4": {N: 456, R5: 56.9, R10: 70.3, MAP: 52.5, MRR: 66.8},
	}
	seen := 0
	for _, r := range results.ReplayRows() {
		if r.Ranker != "fusion" {
			continue
		}
		seen++
		w := want[r.Task]
		if r.Repo != "flask" || r.N != w.N || !within(r.R5, w.R5, 0.5) || !within(r.R10, w.R10, 0.5) || !within(r.MAP, w.MAP, 0.5) ||
			!within(r.MRR, w.MRR, 0.5) {
			t.Errorf("%+v, want %+v", r, w)
		}
	}
	if seen != len(want) {
		t.Errorf("%d rows of fusion, want %d", seen, len(want))
	}
}

func TestTheLearnedFusionOnRealSessions(t *testing.T) {
	pairs, err := PairSessionFiles([]string{
		filepath.Join(benchData(t), "sessions", "context-evaluator.sessions.jsonl.gz"),
	})
	if err != nil {
		t.Fatal(err)
	}
	results, err := Sessions(t.Context(), SessionsInput{Files: pairs, Learners: []NewLearner{NewSessionBaselines}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]SessionRow{
		"S1": {N: 63, R5: 39.3, R10: 53.5, MRR: 60.3}, "S1e": {N: 62, R5: 45.5, R10: 60.0, MRR: 57.3},
		"S2": {N: 239, R5: 49.4, R10: 61.5, MRR: 32.3},
	}
	for _, r := range results.SessionRows() {
		w := want[r.Task]
		if r.Ranker == "ltr" && (r.N != w.N || !within(r.R5, w.R5, 2) || !within(r.R10, w.R10, 2) || !within(r.MRR, w.MRR, 2)) {
			t.Errorf("%+v, want %+v", r, w)
		}
	}
}

func within(a, b, points float64) bool { return math.Abs(a-b) <= points }
