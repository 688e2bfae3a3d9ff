package recall

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/vocab"

	"github.com/hebb-memory/hebb/internal/memory"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-4 {
		t.Errorf("%s: %.5f, want %.5f", what, got, want)
	}
}

func TestV11Confidence(t *testing.T) {
	for _, c := range []struct {
		clues Clues
		want  float64
	}{
		{Clues{Context: 0, Myelin: .9, Idle: 0, Path: 1, Kind: SourceFile}, 0},
		{Clues{Context: .5, Myelin: .2, Idle: 24, Path: .5, Kind: SourceFile}, .8657},
		{Clues{Context: .2, Myelin: 0, Idle: 1000, Path: 1. / 3, Stem: true, Kind: SourceFile}, .9167},
		{Clues{Context: .6, Myelin: .8, Idle: 0, Path: 0, Kind: DocFile}, .72},
		{Clues{Context: .35, Myelin: 0, Idle: 200, Path: 0, Kind: SourceFile}, .455},
	} {
		near(t, fmt.Sprintf("%+v", c.clues), Confidence(c.clues), c.want)
	}
	near(t, "a confidence above 1 is shown below it", Shown(1.4), .99)
}

func TestV12EpisodicConfidence(t *testing.T) {
	for _, c := range []struct {
		count int
		hours float64
		want  float64
	}{{1, 0, .2}, {2, 0, .4}, {3, 84, .45}, {5, 84, .75}, {5, 168, .5}, {9, 0, 1}} {
		got := EpisodicConfidence(c.count, time.Duration(c.hours*float64(time.Hour)), 7*24*time.Hour, 5)
		near(t, fmt.Sprintf("%d sessions, %v h", c.count, c.hours), got, c.want)
	}
}

func TestV14Consensus(t *testing.T) {
	near(t, ".6 and .5 agree", Consensus(.6, .5), .69)
	near(t, "no more than certain", Consensus(.95, .9), .99)
}

func TestFixConfidenceIsCapped(t *testing.T) {
	near(t, "a fix just learned", FixConfidence(.85, .1), .935)
	near(t, "an old acquaintance", FixConfidence(.9775, .5), .99)
}

// project is a small history in which login, cache and docs are three concerns.
func project() *Image {
	m := NewImage()
	commit := func(i int, subject string, paths ...string) {
		m.Commit(day.Add(time.Duration(i)*6*time.Hour), int64(i), subject, edits(paths...), false)
	}
	for i := 0; i < 60; i += 3 {
		commit(i, "fix the login redirect loop", "web/login.go", "web/login_test.go", "web/session.go")
		commit(i+1, "speed up the cache eviction", "store/cache.go", "store/lru.go")
		commit(i+2, "explain configuration", "docs/config.md")
	}
	return m
}

func first(t *testing.T, m *Image, q Question) string {
	t.Helper()
	answers := NewRanker(m).Rank(q, 5)
	if len(answers) == 0 {
		t.Fatalf("no answer to %+v", q)
	}
	return m.File(answers[0].File).Path
}

func find(t *testing.T, m *Image, path string) FileNo {
	t.Helper()
	n, known := m.Find(path)
	if !known {
		t.Fatalf("%s is not known", path)
	}
	return n
}

