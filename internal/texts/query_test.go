package texts

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// Each line: question → bounds. Now is Wednesday, 18 March 2026, 12:00.
const timed = `
what did we do yesterday → 2026-03-17..2026-03-18
yesterday we fixed the parser → 2026-03-17..2026-03-18
what changed today? → 2026-03-18..2026-03-19
decisions today about the cache → 2026-03-18..2026-03-19
what did I decide this morning → 2026-03-18..2026-03-19
what broke last night → 2026-03-17..2026-03-19
what did we decide last week? → 2026-03-09..2026-03-16
what did we decide last week about auth → 2026-03-09..2026-03-16
decisions this week → 2026-03-16..2026-03-23
how does the config look today? → 2026-03-18..2026-03-19
last month → 2026-02-01..2026-03-01
what happened this month → 2026-03-01..2026-04-01
what did we ship last year → 2025-01-01..2026-01-01
what did we ship last quarter → 2025-10-01..2026-01-01
decisions in the last week → 2026-03-11..now
what was fixed in the last 3 days → 2026-03-15..now
what was fixed in the past two weeks → 2026-03-04..now
errors over the last 24 hours → 2026-03-17T12..now
what did we do 2 days ago → 2026-03-16..2026-03-17
what did we do two weeks ago → 2026-03-02..2026-03-09
a month ago we talked about caching → 2026-02-01..2026-03-01
a couple of weeks ago → 2026-03-02..2026-03-09
what did we plan 3 months ago → 2025-12-01..2026-01-01
a year ago → 2025-01-01..2026-01-01
what did we decide in March → 2026-03-01..2026-04-01
what did we decide in December about logging → 2025-12-01..2026-01-01
what did we decide in March 2025 → 2025-03-01..2025-04-01
notes from January 2026 → 2026-01-01..2026-02-01
what did we do on Monday → 2026-03-16..2026-03-17
what did we do on Wednesday → 2026-03-18..2026-03-19
what did we do last Tuesday → 2026-03-17..2026-03-18
what did we do last Wednesday → 2026-03-11..2026-03-12
what did we do on last Friday → 2026-03-13..2026-03-14
what did we do last February → 2026-02-01..2026-03-01
what did we do last March → 2025-03-01..2025-04-01
what did we do on 2026-03-01 → 2026-03-01..2026-03-02
what did we do on March 14 → 2026-03-14..2026-03-15
what did we do on March 14, 2025 → 2025-03-14..2025-03-15
what was said on the 14th of March 2025 → 2025-03-14..2025-03-15
standup 2026-03-02 → 2026-03-02..2026-03-03
since yesterday → 2026-03-17..
what changed since last week → 2026-03-09..
what changed since Monday → 2026-03-16..
what changed since March 2025? → 2025-03-01..
what changed after 2025-12-31 → 2026-01-01..
what did we use before 2025 → ..2025-01-01
what did we use before March 2025 → ..2025-03-01
everything until yesterday → ..2026-03-18
changes from 2026-01-01 to 2026-01-31 → 2026-01-01..2026-02-01
changes from March to May 2024 → 2024-03-01..2024-06-01
since January, before March → 2026-01-01..2026-03-01
yesterday's decisions → 2026-03-17..2026-03-18
last week's standup → 2026-03-09..2026-03-16
what did we discuss yesterday and today → 2026-03-17..2026-03-19
early March → none
in early March → 2026-03-01..2026-04-01
what broke in August 2023? → 2023-08-01..2023-09-01
what broke on 1 February, 2023? → 2023-02-01..2023-02-02
releases in 2023 → 2023-01-01..2024-01-01
changes between March and May → 2025-03-01..2025-06-01
`

