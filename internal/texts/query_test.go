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

// Each line of the file: question → bounds, now being noon of Wednesday, 18 March 2026; "no time" where it names none. The words of a
// question stay what is looked for.
func TestTimesInTheWordingBecomeBounds(t *testing.T) {
	table(t, "times.txt", " → ", func(question, want string) {
		q := ParseQuery(question, noon)
		got := bound(q.Named.Since) + ".." + bound(q.Named.Until)
		if got == ".." && q.Since.IsZero() && q.Until.IsZero() && q.AsOf.IsZero() && q.Kinds == nil {
			got = "no time"
		}
		if got != want || letters(q.Text) != letters(question) || q.History {
			t.Errorf("%q: %s | %s; want %s and all its words", question, got, q.Text, want)
		}
	})
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
		{"since:7d x", "since=2026-03-11T12 text=x"},
		{"since:2w until:1d x", "since=2026-03-04T12 until=2026-03-17T12 history text=x"},
		{"before:2026-01-01 x", "until=2026-01-01 history text=x"},
		{"after:2025-12-31 x", "since=2026-01-01 text=x"},
		{"asof:2025-06 x", "asof=2025-07-01 history text=x"},
		{"asof:today x", "asof=now history text=x"},
		{"until:today asof:now x", "until=2026-03-19 asof=now history text=x"},
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
	flag("sessions", q.Sessions)
	flag("history", q.History)
	flag("unsure", q.Unsure)
	flag("pinned", q.Pinned)
	add("text", q.Text, false)
	return strings.Join(out, " ")
}

func TestTimesAreThoseOfThePlace(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	now := time.Date(2026, time.March, 18, 0, 30, 0, 0, berlin) // still the 17th in London
	if q := ParseQuery("since:today x", now); !q.Since.Equal(time.Date(2026, time.March, 18, 0, 0, 0, 0, berlin)) {
		t.Errorf("today is since %v", q.Since)
	}
	if q := ParseQuery("notes of 2026-03-18", now); !q.Named.Since.Equal(time.Date(2026, time.March, 18, 0, 0, 0, 0, berlin)) {
		t.Errorf("the 18th is since %v", q.Named.Since)
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
	if len(got) != 128 || slices.Contains(got, "the") || got[0] != "t0" || got[10] != "t10" {
		t.Errorf("%v", got)
	}
	if got := common.Cap([]string{"b", "a", "b"}); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("%v", got)
	}
}

func FuzzParseQuery(f *testing.F) {
	table(f, "times.txt", " → ", func(question, _ string) { f.Add(question, int64(0)) })
	f.Add(`kind:decision since:"a b path:"`, int64(1<<40))
	f.Add("since:v1.2-+ before:v- after:v1..2", int64(-1<<40))
	f.Fuzz(func(t *testing.T, text string, at int64) {
		now := time.Unix(at%(1<<36), 0).UTC()
		q := ParseQuery(text, now)
		if len(q.Text) > 4*len(text) {
			t.Fatalf("%q became %q", text, q.Text)
		}
		for _, kind := range q.Kinds {
			if !slices.Contains(memory.CrystalKinds, kind) {
				t.Fatalf("%q: kind %q", text, kind)
			}
		}
		if n := q.Named; !n.Until.IsZero() && !n.Since.Before(n.Until) {
			t.Fatalf("%q: %v..%v", text, n.Since, n.Until)
		}
		if again := ParseQuery(text, now); again.Text != q.Text || !again.Since.Equal(q.Since) {
			t.Fatalf("%q reads differently twice", text)
		}
	})
}

func TestFitFallsOutsideTheTimeAskedFor(t *testing.T) {
	q := ParseQuery("what did we decide in March 2025", noon)
	if !q.Since.IsZero() || !ParseQuery("since:2025-03-01 x", noon).Named.Since.IsZero() {
		t.Error("only times in the wording rank, and they filter nothing")
	}
	march, april := time.Date(2025, time.March, 9, 0, 0, 0, 0, time.UTC), time.Date(2025, time.April, 1, 0, 0, 0, 0, time.UTC)
	for at, want := range map[time.Time]float64{march: 1, april: 1, april.Add(days(7)): .5, q.Named.Since.Add(-days(14)): .25} {
		if got := q.Named.Fit(at); !near(got, want, 1e-9) {
			t.Errorf("%v: %v, want %v", at, got, want)
		}
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