func TestWordsLeadToTheFilesOfTheirCommits(t *testing.T) {
	m := project()
	at := day.AddDate(0, 1, 0)
	for text, want := range map[string]string{
		"login redirect is broken": "web/login.go",
		"evict from the cache":     "store/cache.go",
		"look at docs/config.md":   "docs/config.md",
	} {
		if got := first(t, m, Question{Text: text, At: at}); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestTheTitleOfALongTextHasAVoteOfItsOwn(t *testing.T) {
	m := project()
	at := day.AddDate(0, 1, 0)
	const title = "fix the login redirect loop"
	const pasted = "what we saw: the speed of the cache eviction went up, then the cache of the store, then eviction stopped, and nothing else was seen that day"
	if got := first(t, m, Question{Text: title + " " + pasted, At: at}); got != "store/cache.go" {
		t.Fatalf("in one line: %s, and the test shows nothing", got)
	}
	if got := first(t, m, Question{Text: title + "\n\n" + pasted, At: at}); got != "web/login.go" {
		t.Errorf("with a title: %s, want web/login.go", got)
	}
}

func TestAnOpenFileLeadsToItsCompany(t *testing.T) {
	m := project()
	q := Question{Open: []FileNo{find(t, m, "store/lru.go")}, At: day.AddDate(0, 1, 0)}
	if got := first(t, m, q); got != "store/cache.go" {
		t.Errorf("company of lru.go: %s, want cache.go", got)
	}
	for _, a := range NewRanker(m).Rank(q, 50) {
		if a.File == q.Open[0] {
			t.Error("an open file is an answer")
		}
	}
}

func TestBannedFilesAreNoAnswers(t *testing.T) {
	m := project()
	login := find(t, m, "web/login.go")
	answers := NewRanker(m).Rank(Question{Text: "login", Banned: []FileNo{login}, At: day.AddDate(0, 1, 0)}, 50)
	if slices.ContainsFunc(answers, func(a Answer) bool { return a.File == login }) {
		t.Error("a banned file is an answer")
	}
}

// A file that no word and no open file leads to, only its company.
func TestSpreadingReachesWhatTheQuestionDoesNotPointTo(t *testing.T) {
	m := NewImage()
	for i := range 40 {
		m.Commit(day.Add(time.Duration(i)*time.Hour), int64(2*i), "tidy", edits("core/engine.go", "wiring/assembly.go"), false)
		m.Commit(day.Add(time.Duration(i)*time.Hour+time.Minute), int64(2*i+1), "other", edits(fmt.Sprintf("misc/f%d.txt", i)), false)
	}
	m.Define("core/engine.go", vocab.Terms("Carburettor"))
	q := Question{Text: "carburettor", At: day.AddDate(0, 1, 0)}
	r := NewRanker(m)
	answers := r.Rank(q, 10)
	i := slices.IndexFunc(answers, func(a Answer) bool { return m.File(a.File).Path == "wiring/assembly.go" })
	if i < 0 || !answers[i].Reached {
		t.Fatalf("answers %v: want assembly.go, reached by spreading", paths(m, answers))
	}
	if through, ok := r.Through(answers, answers[i]); !ok || m.File(through).Path != "core/engine.go" {
		t.Errorf("reached through %v %v, want core/engine.go", m.File(through).Path, ok)
	}
	r.Without(Spread)
	if slices.ContainsFunc(r.Rank(q, 10), func(a Answer) bool { return a.Reached }) {
		t.Error("without spreading something is reached by it")
	}
}

func TestExplainAddsUpToTheScore(t *testing.T) {
	m := someHistory(11, 400)
	r := NewRanker(m)
	for _, q := range []Question{
		{Text: "login token", At: day.AddDate(0, 1, 0)},
		{Text: "cache", Open: []FileNo{1}, At: day.AddDate(0, 1, 0), InSession: true},
	} {
		for _, a := range r.Rank(q, 10) {
			sum := 0.0
			for _, p := range r.Explain(a) {
				sum += p.Share
			}
			near(t, m.File(a.File).Path, sum, a.Score)
		}
	}
}

func TestChancesFollowScores(t *testing.T) {
	m := someHistory(12, 400)
	answers := NewRanker(m).Rank(Question{Text: "render login", At: day.AddDate(0, 1, 0)}, 30)
	for i, a := range answers {
		if a.Likelihood < 0 || a.Likelihood > 1 {
			t.Errorf("chance %v", a.Likelihood)
		}
		if i > 0 && (a.Score > answers[i-1].Score || a.Likelihood > answers[i-1].Likelihood) {
			t.Errorf("answer %d is likelier than the one before", i)
		}
	}
}

func TestAnEmptyPastHasNoAnswers(t *testing.T) {
	if got := NewRanker(NewImage()).Rank(Question{Text: "anything", At: day}, 10); len(got) != 0 {
		t.Errorf("%d answers from nothing", len(got))
	}
}

func TestRememberCountsSessionsOfTheLastDays(t *testing.T) {
	m := NewImage()
	for i := range 3 {
		m.Session(day.Add(time.Duration(i)*time.Hour), int64(i), []Opened{{Path: "a.go", Prompt: "billing report"}, {Path: "b.go"}}, 12, 200)
	}
	m.Session(day.AddDate(0, 0, -20), 9, []Opened{{Path: "old.go", Prompt: "billing report"}}, 12, 200)
	m.Session(day, 10, []Opened{{Path: "c.go", Prompt: "something else"}, {Path: "d.go"}}, 12, 200)
	found := NewRanker(m).Remember(Question{Text: "the billing", At: day.Add(2 * time.Hour)}, 7*24*time.Hour, 5, .4)
	var got []string
	for _, e := range found {
		got = append(got, fmt.Sprintf("%s %d", m.File(e.File).Path, e.Sessions))
	}
	if !slices.Equal(got, []string{"a.go 3", "b.go 3"}) {
		t.Errorf("%v", got)
	}
	near(t, "three of five, just now", found[0].Confidence, .6)
}

func TestNearCommitsHandOverTheirEpisodes(t *testing.T) {
	m := project()
	episodes, like := NewRanker(m).Near("cache eviction", CommitEpisode, 3)
	if len(episodes) != 3 || len(like) != 3 {
		t.Fatalf("%d episodes", len(episodes))
	}
	for i, n := range episodes {
		if e := m.Episode(n); m.File(e.Files[0]).Path != "store/cache.go" || like[i] <= 0 || like[i] > 1 {
			t.Errorf("episode %d: %v, like %v", n, m.File(e.Files[0]).Path, like[i])
		}
	}
}

func TestWordsMeetAcrossSpellings(t *testing.T) {
	for _, pair := range [][2]string{
		{"parsing configs", "parseConfig"}, {"HTTPServer", "http server"}, {"user_sessions.go", "UserSession"}, {"cached", "caches"},
	} {
		a, b := vocab.Terms(pair[0]), vocab.Terms(pair[1])
		shared := 0
		for _, w := range a {
			if slices.Contains(b, w) {
				shared++
			}
		}
		if shared == 0 {
			t.Errorf("%q and %q share no word", pair[0], pair[1])
		}
	}
	if got := vocab.Words("the 42 of it"); len(got) != 0 {
		t.Errorf("stop words and numbers are words: %v", got)
	}
}

func TestTermsHaveNamesMeaningsAndScales(t *testing.T) {
	seen := map[string]bool{}
	for i := range numTerms {
		info := terms[i]
		if info.name == "" || info.meaning == "" || info.half <= 0 || seen[info.name] {
			t.Errorf("term %d: %+v", i, info)
		}
		seen[info.name] = true
		if got, ok := TermNamed(info.name); !ok || got != i {
			t.Errorf("%s is found as %v", info.name, got)
		}
	}
}

func TestLearnedWeightsCoverEveryForm(t *testing.T) {
	for _, l := range []*Learned{learned(), learnedMeaning()} {
		for f := range NumForms {
			if l.Weights[f] == (Features{}) || l.Calibrations[f] == (Calibration{}) {
				t.Errorf("no weights for %s", f)
			}
		}
	}
	for _, damaged := range []string{"change by words\tnamed\t1\t2\n", "never\tnamed\t1\t2\t3", "change by words\tnothing\t1\t2\t3", "change by words\tnamed\t1\tx\t3"} {
		if _, err := ParseLearned(damaged); !errors.Is(err, memory.ErrDamaged) {
			t.Errorf("%q: %v", damaged, err)
		}
	}
}
