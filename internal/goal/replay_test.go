package goal

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/recall"
)

var update = flag.Bool("update", false, "write the golden files anew")

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 4)) }

func episode(id, text string, age time.Duration, files ...string) Episode {
	return Episode{ID: id, At: noon.Add(-age), Kind: Exchange, Text: text, Concepts: Concepts(recall.Words(text), 16), Files: files}
}

// week is what somebody did, and what was wanted.
func week() Material {
	lock := stated("lock", "stop two drains from racing for the spool lock")
	lock.Status, lock.IncubatedSince = memory.GoalIncubating, 3
	docs := stated("docs", "write the page about pins")
	docs.TouchedAt = noon.Add(-days(6))
	return Material{
		Now: noon, RepeatAfter: 6 * time.Hour,
		Goals: []memory.Goal{stated("search", "make search faster for rare words"), lock, docs, stated("ci", "run the tests on Windows")},
		Episodes: []Episode{
			episode("e1", "the sealed segment keeps the spool lock while two drains race", days(2), "internal/spool/seal.go"),
			episode("e2", "colours of the status line", days(1)),
			episode("e3", "rare words are looked up first, so search is faster", days(3), "internal/recall/rank.go"),
			episode("e4", "invoice numbers of the customer", time.Hour),
			episode("e5", "pins are unique by title; write that on the page", days(9)),
			episode("e6", "lunch with the team", 2*time.Hour),
		},
	}
}

func TestReplayConnectsWhatWasLivedWithWhatIsWanted(t *testing.T) {
	t.Parallel()
	train := Replay(week(), seeded(1), Deep.Limits())
	var got []string
	for _, c := range train.Connections {
		got = append(got, fmt.Sprint(c.Episode.ID, " ", c.Goal.ID))
	}
	// What incubates is thought of like the rest, and the goal that was left lying comes last.
	if want := "e1 lock, e3 search, e5 docs"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", got, want)
	}
	for i, c := range train.Connections {
		if c.Strength < train.Threshold || c.Why == "" || len(c.Keys) != 2 || i > 0 && c.Worth > train.Connections[i-1].Worth {
			t.Errorf("%+v", c)
		}
	}
	if _, err := json.Marshal(train); err != nil {
		t.Error(err)
	}
	if len(train.Steps) != 6 || train.Ended != "nothing else comes to mind" {
		t.Errorf("%d steps: %s", len(train.Steps), train.Ended)
	}
}

func TestTheTrainOfThoughtIsShown(t *testing.T) {
	t.Parallel()
	m := week()
	m.Cosine = func(e Episode, _ memory.Goal) (float64, bool) { return .7, e.ID != "e2" }
	train := Replay(m, seeded(1), Deep.Limits())
	var b strings.Builder
	for _, s := range train.Steps {
		fmt.Fprintf(&b, "%s: %s\n", s.Episode.ID, s.Episode.Text)
		for _, c := range s.Compared {
			cosine := "unknown"
			if c.Cosine != nil {
				cosine = fmt.Sprintf("%.2f", *c.Cosine)
			}
			fmt.Fprintf(&b, "  %-6s words %.3f cosine %s strength %.3f %v: %s\n", c.Goal, c.Words, cosine, c.Strength, c.Shared, c.Outcome)
		}
	}
	for _, c := range train.Connections {
		fmt.Fprintf(&b, "%s -> %s, worth %.3f: %s\n", c.Episode.ID, c.Goal.Title, c.Worth, c.Why)
	}
	fmt.Fprintln(&b, "Ended:", train.Ended)
	golden := filepath.Join("testdata", "train.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestTheSameSeedGivesTheSameTrain(t *testing.T) {
	t.Parallel()
	m := crowd(400, 30, 2)
	differ := false
	first := Replay(m, seeded(0), Full.Limits())
	for seed := range uint64(20) {
		a, b := Replay(m, seeded(seed), Full.Limits()), Replay(m, seeded(seed), Full.Limits())
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("seed %d gives two trains", seed)
		}
		differ = differ || !reflect.DeepEqual(a, first)
	}
	if !differ {
		t.Error("every seed gives the same train")
	}
}