// Questions that name no time.
const untimed = `
month view component
the month view
week picker
March algorithm
the March algorithm explained
how does the marching cubes algorithm work
may I merge this
it may fail
tests may fail in may cases
this may not be null since may not be set
every Monday
last_week_report.sql
open 2025-03-14-notes.md
src/march/2025/index.ts
"last week" label
` + "`yesterday()` helper" + `
what does "since yesterday" mean
timeouts over 2000
a limit of 64
port 2024
in 2048 game
line 2023 of the parser
http://example.com/2025-03-14/x
before the merge
after the accident
since the refactoring
before breakfast
after 3 retries
until the queue is empty
from scratch
in memory cache
on Mondays we deploy
reduce stress by May 1
movies for April 6-7
Session 1 may have been lost
second attempt
the last commit
the last time
last entry in the list
this function
past events
previous version
day of week enum
year field validation
April fools code
June's parser
sun
sat on it
mon repos
2 days
3 weeks of logs
N days ago
0 days ago
99999999999999 years ago
31 February 2025
in 3025
in the year field
deadline 2027-01-01
what runs next week
in next March
the week before last
kind of blue
note: see below
std::string
error: something
foo:bar
is:
kind:
kind:nonsense
since:nonsense
since:
`

func bound(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case t.Equal(noon):
		return "now"
	case t.Hour() != 0:
		return t.Format("2006-01-02T15")
	}
	return t.Format("2006-01-02")
}

func TestTimesInTheWordingBecomeBounds(t *testing.T) {
	for line := range strings.SplitSeq(strings.Trim(timed, "\n"), "\n") {
		question, want, _ := strings.Cut(line, " → ")
		q := ParseQuery(question, noon)
		got := bound(q.Since) + ".." + bound(q.Until)
		if got == ".." {
			got = "none"
		}
		if got != want || q.Text != question || q.History || q.Worded != (want != "none") {
			t.Errorf("%q: %s | %s; want %s and all its words", question, got, q.Text, want)
		}
	}
}

func TestOtherWordsNameNoTime(t *testing.T) {
	for question := range strings.SplitSeq(strings.Trim(untimed, "\n"), "\n") {
		q := ParseQuery(question, noon)
		if !q.Since.IsZero() || !q.Until.IsZero() || !q.AsOf.IsZero() || q.After != "" || q.Before != "" || q.Worded || q.Kinds != nil {
			t.Errorf("%q: %s..%s, after %q, before %q", question, bound(q.Since), bound(q.Until), q.After, q.Before)
		}
		if letters(q.Text) != letters(question) {
			t.Errorf("%q: looks for %q", question, q.Text)
		}
	}
}

func letters(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer(`"`, "", "`", "").Replace(text)), " ")
}

func TestFilters(t *testing.T) {
	for _, c := range []struct{ question, want string }{
		{"kind:decision cache", "kinds=[decision] text=cache"},
		{"kind:decisions,lesson cache", "kinds=[decision lesson] text=cache"},
		{"Kind:preferences tabs", "kinds=[preference] text=tabs"},
		{"kind:pattern kind:goal x", "kinds=[task_pattern goal] text=x"},
		{"kind:session auth", "sessions text=auth"},
		{"project:hebb project:other x", "projects=[hebb other] text=x"},
		{`path:internal/store path:"my docs/a b.md" x`, "paths=[internal/store my docs/a b.md] text=x"},
		{"since:2026-03-01 x", "since=2026-03-01 text=x"},
		{"since:2026-03 until:2026-03 x", "since=2026-03-01 until=2026-04-01 history text=x"},
		{"since:2024 x", "since=2024-01-01 text=x"},
		{"since:yesterday x", "since=2026-03-17 text=x"},
		{`since:"2 weeks ago" x`, "since=2026-03-02 text=x"},
		{"since:7d x", "since=2026-03-11T12 text=x"},
		{"since:2w until:1d x", "since=2026-03-04T12 until=2026-03-17T12 history text=x"},
		{"before:2026-01-01 x", "until=2026-01-01 history text=x"},
		{"after:2025-12-31 x", "since=2026-01-01 text=x"},
		{"asof:2025-06 x", "asof=2025-07-01 history text=x"},
		{"asof:today x", "asof=now history text=x"},
		{"since:v1.2 x", "after=v1.2 text=x"},
		{"before:v1.2.0-rc.1 x", "before=v1.2.0-rc.1 text=x"},
		{"is:history x", "history text=x"},
		{"is:unsure x", "unsure text=x"},
		{"is:pinned x", "pinned text=x"},
		{"since:2026-03-01 what happened yesterday", "since=2026-03-01 text=what happened yesterday"},
		{`the "exact phrase" here`, "phrases=[exact phrase] text=the exact phrase here"},
		{`an "unbalanced quote`, "text=an unbalanced quote"},
		{`a 5" screen and "x"`, `phrases=[x] text=a 5" screen and x`},
		{"“curly quotes” too", "phrases=[curly quotes] text=curly quotes too"},
		{"it's the user's don't", "text=it's the user's don't"},
		{`"" empty`, "text=empty"},
		{"", "text="},
	} {
		q := ParseQuery(c.question, noon)
		if got := describe(q); got != c.want {
			t.Errorf("%q: %s; want %s", c.question, got, c.want)
		}
	}
}

