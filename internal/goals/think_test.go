package goals

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// lived numbers what happened and puts a minute between; an event without a kind is a pause.
func lived(happened ...memory.Event) (session []memory.Event) {
	at := noon
	for i, e := range happened {
		if at = at.Add(time.Minute); e.Kind == "" {
			at = at.Add(time.Hour)
			continue
		}
		e.ID, e.At = memory.EventID(fmt.Sprint("e", i)), at
		session = append(session, e)
	}
	return session
}

func asked(text string) memory.Event    { return memory.Event{Kind: memory.Prompted, Text: text} }
func answered(text string) memory.Event { return memory.Event{Kind: memory.TurnEnded, Text: text} }
func changed(file string) memory.Event {
	return memory.Event{Kind: memory.ToolUsed, Touches: []memory.Touch{{Path: file, Kind: memory.Edit}}}
}
func read(file string) memory.Event {
	return memory.Event{Kind: memory.ToolUsed, Touches: []memory.Touch{{Path: file, Kind: memory.Read}}}
}

func TestEpisodesAreCutByTheirRules(t *testing.T) {
	t.Parallel()
	pause := memory.Event{}
	slow := []memory.Event{asked("why is the drain slow"), answered("it waits"), changed("drain.go"), changed("spool.go"), asked("yes, go on")}
	for name, c := range map[string]struct {
		session []memory.Event
		want    string
	}{
		"nothing is no episode":  {nil, ""},
		"five turns are none":    {lived(slow...), ""},
		"six are":                {lived(append(slow, answered("done"))...), "e0: why is the drain slow [drain.go spool.go]"},
		"reading is no turn":     {lived(append(slow, read("a.go"), read("b.go"))...), ""},
		"a pause parts them":     {lived(append(slow, pause, answered("done"))...), ""},
		"a new topic parts them": {lived(append(slow[:4:4], asked("write a page about pins for beginners"), answered("done"))...), ""},
		"the same topic in other words does not": {
			lived(append(slow[:4:4], asked("does spool.go wait for the lock?"), answered("yes"))...), "e0: does spool.go wait for the lock? [drain.go spool.go]",
		},
		"work that nobody asked for has no topic": {lived(changed("a.go"), changed("b.go"), changed("c.go"), changed("d.go"), changed("e.go"), changed("f.go")), ""},
		"talk alone names nothing to look at": {
			lived(asked("why is the drain slow"), answered("it waits"), asked("why does the drain wait"), answered("so"), asked("is the drain slow"), answered("yes")), "",
		},
	} {
		var lines []string
		for _, e := range Cut(c.session, vocab.Words) {
			lines = append(lines, fmt.Sprintf("%s: %s %v", e.ID, e.Text, e.Files))
		}
		if got := strings.Join(lines, "\n"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestAnEpisodeIsAboutWhatWasAskedAndTouched(t *testing.T) {
	t.Parallel()
	e := NewEpisode("recall", vocab.Words, lived(asked("make recall prefer fresh commits"), read("internal/rank.go"), answered("kubernetes kubernetes"))...)
	var words []string
	for _, c := range e.Concepts {
		words = append(words, c.Word)
	}
	want := []string{"commit", "fresh", "go", "intern", "prefer", "rank", "recal"}
	if slices.Sort(words); !slices.Equal(words, want) || !slices.Equal(e.Files, []string{"internal/rank.go"}) {
		t.Errorf("%q, %q", words, e.Files)
	}
}

func episode(id, text string, age time.Duration, files ...string) Episode {
	return Episode{ID: id, At: noon.Add(-age), Text: text, Concepts: Concepts(vocab.Words(text), 16), Files: files}
}

// connected compares everything and says what came of it: "episode goal, episode goal".
func connected(episodes []Episode, goals ...memory.Goal) string {
	var pairs []string
	for _, c := range Connect(episodes, goals, noon, func(Episode, memory.Goal) bool { return true }) {
		pairs = append(pairs, c.Episode.ID+" "+string(c.Goal.ID))
	}
	return strings.Join(pairs, ", ")
}

func TestWhatWasLivedIsConnectedWithWhatIsWanted(t *testing.T) {
	t.Parallel()
	lock := stated("lock", "stop two drains from racing for the spool lock")
	lock.Status, lock.IncubatedSince = memory.GoalIncubating, 3
	goals := []memory.Goal{stated("search", "make search faster for rare words"), lock, stated("docs", "write the page about pins"), stated("ci", "run the tests on Windows")}
	episodes := []Episode{
		episode("e1", "the sealed segment keeps the spool lock while two drains race", days(2), "internal/spool/seal.go"),
		episode("e2", "colours of the status line", days(1)),
		episode("e3", "rare words are looked up first, so search is faster", days(3), "internal/recall/rank.go"),
		episode("e4", "the lunch menu", time.Hour),
		episode("e5", "the spool lock and two drains", days(1)),
	}
	// What incubates is thought of like the rest; each goal gets what is most like it.
	if got := connected(episodes, goals...); got != "e3 search, e5 lock" {
		t.Error(got)
	}
	found := Connect(episodes, goals, noon, func(e Episode, _ memory.Goal) bool { return e.ID != "e5" })
	if len(found) != 2 || found[1].Why != "see internal/spool/seal.go; both speak of race, spool, lock, two, drains" {
		t.Errorf("%+v", found)
	}
	slices.Reverse(episodes)
	slices.Reverse(goals)
	if got := connected(episodes, goals...); got != "e3 search, e5 lock" {
		t.Errorf("the order of the input matters: %s", got)
	}
}

func TestOneWordInCommonIsChance(t *testing.T) {
	t.Parallel()
	if got := connected([]Episode{episode("e", "watcher menu", time.Hour)}, stated("g", "test the watcher")); got != "" {
		t.Error(got)
	}
	if got := connected([]Episode{episode("e", "the watcher sees no menu in the first test of colours", time.Hour)}, stated("g", "test the watcher")); got != "e g" {
		t.Error(got)
	}
}

func TestRareWordsConnectMoreThanCommonOnes(t *testing.T) {
	t.Parallel()
	g := stated("g", "test the watcher of the spool")
	episodes := []Episode{episode("rare", "watcher spool kkk", days(9))}
	for i := range 50 {
		episodes = append(episodes, episode(fmt.Sprint("e", i), "test spool "+strings.Repeat("k", i+4), time.Hour))
	}
	if got := connected(episodes, g); got != "rare g" {
		t.Error(got)
	}
}

func TestSharedFilesConnect(t *testing.T) {
	t.Parallel()
	g := stated("g", "quicker answers")
	g.Links.Files = []string{"internal/rank.go", "internal/words.go"}
	found := Connect([]Episode{
		episode("e1", "weights of evidence", time.Hour, "internal/rank.go", "internal/words.go"), episode("e2", "lunch menu", time.Hour, "other.go"),
	}, []memory.Goal{g}, noon, func(Episode, memory.Goal) bool { return true })
	if len(found) != 1 || found[0].Why != "see internal/rank.go, internal/words.go; both speak of internal/rank.go, internal/words.go" {
		t.Errorf("%+v", found)
	}
}

func TestOnlyTheFirstFiveGoalsAreComparedAndNoEpisodeServesTwo(t *testing.T) {
	t.Parallel()
	var goals []memory.Goal
	for i := range 7 {
		g := stated(fmt.Sprint("g", i), fmt.Sprint("split the parser into lexer and grammar ", strings.Repeat("q", i+2)))
		g.TouchedAt = noon.Add(-days(float64(i)))
		goals = append(goals, g)
	}
	var episodes []Episode
	for i := range 9 {
		episodes = append(episodes, episode(fmt.Sprint("e", i), "in the old compiler the parser was split by hand into a lexer and a grammar "+strings.Repeat("z", i+2), time.Hour))
	}
	found := Connect(episodes, goals, noon, func(Episode, memory.Goal) bool { return true })
	seen := map[string]bool{}
	for _, c := range found {
		if seen[string(c.Goal.ID)] || seen[c.Episode.ID] || c.Goal.ID > "g4" || c.Strength < bar {
			t.Errorf("%s %s %v", c.Episode.ID, c.Goal.ID, c.Strength)
		}
		seen[string(c.Goal.ID)], seen[c.Episode.ID] = true, true
	}
	if len(found) != 5 {
		t.Errorf("%d connections", len(found))
	}
}

func TestAGoalIsNotComparedWithItsOwnSession(t *testing.T) {
	t.Parallel()
	g := stated("g", "stop two drains from racing for the spool lock")
	g.From = 7
	own := episode("own", "when two drains race, one of them finds that the spool lock is stale and removes it", time.Hour)
	own.Session = 7
	other := episode("other", "the spool lock is held while two drains race", days(3))
	other.Session = 8
	if got := connected([]Episode{own, other}, g); got != "other g" {
		t.Error(got)
	}
	if own.Session, g.From = 0, 0; connected([]Episode{own}, g) != "own g" {
		t.Error("unknown sessions are taken for the same")
	}
}

func TestAnEpisodeThatRestatesTheGoalIsNoInsight(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"continue to make the importer faster":                                         "",
		"make the importer faster, please":                                             "",
		"the importer is faster when it reads blocks of 64 kB and keeps the file open": "e g",
	} {
		if got := connected([]Episode{episode("e", text, time.Hour)}, stated("g", "make the importer faster")); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestAPauseIsNoTimeWorked(t *testing.T) {
	at := func(minutes ...int) (times []time.Time) {
		for _, m := range minutes {
			times = append(times, noon.Add(time.Duration(m)*time.Minute))
		}
		return times
	}
	for _, c := range []struct {
		times []time.Time
		want  time.Duration
	}{{nil, 0}, {at(0), 0}, {at(0, 5, 15), 15 * time.Minute}, {at(0, 10, 12960, 12965), 15 * time.Minute}, {at(0, 16), 0}} {
		if got := Worktime(c.times); got != c.want {
			t.Errorf("%v: %v, want %v", c.times, got, c.want)
		}
	}
}