func TestAReplayKnowsWhenToStop(t *testing.T) {
	t.Parallel()
	alike := func(n int, text string) (episodes []Episode) {
		for i := range n {
			episodes = append(episodes, episode(fmt.Sprint("x", i), fmt.Sprint(text, " ", strings.Repeat("z", i+1)), time.Hour))
		}
		return episodes
	}
	wanted := stated("g", "split the parser into lexer and grammar")
	for _, c := range []struct {
		name     string
		episodes []Episode
		limits   Limits
		steps    int
		ended    string
	}{
		{"three dull steps", alike(20, "lunch menu"), Full.Limits(), 3, "3 steps in a row without a connection"},
		{"one strong connection", alike(20, "in the old compiler they had one file for the lexer and one for the grammar, and the parser was split by hand"), Full.Limits(), 1, "a strong connection is worth acting on"},
		{"a deep one goes on", alike(20, "in the old compiler they had one file for the lexer and one for the grammar, and the parser was split by hand"), Deep.Limits(), 20, "nothing else comes to mind"},
		{"through dull steps as well", alike(70, "lunch menu"), Deep.Limits(), 45, "its 45 steps are used up"},
		{"its steps", alike(20, "lunch menu"), Limits{Steps: 2, Goals: 5, Strong: 1, Dull: 3}, 2, "its 2 steps are used up"},
		{"no step at all", alike(2, "lunch menu"), Limits{Goals: 5}, 0, "its 0 steps are used up"},
		{"no goal to compare", alike(2, "lunch menu"), Limits{Steps: 3}, 0, "there is no goal to think of"},
		{"nothing lived", nil, Brief.Limits(), 0, "there is nothing to think back to"},
	} {
		train := Replay(Material{Now: noon, Episodes: c.episodes, Goals: []memory.Goal{wanted}}, seeded(7), c.limits)
		if len(train.Steps) != c.steps || train.Ended != c.ended {
			t.Errorf("%s: %d steps, %s", c.name, len(train.Steps), train.Ended)
		}
	}
	if train := Replay(Material{Now: noon, Episodes: alike(3, "x")}, seeded(7), Brief.Limits()); train.Ended != "there is no goal to think of" {
		t.Error(train.Ended)
	}
}

func TestABriefReplayHoldsThreeEpisodesAgainstFiveGoals(t *testing.T) {
	t.Parallel()
	m := crowd(100, 20, 5)
	limits := Brief.Limits()
	limits.Strong = 0
	train := Replay(m, seeded(3), limits)
	if len(train.Steps) != 3 {
		t.Fatalf("%d steps", len(train.Steps))
	}
	top := map[memory.GoalID]bool{}
	for _, g := range Order(m.Goals, m.Now)[:5] {
		top[g.Goal.ID] = true
	}
	for _, s := range train.Steps {
		if len(s.Compared) != 5 {
			t.Errorf("%d goals", len(s.Compared))
		}
		for _, c := range s.Compared {
			if !top[c.Goal] {
				t.Errorf("%s is not among the first five", c.Goal)
			}
		}
	}
}

func TestNothingIsShownTwiceWithinSixHours(t *testing.T) {
	t.Parallel()
	m := crowd(300, 30, 9)
	m.Surfaced, m.RepeatAfter = map[string]time.Time{}, 6*time.Hour
	shown, rested := 0, 0
	for round := range 80 {
		train := Replay(m, seeded(uint64(round)), Depth(round%3).Limits())
		rested += train.Rested
		for _, c := range train.Connections {
			for _, key := range c.Keys {
				if at, known := m.Surfaced[key]; known && m.Now.Sub(at) > 0 && m.Now.Sub(at) < 6*time.Hour {
					t.Fatalf("%q was shown %v ago", key, m.Now.Sub(at))
				}
			}
			shown++
		}
		for _, c := range train.Connections {
			for _, key := range c.Keys {
				m.Surfaced[key] = m.Now
			}
		}
		m.Now = m.Now.Add(17 * time.Minute)
	}
	if shown == 0 || rested == 0 {
		t.Errorf("%d shown, %d left alone: the test shows nothing", shown, rested)
	}
}