func describe(q Query) string {
	var out []string
	add := func(name string, value any, empty bool) {
		if !empty {
			out = append(out, fmt.Sprintf("%s=%v", name, value))
		}
	}
	flag := func(name string, on bool) {
		if on {
			out = append(out, name)
		}
	}
	add("kinds", q.Kinds, q.Kinds == nil)
	add("projects", q.Projects, q.Projects == nil)
	add("paths", q.Paths, q.Paths == nil)
	add("phrases", q.Phrases, q.Phrases == nil)
	add("since", bound(q.Since), q.Since.IsZero())
	add("until", bound(q.Until), q.Until.IsZero())
	add("asof", bound(q.AsOf), q.AsOf.IsZero())
	add("after", q.After, q.After == "")
	add("before", q.Before, q.Before == "")
	flag("sessions", q.Sessions)
	flag("history", q.History)
	flag("unsure", q.Unsure)
	flag("pinned", q.Pinned)
	add("text", q.Text, false)
	return strings.Join(out, " ")
}

func TestMilestonesAreLookedUpOrStayWords(t *testing.T) {
	tags := map[string]time.Time{
		"v1.2": noon.Add(-days(30)), "release": noon.Add(-days(3)), "last release": noon.Add(-days(3)),
		"1.4.0": noon.Add(-days(9)),
	}
	for _, c := range []struct {
		question, after, before string
		resolved                bool
	}{
		{"what changed after v1.2", "v1.2", "", true},
		{"what changed since v9.9?", "v9.9", "", false},
		{"what did we decide before the release", "", "release", true},
		{"what changed since the last release about auth", "last release", "", true},
		{"what changed since release 1.4.0", "1.4.0", "", true},
		{"what changed before the 1.4.0 release", "", "1.4.0", true},
		{"after v1.2 before the release", "v1.2", "release", true},
	} {
		q := ParseQuery(c.question, noon)
		if q.After != c.after || q.Before != c.before || q.Text != c.question {
			t.Errorf("%q: after %q, before %q, text %q", c.question, q.After, q.Before, q.Text)
		}
		q = q.Resolve(tags)
		if bounded := !q.Since.IsZero() || !q.Until.IsZero(); bounded != c.resolved || q.Worded != c.resolved || q.Text != c.question || q.After != "" || q.Before != "" {
			t.Errorf("%q resolved: %+v", c.question, q)
		}
	}
	if q := ParseQuery("since:v1.2 x", noon).Resolve(tags); q.Worded || !q.Since.Equal(tags["v1.2"]) {
		t.Errorf("a filter excludes: %+v", q)
	}
}

func TestTimesAreThoseOfThePlace(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	now := time.Date(2026, time.March, 18, 0, 30, 0, 0, berlin) // still the 17th in London
	if q := ParseQuery("what did we do today", now); !q.Since.Equal(time.Date(2026, time.March, 18, 0, 0, 0, 0, berlin)) {
		t.Errorf("today is since %v", q.Since)
	}
	sunday := time.Date(2026, time.March, 22, 9, 0, 0, 0, time.UTC)
	if q := ParseQuery("decisions this week", sunday); bound(q.Since) != "2026-03-16" || bound(q.Until) != "2026-03-23" {
		t.Errorf("a week begins on Monday: %s..%s", bound(q.Since), bound(q.Until))
	}
	leap := time.Date(2024, time.March, 31, 9, 0, 0, 0, time.UTC)
	if q := ParseQuery("last month", leap); bound(q.Since) != "2024-02-01" || bound(q.Until) != "2024-03-01" {
		t.Errorf("last month on the 31st: %s..%s", bound(q.Since), bound(q.Until))
	}
}