func TestWhatWasShownComesBackAfterSixHours(t *testing.T) {
	t.Parallel()
	m := week()
	m.Episodes = m.Episodes[:1]
	m.Surfaced = map[string]time.Time{"e1": noon.Add(-6*time.Hour + time.Millisecond)}
	if train := Replay(m, seeded(1), Brief.Limits()); len(train.Connections) != 0 || train.Rested != 1 || train.Ended != "nothing else comes to mind" {
		t.Errorf("%+v", train)
	}
	m.Surfaced["e1"] = noon.Add(-6 * time.Hour)
	train := Replay(m, seeded(1), Brief.Limits())
	if len(train.Connections) != 1 {
		t.Fatalf("%+v", train)
	}
	// Another episode that says the same is the same thought.
	m.Surfaced = map[string]time.Time{train.Connections[0].Keys[1]: noon}
	m.Episodes[0].ID = "e1 again"
	train = Replay(m, seeded(1), Brief.Limits())
	if len(train.Connections) != 0 || train.Steps[0].Compared[0].Outcome != ShownLately {
		t.Errorf("%+v", train)
	}
}

func TestThoughtsComeFromDifferentPartsOfTheGraph(t *testing.T) {
	t.Parallel()
	m := Material{Now: noon, Goals: []memory.Goal{stated("g", "split the parser")}}
	for i := range 40 {
		m.Episodes = append(m.Episodes, episode(fmt.Sprint("e", i), fmt.Sprint("thing", strings.Repeat("q", i)), time.Hour))
	}
	community := func(e Episode) int { // one large part and five small ones
		var n int
		_, _ = fmt.Sscanf(e.ID, "e%d", &n)
		return max(n-34, 0)
	}
	limits := Limits{Steps: 6, Goals: 5}
	parts := func(known bool) (sum int) {
		m.Communities = nil
		if known {
			m.Communities = func(episodes []Episode) (parts []int) {
				for _, e := range episodes {
					parts = append(parts, community(e))
				}
				return parts
			}
		}
		for seed := range uint64(100) {
			seen := map[int]bool{}
			for _, s := range Replay(m, seeded(seed), limits).Steps {
				seen[community(s.Episode)] = true
			}
			sum += len(seen)
		}
		return sum
	}
	if with, without := parts(true), parts(false); 2*with < 3*without {
		t.Errorf("%d parts in 100 trains, %d when they are not known", with, without)
	}
}

func TestFeedbackMovesTheThreshold(t *testing.T) {
	t.Parallel()
	if got := LearnThreshold(ThresholdStart, false); !near(got, .52, 1e-12) {
		t.Errorf("wrong: %v", got)
	}
	if got := LearnThreshold(ThresholdStart, true); !near(got, .49, 1e-12) {
		t.Errorf("used: %v", got)
	}
	// Where two of three are used it rests.
	th := ThresholdStart
	for range 100 {
		th = LearnThreshold(LearnThreshold(LearnThreshold(th, true), false), true)
	}
	if !near(th, .5, 1e-9) {
		t.Errorf("two of three used: %v", th)
	}
	for range 100 {
		th = LearnThreshold(th, false)
	}
	if th != .9 {
		t.Errorf("all wrong: %v", th)
	}
	// Beyond the bound nothing is saved up that would have to be unlearnt.
	if got := LearnThreshold(th, true); !near(got, .89, 1e-12) {
		t.Errorf("one used after that: %v", got)
	}
	for range 100 {
		th = LearnThreshold(th, true)
	}
	if !near(th, .3, 1e-12) {
		t.Errorf("all used: %v", th)
	}
	// One word of six is a strength of two thirds.
	m := Material{Now: noon, Goals: []memory.Goal{stated("g", "alpha beta gamma")}, Episodes: []Episode{episode("e", "alpha one two three", 0)}}
	for learned, want := range map[float64]int{0: 1, .15: 1, .18: 0, .4: 0} {
		m.Threshold = ThresholdStart + learned
		if train := Replay(m, seeded(1), Deep.Limits()); len(train.Connections) != want {
			t.Errorf("learned %v: %+v", learned, train.Steps)
		}
	}
}

func TestStrengthJoinsWordsAndMeaning(t *testing.T) {
	t.Parallel()
	const unknown = -2
	for _, c := range []struct{ words, cosine, want float64 }{
		{0, unknown, 0}, {.125, unknown, .5}, {.25, unknown, 1}, {1, unknown, 1},
		{0, .9, .2}, {.125, .7, .5}, {.125, .5, .4}, {.125, -1, .4}, {.25, .9, 1}, {1, 1, 1}, {math.NaN(), .7, .1},
	} {
		cosine := &c.cosine
		if c.cosine == unknown {
			cosine = nil
		}
		if got := strength(c.words, cosine); !near(got, c.want, 1e-9) {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestTheTableSaysWhatComparingEachPairSays(t *testing.T) {
	t.Parallel()
	random := seeded(11)
	for range 50 {
		m := crowd(1+random.IntN(60), 1+random.IntN(9), random.Uint64())
		ranked := Order(m.Goals, m.Now)
		table := newTable(m.Episodes, ranked)
		for i, best := range table.nearest() {
			want := 0.0
			for g := range ranked {
				likeness, shared := table.compare(i, g)
				if want = max(want, likeness); !(likeness >= 0 && likeness <= 1+1e-9) || (likeness > 0) != (len(shared) > 0) {
					t.Fatalf("%v %v", likeness, shared)
				}
			}
			if !near(best, want, 1e-9) {
				t.Fatalf("episode %d: %v, pair by pair %v", i, best, want)
			}
		}
	}
}

func TestRareWordsConnectMoreThanCommonOnes(t *testing.T) {
	t.Parallel()
	m := Material{Now: noon, Goals: []memory.Goal{stated("g", "test the watcher")}}
	for i := range 50 {
		m.Episodes = append(m.Episodes, episode(fmt.Sprint("e", i), "test "+strings.Repeat("k", i+1), time.Hour))
	}
	m.Episodes = append(m.Episodes, episode("rare", "watcher kkk", time.Hour))
	table := newTable(m.Episodes, Order(m.Goals, noon))
	common, _ := table.compare(0, 0)
	rare, shared := table.compare(50, 0)
	if rare <= 2*common || shared[0] != "watcher" {
		t.Errorf("%v %v, common %v", rare, shared, common)
	}
}

func TestASharedFileConnects(t *testing.T) {
	t.Parallel()
	g := stated("g", "quicker answers")
	g.Links.Files = []string{"internal/rank.go"}
	m := Material{Now: noon, Goals: []memory.Goal{g}, Episodes: []Episode{
		episode("e1", "weights of evidence", time.Hour, "internal/rank.go"), episode("e2", "lunch menu", time.Hour, "other.go"),
	}}
	train := Replay(m, seeded(1), Deep.Limits())
	if len(train.Connections) != 1 || train.Connections[0].Why != "both speak of internal/rank.go" {
		t.Errorf("%+v", train.Connections)
	}
}

// crowd is work of some months: words as rare as those of texts are, a few topics, files.
func crowd(episodes, goals int, seed uint64) Material {
	random := rand.New(rand.NewPCG(seed, 12))
	words := make([]string, 3000)
	for i := range words {
		words[i] = fmt.Sprint("word", i)
	}
	draw := func(n int) (concepts []memory.Concept) {
		var drawn []string
		topic := random.IntN(100)
		for range n {
			if random.IntN(2) == 0 {
				drawn = append(drawn, words[topic*30+random.IntN(30)])
			} else {
				drawn = append(drawn, words[int(math.Exp(random.Float64()*math.Log(3000)))-1])
			}
		}
		return Concepts(drawn, n)
	}
	m := Material{Now: noon}
	for i := range episodes {
		m.Episodes = append(m.Episodes, Episode{
			ID: fmt.Sprint("e", i), At: noon.Add(-time.Duration(random.IntN(2000)) * time.Hour), Kind: DeepRead, Concepts: draw(16),
			Files: []string{fmt.Sprint("f", random.IntN(500), ".go")},
		})
	}
	for i := range goals {
		g := memory.Goal{
			ID: memory.GoalID(fmt.Sprint("g", i)), Status: memory.GoalActive, Tractability: 1, Concepts: draw(8),
			CreatedAt: noon.Add(-time.Duration(random.IntN(500)) * time.Hour),
		}
		g.Links.Files = []string{fmt.Sprint("f", random.IntN(500), ".go"), fmt.Sprint("f", random.IntN(500), ".go")}
		m.Goals = append(m.Goals, g)
	}
	return m
}

func BenchmarkReplay(b *testing.B) {
	m := crowd(10000, 100, 1)
	m.Cosine = func(e Episode, g memory.Goal) (float64, bool) { return float64(len(e.ID)+len(g.ID)) / 20, true }
	m.Communities = func(episodes []Episode) []int { return make([]int, len(episodes)) }
	for _, depth := range []Depth{Brief, Full, Deep} {
		b.Run(depth.String(), func(b *testing.B) {
			for b.Loop() {
				Replay(m, seeded(1), depth.Limits())
			}
		})
	}
	b.Run("everything", func(b *testing.B) {
		for b.Loop() {
			Replay(m, seeded(1), Limits{Steps: 100, Goals: 100})
		}
	})
}

func TestAGoalIsNotHeldAgainstItsOwnSession(t *testing.T) {
	t.Parallel()
	g := stated("g", "stop two drains from racing for the spool lock")
	g.From = 7
	own := episode("own", "when two drains race, one of them finds that the spool lock is stale and removes it", time.Hour)
	own.Session = 7
	other := episode("other", "the spool lock is held while two drains race", days(3))
	other.Session = 8
	train := Replay(Material{Now: noon, Goals: []memory.Goal{g}, Episodes: []Episode{own, other}}, seeded(1), Deep.Limits())
	if len(train.Connections) != 1 || train.Connections[0].Episode.ID != "other" {
		t.Errorf("%+v", train.Connections)
	}
	for _, s := range train.Steps {
		if s.Episode.ID == "own" && len(s.Compared) != 0 {
			t.Errorf("compared all the same: %+v", s.Compared)
		}
	}
	g.From = 0 // nobody knows where it came from
	own.Session = 0
	if train := Replay(Material{Now: noon, Goals: []memory.Goal{g}, Episodes: []Episode{own}}, seeded(1), Deep.Limits()); len(train.Connections) != 1 {
		t.Errorf("unknown sessions are taken for the same: %+v", train)
	}
}

func TestAnEpisodeThatRestatesTheGoalIsNoInsight(t *testing.T) {
	t.Parallel()
	g := stated("g", "make the importer faster")
	for text, want := range map[string]int{
		"continue to make the importer faster":                                         0,
		"make the importer faster, please":                                             0,
		"the importer is faster when it reads blocks of 64 kB and keeps the file open": 1,
	} {
		train := Replay(Material{Now: noon, Goals: []memory.Goal{g}, Episodes: []Episode{episode("e", text, time.Hour)}}, seeded(1), Deep.Limits())
		if len(train.Connections) != want {
			t.Errorf("%q: %+v", text, train.Connections)
		}
	}
}

func TestAReplayEndsWhenItsTimeIsOver(t *testing.T) {
	t.Parallel()
	m, asked := week(), 0
	m.Enough = func() bool { asked++; return asked > 2 }
	if train := Replay(m, seeded(1), Deep.Limits()); len(train.Steps) != 2 || train.Ended != "its time is over" {
		t.Errorf("%d steps: %s", len(train.Steps), train.Ended)
	}
}