func TestALongTextIsADocument(t *testing.T) {
	text := strings.Repeat(`fix the "parser" since last week kind:decision `, 20)
	q := ParseQuery(text, noon)
	if q.Text != strings.TrimSpace(text) || q.Phrases != nil || q.Kinds != nil || !q.Since.IsZero() {
		t.Errorf("%+v", q)
	}
}

func TestCapKeepsTheRarestTermsInOrder(t *testing.T) {
	var many []string
	common := vocab.Collection{In: map[string]int64{"the": 1000}}
	for i := range 200 {
		term := fmt.Sprint("t", i)
		many = append(many, term, "the")
		common.In[term] = int64(len(term))
	}
	got := common.Cap(many)
	if len(got) != 64 || slices.Contains(got, "the") || got[0] != "t0" || got[10] != "t10" {
		t.Errorf("%v", got)
	}
	if got := common.Cap([]string{"b", "a", "b"}); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("%v", got)
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, table := range []string{timed, untimed} {
		for line := range strings.Lines(table) {
			f.Add(line, int64(0))
		}
	}
	f.Add(`kind:decision since:"a b path:"`, int64(1<<40))
	f.Add("since:v1.2-+ before:v- after:v1..2", int64(-1<<40))
	f.Fuzz(func(t *testing.T, text string, at int64) {
		now := time.Unix(at%(1<<36), 0).UTC()
		q := ParseQuery(text, now)
		if q.Raw != text || len(q.Text) > 4*len(text) {
			t.Fatalf("%q became %q", text, q.Text)
		}
		for _, kind := range q.Kinds {
			if !slices.Contains(memory.CrystalKinds, kind) {
				t.Fatalf("%q: kind %q", text, kind)
			}
		}
		if q.Worded && !q.Since.IsZero() && !q.Until.IsZero() && !q.Since.Before(q.Until) {
			t.Fatalf("%q: %v..%v", text, q.Since, q.Until)
		}
		resolved := q.Resolve(map[string]time.Time{q.After: now, q.Before: now})
		if resolved.After != "" || resolved.Before != "" {
			t.Fatalf("%q: %+v", text, resolved)
		}
		if again := ParseQuery(text, now); again.Text != q.Text || !again.Since.Equal(q.Since) {
			t.Fatalf("%q reads differently twice", text)
		}
	})
}

func TestFitFallsOutsideTheTimeAskedFor(t *testing.T) {
	q := ParseQuery("what did we decide in March 2025", noon)
	if !q.Worded || ParseQuery("since:2025-03-01 x", noon).Worded || ParseQuery("x", noon).Worded {
		t.Error("only times in the wording are worded")
	}
	march, april := time.Date(2025, time.March, 9, 0, 0, 0, 0, time.UTC), time.Date(2025, time.April, 1, 0, 0, 0, 0, time.UTC)
	for at, want := range map[time.Time]float64{march: 1, april: 1, april.Add(days(7)): .5, q.Since.Add(-days(14)): .25} {
		if got := Fit(q, at); !near(got, want, 1e-9) {
			t.Errorf("%v: %v, want %v", at, got, want)
		}
	}
	if got := Fit(Query{}, noon); got != 1 {
		t.Errorf("without a time everything fits: %v", got)
	}
}

func TestPathFilters(t *testing.T) {
	for _, c := range []struct {
		filter, path string
		want         bool
	}{
		{"store.go", "internal/store.go", true}, {"internal", "internal/store.go", true}, {"/internal/", "a/internal/b", true},
		{"store", "internal/store.go", false}, {"intern", "internal/store.go", false}, {"a.go", "axgo", false},
		{"*.go", "internal/store.go", true}, {"*.go", "internal/store.gob", false}, {"internal/*.go", "internal/store.go", true},
		{"internal/*.go", "internal/a/store.go", false}, {"internal/**/*.go", "internal/a/b/store.go", true},
		{"internal/**/*.go", "internal/store.go", true}, {"**/store.go", "store.go", true}, {"internal/**", "internal/a/b", true},
		{"s?ore.go", "internal/store.go", true}, {"s?ore.go", "s/ore.go", false}, {"\xff*", "a", false},
	} {
		if got := PathPattern(c.filter).MatchString(c.path); got != c.want {
			t.Errorf("%q in %q: %v, want %v", c.path, c.filter, got, c.want)
		}
	}
}
